/**
 * Adds English texts, also to those in use.
 *
 * @param {Record<string, Entry>} more
 */
export function addEnglish(more: Record<string, Entry>): void;
/**
 * Chooses from a list of wished locales: the first one that has a table, otherwise English. Every Chinese locale gets
 * Traditional Chinese; `en-XA` is English with accents, brackets and 40 % more length, for finding layout faults.
 *
 * @param {string | readonly string[] | null} [locales] BCP 47 tags, the best one first; those of the browser if absent
 * @returns {{language: string, locale: string}} `language` names the table, `locale` is for dates and numbers
 */
export function chooseLocale(locales?: string | readonly string[] | null | undefined): {
    language: string;
    locale: string;
};
/**
 * The texts of a language whose table is loaded: English is, the others after `loadTexts`. Until then it gives English.
 * The result is cached: the same locale gives the same object.
 *
 * @param {string | readonly string[] | null} [locales] as for `chooseLocale`
 * @returns {Texts}
 */
export function texts(locales?: string | readonly string[] | null | undefined): Texts;
/**
 * Loads the table of the best language and gives its texts. Gives English if the table cannot be loaded, for example
 * offline.
 *
 * @param {string | readonly string[] | null} [locales] as for `chooseLocale`
 * @returns {Promise<Texts>}
 */
export function loadTexts(locales?: string | readonly string[] | null | undefined): Promise<Texts>;
/**
 * Makes a text from somebody safe inside of a sentence: on one line, without a bidirectional control that reaches out
 * of it, and between U+2068 and U+2069 if its direction could change the order of the sentence.
 *
 * @param {string} text
 * @param {"ltr" | "rtl"} [dir] the direction of the sentence
 * @returns {string}
 */
export function isolate(text: string, dir?: "ltr" | "rtl" | undefined): string;
export { en };
export { errorText } from "./errors.js";
export { splitText } from "./links.js";
export { times } from "./times.js";
/**
 * @typedef {keyof typeof en | keyof typeof import("./more-en.js").more} Key
 * @typedef {string | {[category in Intl.LDMLPluralRule]?: string}} Entry
 * @typedef {Record<Key, Entry>} Table
 * @typedef {Record<string, string | number>} Values strings come from people and are isolated; numbers are formatted
 * @typedef {{kind: "text", text: string} | {kind: "value", name: string, text: string}} Part
 */
/** The languages with a table, each with its name in itself. */
export const languages: {
    code: string;
    name: string;
}[];
/**
 * `lang` is for the attribute of the page; `parts` gives the values apart from the text, in order, for
 *   elements such as `<bdi>`; `percent` takes 0…1; `badge` is empty for 0 and at most 99+
 */
export type Texts = ((key: Key, values?: Values) => string) & {
    language: string;
    locale: string;
    lang: string;
    dir: "ltr" | "rtl";
    has: (key: string) => boolean;
    parts: (key: Key, values?: Values) => Part[];
    list: (items: readonly string[], type?: "conjunction" | "disjunction") => string;
    number: (number: number) => string;
    percent: (fraction: number) => string;
    badge: (count: number) => string;
};
export type Key = keyof typeof en | keyof typeof import("./more-en.js").more;
export type Entry = string | {
    zero?: string | undefined;
    one?: string | undefined;
    two?: string | undefined;
    few?: string | undefined;
    many?: string | undefined;
    other?: string | undefined;
};
export type Table = Record<Key, Entry>;
/**
 * strings come from people and are isolated; numbers are formatted
 */
export type Values = Record<string, string | number>;
export type Part = {
    kind: "text";
    text: string;
} | {
    kind: "value";
    name: string;
    text: string;
};
import { en } from "./texts-en.js";
export { lineText, typingText } from "./lines.js";
export { callText, contentText, noticeText, previewText, recalledText } from "./messages.js";
