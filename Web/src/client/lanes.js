import { cappedWait } from "./errors.js";

/** @typedef {import("./types.js").QueuedMessage} QueuedMessage */
/** @typedef {import("./errors.js").RoostError} RoostError */

/** How many sends of one channel may be in flight; the server reads only 32 commands ahead anyway. */
const window = 64;
/** How often a send is tried after temporary refusals that name no time. */
const maxAttempts = 8;

/**
 * @typedef {{message: QueuedMessage, attempts: number, isHeld: boolean}} Entry `isHeld` while a file is uploaded
 * @typedef {{queue: Entry[], flying: Entry[], returned: Entry[], retryAt: number}} Lane
 */

/**
 * The sends to each channel, in their order.
 *
 * Sends are pipelined, answers may be lost and some sends are refused, and yet a channel shows them in the order in
 * which they were written. So a send names the one before it (`after`) while that one has no answer, and the server
 * stores nothing whose predecessor it does not know. A send waits in `queue`, is in flight in `flying`, and leaves with
 * its acknowledgement or a definite refusal. A temporary refusal, `orderBroken` and a lost connection put it into
 * `returned`. When the last answer is in, the returned ones go back to the front and are chained again, with their old
 * transIDs.
 */
export class SendLanes {
  /** @type {Map<string, Lane>} */
  #lanes = new Map();
  /** @type {Map<string, string>} */
  #channelOf = new Map();

  /**
   * @param {QueuedMessage} message
   * @param {boolean} isHeld
   */
  append(message, isHeld) {
    if (this.#channelOf.has(message.transID)) return;
    let lane = this.#lanes.get(message.channel);
    if (!lane) this.#lanes.set(message.channel, (lane = { queue: [], flying: [], returned: [], retryAt: 0 }));
    lane.queue.push({ message, attempts: 0, isHeld });
    this.#channelOf.set(message.transID, message.channel);
  }

  /**
   * Takes the next send of a channel that may go out now.
   * @param {string} channel
   * @param {number} now
   * @returns {{message: QueuedMessage, after?: string} | null}
   */
  next(channel, now) {
    const lane = this.#lanes.get(channel);
    if (!lane?.queue.length || lane.returned.length || lane.flying.length >= window) return null;
    if (lane.queue[0].isHeld || now < lane.retryAt) return null;
    lane.retryAt = 0;
    const entry = /** @type {Entry} */ (lane.queue.shift());
    const after = lane.flying.at(-1)?.message.transID;
    lane.flying.push(entry);
    return { message: entry.message, ...(after && { after }) };
  }

  /**
   * A send was acknowledged.
   * @param {string} transID
   * @returns {QueuedMessage | null} null if it was not in flight
   */
  accepted(transID) {
    return this.#settle(transID)?.message ?? null;
  }

  /**
   * A send was refused.
   * @param {string} transID
   * @param {RoostError} error
   * @param {number} now
   * @returns {QueuedMessage | null} the send if that is definite; null if it is repeated later
   */
  refused(transID, error, now) {
    const entry = this.#find(transID, "flying");
    if (!entry) return null;
    const lane = /** @type {Lane} */ (this.#lanes.get(entry.message.channel));
    if (error.retryable && error.name !== "orderBroken") {
      if (error.retryAfterMs === undefined && error.name !== "draining") entry.attempts++;
      const wait = error.retryAfterMs ?? cappedWait(500 * 2 ** entry.attempts);
      lane.retryAt = Math.max(lane.retryAt, now + wait);
    }
    if (!error.retryable || entry.attempts >= maxAttempts) return this.#settle(transID)?.message ?? null;
    lane.flying.splice(lane.flying.indexOf(entry), 1);
    lane.returned.push(entry);
    this.#mend(lane);
    return null;
  }

  /** The connection is lost: everything unacknowledged is sent again, in its order. */
  disconnected() {
    for (const lane of this.#lanes.values()) {
      lane.returned.push(...lane.flying.splice(0));
      lane.retryAt = 0;
      this.#mend(lane);
    }
  }

  /** The channels that have had sends. */
  get channels() {
    return [...this.#lanes.keys()];
  }

  /**
   * The file of a held send is uploaded.
   * @param {QueuedMessage} message the send with its file
   */
  release(message) {
    const entry = this.#find(message.transID, "queue");
    if (entry) Object.assign(entry, { message, isHeld: false });
  }

  /**
   * Removes a send that is not in flight.
   * @param {string} transID
   * @returns {boolean} whether it was removed
   */
  remove(transID) {
    if (!this.#channelOf.has(transID)) return true;
    if (this.#find(transID, "flying")) return false;
    return this.#settle(transID) !== null;
  }

  /** When the next lane may go on after a temporary refusal; null if none waits for that. */
  get wakeAt() {
    const times = [...this.#lanes.values()].filter((lane) => lane.retryAt && lane.queue.length);
    return times.length ? Math.min(...times.map((lane) => lane.retryAt)) : null;
  }

  /** @param {Lane} lane */
  #mend(lane) {
    if (lane.flying.length || !lane.returned.length) return;
    lane.queue.unshift(...lane.returned.splice(0).sort((a, b) => a.message.order - b.message.order));
  }

  /**
   * @param {string} transID
   * @param {"queue" | "flying" | "returned"} place
   */
  #find(transID, place) {
    const lane = this.#lanes.get(this.#channelOf.get(transID) ?? "");
    return lane?.[place].find((entry) => entry.message.transID === transID);
  }

  /**
   * @param {string} transID
   * @returns {Entry | null}
   */
  #settle(transID) {
    const lane = this.#lanes.get(this.#channelOf.get(transID) ?? "");
    for (const place of lane ? [lane.flying, lane.returned, lane.queue] : []) {
      const index = place.findIndex((entry) => entry.message.transID === transID);
      if (index < 0) continue;
      this.#channelOf.delete(transID);
      const [entry] = place.splice(index, 1);
      this.#mend(/** @type {Lane} */ (lane));
      return entry;
    }
    return null;
  }
}
