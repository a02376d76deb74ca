/**
 * The heights of a list of rows, with sums by a Fenwick tree: appending, changing a height and finding a row by its
 * offset take O(log n) steps; any other splice rebuilds the tree in O(n).
 */
export class RowHeights {
  /** @type {number[]} */
  #heights = [];
  /** The tree, from 1; `#tree[i]` is the sum of the `i & -i` heights that end at row `i - 1`. @type {number[]} */
  #tree = [0];

  /** How many rows there are. */
  get count() {
    return this.#heights.length;
  }

  /** The height of all rows together. */
  get total() {
    return this.top(this.count);
  }

  /**
   * The height of a row.
   *
   * @param {number} index
   */
  at(index) {
    return this.#heights[index];
  }

  /**
   * Replaces rows.
   *
   * @param {number} index
   * @param {number} removed how many rows go
   * @param {number[]} inserted the heights of the rows that come
   */
  splice(index, removed, inserted) {
    const isAppending = index === this.count && !removed;
    this.#heights.splice(index, removed, ...inserted);
    if (isAppending) for (let row = index; row < this.count; row += 1) this.#append(row);
    else this.#rebuild();
  }

  /**
   * Changes the height of a row; returns the difference.
   *
   * @param {number} index
   * @param {number} height
   */
  set(index, height) {
    const difference = height - this.#heights[index];
    if (!difference) return 0;
    this.#heights[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.#tree[i] += difference;
    return difference;
  }

  /**
   * The offset of a row from the top: the sum of the heights before it.
   *
   * @param {number} index up to and including the number of rows
   */
  top(index) {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.#tree[i];
    return sum;
  }

  /**
   * The row at an offset; the first or last one if the offset is outside. 0 if there are none.
   *
   * @param {number} offset
   */
  find(offset) {
    let index = 0;
    let rest = offset;
    let step = 1;
    while (step * 2 <= this.count) step *= 2;
    for (; step; step = Math.floor(step / 2)) {
      if (index + step <= this.count && this.#tree[index + step] <= rest) {
        index += step;
        rest -= this.#tree[index];
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }

  /** @param {number} row */
  #append(row) {
    const i = row + 1;
    let sum = this.#heights[row];
    for (let part = i - 1, end = i - (i & -i); part > end; part -= part & -part) sum += this.#tree[part];
    this.#tree[i] = sum;
  }

  #rebuild() {
    this.#tree.length = 1;
    for (let row = 0; row < this.count; row += 1) this.#append(row);
  }
}

/**
 * The difference of two lists as one splice: `removed` rows of the old list at `index` were replaced by `inserted`
 * rows of the new one. Rows are the same if their keys are.
 *
 * @template {{key: string}} T
 * @param {readonly T[]} before
 * @param {readonly T[]} after
 * @returns {{index: number, removed: number, inserted: number}}
 */
export function spliceBetween(before, after) {
  const most = Math.min(before.length, after.length);
  /** @param {T} left @param {T} right */
  const isSame = (left, right) => left === right || left.key === right.key;
  let head = 0;
  while (head < most && isSame(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(before[before.length - 1 - tail], after[after.length - 1 - tail])) tail += 1;
  return { index: head, removed: before.length - head - tail, inserted: after.length - head - tail };
}

/**
 * The rows to draw for a scroll position: the visible ones and `margin` pixels before and after, at most `most` rows.
 *
 * @param {RowHeights} heights
 * @param {{top: number, height: number, margin: number, most: number}} view
 * @returns {{start: number, end: number}} rows from `start` up to, but not including, `end`
 */
export function windowOf(heights, { top, height, margin, most }) {
  if (!heights.count) return { start: 0, end: 0 };
  let start = heights.find(top - margin);
  let end = heights.find(top + height + margin) + 1;
  if (end - start > most) {
    const middle = heights.find(top + height / 2);
    start = Math.max(start, middle - Math.floor(most / 2));
    end = Math.min(end, start + most);
  }
  return { start, end };
}

/**
 * Whether a list follows new messages: it does within 80 pixels of its end.
 *
 * @param {{top: number, height: number, total: number}} view
 */
export function isAtEnd({ top, height, total }) {
  return total - top - height <= 80;
}
