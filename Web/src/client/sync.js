import { Backoff } from "./backoff.js";
import { Connection } from "./connection.js";
import { RoostError, closed, connectionLost } from "./errors.js";
import { Gaps } from "./gaps.js";
import { Log } from "./logs.js";
import { makeTransID } from "./ids.js";

/** @typedef {import("./types.js").Row | import("./types.js").OwnRow} Row */

/** The most positions of one `resume`. */
const positionsPerPage = 400;
/** So many pages of `resume` in turn may have nothing new. */
const maxEmpty = 3;

/**
 * Keeps one user connected and all logs complete and in order.
 *
 * After each connect it pulls what was missed, page by page, before anything is sent again. Each row of a log reaches
 * `onRow` once and in order; what is missing in between is asked for. It knows nothing of what the rows mean, except
 * those that begin or end a log.
 */
export class Sync {
  /**
   * @param {{url: string, hello: () => Promise<any>, renew: (() => Promise<string>) | null,
   *   onWelcome: (welcome: any, isNewEpoch: boolean) => void, onRow: (event: Row, isLive: boolean) => void,
   *   onEphemeral: (event: import("./protocol.js").Signal) => void, onReset: (reset: any) => void,
   *   onMarks: (marks: any[], heads: any[]) => void,
   *   onState: (state: "connecting" | "live" | "offline" | "refused" | "closed", error: RoostError | null) => void,
   *   onPosition: (channel: string | null, position: number | null) => void}} handlers
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.own = new Log();
    /** @type {Map<string, Log>} */
    this.logs = new Map();
    /** @type {string | null} */
    this.epoch = null;
    /**
     * The open channels that this connection takes part in.
     * @type {Set<string>}
     */
    this.open = new Set();
    /** @type {Connection | null} */
    this.connection = null;
    this.isLive = false;
    this.isClosed = false;
    this.backoff = new Backoff();
    /** How many tokens were refused since the last login. */
    this.refusals = 0;
    this.clockDifference = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {((error: RoostError | null) => void)[]} */
    this.liveWaiters = [];
    this.gaps = new Gaps(this);
  }

  /** Connects, and stays connected until `close`. */
  start() {
    clearTimeout(this.timer);
    if (this.isClosed || this.connection) return;
    this.backoff.tries(performance.now());
    this.handlers.onState("connecting", null);
    this.handlers.hello().then(
      (hello) => {
        if (this.isClosed || this.connection) return;
        this.connection = new Connection(this.handlers.url, hello, {
          onWelcome: (welcome) => this.welcomed(welcome),
          onEvent: (event) => this.hear(event, true),
          onEnd: (end) => this.ended(end),
        });
      },
      // The app knows if there will be no other token.
      (error) => this.ended({ code: 0, isFinal: error?.isFinal === true, error }),
    );
  }

  /** Tries at once if it waits, or checks that the connection is alive: call it if the network may have changed. */
  wake() {
    if (this.connection) {
      if (this.isLive) this.connection.check();
    } else if (!this.isClosed && this.timer !== undefined) {
      this.startIn(this.backoff.soon(performance.now()));
    }
  }

  /** The network is gone: nobody need wait until that is noticed. */
  lose() {
    this.connection?.end(1006);
  }

  /** Ends the connection for good. */
  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.connection?.close();
    this.handlers.onState("closed", null);
    this.release(closed());
  }

  /** The server's clock, in ms since 1970. */
  get serverTime() {
    return Date.now() + this.clockDifference;
  }

  /** @param {import("./protocol.js").Welcome} welcome */
  async welcomed(welcome) {
    const connection = this.connection;
    if (!connection) return;
    this.clockDifference = welcome.serverTime - Date.now();
    const isNewEpoch = this.epoch !== null && this.epoch !== welcome.epoch;
    if (isNewEpoch) {
      this.own = new Log();
      this.logs.clear();
    }
    this.epoch = welcome.epoch;
    this.refusals = 0;
    this.handlers.onWelcome(welcome, isNewEpoch);
    try {
      await this.resume(connection, null);
      if (connection !== this.connection || connection.hasEnded) return;
      this.backoff.lives(performance.now());
      this.isLive = true;
      this.handlers.onState("live", null);
      this.release(null);
      this.gaps.mendAll();
    } catch (error) {
      if (connection.hasEnded) return;
      // A refusal of `resume`: come back later.
      connection.goAwayMs = /** @type {RoostError} */ (error).retryAfterMs;
      connection.close();
    }
  }

  /** @param {{code: number, isFinal: boolean, error: RoostError, waitMs?: number}} end */
  ended({ code, isFinal, error, waitMs }) {
    this.connection = null;
    this.isLive = false;
    if (this.isClosed) return;
    // A token that has ended: whoever gave it may have a new one. One that was made in the second of a logout counts as
    // older than it: a second later another one does not.
    if (code === 4401 && this.handlers.renew && this.refusals < 3) this.refusals += 1;
    else if (isFinal) {
      this.isClosed = true;
      this.handlers.onState("refused", error);
      return this.release(error);
    }
    this.handlers.onState("offline", null);
    this.startIn(this.backoff.wait(performance.now(), waitMs));
  }

  /** @param {number} wait in ms */
  startIn(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.start();
    }, wait);
  }

  /** @param {RoostError | null} error */
  release(error) {
    for (const waiter of this.liveWaiters.splice(0)) waiter(error);
  }

  /**
   * Waits until everything that was missed is there.
   * @returns {Promise<void>} rejects when the client is closed or refused
   */
  live() {
    if (this.isLive) return Promise.resolve();
    if (this.isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => this.liveWaiters.push((error) => (error ? reject(error) : resolve())));
  }

  /**
   * Carries out a command; waits for the connection, and repeats it after a lost connection or a temporary refusal.
   * @param {string} command
   * @param {any} body
   * @param {string | null} transID of a command that writes, which makes it happen once
   * @returns {Promise<any>}
   */
  async ask(command, body, transID) {
    for (let attempts = 0; ; attempts++) {
      await this.live();
      try {
        return await /** @type {Connection} */ (this.connection).ask(command, body, transID ?? undefined);
      } catch (caught) {
        const error = /** @type {RoostError} */ (caught);
        if (!error.retryable || attempts >= 8) throw error;
        if (error.code !== 0) await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 1_000));
      }
    }
  }

  /**
   * Carries out a command that writes, once, however often it has to be sent.
   * @param {string} command
   * @param {any} body
   */
  perform(command, body) {
    return this.ask(command, body, makeTransID(this.serverTime));
  }

  /**
   * Reads everything that was missed: in all logs, or in those that have a gap.
   * @param {Connection} connection
   * @param {string[] | null} only
   */
  async resume(connection, only) {
    const named = only ?? [...this.logs.keys()].filter((id) => this.logs.get(id)?.position !== null);
    for (let start = 0; start === 0 || start < named.length; start += positionsPerPage) {
      const isPart = only !== null || start > 0;
      const part = named.slice(start, start + positionsPerPage);
      for (let empty = 0; ; ) {
        const body = {
          channels: part.flatMap((channel) => {
            const position = this.logs.get(channel)?.position;
            return position === null || position === undefined ? [] : [{ channel, seq: position }];
          }),
          ...(this.own.position !== null && { epoch: this.epoch, userSeq: this.own.position, onlyNamed: isPart }),
        };
        const page = await connection.ask("resume", body);
        empty = this.takePage(page, part) ? 0 : empty + 1;
        if (!page.hasMore) break;
        if (empty < maxEmpty) continue;
        connection.close();
        throw connectionLost();
      }
    }
  }

  /**
   * @param {import("./protocol.js").Commands["resume"]["answer"]} page
   * @param {string[]} named the channels whose positions were sent
   * @returns {boolean} whether there was anything new
   */
  takePage(page, named) {
    let hasNews = false;
    for (const event of page.events) {
      const log = event.userSeq !== undefined ? this.own : this.logs.get(event.channel);
      const number = event.userSeq ?? event.seq;
      hasNews ||= number > (log?.position ?? 0);
      log?.skipTo(number);
      this.hear(event, false);
    }
    for (const reset of page.resets) {
      if (!reset.channel) this.own = new Log(reset.seq);
      else if (reset.reason === "gone") this.forget(reset.channel);
      else this.logs.set(reset.channel, new Log(reset.seq));
      this.handlers.onReset(reset);
      if (reset.channel && reset.reason !== "gone") this.handlers.onPosition(reset.channel, reset.seq);
    }
    if (page.hasMore) return hasNews;
    this.deliver(this.own.position === null ? this.own.start(page.userSeq) : this.own.advance(page.userSeq), false);
    this.handlers.onPosition(null, this.own.position);
    // A channel that is named in another command is not complete yet.
    const complete = new Set(named);
    for (const { channel, seq } of page.channels) {
      if ((this.logs.get(channel)?.position ?? null) === null || complete.has(channel)) this.begin(channel, seq);
    }
    this.handlers.onMarks(page.marks, page.channels);
    return hasNews;
  }

  /**
   * Gives a log its first position, or moves it to where it is complete.
   * @param {string} channel
   * @param {number} seq
   */
  begin(channel, seq) {
    let log = this.logs.get(channel);
    if (!log) this.logs.set(channel, (log = new Log()));
    this.deliver(log.position === null ? log.start(seq) : log.advance(seq), false);
    this.handlers.onPosition(channel, log.position);
  }

  /** @param {string} channel */
  forget(channel) {
    this.logs.delete(channel);
    this.open.delete(channel);
    this.handlers.onPosition(channel, null);
  }

  /**
   * @param {import("./types.js").Event} event
   * @param {boolean} isLive
   */
  hear(event, isLive) {
    if (event.userSeq !== undefined) {
      this.deliver(this.own.take(event.userSeq, event), isLive);
    } else if (event.seq !== undefined) {
      if (!event.channel) return;
      let log = this.logs.get(event.channel);
      if (!log) this.logs.set(event.channel, (log = new Log()));
      this.deliver(log.take(event.seq, event), isLive);
    } else if (event.event === "positions") {
      if (Array.isArray(event.body.channels)) this.gaps.compare(event.body);
    } else if (event.event === "session.expiring") {
      this.renew();
    } else {
      this.handlers.onEphemeral(event);
    }
    if (isLive && this.isLive) this.gaps.mendAll();
  }

  /**
   * @param {Row[]} events
   * @param {boolean} isLive
   */
  deliver(events, isLive) {
    for (const event of events) {
      try {
        this.deliverRow(event, isLive);
      } catch (error) {
        // The position is past this row already: the rows after it must not be lost with it.
        console.error("Roost cannot read a row.", error);
      }
    }
  }

  /**
   * @param {Row} event
   * @param {boolean} isLive
   */
  deliverRow(event, isLive) {
    if (event.event === "channel.joined") {
      const { channel, fromSeq } = event.body;
      if ((this.logs.get(channel)?.position ?? null) === null) this.begin(channel, fromSeq);
    } else if (event.event === "channel.left" || event.event === "channel.dismissed") {
      this.forget(event.body.channel);
    } else if (event.event === "channel.ended" || event.event === "channel.cleared") {
      for (const { channel, seq } of event.body.channels) {
        const log = this.logs.get(channel);
        if (log && log.position !== null) this.deliver(log.advance(seq), isLive);
      }
    }
    this.handlers.onRow(event, isLive);
  }

  async renew() {
    const connection = this.connection;
    if (!this.handlers.renew || !connection) return;
    try {
      await connection.ask("session.renew", { token: await this.handlers.renew() });
    } catch {
      // The connection goes on to its end, and the next one asks for a token again.
    }
  }
}
