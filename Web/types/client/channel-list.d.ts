/** @typedef {import("./types.js").Channel} Channel */
/**
 * The user's conversations, the newest activity first; those that are hidden and open channels are left out.
 *
 * Fires `change` after each change, at most once per turn of the event loop.
 */
export class ChannelList extends EventTarget {
    isLoading: boolean;
    /** Whether all pages are loaded. */
    isComplete: boolean;
    /** Whether there is something to show: from the store or from the server. */
    hasLoaded: boolean;
    /** @type {import("./types.js").RoostError | null} */
    error: import("./types.js").RoostError | null;
    /** Whether the hidden channels are being loaded. */
    isSearching: boolean;
    /** The channels that are loaded, in their order. The same array if nothing has changed. */
    get channels(): import("./types.js").Channel[];
    /**
     * The loaded channels whose title, or the id of whose other member, contains a text, without regard to case; also
     * hidden ones. Without a text, all that the list shows.
     * @param {string} text
     */
    find(text: string): import("./types.js").Channel[];
    /** Loads the hidden channels, once, for `find`. */
    loadHidden(): Promise<void>;
    /** Loads the next page. Does nothing while one is loading, or if there is none. */
    loadMore(): Promise<void>;
    /** Reads the first page again: after each connect. */
    refresh(): Promise<void>;
    #private;
}
export type Channel = import("./types.js").Channel;
