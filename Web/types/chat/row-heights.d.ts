/**
 * The difference of two lists as one splice: `removed` rows of the old list at `index` were replaced by `inserted`
 * rows of the new one. Rows are the same if their keys are.
 *
 * @template {{key: string}} T
 * @param {readonly T[]} before
 * @param {readonly T[]} after
 * @returns {{index: number, removed: number, inserted: number}}
 */
export function spliceBetween<T extends {
    key: string;
}>(before: readonly T[], after: readonly T[]): {
    index: number;
    removed: number;
    inserted: number;
};
/**
 * The rows to draw for a scroll position: the visible ones and `margin` pixels before and after, at most `most` rows.
 *
 * @param {RowHeights} heights
 * @param {{top: number, height: number, margin: number, most: number}} view
 * @returns {{start: number, end: number}} rows from `start` up to, but not including, `end`
 */
export function windowOf(heights: RowHeights, { top, height, margin, most }: {
    top: number;
    height: number;
    margin: number;
    most: number;
}): {
    start: number;
    end: number;
};
/**
 * Whether a list follows new messages: it does within 80 pixels of its end.
 *
 * @param {{top: number, height: number, total: number}} view
 */
export function isAtEnd({ top, height, total }: {
    top: number;
    height: number;
    total: number;
}): boolean;
/**
 * The heights of a list of rows, with sums by a Fenwick tree: appending, changing a height and finding a row by its
 * offset take O(log n) steps; any other splice rebuilds the tree in O(n).
 */
export class RowHeights {
    /** How many rows there are. */
    get count(): number;
    /** The height of all rows together. */
    get total(): number;
    /**
     * The height of a row.
     *
     * @param {number} index
     */
    at(index: number): number;
    /**
     * Replaces rows.
     *
     * @param {number} index
     * @param {number} removed how many rows go
     * @param {number[]} inserted the heights of the rows that come
     */
    splice(index: number, removed: number, inserted: number[]): void;
    /**
     * Changes the height of a row; returns the difference.
     *
     * @param {number} index
     * @param {number} height
     */
    set(index: number, height: number): number;
    /**
     * The offset of a row from the top: the sum of the heights before it.
     *
     * @param {number} index up to and including the number of rows
     */
    top(index: number): number;
    /**
     * The row at an offset; the first or last one if the offset is outside. 0 if there are none.
     *
     * @param {number} offset
     */
    find(offset: number): number;
    #private;
}
