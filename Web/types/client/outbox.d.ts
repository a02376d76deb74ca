/**
 * The messages to be sent: kept in the store before they are sent, sent by the leading tab, shown by all tabs.
 *
 * A message leaves when its row arrives, or when it is discarded. A failed one stays, in its place, until the user
 * tries again or discards it.
 */
export class Outbox {
    /** @param {import("./client.js").Client} client */
    constructor(client: import("./client.js").Client);
    client: import("./client.js").Client;
    lanes: SendLanes;
    /** @type {Map<string, QueuedMessage>} */
    messages: Map<string, QueuedMessage>;
    /** @type {Map<string, AbortController>} */
    uploads: Map<string, AbortController>;
    lastOrder: number;
    /** Whether this tab sends: it leads, and knows what an earlier leader has left, which goes first. */
    isSender: boolean;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    timer: ReturnType<typeof setTimeout> | undefined;
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
    /**
     * Begins to send a message, if this tab leads.
     * @param {QueuedMessage} message
     */
    hand(message: QueuedMessage): void;
    /** @param {QueuedMessage} queued */
    upload(queued: QueuedMessage): Promise<void>;
    /**
     * @param {string} transID
     * @param {{seq?: number, messageID?: string, sentAt: number}} answer
     */
    sent(transID: string, { seq, messageID, sentAt }: {
        seq?: number;
        messageID?: string;
        sentAt: number;
    }): void;
    /**
     * @param {QueuedMessage} message
     * @param {RoostError} error
     */
    fail(message: QueuedMessage, error: RoostError): void;
    /** @param {string} transID */
    remove(transID: string): void;
    /**
     * @param {QueuedMessage} message
     * @param {boolean} [isFromOther] another tab has told it
     */
    change(message: QueuedMessage, isFromOther?: boolean | undefined): void;
    /**
     * Puts a message into the store, then goes on.
     * @param {QueuedMessage} message
     * @param {() => void} [next]
     */
    keep(message: QueuedMessage, next?: (() => void) | undefined): void;
    /** @param {string} channel */
    tell(channel: string): void;
}
export type QueuedMessage = import("./types.js").QueuedMessage;
export type Message = import("./types.js").Message;
import { SendLanes } from "./lanes.js";
import { RoostError } from "./errors.js";
