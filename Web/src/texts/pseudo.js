import { more } from "./more-en.js";
import { en } from "./texts.js";

/** @typedef {import("./texts.js").Entry} Entry */

const accents = new Map(
  Object.entries({
    a: "á", b: "ƀ", c: "ç", d: "ð", e: "é", f: "ƒ", g: "ĝ", h: "ĥ", i: "î", j: "ĵ", k: "ķ", l: "ļ", m: "ɱ",
    n: "ñ", o: "ö", p: "þ", q: "ɋ", r: "ŕ", s: "š", t: "ţ", u: "û", v: "ṽ", w: "ŵ", x: "ẋ", y: "ý", z: "ž",
    A: "Å", B: "Ɓ", C: "Ç", D: "Ð", E: "É", F: "Ƒ", G: "Ĝ", H: "Ĥ", I: "Î", J: "Ĵ", K: "Ķ", L: "Ļ", M: "Ṁ",
    N: "Ñ", O: "Ö", P: "Þ", Q: "Ɋ", R: "Ŕ", S: "Š", T: "Ţ", U: "Û", V: "Ṽ", W: "Ŵ", X: "Ẋ", Y: "Ý", Z: "Ž",
  }),
);

/**
 * @param {Record<string, Entry>} table
 * @returns {import("./texts.js").Table}
 */
function pseudo(table) {
  /** @param {string} text */
  const change = (text) => {
    const pieces = text.split(/(\{\w+\})/);
    const letters = pieces.filter((_, index) => index % 2 === 0).join("").length;
    const padding = " ļöñĝ".repeat(letters).slice(0, Math.ceil(letters * 0.4));
    const body = pieces.map((piece, index) =>
      index % 2 ? piece : piece.replace(/[a-z]/gi, (letter) => accents.get(letter) ?? letter),
    );
    return `[${body.join("")}${padding}]`;
  };
  /** @param {Entry} entry */
  const each = (entry) =>
    typeof entry === "string"
      ? change(entry)
      : Object.fromEntries(Object.entries(entry).map(([category, text]) => [category, change(text)]));
  const entries = Object.entries(table).map(([key, entry]) => [key, each(entry)]);
  return /** @type {import("./texts.js").Table} */ (Object.fromEntries(entries));
}

/** English with accents, brackets and 40 % more length. */
export const table = pseudo({ ...en, ...more });
