import { isEmojiOnly } from "./emoji-only.js";

/**
 * @typedef {{kind: "text", text: string}} TextPart
 * @typedef {{kind: "emoji", text: string}} EmojiPart the whole text, if it is one to three emoji and nothing else
 * @typedef {{kind: "link", text: string, href: string, host?: string}} LinkPart `host` is the real host, to show behind
 *   the link; present only if the text of the link does not show it
 * @typedef {{kind: "mention", text: string, userID: string}} MentionPart
 * @typedef {TextPart | EmojiPart | LinkPart | MentionPart} TextSegment
 * @typedef {{userID: string, start?: number, length?: number}} Mention
 */

/** The longest address that becomes a link, in UTF-16 units. */
const longestURL = 2048;

/** What no address may contain: white space, control and format characters, a backslash, half of a pair. */
const unsafe = /[\s\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What ends an address in a text, besides white space: quotes, brackets and punctuation of East Asia. */
const ends = String.raw`\s<>"“”„«»\x60{}|^\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}、。，！？；：）（」「』『】【》《…`;

const starts = String.raw`(?<![A-Za-z0-9_.@+-])(?:https?:\/\/|mailto:|tel:|www\.(?=[^\s.]))`;

/** What ends no address inside of a path: bars, and the joiners of many scripts, which a host may not have. */
const inside = String.raw`\|(?!https?:|www\.)(?=[^${ends}])|[\u200c\u200d](?=[\p{L}\p{M}\p{N}\p{So}])`;

const candidates = new RegExp(`${starts}[^${ends}/?#]*(?:[/?#](?:[^${ends}]|${inside})*)?`, "giu");

const name = String.raw`[a-z0-9_%+-]{1,64}(?:\.[a-z0-9_%+-]{1,64}){0,4}`;

const domain = String.raw`(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}`;

/** All repetitions are bounded, so that no text takes long. */
const email = new RegExp(String.raw`(?<![\p{L}\p{N}_.%+-])${name}@${domain}(?![\p{L}\p{N}_@-])`, "giu");

/**
 * Checks an address for the `href` of a link.
 *
 * @param {unknown} address
 * @returns {string | null} the address in its normal form; null unless it is `http:`, `https:` with a host, `mailto:`
 *   with one address, or `tel:` with a number, at most 2,048 UTF-16 units and without white space, control and
 *   invisible characters
 */
export function safeURL(address) {
  return parse(address)?.href ?? null;
}

/**
 * @param {unknown} address
 * @returns {URL | null}
 */
function parse(address) {
  if (typeof address !== "string" || address.length > longestURL) return null;
  const [, host = address, path = ""] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(address) ?? [];
  if (unsafe.test(host + path.replace(/[\u200c\u200d]/g, ""))) return null;
  const scheme = /^(https?:\/\/(?=[^/?#])|mailto:|tel:)/i.exec(address)?.[1].toLowerCase();
  if (!scheme) return null;
  let url;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (scheme === "mailto:") {
    const names = [...url.searchParams.keys()];
    const isPlain = /^[^@,;:"<>()[\]/?%]{1,64}@[a-z0-9.-]{1,253}$/i.test(url.pathname);
    return isPlain && !url.hash && names.every((name) => /^(subject|body|cc)$/i.test(name)) ? url : null;
  }
  if (scheme === "tel:") return /^tel:\+?[0-9][0-9().-]{1,30}$/i.test(address) ? url : null;
  return /^https?:$/.test(url.protocol) && url.hostname && !/^[.-]/.test(url.hostname) ? url : null;
}

/**
 * Divides the text of a message into text, mentions and links, in order; together they are the whole text. Time and
 * memory grow with the length of the text only.
 *
 * @param {string} text
 * @param {readonly Mention[] | null} [mentions] ranges in UTF-16 units; a range that is not in the text, cuts a
 *   character or overlaps an earlier one is ignored
 * @returns {TextSegment[]} empty for an empty text
 */
export function splitText(text, mentions) {
  if (!text) return [];
  if (isEmojiOnly(text)) return [{ kind: "emoji", text }];
  /** @type {TextSegment[]} */
  const parts = [];
  let end = 0;
  for (const { userID, start, length } of ranges(text, mentions)) {
    addLinks(parts, text.slice(end, start));
    end = start + length;
    parts.push({ kind: "mention", text: text.slice(start, end), userID });
  }
  addLinks(parts, text.slice(end));
  return parts;
}

/**
 * @param {string} text
 * @param {readonly Mention[] | null} [mentions]
 */
function ranges(text, mentions) {
  /** @type {{userID: string, start: number, length: number}[]} */
  const good = [];
  const sorted = (Array.isArray(mentions) ? [...mentions] : [])
    .filter((mention) => Number.isInteger(mention?.start) && Number.isInteger(mention?.length))
    .sort((one, other) => one.start - other.start);
  let end = 0;
  for (const { userID, start, length } of sorted) {
    const isInside = start >= end && length > 0 && start + length <= text.length;
    if (typeof userID !== "string" || !isInside || cuts(text, start) || cuts(text, start + length)) continue;
    good.push({ userID, start, length });
    end = start + length;
  }
  return good;
}

/**
 * Whether a place in a text is inside of a surrogate pair.
 *
 * @param {string} text
 * @param {number} at
 */
const cuts = (text, at) => /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");

/**
 * @param {TextSegment[]} parts
 * @param {string} text a text without mentions
 */
function addLinks(parts, text) {
  let end = 0;
  for (const { index = 0, 0: found } of text.matchAll(candidates)) {
    const address = withoutEnd(found);
    const link = found.length <= longestURL ? makeLink(address) : null;
    if (!link) continue;
    addEmails(parts, text.slice(end, index));
    parts.push(link);
    end = index + address.length;
  }
  addEmails(parts, text.slice(end));
}

/**
 * @param {TextSegment[]} parts
 * @param {string} text a text without mentions and other links
 */
function addEmails(parts, text) {
  let end = 0;
  if (text.includes("@")) {
    for (const { index = 0, 0: address } of text.matchAll(email)) {
      const href = safeURL(`mailto:${address}`);
      if (!href) continue;
      addText(parts, text.slice(end, index));
      parts.push({ kind: "link", text: address, href });
      end = index + address.length;
    }
  }
  addText(parts, text.slice(end));
}

/**
 * @param {TextSegment[]} parts
 * @param {string} text
 */
function addText(parts, text) {
  const last = parts.at(-1);
  if (last?.kind === "text") last.text += text;
  else if (text) parts.push({ kind: "text", text });
}

/**
 * Leaves out what belongs to the sentence: punctuation at the end, and closing brackets that were not opened inside.
 *
 * @param {string} address
 */
function withoutEnd(address) {
  let open = 0;
  for (const character of address) {
    if (character === "(" || character === "[") open += 1;
    if (character === ")" || character === "]") open -= 1;
  }
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1];
    const closes = last === ")" || last === "]";
    if (closes && open < 0) open += 1;
    else if (!/[.,:;!?'’([]/.test(last)) break;
    else if (last === "(" || last === "[") open -= 1;
  }
  return address.slice(0, end);
}

/**
 * @param {string} text
 * @returns {LinkPart | null}
 */
function makeLink(text) {
  const isBare = /^www\./i.test(text);
  const url = parse(isBare ? `https://${text}` : text);
  if (!url) return null;
  /** @type {LinkPart} */
  const link = { kind: "link", text, href: url.href };
  if (!/^https?:$/.test(url.protocol)) return link;
  const shown = (isBare ? text : text.slice(text.indexOf("//") + 2)).split(/[/?#]/)[0].toLowerCase();
  const port = url.protocol === "https:" ? ":443" : ":80";
  const isPlain = shown === url.host || shown === url.host + port;
  if (!isPlain || /(?:^|\.)xn--/.test(url.hostname)) link.host = url.host;
  return link;
}
