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
import {
  accountOfAddress, accountOfTab, accountsKey, forgetAccount, keepAccount, nameAccount, readAccounts,
} from "./accounts.js";
import { addressOf, channelOfAddress } from "./address.js";
import { appStyles } from "./app-styles.js";
import { Entrance } from "./entrance.js";
import { guestKey, readGuest, wasGuest } from "./guest.js";
import { KeptLogin, endLogins } from "./kept-login.js";
import { applyTheme, keepLook, readLook } from "./look.js";
import { keepWords } from "./notifications.js";
import { endsLogin, refusalText } from "./refusals.js";
import { takeProviderAnswer } from "./provider.js";
import { ServerInfo } from "./server.js";
import { SignedInUser } from "./signed-in-user.js";
import { takeLink } from "./sign-in-link.js";
import { drawTitle } from "./title.js";
import { showUntilReady, waitingScreen } from "./waiting-screen.js";
import { WorkerLink } from "./worker-link.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("./accounts.js").Account} Account
 * @typedef {import("./sign-in.js").Identity} Identity
 */

/** The app: who is signed in, and the language, the look and the address around that. */
class App {
  /** @param {import("../texts/texts.js").Texts} t */
  constructor(t) {
    this.#t = t;
    this.#root.adoptedStyleSheets = [baseStyles, appStyles];
    adoptListStyles(this.#root);
    const live = new LiveRegion({ summary: (count) => this.#t("announce.messages", { count }) });
    this.#toasts = new Toasts({ closeLabel: t("close"), live,
      field: () => this.#user?.chat.shadowRoot?.querySelector(".composer") });
    this.#root.append(this.#place, this.#toasts.element, live.element);
    this.#entrance = new Entrance({
      t: () => this.#t, language: () => this.#look.language, root: this.#root, info: this.#info,
      client: () => this.#user?.client,
      show: (element) => {
        this.#worker.register();
        refill(this.#place, element);
        this.#drawTitle();
      },
      enter: (identity, client) => this.#enter(identity, client),
      enterAs: (account) => this.#enterAs(account),
      setLanguage: (language) => this.#changeLook({ ...this.#look, language }),
      say: this.#say,
    });
    this.#speak();
  }

  #t;
  #toasts;
  #entrance;
  #look = readLook();
  #host = /** @type {HTMLElement} */ (document.getElementById("app"));
  #root = this.#host.attachShadow({ mode: "open" });
  #place = h("div");
  #info = new ServerInfo();
  #worker = new WorkerLink({
    who: () => this.#user?.userID,
    open: (channel, userID) => this.#openFor(channel, userID),
    subscribed: () => void this.#user?.notifications.register(),
    updated: () => this.#toasts.show(this.#t("app.update"), { isFailure: true, action: this.#reloading }),
  });
  /** @type {SignedInUser | null} */
  #user = null;
  /** @type {any} */
  #installPrompt = null;

  /**
   * Goes straight in with the login that the browser keeps, or the guest of last time; otherwise asks.
   *
   * @param {import("./sign-in-link.js").SignInLink | null} link what the address was
   * @param {ReturnType<typeof takeProviderAnswer>} answer what the identity provider has put into the address
   */
  start(link, answer) {
    on(window, "popstate", () => this.#addressChanged());
    on(window, "beforeinstallprompt", (event) => {
      event.preventDefault();
      this.#installPrompt = event;
    });
    on(window, "appinstalled", () => (this.#installPrompt = null));
    on(window, "storage", (event) => {
      // Another tab has logged out.
      const isGone = event.key === guestKey && wasGuest(event.oldValue, this.#user?.client.options.guest) &&
        !event.newValue || event.key === accountsKey && this.#user?.login && !accountOfTab();
      if (isGone) this.#leave("", false);
    });
    endLogins();
    const guest = readGuest();
    const account = accountOfAddress() ?? accountOfTab() ?? (guest ? null : readAccounts()[0]);
    if (answer && "code" in answer) this.#entrance.enterByProvider(answer);
    else if (account) this.#enterAs(account);
    else if (guest) this.#enter({ guest });
    else this.#entrance.ask(answer ? this.#t(answer.problem) : "", true);
    const opened = takeLink() ?? link;
    if (opened) this.#entrance.openLink(opened);
  }

  /** Shows the language and its direction. */
  #speak() {
    const t = this.#t;
    for (const element of [document.documentElement, this.#host]) {
      element.lang = t.lang;
      element.dir = t.dir;
    }
    applyTheme(this.#host, this.#look.theme);
    this.#drawTitle();
    keepWords(t).catch(() => {});
  }

  // Who is in

  /**
   * Shows the chat of somebody whose login the browser keeps, in place of the user who is here.
   *
   * @param {Account} account
   */
  #enterAs(account) {
    if (this.#user) this.#close();
    keepAccount(account);
    this.#enter({ login: new KeptLogin(account.userID) });
  }

  /**
   * Shows the chat of a user.
   *
   * @param {Identity} identity
   * @param {Client} [connected] one that is connected already
   */
  #enter(identity, connected) {
    this.#closeDialogs();
    this.#place.replaceChildren();
    const user = new SignedInUser(identity, connected, {
      t: this.#t, look: this.#look, registration: this.#worker.registration, info: () => this.#info.read(),
      onSettings: this.#openSettings,
    });
    this.#user = user;
    const { client, chat, signal } = user;
    on(client, "state", () => this.#stateChanged(user), signal);
    on(client, "unread invitations", () => this.#drawTitle(), signal);
    on(client.list, "change", () => this.#drawTitle(), signal);
    import("../chat/dialog-notes.js").then(({ watchDialogs }) =>
      watchDialogs({ client, root: this.#root, signal, t: () => this.#t }), () => {});
    on(chat, "open", ({ detail }) => this.#opened(detail.channel), signal);
    user.show();
    showUntilReady(chat, {
      place: this.#place, signal, onSomethingToSee: () => this.#worker.register(),
      screen: () => waitingScreen(this.#t, {
        onConnect: () => void client.wake(), onLogOut: () => void this.#logOut(),
      }),
    });
    // The form that had the focus is gone.
    on(chat, "ready", () => connected && document.activeElement === document.body && chat.list?.focus(), signal);
    user.notifications.start();
    user.drawAccount(this.#t);
    this.#drawTitle();
  }

  /** @param {SignedInUser} user */
  #stateChanged(user) {
    const { client, login, isEnding } = user;
    if (isEnding) return;
    user.drawAccount(this.#t);
    if (client.state === "refused") {
      this.#worker.check();
      const name = client.error?.name ?? "";
      if (login && endsLogin(client.error)) forgetAccount(login.userID);
      const text = refusalText(client.error, this.#t);
      if (name === "protocolVersion") this.#toasts.show(text, { isFailure: true, action: this.#reloading });
      return this.#leave(login && name === "functionUnavailable" ? this.#t("signedOut.expired") : text, true);
    }
    if (client.state === "offline") this.#worker.connectionLost();
    if (client.state === "live") {
      this.#entrance.wasEntered();
      if (login) nameAccount(client.user);
      this.#worker.check();
    }
  }

  /**
   * Ends the chat, and asks who wants to sign in.
   *
   * @param {string} notice
   * @param {boolean} isBad
   */
  #leave(notice, isBad) {
    this.#close();
    this.#entrance.askAgain(notice, isBad);
  }

  /** Ends the chat; the user stays signed in. */
  #close() {
    this.#user?.close();
    this.#user = null;
    this.#closeDialogs();
  }

  #closeDialogs() {
    for (const dialog of this.#root.querySelectorAll("dialog")) dialog.close();
  }

  /** @param {boolean} [everywhere] also on all other devices */
  async #logOut(everywhere) {
    if (!this.#user) return;
    await this.#user.logOut(everywhere);
    history.replaceState(null, "", addressOf(null));
    this.#leave(this.#t("signedOut.self"), false);
  }

  // Address and title

  /** @param {string | null} channel that the chat shows now */
  #opened(channel) {
    this.#drawTitle();
    const depth = history.state?.depth ?? 0;
    if (channel === channelOfAddress()) return;
    // The way back in the chat is the way back in the browser, which leads to what was there before.
    if (!channel && depth > 0) history.back();
    else if (channel) history.pushState({ depth: depth + 1 }, "", addressOf(channel));
    else history.replaceState(null, "", addressOf(null));
  }

  #addressChanged() {
    const chat = this.#user?.chat;
    const shown = chat?.conversation?.id ?? null;
    const link = takeLink(chat ? shown : undefined);
    if (link) return void this.#entrance.openLink(link);
    const channel = channelOfAddress();
    if (channel !== shown) chat?.open(channel);
    this.#drawTitle();
  }

  /**
   * Opens what a notification is about, as the user whom it is for.
   *
   * @param {string} channel
   * @param {string} [userID]
   */
  #openFor(channel, userID) {
    if (userID && this.#user?.userID !== userID) {
      const account = readAccounts().find((each) => each.userID === userID);
      if (!account) return;
      history.pushState({ depth: 0 }, "", addressOf(channel));
      return this.#enterAs(account);
    }
    this.#user?.chat.open(channel);
  }

  #drawTitle() {
    drawTitle({ client: this.#user?.client ?? null, chat: this.#user?.chat ?? null, t: this.#t });
  }

  // What is around the chat

  #fail = (/** @type {unknown} */ error) => void this.#toasts.show(errorText(error, this.#t), { isFailure: true });

  #say = (/** @type {string} */ text) => void this.#toasts.show(text);

  #openSettings = single(async () => {
    const user = this.#user;
    if (!user) return;
    const { openSettings } = await import("./settings.js");
    const prompt = this.#installPrompt;
    openSettings(this.#root, {
      client: user.client, notifications: user.notifications, t: this.#t, look: this.#look, fail: this.#fail,
      onLook: (changed) => this.#changeLook(changed),
      onLogOut: (everywhere) => this.#logOut(everywhere),
      accounts: user.login && readAccounts(),
      onAccount: (account) => (account ? this.#enterAs(account) : this.#leave("", false)),
      install: prompt && (() => prompt.prompt()),
      say: this.#say,
      returnTo: user.account,
    });
  }, this.#fail);

  /** @param {import("./look.js").Look} look */
  async #changeLook(look) {
    const isOtherLanguage = (look.language ?? "") !== (this.#look.language ?? "");
    this.#look = look;
    keepLook(look);
    if (this.#user) applyTheme(this.#user.chat, look.theme);
    if (isOtherLanguage) {
      this.#t = await loadTexts(look.language || null);
      this.#user?.chat.setAttribute("lang", look.language ?? "");
      this.#user?.drawAccount(this.#t);
    }
    this.#speak();
    const dialog = isOtherLanguage && this.#root.querySelector("dialog");
    if (!dialog) return;
    dialog.close();
    await this.#openSettings();
  }

  /** What a toast offers that tells of newer files. */
  get #reloading() {
    return { label: this.#t("app.reload"), run: () => location.reload() };
  }
}

// At once: it is to be on no screen, and in no entry of the history that a reload or the way back leads to.
const answer = takeProviderAnswer();
const link = takeLink();
loadTexts(readLook().language || null).then((texts) => new App(texts).start(link, answer));
