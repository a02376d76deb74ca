/** While the user goes on typing, the others are told again after this time, in ms. */
const ownPause = 3_000;
/** So long after the last key the user's own typing ends, in ms. */
const ownEnd = 5_000;
/** Somebody's typing is forgotten after this time, in ms. */
const typingTime = 10_000;

/** Who is typing in a channel, and that this user is. */
export class Typing {
  #core;
  #channel;
  #changed;
  /** When the others were told last; 0 if they need not be told that it has ended. */
  #toldAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #ownTimer;
  /** @type {Map<string, {name: string, timer: ReturnType<typeof setTimeout>}>} */
  #others = new Map();

  /**
   * @param {import("./core.js").Core} core
   * @param {string} channel
   * @param {() => void} changed
   */
  constructor(core, channel, changed) {
    this.#core = core;
    this.#channel = channel;
    this.#changed = () => {
      changed();
      core.emit("typing", { channel });
    };
  }

  /** Those who are typing, without those whom the user has blocked. */
  get names() {
    const { blocked } = this.#core.state;
    return [...this.#others].filter(([userID]) => !blocked.has(userID)).map(([userID, { name }]) => ({ userID, name }));
  }

  /** @param {string} userID who may be blocked */
  has(userID) {
    return this.#others.has(userID);
  }

  /** @param {{userID: string, name: string}} typist */
  starts({ userID, name }) {
    if (userID === this.#core.state.user.userID) return;
    clearTimeout(this.#others.get(userID)?.timer);
    this.#others.set(userID, { name, timer: setTimeout(() => this.stops(userID), typingTime) });
    this.#changed();
  }

  /** @param {string} userID */
  stops(userID) {
    const typist = this.#others.get(userID);
    if (!typist) return;
    clearTimeout(typist.timer);
    this.#others.delete(userID);
    this.#changed();
  }

  /** The connection is lost: whoever was typing is not known any more. */
  clear() {
    for (const userID of [...this.#others.keys()]) this.stops(userID);
  }

  /** Tells the others that this user is typing; call it for each change of the text. */
  ownStarts() {
    const now = Date.now();
    if (!this.#core.sync.isLive) return;
    clearTimeout(this.#ownTimer);
    this.#ownTimer = setTimeout(() => this.ownStops(), ownEnd);
    if (now - this.#toldAt < ownPause) return;
    this.#toldAt = now;
    this.#core.sync.ask("typing.start", { channel: this.#channel }).catch(() => {});
  }

  /** Tells the others that this user has stopped typing; happens by itself five seconds after the last key. */
  ownStops() {
    const wasTold = this.#toldAt;
    this.sent();
    if (!wasTold || !this.#core.sync.isLive) return;
    this.#core.sync.ask("typing.end", { channel: this.#channel }).catch(() => {});
  }

  /** A message of this user goes out, which tells the others that it is not being typed any more. */
  sent() {
    clearTimeout(this.#ownTimer);
    this.#toldAt = 0;
  }
}
