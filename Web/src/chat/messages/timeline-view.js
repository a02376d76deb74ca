import { focused, h, on, reconcile } from "../../ui/dom.js";
import { RowHeights, isAtEnd, spliceBetween, windowOf } from "./row-heights.js";

/** @typedef {import("../../client/types.js").Item} Item */

const margin = 600;
const maxRows = 240;
const endSpace = 12;

/**
 * The list of a conversation: it draws only the rows near the screen, keeps what is visible where it is when something
 * changes above it, follows new rows only at the end, and lets the focus walk over the rows.
 *
 * Every drawn row is measured, so positions are sums of known heights: the anchor (a visible row and how far
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
  constructor(options) {
    this.#options = options;
    this.rows = h("div", { class: "rows", role: "list", "aria-label": options.label, part: "timeline" });
    this.element = h("div", { class: "scroller", tabindex: "-1" }, this.rows);
    const { signal } = options;
    on(this.element, "scroll", () => this.#scrolled(), signal, { passive: true });
    on(this.rows, "keydown", (event) => this.#keyPressed(event), signal);
    on(this.rows, "focusin", (event) => this.#activate(this.#keyOf(event.target)), signal);
    const observer = new ResizeObserver((entries) => this.#resized(entries));
    observer.observe(this.element);
    this.#observer = observer;
    on(signal, "abort", () => observer.disconnect());
  }

  #options;
  #observer;
  #heights = new RowHeights();
  /** @type {readonly Item[]} */
  #items = [];
  /** The drawn rows: from start up to, but not including, end. */
  #start = 0;
  #end = 0;
  /** @type {Map<Element, number>} */
  #places = new Map();
  #viewHeight = 0;
  #anchor = { index: 0, offset: 0 };
  /** Whether the end stays at the lower edge, whatever changes its height. */
  #isPinned = true;
  #isFollowing = true;
  #hasMore = false;
  #activeKey = "";
  #hasChosen = false;
  /** Set while the view itself moves: then the anchor is the truth, not the scroll position. */
  #isMoving = false;
  #isWhole = false;

  /** What is shown. */
  get items() {
    return this.#items;
  }

  /** The first and the last item on the screen. */
  get visible() {
    const top = this.#target();
    return [top, top + this.#viewHeight - endSpace].map((place) => this.#items[this.#heights.find(place)]);
  }

  /** The items whose ends are on the screen. */
  get whole() {
    const top = this.#target();
    const end = this.#heights.find(top + this.#viewHeight);
    const isEnded = this.#heights.top(end + 1) <= top + this.#viewHeight;
    return this.#items.slice(this.#heights.find(top), isEnded ? end + 1 : end);
  }

  /** A message near the top, and how far it is from there; null at the end. */
  get place() {
    const { index, offset } = this.#anchor;
    for (let at = index; !this.#isFollowing && at < this.#items.length; at += 1) {
      const item = this.#items[at];
      const messageID = item.kind === "message" && item.message.messageID;
      if (messageID) return { messageID, offset: offset + this.#heights.top(at) - this.#heights.top(index) };
    }
    return null;
  }

  /** Whether the list is at its end and follows new rows. */
  get isFollowing() {
    return this.#isFollowing;
  }

  /** How many pixels are loaded above the screen. */
  get above() {
    return this.#target();
  }

  /** How many pixels are loaded below the screen. */
  get below() {
    return Math.max(0, this.#heights.total + endSpace - this.#target() - this.#viewHeight);
  }

  /**
   * Shows another list. What is visible stays where it is; at the end it follows, unless newer rows are missing.
   *
   * @param {readonly Item[]} items
   * @param {boolean} hasAfter whether newer rows are missing
   */
  setItems(items, hasAfter) {
    const before = this.#items;
    if (hasAfter && !this.#hasMore) this.#takePosition(this.#target());
    this.#hasMore = hasAfter;
    if (hasAfter) this.#isFollowing = this.#isPinned = false;
    if (items === before) return;
    const { index, removed, inserted } = spliceBetween(before, items);
    if (removed || inserted) {
      /** @type {Map<string, number>} */
      const known = new Map();
      for (let i = index; i < index + removed; i += 1) known.set(before[i].key, this.#heights.at(i));
      const heights = items.slice(index, index + inserted)
        .map((item) => known.get(item.key) ?? this.#options.estimate(item));
      this.#heights.splice(index, removed, heights);
      this.#moveAnchor(before, items, { index, removed, inserted });
      if (this.#isFollowing && index + inserted === items.length) this.#isPinned = true;
    }
    this.#items = items;
    if (!this.#hasChosen || !items.some((item) => item.key === this.#activeKey)) {
      this.#hasChosen = false;
      for (let i = items.length - 1; i >= 0; i -= 1) {
        if (!isStop(items[i])) continue;
        this.#activeKey = items[i].key;
        break;
      }
    }
    this.#draw(true);
  }

  /** Scrolls to the end and follows. */
  goToEnd() {
    this.#isFollowing = this.#isPinned = true;
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
    if (!this.#items[index]) return null;
    this.#isFollowing = this.#isPinned = false;
    this.#viewHeight ||= this.element.clientHeight;
    const space = typeof position === "number" ? position :
      position === "top" ? Math.min(96, this.#viewHeight / 5) :
      Math.max(24, (this.#viewHeight - this.#heights.at(index)) / 2);
    this.#anchor = { index, offset: space };
    this.#draw();
    // At an end of the list the row stands elsewhere.
    this.#takePosition(this.#target());
    this.#options.onposition();
    return this.row(this.#items[index].key);
  }

  /**
   * The drawn row of a key; null if it is not near the screen.
   *
   * @param {string} key
   * @returns {HTMLElement | null}
   */
  row(key) {
    for (const row of this.rows.children) if (this.#keyOf(row) === key) return /** @type {HTMLElement} */ (row);
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
    return index === undefined ? null : this.#items[index];
  }

  /** Draws all rows near the screen again, for texts that depend on the time. */
  refresh() {
    for (const [row, index] of this.#places) {
      const item = this.#items[index];
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
    const index = this.#items.findIndex((item) => item.key === this.#activeKey);
    if (index >= 0) this.#focusRow(index);
    else this.element.focus({ preventScroll: true });
  }

  /** @param {any} target */
  #keyOf(target) {
    return target.closest?.("[data-key]")?.dataset.key ?? "";
  }

  /** The scroll position that keeps the anchor, or the end. */
  #target() {
    const most = Math.max(0, this.#heights.total + endSpace - this.#viewHeight);
    if (this.#isPinned) return most;
    return Math.max(0, Math.min(most, this.#heights.top(this.#anchor.index) - this.#anchor.offset));
  }

  /**
   * @param {readonly Item[]} before
   * @param {readonly Item[]} after
   * @param {{index: number, removed: number, inserted: number}} splice
   */
  #moveAnchor(before, after, { index, removed, inserted }) {
    const { index: place } = this.#anchor;
    if (place < index) return;
    if (place >= index + removed) {
      this.#anchor.index = place + inserted - removed;
      return;
    }
    // The anchor is inside of what changed: the nearest row that is still there takes over.
    /** @type {Map<string, number>} */
    const places = new Map();
    for (let i = index; i < index + inserted; i += 1) places.set(after[i].key, i);
    for (let i = place; i < index + removed; i += 1) {
      const found = places.get(before[i].key);
      if (found !== undefined) {
        this.#anchor.index = found;
        return;
      }
    }
    this.#anchor.index = Math.max(0, Math.min(index + inserted, after.length - 1));
  }

  #draw(isChanged = false) {
    let mustReconcile = isChanged;
    this.#viewHeight ||= this.element.clientHeight;
    for (let pass = 0; pass < 4; pass += 1) {
      const top = this.#target();
      const view = { top, height: this.#viewHeight, margin, most: maxRows };
      const { start, end } = this.#isWhole ? { start: 0, end: this.#heights.count } : windowOf(this.#heights, view);
      if (!mustReconcile && start === this.#start && end === this.#end) break;
      mustReconcile = false;
      this.#reconcile(start, end);
    }
    this.#isMoving = true;
    const top = this.#target();
    if (Math.abs(this.element.scrollTop - top) > 0.4) this.element.scrollTop = top;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #reconcile(start, end) {
    const focus = focused();
    const focusKey = focus && this.rows.contains(focus) ? this.#keyOf(focus) : "";
    const items = this.#items.slice(start, end);
    if (focusKey && !items.some((item) => item.key === focusKey)) this.element.focus({ preventScroll: true });
    /** @type {Element[]} */
    const changed = [];
    reconcile(this.rows, items, (item) => item.key, (item) => {
      const row = this.#options.makeRow(item);
      row.dataset.key = item.key;
      this.#observer.observe(row);
      changed.push(row);
      setStop(row, item.key === this.#activeKey);
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
    setStop(row, item.key === this.#activeKey);
    if (hadFocus && !row.contains(focused())) row.focus({ preventScroll: true });
  }

  #pad() {
    const { style } = this.rows;
    style.paddingTop = `${this.#heights.top(this.#start)}px`;
    style.paddingBottom = `${this.#heights.total - this.#heights.top(this.#end) + endSpace}px`;
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
        isChanged ||= Math.abs(this.#viewHeight - height) > 0.1;
        this.#viewHeight = height;
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
    this.#viewHeight ||= this.element.clientHeight;
    // A list that is not shown, or on paper, has no position: the browser, not a reader, moves it.
    if (!this.#viewHeight || this.#isWhole) return;
    const { scrollTop: top } = this.element;
    // A scroll that this view made ends where the anchor wants it; taking it over would lose fractions of pixels.
    if (!this.#isMoving || Math.abs(top - this.#target()) > 1) {
      this.#takePosition(Math.max(0, top));
      const { start, end } = windowOf(
        this.#heights, { top, height: this.#viewHeight, margin: margin / 2, most: maxRows });
      if (start < this.#start || end > this.#end) this.#draw();
    }
    this.#isMoving = false;
    this.#options.onposition();
  }

  /** @param {number} top */
  #takePosition(top) {
    const view = { top, height: this.#viewHeight, total: this.#heights.total + endSpace };
    this.#isFollowing = !this.#hasMore && isAtEnd(view);
    this.#isPinned = this.#isFollowing && view.total - top - view.height < 2;
    const { count } = this.#heights;
    const first = this.#heights.find(top);
    const oldest = this.#items.findIndex(isStop);
    let index = first;
    // Older rows come between a separator and the row below it, and take the sender's name from the oldest message. A
    // row that begins above the screen may become higher there.
    const isFirm = () => isStop(this.#items[index]) && index !== oldest && this.#heights.top(index) >= top;
    while (index < count && !isFirm()) index += 1;
    if (index === count || this.#heights.top(index) >= top + this.#viewHeight) {
      for (index = first; index < count - 1 && !isStop(this.#items[index]); ) index += 1;
    }
    this.#anchor = { index, offset: this.#heights.top(index) - top };
  }

  /** @param {string} key */
  #activate(key) {
    if (!key || key === this.#activeKey) return;
    const old = this.row(this.#activeKey);
    if (old) setStop(old, false);
    this.#activeKey = key;
    this.#hasChosen = true;
    const row = this.row(key);
    if (row) setStop(row, true);
  }

  /** @param {number} index */
  #focusRow(index) {
    const key = this.#items[index].key;
    const row = this.row(key) ?? this.goTo(index, "center");
    if (!row) return;
    this.#activate(key);
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.matches("input, textarea")) return;
    const row = /** @type {HTMLElement} */ (target.closest("[data-key]"));
    const index = this.#places.get(row);
    if (index === undefined) return;
    const { key } = event;
    if (target === row && (key === "Enter" || key === " ")) {
      event.preventDefault();
      this.#options.onopen(row, this.#items[index]);
      return;
    }
    const last = this.#items.length - 1;
    const step = key === "ArrowUp" || key === "End" ? -1 : 1;
    let next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[key];
    if (next === undefined) return;
    event.preventDefault();
    while (this.#items[next] && !isStop(this.#items[next])) next += step;
    if (this.#items[next]) this.#focusRow(next);
  }
}

/**
 * Whether the focus stops at an item: at messages and lines, not at separators.
 *
 * @param {Item} item
 */
const isStop = (item) => item.kind === "message" || item.kind === "line";

/**
 * Lets Tab stop at a row and what is in it, or not.
 *
 * @param {HTMLElement} row
 * @param {boolean} isActive
 */
function setStop(row, isActive) {
  if (row.hasAttribute("tabindex")) row.tabIndex = isActive ? 0 : -1;
  for (const part of row.querySelectorAll("a, button, input, audio, video")) {
    /** @type {HTMLElement} */ (part).tabIndex = isActive ? 0 : -1;
  }
}
