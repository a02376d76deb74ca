import { withoutSnapshot } from "./recalls.js";

/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").Channel} Channel */

/**
 * The server has removed rows that are older than the operator keeps.
 * @param {Channel} channel is changed
 * @param {import("../types.js").PurgeRow["body"]} body
 * @returns {boolean} whether the channel has to be read again
 */
export function purgeRows(channel, { upTo, count }) {
  const { lastMessage, readSeq } = channel;
  channel.lastMessage = lastMessage && purgedRow(lastMessage, upTo) || undefined;
  // An open channel has no marks.
  if (readSeq === undefined || upTo <= readSeq) return false;
  channel.readSeq = upTo;
  if (channel.count <= count) channel.unread = channel.mentions = 0;
  return !!channel.unread;
}

/**
 * A row after all up to one were removed: what it quotes of them is gone.
 * @template {Row} T
 * @param {T} row
 * @param {number} upTo
 * @returns {T | null} null if it is one of them
 */
export function purgedRow(row, upTo) {
  if (row.seq <= upTo) return null;
  const message = /** @type {import("../types.js").MessageRow} */ (row);
  return (message.body.replyTo?.seq ?? Infinity) > upTo ? row : /** @type {T} */ (withoutSnapshot(message));
}
