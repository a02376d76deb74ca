/**
 * Channels that are to be read again, as no event says what they are now; and the total, if something has happened in
 * one that is not loaded, such as a hidden one.
 */
export class WantedChannels {
    /** @param {import("./client.js").Client} client */
    constructor(client: import("./client.js").Client);
    /** @param {string} id */
    add(id: string): void;
    #private;
}
