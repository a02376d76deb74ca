import { addressOf, channelOfAddress } from "./address.js";
import { askToSignIn } from "./sign-in-question.js";

/**
 * A link that signs somebody in.
 *
 * @typedef {{token: string | null, code: string | null, user: {userID: string, name: string} | null}} SignInLink
 *   it has a token or a one-time code; `user` is whom it says it signs in, null if it cannot be read
 * @typedef {import("./server.js").Problem} Problem
 */

/**
 * Takes a token or a code out of the address bar and the entry of the history.
 *
 * @param {string | null} [channel] what the address names from now on; the channel that it names if absent
 * @returns {SignInLink | null} null if the address has neither
 */
export function takeLink(channel = channelOfAddress()) {
  const words = new URLSearchParams(location.hash.slice(1));
  if (!words.has("token") && !words.has("code")) return null;
  history.replaceState(history.state, "", addressOf(channel));
  const code = words.get("code")?.trim() || null;
  const token = code ? null : words.get("token")?.trim() || null;
  return { token, code, user: readUser(code ?? token ?? "") };
}

/**
 * Whom a token or a code names. Only the server can tell whether that is true.
 *
 * @param {string} text
 */
function readUser(text) {
  try {
    const payload = text.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0));
    const { sub, name } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof sub !== "string" || !/^[A-Za-z0-9_.@-]{1,64}$/.test(sub)) return null;
    return { userID: sub, name: (typeof name === "string" && name.trim().slice(0, 200)) || sub };
  } catch {
    return null;
  }
}

/**
 * Signs in by a link if the user agrees to it.
 *
 * @param {SignInLink} link
 * @param {Node & ParentNode} root as for `openDialog`
 * @param {{t: import("../texts/texts.js").Texts,
 *   signIn: (credentials: import("./sign-in.js").Credentials) => Promise<Problem | null>}} options
 * @returns {Promise<Problem | null>} why nobody is signed in; null if the user is in, or does not want to be
 */
export async function signInByLink({ token, code, user }, root, { t, signIn }) {
  if (!user) return { text: t("signIn.linkInvalid"), isFinal: true };
  // The same at a second try, which has what the first one has got.
  const credentials = code ? { code } : { token: token ?? "" };
  return askToSignIn(root, { t, user, onSignIn: () => signIn(credentials) });
}
