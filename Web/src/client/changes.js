import { reactedRow, recalledRow, withoutSnapshot } from "./channels.js";

/** @typedef {import("./types.js").Event} Event */

/**
 * What a recall or a reaction changes in other rows of its log.
 * @param {Event} event
 * @param {string} me
 * @returns {[(row: Event) => boolean, (row: Event) => Event | null]}
 */
export function editOf(event, me) {
  if (event.event !== "message.recalled") {
    return [(row) => row.seq === event.body.seq, (row) => reactedRow(row, event, me)];
  }
  const seqs = new Set(event.body.messages.map((/** @type {any} */ recalled) => recalled.seq));
  return [
    (row) => seqs.has(row.seq) || (seqs.has(row.body.replyTo?.seq) && !row.body.replyTo.isRecalled),
    (row) => {
      if (!seqs.has(row.seq)) return withoutSnapshot(row);
      return event.body.isSilent ? null : recalledRow(row, event);
    },
  ];
}
