/**
 * The user id of a token, which is not verified here: it only names the store.
 * @param {string} token
 */
function userOf(token) {
  try {
    const json = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    return /** @type {string} */ (JSON.parse(json).sub);
  } catch {
    return undefined;
  }
}

/** What tells the server who this is: a guest in dev mode, or a token, for which the app is asked each time. */
export class Credentials {
  #options;
  #wasRefused;
  #firstToken = "";

  /**
   * @param {import("./client.js").Options} options
   * @param {() => boolean} wasRefused whether the server has refused the token before
   */
  constructor(options, wasRefused) {
    this.#options = options;
    this.#wasRefused = wasRefused;
    this.deviceID = "";
  }

  /** Whether there may be another token after one that has ended. */
  get canRenew() {
    return typeof this.#options.token === "function";
  }

  /** Whose they are, as far as that is known without the server. */
  async userID() {
    const { guest, userID } = this.#options;
    return guest?.userID ?? (userID || userOf(this.#firstToken = await this.token().catch(() => "")));
  }

  /** @returns {Promise<string>} */
  async token() {
    const { token } = this.#options;
    return (typeof token === "function" ? await token(this.#wasRefused()) : token) ?? "";
  }

  /** The body of `hello`. */
  async hello() {
    const { guest } = this.#options;
    const who = guest ? { guest } : { token: this.#firstToken || await this.token() };
    this.#firstToken = "";
    return { version: 1, deviceID: this.deviceID, ...who };
  }

  /** The headers of a request of this user. */
  async headers() {
    const { guest } = this.#options;
    /** @type {Record<string, string>} */
    const headers = { "Roost-Device": this.deviceID };
    if (guest) headers["Roost-Guest"] = guest.userID;
    else headers.Authorization = `Bearer ${await this.token()}`;
    return headers;
  }
}
