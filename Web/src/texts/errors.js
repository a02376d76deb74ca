import { oneLine } from "./one-line.js";

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
export function errorText(error, t) {
  const key = `error.${error?.name}`;
  // The last name of a path such as "options[1].text".
  const reason = `${key}.${/\w+(?=(\[\d+\])?$)/.exec(error?.field ?? "")?.[0]}`;
  for (const each of [reason, key]) if (t.has(each)) return t(/** @type {Key} */ (each));
  const isFromServer = typeof error?.code === "number" && error.code > 0 && error.constructor?.name !== "DOMException";
  return (isFromServer && oneLine(error.message)) || t("error.unknown");
}
