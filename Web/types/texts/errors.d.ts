/**
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./texts.js").Key} Key
 */
/**
 * An error as a sentence for people, with the next thing to try.
 *
 * @param {any} error a `RoostError`, or anything else that was thrown
 * @param {Texts} t
 * @returns {string} the text of its code and field, or of its code; if there is none, the server's own message, or a
 *   general sentence
 */
export function errorText(error: any, t: Texts): string;
export type Texts = import("./texts.js").Texts;
export type Key = import("./texts.js").Key;
