/** The rows of a conversation: pages of its log, from the store or from the server, and what changes in them. */
export class ConversationRows extends ConversationActions {
    timeline: Timeline;
    isLoading: boolean;
    hasLoaded: boolean;
    /** Whether the channel does not exist for this user any more. */
    isGone: boolean;
    /** Whether that is because the user is banned from it. */
    isBanned: boolean;
    /**
     * What has ended it for this user, if an event tells.
     * @type {import("./types.js").OwnRow | null}
     */
    ending: import("./types.js").OwnRow | null;
    /** @type {import("./types.js").RoostError | null} */
    error: import("./types.js").RoostError | null;
    /**
     * The newest rows that arrived, for a page that was read before them.
     * @type {Row[]}
     */
    late: Row[];
    /** How many pages are being read. */
    readers: number;
    /** Whether the store has what is before the first row. */
    hasStored: boolean;
    /**
     * What is being read from the store.
     * @type {Promise<void>}
     */
    reading: Promise<void>;
    /** @type {Promise<void>} */
    turn: Promise<void>;
    /** @returns {import("./types.js").Item[]} */
    get items(): import("./types.js").Item[];
    /** Whether there may be older messages. */
    get hasBefore(): boolean;
    /** Whether there are newer messages than the last item. */
    get hasAfter(): boolean;
    forget(): void;
    loadStored(): Promise<void>;
    /**
     * The newest rows that show, of a range of the store, as they are after what has come meanwhile.
     * @param {number} first
     * @param {number} to
     * @returns {Promise<RowPage>}
     */
    storedPage(first: number, to: number): Promise<RowPage>;
    /**
     * A page of the server that counts rows that show, as they are after what has come meanwhile.
     * @param {{before?: number, after?: number, aroundMessage?: string}} [where] the newest if absent
     * @returns {Promise<ServerPage>}
     */
    readPage(where?: {
        before?: number | undefined;
        after?: number | undefined;
        aroundMessage?: string | undefined;
    } | undefined): Promise<ServerPage>;
    /**
     * While pages are read, more of what comes is kept.
     * @template T
     * @param {Promise<T>} page
     */
    reads<T>(page: Promise<T>): Promise<T>;
    /** Loads the newest page in place of what is there. */
    loadNewest(): Promise<void>;
    /**
     * @param {RowPage} page
     * @param {number} [before] the row after it; absent for the newest page
     */
    cache({ from, events }: RowPage, before?: number | undefined): void;
    /** @param {ServerPage} page */
    take(page: ServerPage): void;
    /** Reads on until a screen is full: a page may have few rows that show. */
    fill(): Promise<void>;
    /** Loads what shows before the first item; from the store if it is there. */
    loadBefore(): Promise<void>;
    /** Loads what shows after the last item. */
    loadAfter(): Promise<void>;
    /**
     * Loads the messages around one, if it is not there.
     * @param {string} messageID
     * @param {() => boolean} [isWanted] whether the page is still to be shown when it has come; always if absent
     * @returns {Promise<void>} rejects with `messageNotFound` if it does not exist or may not be read
     */
    loadAround(messageID: string, isWanted?: (() => boolean) | undefined): Promise<void>;
    loadVotes(): Promise<void>;
    /** @param {number} seq */
    lateRows(seq: number): import("./protocol.js").Row[];
    /**
     * The next row of the channel's log.
     * @param {Row} event
     */
    addRow(event: Row): void;
    /** @param {Row} event */
    voteChanged(event: Row): void;
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
    /**
     * One page at a time.
     * @param {() => Promise<void>} work
     */
    inTurn(work: () => Promise<void>): Promise<void>;
    /**
     * The user does not have the channel any more.
     * @param {boolean} [isBanned]
     * @param {import("./types.js").OwnRow | null} [event]
     */
    left(isBanned?: boolean | undefined, event?: import("./protocol.js").OwnRow | null | undefined): void;
    /** @param {unknown} error */
    fail(error: unknown): void;
}
export type Row = import("./types.js").Row;
export type RoostError = import("./errors.js").RoostError;
/**
 * A page of the store, or of the server.
 */
export type RowPage = {
    events: Row[];
    from: number;
    hasBefore: boolean;
    isStored?: boolean;
    seq?: number;
};
/**
 * A page of the store, or of the server.
 */
export type ServerPage = RowPage & {
    to: number;
    seq: number;
    hasAfter: boolean;
};
import { ConversationActions } from "./conversation-actions.js";
import { Timeline } from "./timeline.js";
