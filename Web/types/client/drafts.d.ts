/** What is being written in each conversation, also after a reload. */
export class Drafts {
    /** @param {import("./cache.js").Cache} cache */
    constructor(cache: import("./cache.js").Cache);
    /**
     * Takes what the store holds.
     * @param {Map<string, any>} stored
     */
    load(stored: Map<string, any>): void;
    /** @param {string} channel */
    get(channel: string): Draft;
    /**
     * @param {string} channel
     * @param {Partial<Draft>} draft what is absent is empty
     */
    set(channel: string, draft: Partial<Draft>): void;
    #private;
}
/**
 * A file that is to be sent with what is being written; the type is that of its message, guessed if absent.
 */
export type DraftFile = {
    file: Blob;
    name?: string;
    type?: string;
    durationMs?: number;
};
/**
 * A file that is to be sent with what is being written; the type is that of its message, guessed if absent.
 */
export type Draft = {
    text: string;
    mentions: import("./types.js").Mention[];
    replyTo: import("./types.js").Message | null;
    files: DraftFile[];
};
