import { draw } from "./launcher/icons.js";
import { keep, readKept } from "./launcher/kept.js";
import { badgeText, languageOf, languages, unreadText } from "./launcher/texts.js";
import { launcherStyles } from "./launcher/styles.js";
import { unreadOf } from "./launcher/unread.js";
import { focused, h, set, setText } from "./ui/dom.js";

/**
 * @typedef {import("./client/client.js").Client} Client
 * @typedef {import("./client/client.js").Options} Options
 * @typedef {import("./chat/roost-chat-element.js").RoostChatElement} RoostChatElement
 */

// The attributes that the chat in the panel has, too, and those that change who is connected.
const passed = ["server", "channel", "user", "lang", "theme"];
const connecting = ["server", "token", "guest", "visitor-key", "visitor-name"];

/**
 * `<roost-launcher>`: a button in the corner of a page that opens a chat, with the number of unread messages.
 *
 * Attributes: `server`, `channel`, `user`, `token`, `guest`, `lang` and `theme` as for `<roost-chat>`, `greeting` (a
 * sentence beside the button until the chat was opened or the sentence hidden), `label` (the name of the chat);
 * `visitor-key`, a key with the scope `visitors`: people without a token talk to its user as visitors, with the name
 * `visitor-name`.
 *
 * The code of the chat is loaded when it is opened, or when there is a token, a guest or a visitor from before: then
 * the button shows how many messages are unread, in the conversation that the attributes name, or in all. Whether it is
 * open is kept for the tab.
 *
 * Events, which do not bubble: `open`, `close`, `unread` (detail `{total}`), `message` and `error` as for
 * `<roost-chat>`. Parts: `button`, `badge`, `greeting`, `panel`, `head`. The tokens `--roost-…` count for the chat as
 * well; `--roost-launcher-block` and `--roost-launcher-inline` are the distances from the corner.
 */
export class RoostLauncherElement extends (globalThis.HTMLElement ?? Object) {
  static get observedAttributes() {
    return [...new Set([...passed, ...connecting]), "greeting", "label"];
  }

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [launcherStyles];
    this.#place.append(this.#status, this.#panel, this.#greeting, this.#button);
    shadow.append(this.#place);
    this.#panel.addEventListener("keydown", (event) => this.#watchEscape(event), { capture: true });
    this.#panel.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #badge = h("span", { class: "badge", part: "badge", "aria-hidden": "true", hidden: true });
  #button = h("button", { class: "button", part: "button", type: "button", "aria-expanded": "false",
    "aria-controls": "panel", onclick: () => this.toggle() });
  #title = h("h2", { id: "title", class: "ellipsis" });
  #close = h("button", { class: "icon-button", type: "button", onclick: () => this.close() });
  #panel = h("section", { class: "panel", part: "panel", id: "panel", role: "dialog", "aria-labelledby": "title",
    tabindex: "-1", hidden: true }, h("div", { class: "head", part: "head" }, this.#title, this.#close));
  #words = h("button", { class: "words", type: "button", onclick: () => this.open() });
  #dismiss = h("button", { class: "icon-button dismiss", type: "button", onclick: () => this.#hideGreeting() });
  #greeting = h("div", { class: "greeting", part: "greeting", hidden: true }, this.#words, this.#dismiss);
  #status = h("div", { class: "visually-hidden", role: "status" });
  #place = h("div", { class: "place" });

  #language = "en";
  #unread = 0;
  /** @type {Promise<typeof import("./roost-chat.js")> | null} */
  #loading = null;
  /** @type {Options | null} */
  #options = null;
  /** @type {Client | null} */
  #client = null;
  /** @type {RoostChatElement | null} */
  #chat = null;
  /** The only user whom a visitor talks to. */
  #host = /** @type {string | undefined} */ (undefined);
  #end = new AbortController();
  #isWaiting = false;
  /** What had the focus when Escape was pressed; null if the chat has something open that takes the key. */
  #focus = /** @type {HTMLElement | null} */ (null);

  /** The client; null before there is a token or a guest, and until its code is loaded. */
  get client() {
    return this.#client;
  }

  /** The chat in the panel; null before it was opened. */
  get chat() {
    return this.#chat;
  }

  /** Whether the panel is open. */
  get isOpen() {
    return !this.#panel.hidden;
  }

  connectedCallback() {
    this.#write();
    this.#greeting.hidden = !this.getAttribute("greeting") || Boolean(readKept(this.#key));
    if (readKept(this.#key) === "open") this.#show();
    this.#restart();
  }

  disconnectedCallback() {
    // An element that only moves is connected again at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.#stop();
    });
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return;
    this.#write();
    if (name === "greeting") this.#greeting.hidden = !after || Boolean(readKept(this.#key));
    if (this.#chat && passed.includes(name)) set(this.#chat, { [name]: after });
    if (connecting.includes(name)) this.#restart();
    else this.#count();
  }

  /**
   * Connects a user. What is absent is taken from the attributes.
   *
   * @param {Options & {client?: Client}} [options] as for `<roost-chat>`
   * @returns {Promise<void>} resolves when the code of the chat is loaded; rejects if that fails
   */
  async connect(options = {}) {
    this.#stop();
    const { client: given, ...rest } = options;
    this.#options = rest;
    this.#end = new AbortController();
    const { signal } = this.#end;
    const { connect } = await this.#load();
    const visits = this.#isForVisitors && !given ? await this.#openVisits() : null;
    const visit = visits && (await visits.begin());
    if (signal.aborted) return;
    this.#host = visit?.host;
    const client = given ?? connect({ ...this.#allOptions, ...visit?.options });
    this.#client = client;
    visits?.watch(client, signal, () => this.#restart());
    if (!given) signal.addEventListener("abort", () => void client.close());
    for (const name of ["message", "error"]) {
      client.addEventListener(name, (event) => this.#tell(name, /** @type {CustomEvent} */ (event).detail), { signal });
    }
    client.addEventListener("unread", () => this.#count(), { signal });
    client.list.addEventListener("change", () => this.#count(), { signal });
    this.#count();
    if (this.#chat) await this.#chat.connect({ client });
    else if (this.isOpen) await this.#fill();
  }

  /** Opens the panel, and moves the focus into it. */
  open() {
    if (this.isOpen) return;
    this.#show();
    keep(this.#key, "open");
    this.#hideGreeting();
    this.#panel.focus({ preventScroll: true });
    this.#focusChat();
    this.#tell("open");
  }

  /** Closes the panel; the focus goes back to the button if it was in the panel. */
  close() {
    if (!this.isOpen) return;
    const hadFocus = this.#panel.contains(this.shadowRoot?.activeElement ?? null);
    this.#panel.hidden = true;
    keep(this.#key, "closed");
    this.#write();
    if (hadFocus) this.#button.focus({ preventScroll: true });
    this.#tell("close");
  }

  /** Opens the panel, or closes it. */
  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  /** @returns {Options} */
  get #allOptions() {
    const [userID, ...name] = (this.getAttribute("guest") ?? "").split(" ");
    return {
      server: this.getAttribute("server") ?? undefined,
      token: this.getAttribute("token") ?? undefined,
      guest: userID ? { userID, name: name.join(" ") || undefined } : undefined,
      ...this.#options,
    };
  }

  /** Whether somebody without a token may talk to the user of a key. */
  get #isForVisitors() {
    const { token, guest } = this.#allOptions;
    return Boolean(this.getAttribute("visitor-key") && !token && !guest);
  }

  async #openVisits() {
    const { visitsOf } = await import("./launcher/visits.js");
    return visitsOf(this.#allOptions.server, this.getAttribute("visitor-key"), this.getAttribute("visitor-name"));
  }

  /** The code of the chat. One that could not be loaded is asked for again. */
  #load() {
    this.#loading ??= import("./roost-chat.js").catch((error) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  /** Connects with new attributes, all of them together. */
  #restart() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(async () => {
      this.#isWaiting = false;
      const { token, guest } = this.#allOptions;
      const end = this.#end;
      // Without the code there is no badge; opening the chat says why.
      try {
        const isKnown = this.#isForVisitors && (this.isOpen || (await this.#openVisits()).kept);
        if (end !== this.#end || !this.isConnected) return;
        if (token || guest || isKnown) await this.connect(this.#options ?? {});
        else if (this.#host) this.#stop();
      } catch {
        if (this.isOpen) this.#fail();
      }
    });
  }

  #stop() {
    this.#end.abort();
    this.#chat?.remove();
    this.#client = this.#chat = null;
    this.#host = undefined;
    this.#count();
  }

  #show() {
    this.#panel.hidden = false;
    this.#write();
    this.#fill().catch(() => this.#fail());
  }

  #fail() {
    this.#wait(h("p", { role: "alert" }, languages[this.#language].failed));
  }

  /** Puts the chat into the panel, once. */
  async #fill() {
    if (this.#chat) return;
    this.#wait(h("span", { class: "spinner" }));
    // It comes back here when it knows who the visitor is.
    if (this.#isForVisitors && !this.#client) return this.connect(this.#options ?? {});
    const { signal } = this.#end;
    await this.#load();
    if (signal.aborted || this.#chat) return;
    const chat = /** @type {RoostChatElement} */ (h(/** @type {any} */ ("roost-chat"), null));
    for (const name of passed) set(chat, { [name]: this.getAttribute(name) });
    if (this.#host) set(chat, { user: this.#host, channel: null });
    this.#wait(null);
    this.#panel.append(chat);
    this.#chat = chat;
    chat.addEventListener("ready", () => this.#focusChat(), { signal });
    // They are composed: each would be one of the launcher, too.
    for (const name of ["message", "unread", "error", "open", "close"]) {
      chat.addEventListener(name, (event) => event.stopPropagation());
    }
    if (this.#client) await chat.connect({ client: this.#client });
  }

  /** @param {HTMLElement | null} content what stands in the place of the chat */
  #wait(content) {
    this.#panel.querySelector(".waits")?.remove();
    if (content) this.#panel.append(h("div", { class: "waits" }, content));
  }

  /** A keyboard that slides in would hide what one wants to read. */
  #focusChat() {
    if (this.shadowRoot?.activeElement === this.#panel && matchMedia("(hover: hover)").matches) this.#chat?.focus();
  }

  #hideGreeting() {
    if (this.#greeting.contains(this.shadowRoot?.activeElement ?? null)) this.#button.focus({ preventScroll: true });
    this.#greeting.hidden = true;
    if (!readKept(this.#key)) keep(this.#key, "closed");
  }

  /** @param {KeyboardEvent} event */
  #watchEscape(event) {
    const hasOpen = this.#chat?.shadowRoot?.querySelector("dialog[open], [role=menu], [role=listbox]:not([hidden])");
    if (event.key === "Escape") this.#focus = hasOpen || event.isComposing ? null : focused();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key !== "Escape" || event.defaultPrevented || !this.#focus || this.#focus !== focused()) return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
  }

  #count() {
    const channel = this.#host ? null : this.getAttribute("channel");
    const unread = unreadOf(this.#client, channel, this.#host ?? this.getAttribute("user"));
    if (unread === this.#unread) return;
    this.#unread = unread;
    this.#write();
    this.#tell("unread", { total: unread });
  }

  /** Writes all words, and what follows from the state. */
  #write() {
    const own = this.getAttribute("lang");
    this.#language = languageOf(own ? [own] : navigator.languages);
    const { chat, close, dismiss } = languages[this.#language];
    const { isOpen } = this;
    const label = this.getAttribute("label") || chat;
    const unread = this.#unread && !isOpen ? unreadText(this.#language, this.#unread) : "";
    set(this.#place, { lang: this.#language, dir: this.#language === "ar" ? "rtl" : "ltr" });
    set(this.#button, { "aria-expanded": String(isOpen), "aria-label": unread ? `${label}, ${unread}` : label });
    this.#button.replaceChildren(draw(isOpen ? "close" : "conversation"), this.#badge);
    this.#badge.hidden = !unread;
    setText(this.#badge, badgeText(this.#language, this.#unread));
    setText(this.#status, unread);
    setText(this.#title, label);
    setText(this.#words, this.getAttribute("greeting") ?? "");
    for (const [button, words] of /** @type {const} */ ([[this.#close, close], [this.#dismiss, dismiss]])) {
      set(button, { "aria-label": words, title: words });
      if (!button.firstChild) button.append(draw("close"));
    }
  }

  /** Where this tab keeps what was done with this launcher. */
  get #key() {
    const { server } = this.#allOptions;
    return `roost-launcher ${server ?? ""} ${this.getAttribute("channel") ?? this.getAttribute("user") ?? ""}`;
  }

  /** @param {string} name @param {unknown} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, composed: true }));
  }
}

// In Node there are none.
const elements = globalThis.customElements;
if (elements && !elements.get("roost-launcher")) elements.define("roost-launcher", RoostLauncherElement);
