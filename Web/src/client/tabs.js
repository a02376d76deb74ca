/**
 * What a tab tells the others of the queue; `removed` and `discard` are transIDs.
 * @typedef {{queued?: QueuedMessage, changed?: QueuedMessage, removed?: string, discard?: string}} TabMessage
 * @typedef {import("./types.js").QueuedMessage} QueuedMessage
 */

/**
 * The tabs of one user in one browser: one of them leads, the others tell it what is to be done.
 *
 * The leader holds a Web Lock, which the browser gives to the next tab when the leader is gone. Where there are no
 * locks (pages without HTTPS, programs), each tab is alone.
 */
export class Tabs {
  #handlers;
  /** @type {(() => void) | null} */
  #release = null;
  #isClosed = false;
  #channel;
  #abort = new AbortController();

  /**
   * @param {string | null} name the same for all tabs that belong together; null for a tab that is alone
   * @param {{onLead: () => void, onMessage: (message: TabMessage) => void}} handlers
   */
  constructor(name, handlers) {
    this.isLeader = false;
    this.#handlers = handlers;
    // Not all programs have a navigator.
    const locks = globalThis.navigator?.locks;
    if (name === null || !locks || typeof BroadcastChannel === "undefined") {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = (message) => handlers.onMessage(message.data);
    locks
      .request(name, { signal: this.#abort.signal }, () => {
        if (this.#isClosed) return;
        const released = new Promise((/** @type {(value?: unknown) => void} */ resolve) => (this.#release = resolve));
        this.#lead();
        return released;
      })
      // Closed while waiting, or refused by a browser that keeps nothing.
      .catch(() => this.#isClosed || this.isLeader || this.#lead());
  }

  #lead() {
    this.isLeader = true;
    // A tab that is alone leads before its owner has a reference to it.
    queueMicrotask(() => this.#isClosed || this.#handlers.onLead());
  }

  /**
   * Sends a message to the other tabs.
   * @param {TabMessage} message
   */
  post(message) {
    if (!this.#isClosed) this.#channel?.postMessage(message);
  }

  /** Leaves the tabs; if this one leads, the next one begins to. */
  close() {
    this.#isClosed = true;
    this.isLeader = false;
    this.#abort?.abort();
    this.#release?.();
    this.#channel?.close();
  }
}
