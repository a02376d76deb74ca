export { isEmojiOnly } from "./emoji-only.js";
/**
 * The emoji of a picker, in groups; `key` is the key of the group's name, `icon` stands for the group on its tab.
 *
 * @type {readonly {key: import("./texts.js").Key, icon: string, emoji: readonly string[]}[]}
 */
export const emojiGroups: readonly {
    key: import("./texts.js").Key;
    icon: string;
    emoji: readonly string[];
}[];
/** The emoji to offer first for a reaction. */
export const quickReactions: string[];
