/** @typedef {import("../types.js").MessageRow} MessageRow */
/** @typedef {import("../types.js").Channel} Channel */

/**
 * @param {Channel} channel is changed
 * @param {import("../types.js").RecallRow} row
 * @param {string} me
 * @returns {boolean} whether the channel has to be read again
 */
export function recallMessages(channel, row, me) {
  let isUnclear = false;
  const last = channel.lastMessage;
  for (const { seq, senderID, wasCounted } of row.body.messages) {
    // The user may have deleted it before, and it may have named the user.
    if (wasCounted && seq > (channel.readSeq ?? 0) && senderID !== me) isUnclear = true;
    if (!last) continue;
    if (seq === last.body.replyTo?.seq) channel.lastMessage = withoutSnapshot(last);
    if (seq !== last.seq) continue;
    if (row.body.isSilent) isUnclear = true;
    else channel.lastMessage = recalledRow(last, row);
  }
  return isUnclear;
}

/** The fields of a message that a recall leaves. */
const shellFields = ["messageID", "type", "attributes", "senderName", "senderImageURL", "count"];

/**
 * A row after its message was recalled.
 * @param {MessageRow} row
 * @param {import("../types.js").RecallRow} event
 * @returns {MessageRow}
 */
export function recalledRow(row, event) {
  const { isSilent, byName, byRole } = event.body;
  const kept = /** @type {MessageRow["body"]} */ (
    Object.fromEntries(Object.entries(row.body).filter(([name]) => shellFields.includes(name))));
  const recall = { isSilent, at: event.sentAt, byUserID: event.senderID, byName, ...(byRole && { byRole }) };
  return { ...row, body: { ...kept, text: "", recall } };
}

/**
 * A row after a message that it answers was recalled.
 * @param {MessageRow} row
 * @returns {MessageRow}
 */
export function withoutSnapshot(row) {
  if (!row.body.replyTo) return row;
  const { messageID, seq, senderID, senderName, type, sentAt } = row.body.replyTo;
  const replyTo = { messageID, seq, senderID, senderName, type, sentAt, text: "", isRecalled: true };
  return { ...row, body: { ...row.body, replyTo } };
}
