import { post, startLogin } from "./kept-login.js";
import { refusalText } from "./refusals.js";

/**
 * Exchanges what somebody signs in with for what a connection needs. If the server and the browser can keep the login,
 * they do. A code is good once only, so what was got for it is kept in `credentials.identity` for a second try.
 *
 * @param {import("./sign-in.js").Credentials} credentials
 * @param {import("./server.js").Info | null} info
 * @param {import("../texts/texts.js").Texts} t
 * @returns {Promise<import("./sign-in.js").Identity | import("./server.js").Problem>}
 */
export async function identify(credentials, info, t) {
  if ("guest" in credentials) return credentials;
  const { isTemporary, identity, ...proof } = credentials;
  if (identity) return identity;
  try {
    const login = info?.keepsLogins && !isTemporary && keepsCookies() ? await start(proof) : null;
    if (login) return (credentials.identity = { login });
    if ("token" in proof) return proof;
    const { token } = await post("account.logIn", proof);
    return (credentials.identity = { token });
  } catch (/** @type {any} */ error) {
    if (error.code === 1 && "code" in proof) return { text: t("signIn.linkUsed"), isFinal: true };
    if (error.code === 1 && "password" in proof) return { text: t("signIn.wrongPassword"), isFinal: true };
    return { text: error.code ? refusalText(error, t) : t("signIn.unreachable"), isFinal: !error.retryable };
  }
}

/**
 * @param {Parameters<typeof startLogin>[0]} proof
 * @returns {Promise<import("./kept-login.js").KeptLogin | null>} null if a token has to be used by itself
 */
async function start(proof) {
  try {
    const login = await startLogin(proof);
    // A code is used up, whether the cookie was kept or not.
    return "code" in proof || await login.isKept() ? login : null;
  } catch (/** @type {any} */ error) {
    // A token of a provider, or one that ends soon.
    if (error.code === 7 && "token" in proof) return null;
    throw error;
  }
}

/** Whether the browser keeps cookies of this page. In a frame of another site it does not. */
function keepsCookies() {
  try {
    return navigator.cookieEnabled && window.top?.location.origin === location.origin;
  } catch {
    return false;
  }
}
