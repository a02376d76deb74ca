import { RoostError, cappedWait, connectionLost } from "./errors.js";
import { wellFormedJSON } from "./ids.js";
import { finalCloseCodes } from "./protocol.js";

/** How long an answer to a sign of life may take, in ms. */
const answerTime = 10_000;

/** The codes after which a client does not come back by itself; 403 is the answer to the request for a WebSocket. */
const finalCodes = new Set([403, ...finalCloseCodes]);

/** @typedef {{resolve: (result: any) => void, reject: (error: RoostError) => void}} Answer called at once */

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} number absent, or the number of a row */
const mayBeRow = (number) => number === undefined || (Number.isSafeInteger(number) && Number(number) > 0);

/**
 * A frame of the server; null for what is none, and for an event whose frame has another form than the protocol says.
 * A body is there even if the event came without.
 * @param {unknown} text
 * @returns {any}
 */
function frameOf(text) {
  let frame;
  try {
    frame = typeof text === "string" ? JSON.parse(text) : null;
  } catch {
    return null;
  }
  if (!isObject(frame) || frame.event === undefined) return isObject(frame) ? frame : null;
  frame.body ??= {};
  const { event, channel, seq, userSeq, body } = frame;
  const isRight = typeof event === "string" && (channel === undefined || typeof channel === "string")
    && mayBeRow(seq) && mayBeRow(userSeq) && isObject(body);
  return isRight ? frame : null;
}

/**
 * One connection, from the WebSocket's start to its end.
 *
 * Answers go to those who asked, events to `onEvent` in their order. Browsers hide the server's pings, so if nothing
 * has been heard for a heartbeat, a small command is the sign of life.
 */
export class Connection {
  #handlers;
  #socket;
  /** @type {Map<string, Answer>} */
  #waiting = new Map();
  #hasEnded = false;
  #checks = 0;
  #lastHeard;
  #heartbeat = 25_000;
  /** @type {RoostError | null} */
  #refusal = null;
  /** @type {number | undefined} */
  #goAwayMs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} url the address of `/v1/connect`
   * @param {import("./protocol.js").Commands["hello"]["body"]} hello the body of `hello`
   * @param {{onWelcome: (welcome: import("./protocol.js").Welcome) => void,
   *   onEvent: (event: import("./types.js").Event) => void,
   *   onEnd: (end: {code: number, isFinal: boolean, error: RoostError, waitMs?: number}) => void}} handlers
   */
  constructor(url, hello, handlers) {
    this.#handlers = handlers;
    this.#lastHeard = Date.now();
    this.#timer = setTimeout(() => this.end(1006), answerTime);
    this.#socket = new WebSocket(url);
    let hasOpened = false;
    this.#socket.onopen = () => {
      hasOpened = true;
      this.send("hello", "hello", hello, {
        resolve: (welcome) => {
          this.#heartbeat = welcome.heartbeat;
          this.#watch();
          handlers.onWelcome(welcome);
        },
        reject: (error) => {
          this.#refusal ??= error;
        },
      });
    };
    this.#socket.onmessage = (message) => this.#hear(message.data);
    this.#socket.onclose = async ({ code }) => this.end(hasOpened || !(await this.#isRefused(url)) ? code : 403);
    this.#socket.onerror = () => {};
  }

  /**
   * Whether the server lets no page of this origin connect. A browser does not tell why there is no WebSocket; the
   * server answers the same question over HTTP.
   * @param {string} url
   */
  async #isRefused(url) {
    try {
      const answer = await fetch(url.replace(/^ws/, "http"), { method: "POST" });
      if (answer.status !== 403) return false;
      // Its sentence names both origins, as no text of this page does.
      this.#refusal = new RoostError({ ...(await answer.json()).error, name: "origin" });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Sends a command. If the connection ends before its answer, neither function is called.
   * @param {string} id the transID of a command that writes
   * @param {string} command
   * @param {any} body
   * @param {Answer} answer
   */
  send(id, command, body, answer) {
    if (this.#hasEnded) return;
    this.#waiting.set(id, answer);
    this.#socket.send(wellFormedJSON({ id, cmd: command, body }));
  }

  /** @param {string} text */
  #hear(text) {
    this.#lastHeard = Date.now();
    if (this.#hasEnded) return;
    const frame = frameOf(text);
    if (!frame) return;
    if (frame.event) {
      if (frame.event === "goaway") this.#goAwayMs = cappedWait(frame.body.reconnectInMs);
      else this.#handlers.onEvent(frame);
      return;
    }
    const answer = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    if (frame.error) {
      const error = new RoostError(frame.error);
      if (answer) answer.reject(error);
      else this.#refusal = error;
    } else {
      answer?.resolve(frame.result);
    }
  }

  #watch() {
    clearTimeout(this.#timer);
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => {
      if (Date.now() - this.#lastHeard >= this.#heartbeat) this.check();
      else this.#watch();
    }, this.#heartbeat);
  }

  /** Finds out whether the connection is alive, and ends it if no answer comes within ten seconds. */
  check() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(1006), answerTime);
    const answer = () => this.#watch();
    this.send(`check${(this.#checks += 1)}`, "unread.get", {}, { resolve: answer, reject: answer });
  }

  /**
   * Ends the connection, and tells it.
   * @param {number} code
   * @param {number} [waitMs] how long the server says to wait before the next one
   */
  end(code, waitMs) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#socket.onclose = this.#socket.onmessage = this.#socket.onopen = null;
    this.#socket.close();
    const error = this.#refusal ?? connectionLost();
    waitMs ??= this.#goAwayMs ?? error.retryAfterMs;
    this.#handlers.onEnd({ code, isFinal: finalCodes.has(code), error, waitMs });
  }
}
