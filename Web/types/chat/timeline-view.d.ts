/**
 * The list of a conversation: it draws only the rows near the screen, keeps what is visible where it is when something
 * changes above it, follows new rows only at the end, and lets the focus walk over the rows.
 *
 * Every drawn row is measured, so positions are sums of known heights: the anchor (the first visible row and how far
 * it is from the top) survives any splice of the list.
 */
export class TimelineView {
    /**
     * @param {{label: string, makeRow: (item: Item) => HTMLElement,
     *   updateRow: (row: HTMLElement, item: Item, old: Item) => void, estimate: (item: Item) => number,
     *   onposition: () => void, onopen: (row: HTMLElement, item: Item) => void, signal: AbortSignal}} options
     *   `estimate` guesses the height of a row in pixels before it is drawn; `onposition` is called after the reader or
     *   the list has moved; `onopen` for Enter and Space on a row
     */
    constructor(options: {
        label: string;
        makeRow: (item: Item) => HTMLElement;
        updateRow: (row: HTMLElement, item: Item, old: Item) => void;
        estimate: (item: Item) => number;
        onposition: () => void;
        onopen: (row: HTMLElement, item: Item) => void;
        signal: AbortSignal;
    });
    rows: HTMLDivElement;
    element: HTMLDivElement;
    /** Whether the list is at its end and follows new rows. */
    get isFollowing(): boolean;
    /** How many pixels are loaded above the screen. */
    get above(): number;
    /** How many pixels are loaded below the screen. */
    get below(): number;
    /**
     * Shows another list. What is visible stays where it is; at the end it follows, unless newer rows are missing.
     *
     * @param {readonly Item[]} items
     * @param {boolean} hasAfter whether newer rows are missing
     */
    setItems(items: readonly Item[], hasAfter: boolean): void;
    /** Scrolls to the end and follows. */
    goToEnd(): void;
    /**
     * Scrolls to a row.
     *
     * @param {number} index
     * @param {"center" | "top"} position "top" leaves some space for what is before it
     * @returns {HTMLElement | null} the row
     */
    goTo(index: number, position: "center" | "top"): HTMLElement | null;
    /**
     * The drawn row of a key; null if it is not near the screen.
     *
     * @param {string} key
     * @returns {HTMLElement | null}
     */
    row(key: string): HTMLElement | null;
    /**
     * The item of the row that an element is in; null outside of the rows.
     *
     * @param {Element} element
     * @returns {Item | null}
     */
    itemAt(element: Element): Item | null;
    /** Draws all rows near the screen again, for texts that depend on the time. */
    refresh(): void;
    /** Moves the focus to the row where it was last, or to the newest one. */
    focus(): void;
    #private;
}
export type Item = import("../client/types.js").Item;
