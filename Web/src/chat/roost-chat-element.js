import { connect } from "../client/for-views.js";
import { errorText, loadTexts, texts } from "../texts/texts.js";
import { h, on, refill, set, setText, single } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { LiveRegion } from "../ui/live.js";
import { baseStyles } from "../ui/base-styles.js";
import { Toasts } from "../ui/toast.js";
import { composerStyles } from "./styles/composer-styles.js";
import { conversationStyles } from "./styles/conversation-styles.js";
import { ConversationView } from "./conversation-view.js";
import { elementStyles } from "./styles/element-styles.js";

/** @typedef {import("../client/client.js").Client} Client */
/** @typedef {import("../client/client.js").Options} Options */

/** A connection that takes longer than this, in ms, is told. */
const patience = 1500;

/**
 * `<roost-chat>`: a chat in a page. With `channel` or `user` it is one conversation; without both, the list of
 * conversations and the open one side by side, or one of them at a time where it is narrow. It fills the height that
 * the page gives it. Several may be on one page.
 *
 * Attributes: `server` (the address; the page's own origin if absent), `token` (rather give it to `connect`, so that it
 * is not in the page), `guest` (a user id, then perhaps a space and a name; for servers in dev mode), `channel` (the id
 * of the conversation), `user` (the user id of the other one of a 1-on-1), `lang` (`en`, `de`, `zh-Hant`, `ko`, `ar`;
 * the browser's languages if absent), `theme` (`light` or `dark`; the system's if absent), `mode` (`both` shows the
 * list also with a channel), `keys` (`page`: keys work wherever the focus is in the page, not only in the element).
 *
 * Events, which do not bubble: `ready` (there is something to show), `message` (detail `{channel, message, isOwn}`: a
 * live message), `unread` (detail `{total}`), `error` (detail: the reason why the server refuses the user), `open`
 * (detail `{channel}`: another conversation is shown; null if none is), `close` (detail `{channel}`: a conversation was
 * left that was started from this one).
 *
 * Slots: `header` (at the end of the header of the conversation), `empty` (in place of the text without messages or
 * conversation), `account` (before the title of the list).
 *
 * Parts: `conversation`, `header`, `timeline`, `row`, `message`, `line`, `day`, `unread`, `sender`, `bubble`,
 * `own-bubble`, `other-bubble`, `text`, `reaction`, `avatar`, `jump`, `composer`, `field`, `channel-list`,
 * `connection`, `dialog`, `menu`, `toast`, `lightbox`. Colours, sizes and the font are custom properties;
 * `ui/styles.js` has them all.
 */
export class RoostChatElement extends (globalThis.HTMLElement ?? Object) {
  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [baseStyles, conversationStyles, composerStyles, elementStyles];
    this.#banner = h("div", { class: "connection", part: "connection", hidden: true });
    this.#listPane = h("div", { class: "list-pane", hidden: true });
    this.#conversationPane = h("div", { class: "conversation-pane" });
    this.#panes = h("div", { class: "panes" }, this.#listPane, this.#conversationPane);
    this.#frame = h("div", { class: "frame" }, this.#banner, this.#panes);
    shadow.append(this.#frame);
  }

  static get observedAttributes() {
    return ["server", "token", "guest", "channel", "user", "lang", "mode"];
  }

  #banner;
  #listPane;
  #conversationPane;
  #panes;
  #frame;
  #t = texts("en");
  #live = new LiveRegion({ summary: (count) => this.#t("announce.messages", { count }) });
  #toasts = new Toasts({ closeLabel: "", live: this.#live });
  /** @type {Client | null} */
  #client = null;
  #isOwnClient = false;
  /** @type {Options | null} */
  #options = null;
  #end = new AbortController();
  /** @type {import("./channels/list-view.js").ChannelListView | null} */
  #list = null;
  /** @type {ConversationView | null} */
  #view = null;
  /**
   * The conversations over each other, the shown one last.
   * @type {string[]}
   */
  #stack = [];
  /** Why the conversation that the attributes name cannot be shown. */
  #problem = "";
  #isWaiting = false;
  #isLate = false;

  /** The client; null before `connect`. */
  get client() {
    return this.#client;
  }

  /** The conversation that is shown; null if none is. */
  get conversation() {
    const channel = this.#stack.at(-1);
    return (channel && this.#client?.conversation(channel)) || null;
  }

  /** The list of conversations; null if it is not shown. */
  get list() {
    return this.#list;
  }

  /** The texts of the language in use. */
  get texts() {
    return this.#t;
  }

  connectedCallback() {
    if (!this.#client) this.#restart();
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
    if (name === "channel" || name === "user" || name === "mode") this.#place();
    else if (name === "lang") this.#redraw();
    else this.#restart();
  }

  /**
   * Connects a user. What is absent is taken from the attributes.
   *
   * @param {Options & {client?: Client}} [options] as for `connect` of `roost.js`; `client` is one that is connected
   *   already and that the page closes itself
   * @returns {Promise<void>} resolves when there is something to show
   */
  async connect(options = {}) {
    this.#stop();
    const { client: given, ...rest } = options;
    this.#options = rest;
    this.#end = new AbortController();
    const { signal } = this.#end;
    const client = given ?? connect(this.#allOptions());
    this.#client = client;
    this.#isOwnClient = !given;
    for (const name of ["message", "unread", "error"]) {
      on(client, name, ({ detail }) => this.#tell(name, detail), signal);
    }
    on(client, "state", () => this.#drawConnection(), signal);
    const timer = setTimeout(() => {
      this.#isLate = true;
      this.#drawConnection();
    }, patience);
    on(signal, "abort", () => clearTimeout(timer));
    this.#watchKeyboard(signal);
    this.#watchKeys(signal).catch(() => {});
    this.#t = await loadTexts(this.getAttribute("lang") || null);
    if (signal.aborted) return;
    this.#drawConnection();
    await client.ready;
    if (signal.aborted) return;
    // The banner says why; nothing that waits or takes a text stands below it.
    if (client.state === "refused") {
      this.#conversationPane.replaceChildren();
      if (!this.#isForeign) return;
      const { showOriginNotice } = await import("./messages/origin-notice.js");
      if (!signal.aborted) showOriginNotice(this.#conversationPane, client.server, this.#t);
      return;
    }
    await this.#build();
    await this.#place();
    if (!signal.aborted) this.#tell("ready");
  }

  /**
   * Shows a conversation.
   *
   * @param {string | null} channel null shows none; where it is narrow, the list
   */
  open(channel) {
    if (channel === (this.#stack.at(-1) ?? null)) {
      this.#view?.focus();
      return;
    }
    this.#stack = channel ? [channel] : [];
    this.#show();
  }

  /** Moves the focus into the field of the conversation, or to the list. */
  focus() {
    if (this.#view) this.#view.focus();
    else this.#list?.focus();
  }

  /** Whether the server refuses this page because it is one of another origin: then a notice says how to allow it. */
  get #isForeign() {
    const { error, server = "" } = this.#client ?? {};
    return error?.name === "origin" && !["null", server].includes(location.origin);
  }

  /** @param {string} name @param {any} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, composed: true }));
  }

  /** Connects with new attributes, all of them together. */
  #restart() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      const { token, guest } = this.#allOptions();
      if (this.isConnected && (token || guest)) this.connect(this.#options ?? {});
    });
  }

  /** @returns {Options} */
  #allOptions() {
    const [userID, ...name] = (this.getAttribute("guest") ?? "").split(" ");
    return {
      server: this.getAttribute("server") ?? undefined,
      token: this.getAttribute("token") ?? undefined,
      guest: userID ? { userID, name: name.join(" ") || undefined } : undefined,
      ...this.#options,
    };
  }

  #stop() {
    this.#end.abort();
    this.#view?.close();
    this.#list?.destroy();
    this.#view = this.#list = null;
    this.#stack = [];
    this.#listPane.replaceChildren();
    this.#conversationPane.replaceChildren();
    if (this.#isOwnClient) this.#client?.close();
    this.#client = null;
    this.#isLate = false;
    this.#banner.hidden = true;
  }

  get #hasList() {
    return this.getAttribute("mode") === "both" || !(this.hasAttribute("channel") || this.hasAttribute("user"));
  }

  async #build() {
    const client = /** @type {Client} */ (this.#client);
    const t = this.#t;
    set(this.#frame, { lang: t.lang, dir: t.dir });
    this.#toasts.element.remove();
    this.#live.element.remove();
    this.#toasts = new Toasts({ closeLabel: t("close"), live: this.#live });
    this.#frame.append(this.#toasts.element, this.#live.element);
    this.#list?.destroy();
    this.#list = null;
    this.#listPane.hidden = !this.#hasList;
    this.#panes.classList.toggle("has-list", this.#hasList);
    this.#listPane.replaceChildren();
    if (!this.#hasList) return;
    const { signal } = this.#end;
    const { ChannelListView } = await import("./channels/list-view.js");
    if (signal.aborted || this.#list || t !== this.#t || !this.#hasList) return;
    this.#list = new ChannelListView(client, t, {
      onSelect: (channel) => this.open(channel),
      onFailure: this.#fail,
      isDev: Boolean(this.#allOptions().guest),
    });
    this.#listPane.append(this.#list.element);
  }

  async #redraw() {
    const { signal } = this.#end;
    if (!this.#client || signal.aborted) return;
    this.#t = await loadTexts(this.getAttribute("lang") || null);
    if (signal.aborted) return;
    await this.#build();
    if (signal.aborted) return;
    this.#show();
    this.#drawConnection();
  }

  /** Shows what the attributes name. */
  async #place() {
    const client = this.#client;
    if (!client) return;
    if (Boolean(this.#list) !== this.#hasList) await this.#build();
    if (this.#client !== client) return;
    let channel = this.getAttribute("channel");
    const user = this.getAttribute("user");
    this.#problem = "";
    if (!channel && user) {
      try {
        channel = await client.startConversation(user);
      } catch (error) {
        this.#problem = errorText(error, this.#t);
        if (this.#list) this.#fail(error);
      }
    }
    if (this.#client !== client) return;
    this.#stack = channel ? [channel] : [];
    this.#show();
  }

  /** Shows the conversation on top, or that there is none. */
  #show() {
    const client = /** @type {Client} */ (this.#client);
    const channel = this.#stack.at(-1) ?? null;
    const hadFocus = this.#view?.element.contains(this.shadowRoot?.activeElement ?? null);
    this.#view?.close();
    this.#view = null;
    this.#list?.select(channel);
    this.#panes.classList.toggle("is-open", channel !== null);
    this.#conversationPane.replaceChildren();
    if (!channel) {
      const t = this.#t;
      this.#conversationPane.append(h("div", { class: "placeholder" }, h("slot", { name: "empty" },
        this.#list || !this.#problem ? [icon("conversation"), h("h2", null, t("conversation.none")),
          h("p", null, t("conversation.noneHint"))] : [icon("warning"), h("p", { role: "alert" }, this.#problem)])));
      if (hadFocus) this.#list?.focus();
    } else {
      const isOver = this.#stack.length > 1;
      const view = new ConversationView(client, client.conversation(channel), this.#t, {
        onBack: isOver || this.#list ? () => this.#goBack() : undefined,
        onDetails: () => this.#openDetails(channel),
        onOpen: (other) => this.#openOver(other),
        live: this.#live,
        toasts: this.#toasts,
      });
      view.element.classList.toggle("is-over", isOver);
      // A landmark of a page has a name of its own; several chats may show the same conversation.
      if (!this.#list) set(view.element, { role: "group" });
      this.#view = view;
      this.#conversationPane.append(view.element);
      view.open().catch(this.#fail);
      // A keyboard that slides in would hide what one wants to read.
      if (hadFocus || (this.#list && matchMedia("(hover: hover)").matches)) view.focus();
    }
    this.#tell("open", { channel });
  }

  /** @param {string} channel */
  #openOver(channel) {
    if (this.#list) return this.open(channel);
    this.#stack.push(channel);
    this.#show();
  }

  #goBack() {
    const channel = this.#stack.pop();
    if (this.#list) this.#stack = [];
    this.#show();
    this.#tell("close", { channel });
    if (this.#list) this.#list.focus();
    else this.#view?.focus();
  }

  #fail = (/** @type {unknown} */ error) => void this.#toasts.show(errorText(error, this.#t), { isFailure: true });

  #openDetails = single(async (/** @type {string} */ channel) => {
    const client = /** @type {Client} */ (this.#client);
    const { openDetails } = await import("./channels/details-view.js");
    const details = openDetails({
      client, conversation: client.conversation(channel), t: this.#t, root: this.#frame, fail: this.#fail,
      toasts: this.#toasts,
      start: single(async (userID) => this.#openOver(await client.startConversation(userID)), this.#fail),
      open: (other) => this.#openOver(other),
      leave: this.#list ? () => this.open(null) : undefined,
    });
    details.closed.then(() => {
      // The button that had the focus before may be gone, as the conversation is.
      if (document.activeElement === document.body) this.focus();
    });
  }, this.#fail);

  #drawConnection() {
    const t = this.#t;
    const { state, error } = this.#client ?? { state: "closed", error: null };
    const text = {
      connecting: this.#isLate ? t("connection.connecting") : "",
      offline: t("connection.offline"),
      refused: this.#isForeign ? "" : errorText(error, t),
    }[/** @type {string} */ (state)] ?? "";
    const shown = this.#banner.querySelector("span")?.textContent ?? "";
    if (shown === text && this.#banner.hidden === !text) return;
    this.#banner.hidden = !text;
    const place = this.#banner.querySelector("span");
    // The button that was pressed keeps the focus.
    if (place && state === "offline" && this.#banner.querySelector("button")) setText(place, text);
    else {
      refill(this.#banner, text && [
        icon(state === "refused" ? "warning" : "offline"), h("span", null, text),
        state === "offline" && h("button", { type: "button", onclick: this.#connectNow }, t("connection.now"))]);
    }
    if (!shown && !text) return;
    if (state === "refused") this.#live.failure(text);
    else this.#live.note(text || t("connection.back"));
  }

  /** Tries at once; what the banner says comes back with the next failure. */
  #connectNow = () => {
    setText(/** @type {HTMLElement} */ (this.#banner.querySelector("span")), this.#t("connection.connecting"));
    this.#client?.wake();
  };

  /** @param {AbortSignal} signal */
  #watchKeyboard(signal) {
    const viewport = window.visualViewport;
    if (!viewport) return;
    // Some phones lay the keyboard over the page: what it covers stays free.
    on(viewport, "resize scroll", () => {
      const covered = this.matches(":focus-within") ?
        Math.max(0, this.getBoundingClientRect().bottom - viewport.height - viewport.offsetTop) : 0;
      const isKeyboard = viewport.scale === 1 && innerHeight - viewport.height > 120;
      this.#frame.style.setProperty("--roost-keyboard", `${isKeyboard ? covered : 0}px`);
    }, signal);
  }

  /** @param {AbortSignal} signal */
  async #watchKeys(signal) {
    const client = /** @type {Client} */ (this.#client);
    import("./dialog-notes.js").then(({ watchDialogs }) =>
      watchDialogs({ client, root: this.#frame, signal, t: () => this.#t }), () => {});
    const { watchKeys } = await import("./keys.js");
    watchKeys({
      target: this.getAttribute("keys") === "page" ? document : this.#frame, root: this.#frame, signal,
      list: () => this.#list, view: () => this.#view, t: () => this.#t, fail: this.#fail,
      showList: () => {
        if (this.#panes.classList.contains("is-open") && !this.#list?.element.offsetParent) this.open(null);
      },
    });
  }
}
