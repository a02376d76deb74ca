import { isAtEnd } from "./row-heights.js";
import { isStop } from "./row-focus.js";

/** @typedef {import("../../client/types.js").Item} Item */

/** So much space, in pixels, is below the last row. */
const endSpace = 12;

/**
 * Where a reader is in a list: at its end, which it follows, or at its anchor: a visible row and how far it is from the
 * top. As the position is a sum of known heights, it survives any splice of the list.
 */
export class ScrollPosition {
  /** @param {import("./row-heights.js").RowHeights} heights */
  constructor(heights) {
    this.#heights = heights;
  }

  #heights;
  /** @type {readonly Item[]} */
  items = [];
  viewHeight = 0;
  #anchor = { index: 0, offset: 0 };
  /** Whether the end stays at the lower edge, whatever changes its height. */
  #isPinned = true;
  #isFollowing = true;
  #hasMore = false;

  /** Whether the list is at its end and follows new rows. */
  get isFollowing() {
    return this.#isFollowing;
  }

  /** The height of the list. */
  get total() {
    return this.#heights.total + endSpace;
  }

  /** How many pixels are above the screen: the scroll position that keeps the anchor, or the end. */
  get top() {
    const most = Math.max(0, this.total - this.viewHeight);
    if (this.#isPinned) return most;
    return Math.max(0, Math.min(most, this.#heights.top(this.#anchor.index) - this.#anchor.offset));
  }

  /** The lower edge of the screen, above the space at the end. */
  get bottom() {
    return this.top + this.viewHeight - endSpace;
  }

  /** A message near the top, and how far it is from there; null at the end. */
  get place() {
    const { index, offset } = this.#anchor;
    for (let at = index; !this.#isFollowing && at < this.items.length; at += 1) {
      const item = this.items[at];
      const messageID = item.kind === "message" && item.message.messageID;
      if (messageID) return { messageID, offset: offset + this.#heights.top(at) - this.#heights.top(index) };
    }
    return null;
  }

  /** Goes to the end and follows. */
  follow() {
    this.#isFollowing = this.#isPinned = true;
  }

  /**
   * Makes a row the anchor.
   *
   * @param {number} index
   * @param {number} offset how far it is from the top
   */
  hold(index, offset) {
    this.#isFollowing = this.#isPinned = false;
    this.#anchor = { index, offset };
  }

  /** @param {boolean} hasMore whether newer rows are missing: then there is no end to follow */
  setMore(hasMore) {
    if (hasMore && !this.#hasMore) this.take(this.top);
    this.#hasMore = hasMore;
    if (hasMore) this.#isFollowing = this.#isPinned = false;
  }

  /**
   * Takes over where the reader has scrolled to.
   *
   * @param {number} top
   */
  take(top) {
    const view = { top, height: this.viewHeight, total: this.total };
    this.#isFollowing = !this.#hasMore && isAtEnd(view);
    this.#isPinned = this.#isFollowing && view.total - top - view.height < 2;
    const { count } = this.#heights;
    const first = this.#heights.find(top);
    const oldest = this.items.findIndex(isStop);
    let index = first;
    // Older rows come between a separator and the row below it, and take the sender's name from the oldest message. A
    // row that begins above the screen may become higher there.
    const isFirm = () => isStop(this.items[index]) && index !== oldest && this.#heights.top(index) >= top;
    while (index < count && !isFirm()) index += 1;
    if (index === count || this.#heights.top(index) >= top + this.viewHeight) {
      for (index = first; index < count - 1 && !isStop(this.items[index]); ) index += 1;
    }
    this.#anchor = { index, offset: this.#heights.top(index) - top };
  }

  /**
   * Keeps the anchor in another list, whose heights are known already.
   *
   * @param {readonly Item[]} items
   * @param {{index: number, removed: number, inserted: number}} splice
   */
  splice(items, { index, removed, inserted }) {
    if (this.#isFollowing && index + inserted === items.length) this.#isPinned = true;
    const before = this.items;
    const { index: place } = this.#anchor;
    if (place < index) return;
    if (place >= index + removed) {
      this.#anchor.index = place + inserted - removed;
      return;
    }
    // The anchor is inside of what changed: the nearest row that is still there takes over.
    /** @type {Map<string, number>} */
    const places = new Map();
    for (let i = index; i < index + inserted; i += 1) places.set(items[i].key, i);
    for (let i = place; i < index + removed; i += 1) {
      const found = places.get(before[i].key);
      if (found !== undefined) {
        this.#anchor.index = found;
        return;
      }
    }
    this.#anchor.index = Math.max(0, Math.min(index + inserted, items.length - 1));
  }
}
