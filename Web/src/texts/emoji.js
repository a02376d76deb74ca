export { isEmojiOnly } from "./emoji-only.js";

/** The emoji to offer first for a reaction. */
export const quickReactions = ["👍", "❤️", "😂", "😮", "😢", "🎉"];
