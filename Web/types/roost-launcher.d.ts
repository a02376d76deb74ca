/**
 * `<roost-launcher>`: a button in the corner of a page that opens a chat, with the number of unread messages.
 *
 * Attributes: `server`, `channel`, `user`, `token`, `guest`, `lang` and `theme` as for `<roost-chat>`, `greeting` (a
 * sentence beside the button until the chat was opened or the sentence hidden), `label` (the name of the chat);
 * `visitor-key`, a key with the scope `visitors`: people without a token talk to its user as visitors, with the name
 * `visitor-name`.
 *
 * The code of the chat is loaded when it is opened, or when there is a token, a guest or a visitor from before: then
 * the button shows how many messages are unread, in the conversation that the attributes name, or in all. Whether it is
 * open is kept for the tab.
 *
 * Events, which do not bubble: `open`, `close`, `unread` (detail `{total}`), `message` and `error` as for
 * `<roost-chat>`. Parts: `button`, `badge`, `greeting`, `panel`, `head`. The tokens `--roost-…` count for the chat as
 * well; `--roost-launcher-block` and `--roost-launcher-inline` are the distances from the corner.
 */
export class RoostLauncherElement extends HTMLElement {
    static get observedAttributes(): string[];
    /** The client; null before there is a token or a guest, and until its code is loaded. */
    get client(): import("./client/client.js").Client | null;
    /** The chat in the panel; null before it was opened. */
    get chat(): import("./roost-chat.js").RoostChatElement | null;
    /** Whether the panel is open. */
    get isOpen(): boolean;
    connectedCallback(): void;
    disconnectedCallback(): void;
    /**
     * @param {string} name
     * @param {string | null} before
     * @param {string | null} after
     */
    attributeChangedCallback(name: string, before: string | null, after: string | null): void;
    /**
     * Connects a user. What is absent is taken from the attributes.
     *
     * @param {Options & {client?: Client}} [options] as for `<roost-chat>`
     * @returns {Promise<void>} resolves when the code of the chat is loaded; rejects if that fails
     */
    connect(options?: (import("./client/client.js").Options & {
        client?: import("./client/client.js").Client | undefined;
    }) | undefined): Promise<void>;
    /** Opens the panel, and moves the focus into it. */
    open(): void;
    /** Closes the panel; the focus goes back to the button if it was in the panel. */
    close(): void;
    /** Opens the panel, or closes it. */
    toggle(): void;
    #private;
}
export type Client = import("./client/client.js").Client;
export type Options = import("./client/client.js").Options;
export type RoostChatElement = import("./chat/roost-chat-element.js").RoostChatElement;
