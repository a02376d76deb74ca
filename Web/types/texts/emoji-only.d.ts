/**
 * Whether a text is one to three emoji, perhaps with white space, and nothing else: such a text is shown large.
 *
 * @param {string} text
 * @returns {boolean}
 */
export function isEmojiOnly(text: string): boolean;
