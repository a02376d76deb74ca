/** What one tab knows of a user, and what it writes into the store. */
export class ClientState extends EventTarget {
    /** @type {"connecting" | "live" | "offline" | "refused" | "closed"} */
    state: "connecting" | "live" | "offline" | "refused" | "closed";
    /** @type {User} */
    user: User;
    /** @type {import("./types.js").Limits | null} */
    limits: import("./types.js").Limits | null;
    /**
     * From where pictures of users and channels may be loaded, besides the server.
     * @type {string[]}
     */
    imageOrigins: string[];
    isOperator: boolean;
    totalUnread: number;
    /**
     * The unread messages of channels that are not loaded, such as hidden ones; `totalUnread` is these and those of
     * all that are.
     * @type {Map<string, number>}
     */
    elsewhere: Map<string, number>;
    /** How many rows of the user's own log, and own read marks, have changed channels. */
    ownChanges: number;
    /**
     * The channel at whose end somebody reads now: what comes there is read already, although it is not marked yet.
     * @type {string | null}
     */
    attended: string | null;
    toldUnread: number;
    /** @type {RoostError | null} */
    error: RoostError | null;
    /**
     * Open invitations to groups.
     * @type {{channel: string, title?: string, byUserID?: string, byName?: string}[]}
     */
    invitations: {
        channel: string;
        title?: string | undefined;
        byUserID?: string | undefined;
        byName?: string | undefined;
    }[];
    /**
     * The ids of those whom the user has blocked; replaced with each change.
     * @type {Set<string>}
     */
    blocked: Set<string>;
    /** @type {Map<string, Channel>} */
    channels: Map<string, Channel>;
    /** @type {Map<string, Conversation>} */
    conversations: Map<string, Conversation>;
    /**
     * The newest row of each channel that has come here, or before which nothing is missing; "" is the user's own log.
     * @type {Map<string, number>}
     */
    positions: Map<string, number>;
    /** What the store has of each channel: the first of its rows, and its position when it was read. */
    cached: Map<string, {
        from: number;
        position: number;
    }>;
    drafts: Drafts;
    /** @type {import("./store.js").Store | null} */
    store: import("./store.js").Store | null;
    storeName: string;
    deviceID: string;
    /** @type {Change[]} */
    changes: Change[];
    /** Whether this tab writes the store: it leads, and knows what an earlier leader has left. */
    isWriter: boolean;
    /**
     * All changes since the start that this tab did not write, because another one does; null if they are too many.
     * @type {Change[] | null}
     */
    unwritten: Change[] | null;
    /** @type {Set<string>} */
    dirty: Set<string>;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    storeTimer: ReturnType<typeof setTimeout> | undefined;
    /** @type {Promise<void>} */
    writing: Promise<void>;
    list: ChannelList;
    outbox: Outbox;
    reads: ChannelReads;
    /**
     * Set by `Client`.
     * @type {import("./sync.js").Sync}
     */
    sync: import("./sync.js").Sync;
    tabs: Tabs;
    /**
     * The user does not have a channel any more.
     * @param {string} id
     * @param {boolean} [isBanned] whether the user is banned from it
     * @param {import("./types.js").OwnRow} [event] what says so
     */
    drop(id: string, isBanned?: boolean | undefined, event?: import("./protocol.js").OwnRow | undefined): void;
    /**
     * Changes a channel. One that is not loaded, such as a hidden one, is read, as it counts in the total, too.
     * @param {string} id
     * @param {Partial<Channel>} change
     */
    change(id: string, change: Partial<Channel>): void;
    /**
     * Takes a channel as the server gives it.
     * @param {import("./types.js").WireChannel} channel
     * @returns {boolean} false if it is older than rows that are known, so that something may be missing
     */
    setChannel(channel: import("./types.js").WireChannel): boolean;
    /** @param {Channel} channel */
    put(channel: Channel): void;
    /**
     * @param {string} id
     * @param {Channel | undefined} before undefined if it was not loaded
     * @param {Channel | null} after
     */
    count(id: string, before: Channel | undefined, after: Channel | null): void;
    /** @param {[string, number][]} counts the unread messages of channels, also of some that are loaded */
    setElsewhere(counts: [string, number][]): void;
    /** @param {number} change */
    addUnread(change: number): void;
    /** The unread messages to show: all, without those of the channel at whose end somebody reads. */
    get shownUnread(): number;
    /** @param {Iterable<string>} userIDs those who are blocked */
    setBlocked(userIDs: Iterable<string>): void;
    tellUnread(): void;
    /**
     * Somebody begins or ends to read at the end of a channel.
     * @param {string} channel
     * @param {boolean} isAttended
     */
    attend(channel: string, isAttended: boolean): void;
    /**
     * Reads a channel again, soon and together with others.
     * @param {string} id
     */
    want(id: string): void;
    /**
     * @param {"typing" | "queue"} type
     * @param {string} channel
     */
    tell(type: "typing" | "queue", channel: string): void;
    /**
     * @param {string} channel "" for the user's own log
     * @param {number | null} seq null if it has no log any more
     */
    setPosition(channel: string, seq: number | null): void;
    /** @param {string | null} channel its position or its state has changed; null for those of the user */
    touch(channel: string | null): void;
    /** @param {Change[]} changes */
    write(changes: Change[]): void;
    /**
     * Keeps a page of history that reaches down from what is stored.
     * @param {string} channel
     * @param {number} from the first row of the page
     * @param {Row[]} events
     * @param {number} [to] the row after the page; absent for the newest page
     */
    cache(channel: string, from: number, events: Row[], to?: number | undefined): void;
    /**
     * The newest rows of a channel that show, in a range of the store, ascending, with what this tab has not written.
     * @param {string} channel
     * @param {number} from
     * @param {number} to
     * @param {number} limit
     */
    storedRows(channel: string, from: number, to: number, limit: number): Promise<import("./protocol.js").Row[]>;
    /**
     * The rows of a channel that came, and that this tab has not written, ascending.
     * @param {string} channel
     * @param {number} after the row before them
     */
    unwrittenRows(channel: string, after: number): import("./protocol.js").Row[];
    /**
     * Rows with the unwritten changes of them.
     * @param {string} channel
     * @param {Row[]} rows
     */
    edited(channel: string, rows: Row[]): import("./protocol.js").Row[];
    /**
     * This tab writes the store from now on.
     * @param {{meta: Map<string, any>, channels: any[]} | null} stored what an earlier leader has left
     */
    startWriting(stored: {
        meta: Map<string, any>;
        channels: any[];
    } | null): void;
    /**
     * Deletes rows of a channel from the store.
     * @param {string} channel
     * @param {number} [to] the last of them; absent for all
     */
    deleteRows(channel: string, to?: number | undefined): void;
    /** Writes all changes into the store. @returns {Promise<void>} when they are there */
    flush(): Promise<void>;
}
export type Row = import("./types.js").Row;
export type Channel = import("./types.js").Channel;
export type User = import("./types.js").User;
export type Change = import("./store.js").Change;
export type Conversation = import("./conversation.js").Conversation;
export type RoostError = import("./errors.js").RoostError;
import { Drafts } from "./drafts.js";
import { ChannelList } from "./channel-list.js";
import { Outbox } from "./outbox.js";
import { ChannelReads } from "./channel-reads.js";
import { Tabs } from "./tabs.js";
