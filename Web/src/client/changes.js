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

/**
 * Rows after what has come since they were read.
 * @param {Event[]} rows
 * @param {Event[]} later rows of their log, ascending
 * @param {string} me
 */
export function replayed(rows, later, me) {
  for (const event of later) {
    if (!isEdit(event)) continue;
    const [fits, change] = editOf(event, me);
    rows = rows.flatMap((row) => (fits(row) ? change(row) ?? [] : [row]));
  }
  return rows;
}

/** @param {Event} event */
export const isEdit = ({ event }) => event === "message.recalled" || event.startsWith("reaction.");
