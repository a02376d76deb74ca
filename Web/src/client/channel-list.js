import { byActivity, countedUnread, named } from "./channels.js";
import { oncePerTurn } from "./once-per-turn.js";

/** @typedef {import("./types.js").Channel} Channel */

/**
 * The user's conversations, the newest activity first; those that are hidden and open channels are left out.
 *
 * Fires `change` after each change, at most once per turn of the event loop.
 */
export class ChannelList extends EventTarget {
  #core;
  /** @type {string | undefined} */
  #next;
  /** @type {Channel[] | null} */
  #cached = null;
  #tell = oncePerTurn(this);
  /**
   * Those that `channel.list` leaves out, as they were when a search began.
   * @type {Channel[]}
   */
  #hidden = [];
  #hasHidden = false;

  /**
   * Made by its client.
   * @internal
   * @param {import("./core.js").Core} core
   */
  constructor(core) {
    super();
    this.#core = core;
    this.isLoading = false;
    /** Whether all pages are loaded. */
    this.isComplete = false;
    /** Whether there is something to show: from the store or from the server. */
    this.hasLoaded = false;
    /** @type {import("./types.js").RoostError | null} */
    this.error = null;
    /** Whether the hidden channels are being loaded. */
    this.isSearching = false;
  }

  /** The channels that are loaded, in their order. The same array if nothing has changed. */
  get channels() {
    this.#cached ??= [...this.#core.state.channels.values()]
      .filter((channel) => channel.kind !== "open" && !channel.isHidden)
      .sort(byActivity);
    return this.#cached;
  }

  /**
   * The loaded channels whose title, or the id of whose other member, contains a text, without regard to case; also
   * hidden ones. Without a text, all that the list shows.
   * @param {string} text
   */
  find(text) {
    const wanted = text.trim().toLocaleLowerCase();
    if (!wanted) return this.channels;
    const { channels, user } = this.#core.state;
    const all = [...channels.values(), ...this.#hidden.filter(({ channel }) => !channels.has(channel))];
    return all.filter(({ kind, name, members }) => kind !== "open" && (name.toLocaleLowerCase().includes(wanted) ||
      (kind === "single" && members.some(({ userID }) => userID !== user.userID &&
        userID.toLowerCase().includes(wanted))))).sort(byActivity);
  }

  /** Loads the hidden channels, once, for `find`. */
  async loadHidden() {
    if (this.#hasHidden || this.isSearching) return;
    this.isSearching = true;
    this.changed();
    /** @type {Channel[]} */
    const found = [];
    /** @type {string | undefined} */
    let cursor;
    try {
      do {
        /** @type {import("../client/protocol.js").Commands["channel.query"]["answer"]} */
        const page = await this.#core.sync.ask("channel.query", { withMembers: true, ...(cursor && { cursor }) });
        const hidden = page.channels.filter(({ isHidden }) => isHidden);
        found.push(...hidden.map((channel) => named(channel, this.#core.state.user.userID)));
        cursor = page.next;
      } while (cursor);
      this.#hidden = found;
      this.#hasHidden = true;
    } catch {
      // The next letter of the search tries again.
    }
    this.isSearching = false;
    this.changed();
  }

  /** Loads the next page. Does nothing while one is loading, or if there is none. */
  async loadMore() {
    if (this.isLoading || this.isComplete) return;
    this.isLoading = true;
    this.error = null;
    this.changed();
    try {
      await this.#load(this.#next);
    } catch (error) {
      this.error = /** @type {import("./types.js").RoostError} */ (error);
    }
    this.isLoading = false;
    this.changed();
  }

  /** Reads the first page again: after each connect. */
  async refresh() {
    const isFirst = !this.#next && !this.isComplete;
    this.isLoading = isFirst;
    try {
      await this.#load(undefined, !isFirst);
      this.error = null;
    } catch (error) {
      this.error = /** @type {import("./types.js").RoostError} */ (error);
    }
    if (isFirst) this.isLoading = false;
    this.changed();
  }

  /**
   * @param {string | undefined} cursor
   * @param {boolean} [keepsPlace]
   */
  async #load(cursor, keepsPlace = false) {
    const { state, sync, reads } = this.#core;
    const page = await reads.current(() =>
      sync.ask("channel.list", { limit: 50, ...(cursor && { cursor }) }));
    let others = page.totalUnread;
    for (const channel of page.channels) {
      others -= countedUnread(channel);
      if (!state.set(channel)) reads.want(channel.channel);
    }
    if (!cursor) await reads.elsewhere(others);
    this.hasLoaded = true;
    if (keepsPlace) return;
    this.#next = page.next;
    this.isComplete = !page.next;
  }

  /**
   * Channels have changed.
   * @internal
   */
  changed() {
    this.#cached = null;
    this.#tell();
  }
}
