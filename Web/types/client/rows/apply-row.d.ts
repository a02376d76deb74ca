/**
 * The channel after the next row of its log.
 * @param {Channel} channel
 * @param {Row} row
 * @param {string} me
 * @returns {{channel: Channel, isUnclear: boolean}} the same channel if it includes the row already; `isUnclear` if it
 *   has to be read again
 */
export function channelAfter(channel: Channel, row: Row, me: string): {
    channel: Channel;
    isUnclear: boolean;
};
export function applyRow(known: Known, event: Row | OwnRow): Changes;
export type Row = import("../types.js").Row;
export type OwnRow = import("../types.js").OwnRow;
export type Channel = import("../types.js").Channel;
export type Invitation = import("../types.js").Invitation;
/**
 * What is known before a row.
 */
export type Known = {
    user: import("../types.js").User;
    channels: ReadonlyMap<string, Channel>;
    invitations: Invitation[];
    blocked: ReadonlySet<string>;
};
/**
 * What a row changes.
 */
export type Changes = {
    /**
     * as they are now
     */
    channels?: import("../types.js").Channel[] | undefined;
    /**
     * channels that have to be read, because no row says what they are now
     */
    wanted?: string[] | undefined;
    /**
     * a channel that the user has joined
     */
    joined?: string | undefined;
    /**
     * a channel that the user does not have any more
     */
    gone?: {
        channel: string;
        isBanned: boolean;
    } | undefined;
    /**
     * rows up to which everything is gone for this user
     */
    cleared?: {
        channel: string;
        seq: number;
    }[] | undefined;
    /**
     * rows that are gone for this user
     */
    deleted?: {
        channel: string;
        seqs: number[];
    } | undefined;
    /**
     * other rows of the same log
     */
    edited?: {
        seqs: number[];
        edit: (row: Row) => Row | null;
    } | undefined;
    /**
     * this user
     */
    user?: import("../protocol.js").User | undefined;
    /**
     * of whoever has another one
     */
    profile?: {
        userID: string;
        profile: import("../protocol.js").UserProfile;
    } | undefined;
    /**
     * all who are blocked
     */
    blocked?: Iterable<string> | undefined;
    /**
     * all of them
     */
    invitations?: import("../types.js").Invitation[] | undefined;
    /**
     * whether schedules have changed
     */
    hasSchedules?: boolean | undefined;
};
