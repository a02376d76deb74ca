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
  const { isTemporary, identity, ...given } = credentials;
  if (identity) return identity;
  let proof = given;
  try {
    if ("newName" in proof && proof.newName) {
      const { newName: name, loginName, password } = proof;
      const { token } = await post("account.signUp", { loginName, password, name });
      // A login with the password would last longer than one with this token.
      if (!info?.keepsLogins || isTemporary) return (credentials.identity = { token });
      proof = { loginName, password };
    }
    if ("provider" in proof && !keepsCookies()) return { text: t("signIn.providerCookies"), isFinal: true };
    const login = info?.keepsLogins && !isTemporary && keepsCookies() ? await start(proof) : null;
    if (login) return (credentials.identity = { login });
    if ("token" in proof) return proof;
    const { token } = await post("account.logIn", proof);
    return (credentials.identity = { token });
  } catch (/** @type {any} */ error) {
    const isWrong = error.name === "wrongCredentials";
    if (isWrong && "code" in proof) return { text: t("signIn.linkUsed"), isFinal: true };
    if (isWrong && "password" in proof) return { text: t("signIn.wrongPassword"), isFinal: true };
    if ("provider" in proof && (isWrong || error.name === "functionUnavailable")) {
      return { text: t(isWrong ? "signIn.providerRefused" : "signIn.providerWrong"), isFinal: true };
    }
    const key = "newName" in given && signUpProblem(error);
    if (key) return { text: t(key), isFinal: true };
    return { text: error.code ? refusalText(error, t) : t("signIn.unreachable"), isFinal: !error.retryable };
  }
}

/**
 * @param {any} error
 * @returns {import("../texts/texts.js").Key | ""} why there is no new account; empty for what every login may meet
 */
function signUpProblem({ name, field }) {
  if (name === "dataFormat" && field === "name") return "signIn.nameInvalid";
  if (name === "dataFormat") return field === "password" ? "signIn.passwordWeak" : "signIn.loginNameInvalid";
  /** @type {Record<string, import("../texts/texts.js").Key>} */
  const keys = { accountExists: "signIn.loginNameTaken", accountLimitReached: "signIn.signUpFull",
    tooManyRequests: "signIn.signUpOften" };
  return keys[name] ?? "";
}

/**
 * @param {Parameters<typeof startLogin>[0]} proof
 * @returns {Promise<import("./kept-login.js").KeptLogin | null>} null if a token has to be used by itself
 */
async function start(proof) {
  try {
    const login = await startLogin(proof);
    // A code is used up, whether the cookie was kept or not.
    return "code" in proof || "provider" in proof || await login.isKept() ? login : null;
  } catch (/** @type {any} */ error) {
    // A token of a provider, or one that ends soon.
    if (error.name === "functionUnavailable" && "token" in proof) return null;
    throw error;
  }
}

/** Whether the browser keeps cookies of this page. In a frame of another site it does not. */
export function keepsCookies() {
  try {
    return navigator.cookieEnabled && window.top?.location.origin === location.origin;
  } catch {
    return false;
  }
}
