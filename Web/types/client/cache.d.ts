/** What one tab writes into the store: the rows of the channels, their positions, and what is shown of them. */
export class Cache {
    /**
     * @param {{meta: () => Record<string, any>, channel: (id: string) => Channel | undefined}} about what is to be stored
     */
    constructor(about: {
        meta: () => Record<string, any>;
        channel: (id: string) => Channel | undefined;
    });
    /** @type {import("./store.js").Store | null} */
    store: import("./store.js").Store | null;
    /** Whether this tab writes the store: it leads, and knows what an earlier leader has left. */
    isWriter: boolean;
    /**
     * Takes what the store holds.
     * @param {Stored} stored
     */
    restore({ meta, channels }: Stored): void;
    /**
     * @param {string} channel "" for the user's own log
     * @returns {number | null}
     */
    position(channel: string): number | null;
    /**
     * @param {string} channel "" for the user's own log
     * @param {number | null} seq null if it has no log any more
     */
    setPosition(channel: string, seq: number | null): void;
    /** @param {string} channel its position or its state has changed; "" for those of the user */
    touch(channel: string): void;
    /** @param {Change[]} changes */
    write(changes: Change[]): void;
    /**
     * @param {Row} event the next row of its log
     * @param {boolean} isKept whether it is itself read again
     */
    add(event: Row, isKept: boolean): void;
    /**
     * @param {string} channel
     * @param {number[]} seqs
     * @param {(row: Row) => Row | null} edit
     */
    edit(channel: string, seqs: number[], edit: (row: Row) => Row | null): void;
    /**
     * Keeps a page of history that reaches down from what is stored.
     * @param {string} channel
     * @param {number} from the first row of the page
     * @param {Row[]} events
     * @param {number} [to] the row after the page; absent for the newest page
     */
    keep(channel: string, from: number, events: Row[], to?: number | undefined): void;
    /**
     * Deletes single rows.
     * @param {string} channel
     * @param {number[]} seqs
     */
    remove(channel: string, seqs: number[]): void;
    /**
     * Deletes the rows of a channel up to one.
     * @param {string} channel
     * @param {number} to
     */
    clear(channel: string, to: number): void;
    /**
     * Deletes all rows of a channel.
     * @param {string} channel
     */
    forget(channel: string): void;
    /** Deletes everything but drafts and what is to be sent: the server has begun anew. */
    forgetAll(): void;
    /**
     * What can be read of a channel: its rows `from` … `to` in the store, and then those that another tab writes.
     * @param {string} channel
     * @returns {{from: number, to: number, position: number, newer: Row[]} | null}
     */
    range(channel: string): {
        from: number;
        to: number;
        position: number;
        newer: Row[];
    } | null;
    /**
     * The first row of a channel that the store has.
     * @param {string} channel
     * @returns {number} 0 if it has none
     */
    from(channel: string): number;
    /**
     * The newest rows of a channel that show, in a range of the store, ascending, with what this tab has not written.
     * @param {string} channel
     * @param {number} from
     * @param {number} to
     * @param {number} limit
     */
    rows(channel: string, from: number, to: number, limit: number): Promise<import("./protocol.js").Row[]>;
    /**
     * This tab writes the store from now on.
     * @param {Stored | null} stored what an earlier leader has left
     */
    startWriting(stored: Stored | null): void;
    /** Writes all changes into the store. @returns {Promise<void>} when they are there */
    flush(): Promise<void>;
    /** Writes what is left, and nothing after that. */
    close(): Promise<void>;
    #private;
}
export type Row = import("./types.js").Row;
export type Channel = import("./types.js").Channel;
export type Change = import("./store.js").Change;
/**
 * What the store has of a channel: the first of its rows, its position when it was read, and its snapshot.
 */
export type StoredChannel = {
    channel: string;
    position: number | null;
    from: number | null;
    snapshot?: Channel;
};
/**
 * What the store has of a channel: the first of its rows, its position when it was read, and its snapshot.
 */
export type Stored = {
    meta: Map<string, any>;
    channels: StoredChannel[];
};
