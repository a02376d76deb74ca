/** How long channels wait for others, to be read together, in ms. */
const pause = 100;
/** How many channels are read one by one; the others are in the list's next pages. */
const maxWanted = 20;

/**
 * Channels that are to be read again, as no event says what they are now; and the total, if something has happened in
 * one that is not loaded, such as a hidden one.
 */
export class WantedChannels {
  /** @param {import("./client.js").Client} client */
  constructor(client) {
    this.#client = client;
  }

  #client;
  /** @type {Set<string>} */
  #ids = new Set();
  #isTotalOld = false;

  /** @param {string} id */
  add(id) {
    if (!this.#client.channels.has(id)) this.#isTotalOld = true;
    if (!this.#ids.size) setTimeout(() => this.#read(), pause);
    this.#ids.add(id);
  }

  async #read() {
    const { channels, list, sync } = this.#client;
    const ids = [...this.#ids];
    this.#ids.clear();
    const unknown = new Set(ids.filter((id) => !channels.has(id)));
    if (this.#isTotalOld) {
      this.#isTotalOld = false;
      await list.refresh();
    }
    for (const channel of ids.slice(0, maxWanted)) {
      if (unknown.has(channel) && channels.has(channel)) continue;
      try {
        this.#client.setChannel(await sync.ask("channel.get", { channel }, null));
      } catch {
        // It is gone, or the next connect reads the list.
      }
    }
  }
}
