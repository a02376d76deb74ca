/** How long channels wait for others, to be read together, in ms. */
const pause = 100;
/** How many channels are read one by one; the others are in the list's next pages. */
const maxWanted = 20;

/** How often what has changed meanwhile is read again. */
const maxTries = 5;

/** Reads channels of which no event says what they are now. */
export class ChannelReads {
  /** @param {import("./client.js").Client} client */
  constructor(client) {
    this.#client = client;
  }

  #client;
  /** @type {Set<string>} */
  #ids = new Set();
  #isTotalOld = false;

  /**
   * Reads what rows change, too: an answer may be older than rows that came before it, so that it is asked for again.
   * @template T
   * @param {() => Promise<T>} read
   * @param {() => unknown[]} [revision] what must be the same before and after
   */
  async current(read, revision = () => [this.#client.ownChanges]) {
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
      const answer = await this.current(() => this.#client.read("channel.get", { channel }));
      if (this.#client.setChannel(answer)) return;
    }
  }

  /**
   * Reads a channel soon, together with others; and the total, if it is not loaded, as a hidden one.
   * @param {string} id
   */
  want(id) {
    if (!this.#client.channels.has(id)) this.#isTotalOld = true;
    if (!this.#ids.size) setTimeout(() => this.#readWanted(), pause);
    this.#ids.add(id);
  }

  async #readWanted() {
    const ids = [...this.#ids];
    this.#ids.clear();
    if (this.#isTotalOld) {
      this.#isTotalOld = false;
      await this.#client.list.refresh();
    }
    for (const channel of ids.slice(0, maxWanted)) {
      try {
        await this.channel(channel);
      } catch {
        // It is gone, or the next connect reads the list.
      }
    }
  }
}
