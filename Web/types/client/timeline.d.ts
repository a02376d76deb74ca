/**
 * The message of a row.
 * @param {MessageRow} row
 * @returns {Message}
 */
export function messageOf({ event, body, channel, seq, senderID, sentAt, transID }: MessageRow): Message;
/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").MessageRow} MessageRow */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").MessageItem} MessageItem */
/** @typedef {import("./types.js").Message} Message */
/** @typedef {import("./types.js").QueuedMessage} QueuedMessage */
/** @typedef {import("./types.js").VoteState} VoteState */
/** A message less than this after the one before, in ms, belongs to its group. */
export const groupPause: 120000;
export function shows(row: Row): boolean;
/**
 * The items of a conversation: one stretch of its log without gaps, and the sends that have no row yet.
 *
 * Rows may be added repeatedly and overlapping: the same rows give the same items. Rows are ordered by `seq`; sends
 * come after all of them. A row and a send with the same transID are one message, which keeps its key, so it does not
 * move on the screen when the server has given it its place. Items never change: a changed item is another object.
 */
export class Timeline {
    /** @param {string} me */
    constructor(me: string);
    me: string;
    /**
     * Ascending by `seq`.
     * @type {Row[]}
     */
    rows: Row[];
    /** The first and the last row of the stretch, shown or not; 0 before the first page. */
    from: number;
    to: number;
    hasBefore: boolean;
    /** Whether newer rows exist that are not in the stretch. */
    hasAfter: boolean;
    /** @type {QueuedMessage[]} */
    queue: QueuedMessage[];
    /** @type {Map<string, VoteState>} */
    votes: Map<string, VoteState>;
    /**
     * The read marks of the others; empty while they are not known.
     * @type {Map<string, number>}
     */
    marks: Map<string, number>;
    /**
     * Messages after this row are new to the user; null: no separator.
     * @type {number | null}
     */
    separator: number | null;
    /** How many messages the separator announces. */
    newCount: number;
    /** @type {Set<number>} */
    gone: Set<number>;
    floor: number;
    /**
     * Puts a page in place of everything.
     * @param {Row[]} events ascending
     * @param {{from: number, to: number, hasBefore: boolean, hasAfter: boolean}} page from its first to its last row,
     *   shown or not
     */
    replace(events: Row[], { from, to, hasBefore, hasAfter }: {
        from: number;
        to: number;
        hasBefore: boolean;
        hasAfter: boolean;
    }): void;
    /**
     * Adds the page that ends before the first row.
     * @param {Row[]} events
     * @param {{from: number, hasBefore: boolean}} page
     */
    prepend(events: Row[], { from, hasBefore }: {
        from: number;
        hasBefore: boolean;
    }): void;
    /**
     * Adds rows that follow the last row without a gap.
     * @param {Row[]} events
     * @param {{to?: number, hasAfter?: boolean}} page
     */
    append(events: Row[], { to, hasAfter }?: {
        to?: number;
        hasAfter?: boolean;
    }): void;
    /**
     * Changes rows.
     * @param {(row: Row) => Row | null} change the same row, a changed one, or null to remove it for good
     * @returns {boolean} whether anything changed
     */
    edit(change: (row: Row) => Row | null): boolean;
    /**
     * Removes everything up to a row for good.
     * @param {number} seq
     */
    clear(seq: number): void;
    /**
     * The row of a message.
     * @param {string} messageID
     */
    find(messageID: string): import("./protocol.js").Row | undefined;
    /** @param {Row} event */
    isShown(event: Row): boolean;
    /** @param {Map<string, number>} marks of the others */
    setMarks(marks: Map<string, number>): void;
    /** Forgets the items that were made; call it after votes, the queue or the separator have changed. */
    changed(): void;
    /** All items, from the oldest to the newest. The same array if nothing has changed. @returns {Item[]} */
    get items(): import("./types.js").Item[];
    #private;
}
export type Row = import("./types.js").Row;
export type MessageRow = import("./types.js").MessageRow;
export type Item = import("./types.js").Item;
export type MessageItem = import("./types.js").MessageItem;
export type Message = import("./types.js").Message;
export type QueuedMessage = import("./types.js").QueuedMessage;
export type VoteState = import("./types.js").VoteState;
