/**
 * The position in one log, and the rows that arrived before their turn.
 *
 * The rule of the protocol: a row up to the position is known and dropped, the next one is taken, a later one is held
 * until what is missing has come.
 */
export class Log {
    /** @param {number | null} position the newest row with nothing missing before it; null while unknown */
    constructor(position?: number | null);
    position: number | null;
    /** @type {Map<number, Row>} */
    held: Map<number, Row>;
    /** The newest row that is known to exist. */
    head: number;
    /**
     * Takes a row.
     * @param {number} number
     * @param {Row} event
     * @returns {Row[]} the rows that are in order now
     */
    take(number: number, event: Row): Row[];
    /**
     * Moves the position up to a row, if nothing before that is missing, and on over what is held.
     * @param {number} [to]
     * @returns {Row[]} the held rows that are in order now; those up to `to` are dropped
     */
    advance(to?: number | undefined): Row[];
    /**
     * The first position of the log. Starts before the first held row if that is lower, so that no row is lost.
     * @param {number} position
     * @returns {Row[]} the rows that are in order now
     */
    start(position: number): Row[];
    /**
     * Continues at a row that `resume` has given: what is before it does not exist for this user.
     * @param {number} number
     */
    skipTo(number: number): void;
    /** Whether rows are missing. */
    get hasGap(): boolean;
}
export type Row = import("./types.js").Row | import("./types.js").OwnRow;
