/**
 * @typedef {{message: QueuedMessage, attempts: number, isHeld: boolean}} Entry `isHeld` while a file is uploaded
 * @typedef {{queue: Entry[], flying: Entry[], returned: Entry[], retryAt: number}} Lane
 */
/**
 * The sends to each channel, in their order.
 *
 * Sends are pipelined, answers may be lost and some sends are refused, and yet a channel shows them in the order in
 * which they were written. So a send names the one before it (`after`) while that one has no answer, and the server
 * stores nothing whose predecessor it does not know. A send waits in `queue`, is in flight in `flying`, and leaves with
 * its acknowledgement or a definite refusal. A temporary refusal, `orderBroken` and a lost connection put it into
 * `returned`. When the last answer is in, the returned ones go back to the front and are chained again, with their old
 * transIDs.
 */
export class SendLanes {
    /** @type {Map<string, Lane>} */
    lanes: Map<string, Lane>;
    /** @type {Map<string, string>} */
    channelOf: Map<string, string>;
    /**
     * @param {QueuedMessage} message
     * @param {boolean} isHeld
     */
    append(message: QueuedMessage, isHeld: boolean): void;
    /**
     * Takes the next send of a channel that may go out now.
     * @param {string} channel
     * @param {number} now
     * @returns {{message: QueuedMessage, after?: string} | null}
     */
    next(channel: string, now: number): {
        message: QueuedMessage;
        after?: string | undefined;
    } | null;
    /**
     * A send was acknowledged.
     * @param {string} transID
     * @returns {QueuedMessage | null} null if it was not in flight
     */
    accepted(transID: string): QueuedMessage | null;
    /**
     * A send was refused.
     * @param {string} transID
     * @param {RoostError} error
     * @param {number} now
     * @returns {QueuedMessage | null} the send if that is definite; null if it is repeated later
     */
    refused(transID: string, error: RoostError, now: number): QueuedMessage | null;
    /** The connection is lost: everything unacknowledged is sent again, in its order. */
    disconnected(): void;
    /**
     * The file of a held send is uploaded.
     * @param {string} transID
     */
    release(transID: string): void;
    /**
     * Removes a send that is not in flight.
     * @param {string} transID
     * @returns {boolean} whether it was removed
     */
    remove(transID: string): boolean;
    /** When the next lane may go on after a temporary refusal; null if none waits for that. */
    get wakeAt(): number | null;
    /** @param {Lane} lane */
    mend(lane: Lane): void;
    /**
     * @param {string} transID
     * @param {"queue" | "flying" | "returned"} place
     */
    find(transID: string, place: "queue" | "flying" | "returned"): Entry | undefined;
    /**
     * @param {string} transID
     * @returns {Entry | null}
     */
    settle(transID: string): Entry | null;
}
export type QueuedMessage = import("./types.js").QueuedMessage;
export type RoostError = import("./errors.js").RoostError;
/**
 * `isHeld` while a file is uploaded
 */
export type Entry = {
    message: QueuedMessage;
    attempts: number;
    isHeld: boolean;
};
export type Lane = {
    queue: Entry[];
    flying: Entry[];
    returned: Entry[];
    retryAt: number;
};
