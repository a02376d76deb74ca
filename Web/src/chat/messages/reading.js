/**
 * Where a reader has left a conversation before its end: a message, how far it was from the top, and the newest row
 * that was seen.
 *
 * @typedef {{messageID: string, offset: number, seen: {seq: number, count: number}}} Place
 */

/** @type {WeakMap<object, Place>} */
const places = new WeakMap();

/** How far somebody has read a conversation: what was on the screen, and the place that is kept for the next time. */
export class Reading {
  /**
   * @param {import("../../client/conversation.js").Conversation} conversation
   * @param {import("./timeline-view.js").TimelineView} timeline
   */
  constructor(conversation, timeline) {
    this.#conversation = conversation;
    this.#timeline = timeline;
  }

  #conversation;
  #timeline;
  /**
   * The newest row that was on the screen, and its number among the messages; null before there is one.
   *
   * @type {{seq: number, count: number} | null}
   */
  #seen = null;

  /** Where the conversation was left; undefined if it was at its end. */
  get kept() {
    return places.get(this.#conversation);
  }

  /**
   * Goes on where the conversation was left.
   *
   * @param {Place} place
   * @param {number} index where its message is now
   */
  resume({ offset, seen }, index) {
    this.#seen = seen;
    this.#timeline.goTo(index, offset);
  }

  /** Keeps where the reader is. */
  keep() {
    const { place } = this.#timeline;
    if (!this.#seen) return;
    if (place) places.set(this.#conversation, { ...place, seen: this.#seen });
    else places.delete(this.#conversation);
  }

  /** Forgets where the conversation was left. */
  forget() {
    places.delete(this.#conversation);
  }

  /** Counts what is on the screen as seen. */
  see() {
    const { channel, separator } = this.#conversation;
    if (!channel) return;
    this.#seen ??= separator === null ? { seq: channel.seq, count: channel.count } :
      { seq: separator, count: channel.count - (channel.unread ?? 0) };
    if (document.visibilityState !== "visible") return;
    const { items, isFollowing, visible } = this.#timeline;
    let index = isFollowing ? items.length - 1 : items.lastIndexOf(visible[1]);
    // What is still to be sent, lines and separators have no place in the log.
    for (; index >= 0; index -= 1) {
      const item = items[index];
      const { seq = 0, count = this.#seen.count } =
        item.kind === "message" ? (item.parts?.at(-1) ?? item).message : {};
      if (!seq) continue;
      if (seq > this.#seen.seq) this.#seen = { seq, count };
      return;
    }
  }

  /** How many messages of others are below all that was seen. */
  get newCount() {
    const { items, hasAfter, channel } = this.#conversation;
    const seen = this.#seen;
    if (!seen || !channel) return 0;
    if (hasAfter) return Math.max(0, channel.count - seen.count);
    let count = 0;
    for (let index = items.length - 1; index >= 0; index -= 1) {
      const item = items[index];
      if (item.kind !== "message") continue;
      if ((item.message.seq ?? Infinity) <= seen.seq) break;
      if (!item.isOwn && !item.message.recall) count += 1;
    }
    return count;
  }
}
