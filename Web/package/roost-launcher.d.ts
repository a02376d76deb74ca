export * from "../types/roost-launcher.js";
export * from "./elements.js";
