/**
 * Mentions in a text that is being typed: pure rules. Positions are in UTF-16 units, as on the wire.
 *
 * @typedef {import("../client/types.js").Mention} Mention
 * @typedef {{prefix: string, start: number, end: number}} MentionQuery the text after the `@`, the position of the
 *   `@`, and that of the cursor
 */

/**
 * The name that is being typed after an `@` before the cursor; null if there is none. The `@` is at the beginning of
 * the text or follows white space, and a name has no white space before it is completed.
 *
 * @param {string} text
 * @param {number} cursor
 * @returns {MentionQuery | null}
 */
export function mentionQuery(text, cursor) {
  const start = cursor - 1 - text.slice(Math.max(0, cursor - 201), cursor).split("").reverse().indexOf("@");
  if (start >= cursor || text[start] !== "@" || (start > 0 && !/\s/.test(text[start - 1]))) return null;
  const prefix = text.slice(start + 1, cursor);
  return /\s/.test(prefix) ? null : { prefix, start, end: cursor };
}

/**
 * Replaces the typed beginning by a name.
 *
 * @param {MentionQuery} query
 * @param {{userID: string, name: string}} member
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
  kept.sort((left, right) => (left.start ?? 0) - (right.start ?? 0));
  return { text: completed, mentions: kept, cursor: query.start + name.length + 1 };
}

/**
 * The mentions after an edit: those after it move with the text, and those that it changed are removed.
 *
 * @param {Mention[]} mentions
 * @param {string} before
 * @param {string} after
 * @returns {Mention[]}
 */
export function movedMentions(mentions, before, after) {
  if (!mentions.length) return [];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const end = before.length - tail;
  return mentions.flatMap((mention) => {
    const { start, length } = mention;
    if (start == null || length == null || start + length <= head) return [mention];
    return start >= end ? [{ ...mention, start: start + after.length - before.length }] : [];
  });
}
