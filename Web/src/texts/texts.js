import { en } from "./texts-en.js";

// All others import from here, so that these are one file of the bundle.
export { en };
export { errorText } from "./errors.js";
export { lineText, typingText } from "./lines.js";
export { splitText } from "./links.js";
export { callText, contentText, noticeText, previewText, recalledText } from "./messages.js";
export { times } from "./times.js";

/**
 * @typedef {keyof typeof en | keyof typeof import("./more-en.js").more} Key
 * @typedef {string | {[category in Intl.LDMLPluralRule]?: string}} Entry
 * @typedef {Record<Key, Entry>} Table
 * @typedef {Record<string, string | number>} Values strings come from people and are isolated; numbers are formatted
 * @typedef {{kind: "text", text: string} | {kind: "value", name: string, text: string}} Part
 */

/** The languages with a table, each with its name in itself. */
export const languages = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
  { code: "zh-Hant", name: "繁體中文" },
  { code: "ko", name: "한국어" },
  { code: "ar", name: "العربية" },
];

/** @type {Record<string, () => Promise<{table: Table}>>} */
const loaders = {
  de: () => import("./texts-de.js"),
  "zh-Hant": () => import("./texts-zh-hant.js"),
  ko: () => import("./texts-ko.js"),
  ar: () => import("./texts-ar.js"),
  "en-XA": () => import("./pseudo.js"),
};

/** @type {Record<string, Record<string, Entry>>} */
const tables = { en: { ...en } };

/** @type {Map<string, Texts>} */
const known = new Map();

/**
 * Adds English texts, also to those in use.
 *
 * @param {Record<string, Entry>} more
 */
export function addEnglish(more) {
  Object.assign(tables.en, more);
}

/**
 * Chooses from a list of wished locales: the first one that has a table, otherwise English. Every Chinese locale gets
 * Traditional Chinese; `en-XA` is English with accents, brackets and 40 % more length, for finding layout faults.
 *
 * @param {string | readonly string[] | null} [locales] BCP 47 tags, the best one first; those of the browser if absent
 * @returns {{language: string, locale: string}} `language` names the table, `locale` is for dates and numbers
 */
export function chooseLocale(locales) {
  const wished = locales ?? globalThis.navigator?.languages ?? [];
  for (const tag of typeof wished === "string" ? [wished] : wished) {
    const [primary, ...rest] = String(tag).toLowerCase().split(/[-_]/);
    if (primary === "en" && rest[0] === "xa") return { language: "en-XA", locale: "en" };
    const language = primary === "zh" ? "zh-Hant" : primary;
    if (!languages.some(({ code }) => code === language)) continue;
    const isTraditional = primary !== "zh" || (/^(hant|tw|hk|mo)$/.test(rest[0] ?? "") && !rest.includes("hans"));
    return { language, locale: (isTraditional && canonical(tag)) || language };
  }
  return { language: "en", locale: "en" };
}

/** @param {string} tag */
function canonical(tag) {
  try {
    return new Intl.Locale(tag.replaceAll("_", "-")).toString();
  } catch {
    return null;
  }
}

/**
 * The texts of a language whose table is loaded: English is, the others after `loadTexts`. Until then it gives English.
 * The result is cached: the same locale gives the same object.
 *
 * @param {string | readonly string[] | null} [locales] as for `chooseLocale`
 * @returns {Texts}
 */
export function texts(locales) {
  let { language, locale } = chooseLocale(locales);
  if (!tables[language]) language = locale = "en";
  const key = `${language} ${locale}`;
  let result = known.get(key);
  if (!result) known.set(key, (result = make(language, locale, tables[language])));
  return result;
}

/**
 * Loads the table of the best language and gives its texts. Gives English if the table cannot be loaded, for example
 * offline.
 *
 * @param {string | readonly string[] | null} [locales] as for `chooseLocale`
 * @returns {Promise<Texts>}
 */
export async function loadTexts(locales) {
  const { language } = chooseLocale(locales);
  if (!tables[language] && loaders[language]) {
    try {
      tables[language] = (await loaders[language]()).table;
    } catch {
      return texts("en");
    }
  }
  return texts(locales);
}

/**
 * A function from a key to its text in one language, with properties of that language.
 *
 * @typedef {((key: Key, values?: Values) => string) & {
 *   language: string,
 *   locale: string,
 *   lang: string,
 *   dir: "ltr" | "rtl",
 *   has: (key: string) => boolean,
 *   parts: (key: Key, values?: Values) => Part[],
 *   list: (items: readonly string[], type?: "conjunction" | "disjunction") => string,
 *   number: (number: number) => string,
 *   percent: (fraction: number) => string,
 *   badge: (count: number) => string,
 * }} Texts `lang` is for the attribute of the page; `parts` gives the values apart from the text, in order, for
 *   elements such as `<bdi>`; `percent` takes 0…1; `badge` is empty for 0 and at most 99+
 */

/**
 * @param {string} language
 * @param {string} locale
 * @param {Record<string, Entry>} table
 * @returns {Texts}
 */
function make(language, locale, table) {
  /** @type {"ltr" | "rtl"} */
  const dir = language === "ar" ? "rtl" : "ltr";
  const plural = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: "percent" });
  const lists = {
    conjunction: new Intl.ListFormat(locale, { type: "conjunction" }),
    disjunction: new Intl.ListFormat(locale, { type: "disjunction" }),
  };

  /** @param {string | number} value */
  const shown = (value) => (typeof value === "number" ? numbers.format(value) : isolate(value, dir));

  /**
   * @param {Key} key
   * @param {Values} [values]
   */
  const pattern = (key, values) => {
    const entry = Object.hasOwn(table, key) ? table[key] : key;
    if (typeof entry === "string") return entry;
    return entry[plural.select(Number(values?.count ?? 0))] ?? entry.other ?? key;
  };

  /**
   * @param {Key} key
   * @param {Values} [values]
   */
  const t = (key, values = {}) =>
    pattern(key, values).replace(/\{(\w+)\}/g, (whole, name) =>
      Object.hasOwn(values, name) ? shown(values[name]) : whole,
    );

  return Object.assign(t, {
    language,
    locale,
    lang: language === "en-XA" ? "en" : language,
    dir,
    parts: (/** @type {Key} */ key, /** @type {Values} */ values = {}) => partsOf(pattern(key, values), values, shown),
    has: (/** @type {string} */ key) => Object.hasOwn(table, key),
    list: (/** @type {readonly string[]} */ items, /** @type {"conjunction" | "disjunction"} */ type = "conjunction") =>
      lists[type].format(items.map((item) => isolate(item, dir))),
    number: (/** @type {number} */ number) => numbers.format(number),
    percent: (/** @type {number} */ fraction) => percents.format(fraction),
    badge: (/** @type {number} */ count) =>
      count > 99 ? t("count.tooMany", { number: 99 }) : count > 0 ? numbers.format(count) : "",
  });
}

/**
 * @param {string} pattern
 * @param {Values} values
 * @param {(value: string | number) => string} shown
 */
function partsOf(pattern, values, shown) {
  /** @type {Part[]} */
  const result = [];
  for (const [index, text] of pattern.split(/\{(\w+)\}/).entries()) {
    if (index % 2 && Object.hasOwn(values, text)) {
      result.push({ kind: "value", name: text, text: shown(values[text]) });
    } else if (text) {
      result.push({ kind: "text", text: index % 2 ? `{${text}}` : text });
    }
  }
  return result;
}

const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Makes a text from somebody safe inside of a sentence: on one line, without a bidirectional control that reaches out
 * of it, and between U+2068 and U+2069 if its direction could change the order of the sentence.
 *
 * @param {string} text
 * @param {"ltr" | "rtl"} [dir] the direction of the sentence
 * @returns {string}
 */
export function isolate(text, dir = "ltr") {
  const line = balanced(String(text).replace(controls, " "));
  return line && (dir === "rtl" || rightToLeft.test(line)) ? `\u2068${line}\u2069` : line;
}

/**
 * Removes all bidirectional controls but pairs of U+2068 and U+2069.
 *
 * @param {string} text
 */
function balanced(text) {
  if (!bidiControls.test(text)) return text;
  let depth = 0;
  let result = "";
  for (const character of text) {
    if (character === "\u2068") depth += 1;
    else if (character === "\u2069" ? depth-- <= 0 : bidiControls.test(character)) {
      depth = Math.max(depth, 0);
      continue;
    }
    result += character;
  }
  return result + "\u2069".repeat(depth);
}
