import { groups as data } from "../../texts/emoji-data.js";
import { keep, kept } from "../../ui/kept.js";

/**
 * @typedef {{emoji: string, name: string, words: string[][], hasTone: boolean}} Emoji `words` are those of the name and
 *   the others to find it by, folded, in English and in the language of the page
 * @typedef {{key: import("../../texts/texts.js").Key, icon: string, emoji: Emoji[]}} Group
 * @typedef {{groups: Group[], all: Emoji[], hasNames: boolean, find: (text: string) => Emoji[],
 *   exact: (text: string) => Emoji | undefined}} Collection
 */

const toneKey = "roost-emoji-tone";
const handshake = "🤝";
const joiner = "\u200d";
/** The skin tones, from none to dark. */
export const tones = ["", "🏻", "🏼", "🏽", "🏾", "🏿"];

/** @type {Record<keyof typeof data, {key: import("../../texts/texts.js").Key, icon: string}>} */
const about = {
  smileys: { key: "emoji.smileys", icon: "😀" },
  people: { key: "emoji.people", icon: "👋" },
  nature: { key: "emoji.nature", icon: "🌿" },
  food: { key: "emoji.food", icon: "☕" },
  travel: { key: "emoji.travel", icon: "✈️" },
  activities: { key: "emoji.activities", icon: "⚽" },
  objects: { key: "emoji.objects", icon: "💡" },
  symbols: { key: "emoji.symbols", icon: "❤️" },
  flags: { key: "emoji.flags", icon: "🏁" },
};

/** @type {Record<string, () => Promise<{names: string}>>} */
const loaders = {
  en: () => import("../../texts/emoji-names-en.js"),
  de: () => import("../../texts/emoji-names-de.js"),
  "zh-Hant": () => import("../../texts/emoji-names-zh-hant.js"),
  ko: () => import("../../texts/emoji-names-ko.js"),
  ar: () => import("../../texts/emoji-names-ar.js"),
};

/** @param {string} text */
const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

/** @param {string} text */
const wordsOf = (text) => fold(text).split(/[\s_-]+/).filter(Boolean);

/** @type {Map<string, Collection>} */
const collections = new Map();

/**
 * Loads the emoji with their names in a language and in English. Without a connection they may have no names.
 *
 * @param {string} language of `Texts`
 * @returns {Promise<Collection>}
 */
export async function loadEmoji(language) {
  const known = collections.get(language);
  if (known) return known;
  /** @param {string} code */
  const read = async (code) => (await loaders[code]()).names.split(/[|\n]/).filter(Boolean);
  const isOther = language !== "en" && Object.hasOwn(loaders, language);
  const [english, own] = await Promise.all([read("en"), isOther ? read(language) : []]).catch(() => [[], []]);
  const collection = collect(english, own);
  if (collection.hasNames) collections.set(language, collection);
  return collection;
}

/**
 * The names of an emoji in one language, as they are compared.
 * @typedef {{name: string, inName: string[], more: string[]}} Folded
 */

/**
 * @param {string[]} english
 * @param {string[]} own
 * @returns {Collection}
 */
function collect(english, own) {
  let index = -1;
  const isDrawn = drawn();
  const names = /** @type {(keyof typeof data)[]} */ (Object.keys(data));
  const groups = names.map((group) => ({
    ...about[group],
    emoji: data[group].trim().split(/\s/).map((marked) => {
      index += 1;
      const emoji = marked.replace("+", "");
      const entries = [own[index], english[index]].filter(Boolean).map((entry) => entry.split("~"));
      const [name = emoji] = entries[0] ?? [];
      return { emoji, name, words: entries.map(([title, more = ""]) => [title, more]), hasTone: emoji !== marked };
    }).filter(({ emoji }) => isDrawn(emoji)),
  }));
  const all = groups.flatMap(({ emoji }) => emoji);
  /** @type {Map<Emoji, Folded[]>} */
  const folded = new Map();
  /** @param {Emoji} each */
  const foldedOf = (each) => {
    let found = folded.get(each);
    if (!found) {
      found = each.words.map(([title, more]) => (
        { name: wordsOf(title).join(" "), inName: wordsOf(title), more: fold(more).split(" ").filter(Boolean) }));
      folded.set(each, found);
    }
    return found;
  };
  return {
    groups, all, hasNames: english.length > 0,
    find(text) {
      const wanted = wordsOf(text);
      if (!wanted.length) return [];
      return all.map((each, at) => ({ each, at, rank: rank(foldedOf(each), wanted) })).filter((found) => found.rank < 9)
        .sort((one, other) => one.rank - other.rank || one.at - other.at).map(({ each }) => each);
    },
    exact(text) {
      const wanted = wordsOf(text);
      const isWhole = (/** @type {Emoji} */ each) => foldedOf(each).some(({ inName, more }) =>
        wanted.every((word) => inName.includes(word) || more.includes(word)));
      return this.find(text).find(isWhole);
    },
  };
}

/**
 * The lower, the better; 9 is none.
 *
 * @param {Folded[]} names
 * @param {string[]} wanted
 */
const rank = (names, wanted) => Math.min(...names.map(({ name, inName, more }) => {
  const text = wanted.join(" ");
  /** @param {string[]} words */
  const begin = (words) => wanted.every((word) => words.some((known) => known.startsWith(word)));
  if (name === text) return 0;
  if (inName.includes(text) || more.includes(text)) return 1;
  if (name.startsWith(text)) return 2;
  if (begin(inName)) return 3;
  if (begin([...inName, ...more])) return 4;
  // Words of some languages are written together.
  return text.length > 2 && `${name} ${more.join(" ")}`.includes(text) ? 5 : 9;
}), 9);

/** Says which emoji the fonts of this device draw as one sign, as far as the width tells it. */
function drawn() {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return () => true;
  pen.font = "20px sans-serif";
  const one = pen.measureText("😀").width;
  return (/** @type {string} */ emoji) => [...emoji].length < 2 || pen.measureText(emoji).width < one * 1.5;
}

/**
 * An emoji in a skin tone.
 *
 * @param {Emoji} emoji
 * @param {string} [tone] the one that the user has chosen last if absent
 */
export function toned({ emoji, hasTone }, tone = keptTone()) {
  if (!hasTone || !tone) return emoji;
  return emoji.split(joiner).map((part, index) => {
    const [letter] = part;
    return /^\p{Emoji_Modifier_Base}/u.test(part) && !(index && letter === handshake) ? letter + tone : part;
  }).join(joiner);
}

/** The emoji without a skin tone, and without what only says that it is an emoji. */
export const plain = (/** @type {string} */ emoji) => emoji.replace(/[🏻-🏿\ufe0f]/gu, "");

/** The skin tone that the user has chosen last. */
export function keptTone() {
  const tone = kept(toneKey) ?? "";
  return tones.includes(tone) ? tone : "";
}

/** @param {string} tone */
export const keepTone = (tone) => keep(toneKey, tone);
