/** @typedef {import("../types.js").MessageRow} MessageRow */
/** @typedef {import("../types.js").Channel} Channel */

/** The types of messages that do not become the last message of a channel. */
const neverLast = /^(customQuiet|vote(?!Text).*|call.*|.*News)$/;

/**
 * Whether a message can be the last message of a channel.
 * @param {MessageRow} row
 */
function isLast({ event, body }) {
  if (event === "message.announced") return true;
  if (body.recall?.isSilent) return false;
  return body.type === "custom" ? ((body.attributes ?? 0) & 32) !== 0 : !neverLast.test(body.type);
}

/**
 * @param {Channel} channel is changed
 * @param {MessageRow} row
 * @param {string} me
 */
export function addMessage(channel, row, me) {
  const { body, seq } = row;
  if (isLast(row)) channel.lastMessage = row;
  // It may be from before the user has hidden the channel: the rows of two logs have no order.
  if (seq > (channel.hiddenTo ?? 0) && (isLast(row) || channel.kind.endsWith("News"))) channel.isHidden = false;
  if (!(body.count > channel.count)) return;
  channel.count = body.count;
  // An open channel has no marks.
  if (channel.kind === "open") return;
  if (row.senderID === me) {
    if (!channel.unread) channel.readSeq = seq;
  } else if (!body.recall) {
    channel.unread = (channel.unread ?? 0) + 1;
    if (body.mentions?.some(({ userID }) => userID === me)) channel.mentions = (channel.mentions ?? 0) + 1;
  }
}

/**
 * The user has deleted messages for themselves.
 * @param {import("./apply-row.js").Known} known
 * @param {import("../protocol.js").OwnRowBodies["message.deleted"]} body
 * @returns {import("./apply-row.js").Changes}
 */
export function messagesDeleted({ channels }, { channel: id, messages, unread }) {
  const seqs = messages.map(({ seq }) => seq);
  const channel = channels.get(id);
  const last = channel?.lastMessage;
  const isUnclear = !channel || channel.mentions || (last && seqs.includes(last.seq));
  return {
    channels: channel && [{ ...channel, unread }],
    wanted: isUnclear ? [id] : [],
    deleted: { channel: id, seqs },
  };
}
