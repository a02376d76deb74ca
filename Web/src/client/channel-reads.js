import { countedUnread } from "./channels.js";

/** How long channels wait for others, to be read together, in ms. */
const pause = 100;
/** How many channels are read one by one; of the others the list is read. */
const maxWanted = 20;

/** How often what has changed meanwhile is read again. */
const maxTries = 5;

/** Reads channels of which no event says what they are now. */
export class ChannelReads {
  #state;
  #sync;
  #refreshList;
  /** @type {Set<string>} */
  #ids = new Set();

  /**
   * @param {import("./state.js").State} state
   * @param {import("./sync.js").Sync} sync
   * @param {() => Promise<void>} refreshList
   */
  constructor(state, sync, refreshList) {
    this.#state = state;
    this.#sync = sync;
    this.#refreshList = refreshList;
  }

  /**
   * Reads what rows change, too: an answer may be older than rows that came before it, so that it is asked for again.
   * @template T
   * @param {() => Promise<T>} read
   * @param {() => unknown[]} [revision] what must be the same before and after
   */
  async current(read, revision = () => [this.#state.ownChanges]) {
    for (let tries = maxTries; ; tries -= 1) {
      const before = revision();
      const answer = await read();
      if (!tries || revision().every((each, index) => each === before[index])) return answer;
    }
  }

  /**
   * Reads a channel.
   * @param {string} channel
   * @returns {Promise<void>} rejects with a `RoostError`
   */
  async channel(channel) {
    for (let tries = maxTries; tries; tries -= 1) {
      const answer = await this.current(() => this.#sync.ask("channel.get", { channel }));
      if (this.#state.set(answer)) return;
    }
  }

  /**
   * Reads the unread messages of channels that are not loaded.
   * @param {number} total those of all channels outside of the list's first page
   */
  async elsewhere(total) {
    const { channels } = total ? await this.current(() => this.#sync.ask("unread.get", {})) : { channels: [] };
    this.#state.unread.setElsewhere(channels.map((each) =>
      [each.channel, countedUnread({ ...each, preference: each })]));
  }

  /**
   * Reads a channel soon, together with others.
   * @param {string} id
   */
  want(id) {
    if (!this.#ids.size) setTimeout(() => this.#readWanted(), pause);
    this.#ids.add(id);
  }

  async #readWanted() {
    const ids = [...this.#ids];
    this.#ids.clear();
    for (const channel of ids.slice(0, maxWanted)) {
      try {
        await this.channel(channel);
      } catch {
        // It is gone, or the next connect reads the list.
      }
    }
    if (ids.length > maxWanted) await this.#refreshList();
  }
}
