/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").VoteState} VoteState */

/**
 * The state of a vote after a row of its channel; the same object if nothing changed.
 * @param {VoteState} vote
 * @param {Row} row
 * @param {string} me
 */
export function voteAfter(vote, row, me) {
  const isClosed = row.event === "vote.closed";
  if (!isClosed && row.event !== "vote.cast") return vote;
  const { body } = row;
  const { messageID } = /** @type {import("../types.js").MessageRow} */ (vote.event).body;
  if (body.messageID !== messageID || body.revision <= vote.revision) return vote;
  return {
    ...vote,
    revision: body.revision,
    tally: body.tally,
    ...(isClosed && { phase: /** @type {const} */ ("closed"), closedAt: row.sentAt }),
    ...(row.senderID === me && "options" in body && body.options && { ownOptions: body.options }),
  };
}

/**
 * The message of a vote that has to be read: the user has voted on another device, and the row does not say how.
 * @param {Row} row
 * @param {string} me
 */
export const ballotToRead = (row, me) =>
  row.event === "vote.cast" && row.senderID === me && !row.body.options ? row.body.messageID : undefined;
