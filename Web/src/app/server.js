import { connect as connectTo } from "../roost.js";
import { on } from "../ui/dom.js";
import { refusalText } from "./refusals.js";

/**
 * @typedef {{guests: boolean, passwords?: boolean, signUp?: boolean, keepsLogins?: boolean, provider?: string,
 *   webPushKey?: string}} Info `provider` is the host of an identity provider
 * @typedef {{text: string, isFinal: boolean}} Problem why nobody is signed in; if it is not final, it may work later
 */

/** The server is where the app is, which may be below a path of another site. */
const address = () => new URL(".", document.baseURI).href;

/** @param {import("./sign-in.js").Identity} identity */
export function connect(identity) {
  const who = "login" in identity
    ? {
      token: (/** @type {boolean} */ wasRefused) => identity.login.token(wasRefused),
      userID: identity.login.userID,
    } : identity;
  return connectTo({ ...who, server: address() });
}

/**
 * Connects a user, once.
 *
 * @param {import("./sign-in.js").Identity} identity
 * @param {import("../texts/texts.js").Texts} t
 * @returns {Promise<{client: import("../roost.js").Client} | Problem>} a client that is connected
 */
export async function tryToConnect(identity, t) {
  const client = connect(identity);
  const state = await new Promise((resolve) => {
    on(client, "state", () => {
      if (/^(live|offline|refused)$/.test(client.state)) resolve(client.state);
    });
  });
  if (state === "live") return { client };
  const isFinal = state === "refused";
  const text = isFinal ? refusalText(client.error, t) : t("signIn.unreachable");
  await client.close();
  return { text, isFinal };
}

/** What the server tells of itself. */
export class ServerInfo {
  /** @type {Promise<Info | null> | null} */
  #info = null;

  /** @returns {Promise<Info | null>} null if the server cannot be reached; then it is asked again the next time */
  async read() {
    this.#info ??= readInfo();
    const info = await this.#info;
    if (!info) this.#info = null;
    return info;
  }

  /** Asks the server again the next time. */
  forget() {
    this.#info = null;
  }
}

/** @returns {Promise<Info | null>} */
async function readInfo() {
  try {
    const response = await fetch("./", { headers: { Accept: "application/json" }, cache: "no-store" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** @returns {Promise<ServiceWorkerRegistration | null>} null in browsers and windows without service workers */
export async function registerWorker() {
  if (!navigator.serviceWorker) return null;
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const policy = types?.createPolicy("roost", {
    createScriptURL: (/** @type {string} */ url) => {
      if (url !== "worker.js") throw new TypeError(`${url} is not a script of this app.`);
      return url;
    },
  });
  try {
    return await navigator.serviceWorker.register(policy ? policy.createScriptURL("worker.js") : "worker.js");
  } catch {
    return null;
  }
}
