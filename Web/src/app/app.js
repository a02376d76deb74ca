import "../texts/more.js";
import "../roost-chat.js";
// It would be loaded later: the app always has the list.
import "../chat/channels/list-view.js";
import { errorText, loadTexts } from "../texts/texts.js";
import { h, on, refill, single } from "../ui/dom.js";
import { LiveRegion } from "../ui/live.js";
import { baseStyles } from "../ui/base-styles.js";
import { Toasts } from "../ui/toast.js";
import { adoptListStyles } from "../chat/styles/list-styles.js";
import { drawAccount } from "./account-button.js";
import {
  accountOfAddress, accountOfTab, accountsKey, forgetAccount, keepAccount, leaveTab, logOutAccount, nameAccount,
  readAccounts,
} from "./accounts.js";
import { addressOf, channelOfAddress } from "./address.js";
import { appStyles } from "./app-styles.js";
import { guestKey, keepGuest, readGuest, wasGuest } from "./guest.js";
import { KeptLogin, endAllLogins, endLogins } from "./kept-login.js";
import { applyTheme, keepLook, readLook } from "./look.js";
import { Notifications, keepWords } from "./notifications.js";
import { endsLogin, refusalText } from "./refusals.js";
import { goToProvider, takeProviderAnswer } from "./provider.js";
import { connect, readInfo, registerWorker, tryToConnect } from "./server.js";
import { identify, keepsCookies } from "./identify.js";
import { SignInView } from "./sign-in.js";
import { signInByLink, takeLink } from "./sign-in-link.js";
import { drawTitle } from "./title.js";
import { showUntilReady, waitingScreen } from "./waiting-screen.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("./accounts.js").Account} Account
 * @typedef {import("./sign-in.js").Credentials} Credentials
 * @typedef {import("./sign-in.js").Identity} Identity
 * @typedef {import("./server.js").Info} Info
 * @typedef {import("./server.js").Problem} Problem
 */

/** The app: who is signed in, the chat in full, and what is around it. */
class App {
  /** @param {import("../texts/texts.js").Texts} t */
  constructor(t) {
    this.t = t;
    this.look = readLook();
    this.host = /** @type {HTMLElement} */ (document.getElementById("app"));
    this.root = this.host.attachShadow({ mode: "open" });
    this.root.adoptedStyleSheets = [baseStyles, appStyles];
    adoptListStyles(this.root);
    this.live = new LiveRegion({ summary: (count) => this.t("announce.messages", { count }) });
    this.toasts = new Toasts({ closeLabel: t("close"), live: this.live,
      field: () => this.chat?.shadowRoot?.querySelector(".composer") });
    this.place = h("div");
    this.root.append(this.place, this.toasts.element, this.live.element);
    // The service worker and what the server tells of itself have time until there is something to see.
    /** @type {Promise<ServiceWorkerRegistration | null>} */
    this.registration = new Promise((done) => {
      this.register = () => {
        this.register = undefined;
        done(registerWorker());
      };
    });
    /** @type {Promise<Info | null> | null} */
    this.info = null;
    /** @type {Client | null} */
    this.client = null;
    /** @type {import("../roost-chat.js").RoostChatElement | null} */
    this.chat = null;
    /** @type {Notifications | null} */
    this.notifications = null;
    /** @type {KeptLogin | null} the login of the user, if the browser keeps it */
    this.login = null;
    this.isAsking = this.isEnding = false;
    /**
     * What waits until the server has let in whom the browser keeps, or not.
     *
     * @type {import("./sign-in-link.js").SignInLink | null}
     */
    this.link = null;
    this.end = new AbortController();
    /** @type {any} */
    this.installPrompt = null;
    this.isChecked = false;
    this.speak();
  }

  /**
   * Goes straight in with the login that the browser keeps, or the guest of last time; otherwise asks.
   *
   * @param {import("./sign-in-link.js").SignInLink | null} link what the address was
   * @param {ReturnType<typeof takeProviderAnswer>} answer what the identity provider has put into the address
   */
  start(link, answer) {
    on(window, "popstate", () => this.addressChanged());
    on(window, "beforeinstallprompt", (event) => {
      event.preventDefault();
      this.installPrompt = event;
    });
    on(window, "appinstalled", () => (this.installPrompt = null));
    on(window, "storage", (event) => {
      // Another tab has logged out.
      const isGone = event.key === guestKey && wasGuest(event.oldValue, this.client?.options.guest) && !event.newValue
        || event.key === accountsKey && this.login && !accountOfTab();
      if (isGone) this.leave("", false);
    });
    on(navigator.serviceWorker ?? window, "message", ({ data, ports }) => this.workerSays(data, ports));
    endLogins();
    const guest = readGuest();
    const account = accountOfAddress() ?? accountOfTab() ?? (guest ? null : readAccounts()[0]);
    if (answer && "code" in answer) this.enterByProvider(answer);
    else if (account) this.enterAs(account);
    else if (guest) this.enter({ guest });
    else this.showSignIn(answer ? this.t(answer.problem) : "", true);
    const opened = takeLink() ?? link;
    if (opened) this.linkOpened(opened);
  }

  /** Shows the language and its direction. */
  speak() {
    const { t } = this;
    document.documentElement.lang = t.lang;
    document.documentElement.dir = t.dir;
    this.host.lang = t.lang;
    this.host.dir = t.dir;
    applyTheme(this.host, this.look.theme);
    this.drawTitle();
    keepWords(t).catch(() => {});
  }

  /**
   * @param {string} [notice]
   * @param {boolean} [isBad]
   * @param {{userID: string, name: string} | null} [guest] who fills the fields; who was here last, if absent
   */
  showSignIn(notice, isBad, guest = readGuest()) {
    const { t, look } = this;
    this.register?.();
    const view = new SignInView(t, {
      info: this.readInfo(), guest, accounts: readAccounts(), notice, isBad, language: look.language,
      onLanguage: async (language) => {
        const { guest } = view;
        await this.changeLook({ ...look, language });
        this.showSignIn(notice, isBad, guest);
      },
      onAccount: (account) => this.enterAs(account),
      onSubmit: async (credentials) => (await this.signIn(credentials))?.text ?? "",
      onProvider: () => this.askProvider(),
    });
    refill(this.place, view.element);
    this.drawTitle();
  }

  /** @returns {Promise<string>} why the page stays here */
  async askProvider() {
    const { t } = this;
    if (!globalThis.crypto.subtle) return t("signIn.providerSafe");
    if (!keepsCookies()) return t("signIn.providerCookies");
    try {
      await goToProvider();
      return "";
    } catch (/** @type {any} */ error) {
      return error.code ? refusalText(error, t) : t("signIn.unreachable");
    }
  }

  /** @param {import("./provider.js").ProviderAnswer} provider */
  async enterByProvider(provider) {
    this.showSignIn(this.t("signIn.busy"), false);
    const problem = await this.signIn({ provider });
    if (problem && !this.client) this.showSignIn(problem.text, true);
  }

  /**
   * Anybody can make somebody open a link, so it signs nobody in who has not agreed, and nobody who is signed in.
   *
   * @param {import("./sign-in-link.js").SignInLink} link
   */
  async linkOpened(link) {
    const { t } = this;
    if (this.client && this.client.state !== "live") return void (this.link = link);
    if (this.client) return void this.toasts.show(t("signIn.linkIgnored"));
    // While a question is open, another one in its place could be answered by mistake.
    if (this.isAsking) return;
    this.isAsking = true;
    let problem;
    try {
      problem = await signInByLink(link, this.root, { t, signIn: (credentials) => this.signIn(credentials) });
    } finally {
      this.isAsking = false;
    }
    if (problem && !this.client) this.showSignIn(problem.text, true);
  }

  /**
   * @param {Credentials} credentials
   * @returns {Promise<Problem | null>} what went wrong; null if the user is in
   */
  async signIn(credentials) {
    const identity = await identify(credentials, await this.readInfo(), this.t);
    const result = "text" in identity ? identity : await tryToConnect(identity, this.t);
    if ("text" in result) {
      if (!result.isFinal) this.info = null;
      if (result.isFinal && "login" in identity) identity.login.end().catch(() => {});
      return result;
    }
    // Somebody may have signed in meanwhile.
    if (this.client) result.client.close();
    else this.enter(/** @type {Identity} */ (identity), result.client);
    return null;
  }

  /**
   * Shows the chat of somebody whose login the browser keeps, in place of the user who is here.
   *
   * @param {Account} account
   */
  enterAs(account) {
    if (this.client) this.close();
    keepAccount(account);
    this.enter({ login: new KeptLogin(account.userID) });
  }

  /**
   * Shows the chat of a user.
   *
   * @param {Identity} identity
   * @param {Client} [connected] one that is connected already
   */
  enter(identity, connected) {
    const client = connected ?? connect(identity);
    this.client = client;
    this.login = "login" in identity ? identity.login : null;
    for (const dialog of this.root.querySelectorAll("dialog")) dialog.close();
    // An account that goes on after a reload leaves the guest of another tab alone.
    if ("guest" in identity) keepGuest(identity.guest);
    else if (connected) keepGuest(null);
    if (!this.login) leaveTab();
    else if (client.state === "live") keepAccount(client.user);
    this.place.replaceChildren();
    this.end = new AbortController();
    const { signal } = this.end;
    this.account = h("button", { type: "button", slot: "account", class: "account", onclick: this.openSettings });
    const chat = /** @type {import("../roost-chat.js").RoostChatElement} */ (document.createElement("roost-chat"));
    this.chat = chat;
    chat.setAttribute("lang", this.look.language ?? "");
    chat.setAttribute("keys", "page");
    chat.setAttribute("print", "page");
    const channel = channelOfAddress();
    if (channel) {
      chat.setAttribute("channel", channel);
      chat.setAttribute("mode", "both");
    }
    applyTheme(chat, this.look.theme);
    chat.append(this.account);
    this.notifications = new Notifications(client, { registration: this.registration, info: () => this.readInfo() });
    on(client, "state", () => this.stateChanged(), signal);
    on(client, "unread invitations", () => this.drawTitle(), signal);
    on(client.list, "change", () => this.drawTitle(), signal);
    import("../chat/dialog-notes.js").then(({ watchDialogs }) =>
      watchDialogs({ client, root: this.root, signal, t: () => this.t }), () => {});
    on(chat, "open", ({ detail }) => this.opened(detail.channel), signal);
    document.body.append((this.main = h("main", null, h("h1", { class: "app-name" }, this.t("app.name")), chat)));
    chat.connect({ client });
    showUntilReady(chat, {
      place: this.place, signal, onSomethingToSee: () => this.register?.(),
      screen: () => waitingScreen(this.t, {
        onConnect: () => void client.wake(), onLogOut: () => void this.logOut(),
      }),
    });
    // The form that had the focus is gone.
    on(chat, "ready", () => connected && document.activeElement === document.body && chat.list?.focus(), signal);
    this.notifications.start();
    this.drawAccount();
    this.drawTitle();
  }

  /** What the server tells of itself; asked again if it could not be reached. */
  async readInfo() {
    this.info ??= readInfo();
    const info = await this.info;
    if (!info) this.info = null;
    return info;
  }

  stateChanged() {
    if (this.isEnding) return;
    const client = /** @type {Client} */ (this.client);
    this.drawAccount();
    if (client.state === "refused") {
      this.check();
      const name = client.error?.name ?? "";
      if (this.login && endsLogin(client.error)) forgetAccount(this.login.userID);
      const text = refusalText(client.error, this.t);
      if (name === "protocolVersion") this.toasts.show(text, { isFailure: true, action: this.reloading() });
      return this.leave(this.login && name === "functionUnavailable" ? this.t("signedOut.expired") : text, true);
    }
    if (client.state === "offline") this.isChecked = false;
    if (client.state === "live") {
      if (this.link) this.toasts.show(this.t("signIn.linkIgnored"));
      this.link = null;
      if (this.login) nameAccount(client.user);
      this.check();
    }
  }

  /** Asks the service worker once per connection whether the server has newer files than those that run here. */
  check() {
    if (this.isChecked) return;
    this.isChecked = true;
    navigator.serviceWorker?.controller?.postMessage({ check: true });
  }

  /**
   * Ends the chat, and asks who wants to sign in.
   *
   * @param {string} notice
   * @param {boolean} isBad
   */
  leave(notice, isBad) {
    const { link } = this;
    this.link = null;
    this.close();
    this.showSignIn(notice, isBad);
    if (link) this.linkOpened(link);
  }

  /** Ends the chat; the user stays signed in. */
  close() {
    this.end.abort();
    this.notifications?.end();
    this.client?.close();
    this.main?.remove();
    this.client = this.chat = this.notifications = this.login = null;
    for (const dialog of this.root.querySelectorAll("dialog")) dialog.close();
    leaveTab();
  }

  /** @param {boolean} [everywhere] also on all other devices */
  async logOut(everywhere) {
    const { client, notifications, login } = this;
    if (!client) return;
    if (everywhere) {
      // The server ends this login, too.
      this.isEnding = true;
      try {
        await endAllLogins(client);
      } catch (error) {
        // If only the answer was lost, it was done.
        if (client.state !== "refused") throw error;
      } finally {
        this.isEnding = false;
      }
    }
    // First: whoever closes the page now has logged out.
    if (login) logOutAccount(login.userID);
    else if (client.options.guest) keepGuest(null);
    this.end.abort();
    notifications?.end();
    this.main?.remove();
    await Promise.all([notifications?.forget(), client.logOut()]);
    if (login) endLogins();
    history.replaceState(null, "", addressOf(null));
    this.leave(this.t("signedOut.self"), false);
  }

  // Address and title

  /** @param {string | null} channel that the chat shows now */
  opened(channel) {
    this.drawTitle();
    const depth = history.state?.depth ?? 0;
    if (channel === channelOfAddress()) return;
    // The way back in the chat is the way back in the browser, which leads to what was there before.
    if (!channel && depth > 0) history.back();
    else if (channel) history.pushState({ depth: depth + 1 }, "", addressOf(channel));
    else history.replaceState(null, "", addressOf(null));
  }

  addressChanged() {
    const link = takeLink(this.client ? this.chat?.conversation?.id ?? null : undefined);
    if (link) return void this.linkOpened(link);
    const channel = channelOfAddress();
    if (channel !== (this.chat?.conversation?.id ?? null)) this.chat?.open(channel);
    this.drawTitle();
  }

  drawTitle() {
    drawTitle(this);
  }

  // What is around the chat

  drawAccount() {
    const { client, account } = this;
    if (!client || !account) return;
    drawAccount(account, client, this.t);
  }

  fail = (/** @type {unknown} */ error) => void this.toasts.show(errorText(error, this.t), { isFailure: true });

  openSettings = single(async () => {
    const { client, notifications, t, look, fail } = this;
    if (!client || !notifications) return;
    const { openSettings } = await import("./settings.js");
    const prompt = this.installPrompt;
    openSettings(this.root, {
      client, notifications, t, look, fail,
      onLook: (changed) => this.changeLook(changed),
      onLogOut: (everywhere) => this.logOut(everywhere),
      accounts: this.login && readAccounts(),
      onAccount: (account) => (account ? this.enterAs(account) : this.leave("", false)),
      install: prompt && (() => prompt.prompt()),
      say: (text) => void this.toasts.show(text),
      returnTo: this.account,
    });
  }, this.fail);

  /** @param {import("./look.js").Look} look */
  async changeLook(look) {
    const isOtherLanguage = (look.language ?? "") !== (this.look.language ?? "");
    this.look = look;
    keepLook(look);
    if (this.chat) applyTheme(this.chat, look.theme);
    if (isOtherLanguage) {
      this.t = await loadTexts(look.language || null);
      this.chat?.setAttribute("lang", look.language ?? "");
      this.drawAccount();
    }
    this.speak();
    const dialog = isOtherLanguage && this.root.querySelector("dialog");
    if (!dialog) return;
    dialog.close();
    await this.openSettings();
  }

  /**
   * @param {any} data
   * @param {readonly MessagePort[]} [ports]
   */
  workerSays(data, ports) {
    if (data?.who) ports?.[0]?.postMessage(this.userID);
    if (data?.open) this.openFor(data.open, data.userID);
    if (data?.subscribed) this.notifications?.register();
    if (data?.updated) this.toasts.show(this.t("app.update"), { isFailure: true, action: this.reloading() });
  }

  /** Who is here; undefined if nobody is. */
  get userID() {
    return this.login?.userID ?? this.client?.user?.userID;
  }

  /**
   * Opens what a notification is about, as the user whom it is for.
   *
   * @param {string} channel
   * @param {string} [userID]
   */
  openFor(channel, userID) {
    if (userID && this.userID !== userID) {
      const account = readAccounts().find((each) => each.userID === userID);
      if (!account) return;
      history.pushState({ depth: 0 }, "", addressOf(channel));
      return this.enterAs(account);
    }
    this.chat?.open(channel);
  }

  reloading() {
    return { label: this.t("app.reload"), run: () => location.reload() };
  }
}

// At once: it is to be on no screen, and in no entry of the history that a reload or the way back leads to.
const answer = takeProviderAnswer();
const link = takeLink();
new App(await loadTexts(readLook().language || null)).start(link, answer);
