/** Asks for the rows that are missing in the logs of a `Sync`. */
export class Gaps {
    /** @param {import("./sync.js").Sync} sync */
    constructor(sync: import("./sync.js").Sync);
    sync: import("./sync.js").Sync;
    /** @type {Promise<void> | null} */
    closing: Promise<void> | null;
    hasNew: boolean;
    /** @param {{userSeq: number, channels: {channel: string, seq: number}[]}} heads */
    compare(heads: {
        userSeq: number;
        channels: {
            channel: string;
            seq: number;
        }[];
    }): void;
    mendAll(): void;
    /**
     * Asks for what is missing; while an answer is under way, once more after it.
     * @param {string[]} channels
     */
    mend(channels: string[]): void;
}
