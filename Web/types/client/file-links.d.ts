/** Links to files, read together and kept until they expire. */
export class FileLinks {
    /** @param {import("./client.js").Client} client */
    constructor(client: import("./client.js").Client);
    client: import("./client.js").Client;
    /** @type {Map<string, {url: Promise<string>, until: number}>} */
    links: Map<string, {
        url: Promise<string>;
        until: number;
    }>;
    /** @type {Map<string, {resolve: (url: string) => void, reject: (error: unknown) => void}>} */
    wanted: Map<string, {
        resolve: (url: string) => void;
        reject: (error: unknown) => void;
    }>;
    /**
     * @param {string} fileID
     * @returns {Promise<string>}
     */
    url(fileID: string): Promise<string>;
    load(): Promise<void>;
}
