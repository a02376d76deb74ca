import { on } from "../../ui/dom.js";

/** @typedef {import("../../client/types.js").Item} Item */

/**
 * Whether the focus stops at an item: at messages and lines, not at separators.
 *
 * @param {Item} item
 */
export const isStop = (item) => item.kind === "message" || item.kind === "line";

/**
 * The key of the row that an element is in; empty outside of the rows.
 *
 * @param {any} element
 * @returns {string}
 */
export const keyOf = (element) => element.closest?.("[data-key]")?.dataset.key ?? "";

/** The focus in a list of rows: Tab stops at one of them, and keys move it to others and open them. */
export class RowFocus {
  /**
   * @param {import("./timeline-view.js").TimelineView} timeline
   * @param {{onopen: (row: HTMLElement, item: Item) => void, signal: AbortSignal}} options
   */
  constructor(timeline, { onopen, signal }) {
    this.#timeline = timeline;
    this.#onopen = onopen;
    on(timeline.rows, "keydown", (event) => this.#keyPressed(event), signal);
    on(timeline.rows, "focusin", (event) => this.#choose(keyOf(event.target)), signal);
  }

  #timeline;
  #onopen;
  /** The key of the row where Tab stops: the one that had the focus last, or the newest. */
  #key = "";
  #hasChosen = false;

  /** Another list is to be shown. */
  update() {
    const { items } = this.#timeline;
    if (this.#hasChosen && items.some((item) => item.key === this.#key)) return;
    this.#hasChosen = false;
    for (let i = items.length - 1; i >= 0; i -= 1) {
      if (!isStop(items[i])) continue;
      this.#key = items[i].key;
      break;
    }
  }

  /**
   * Lets Tab stop at a row that was drawn and at what is in it, or not.
   *
   * @param {HTMLElement} row
   */
  mark(row) {
    const tabIndex = keyOf(row) === this.#key ? 0 : -1;
    if (row.hasAttribute("tabindex")) row.tabIndex = tabIndex;
    for (const part of row.querySelectorAll("a, button, input, audio, video")) {
      /** @type {HTMLElement} */ (part).tabIndex = tabIndex;
    }
  }

  /** Moves the focus to the row where Tab stops; false if there is none. */
  focus() {
    const index = this.#timeline.items.findIndex((item) => item.key === this.#key);
    if (index >= 0) this.#move(index);
    return index >= 0;
  }

  /** @param {string} key */
  #choose(key) {
    if (!key || key === this.#key) return;
    const rows = [this.#timeline.row(this.#key), this.#timeline.row(key)];
    this.#key = key;
    this.#hasChosen = true;
    for (const row of rows) if (row) this.mark(row);
  }

  /** @param {number} index */
  #move(index) {
    const { key } = this.#timeline.items[index];
    const row = this.#timeline.row(key) ?? this.#timeline.goTo(index, "center");
    if (!row) return;
    this.#choose(key);
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.matches("input, textarea")) return;
    const { items } = this.#timeline;
    const item = this.#timeline.itemAt(target);
    if (!item) return;
    const { key } = event;
    if ("key" in target.dataset && (key === "Enter" || key === " ")) {
      event.preventDefault();
      this.#onopen(target, item);
      return;
    }
    const index = items.indexOf(item);
    const last = items.length - 1;
    const step = key === "ArrowUp" || key === "End" ? -1 : 1;
    let next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[key];
    if (next === undefined) return;
    event.preventDefault();
    while (items[next] && !isStop(items[next])) next += step;
    if (items[next]) this.#move(next);
  }
}
