import { countedUnread, sum } from "./channels.js";

/** @typedef {import("./types.js").Channel} Channel */

/** The number of unread messages in all channels, those that are not loaded included. */
export class Unread {
  #channels;
  #changed;
  #told = 0;
  /**
   * The unread messages of channels that are not loaded, such as hidden ones; `total` is these and those of all that
   * are.
   * @type {Map<string, number>}
   */
  #elsewhere = new Map();

  /**
   * @param {Map<string, Channel>} channels those that are loaded
   * @param {{total: () => void, shown: (total: number) => void}} changed tells that the number of all, and that the one
   *   to show has changed
   */
  constructor(channels, changed) {
    this.#channels = channels;
    this.#changed = changed;
    this.total = 0;
    /**
     * The channel at whose end somebody reads now: what comes there is read already, although it is not marked yet.
     * @type {string | null}
     */
    this.attended = null;
  }

  /** The unread messages to show: all, without those of the channel at whose end somebody reads. */
  get shown() {
    return this.total - countedUnread(this.#channels.get(this.attended ?? ""));
  }

  /**
   * Takes the total of the store; the channels of the store are loaded.
   * @param {number} total
   */
  restore(total) {
    this.total = total;
    this.#elsewhere.set("", total - sum([...this.#channels.values()].map(countedUnread)));
  }

  /** No channel is loaded any more. */
  reset() {
    this.#elsewhere = new Map([["", this.total]]);
  }

  /**
   * Counts a channel anew.
   * @param {string} id
   * @param {Channel | undefined} before undefined if it was not loaded
   * @param {Channel | null} after
   */
  count(id, before, after) {
    const old = before ? countedUnread(before) : this.#elsewhere.get(id) ?? 0;
    this.#elsewhere.delete(id);
    this.#add(countedUnread(after) - old);
  }

  /** @param {[string, number][]} counts the unread messages of channels, also of some that are loaded */
  setElsewhere(counts) {
    const before = this.#elsewhere;
    this.#elsewhere = new Map(counts.filter(([id]) => !this.#channels.has(id)));
    this.#add(sum([...this.#elsewhere.values()]) - sum([...before.values()]));
  }

  /** Tells the number to show if it is another one. */
  tell() {
    const { shown } = this;
    if (shown === this.#told) return;
    this.#told = shown;
    this.#changed.shown(shown);
  }

  /** @param {number} change */
  #add(change) {
    if (!change) return;
    this.total += change;
    this.#changed.total();
    this.tell();
  }
}
