/** The files of the server; the module that deals with them is loaded when it is used. */
export class LazyFiles {
    /** @param {import("./core.js").Core} core */
    constructor(core: import("./core.js").Core);
    /** @returns {Promise<import("./files.js").Files>} */
    load(): Promise<import("./files.js").Files>;
    /**
     * Uploads a file that is not a message.
     * @param {Blob} blob
     * @param {string} name
     * @param {{onProgress?: (fraction: number) => void, signal?: AbortSignal}} options
     */
    upload(blob: Blob, name: string, { onProgress, signal }?: {
        onProgress?: ((fraction: number) => void) | undefined;
        signal?: AbortSignal | undefined;
    }): Promise<{
        fileID: string;
    }>;
    #private;
}
