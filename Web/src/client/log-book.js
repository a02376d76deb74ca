/** @typedef {import("./types.js").Row | import("./types.js").OwnRow} Row */

/** The most rows to hold; others are read from the log later. */
const maxHeld = 500;

/**
 * The position in one log, and the rows that arrived before their turn.
 *
 * The rule of the protocol: a row up to the position is known and dropped, the next one is taken, a later one is held
 * until what is missing has come.
 */
export class LogPosition {
  /** @type {Map<number, Row>} */
  #held = new Map();

  /** @param {number | null} seq the newest row with nothing missing before it; null while unknown */
  constructor(seq = null) {
    this.seq = seq;
    /** The newest row that is known to exist. */
    this.head = seq ?? 0;
  }

  /** How many rows are held. */
  get heldCount() {
    return this.#held.size;
  }

  /** Whether rows are missing. */
  get hasGap() {
    return this.seq !== null && this.head > this.seq;
  }

  /**
   * Takes a row.
   * @param {number} number
   * @param {Row} event
   * @returns {Row[]} the rows that are in order now
   */
  take(number, event) {
    if (this.seq !== null && number <= this.seq) return [];
    this.head = Math.max(this.head, number);
    this.#held.set(number, event);
    const taken = this.#release();
    // The newest waits longest.
    if (this.#held.size > maxHeld) this.#held.delete(Math.max(...this.#held.keys()));
    return taken;
  }

  /**
   * Moves the position up to a row, because nothing before that is missing, and on over what is held. The first
   * position is before the first held row if that is lower, so that no row is lost.
   * @param {number} number
   * @returns {Row[]} the held rows that are in order now; those up to the row are dropped
   */
  advance(number) {
    this.head = Math.max(this.head, number);
    if (this.seq === null) this.seq = Math.min(number, ...Array.from(this.#held.keys(), (held) => held - 1));
    else if (number > this.seq) this.#skip(number);
    return this.#release();
  }

  /**
   * Continues at a row that `resume` has given: what is before it does not exist for this user.
   * @param {number} number
   */
  skipTo(number) {
    if (this.seq !== null && number > this.seq + 1) this.#skip(number - 1);
  }

  /** @param {number} seq */
  #skip(seq) {
    this.seq = seq;
    for (const number of this.#held.keys()) if (number <= seq) this.#held.delete(number);
  }

  #release() {
    /** @type {Row[]} */
    const taken = [];
    while (this.seq !== null) {
      const next = this.#held.get(this.seq + 1);
      if (!next) break;
      this.#held.delete(++this.seq);
      taken.push(next);
    }
    return taken;
  }
}

/** The positions in all logs of one user. */
export class LogBook {
  constructor() {
    /** @type {string | null} */
    this.epoch = null;
    this.user = new LogPosition();
    /** @type {Map<string, LogPosition>} */
    this.channels = new Map();
    /**
     * The open channels that this connection takes part in.
     * @type {Set<string>}
     */
    this.open = new Set();
  }

  /**
   * Takes what the store holds.
   * @param {import("./cache.js").Stored} stored
   */
  restore({ meta, channels }) {
    this.epoch = meta.get("epoch") ?? null;
    this.user = new LogPosition(meta.get("userSeq") ?? null);
    for (const { channel, position } of channels) {
      if (position !== null) this.channels.set(channel, new LogPosition(position));
    }
  }

  /**
   * The log of a channel, which is made if there is none.
   * @param {string} channel
   */
  log(channel) {
    let log = this.channels.get(channel);
    if (!log) this.channels.set(channel, (log = new LogPosition()));
    return log;
  }

  /**
   * @param {string} channel
   * @returns {number | null} null while the position is not known
   */
  seq(channel) {
    return this.channels.get(channel)?.seq ?? null;
  }

  /** The positions in channels that are known. */
  get positions() {
    return [...this.channels].flatMap(([channel, { seq }]) => (seq === null ? [] : [{ channel, seq }]));
  }

  /**
   * Sets the server's epoch: positions of another one are invalid.
   * @param {string} epoch
   * @returns {boolean} whether there were positions of another one
   */
  enter(epoch) {
    const isNew = this.epoch !== null && this.epoch !== epoch;
    this.epoch = epoch;
    if (isNew) {
      this.user = new LogPosition();
      this.channels.clear();
    }
    return isNew;
  }

  /** @param {string} channel */
  forget(channel) {
    this.channels.delete(channel);
    this.open.delete(channel);
  }

  /** Forgets logs whose position nobody has told: rows of a channel that this user does not have. */
  forgetUnknown() {
    for (const [channel, { seq }] of this.channels) if (seq === null) this.channels.delete(channel);
  }

  /**
   * The channels whose logs have gaps.
   * @returns {string[] | null} null if no log has one; empty if only the user's log has one, or an unknown one rows
   */
  get gaps() {
    const logs = [...this.channels];
    const gaps = logs.filter(([, log]) => log.hasGap).map(([channel]) => channel);
    return gaps.length || this.user.hasGap || logs.some(([, log]) => log.seq === null && log.heldCount) ? gaps : null;
  }

  /**
   * The channels that are behind the newest rows of their logs.
   * @param {{userSeq: number, channels: {channel: string, seq: number}[]}} heads
   * @returns {string[] | null} null if no log is behind
   */
  behind({ userSeq, channels }) {
    const behind = channels.map(({ channel, seq }) => ((this.seq(channel) ?? seq) < seq ? channel : ""))
      .filter(Boolean);
    return behind.length || userSeq > (this.user.seq ?? 0) ? behind : null;
  }
}
