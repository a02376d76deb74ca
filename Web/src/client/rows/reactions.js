/** @typedef {import("../types.js").MessageRow} MessageRow */

/** @param {string} emoji which may be spelled with or without the selector that shows it as a picture */
export const plainEmoji = (emoji) => emoji.replaceAll("\ufe0f", "");

/**
 * A row after a `reaction.added` or `reaction.removed`; the same row if it includes that already.
 * @param {MessageRow} row
 * @param {import("../types.js").ReactionRow} event
 * @param {string} me
 * @returns {MessageRow}
 */
export function reactedRow(row, event, me) {
  const reactions = row.body.reactions ?? { head: row.seq, kinds: [] };
  const head = event.seq;
  if (head <= reactions.head || row.body.recall) return row;
  const { emoji, count } = event.body;
  const isAdded = event.event === "reaction.added";
  /** @type {import("../types.js").Reaction[]} */
  let kinds = reactions.kinds;
  const index = kinds.findIndex((kind) => plainEmoji(kind.emoji) === plainEmoji(emoji));
  if (count === 0) {
    kinds = kinds.filter((_, place) => place !== index);
  } else {
    const old = kinds[index] ?? { emoji, isMine: false };
    const kind = { ...old, count, isMine: event.senderID === me ? isAdded : old.isMine };
    kinds = index < 0 ? [...kinds, kind] : kinds.map((each, place) => (place === index ? kind : each));
  }
  return { ...row, body: { ...row.body, reactions: { head, kinds } } };
}

