/**
 * A visitor, as `visitor.start` answers, and when that was by the clock of this device, in ms since 1970.
 *
 * @typedef {{userID: string, host: string, token: string, keptAt: number}} Visit
 */

/** A token is exchanged for a new one after a week, in ms, and not at each visit; it is valid for 30 days. */
const week = 7 * 86_400_000;
/** The token is not valid any more, or its user was banned or deleted. */
const endings = ["wrongCredentials", "tokenExpired", "userBanned", "userDeleted"];

/** @type {Map<string, Visits>} */
const known = new Map();

/**
 * The visits to the user of a key.
 *
 * @param {string | undefined} server the address; the page's own origin if absent
 * @param {string | null} key a key with the scope `visitors`
 * @param {string | null} name the name to show
 */
export function visitsOf(server, key, name) {
  const visits = new Visits(server || location.origin, key ?? "", name ?? "");
  const place = `${visits.place} ${name}`;
  if (!known.has(place)) known.set(place, visits);
  return /** @type {Visits} */ (known.get(place));
}

/** The browser keeps the token of the visitor for the site of the page: it opens one conversation. */
class Visits {
  /** @type {Visit | null} */
  #visit = null;
  /** @type {Promise<Visit> | null} */
  #beginning = null;
  /** Whether the last visit began anew. */
  #isNew = false;

  /**
   * @param {string} server
   * @param {string} key
   * @param {string} name
   */
  constructor(server, key, name) {
    this.server = server.replace(/\/+$/, "");
    this.key = key;
    this.name = name;
  }

  /** The visitor who was here before; null if there is none. */
  get kept() {
    return (this.#visit ??= this.#stored());
  }

  /** @returns {Visit | null} */
  #stored() {
    try {
      const visit = JSON.parse(localStorage.getItem(this.place) ?? "null");
      const words = [visit?.token, visit?.userID, visit?.host];
      return words.every((word) => word && typeof word === "string") ? visit : null;
    } catch {
      // The browser keeps nothing, or another script has written there.
      return null;
    }
  }

  /**
   * Who the visitor from before is, or a new one, with the options of the client. Rejects if the server refuses, or
   * cannot be reached.
   */
  async begin() {
    this.#isNew = !this.kept;
    // Once, also for a panel that opens while the page connects.
    this.#beginning ??= this.#find().finally(() => (this.#beginning = null));
    const { userID, host } = await this.#beginning;
    const token = (/** @type {boolean} */ wasRefused) => this.token(wasRefused);
    return { host, options: { userID, isVisitor: true, token } };
  }

  /**
   * Tells when the visit of a client has ended: a visitor who was logged out is a new one.
   *
   * @param {import("../roost.js").Client} client
   * @param {AbortSignal} signal
   * @param {() => void} restart
   */
  watch(client, signal, restart) {
    // A new one whom the server has never let in is not tried again.
    let mayRestart = !this.#isNew;
    client.addEventListener("state", () => (mayRestart ||= client.state === "live"), { signal });
    client.addEventListener("error", () => {
      // Another tab may have begun anew already.
      if (mayRestart && this.kept?.userID !== client.options.userID) restart();
    }, { signal });
  }

  /**
   * A token, as the client asks for it.
   *
   * @param {boolean} wasRefused whether the server has refused the one before; if it is no good, `kept` is null
   */
  async token(wasRefused) {
    const { kept } = this;
    // One who was logged out is somebody else from now on, with another client.
    if (!kept) throw Object.assign(new Error("The visit has ended."), { isFinal: true });
    const age = Date.now() - kept.keptAt;
    if (!wasRefused && age >= 0 && age < week) return kept.token;
    try {
      return (await this.#start(kept.token)).token;
    } catch (error) {
      const { name } = /** @type {Error} */ (error);
      // A visit goes on without a key that was revoked, and while the server takes no more of them.
      if (!wasRefused && this.kept) return kept.token;
      throw Object.assign(/** @type {Error} */ (error), { isFinal: endings.includes(name) });
    }
  }

  async #find() {
    return this.kept ?? (await this.#start());
  }

  /** @param {string} [token] */
  async #start(token) {
    const { key, name } = this;
    const answer = await fetch(`${this.server}/v1/visitor.start`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key, ...(name && { name }), ...(token && { token }) }),
    });
    const body = await answer.json();
    if (!answer.ok) {
      const { name: reason, field, message } = body.error ?? {};
      if (token && endings.includes(reason) && field !== "key") this.#forget(token);
      throw Object.assign(new Error(message), body.error);
    }
    const { userID, host, token: given } = body;
    this.#keep({ userID, host, token: given, keptAt: Date.now() });
    return /** @type {Visit} */ (this.#visit);
  }

  /** Where the browser keeps it. */
  get place() {
    return `roost-visit ${this.server} ${this.key}`;
  }

  /** @param {Visit} visit */
  #keep(visit) {
    this.#visit = visit;
    try {
      localStorage.setItem(this.place, JSON.stringify(visit));
    } catch {
      // The browser keeps nothing: a reload begins anew.
    }
  }

  /** @param {string} token that is no good any more; another tab may have a new one */
  #forget(token) {
    this.#visit = this.#stored();
    if (this.#visit?.token !== token) return;
    this.#visit = null;
    try {
      localStorage.removeItem(this.place);
    } catch {
      // As above.
    }
  }
}
