/**
 * The messages to be sent: kept in the store before they are sent, sent by the leading tab, shown by all tabs.
 *
 * A message leaves when its row arrives, or when it is discarded. A failed one stays, in its place, until the user
 * tries again or discards it.
 */
export class Outbox {
    /**
     * @param {import("./outbox-files.js").Uploader & {cache: import("./cache.js").Cache,
     *   user: () => import("./types.js").User, isLeader: () => boolean, post: (message: any) => void,
     *   changed: (channel: string) => void}} parts `post` tells the other tabs, and `changed` that there are other
     *   messages for a channel
     */
    constructor(parts: import("./outbox-files.js").Uploader & {
        cache: import("./cache.js").Cache;
        user: () => import("./types.js").User;
        isLeader: () => boolean;
        post: (message: any) => void;
        changed: (channel: string) => void;
    });
    /** @type {Map<string, QueuedMessage>} */
    messages: Map<string, QueuedMessage>;
    /**
     * Takes what the store holds.
     * @param {QueuedMessage[]} messages in their order
     */
    load(messages: QueuedMessage[]): void;
    /**
     * The messages of a channel, in their order.
     * @param {string} channel
     */
    of(channel: string): import("./types.js").QueuedMessage[];
    /**
     * Sends a message.
     * @param {string} channel
     * @param {any} command the body of `message.send`, without the file
     * @param {Partial<Message>} shown what is shown of it until its row is there
     * @param {{file?: Blob, fileName?: string}} [file]
     * @returns {string} its transID
     */
    send(channel: string, command: any, shown: Partial<Message>, file?: {
        file?: Blob | undefined;
        fileName?: string | undefined;
    } | undefined): string;
    /**
     * Sends a failed message again, under the same transID and at the end of the channel's sends.
     * @param {string} transID
     */
    retry(transID: string): void;
    /**
     * Removes a message that is not sent. One whose answer is under way stays until the answer is there.
     * @param {string} transID
     */
    discard(transID: string): void;
    /**
     * The row of a message has arrived: from now on it is that row.
     * @param {string} transID
     */
    arrived(transID: string): void;
    /**
     * A message of another tab.
     * @param {any} post
     */
    hear(post: any): void;
    /** This tab leads now: it sends what is waiting. */
    lead(): void;
    /** The connection is lost. */
    disconnected(): void;
    /** Sends what may go out now; call it when the client is live. */
    pump(): void;
    /** Stops all work; what waits stays in the store. */
    close(): void;
    #private;
}
export type QueuedMessage = import("./types.js").QueuedMessage;
export type Message = import("./types.js").Message;
