import { LogBook, LogPosition } from "./log-book.js";

/** @typedef {import("./types.js").Row | import("./types.js").OwnRow} Row */
/** @typedef {import("./protocol.js").Commands["resume"]["answer"]} Page */
/**
 * What is being read, from its page `start` on: all logs, or `only` those that have gaps. `id` is that of the `resume`
 * under way, `part` the channels that it names, and `empty` how many pages in turn had nothing new.
 * @typedef {{id: string, only: boolean, named: string[], part: string[], start: number, empty: number}} Reading
 */

/** The most positions of one `resume`. */
const positionsPerPage = 400;
/** So many pages of `resume` in turn may have nothing new. */
const maxEmpty = 3;

/** A part of `SyncMachine`: reads what is missing in the logs, and delivers their rows once and in order. */
export class LogReader {
  #machine;
  /** @type {Reading | null} */
  #reading = null;
  /** Whether there are gaps that are not being read. */
  #hasMoreGaps = false;
  #isComplete = false;

  /**
   * @param {{act: (action: import("./sync-machine.js").Action) => void, send: (command: string, body: any) => string,
   *   guard: (work: () => void) => boolean, complete: () => void}} machine `complete` is called when nothing is missing
   *   after a connect
   */
  constructor(machine) {
    this.#machine = machine;
    this.book = new LogBook();
  }

  /** Reads everything that was missed. */
  start() {
    this.#read(false, this.book.positions.map(({ channel }) => channel));
  }

  /** The connection has ended. */
  stop() {
    if (this.#isComplete) this.book.forgetUnknown();
    this.#reading = null;
    this.#isComplete = false;
  }

  /**
   * Asks for what is missing; while an answer is under way, once more after it.
   * @param {string[] | null} channels null if nothing is missing
   */
  mend(channels) {
    if (!channels || !this.#isComplete) return;
    this.#hasMoreGaps = this.#reading !== null;
    if (!this.#reading) this.#read(true, channels);
  }

  /**
   * The user has joined an open channel.
   * @param {string} channel
   * @param {number} seq the newest row of its log
   */
  joined(channel, seq) {
    if (this.book.seq(channel) === null) this.#advance(channel, seq, false);
    else this.mend(this.book.behind({ userSeq: 0, channels: [{ channel, seq }] }));
  }

  /**
   * A row, perhaps before its turn.
   * @param {Row} event
   * @param {boolean} isLive
   */
  hear(event, isLive) {
    if (event.userSeq === undefined && !event.channel) return;
    this.#deliver(this.#log(event).take(event.userSeq ?? event.seq, event), isLive);
    if (isLive && this.#isComplete) this.mend(this.book.gaps);
  }

  /**
   * An answer, if it is that of a `resume`.
   * @param {string} id
   * @param {Page} page
   * @returns {boolean} whether it is
   */
  answered(id, page) {
    if (id !== this.#reading?.id) return false;
    if (!this.#machine.guard(() => this.#take(page))) this.refused(id);
    return true;
  }

  /**
   * A refusal, if it is that of a `resume`. What was missed has to be known, so another connection tries; a gap waits
   * for what next tells that it is there.
   * @param {string} id
   * @param {number} [waitMs]
   * @returns {boolean} whether it is
   */
  refused(id, waitMs) {
    if (id !== this.#reading?.id) return false;
    if (this.#isComplete) this.#mended();
    else this.#machine.act({ type: "disconnect", waitMs });
    return true;
  }

  /**
   * @param {boolean} only
   * @param {string[]} named
   */
  #read(only, named) {
    this.#reading = { id: "", only, named, part: [], start: 0, empty: 0 };
    this.#ask(this.#reading);
  }

  /** @param {Reading} reading */
  #ask(reading) {
    const { epoch, user } = this.book;
    const { only, named, start } = reading;
    reading.part = named.slice(start, start + positionsPerPage);
    reading.id = this.#machine.send("resume", {
      channels: reading.part.flatMap((channel) => {
        const seq = this.book.seq(channel);
        return seq === null ? [] : [{ channel, seq }];
      }),
      ...(user.seq !== null && { epoch, userSeq: user.seq, onlyNamed: only || start > 0 }),
    });
  }

  /** @param {Page} page */
  #take(page) {
    const reading = /** @type {Reading} */ (this.#reading);
    const hasNews = this.#takeRows(page);
    if (page.hasMore) {
      reading.empty = hasNews ? 0 : reading.empty + 1;
      if (reading.empty < maxEmpty) this.#ask(reading);
      else this.#machine.act({ type: "disconnect" });
      return;
    }
    this.#complete(page, new Set(reading.part));
    reading.start += positionsPerPage;
    reading.empty = 0;
    if (reading.start < reading.named.length) return this.#ask(reading);
    if (reading.only) return this.#mended();
    this.#reading = null;
    this.#isComplete = true;
    this.#machine.complete();
    this.mend(this.book.gaps);
  }

  /**
   * @param {Page} page
   * @returns {boolean} whether there was anything new
   */
  #takeRows({ events, resets }) {
    const { book } = this;
    let hasNews = false;
    for (const event of events) {
      const number = event.userSeq ?? event.seq;
      const log = event.userSeq === undefined ? book.channels.get(event.channel) : book.user;
      hasNews ||= number > (log?.seq ?? 0);
      log?.skipTo(number);
      this.hear(event, false);
    }
    for (const reset of resets) {
      const { channel, seq, reason } = reset;
      if (!channel) book.user = new LogPosition(seq);
      else if (reason === "gone") this.#forget(channel);
      else book.channels.set(channel, new LogPosition(seq));
      this.#machine.act({ type: "reset", reset });
      if (reason !== "gone") this.#machine.act({ type: "position", channel, seq });
    }
    return hasNews;
  }

  /**
   * The last page: every log that it names is complete, and the others begin.
   * @param {Page} page
   * @param {Set<string>} part the channels whose positions were sent
   */
  #complete(page, part) {
    this.#advance(undefined, page.userSeq, false);
    for (const { channel, seq } of page.channels) {
      // A channel that is named in another command is not complete yet.
      if (this.book.seq(channel) === null || part.has(channel)) this.#advance(channel, seq, false);
    }
    this.#machine.act({ type: "marks", page });
  }

  #mended() {
    this.#reading = null;
    this.book.forgetUnknown();
    if (this.#hasMoreGaps) this.mend(this.book.gaps);
  }

  /** @param {{channel?: string, userSeq?: number}} row */
  #log({ channel, userSeq }) {
    return channel === undefined || userSeq !== undefined ? this.book.user : this.book.log(channel);
  }

  /**
   * Moves a log to where it is complete, or gives it its first position.
   * @param {string | undefined} channel
   * @param {number} number
   * @param {boolean} isLive
   */
  #advance(channel, number, isLive) {
    const log = this.#log({ channel });
    const rows = log.advance(number);
    // The position of each row comes with the row.
    this.#machine.act({ type: "position", channel, seq: /** @type {number} */ (log.seq) - rows.length });
    this.#deliver(rows, isLive);
  }

  /** @param {string} channel */
  #forget(channel) {
    this.book.forget(channel);
    this.#machine.act({ type: "position", channel, seq: null });
  }

  /**
   * @param {Row[]} events
   * @param {boolean} isLive
   */
  #deliver(events, isLive) {
    // The position is past these rows already: one that cannot be read must not cost those after it.
    for (const event of events) {
      this.#machine.guard(() => {
        this.#follow(event, isLive);
        this.#machine.act({ type: "row", event, isLive });
      });
    }
  }

  /**
   * What a row begins or ends.
   * @param {Row} event
   * @param {boolean} isLive
   */
  #follow({ event, body }, isLive) {
    if (event === "channel.joined") {
      const { channel, fromSeq } = body;
      if (this.book.seq(channel) === null) this.#advance(channel, fromSeq, false);
    } else if (event === "channel.left" || event === "channel.dismissed") {
      this.#forget(body.channel);
    } else if (event === "channel.ended" || event === "channel.cleared") {
      for (const { channel, seq } of body.channels) {
        if (this.book.seq(channel) !== null) this.#advance(channel, seq, isLive);
      }
    }
  }
}
