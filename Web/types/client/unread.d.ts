/** @typedef {import("./types.js").Channel} Channel */
/** The number of unread messages in all channels, those that are not loaded included. */
export class Unread {
    /**
     * @param {Map<string, Channel>} channels those that are loaded
     * @param {{total: () => void, shown: (total: number) => void}} changed tells that the number of all, and that the one
     *   to show has changed
     */
    constructor(channels: Map<string, Channel>, changed: {
        total: () => void;
        shown: (total: number) => void;
    });
    total: number;
    /**
     * The channel at whose end somebody reads now: what comes there is read already, although it is not marked yet.
     * @type {string | null}
     */
    attended: string | null;
    /** The unread messages to show: all, without those of the channel at whose end somebody reads. */
    get shown(): number;
    /**
     * Takes the total of the store; the channels of the store are loaded.
     * @param {number} total
     */
    restore(total: number): void;
    /** No channel is loaded any more. */
    reset(): void;
    /**
     * Counts a channel anew.
     * @param {string} id
     * @param {Channel | undefined} before undefined if it was not loaded
     * @param {Channel | null} after
     */
    count(id: string, before: Channel | undefined, after: Channel | null): void;
    /** @param {[string, number][]} counts the unread messages of channels, also of some that are loaded */
    setElsewhere(counts: [string, number][]): void;
    /** Tells the number to show if it is another one. */
    tell(): void;
    #private;
}
export type Channel = import("./types.js").Channel;
