/** Files on the server: their uploads, and links to them, read together and kept until they expire. */
export class Files {
    /** @param {import("./core.js").Core} core */
    constructor(core: import("./core.js").Core);
    /** @type {Map<string, {url: Promise<string>, until: number}>} */
    links: Map<string, {
        url: Promise<string>;
        until: number;
    }>;
    /**
     * @param {string} fileID
     * @returns {Promise<string>}
     */
    url(fileID: string): Promise<string>;
    /**
     * @param {string} imageURL of a user or a channel
     * @returns {Promise<string | null>} null if it may not be shown; rejects if there is no link to it
     */
    picture(imageURL: string): Promise<string | null>;
    /**
     * @param {Blob} blob
     * @param {string} name
     * @param {{onProgress: (fraction: number) => void, signal: AbortSignal}} options
     * @returns {Promise<{fileID: string}>}
     */
    upload(blob: Blob, name: string, { onProgress, signal }: {
        onProgress: (fraction: number) => void;
        signal: AbortSignal;
    }): Promise<{
        fileID: string;
    }>;
    #private;
}
