import { Backoff, waitToRepeat } from "./backoff.js";
import { closed, connectionLost } from "./errors.js";
import { LogReader } from "./log-reader.js";

/** @typedef {import("./types.js").Row | import("./types.js").OwnRow} Row */
/** @typedef {import("./errors.js").RoostError} RoostError */

/**
 * What happens to a client, for `SyncMachine`.
 * @typedef {{type: "start"} | {type: "close"} | {type: "wake"} | {type: "lose"} | {type: "tick"}
 *   | {type: "welcome", welcome: import("./protocol.js").Welcome}
 *   | {type: "event", event: import("./types.js").Event}
 *   | {type: "answer", id: string, result: any}
 *   | {type: "refusal", id: string, error: RoostError}
 *   | {type: "end", code: number, isFinal: boolean, error: RoostError, waitMs?: number}
 *   | {type: "command", id: string, command: string, body: any}
 *   | {type: "token", token: string}
 *   | {type: "joined", channel: string, seq: number}} Input `end` is the end of a connection, or of an attempt;
 *   `wake` a sign that the network may have changed, `lose` that it is gone; `joined` the answer of `channel.join`
 */

/**
 * What a `SyncMachine` wants to be done.
 * @typedef {{type: "connect"} | {type: "disconnect", waitMs?: number} | {type: "check"} | {type: "renew"}
 *   | {type: "timer", ms: number | null}
 *   | {type: "send", id: string, command: string, body: any}
 *   | {type: "settle", id: string, result?: any, error?: RoostError}
 *   | {type: "state", state: "connecting" | "live" | "offline" | "refused" | "closed", error: RoostError | null}
 *   | {type: "welcome", welcome: import("./protocol.js").Welcome, isNewEpoch: boolean}
 *   | {type: "row", event: Row, isLive: boolean}
 *   | {type: "signal", event: import("./protocol.js").Signal}
 *   | {type: "reset", reset: import("./protocol.js").Reset}
 *   | {type: "marks", page: import("./protocol.js").Commands["resume"]["answer"]}
 *   | {type: "position", channel?: string, seq: number | null}
 *   | {type: "fault", error: unknown}} Action `check` whether the connection is alive; `renew`: ask the app for a
 *   token; `settle` a command; a `position` without a channel is that of the user's own log
 */

/** How often a command is repeated. */
const maxAttempts = 8;
/** How many refused tokens in turn are replaced. */
const maxRefusals = 3;

/**
 * Keeps one user connected and all logs complete and in order: a value without clock, socket, timer or randomness.
 *
 * 1. Every log has a position (`LogBook`). A row is delivered exactly if it follows the position; an early one is held
 *    until what is missing has been read.
 * 2. After each `welcome` it reads what was missed, page by page, before anything else is sent. Live rows come at the
 *    same time; the same rule applies to both.
 * 3. If the very last row of a log is lost, no later row tells it: the `positions` of each heartbeat do.
 * 4. Commands are sent again after a lost connection or a temporary refusal, with the same ids.
 *
 * It knows nothing of what rows mean, except of those that begin or end a log.
 */
export class SyncMachine {
  /** @type {"waiting" | "connecting" | "catchingUp" | "live" | "closed"} */
  #phase = "waiting";
  #canRenew;
  #backoff = new Backoff();
  #reader;
  /** When to connect again; `Infinity` if that is not planned. */
  #retryAt = Infinity;
  /** When the timer rings. */
  #ringsAt = Infinity;
  /** @type {Map<string, {command: string, body: any, attempts: number, isInFlight: boolean, retryAt: number}>} */
  #requests = new Map();
  #counter = 0;
  /** @type {Action[]} */
  #actions = [];
  #now = 0;
  #random = 0;

  /** @param {boolean} canRenew whether there may be another token after one that is refused or ends */
  constructor(canRenew) {
    this.#canRenew = canRenew;
    this.#reader = new LogReader({
      act: (action) => this.#act(action),
      send: (command, body) => this.#send(command, body),
      guard: (work) => this.#guard(work),
      complete: () => this.#complete(),
    });
    /** How many tokens were refused since the last login. */
    this.refusals = 0;
  }

  /** The positions. */
  get book() {
    return this.#reader.book;
  }

  /**
   * Takes what has happened.
   * @param {Input} input
   * @param {number} now in ms, of a clock that only goes forward
   * @param {number} random from 0 to 1
   * @returns {Action[]} what is to be done, in this order
   */
  handle(input, now, random) {
    this.#now = now;
    this.#random = random;
    this.#actions = [];
    this.#guard(() => this.#take(input));
    this.#sendWaiting();
    const times = [...this.#requests.values()].map(({ retryAt }) => retryAt).filter((at) => at > now);
    const ringsAt = Math.min(...times, this.#retryAt);
    // A timer may ring a little early.
    if (ringsAt !== this.#ringsAt || input.type === "tick") {
      this.#ringsAt = ringsAt;
      this.#act({ type: "timer", ms: ringsAt === Infinity ? null : Math.max(0, ringsAt - now) });
    }
    return this.#actions;
  }

  /** @param {Input} input */
  #take(input) {
    const phase = this.#phase;
    const isConnected = phase !== "waiting" && phase !== "closed";
    switch (input.type) {
      case "start":
        if (phase === "waiting") this.#connect();
        break;
      case "welcome":
        if (phase === "connecting") this.#welcomed(input.welcome);
        break;
      case "event":
        if (isConnected) this.#hear(input.event);
        break;
      case "answer":
        if (!this.#reader.answered(input.id, input.result)) this.#settle(input.id, { result: input.result });
        break;
      case "refusal": {
        const { id, error } = input;
        if (!this.#reader.refused(id, error.retryAfterMs)) this.#repeat(id, error, waitToRepeat(error));
        break;
      }
      case "end":
        this.#ended(input);
        break;
      case "command": {
        const { id, command, body } = input;
        if (phase === "closed") this.#act({ type: "settle", id, error: closed() });
        else this.#requests.set(id, { command, body, attempts: 0, isInFlight: false, retryAt: 0 });
        break;
      }
      case "joined":
        this.#reader.joined(input.channel, input.seq);
        break;
      case "token":
        // If it is refused, the connection goes on to its end, and the next one asks for a token again.
        if (isConnected) this.#send("session.renew", { token: input.token });
        break;
      case "wake":
        if (phase === "live") this.#act({ type: "check" });
        else if (this.#retryAt !== Infinity) this.#retryAt = this.#now + this.#backoff.soon(this.#now);
        break;
      case "lose":
        if (isConnected) this.#act({ type: "disconnect" });
        break;
      case "close":
        this.#giveUp("closed", closed());
        this.#act({ type: "disconnect" });
        break;
      case "tick":
        if (this.#now >= this.#retryAt) this.#connect();
    }
  }

  /** @param {Action} action */
  #act(action) {
    this.#actions.push(action);
  }

  /**
   * What cannot be read must not stop what comes after it.
   * @param {() => void} work
   * @returns {boolean} whether it was done
   */
  #guard(work) {
    try {
      work();
      return true;
    } catch (error) {
      this.#act({ type: "fault", error });
      return false;
    }
  }

  #connect() {
    this.#phase = "connecting";
    this.#retryAt = Infinity;
    this.#backoff.tries(this.#now);
    this.#act({ type: "state", state: "connecting", error: null });
    this.#act({ type: "connect" });
  }

  /** @param {import("./protocol.js").Welcome} welcome */
  #welcomed(welcome) {
    this.#phase = "catchingUp";
    this.refusals = 0;
    this.#act({ type: "welcome", welcome, isNewEpoch: this.book.enter(welcome.epoch) });
    this.#reader.start();
  }

  /** Nothing is missing. */
  #complete() {
    this.#phase = "live";
    this.#backoff.lives(this.#now);
    this.#act({ type: "state", state: "live", error: null });
  }

  /** @param {import("./types.js").Event} event */
  #hear(event) {
    if (event.userSeq !== undefined || event.seq !== undefined) {
      this.#reader.hear(/** @type {Row} */ (event), true);
    } else if (event.event === "positions") {
      if (Array.isArray(event.body.channels)) this.#reader.mend(this.book.behind(event.body));
    } else if (event.event === "session.expiring") {
      if (this.#canRenew) this.#act({ type: "renew" });
    } else {
      this.#act({ type: "signal", event });
    }
  }

  /** @param {Extract<Input, {type: "end"}>} end */
  #ended({ code, isFinal, error, waitMs }) {
    this.#reader.stop();
    if (this.#phase === "closed") return;
    // A token that has ended: whoever gave it may have a new one. One that was made in the second of a logout counts as
    // older than it: a second later another one does not.
    if (code === 4401 && this.#canRenew && this.refusals < maxRefusals) this.refusals += 1;
    else if (isFinal) return this.#giveUp("refused", error);
    this.#phase = "waiting";
    this.#retryAt = this.#now + this.#backoff.wait(this.#now, this.#random, waitMs);
    this.#act({ type: "state", state: "offline", error: null });
    for (const [id, { isInFlight }] of this.#requests) if (isInFlight) this.#repeat(id, connectionLost(), 0);
  }

  /**
   * Ends everything for good.
   * @param {"closed" | "refused"} state
   * @param {RoostError} error
   */
  #giveUp(state, error) {
    this.#phase = "closed";
    this.#retryAt = Infinity;
    this.#act({ type: "state", state, error: state === "refused" ? error : null });
    for (const id of this.#requests.keys()) this.#settle(id, { error });
  }

  /**
   * Sends a command of the machine itself.
   * @param {string} command
   * @param {any} body
   */
  #send(command, body) {
    const id = `c${++this.#counter}`;
    this.#act({ type: "send", id, command, body });
    return id;
  }

  /** Sends the commands that wait for the connection, or whose time has come. */
  #sendWaiting() {
    if (this.#phase !== "live") return;
    for (const [id, request] of this.#requests) {
      if (request.isInFlight || request.retryAt > this.#now) continue;
      request.isInFlight = true;
      this.#act({ type: "send", id, command: request.command, body: request.body });
    }
  }

  /**
   * Repeats a command later, unless it was definitely refused.
   * @param {string} id
   * @param {RoostError} error
   * @param {number} wait in ms
   */
  #repeat(id, error, wait) {
    const request = this.#requests.get(id);
    if (!request) return;
    if (!error.retryable || request.attempts >= maxAttempts) return this.#settle(id, { error });
    request.attempts += 1;
    request.isInFlight = false;
    request.retryAt = this.#now + wait;
  }

  /**
   * @param {string} id
   * @param {{result?: any, error?: RoostError}} outcome
   */
  #settle(id, outcome) {
    if (this.#requests.delete(id)) this.#act({ type: "settle", id, ...outcome });
  }
}
