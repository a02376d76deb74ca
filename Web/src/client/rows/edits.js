import { isMessage } from "../channels.js";
import { purgedRow } from "./purges.js";
import { reactedRow } from "./reactions.js";
import { recalledRow, withoutSnapshot } from "./recalls.js";

/** @typedef {import("../types.js").Row} Row */

/** @typedef {import("../types.js").PurgeRow} PurgeRow */
/** @typedef {import("../types.js").RecallRow | import("../types.js").ReactionRow | PurgeRow} EditRow */

/**
 * What a recall, a reaction or a purge changes in other rows of its log.
 * @param {EditRow} event
 * @param {string} me
 * @returns {(row: Row) => Row | null} the same row if it does not change it; null if the row is gone
 */
export function editOf(event, me) {
  if (event.event === "channel.purged") {
    const { upTo } = event.body;
    return (row) => purgedRow(row, upTo);
  }
  if (event.event !== "message.recalled") {
    return (row) => (row.seq === event.body.seq && isMessage(row) ? reactedRow(row, event, me) : row);
  }
  const seqs = new Set(event.body.messages.map(({ seq }) => seq));
  return (row) => {
    if (!isMessage(row)) return row;
    const { replyTo } = row.body;
    if (seqs.has(row.seq)) return event.body.isSilent ? null : recalledRow(row, event);
    return replyTo && seqs.has(replyTo.seq) && !replyTo.isRecalled ? withoutSnapshot(row) : row;
  };
}

/**
 * Rows after what has come since they were read.
 * @param {Row[]} rows
 * @param {Row[]} later rows of their log, ascending
 * @param {string} me
 */
export function replayed(rows, later, me) {
  for (const event of later) {
    if (!isEdit(event)) continue;
    const edit = editOf(event, me);
    rows = rows.flatMap((row) => edit(row) ?? []);
  }
  return rows;
}

/**
 * @param {Row} row
 * @returns {row is EditRow}
 */
export const isEdit = (row) => /^(message\.recalled|channel\.purged|reaction)/.test(row.event);
