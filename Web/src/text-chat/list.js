import { h } from "../ui/dom.js";

/** @typedef {import("./rules.js").Row} Row */

// Rows on the page at most, and how many come with one step of scrolling.
const most = 300;
const step = 100;
// In pixels: so near to its end the list follows, and so near to the first or last row on the page come more.
const nearEnd = 80;
const ahead = 800;

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
  constructor({ label, makeRow, updateRow, onChange }) {
    this.#makeRow = makeRow;
    this.#updateRow = updateRow;
    this.#onChange = onChange;
    this.#list = h("ul", { role: "list", class: "rows", hidden: true });
    /** The element that scrolls. */
    this.element = h("div", { class: "list", part: "list", role: "group", tabindex: "0", "aria-label": label },
      this.#list);
    this.element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    // Else it would run again when the list is hidden and shown.
    this.#list.addEventListener("animationend", (event) => {
      /** @type {Element} */ (event.target).classList.remove("fresh");
    });
    this.#sizes = new ResizeObserver(() => this.#resized());
  }

  #makeRow;
  #updateRow;
  #onChange;
  #list;
  #sizes;

  /**
   * All rows, in the order of arrival; only `add` and `remove` change it.
   * @type {Row[]}
   */
  rows = [];
  /** Whether the list is at its end and follows. */
  isFollowing = true;
  /** How many rows came while the list did not follow. */
  newCount = 0;

  // The rows on the page: from #start to before #end.
  #start = 0;
  #end = 0;
  /** @type {Map<Row, HTMLElement>} */
  #elements = new Map();
  /** @type {Set<Row>} */
  #fresh = new Set();
  #isQueued = false;
  #lastTop = 0;
  #size = "";
  // The first visible row and its distance from the upper edge, while the list does not follow.
  /** @type {{row: Row, top: number} | null} */
  #anchor = null;

  /** Begins to follow the size of its place. */
  start() {
    this.#sizes.observe(this.element);
    this.#sizes.observe(this.#list);
    this.place();
  }

  /** Ends what `start` began. */
  stop() {
    this.#sizes.disconnect();
  }

  /**
   * Adds a row at the end.
   *
   * @param {Row} row
   */
  add(row) {
    this.#queue();
    this.rows.push(row);
    this.#fresh.add(row);
    const isWhole = this.#end === this.rows.length - 1;
    if (isWhole && (this.isFollowing || this.#end - this.#start < most)) this.#end += 1;
    this.#start = Math.max(this.#start, this.#end - most);
    if (!this.isFollowing) this.newCount += 1;
  }

  /**
   * Removes a row.
   *
   * @param {Row} row
   */
  remove(row) {
    const index = this.rows.indexOf(row);
    if (index < 0) return;
    this.#queue();
    this.rows.splice(index, 1);
    if (index < this.#start) this.#start -= 1;
    if (index < this.#end) this.#end -= 1;
  }

  /**
   * Shows the changes of a row.
   *
   * @param {Row} row
   */
  update(row) {
    const element = this.#elements.get(row);
    if (element) this.#updateRow(element, row);
  }

  /** Shows every row anew, for another language. */
  updateAll() {
    for (const [row, element] of this.#elements) this.#updateRow(element, row);
  }

  /** Goes to the end, and follows from now on. */
  goToEnd() {
    this.#queue();
    if (this.#end < this.rows.length) this.#window(this.rows.length - 2 * step);
    this.#follow();
  }

  /** Goes to the first row. */
  goToStart() {
    this.#window(0);
    this.#draw();
    this.element.scrollTop = 0;
    this.#scrolled();
  }

  /** Puts the rows where they were relative to the upper edge, or to the end: after a change of rows, size or place. */
  place() {
    if (this.element.clientHeight) {
      this.#restore();
      this.#look();
    }
    this.#onChange();
  }

  #resized() {
    const { scrollTop, clientHeight } = this.element;
    // Where the user has scrolled in this frame counts more than where the rows were.
    if (clientHeight && this.#size === this.#currentSize && Math.abs(scrollTop - this.#lastTop) > 1) this.#look();
    else this.place();
  }

  #restore() {
    const element = this.#anchor && this.#elements.get(this.#anchor.row);
    if (this.isFollowing) {
      this.element.scrollTop = this.element.scrollHeight;
    } else if (this.#anchor && element) {
      const moved = this.#distance(element) - this.#anchor.top;
      if (Math.abs(moved) >= 1) this.element.scrollTop += moved;
    }
    this.#lastTop = this.element.scrollTop;
    this.#size = this.#currentSize;
  }

  get #currentSize() {
    return `${this.element.clientWidth} × ${this.element.clientHeight}`;
  }

  /** @param {number} start */
  #window(start) {
    this.#start = Math.max(0, start);
    this.#end = Math.min(this.rows.length, this.#start + 2 * step);
  }

  #queue() {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#look();
    queueMicrotask(() => {
      this.#isQueued = false;
      this.#draw();
      this.#fresh.clear();
    });
  }

  #draw() {
    const isMoving = this.isFollowing && this.#fresh.size <= 3;
    const wanted = new Set(this.rows.slice(this.#start, this.#end));
    for (const [row, element] of this.#elements) {
      if (wanted.has(row)) continue;
      element.remove();
      this.#elements.delete(row);
    }
    let place = this.#list.firstElementChild;
    for (const row of wanted) {
      let element = this.#elements.get(row);
      if (element) {
        place = element.nextElementSibling;
        continue;
      }
      element = this.#makeRow(row);
      if (isMoving && this.#fresh.has(row)) element.classList.add("fresh");
      this.#elements.set(row, element);
      this.#list.insertBefore(element, place);
    }
    this.#list.hidden = this.rows.length === 0;
    this.place();
  }

  #scrolled() {
    this.#look();
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    if (!this.isFollowing && scrollTop < ahead && this.#start > 0) {
      this.#start = Math.max(0, this.#start - step);
      this.#end = Math.min(this.#end, this.#start + most);
      this.#draw();
    } else if (this.#end < this.rows.length && scrollHeight - scrollTop - clientHeight < ahead) {
      this.#end = Math.min(this.rows.length, this.#end + step);
      this.#start = Math.max(this.#start, this.#end - most);
      this.#draw();
    } else {
      this.#onChange();
    }
  }

  /** Finds out whether the user has scrolled away from the end or to it, and what is visible. */
  #look() {
    if (!this.element.clientHeight) return;
    // Another size moves the rows, and it may be noticed only after the scroll event that comes of that.
    if (this.#size !== this.#currentSize) this.#restore();
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const isAtEnd = this.#end === this.rows.length && scrollHeight - scrollTop - clientHeight <= nearEnd;
    if (isAtEnd) this.#follow();
    // More content or less room moves the end away, too; only a step up leaves it.
    else if (scrollTop < this.#lastTop - 1) this.isFollowing = false;
    this.#lastTop = scrollTop;
    this.#anchor = this.isFollowing ? null : this.#firstVisible();
  }

  #follow() {
    this.isFollowing = true;
    this.newCount = 0;
  }

  #firstVisible() {
    let [low, high] = [this.#start, this.#end];
    while (low < high) {
      const middle = (low + high) >> 1;
      const element = this.#elements.get(this.rows[middle]);
      if (element && this.#distance(element) + element.offsetHeight > 0) high = middle;
      else low = middle + 1;
    }
    const row = this.rows[low];
    const element = row && this.#elements.get(row);
    return element ? { row, top: this.#distance(element) } : null;
  }

  /** @param {HTMLElement} element */
  #distance(element) {
    return element.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.altKey || event.shiftKey || event.metaKey || event.target !== this.element) return;
    if (event.key === "Home") this.goToStart();
    else if (event.key === "End") this.goToEnd();
    else return;
    event.preventDefault();
  }
}
