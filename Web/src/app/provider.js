import { post } from "./kept-login.js";

/**
 * What the identity provider has answered to this tab, for the server to exchange.
 *
 * @typedef {{code: string, verifier: string, nonce: string, returnTo: string}} ProviderAnswer
 */

// Several servers may be below paths of one site.
const key = `roost.provider ${new URL(".", document.baseURI).pathname}`;

/**
 * Leaves the page for the identity provider, which sends the browser back here.
 *
 * Only this tab can use the answer (PKCE, RFC 7636): what it needs for that never leaves it.
 *
 * @returns {Promise<void>} rejects with a `RoostError`
 */
export async function goToProvider() {
  const [state, nonce, verifier] = [random(), random(), random()];
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const returnTo = new URL(".", document.baseURI).href;
  const question = { state, nonce, challenge: base64url(new Uint8Array(hash)), returnTo };
  const { address } = await post("refresh/provider", question, { credentials: "same-origin" });
  const { protocol } = new URL(address);
  if (!/^https?:$/.test(protocol)) throw new TypeError("The address of the provider is none of the web.");
  sessionStorage.setItem(key, JSON.stringify({ state, nonce, verifier, returnTo, hash: location.hash }));
  location.assign(address);
}

/**
 * Takes the answer of the provider out of the address bar and the entry of the history.
 *
 * @returns {ProviderAnswer | {problem: import("../texts/texts.js").Key} | null} null if the address has none
 */
export function takeProviderAnswer() {
  const words = new URLSearchParams(location.search);
  const state = words.get("state");
  const code = words.get("code");
  if (!state || !code && !words.has("error")) return null;
  const asked = read();
  const isOwn = asked?.state === state;
  history.replaceState(history.state, "", location.pathname + (isOwn ? asked.hash : location.hash));
  // Anybody can make somebody open such an address: it signs in only who has asked for it in this tab.
  if (!isOwn) return { problem: "signIn.providerOther" };
  sessionStorage.removeItem(key);
  if (!code) return { problem: "signIn.providerRefused" };
  return { code, verifier: asked.verifier, nonce: asked.nonce, returnTo: asked.returnTo };
}

/** @returns {{state: string, nonce: string, verifier: string, returnTo: string, hash: string} | null} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
