import { focused, h, on, reconcile } from "../../ui/dom.js";
import { RowFocus, keyOf } from "./row-focus.js";
import { RowHeights, spliceBetween, windowOf } from "./row-heights.js";
import { ScrollPosition } from "./scroll-position.js";

/** @typedef {import("../../client/types.js").Item} Item */

const margin = 600;
const maxRows = 240;

/**
 * The list of a conversation: it draws only the rows near the screen, keeps what is visible where it is when something
 * changes above it, follows new rows only at the end, and lets the focus walk over the rows.
 */
export class TimelineView {
  /**
   * @param {{label: string, makeRow: (item: Item) => HTMLElement,
   *   updateRow: (row: HTMLElement, item: Item, old: Item) => void, estimate: (item: Item) => number,
   *   onposition: () => void, onopen: (row: HTMLElement, item: Item) => void, signal: AbortSignal}} options
   *   `estimate` guesses the height of a row in pixels before it is drawn; `onposition` is called after the reader or
   *   the list has moved; `onopen` for Enter and Space on a row
   */
  constructor(options) {
    this.#options = options;
    this.rows = h("div", { class: "rows", role: "list", "aria-label": options.label, part: "timeline" });
    this.element = h("div", { class: "scroller", tabindex: "-1" }, this.rows);
    const { signal } = options;
    on(this.element, "scroll", () => this.#scrolled(), signal, { passive: true });
    this.#focus = new RowFocus(this, options);
    const observer = new ResizeObserver((entries) => this.#resized(entries));
    observer.observe(this.element);
    this.#observer = observer;
    on(signal, "abort", () => observer.disconnect());
  }

  #options;
  #observer;
  #heights = new RowHeights();
  #position = new ScrollPosition(this.#heights);
  #focus;
  /** The drawn rows: from start up to, but not including, end. */
  #start = 0;
  #end = 0;
  /** @type {Map<Element, number>} */
  #places = new Map();
  /** Set while the view itself moves: then the anchor is the truth, not the scroll position. */
  #isMoving = false;
  #isWhole = false;

  /** What is shown. */
  get items() {
    return this.#position.items;
  }

  /** The first and the last item on the screen. */
  get visible() {
    const { top, bottom } = this.#position;
    return [top, bottom].map((place) => this.items[this.#heights.find(place)]);
  }

  /** The items whose ends are on the screen. */
  get whole() {
    const { top, viewHeight } = this.#position;
    const end = this.#heights.find(top + viewHeight);
    const isEnded = this.#heights.top(end + 1) <= top + viewHeight;
    return this.items.slice(this.#heights.find(top), isEnded ? end + 1 : end);
  }

  /** A message near the top, and how far it is from there; null at the end. */
  get place() {
    return this.#position.place;
  }

  /** Whether the list is at its end and follows new rows. */
  get isFollowing() {
    return this.#position.isFollowing;
  }

  /** How many pixels are loaded above the screen. */
  get above() {
    return this.#position.top;
  }

  /** How many pixels are loaded below the screen. */
  get below() {
    const { total, top, viewHeight } = this.#position;
    return Math.max(0, total - top - viewHeight);
  }

  /**
   * Shows another list. What is visible stays where it is; at the end it follows, unless newer rows are missing.
   *
   * @param {readonly Item[]} items
   * @param {boolean} hasAfter whether newer rows are missing
   */
  setItems(items, hasAfter) {
    const before = this.items;
    this.#position.setMore(hasAfter);
    if (items === before) return;
    const { index, removed, inserted } = spliceBetween(before, items);
    if (removed || inserted) {
      /** @type {Map<string, number>} */
      const known = new Map();
      for (let i = index; i < index + removed; i += 1) known.set(before[i].key, this.#heights.at(i));
      const heights = items.slice(index, index + inserted)
        .map((item) => known.get(item.key) ?? this.#options.estimate(item));
      this.#heights.splice(index, removed, heights);
      this.#position.splice(items, { index, removed, inserted });
    }
    this.#position.items = items;
    this.#focus.update();
    this.#draw(true);
  }

  /** Scrolls to the end and follows. */
  goToEnd() {
    this.#position.follow();
    this.#draw();
    this.#options.onposition();
  }

  /**
   * Scrolls to a row.
   *
   * @param {number} index
   * @param {"center" | "top" | number} position "top" leaves some space for what is before it; a number is how far the
   *   row is from the top
   * @returns {HTMLElement | null} the row
   */
  goTo(index, position) {
    if (!this.items[index]) return null;
    const viewHeight = this.#viewHeight();
    const space = typeof position === "number" ? position :
      position === "top" ? Math.min(96, viewHeight / 5) : Math.max(24, (viewHeight - this.#heights.at(index)) / 2);
    this.#position.hold(index, space);
    this.#draw();
    // At an end of the list the row stands elsewhere.
    this.#position.take(this.#position.top);
    this.#options.onposition();
    return this.row(this.items[index].key);
  }

  /**
   * The drawn row of a key; null if it is not near the screen.
   *
   * @param {string} key
   * @returns {HTMLElement | null}
   */
  row(key) {
    for (const row of this.rows.children) if (keyOf(row) === key) return /** @type {HTMLElement} */ (row);
    return null;
  }

  /**
   * The item of the row that an element is in; null outside of the rows.
   *
   * @param {Element} element
   * @returns {Item | null}
   */
  itemAt(element) {
    const row = element.closest("[data-key]");
    const index = row ? this.#places.get(row) : undefined;
    return index === undefined ? null : this.items[index];
  }

  /** Draws all rows near the screen again, for texts that depend on the time. */
  refresh() {
    for (const [row, index] of this.#places) {
      const item = this.items[index];
      this.#updateRow(/** @type {HTMLElement} */ (row), item, item);
    }
    this.#measure([...this.#places.keys()]);
    this.#draw();
  }

  /**
   * Draws all rows, as paper needs them, or only those near the screen again.
   *
   * @param {boolean} isWhole
   */
  drawWhole(isWhole) {
    this.#isWhole = isWhole;
    this.#draw(true);
  }

  /** Moves the focus to the row where it was last, or to the newest one. */
  focus() {
    if (!this.#focus.focus()) this.element.focus({ preventScroll: true });
  }

  /** The height of the screen, which is measured before the observer has told it. */
  #viewHeight() {
    return (this.#position.viewHeight ||= this.element.clientHeight);
  }

  #draw(isChanged = false) {
    let mustReconcile = isChanged;
    const height = this.#viewHeight();
    for (let pass = 0; pass < 4; pass += 1) {
      const view = { top: this.#position.top, height, margin, most: maxRows };
      const { start, end } = this.#isWhole ? { start: 0, end: this.#heights.count } : windowOf(this.#heights, view);
      if (!mustReconcile && start === this.#start && end === this.#end) break;
      mustReconcile = false;
      this.#reconcile(start, end);
    }
    this.#isMoving = true;
    const { top } = this.#position;
    if (Math.abs(this.element.scrollTop - top) > 0.4) this.element.scrollTop = top;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #reconcile(start, end) {
    const focus = focused();
    const focusKey = focus && this.rows.contains(focus) ? keyOf(focus) : "";
    const items = this.items.slice(start, end);
    if (focusKey && !items.some((item) => item.key === focusKey)) this.element.focus({ preventScroll: true });
    /** @type {Element[]} */
    const changed = [];
    reconcile(this.rows, items, (item) => item.key, (item) => {
      const row = this.#options.makeRow(item);
      row.dataset.key = item.key;
      this.#observer.observe(row);
      changed.push(row);
      this.#focus.mark(row);
      return row;
    }, (row, item, old) => {
      this.#updateRow(row, item, old);
      changed.push(row);
    });
    const left = this.#places;
    this.#places = new Map();
    let index = start;
    for (const row of this.rows.children) {
      this.#places.set(row, index);
      left.delete(row);
      index += 1;
    }
    for (const row of left.keys()) this.#observer.unobserve(row);
    this.#start = start;
    this.#end = end;
    this.#measure(changed);
    this.#pad();
  }

  /**
   * Draws a row again. The focus stays in it, though what had it may have been replaced.
   *
   * @param {HTMLElement} row
   * @param {Item} item
   * @param {Item} old
   */
  #updateRow(row, item, old) {
    const hadFocus = row.contains(focused());
    this.#options.updateRow(row, item, old);
    this.#focus.mark(row);
    if (hadFocus && !row.contains(focused())) row.focus({ preventScroll: true });
  }

  #pad() {
    const { style } = this.rows;
    style.paddingTop = `${this.#heights.top(this.#start)}px`;
    style.paddingBottom = `${this.#position.total - this.#heights.top(this.#end)}px`;
  }

  /** @param {Element[]} rows */
  #measure(rows) {
    const measured = rows.map((row) => row.getBoundingClientRect().height);
    rows.forEach((row, i) => {
      const index = this.#places.get(row);
      if (index !== undefined && measured[i]) this.#heights.set(index, measured[i]);
    });
  }

  /** @param {ResizeObserverEntry[]} entries */
  #resized(entries) {
    if (this.#isWhole) return;
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const height = borderBoxSize[0].blockSize;
      const index = this.#places.get(target);
      if (target === this.element) {
        isChanged ||= Math.abs(this.#position.viewHeight - height) > 0.1;
        this.#position.viewHeight = height;
      } else if (index !== undefined && height && Math.abs(this.#heights.at(index) - height) > 0.1) {
        this.#heights.set(index, height);
        isChanged = true;
      }
    }
    if (!isChanged) return;
    this.#pad();
    this.#draw();
    this.#options.onposition();
  }

  #scrolled() {
    const height = this.#viewHeight();
    // A list that is not shown, or on paper, has no position: the browser, not a reader, moves it.
    if (!height || this.#isWhole) return;
    const { scrollTop: top } = this.element;
    // A scroll that this view made ends where the anchor wants it; taking it over would lose fractions of pixels.
    if (!this.#isMoving || Math.abs(top - this.#position.top) > 1) {
      this.#position.take(Math.max(0, top));
      const { start, end } = windowOf(this.#heights, { top, height, margin: margin / 2, most: maxRows });
      if (start < this.#start || end > this.#end) this.#draw();
    }
    this.#isMoving = false;
    this.#options.onposition();
  }
}
