import { h } from "../ui/dom.js";
import { drawAccount } from "./account-button.js";
import { keepAccount, leaveTab, logOutAccount } from "./accounts.js";
import { channelOfAddress } from "./address.js";
import { keepGuest } from "./guest.js";
import { endAllLogins, endLogins } from "./kept-login.js";
import { applyTheme } from "./look.js";
import { Notifications } from "./notifications.js";
import { connect } from "./server.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
 */

/** Somebody who is signed in, with the chat in full, what notifies of it, and the button that opens the settings. */
export class SignedInUser {
  /**
   * @param {import("./sign-in.js").Identity} identity
   * @param {Client | undefined} connected a client that is connected already
   * @param {{t: Texts, look: import("./look.js").Look, registration: Promise<ServiceWorkerRegistration | null>,
   *   info: () => Promise<import("./server.js").Info | null>, onSettings: () => void}} options
   */
  constructor(identity, connected, { t, look, registration, info, onSettings }) {
    this.client = connected ?? connect(identity);
    /** The login, if the browser keeps it. */
    this.login = "login" in identity ? identity.login : null;
    // An account that goes on after a reload leaves the guest of another tab alone.
    if ("guest" in identity) keepGuest(identity.guest);
    else if (connected) keepGuest(null);
    if (!this.login) leaveTab();
    else if (this.client.state === "live") keepAccount(this.client.user);
    this.account = h("button", { type: "button", slot: "account", class: "account", onclick: onSettings });
    this.chat = makeChat(look);
    this.chat.append(this.account);
    this.notifications = new Notifications(this.client, { registration, info });
    this.page = h("main", null, h("h1", { class: "app-name" }, t("app.name")), this.chat);
  }

  #end = new AbortController();
  #isEnding = false;

  /** Ends when nothing of this user is shown any more. */
  get signal() {
    return this.#end.signal;
  }

  /** Whether the server is ending all logins of the user, this one too. */
  get isEnding() {
    return this.#isEnding;
  }

  /** Known before the server has said it, if the browser keeps the login. */
  get userID() {
    return this.login?.userID ?? this.client.user?.userID;
  }

  /** Puts the chat into the page, and connects it. */
  show() {
    document.body.append(this.page);
    this.chat.connect({ client: this.client });
  }

  /** @param {Texts} t */
  drawAccount(t) {
    drawAccount(this.account, this.client, t);
  }

  /** Ends the chat; the user stays signed in. */
  close() {
    this.#hide();
    this.client.close();
    leaveTab();
  }

  /** @param {boolean} [everywhere] also on all other devices; rejects if the server cannot be asked for that */
  async logOut(everywhere) {
    const { client, login } = this;
    if (everywhere) await this.#endAllLogins();
    // First: whoever closes the page now has logged out.
    if (login) logOutAccount(login.userID);
    else if (client.options.guest) keepGuest(null);
    this.#hide();
    await Promise.all([this.notifications.forget(), client.logOut()]);
    if (login) endLogins();
  }

  async #endAllLogins() {
    this.#isEnding = true;
    try {
      await endAllLogins(this.client);
    } catch (error) {
      // If only the answer was lost, it was done.
      if (this.client.state !== "refused") throw error;
    } finally {
      this.#isEnding = false;
    }
  }

  #hide() {
    this.#end.abort();
    this.notifications.end();
    this.page.remove();
  }
}

/**
 * The chat, at the conversation that the address names.
 *
 * @param {import("./look.js").Look} look
 */
function makeChat(look) {
  const chat = /** @type {import("../roost-chat.js").RoostChatElement} */ (document.createElement("roost-chat"));
  chat.setAttribute("lang", look.language ?? "");
  chat.setAttribute("keys", "page");
  chat.setAttribute("print", "page");
  const channel = channelOfAddress();
  if (channel) {
    chat.setAttribute("channel", channel);
    chat.setAttribute("mode", "both");
  }
  applyTheme(chat, look.theme);
  return chat;
}
