/**
 * A visitor, as `visitor.start` answers.
 *
 * @typedef {{userID: string, host: string, token: string, expiresAt: number}} Visit
 */

/** How long before its end a token is exchanged for a new one, in ms: after a week without a visit, not at each one. */
const early = 23 * 86_400_000;

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

  /** The visitor who was here before; null if there is none, or the token has expired. */
  get kept() {
    if (!this.#visit) {
      try {
        const visit = JSON.parse(localStorage.getItem(this.place) ?? "null");
        if (typeof visit?.token === "string" && visit.userID && visit.host && visit.expiresAt > 0) this.#visit = visit;
      } catch {
        // The browser keeps nothing, or another script has written there.
      }
    }
    if (this.#visit && this.#visit.expiresAt < Date.now()) this.#keep(null);
    return this.#visit;
  }

  /**
   * Who the visitor from before is, or a new one, with the options of the client. Rejects if the server refuses, or
   * cannot be reached.
   */
  async begin() {
    // Once, also for a panel that opens while the page connects.
    this.#beginning ??= this.#find().finally(() => (this.#beginning = null));
    const { userID, host } = await this.#beginning;
    const token = (/** @type {boolean} */ wasRefused) => this.token(wasRefused);
    return { host, options: { userID, isVisitor: true, token } };
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
    if (!wasRefused && kept.expiresAt - Date.now() > early) return kept.token;
    try {
      return (await this.#start(kept.token)).token;
    } catch (error) {
      const { code = 0 } = /** @type {any} */ (error);
      if (!wasRefused && !code) return kept.token;
      throw Object.assign(/** @type {Error} */ (error), { isFinal: [1, 7002, 7026].includes(code) });
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
      if (token && [1, 7002].includes(body.error?.code)) this.#keep(null);
      throw Object.assign(new Error(body.error?.message), body.error);
    }
    this.#keep(body);
    return /** @type {Visit} */ (body);
  }

  /** Where the browser keeps it. */
  get place() {
    return `roost-visit ${this.server} ${this.key}`;
  }

  /** @param {Visit | null} visit */
  #keep(visit) {
    this.#visit = visit;
    try {
      if (visit) localStorage.setItem(this.place, JSON.stringify(visit));
      else localStorage.removeItem(this.place);
    } catch {
      // The browser keeps nothing: a reload begins anew.
    }
  }
}
