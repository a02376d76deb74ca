/** @typedef {import("../../client/types.js").Mention} Mention */

/**
 * The mentions after an edit of their text: those after it move with the text, and those that it changed are removed.
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
