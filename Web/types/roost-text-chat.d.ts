/**
 * `<roost-text-chat>`: a text chat to embed in a page. It has a field with a counter, a list, an error line and a
 * banner for new messages, and no transport: the page sends what is written and adds what it receives.
 *
 * ```js
 * const chat = document.querySelector("roost-text-chat");
 * chat.senderID = "1234";
 * chat.alias = "Me";
 * chat.addEventListener("messagereadytosend", (event) => event.respondWith(transport.send(event.detail)));
 * transport.onmessage = (message) => chat.addMessage(message);
 * ```
 *
 * Attributes: `sender-id`, `alias`, `max-length`, `theme` ("light" or "dark"; by default that of the system). The
 * language is that of the nearest `lang`. Parts: list, row (with sent or received, and whole or grouped), name, time,
 * bubble, text, status, empty, banner, composer, field, send, error, counter. Styles: the tokens `--roost-…`.
 */
export class RoostTextChat extends HTMLElement {
    /** The attributes that take effect when they change. */
    static get observedAttributes(): string[];
    /** Called when the element is put into a page. */
    connectedCallback(): void;
    /** Called when the element is taken from its page; it keeps its messages and the text in the field. */
    disconnectedCallback(): void;
    /**
     * Called when an attribute has changed.
     *
     * @param {string} name
     */
    attributeChangedCallback(name: string): void;
    set senderID(arg: string | null);
    /**
     * The id of this user; null if none was set. Messages with it are drawn as sent.
     * @type {string | null}
     */
    get senderID(): string | null;
    set senderId(arg: string | null);
    /**
     * The same as `senderID`.
     * @type {string | null}
     */
    get senderId(): string | null;
    set alias(arg: string);
    /**
     * The name that is shown on this user's messages.
     * @type {string}
     */
    get alias(): string;
    set maxLength(arg: number);
    /**
     * The limit of a text to send, 1 to 8,000 UTF-16 units; 1,000 by default. Received messages have none.
     * @type {number}
     */
    get maxLength(): number;
    /**
     * All messages, in the order of arrival: copies, whose changes have no effect.
     * @type {readonly ChatMessage[]}
     */
    get messages(): readonly import("./text-chat/rules.js").ChatMessage[];
    set onmessagereadytosend(arg: ((event: MessageReadyEvent) => void) | null);
    /**
     * One listener of the event `messagereadytosend`.
     * @type {((event: MessageReadyEvent) => void) | null}
     */
    get onmessagereadytosend(): ((event: MessageReadyEvent) => void) | null;
    /**
     * Adds a received message; one with the user's id is drawn as sent. Its text may have any length. Throws a TypeError
     * if a field has a wrong type.
     *
     * @param {GivenMessage} message the time is now if none is given
     */
    addMessage(message: GivenMessage): void;
    /**
     * As in any element. Without a listener, nobody sends the messages, and they are refused.
     *
     * @param {string} type
     * @param {EventListenerOrEventListenerObject} listener
     * @param {boolean | AddEventListenerOptions} [options]
     */
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions | undefined): void;
    /**
     * As in any element.
     *
     * @param {string} type
     * @param {EventListenerOrEventListenerObject} listener
     * @param {boolean | EventListenerOptions} [options]
     */
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions | undefined): void;
    #private;
}
export type ChatMessage = import("./text-chat/rules.js").ChatMessage;
export type GivenMessage = import("./text-chat/rules.js").GivenMessage;
export type Row = import("./text-chat/rules.js").Row;
import { MessageReadyEvent } from "./text-chat/event.js";
