/**
 * The list of rows. All rows are kept, and at most 300 of them are on the page: those around the visible ones. At its
 * end the list follows new rows; scrolled up, it stays where it is and counts them.
 *
 * Changes reach the page together, in a microtask.
 */
export class RowList {
    /**
     * @param {{label: string, makeRow: (row: Row) => HTMLElement, updateRow: (element: HTMLElement, row: Row) => void,
     *   onChange: () => void}} options `onChange` is called when `newCount` or whether it is empty may have changed
     */
    constructor({ label, makeRow, updateRow, onChange }: {
        label: string;
        makeRow: (row: Row) => HTMLElement;
        updateRow: (element: HTMLElement, row: Row) => void;
        onChange: () => void;
    });
    /** The element that scrolls. */
    element: HTMLDivElement;
    /**
     * All rows, in the order of arrival; only `add` and `remove` change it.
     * @type {Row[]}
     */
    rows: Row[];
    /** Whether the list is at its end and follows. */
    isFollowing: boolean;
    /** How many rows came while the list did not follow. */
    newCount: number;
    /** Begins to follow the size of its place. */
    start(): void;
    /** Ends what `start` began. */
    stop(): void;
    /**
     * Adds a row at the end.
     *
     * @param {Row} row
     */
    add(row: Row): void;
    /**
     * Removes a row.
     *
     * @param {Row} row
     */
    remove(row: Row): void;
    /**
     * Shows the changes of a row.
     *
     * @param {Row} row
     */
    update(row: Row): void;
    /** Shows every row anew, for another language. */
    updateAll(): void;
    /** Goes to the end, and follows from now on. */
    goToEnd(): void;
    /** Goes to the first row. */
    goToStart(): void;
    /** Puts the rows where they were relative to the upper edge, or to the end: after a change of rows, size or place. */
    place(): void;
    #private;
}
export type Row = import("./rules.js").Row;
