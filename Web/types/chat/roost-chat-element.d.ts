/** @typedef {import("../client/client.js").Client} Client */
/** @typedef {import("../client/client.js").Options} Options */
/**
 * `<roost-chat>`: a chat in a page. With `channel` or `user` it is one conversation; without both, the list of
 * conversations and the open one side by side, or one of them at a time where it is narrow. It fills the height that
 * the page gives it. Several may be on one page.
 *
 * Attributes: `server` (the address; the page's own origin if absent), `token` (rather give it to `connect`, so that it
 * is not in the page), `guest` (a user id, then perhaps a space and a name; for servers in dev mode), `channel` (the id
 * of the conversation), `user` (the user id of the other one of a 1-on-1), `lang` (`en`, `de`, `zh-Hant`, `ko`, `ar`;
 * the browser's languages if absent), `theme` (`light` or `dark`; the system's if absent), `mode` (`both` shows the
 * list also with a channel), `keys` (`page`: keys work wherever the focus is in the page, not only in the element).
 *
 * Events, which do not bubble: `ready` (there is something to show), `message` (detail `{channel, message, isOwn}`: a
 * live message), `unread` (detail `{total}`), `error` (detail: the reason why the server refuses the user), `open`
 * (detail `{channel}`: another conversation is shown; null if none is), `close` (detail `{channel}`: a conversation was
 * left that was started from this one).
 *
 * Slots: `header` (at the end of the header of the conversation), `empty` (in place of the text without messages or
 * conversation), `account` (before the title of the list).
 *
 * Parts: `conversation`, `header`, `timeline`, `row`, `message`, `line`, `day`, `unread`, `sender`, `bubble`,
 * `own-bubble`, `other-bubble`, `text`, `reaction`, `avatar`, `jump`, `composer`, `field`, `channel-list`,
 * `connection`, `dialog`, `menu`, `toast`, `lightbox`. Colours, sizes and the font are custom properties;
 * `ui/styles.js` has them all.
 */
export class RoostChatElement extends HTMLElement {
    static get observedAttributes(): string[];
    /** The client; null before `connect`. */
    get client(): import("../client/client.js").Client | null;
    /** The conversation that is shown; null if none is. */
    get conversation(): import("../roost.js").Conversation | null;
    /** The list of conversations; null if it is not shown. */
    get list(): import("./channels/list-view.js").ChannelListView | null;
    /** The texts of the language in use. */
    get texts(): import("../texts/texts.js").Texts;
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
     * @param {Options & {client?: Client}} [options] as for `connect` of `roost.js`; `client` is one that is connected
     *   already and that the page closes itself
     * @returns {Promise<void>} resolves when there is something to show
     */
    connect(options?: (import("../client/client.js").Options & {
        client?: import("../client/client.js").Client | undefined;
    }) | undefined): Promise<void>;
    /**
     * Shows a conversation.
     *
     * @param {string | null} channel null shows none; where it is narrow, the list
     */
    open(channel: string | null): void;
    /** Moves the focus into the field of the conversation, or to the list. */
    focus(): void;
    #private;
}
export type Client = import("../client/client.js").Client;
export type Options = import("../client/client.js").Options;
