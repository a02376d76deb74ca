/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").OwnRow} OwnRow */
/** @typedef {import("./types.js").User} User */
/** What each event changes: the only place that says so. */
export class ClientEvents extends ClientState {
    /**
     * A row of a log, in its order.
     * @param {Row | OwnRow} event
     * @param {boolean} isLive
     */
    row(event: Row | OwnRow, isLive: boolean): void;
    /**
     * @param {string} channel
     * @param {number[]} seqs
     * @param {(row: Row) => Row | null} edit
     */
    editStored(channel: string, seqs: number[], edit: (row: Row) => Row | null): void;
    /** @param {OwnRow} event a row of the user's own log */
    ownRow(event: OwnRow): void;
    /** @param {Extract<OwnRow, {event: "channel.joined"}>} event */
    joined(event: Extract<OwnRow, {
        event: "channel.joined";
    }>): void;
    /**
     * Everything up to a row is gone for this user.
     * @param {string} id
     * @param {number} seq
     * @param {boolean} isEnded whether the conversation is out of the list, too
     */
    cleared(id: string, seq: number, isEnded: boolean): void;
    /** @param {Extract<OwnRow, {event: "message.deleted"}>["body"]} body */
    deleted({ channel: id, messages, unread }: Extract<OwnRow, {
        event: "message.deleted";
    }>["body"]): void;
    /** @param {{userID: string, profile: {name?: string, imageURL?: string}}} change */
    profileChanged(change: {
        userID: string;
        profile: {
            name?: string;
            imageURL?: string;
        };
    }): void;
    /** @param {import("./protocol.js").Signal} signal */
    ephemeral(signal: import("./protocol.js").Signal): void;
    /**
     * @param {string} channel
     * @returns {import("./conversation.js").Conversation}
     */
    typistsOf(channel: string): import("./conversation.js").Conversation;
    /** @param {import("./protocol.js").Reset} reset */
    reset(reset: import("./protocol.js").Reset): void;
    /** @param {string} channel */
    forgetRows(channel: string): void;
    /**
     * @param {any[]} marks
     * @param {{channel: string, seq: number}[]} heads
     */
    takeMarks(marks: any[], heads: {
        channel: string;
        seq: number;
    }[]): void;
    /**
     * @param {{channel: string, mark: {seq: number, count: number}, unread: number}} answer of `readMark.set`
     * @param {number} askedAt the newest row that was known then
     * @param {number} changes how many changes of the user were known then
     */
    marked({ channel, mark, unread }: {
        channel: string;
        mark: {
            seq: number;
            count: number;
        };
        unread: number;
    }, askedAt: number, changes: number): void;
    /**
     * @param {string} id
     * @param {number} seq
     */
    moveMark(id: string, seq: number): void;
    /** @param {string} channel */
    removeInvitation(channel: string): void;
}
export type Row = import("./types.js").Row;
export type OwnRow = import("./types.js").OwnRow;
export type User = import("./types.js").User;
import { ClientState } from "./client-state.js";
