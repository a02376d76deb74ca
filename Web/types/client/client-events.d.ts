/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").User} User */
/** What each event changes: the only place that says so. */
export class ClientEvents extends ClientState {
    /**
     * A row of a log, in its order.
     * @param {Event} event
     * @param {boolean} isLive
     */
    row(event: Event, isLive: boolean): void;
    /**
     * @param {string} channel
     * @param {number[]} seqs
     * @param {(row: Event) => Event | null} edit
     */
    editStored(channel: string, seqs: number[], edit: (row: Event) => Event | null): void;
    /** @param {Event} event a row of the user's own log */
    ownRow(event: Event): void;
    /** @param {{userID: string, profile: {name?: string, imageURL?: string}}} change */
    profileChanged(change: {
        userID: string;
        profile: {
            name?: string;
            imageURL?: string;
        };
    }): void;
    /** @param {Event} event */
    ephemeral({ event, channel, body }: Event): void;
    /**
     * @param {string} channel
     * @returns {import("./conversation.js").Conversation}
     */
    typistsOf(channel: string): import("./conversation.js").Conversation;
    /** @param {any} reset */
    reset(reset: any): void;
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
export type Event = import("./types.js").Event;
export type User = import("./types.js").User;
import { ClientState } from "./client-state.js";
