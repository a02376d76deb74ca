import { readAccounts } from "./accounts.js";
import { readGuest } from "./guest.js";
import { identify, keepsCookies } from "./identify.js";
import { goToProvider } from "./provider.js";
import { refusalText } from "./refusals.js";
import { tryToConnect } from "./server.js";
import { SignInView } from "./sign-in.js";
import { signInByLink } from "./sign-in-link.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("./accounts.js").Account} Account
 * @typedef {import("./server.js").Problem} Problem
 * @typedef {import("./sign-in.js").Identity} Identity
 * @typedef {import("./sign-in-link.js").SignInLink} SignInLink
 */

/** The ways into the app: the form, the accounts of the browser, an identity provider, and links. */
export class Entrance {
  /**
   * @param {{t: () => import("../texts/texts.js").Texts, language: () => string | undefined, root: ShadowRoot,
   *   info: import("./server.js").ServerInfo, client: () => Client | undefined, show: (element: HTMLElement) => void,
   *   enter: (identity: Identity, client: Client) => void, enterAs: (account: Account) => void,
   *   setLanguage: (language: string) => Promise<void>, say: (text: string) => void}} options `client` is that of who
   *   is in; `show` puts the form into the page
   */
  constructor(options) {
    this.#options = options;
  }

  #options;
  #isAsking = false;
  /**
   * A link that waits until the server has let in whom the browser keeps, or not.
   *
   * @type {SignInLink | null}
   */
  #link = null;

  /**
   * Shows the form.
   *
   * @param {string} [notice]
   * @param {boolean} [isBad]
   * @param {{userID: string, name: string} | null} [guest] who fills the fields; who was here last, if absent
   */
  ask(notice, isBad, guest = readGuest()) {
    const { t, language, info, enterAs, setLanguage, show } = this.#options;
    const view = new SignInView(t(), {
      info: info.read(), guest, accounts: readAccounts(), notice, isBad, language: language(),
      onLanguage: async (language) => {
        const { guest } = view;
        await setLanguage(language);
        this.ask(notice, isBad, guest);
      },
      onAccount: enterAs,
      onSubmit: async (credentials) => (await this.#signIn(credentials))?.text ?? "",
      onProvider: () => this.#askProvider(),
    });
    show(view.element);
  }

  /**
   * Shows the form after somebody had to leave, or asks by the link that has waited for that.
   *
   * @param {string} notice
   * @param {boolean} isBad
   */
  askAgain(notice, isBad) {
    const link = this.#link;
    this.#link = null;
    this.ask(notice, isBad);
    if (link) this.openLink(link);
  }

  /** Whom the browser keeps is in: a link that has waited for that does nothing. */
  wasEntered() {
    const { t, say } = this.#options;
    if (this.#link) say(t()("signIn.linkIgnored"));
    this.#link = null;
  }

  /** @param {import("./provider.js").ProviderAnswer} provider */
  async enterByProvider(provider) {
    const { t, client } = this.#options;
    this.ask(t()("signIn.busy"), false);
    const problem = await this.#signIn({ provider });
    if (problem && !client()) this.ask(problem.text, true);
  }

  /**
   * Anybody can make somebody open a link, so it signs nobody in who has not agreed, and nobody who is signed in.
   *
   * @param {SignInLink} link
   */
  async openLink(link) {
    const { t, root, client, say } = this.#options;
    const state = client()?.state;
    if (state === "live") return say(t()("signIn.linkIgnored"));
    if (state) return void (this.#link = link);
    // While a question is open, another one in its place could be answered by mistake.
    if (this.#isAsking) return;
    this.#isAsking = true;
    let problem;
    try {
      problem = await signInByLink(link, root, { t: t(), signIn: (credentials) => this.#signIn(credentials) });
    } finally {
      this.#isAsking = false;
    }
    if (problem && !client()) this.ask(problem.text, true);
  }

  /** @returns {Promise<string>} why the page stays here */
  async #askProvider() {
    const t = this.#options.t();
    if (!globalThis.crypto.subtle) return t("signIn.providerSafe");
    if (!keepsCookies()) return t("signIn.providerCookies");
    try {
      await goToProvider();
      return "";
    } catch (/** @type {any} */ error) {
      return error.code ? refusalText(error, t) : t("signIn.unreachable");
    }
  }

  /**
   * @param {import("./sign-in.js").Credentials} credentials
   * @returns {Promise<Problem | null>} what went wrong; null if the user is in
   */
  async #signIn(credentials) {
    const { t, info, client, enter } = this.#options;
    const identity = await identify(credentials, await info.read(), t());
    const result = "text" in identity ? identity : await tryToConnect(identity, t());
    if ("text" in result) {
      if (!result.isFinal) info.forget();
      if (result.isFinal && "login" in identity) identity.login.end().catch(() => {});
      return result;
    }
    // Somebody may have signed in meanwhile.
    if (client()) result.client.close();
    else enter(/** @type {Identity} */ (identity), result.client);
    return null;
  }
}
