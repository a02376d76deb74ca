/** @typedef {import("./types.js").Row | import("./types.js").OwnRow} Row */

/** The most rows to hold; others are read from the log later. */
const maxHeld = 500;

/**
 * The position in one log, and the rows that arrived before their turn.
 *
 * The rule of the protocol: a row up to the position is known and dropped, the next one is taken, a later one is held
 * until what is missing has come.
 */
export class Log {
  /** @param {number | null} position the newest row with nothing missing before it; null while unknown */
  constructor(position = null) {
    this.position = position;
    /** @type {Map<number, Row>} */
    this.held = new Map();
    /** The newest row that is known to exist. */
    this.head = position ?? 0;
  }

  /**
   * Takes a row.
   * @param {number} number
   * @param {Row} event
   * @returns {Row[]} the rows that are in order now
   */
  take(number, event) {
    if (this.position !== null && number <= this.position) return [];
    this.head = Math.max(this.head, number);
    this.held.set(number, event);
    const taken = this.advance();
    // The newest waits longest.
    if (this.held.size > maxHeld) this.held.delete(Math.max(...this.held.keys()));
    return taken;
  }

  /**
   * Moves the position up to a row, if nothing before that is missing, and on over what is held.
   * @param {number} [to]
   * @returns {Row[]} the held rows that are in order now; those up to `to` are dropped
   */
  advance(to) {
    if (to !== undefined && to > (this.position ?? -1)) {
      this.position = to;
      for (const number of this.held.keys()) if (number <= to) this.held.delete(number);
    }
    /** @type {Row[]} */
    const taken = [];
    while (this.position !== null) {
      const next = this.held.get(this.position + 1);
      if (!next) break;
      this.held.delete(++this.position);
      taken.push(next);
    }
    return taken;
  }

  /**
   * The first position of the log. Starts before the first held row if that is lower, so that no row is lost.
   * @param {number} position
   * @returns {Row[]} the rows that are in order now
   */
  start(position) {
    if (this.position !== null) return this.advance();
    this.position = Math.min(position, ...Array.from(this.held.keys(), (number) => number - 1));
    return this.advance();
  }

  /**
   * Continues at a row that `resume` has given: what is before it does not exist for this user.
   * @param {number} number
   */
  skipTo(number) {
    if (this.position === null || number <= this.position + 1) return;
    this.position = number - 1;
    for (const held of this.held.keys()) if (held <= this.position) this.held.delete(held);
  }

  /** Whether rows are missing. */
  get hasGap() {
    return this.position !== null && this.head > this.position;
  }
}
