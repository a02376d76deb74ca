/** The name of the event. */
export const messageReady: "messagereadytosend";
/**
 * The user has pressed Send: the listener sends `detail`, a {@link import("./rules.js").ChatMessage}, to the others.
 *
 * `preventDefault()` refuses it: the text stays in the field and an error shows. `respondWith(promise)` answers later:
 * the message shows as being sent until the promise settles, and `false` or a rejection refuses it. Otherwise the
 * message joins the list.
 */
export class MessageReadyEvent extends CustomEvent<any> {
    /** @param {import("./rules.js").ChatMessage} message */
    constructor(message: import("./rules.js").ChatMessage);
    /**
     * Answers later. May be called once, and only while the event is dispatched; throws an InvalidStateError otherwise.
     *
     * @param {unknown} answer a promise, or a value
     */
    respondWith(answer: unknown): void;
    /**
     * Ends the dispatch; returns whether the message was refused or sent, or the promise of that.
     *
     * @param {boolean} hasHost whether somebody was asked; without it, a message that no listener has read is refused
     * @returns {boolean | Promise<unknown>}
     */
    finish(hasHost: boolean): boolean | Promise<unknown>;
    #private;
}
