import { Connection } from "./connection.js";
import { closed } from "./errors.js";
import { makeTransID } from "./ids.js";
import { SyncMachine } from "./sync-machine.js";

/** @typedef {import("./sync-machine.js").Action} Action */
/** @typedef {import("./sync-machine.js").Input} Input */
/** @typedef {import("./protocol.js").Commands} Commands */

/**
 * @typedef {"state" | "welcome" | "row" | "signal" | "reset" | "marks" | "position"} News what is for the client
 * @typedef {{[Type in News]: (action: Extract<Action, {type: Type}>) => void} & {
 *   hello: () => Promise<Commands["hello"]["body"]>, renew: (() => Promise<string>) | null}} Handlers `hello` gives the
 *   body of the command, and `renew` another token
 */

/** Does what a `SyncMachine` wants: has the connection, the timer and the promises of those who wait for answers. */
export class Sync {
  #url;
  #handlers;
  #machine;
  /** @type {Connection | null} */
  #connection = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Input[]} */
  #inputs = [];
  #isBusy = false;
  /** @type {Map<string, {resolve: (result: any) => void, reject: (error: unknown) => void}>} */
  #waiting = new Map();
  /** @type {{resolve: () => void, reject: (error: unknown) => void}[]} */
  #liveWaiters = [];
  #counter = 0;
  #clockDifference = 0;
  /** What the client was told last. */
  #state = "";

  /**
   * @param {string} url the address of `/v1/connect`
   * @param {Handlers} handlers
   */
  constructor(url, handlers) {
    this.#url = url;
    this.#handlers = handlers;
    this.#machine = new SyncMachine(Boolean(handlers.renew));
  }

  /** The positions; the client may not have got the rows up to them yet. */
  get book() {
    return this.#machine.book;
  }

  get refusals() {
    return this.#machine.refusals;
  }

  get isLive() {
    return this.#state === "live";
  }

  get isClosed() {
    return this.#state === "closed" || this.#state === "refused";
  }

  /** The server's clock, in ms since 1970. */
  get serverTime() {
    return Date.now() + this.#clockDifference;
  }

  /**
   * Tells what has happened.
   * @param {Input} input
   */
  tell(input) {
    this.#inputs.push(input);
    // Whoever is told of a row may tell something, too.
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next; (next = this.#inputs.shift()); ) {
      for (const action of this.#machine.handle(next, performance.now(), Math.random())) {
        try {
          this.#do(action);
        } catch (error) {
          console.error("Roost cannot read what has come.", error);
        }
      }
    }
    this.#isBusy = false;
  }

  /**
   * Waits until everything that was missed is there.
   * @returns {Promise<void>} rejects when the client is closed or refused
   */
  live() {
    if (this.isLive) return Promise.resolve();
    if (this.isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => this.#liveWaiters.push({ resolve, reject }));
  }

  /**
   * Carries out a command; waits for the connection, and repeats it after a lost connection or a temporary refusal.
   * @template {keyof Commands} Name
   * @param {Name} command
   * @param {Commands[Name]["body"]} body
   * @param {string} [id] the transID of a command that writes, which makes it happen once
   * @returns {Promise<Commands[Name]["answer"]>} rejects with a `RoostError`
   */
  ask(command, body, id = `r${++this.#counter}`) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.tell({ type: "command", id, command, body });
    });
  }

  /**
   * Carries out a command that writes, once, however often it has to be sent.
   * @template {keyof Commands} Name
   * @param {Name} command
   * @param {Commands[Name]["body"]} body
   */
  perform(command, body) {
    return this.ask(command, body, makeTransID(this.serverTime));
  }

  /**
   * Sends a message once; whoever sends it knows when to repeat it.
   * @param {string} transID
   * @param {Commands["message.send"]["body"]} body
   * @param {import("./connection.js").Answer} answer not called if the connection is lost
   */
  send(transID, body, answer) {
    this.#connection?.send(transID, "message.send", body, answer);
  }

  /** @param {Action} action */
  #do(action) {
    switch (action.type) {
      case "connect":
        return this.#connect();
      case "disconnect":
        return this.#connection?.end(1006, action.waitMs);
      case "check":
        return this.#connection?.check();
      case "renew":
        return this.#handlers.renew?.().then((token) => this.tell({ type: "token", token }), () => {});
      case "timer":
        clearTimeout(this.#timer);
        if (action.ms !== null) this.#timer = setTimeout(() => this.tell({ type: "tick" }), action.ms);
        return;
      case "send":
        return this.#connection?.send(action.id, action.command, action.body, {
          resolve: (result) => this.tell({ type: "answer", id: action.id, result }),
          reject: (error) => this.tell({ type: "refusal", id: action.id, error }),
        });
      case "settle": {
        const waiter = this.#waiting.get(action.id);
        this.#waiting.delete(action.id);
        return action.error ? waiter?.reject(action.error) : waiter?.resolve(action.result);
      }
      case "fault":
        throw action.error;
      case "welcome":
        this.#clockDifference = action.welcome.serverTime - Date.now();
        break;
      case "state":
        this.#state = action.state;
    }
    /** @type {(action: Action) => void} */ (this.#handlers[action.type])(action);
    if (action.type === "state" && (this.isLive || this.isClosed)) {
      for (const { resolve, reject } of this.#liveWaiters.splice(0)) {
        if (this.isLive) resolve();
        else reject(action.error ?? closed());
      }
    }
  }

  #connect() {
    this.#handlers.hello().then(
      (hello) => {
        if (this.isClosed) return;
        this.#connection = new Connection(this.#url, hello, {
          onWelcome: (welcome) => this.tell({ type: "welcome", welcome }),
          onEvent: (event) => this.tell({ type: "event", event }),
          onEnd: (end) => {
            this.#connection = null;
            this.tell({ type: "end", ...end });
          },
        });
      },
      // The app knows if there will be no other token.
      (error) => this.tell({ type: "end", code: 0, isFinal: error?.isFinal === true, error }),
    );
  }
}
