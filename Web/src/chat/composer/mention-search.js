import { movedMentions } from "./composer-mentions.js";

/**
 * Finds mentions in a text that is being typed: pure rules. Positions are in UTF-16 units, as on the wire.
 *
 * @typedef {import("../../client/types.js").Mention} Mention
 * @typedef {{userID: string, name: string}} Person
 * @typedef {{prefix: string, start: number, end: number}} MentionQuery the text after the `@`, the position of the
 *   `@`, and that of the cursor
 */

/** An e-mail address is no mention: no letter or digit of Latin script is before the `@`. */
const beginsName = (/** @type {string} */ text, /** @type {number} */ at) =>
  text[at] === "@" && !/[\p{Script=Latin}\d]/u.test(text[at - 1] ?? "");

/**
 * What is being typed after an `@` before the cursor, in the same line; null if that is nothing. Names may have spaces.
 *
 * @param {string} text
 * @param {number} cursor
 * @returns {MentionQuery | null}
 */
export function mentionQuery(text, cursor) {
  const start = cursor ? text.lastIndexOf("@", cursor - 1) : -1;
  if (start < 0 || cursor - start > 200 || !beginsName(text, start)) return null;
  const prefix = text.slice(start + 1, cursor);
  return /^\s|\n/.test(prefix) ? null : { prefix, start, end: cursor };
}

/**
 * What is being typed after a `:` before the cursor: the beginning of an emoji's name, of two letters or more, or of
 * one in scripts that need no more.
 *
 * @param {string} text
 * @param {number} cursor
 * @returns {MentionQuery | null}
 */
export function emojiQuery(text, cursor) {
  const typed = text.slice(Math.max(0, cursor - 60), cursor);
  const found = /(?:^|[^\p{L}\p{N}:/]):((?:\+|-(?=\d))?[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*)$/u.exec(typed);
  const prefix = found?.[1] ?? "";
  const isEnough = prefix.length > 1 || /[\p{Script=Han}\p{Script=Hangul}]/u.test(prefix);
  return isEnough ? { prefix, start: cursor - prefix.length - 1, end: cursor } : null;
}

/**
 * The name of an emoji that was written out, between two colons of which the last one is before the cursor.
 *
 * @param {string} text
 * @param {number} cursor
 * @returns {MentionQuery | null}
 */
export function emojiName(text, cursor) {
  const query = text[cursor - 1] === ":" ? emojiQuery(text, cursor - 1) : null;
  return query && { ...query, end: cursor };
}

/**
 * Puts an emoji in the place of what was typed.
 *
 * @param {MentionQuery} query
 * @param {string} emoji
 * @param {string} text
 * @param {Mention[]} mentions
 * @returns {{text: string, mentions: Mention[], cursor: number}}
 */
export function completeEmoji(query, emoji, text, mentions) {
  const completed = text.slice(0, query.start) + emoji + text.slice(query.end);
  return { text: completed, mentions: movedMentions(mentions, text, completed), cursor: query.start + emoji.length };
}

/**
 * Replaces the typed beginning by a name.
 *
 * @param {MentionQuery} query
 * @param {Person} member
 * @param {string} text
 * @param {Mention[]} mentions those that the text has already
 * @returns {{text: string, mentions: Mention[], cursor: number}}
 */
export function completeMention(query, member, text, mentions) {
  const name = `@${member.name}`;
  const rest = text.slice(query.end);
  const completed = text.slice(0, query.start) + name + (/^\s/.test(rest) ? "" : " ") + rest;
  const kept = movedMentions(mentions, text, completed);
  kept.push({ userID: member.userID, start: query.start, length: name.length });
  return { text: completed, mentions: sorted(kept), cursor: query.start + name.length + 1 };
}

/**
 * The mentions of a text with those that were written out in full: an `@` and the name or id of one person, and no
 * letter or digit behind it. Of names that begin alike the longest counts.
 *
 * @param {string} text
 * @param {Mention[]} mentions those that were chosen
 * @param {Person[]} people
 * @param {number} most
 */
export function withWritten(text, mentions, people, most) {
  const found = [...mentions];
  const lower = text.toLowerCase();
  // Most names occur nowhere: in a large group the others would be compared at each `@`.
  const names = people.flatMap(({ userID, name }) => /** @type {[string, string, boolean][]} */ (
    [[userID, userID, true], [userID, name, false]]))
    .filter(([, name]) => name && lower.includes(`@${name.toLowerCase()}`));
  for (let at = text.indexOf("@"); at >= 0 && found.length < most; at = text.indexOf("@", at + 1)) {
    const isTaken = found.some(({ start = -1, length = 0 }) => start <= at && at < start + length);
    if (isTaken || !beginsName(text, at)) continue;
    /** @type {Map<number, Set<string>>} */
    const fits = new Map();
    for (const [userID, name, isID] of names) {
      const end = at + 1 + name.length;
      const written = text.slice(at + 1, end);
      const isSame = written === name || (!isID && written.toLowerCase() === name.toLowerCase());
      if (!isSame || /^[._@-]?[\p{L}\p{M}\p{N}]/u.test(text.slice(end, end + 3))) continue;
      fits.set(name.length, (fits.get(name.length) ?? new Set()).add(userID));
    }
    const longest = Math.max(...fits.keys());
    const [userID, another] = fits.get(longest) ?? [];
    const isFree = found.every(({ start = -1 }) => start < at || start > at + longest);
    if (userID && !another && isFree) found.push({ userID, start: at, length: longest + 1 });
  }
  return sorted(found).slice(0, most);
}

/** @param {Mention[]} mentions */
const sorted = (mentions) => mentions.sort((left, right) => (left.start ?? 0) - (right.start ?? 0));
