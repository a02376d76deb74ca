import { connect } from "../client/for-views.js";
import { errorText } from "../texts/errors.js";
import { loadTexts, texts } from "../texts/texts.js";
import { h, on, set } from "../ui/dom.js";
import { LiveRegion } from "../ui/live.js";
import { baseStyles } from "../ui/base-styles.js";
import { Toasts } from "../ui/toast.js";
import { ConnectionBanner, isForeign } from "./connection-banner.js";
import { ConversationPane } from "./conversation-pane.js";
import { composerStyles } from "./styles/composer-styles.js";
import { conversationStyles } from "./styles/conversation-styles.js";
import { elementStyles } from "./styles/element-styles.js";

/** @typedef {import("../client/client.js").Client} Client */
/** @typedef {import("../client/client.js").Options} Options */

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
    this.#panes = h("div", { class: "panes" }, this.#listPane, this.#pane.element);
    this.#frame.append(this.#banner.element, this.#panes);
    shadow.append(this.#frame);
  }

  static get observedAttributes() {
    return ["server", "token", "guest", "channel", "user", "lang", "mode"];
  }

  #listPane = h("div", { class: "list-pane", hidden: true });
  #panes;
  #frame = h("div", { class: "frame" });
  #t = texts("en");
  #live = new LiveRegion({ summary: (count) => this.#t("announce.messages", { count }) });
  #toasts = new Toasts({ closeLabel: "", live: this.#live });
  #banner = new ConnectionBanner(this.#live, () => this.#t);
  /** @type {Client | null} */
  #client = null;
  #isOwnClient = false;
  /** @type {Options | null} */
  #options = null;
  #end = new AbortController();
  /** @type {import("./channels/list-view.js").ChannelListView | null} */
  #list = null;
  #isWaiting = false;
  #fail = (/** @type {unknown} */ error) => void this.#toasts.show(errorText(error, this.#t), { isFailure: true });
  #pane = new ConversationPane({
    client: () => /** @type {Client} */ (this.#client), t: () => this.#t, root: this.#frame, list: () => this.#list,
    live: this.#live, toasts: () => this.#toasts, fail: this.#fail,
    onopen: (channel) => this.#tell("open", { channel }),
    onclose: (channel) => this.#tell("close", { channel }),
    onleave: () => this.focus(),
  });

  /** The client; null before `connect`. */
  get client() {
    return this.#client;
  }

  /** The conversation that is shown; null if none is. */
  get conversation() {
    const { channel } = this.#pane;
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
    this.#banner.watch(client, signal);
    this.#watchKeys(signal).catch(() => {});
    this.#t = await loadTexts(this.getAttribute("lang") || null);
    if (signal.aborted) return;
    this.#banner.draw();
    await client.ready;
    if (signal.aborted) return;
    // The banner says why; nothing that waits or takes a text stands below it.
    if (client.state === "refused") {
      this.#pane.clear();
      if (!isForeign(client)) return;
      const { showOriginNotice } = await import("./messages/origin-notice.js");
      if (!signal.aborted) showOriginNotice(this.#pane.element, client.server, this.#t);
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
    this.#pane.open(channel);
  }

  /** Moves the focus into the field of the conversation, or to the list. */
  focus() {
    (this.#pane.view ?? this.#list)?.focus();
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
    this.#pane.clear();
    this.#list?.destroy();
    this.#list = null;
    this.#listPane.replaceChildren();
    if (this.#isOwnClient) this.#client?.close();
    this.#client = null;
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
    this.#pane.draw();
    this.#banner.draw();
  }

  /** Shows what the attributes name. */
  async #place() {
    const client = this.#client;
    if (!client) return;
    if (Boolean(this.#list) !== this.#hasList) await this.#build();
    if (this.#client !== client) return;
    let channel = this.getAttribute("channel");
    const user = this.getAttribute("user");
    this.#pane.problem = "";
    if (!channel && user) {
      try {
        channel = await client.startConversation(user);
      } catch (error) {
        this.#pane.problem = errorText(error, this.#t);
        if (this.#list) this.#fail(error);
      }
    }
    if (this.#client !== client) return;
    this.#pane.show(channel);
  }

  /** @param {AbortSignal} signal */
  async #watchKeys(signal) {
    const client = /** @type {Client} */ (this.#client);
    import("./dialog-notes.js").then(({ watchDialogs }) =>
      watchDialogs({ client, root: this.#frame, signal, t: () => this.#t }), () => {});
    const { watchKeys, watchScreenKeyboard } = await import("./keys.js");
    watchScreenKeyboard(this, this.#frame, signal);
    watchKeys({
      target: this.getAttribute("keys") === "page" ? document : this.#frame, root: this.#frame, signal,
      list: () => this.#list, view: () => this.#pane.view, t: () => this.#t, fail: this.#fail,
      showList: () => {
        if (this.#panes.classList.contains("is-open") && !this.#list?.element.offsetParent) this.open(null);
      },
    });
  }
}
