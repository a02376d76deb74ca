import "../texts/more.js";
import { connect as connectTo } from "../roost.js";
import "../roost-chat.js";
// It would be loaded later: the app always has the list.
import "../chat/list-view.js";
import { errorText } from "../texts/lines.js";
import { loadTexts } from "../texts/texts.js";
import { avatar } from "../ui/avatar.js";
import { h, on, refill, single } from "../ui/dom.js";
import { keep, kept } from "../ui/kept.js";
import { LiveRegion } from "../ui/live.js";
import { baseStyles } from "../ui/styles.js";
import { Toasts } from "../ui/toast.js";
import { adoptListStyles } from "../chat/list-styles.js";
import { appStyles } from "./app-styles.js";
import { applyTheme, keepLook, readLook } from "./look.js";
import { Notifications, keepWords } from "./notifications.js";
import { SignInView } from "./sign-in.js";

/**
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("./sign-in.js").Credentials} Credentials
 * @typedef {{guests: boolean, webPushKey?: string}} Info
 */

const guestKey = "roost.guest";
/** A start that takes longer than this, in ms, is told. */
const patience = 600;

/**
 * The server is where the app is, which may be below a path of another site.
 *
 * @param {Credentials} credentials
 */
const connect = (credentials) => connectTo({ ...credentials, server: new URL(".", document.baseURI).href });

/** @returns {Promise<Info | null>} what the server tells of itself; null if it cannot be reached */
async function readInfo() {
  try {
    const response = await fetch("./", { headers: { Accept: "application/json" }, cache: "no-store" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** @returns {Promise<ServiceWorkerRegistration | null>} null in browsers and windows without service workers */
async function registerWorker() {
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

/** @returns {{userID: string, name: string} | null} the guest who was here last */
function readGuest() {
  try {
    return JSON.parse(kept(guestKey) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string | null} channel */
const addressOf = (channel) => `${location.pathname}${channel ? `#channel=${encodeURIComponent(channel)}` : ""}`;

/** The channel that the address bar names; null if it names none. */
const channelOfAddress = () => new URLSearchParams(location.hash.slice(1)).get("channel");

/** Takes a token out of the address bar, so that it is in no history and on no screen. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token !== null) history.replaceState(null, "", addressOf(channelOfAddress()));
  return token?.trim() || null;
}

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
    this.toasts = new Toasts({ closeLabel: t("close"), live: this.live });
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
    /** @type {SignInView | null} */
    this.signInView = null;
    this.end = new AbortController();
    /** @type {any} */
    this.installPrompt = null;
    this.isChecked = false;
    this.speak();
  }

  /** Goes straight in with the token of the address or the guest of last time; otherwise asks. */
  start() {
    on(window, "popstate", () => this.addressChanged());
    on(window, "beforeinstallprompt", (event) => {
      event.preventDefault();
      this.installPrompt = event;
    });
    on(window, "appinstalled", () => (this.installPrompt = null));
    on(window, "storage", (event) => {
      // Another tab has logged out.
      if (event.key === guestKey && !event.newValue && this.client?.options.guest) this.leave("", false);
    });
    on(navigator.serviceWorker ?? window, "message", ({ data }) => this.workerSays(data));
    const token = takeToken();
    const guest = readGuest();
    if (token) this.enter({ token });
    else if (guest) this.enter({ guest });
    else this.showSignIn();
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
   */
  showSignIn(notice, isBad) {
    const { t, look } = this;
    this.register?.();
    this.signInView = new SignInView(t, {
      info: this.readInfo(), guest: readGuest(), notice, isBad, language: look.language,
      onLanguage: async (language) => {
        await this.changeLook({ ...look, language });
        this.showSignIn(notice, isBad);
      },
      onSubmit: (credentials) => this.signIn(credentials),
    });
    refill(this.place, this.signInView.element);
    this.drawTitle();
  }

  /**
   * @param {Credentials} credentials
   * @returns {Promise<string>} what went wrong; empty if the user is in
   */
  async signIn(credentials) {
    const client = connect(credentials);
    const state = await new Promise((resolve) => {
      on(client, "state", () => {
        if (/^(live|offline|refused)$/.test(client.state)) resolve(client.state);
      });
    });
    if (state === "live") {
      this.enter(credentials, client);
      return "";
    }
    const problem = state === "refused" ? this.refusalText(client.error) : this.t("signIn.unreachable");
    if (state !== "refused") this.info = null;
    await client.close();
    return problem;
  }

  /**
   * Shows the chat of a user.
   *
   * @param {Credentials} credentials
   * @param {Client} [client] one that is connected already
   */
  enter(credentials, client = connect(credentials)) {
    this.client = client;
    keep(guestKey, "guest" in credentials ? JSON.stringify(credentials.guest) : null);
    this.place.replaceChildren();
    this.signInView = null;
    this.end = new AbortController();
    const { signal } = this.end;
    this.account = h("button", { type: "button", slot: "account", class: "account", onclick: this.openSettings });
    const chat = /** @type {import("../roost-chat.js").RoostChatElement} */ (document.createElement("roost-chat"));
    this.chat = chat;
    chat.setAttribute("lang", this.look.language ?? "");
    const channel = channelOfAddress();
    if (channel) {
      chat.setAttribute("channel", channel);
      chat.setAttribute("mode", "both");
    }
    applyTheme(chat, this.look.theme);
    chat.append(this.account);
    this.notifications = new Notifications(client, { registration: this.registration, info: () => this.readInfo() });
    on(client, "state", () => this.stateChanged(), signal);
    on(client, "unread", () => this.drawTitle(), signal);
    on(client.list, "change", () => this.drawTitle(), signal);
    on(chat, "open", ({ detail }) => this.opened(detail.channel), signal);
    document.body.append((this.main = h("main", null, chat)));
    chat.connect({ client });
    this.waitFor(chat, client, signal);
    this.notifications.start();
    this.drawAccount();
    this.drawTitle();
  }

  /**
   * Shows that there is nothing to show yet, and what one can do.
   *
   * @param {HTMLElement} chat
   * @param {Client} client
   * @param {AbortSignal} signal
   */
  waitFor(chat, client, signal) {
    const timer = setTimeout(() => {
      this.register?.();
      const { t } = this;
      const button = (/** @type {import("../texts/texts.js").Key} */ key, /** @type {() => void} */ onclick) =>
        h("button", { type: "button", class: "button", onclick }, t(key));
      chat.inert = true;
      refill(this.place, h("section", { class: "screen over", "aria-label": t("app.name") },
        h("div", { class: "card welcome" },
          h("img", { src: "web/app/icon.svg", alt: "" }), h("h1", null, t("app.name")),
          h("p", { role: "status", class: "quiet-text" }, t("connection.connecting")),
          h("div", { class: "row" }, button("connection.now", () => client.wake()),
            button("settings.logOut", () => void this.logOut())))));
    }, patience);
    on(chat, "ready", () => {
      clearTimeout(timer);
      this.register?.();
      chat.inert = false;
      this.place.replaceChildren();
    }, signal, { once: true });
    on(signal, "abort", () => clearTimeout(timer));
  }

  /** What the server tells of itself; asked again if it could not be reached. */
  async readInfo() {
    this.info ??= readInfo();
    const info = await this.info;
    if (!info) this.info = null;
    return info;
  }

  stateChanged() {
    const client = /** @type {Client} */ (this.client);
    this.drawAccount();
    if (client.state === "refused") {
      const { code } = client.error ?? { code: 0 };
      this.check();
      if (code === 7009) this.toasts.show(this.t("signedOut.outdated"), { isFailure: true, action: this.reloading() });
      return this.leave(this.refusalText(client.error), true);
    }
    if (client.state === "offline") this.isChecked = false;
    if (client.state === "live") this.check();
  }

  /** Asks the service worker once per connection whether the server has newer files than those that run here. */
  check() {
    if (this.isChecked) return;
    this.isChecked = true;
    navigator.serviceWorker?.controller?.postMessage({ check: true });
  }

  /** @param {import("../client/errors.js").RoostError | null} error */
  refusalText(error) {
    /** @type {Record<number, import("../texts/texts.js").Key>} */
    const keys = {
      1: "signedOut.wrongToken", 7: "signIn.noGuests", 7002: "signedOut.expired", 7009: "signedOut.outdated",
      7020: "signedOut.tooMany", 7026: "signedOut.banned", 7027: "signedOut.deleted",
    };
    const key = keys[error?.code ?? 0];
    return key ? this.t(key) : errorText(error, this.t);
  }

  /**
   * Ends the chat, and asks who wants to sign in.
   *
   * @param {string} notice
   * @param {boolean} isBad
   */
  leave(notice, isBad) {
    this.end.abort();
    this.notifications?.end();
    this.client?.close();
    this.main?.remove();
    this.client = this.chat = this.notifications = null;
    for (const dialog of this.root.querySelectorAll("dialog")) dialog.close();
    this.showSignIn(notice, isBad);
  }

  async logOut() {
    const { client, notifications } = this;
    if (!client) return;
    this.end.abort();
    notifications?.end();
    this.main?.remove();
    await Promise.all([notifications?.forget(), client.logOut()]);
    keep(guestKey, null);
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
    const token = takeToken();
    if (token) {
      if (this.client) this.leave("", false);
      return this.enter({ token });
    }
    const channel = channelOfAddress();
    if (channel !== (this.chat?.conversation?.id ?? null)) this.chat?.open(channel);
    this.drawTitle();
  }

  drawTitle() {
    const { client, chat, t } = this;
    const count = client?.totalUnread ?? 0;
    const title = chat?.conversation?.channel?.name || t("app.name");
    const text = count ? t("list.documentTitle", { count, title }) : title;
    if (document.title !== text) document.title = text;
    const { setAppBadge } = /** @type {any} */ (Navigator.prototype);
    setAppBadge?.call(navigator, count).catch(() => {});
  }

  // What is around the chat

  drawAccount() {
    const { client, account } = this;
    if (!client || !account) return;
    const { userID, name, imageURL } = client.user;
    account.setAttribute("aria-label", this.t("settings.title"));
    account.title = this.t("settings.title");
    const key = JSON.stringify(client.user);
    if (account.dataset.user === key) return;
    account.dataset.user = key;
    refill(account, avatar({ id: userID, name, imageURL }, { size: 32, resolve: (url) => client.imageURL(url) }));
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
      onLogOut: () => this.logOut(),
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

  /** @param {any} data */
  workerSays(data) {
    if (data?.open) this.chat?.open(data.open);
    if (data?.subscribed) this.notifications?.register();
    if (data?.updated) this.toasts.show(this.t("app.update"), { isFailure: true, action: this.reloading() });
  }

  reloading() {
    return { label: this.t("app.reload"), run: () => location.reload() };
  }
}

new App(await loadTexts(readLook().language || null)).start();
