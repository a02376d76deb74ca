/** Made in a function, because a browser without the flag `v` would refuse a whole module with such a literal. */
const emoji = (() => {
  try {
    return new RegExp("^(?:\\s*\\p{RGI_Emoji}){1,3}\\s*$", "v");
  } catch {
    return /^(?:\s*\p{Emoji_Presentation}){1,3}\s*$/u;
  }
})();

/**
 * Whether a text is one to three emoji, perhaps with white space, and nothing else: such a text is shown large.
 *
 * @param {string} text
 * @returns {boolean}
 */
export function isEmojiOnly(text) {
  return text.length <= 120 && emoji.test(text);
}
