/**
 * What a recall or a reaction changes in other rows of its log.
 * @param {Event} event
 * @param {string} me
 * @returns {[(row: Event) => boolean, (row: Event) => Event | null]}
 */
export function editOf(event: Event, me: string): [(row: Event) => boolean, (row: Event) => Event | null];
/**
 * One channel as a screen shows it: history, live messages, own sends, typing, members and read marks.
 *
 * `open` it while it is on a screen and `close` it after that. Fires `change` after each change, at most once per turn
 * of the event loop; what it gives is replaced, never changed.
 */
export class Conversation extends ConversationActions {
    timeline: Timeline;
    isLoading: boolean;
    hasLoaded: boolean;
    /** Whether the channel does not exist for this user any more. */
    isGone: boolean;
    /** @type {import("./types.js").RoostError | null} */
    error: import("./types.js").RoostError | null;
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
    /**
     * The newest rows that arrived, for a page that was read before them.
     * @type {Event[]}
     */
    late: Event[];
    /**
     * The newest row of the store that this conversation has not read.
     * @type {number | null}
     */
    cacheTo: number | null;
    /**
     * What is being read from the store.
     * @type {Promise<void>}
     */
    reading: Promise<void>;
    /** @type {Promise<void>} */
    turn: Promise<void>;
    /** The channel; null until it is known. */
    get channel(): import("./types.js").Channel | null;
    /** @returns {import("./types.js").Item[]} */
    get items(): import("./types.js").Item[];
    /** Whether there may be older messages. */
    get hasBefore(): boolean;
    /** Whether there are newer messages than the last item. */
    get hasAfter(): boolean;
    /** Those who are typing, without oneself. */
    get typing(): {
        userID: string;
        name: string;
    }[];
    /** Whether this user may send: not to news, and not after having left. */
    get canWrite(): boolean;
    /** The text that was being written, also before a reload. */
    get draft(): string;
    /**
     * Keeps the text that is being written.
     * @param {string} text
     */
    setDraft(text: string): void;
    /** Shows the conversation: loads its newest messages, joins an open channel. Call `close` as often as `open`. */
    open(): Promise<void>;
    /**
     * Sets the separator above what is new; it stays where it is while the conversation is shown.
     * @param {import("./types.js").Channel | null} channel
     */
    separate(channel: import("./types.js").Channel | null): void;
    /** The conversation is not shown any more. */
    close(): void;
    forget(): void;
    loadStored(): Promise<void>;
    /** Brings everything up to date: after `open` and after each connect. */
    refresh(): Promise<void>;
    enter(): Promise<void>;
    /** Loads the newest page in place of what is there. */
    loadNewest(): Promise<void>;
    /** @param {any} page */
    take(page: any): void;
    /** Loads the page before the first item; from the store if it is there. */
    loadBefore(): Promise<void>;
    /** Loads the page after the last item. */
    loadAfter(): Promise<void>;
    /**
     * Loads the messages around one, if it is not there.
     * @param {string} messageID
     * @returns {Promise<void>} rejects with 1118 if it does not exist or may not be read
     */
    loadAround(messageID: string): Promise<void>;
    loadMembers(): Promise<void>;
    loadVotes(): Promise<void>;
    loadSchedules(): Promise<void>;
    /** @param {Member[]} members */
    setMembers(members: Member[]): void;
    /** @param {number} seq */
    lateRows(seq: number): import("./types.js").Event[];
    /**
     * The next row of the channel's log.
     * @param {Event} event
     */
    row(event: Event): void;
    /** @param {Event} event */
    voteChanged(event: Event): void;
    /**
     * Messages were deleted from this user's view.
     * @param {number[]} seqs
     */
    deleted(seqs: number[]): void;
    /**
     * Everything up to a row is gone for this user.
     * @param {number} seq
     */
    cleared(seq: number): void;
    /** The log cannot be continued: its rows are read again. */
    reset(): void;
    /** The user does not have the channel any more. */
    left(): void;
    /** @param {any} change the body of `user.profileChanged` */
    profileChanged(change: any): void;
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
    /** The connection is lost: whoever was typing is not known any more. */
    disconnected(): void;
    /**
     * One page at a time.
     * @param {() => Promise<void>} work
     */
    inTurn(work: () => Promise<void>): Promise<void>;
    /** @param {unknown} error */
    fail(error: unknown): void;
}
export type Event = import("./types.js").Event;
export type Member = import("./types.js").Member;
import { ConversationActions } from "./conversation-actions.js";
import { Timeline } from "./timeline.js";
