export * from "../types/roost-chat.js";
export * from "./elements.js";
