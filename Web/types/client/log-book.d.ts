/**
 * The position in one log, and the rows that arrived before their turn.
 *
 * The rule of the protocol: a row up to the position is known and dropped, the next one is taken, a later one is held
 * until what is missing has come.
 */
export class LogPosition {
    /** @param {number | null} seq the newest row with nothing missing before it; null while unknown */
    constructor(seq?: number | null);
    seq: number | null;
    /** The newest row that is known to exist. */
    head: number;
    /** How many rows are held. */
    get heldCount(): number;
    /** Whether rows are missing. */
    get hasGap(): boolean;
    /**
     * Takes a row.
     * @param {number} number
     * @param {Row} event
     * @returns {Row[]} the rows that are in order now
     */
    take(number: number, event: Row): Row[];
    /**
     * Moves the position up to a row, because nothing before that is missing, and on over what is held. The first
     * position is before the first held row if that is lower, so that no row is lost.
     * @param {number} number
     * @returns {Row[]} the held rows that are in order now; those up to the row are dropped
     */
    advance(number: number): Row[];
    /**
     * Continues at a row that `resume` has given: what is before it does not exist for this user.
     * @param {number} number
     */
    skipTo(number: number): void;
    #private;
}
/** The positions in all logs of one user. */
export class LogBook {
    /** @type {string | null} */
    epoch: string | null;
    user: LogPosition;
    /** @type {Map<string, LogPosition>} */
    channels: Map<string, LogPosition>;
    /**
     * The open channels that this connection takes part in.
     * @type {Set<string>}
     */
    open: Set<string>;
    /**
     * Takes what the store holds.
     * @param {import("./cache.js").Stored} stored
     */
    restore({ meta, channels }: import("./cache.js").Stored): void;
    /**
     * The log of a channel, which is made if there is none.
     * @param {string} channel
     */
    log(channel: string): LogPosition;
    /**
     * @param {string} channel
     * @returns {number | null} null while the position is not known
     */
    seq(channel: string): number | null;
    /** The positions in channels that are known. */
    get positions(): {
        channel: string;
        seq: number;
    }[];
    /**
     * Sets the server's epoch: positions of another one are invalid.
     * @param {string} epoch
     * @returns {boolean} whether there were positions of another one
     */
    enter(epoch: string): boolean;
    /** @param {string} channel */
    forget(channel: string): void;
    /** Forgets logs whose position nobody has told: rows of a channel that this user does not have. */
    forgetUnknown(): void;
    /**
     * The channels whose logs have gaps.
     * @returns {string[] | null} null if no log has one; empty if only the user's log has one, or an unknown one rows
     */
    get gaps(): string[] | null;
    /**
     * The channels that are behind the newest rows of their logs.
     * @param {{userSeq: number, channels: {channel: string, seq: number}[]}} heads
     * @returns {string[] | null} null if no log is behind
     */
    behind({ userSeq, channels }: {
        userSeq: number;
        channels: {
            channel: string;
            seq: number;
        }[];
    }): string[] | null;
}
export type Row = import("./types.js").Row | import("./types.js").OwnRow;
