export * from "../types/roost-text-chat.js";
export * from "./elements.js";
