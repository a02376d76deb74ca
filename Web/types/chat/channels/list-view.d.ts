/**
 * The list of the user's conversations: search, invitations, and a row for each, the newest activity first.
 *
 * A conversation that moves to the top takes neither the focus nor what is on the screen with it. At the end of the
 * list the next page is loaded. The focus is on one row at a time; arrow keys, Home and End move it, Enter opens, and
 * the menu key or a long press opens the menu of a row.
 */
export class ChannelListView {
    /**
     * @param {Client} client
     * @param {Texts} t
     * @param {{onSelect: (channel: string | null) => void, onFailure?: (error: any) => void, isDev?: boolean}} callbacks
     *   `onSelect` is called for what is to be opened: a row, a new conversation, or a channel that was joined; null if
     *   the open channel was left
     */
    constructor(client: Client, t: Texts, callbacks: {
        onSelect: (channel: string | null) => void;
        onFailure?: ((error: any) => void) | undefined;
        isDev?: boolean | undefined;
    });
    /** The element to put into the page; it fills its place. */
    element: HTMLElement;
    /**
     * Marks the row of the channel that is open.
     *
     * @param {string | null} channel null if none is
     */
    select(channel: string | null): void;
    /** Moves the focus to the row where it was last. */
    focus(): void;
    /** Moves the focus to the search field. */
    focusSearch(): void;
    /**
     * Opens the conversation beside the one that is open.
     *
     * @param {1 | -1} step
     */
    selectNext(step: 1 | -1): void;
    /** Opens the menu of what can be begun. */
    openNewMenu(): void;
    /** Ends the view: it follows the client no more. */
    destroy(): void;
    #private;
}
export type Channel = import("../../client/types.js").Channel;
export type Client = import("../../roost.js").Client;
export type Texts = import("../../texts/texts.js").Texts;
