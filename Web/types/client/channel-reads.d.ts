/** Reads channels of which no event says what they are now. */
export class ChannelReads {
    /**
     * @param {import("./state.js").State} state
     * @param {import("./sync.js").Sync} sync
     * @param {() => Promise<void>} refreshList
     */
    constructor(state: import("./state.js").State, sync: import("./sync.js").Sync, refreshList: () => Promise<void>);
    /**
     * Reads what rows change, too: an answer may be older than rows that came before it, so that it is asked for again.
     * @template T
     * @param {() => Promise<T>} read
     * @param {() => unknown[]} [revision] what must be the same before and after
     */
    current<T>(read: () => Promise<T>, revision?: (() => unknown[]) | undefined): Promise<T>;
    /**
     * Reads a channel.
     * @param {string} channel
     * @returns {Promise<void>} rejects with a `RoostError`
     */
    channel(channel: string): Promise<void>;
    /**
     * Reads the unread messages of channels that are not loaded.
     * @param {number} total those of all channels outside of the list's first page
     */
    elsewhere(total: number): Promise<void>;
    /**
     * Reads a channel soon, together with others.
     * @param {string} id
     */
    want(id: string): void;
    #private;
}
