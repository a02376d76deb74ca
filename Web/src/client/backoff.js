/** At most one attempt in this time, in ms. */
const spacing = 500;
/** A connection that lasted this long, in ms, was good. */
const goodAfter = 30_000;

/**
 * How long to wait before a refused command is repeated, in ms.
 * @param {{retryAfterMs?: number}} error
 */
export const waitToRepeat = ({ retryAfterMs = 1_000 }) => Math.max(100, retryAfterMs);

/**
 * When to connect again: at random, so that the clients of a restarted server do not all come at once. Times are in ms.
 */
export class Backoff {
  #failures = 0;
  #triedAt = -Infinity;
  #liveAt = NaN;

  /** @param {number} now an attempt begins */
  tries(now) {
    this.#triedAt = now;
    this.#liveAt = NaN;
  }

  /** @param {number} now everything that was missed is there */
  lives(now) {
    this.#liveAt = now;
  }

  /**
   * How long to wait after an attempt or a connection has ended.
   * @param {number} now
   * @param {number} random from 0 to 1
   * @param {number} [asked] how long the server says
   */
  wait(now, random, asked) {
    if (now - this.#liveAt >= goodAfter) this.#failures = 0;
    const most = !this.#failures && this.#liveAt ? 2_000 : Math.min(30_000, 500 * 2 ** this.#failures);
    if (asked === undefined) this.#failures += 1;
    return Math.max(asked ?? random * most, this.soon(now));
  }

  /**
   * How long to wait if there is a reason to try at once.
   * @param {number} now
   */
  soon(now) {
    return Math.max(0, this.#triedAt + spacing - now);
  }
}
