/**
 * One channel as a screen shows it: history, live messages, own sends, typing, members and read marks.
 *
 * `open` it while it is on a screen and `close` it after that. Fires `change` after each change, at most once per turn
 * of the event loop; what it gives is replaced, never changed.
 */
export class Conversation extends ConversationRows {
    /**
     * All members, with their read marks.
     * @type {Member[]}
     */
    members: Member[];
    /** @type {import("./types.js").Schedule[]} */
    schedules: import("./types.js").Schedule[];
    /** @type {Map<string, {name: string, timer: ReturnType<typeof setTimeout>}>} */
    typists: Map<string, {
        name: string;
        timer: ReturnType<typeof setTimeout>;
    }>;
    opens: number;
    isSeparated: boolean;
    /** Whether the other member of a 1-on-1 was deleted, as far as it is known. */
    isPeerDeleted: boolean;
    /** The channel; null until it is known. */
    get channel(): import("./types.js").Channel | null;
    /** Those who are typing, without oneself and those whom the user has blocked. */
    get typing(): {
        userID: string;
        name: string;
    }[];
    /** The other member of a 1-on-1 if the user has blocked that person; else undefined. */
    get blockedPeer(): import("./protocol.js").Member | undefined;
    /**
     * Whether this user may send: not to news, not after having left, and not to a person who was deleted or is blocked.
     */
    get canWrite(): boolean;
    get takesMessages(): boolean;
    /** What was being written, also before a reload. */
    get draft(): import("./drafts.js").Draft;
    /**
     * Keeps what is being written; nothing, when it was sent.
     * @param {Partial<import("./drafts.js").Draft>} draft
     */
    setDraft(draft: Partial<import("./drafts.js").Draft>): void;
    /** Shows the conversation: loads its newest messages, joins an open channel. Call `close` as often as `open`. */
    open(): Promise<void>;
    /**
     * Sets the separator above what is new; it stays where it is while the conversation is shown.
     * @param {import("./types.js").Channel | null} channel
     */
    separate(channel: import("./types.js").Channel | null): void;
    /** The conversation is not shown any more. */
    close(): void;
    /** Brings everything up to date: after `open` and after each connect. */
    refresh(): Promise<void>;
    enter(): Promise<void>;
    loadMembers(): Promise<void>;
    loadSchedules(): Promise<void>;
    /** Looks whether the other member of a 1-on-1 was deleted. */
    loadPeer(): Promise<void>;
    /** @param {Member[]} members */
    setMembers(members: Member[]): void;
    /**
     * The next row of the channel's log.
     * @param {Row} event
     */
    row(event: Row): void;
    /** This tab writes the store from now on: keeps what it has read before. */
    keep(): void;
    /** @param {boolean} isNewEpoch whether the server has begun anew */
    welcomed(isNewEpoch: boolean): void;
    /** The user has joined the channel, perhaps again. */
    joined(): void;
    /** The log cannot be continued: its rows are read again. */
    reset(): void;
    /** @param {import("./protocol.js").OwnRowBodies["user.profileChanged"]} change */
    profileChanged(change: import("./protocol.js").OwnRowBodies["user.profileChanged"]): void;
    /** The messages to be sent have changed. */
    queueChanged(): void;
    /** @param {any[]} marks */
    marksMoved(marks: any[]): void;
    /** @param {{userID: string, name: string}} typist */
    startsTyping({ userID, name }: {
        userID: string;
        name: string;
    }): void;
    /** @param {string} userID */
    stopsTyping(userID: string): void;
    typingChanged(): void;
    /** The connection is lost: whoever was typing is not known any more. */
    disconnected(): void;
}
export type Row = import("./types.js").Row;
export type Member = import("./types.js").Member;
import { ConversationRows } from "./conversation-rows.js";
