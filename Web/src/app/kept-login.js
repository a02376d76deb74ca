import { RoostError } from "../client/errors.js";
import { makeTransID } from "../client/ids.js";
import { endedAccounts, noteEnded } from "./accounts.js";

/** How long a token is given to everybody who asks, in ms: the server makes a new one at each question. */
const shared = 60_000;
/** How long an answer may take, in ms; a password takes the longest. */
const answerTime = 15_000;

/**
 * A login that this browser keeps: the server has set a cookie that no script can read, and exchanges it for tokens
 * that are valid for minutes.
 */
export class KeptLogin {
  /**
   * @param {string} userID
   * @param {string} [token] that the server has given just now
   */
  constructor(userID, token) {
    this.userID = userID;
    /** @type {Promise<string> | null} */
    this.newest = token ? Promise.resolve(token) : null;
    this.askedAt = Date.now();
  }

  /**
   * @param {boolean} [wasRefused] whether the server has refused the one before
   * @returns {Promise<string>} rejects with a `RoostError`; `isFinal` if the browser is signed out
   */
  token(wasRefused) {
    // The clock may have been set, and a computer may have slept.
    if (this.newest && !wasRefused && Math.abs(Date.now() - this.askedAt) < shared) return this.newest;
    this.askedAt = Date.now();
    const newest = ask("token", { userID: this.userID }).then((answer) => answer.token);
    newest.catch(() => {
      if (this.newest === newest) this.newest = null;
    });
    return (this.newest = newest);
  }

  /** Whether the browser has kept the cookie. */
  async isKept() {
    return this.token(true).then(() => true, (error) => !error.isFinal);
  }

  /** Ends the login at the server; rejects with a `RoostError`. */
  async end() {
    await ask("end", { userID: this.userID }, true);
  }
}

/** Ends the logins of those who have logged out, perhaps without a connection. */
export async function endLogins() {
  for (const userID of endedAccounts()) {
    // Somebody may sign in again meanwhile.
    if (endedAccounts().includes(userID)) await new KeptLogin(userID).end().then(() => noteEnded(userID), () => {});
  }
}

/**
 * Logs in with a password, a one-time code, a token or an answer of the identity provider.
 *
 * @param {{loginName: string, password: string} | {code: string} | {token: string}
 *   | {provider: import("./provider.js").ProviderAnswer}} proof
 * @returns {Promise<KeptLogin>} rejects with a `RoostError`
 */
export async function startLogin(proof) {
  const { userID, token } = await ask("start", proof);
  noteEnded(userID);
  return new KeptLogin(userID, token);
}

/**
 * Logs a user out on all devices; rejects with a `RoostError`.
 *
 * @param {import("../roost.js").Client} client
 */
export async function endAllLogins(client) {
  await post("login.end", {}, { headers: { ...await client.httpHeaders(), "Idempotency-Key": makeTransID() } });
}

/**
 * @param {"start" | "token" | "end"} name
 * @param {any} body
 * @param {boolean} [keepalive] whether it goes on when the page is closed
 */
const ask = (name, body, keepalive) => post(`refresh/${name}`, body, { credentials: "same-origin", keepalive });

/**
 * Sends a command over HTTP.
 *
 * @param {string} name
 * @param {any} body
 * @param {{credentials?: RequestCredentials, headers?: Record<string, string>, keepalive?: boolean}} [options]
 * @returns {Promise<any>} rejects with a `RoostError`; retryable if the server cannot be reached, otherwise `isFinal`
 */
export async function post(name, body, options) {
  /** @type {any} */
  let answer;
  try {
    const response = await fetch(new URL(`v1/${name}`, document.baseURI), {
      method: "POST", body: JSON.stringify(body), cache: "no-store", credentials: "omit",
      signal: /** @type {any} */ (AbortSignal).timeout?.(answerTime), ...options,
      headers: { "Content-Type": "application/json", ...options?.headers },
    });
    answer = await response.json();
  } catch {
    throw new RoostError({ code: 0, name: "connectionLost", message: "No answer came.", retryable: true });
  }
  if (answer?.error) {
    // Who signs in needs no right but to come from the server's own page: the sentence names the origins.
    const isOrigin = answer.error.name === "noPrivilege";
    const error = new RoostError({ ...answer.error, ...(isOrigin && { name: "origin" }) });
    throw Object.assign(error, { isFinal: !error.retryable });
  }
  return answer ?? {};
}
