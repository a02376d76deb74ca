/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").OwnRow} OwnRow */
/** @typedef {import("./sync-machine.js").Action} Action */
/** @typedef {import("./rows/apply-row.js").Changes} Changes */
/** The parts of a client, and how they work together. */
export class Core {
    /**
     * @param {import("./client.js").Options} options
     * @param {(type: string, detail?: any) => void} emit tells the app
     */
    constructor(options: import("./client.js").Options, emit: (type: string, detail?: any) => void);
    options: import("./client.js").Options;
    server: string;
    /** @type {"connecting" | "live" | "offline" | "refused" | "closed"} */
    phase: "connecting" | "live" | "offline" | "refused" | "closed";
    /** @type {import("./types.js").RoostError | null} */
    error: import("./types.js").RoostError | null;
    /** @type {Credentials} */
    credentials: Credentials;
    storeName: string;
    ready: Promise<unknown>;
    /** @type {Map<string, Conversation>} */
    conversations: Map<string, Conversation>;
    /** @type {State} */
    state: State;
    /** @type {Cache} */
    cache: Cache;
    /** @type {Sync} */
    sync: Sync;
    drafts: Drafts;
    files: LazyFiles;
    reads: ChannelReads;
    list: ChannelList;
    outbox: Outbox;
    tabs: Tabs;
    /** The network may have changed. */
    wake(): void;
    /**
     * Takes what has changed.
     * @param {Changes} changes
     * @param {OwnRow | null} [event] what says so, if it is a row of the user's own log
     */
    apply(changes: Changes, event?: import("./protocol.js").OwnRow | null | undefined): void;
    /**
     * The user does not have a channel any more.
     * @param {string} id
     * @param {boolean} [isBanned] whether the user is banned from it
     * @param {OwnRow | null} [event] what says so
     */
    drop(id: string, isBanned?: boolean | undefined, event?: import("./protocol.js").OwnRow | null | undefined): void;
    /**
     * The conversation of a channel: always the same object.
     * @param {string} channel
     */
    conversation(channel: string): Conversation;
    /**
     * Leaves an open channel; a new conversation begins if the user comes back.
     * @param {string} channel
     */
    leaveOpenChannel(channel: string): void;
    /** @param {string} channel where somebody has begun or ended to type */
    typingChanged(channel: string): void;
    /** Ends the connection; what waits to be sent stays in the store. */
    close(): Promise<void>;
    #private;
}
export type Row = import("./types.js").Row;
export type OwnRow = import("./types.js").OwnRow;
export type Action = import("./sync-machine.js").Action;
export type Changes = import("./rows/apply-row.js").Changes;
import { Credentials } from "./credentials.js";
import { Conversation } from "./conversation.js";
import { State } from "./state.js";
import { Cache } from "./cache.js";
import { Sync } from "./sync.js";
import { Drafts } from "./drafts.js";
import { LazyFiles } from "./lazy-files.js";
import { ChannelReads } from "./channel-reads.js";
import { ChannelList } from "./channel-list.js";
import { Outbox } from "./outbox.js";
import { Tabs } from "./tabs.js";
