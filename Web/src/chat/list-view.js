import "../texts/more.js";
import { avatar } from "../ui/avatar.js";
import { eachFrame, focused, h, on, reconcile, refill, single, swallowClick } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";
import { channelMenu } from "./channel-menu.js";
import { byActivity } from "../client/channels.js";
import { ChannelRow } from "./channel-row.js";
import { adoptListStyles } from "./list-styles.js";
import { errorText } from "../texts/lines.js";
import { times } from "../texts/times.js";

/**
 * @typedef {import("../client/types.js").Channel} Channel
 * @typedef {import("../roost.js").Client} Client
 * @typedef {import("../texts/texts.js").Texts} Texts
 */

/** How close to its end the list goes on, in pixels. */
const endSpace = 400;
/** So many rows are added at a time: a list of thousands costs only what was scrolled to. */
const step = 30;
/** The first frame has so many, which is what a screen shows. */
const firstRows = 15;
/** A search loads further pages until it has found so many. */
const enoughFound = 15;
/** How many of the open channels where the user has been are shown. */
const maxOpen = 5;
/** How long a finger rests on a row until its menu opens, in ms. */
const pressTime = 500;

/**
 * The list of the user's conversations: search, invitations, and a row for each, the newest activity first.
 *
 * A conversation that moves to the top takes neither the focus nor what is on the screen with it. At the end of the
 * list the next page is loaded. The focus is on one row at a time; arrow keys, Home and End move it, Enter opens, and
 * the menu key or a long press opens the menu of a row.
 */
export class ChannelListView {
  /**
   * @param {Client} client
   * @param {Texts} t
   * @param {{onSelect: (channel: string | null) => void, onFailure?: (error: any) => void, isDev?: boolean}} callbacks
   *   `onSelect` is called for what is to be opened: a row, a new conversation, or a channel that was joined; null if
   *   the open channel was left
   */
  constructor(client, t, callbacks) {
    this.#client = client;
    this.#t = t;
    this.#callbacks = callbacks;
    this.#times = times(t);
    const { signal } = this.#end;
    this.#input = h("input", { class: "input", type: "search", placeholder: t("list.search"), enterkeyhint: "search",
      "aria-label": t("list.search"), autocomplete: "off" });
    this.#invitations = h("section", { class: "invitations", "aria-label": t("invitations.title") });
    this.#open = h("ul", { role: "list", "aria-label": t("open.title") });
    this.#openSection = h(
      "section", { class: "open-channels", "aria-label": t("open.title") },
      h("button", { type: "button", class: "item", onclick: this.#openBrowser },
        icon("globe"), h("span", { class: "grow" }, t("open.title")), icon("chevron")),
      this.#open,
    );
    this.#rows = h("ul", { role: "list", "aria-label": t("list.title") });
    this.#state = h("div", { class: "list-state", role: "status" });
    this.#scroller = h("div", { class: "channels" }, this.#invitations, this.#openSection, this.#rows, this.#state);
    this.#newButton = h("button", { type: "button", class: "icon-button primary", "aria-label": t("list.new"),
      "aria-haspopup": "menu", onclick: () => this.openNewMenu() }, icon("add"));
    /** The element to put into the page; it fills its place. */
    this.element = h(
      "section", { class: "channel-list", part: "channel-list", "aria-label": t("list.title") },
      h("header", null, h("slot", { name: "account" }), h("h2", null, t("list.title")), this.#newButton),
      h("label", { class: "search" }, icon("search"), this.#input),
      this.#scroller,
    );
    const draw = eachFrame(() => this.#draw(), signal);
    on(client.list, "change", draw, signal);
    on(client, "invitations state", draw, signal);
    on(client, "typing queue", ({ detail }) => {
      for (const node of [...this.#open.children, ...this.#rows.children]) {
        const row = this.#rowOf.get(node);
        if (row && row.id === detail.channel) this.#update(row);
      }
    }, signal);
    on(this.#input, "input", () => {
      this.#scroller.scrollTop = 0;
      this.#most = step;
      if (this.#query) client.list.loadHidden();
      this.#draw();
    }, signal);
    on(this.#input, "keydown", (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        this.#opener()?.focus();
      } else if (event.key === "Enter" && this.#query && !event.isComposing) {
        const [first] = this.#channels;
        if (first) this.#callbacks.onSelect(first.channel);
      } else if (event.key === "Escape" && this.#input.value) {
        event.stopPropagation();
        this.#input.value = "";
        this.#most = step;
        this.#draw();
      }
    }, signal);
    on(this.#scroller, "scroll", eachFrame(() => this.#goOn(), signal), signal, { passive: true });
    on(this.#rows, "keydown", (event) => this.#keyPressed(event), signal);
    on(this.#rows, "focusin", (event) => this.#activate(event.target), signal);
    on(this.#scroller, "click", (event) => this.#clicked(event), signal);
    on(this.#scroller, "contextmenu", (event) => this.#menuAsked(event), signal);
    this.#watchPresses(signal);
    this.#draw();
    this.#updateTimes();
    on(client, "state", () => client.state === "live" && this.#updateTimes(), signal);
    queueMicrotask(() => adoptListStyles(this.element));
  }

  #client;
  #t;
  #callbacks;
  #times;
  #end = new AbortController();
  #input;
  #invitations;
  #open;
  #openSection;
  #rows;
  #state;
  #scroller;
  #newButton;
  /** @type {WeakMap<Element, ChannelRow>} */
  #rowOf = new WeakMap();
  #selected = "";
  #active = "";
  #midnight = 0;
  #stateShown = "";
  #most = firstRows;

  /**
   * Marks the row of the channel that is open.
   *
   * @param {string | null} channel null if none is
   */
  select(channel) {
    const before = this.#selected;
    this.#selected = channel ?? "";
    if (channel) this.#active = channel;
    this.#drawOpen();
    for (const node of [...this.#open.children, ...this.#rows.children]) {
      const row = this.#rowOf.get(node);
      // The draft of the conversation that was open may be another one now.
      if (row && (row.id === before || row.id === channel)) this.#update(row);
    }
    this.#rove();
  }

  /** Moves the focus to the row where it was last. */
  focus() {
    (this.#opener() ?? this.#input).focus({ preventScroll: true });
  }

  /** Moves the focus to the search field. */
  focusSearch() {
    this.#input.focus();
    this.#input.select();
  }

  /**
   * Opens the conversation beside the one that is open.
   *
   * @param {1 | -1} step
   */
  selectNext(step) {
    const { channels } = this.#client.list;
    const next = channels[channels.findIndex(({ channel }) => channel === this.#selected) + step];
    if (next) this.#callbacks.onSelect(next.channel);
  }

  /** Opens the menu of what can be begun. */
  openNewMenu() {
    const t = this.#t;
    openMenu(this.#root(), {
      label: t("list.new"), anchor: this.#newButton, returnTo: this.#newButton,
      items: [
        { label: t("new.title"), icon: "conversation", action: this.#openNew },
        { label: t("new.group"), icon: "people", action: this.#openGroup },
        { label: t("open.title"), icon: "globe", action: this.#openBrowser },
        "line",
        { label: t("new.notes"), icon: "edit", action: this.#openNotes },
      ],
    });
  }

  /** Ends the view: it follows the client no more. */
  destroy() {
    this.#end.abort();
    clearTimeout(this.#midnight);
  }

  #fail = (/** @type {unknown} */ error) => this.#callbacks.onFailure?.(error);

  // The dialogs are loaded when they are needed.

  #openNew = single(async () =>
    (await import("./new-conversation.js")).openNewConversation(this.#root(), this.#options()), this.#fail);

  #openGroup = single(async () =>
    (await import("./group-dialogs.js")).openCreateGroup(this.#root(), this.#options()), this.#fail);

  #openBrowser = single(async () =>
    (await import("./open-channels.js")).openBrowser(this.#root(), this.#options()), this.#fail);

  #openNotes = single(async () =>
    this.#callbacks.onSelect(await this.#client.startConversation(this.#client.user.userID)), this.#fail);

  /**
   * The element that takes dialogs and menus: the one that has the language and the direction.
   *
   * @returns {HTMLElement}
   */
  #root() {
    return /** @type {HTMLElement} */ (this.element.closest("[dir]") ?? this.element);
  }

  // Drawing

  #draw() {
    const query = this.#query;
    const channels = this.#channels;
    this.#drawOpen();
    this.#drawRows(channels.slice(0, this.#most));
    this.#drawInvitations();
    this.#drawState(query, channels.length);
    this.#goOnSoon();
  }

  /** After the next frame, where it costs no layout of its own to know where the end is. */
  #goOnSoon = eachFrame(() => setTimeout(() => this.#end.signal.aborted || this.#goOn()));

  get #query() {
    return this.#input.value.trim();
  }

  /** What the list shows, if it is scrolled to its end. */
  get #channels() {
    const { list } = this.#client;
    return this.#query ? list.find(this.#query) : list.channels;
  }

  /** The open channels where the user has been, so that there is a way back. */
  #drawOpen() {
    this.#openSection.hidden = Boolean(this.#query);
    const channels = [...this.#client.channels.values()].filter(({ kind }) => kind === "open").sort(byActivity);
    reconcile(this.#open, channels.slice(0, maxOpen), ({ channel }) => channel, (channel) => {
      const node = this.#make(channel);
      this.#rowOf.get(node)?.setTabStop(true);
      return node;
    }, this.#changed);
  }

  /**
   * @param {HTMLElement} node
   * @param {Channel} channel
   */
  #changed = (node, channel) => {
    const row = /** @type {ChannelRow} */ (this.#rowOf.get(node));
    row.channel = channel;
    this.#update(row);
  };

  /** @param {readonly Channel[]} channels */
  #drawRows(channels) {
    const held = this.#rows.contains(focused()) ? focused() : null;
    const { scrollTop } = this.#scroller;
    const anchor = scrollTop > 0 ? this.#firstVisible(channels) : null;
    const place = anchor?.getBoundingClientRect().top ?? 0;
    reconcile(this.#rows, channels, ({ channel }) => channel, (channel) => this.#make(channel), this.#changed);
    if (anchor?.isConnected) this.#scroller.scrollTop += anchor.getBoundingClientRect().top - place;
    // An element that is moved in the page loses the focus.
    if (held?.isConnected && focused() !== held) held.focus({ preventScroll: true });
    this.#rove();
  }

  /**
   * The first row on the screen that does not go to another place.
   *
   * @param {readonly Channel[]} channels
   */
  #firstVisible(channels) {
    const top = this.#scroller.getBoundingClientRect().top;
    const nodes = [...this.#rows.children];
    const index = nodes.findIndex((node) => node.getBoundingClientRect().bottom > top);
    const places = new Map(channels.map(({ channel }, at) => [channel, at]));
    // What moves goes to the top, so it is before the row that was above it.
    const above = nodes[index - 1] && places.get(this.#rowOf.get(nodes[index - 1])?.id ?? "");
    return nodes.slice(Math.max(index, 0)).find((node) => {
      const at = places.get(this.#rowOf.get(node)?.id ?? "");
      return at !== undefined && (above === undefined || at > above);
    }) ?? null;
  }

  /** @param {Channel} channel */
  #make(channel) {
    const row = new ChannelRow(this.#client, this.#t, this.#times, channel);
    this.#rowOf.set(row.element, row);
    this.#update(row);
    return row.element;
  }

  /** @param {ChannelRow} row */
  #update(row) {
    row.update(row.id === this.#selected);
  }

  #drawInvitations() {
    const t = this.#t;
    const { invitations } = this.#client;
    this.#invitations.hidden = !invitations.length || Boolean(this.#input.value);
    const key = invitations.map(({ channel }) => channel).join(" ");
    if (this.#invitations.dataset.key === key) return;
    this.#invitations.dataset.key = key;
    const hadFocus = this.#invitations.contains(focused());
    refill(
      this.#invitations,
      h("h3", null, t("invitations.count", { count: invitations.length })),
      invitations.map(({ channel, title, byName }) => {
        const name = title || t("kind.group");
        const text = !byName ? t("invitations.textServer", { title: name })
          : title ? t("invitations.text", { name: byName, title }) : t("invitations.textUntitled", { name: byName });
        /** @param {boolean} isAccepted */
        const answer = (isAccepted) => this.#answer(channel, isAccepted, card);
        const card = h(
          "div", { class: "invitation" },
          h("div", { class: "about" }, avatar({ id: channel, name }, { size: 36 }), h("span", { dir: "auto" }, text)),
          h("div", null,
            h("button", { type: "button", class: "button primary", onclick: () => answer(true),
              "aria-label": t("invitations.acceptNamed", { title: name }) }, t("invitations.accept")),
            h("button", { type: "button", class: "button", onclick: () => answer(false),
              "aria-label": t("invitations.declineNamed", { title: name }) }, t("invitations.decline"))),
        );
        return card;
      }),
    );
    if (hadFocus) (this.#invitations.querySelector("button") ?? this.#opener() ?? this.#input).focus();
  }

  /**
   * @param {string} channel
   * @param {boolean} isAccepted
   * @param {HTMLElement} card
   */
  async #answer(channel, isAccepted, card) {
    const buttons = [...card.querySelectorAll("button")];
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    try {
      await this.#client.answerInvitation(channel, isAccepted);
      if (isAccepted) this.#callbacks.onSelect(channel);
    } catch (error) {
      this.#fail(error);
      for (const button of buttons) button.removeAttribute("aria-disabled");
    }
  }

  /**
   * @param {string} query
   * @param {number} count
   */
  #drawState(query, count) {
    const { list } = this.#client;
    const t = this.#t;
    const isLoading = !list.error && (list.isLoading || !list.hasLoaded || Boolean(query && list.isSearching));
    const state = list.error && (!count || !list.isComplete) ? `error ${list.error.name}`
      : isLoading && (!count || query) ? (count ? "more" : query ? "search" : "first")
      : isLoading || count > this.#most || (count && !list.isComplete && !query) ? "more"
      : count ? "" : query ? `none ${query}` : this.#open.firstChild ? "" : "empty";
    this.#rows.setAttribute("aria-busy", String(isLoading));
    if (state === this.#stateShown) return;
    this.#stateShown = state;
    this.#state.hidden = !state;
    this.#state.classList.toggle("small", Boolean(count) || state === "search");
    if (state === "first") {
      refill(this.#state, h("span", { class: "visually-hidden" }, t("loading")));
      this.#state.style.setProperty("display", "block");
      this.#state.append(...Array.from({ length: 7 }, () => h("div", { class: "skeleton", "aria-hidden": "true" })));
      return;
    }
    this.#state.style.removeProperty("display");
    if (state === "more" || state === "search") {
      refill(this.#state, h("span", { class: "spinner" }), h("span", { class: "visually-hidden" }, t("loading")));
    } else if (list.error && state.startsWith("error")) {
      refill(this.#state, h("span", null, errorText(list.error, t)),
        h("button", { type: "button", class: "button", onclick: () => list.loadMore() }, t("retry")));
    } else if (state.startsWith("none")) {
      refill(this.#state, h("span", { dir: "auto" }, t("noneFound", { text: query })));
    } else if (state) {
      refill(this.#state, icon("conversation"),
        h("strong", null, t("list.empty")), h("span", null, t("list.emptyHint")),
        h("div", { class: "actions" },
          h("button", { type: "button", class: "button primary", onclick: this.#openNew }, t("list.new")),
          h("button", { type: "button", class: "button", onclick: this.#openBrowser }, t("open.title"))));
    }
  }
  #options() {
    const { isDev, onSelect } = this.#callbacks;
    return { client: this.#client, t: this.#t, isDev, onSelect, onFailure: this.#fail };
  }

  /** Adds rows, and loads the next page, if the end is near or a search has not found enough. */
  #goOn() {
    const { list } = this.#client;
    const isNear = this.#isNearEnd();
    const isFirst = this.#most < step;
    if (!isNear && !isFirst && !this.#query) return;
    const count = this.#channels.length;
    if (count > this.#most) {
      if (!isNear && !isFirst) return;
      this.#most = isFirst ? step : this.#most + step;
      return this.#draw();
    }
    if (list.isLoading || list.isComplete || list.error || !list.hasLoaded) return;
    if (this.#query ? count < enoughFound : isNear) list.loadMore();
  }

  #isNearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return clientHeight > 0 && scrollHeight - scrollTop - clientHeight < endSpace;
  }

  /** Shows days as they are called now, and again when the day ends or the server has told its time. */
  #updateTimes() {
    const now = this.#client.sync.serverTime;
    clearTimeout(this.#midnight);
    for (const node of [...this.#open.children, ...this.#rows.children]) this.#rowOf.get(node)?.updateTime();
    this.#midnight = setTimeout(() => this.#updateTimes(), this.#times.nextMidnight(now) - now + 1);
  }

  // Focus and keys

  /** The button of the row that can have the focus. */
  #opener() {
    for (const node of this.#rows.children) {
      const row = this.#rowOf.get(node);
      if (row?.id === this.#active) return row.opener;
    }
    return null;
  }

  /** Exactly one row takes part in the order of the Tab key. */
  #rove() {
    const nodes = [...this.#rows.children];
    const ids = nodes.map((node) => this.#rowOf.get(node)?.id);
    if (!ids.includes(this.#active)) this.#active = (ids.includes(this.#selected) ? this.#selected : ids[0]) ?? "";
    for (const [index, node] of nodes.entries()) this.#rowOf.get(node)?.setTabStop(ids[index] === this.#active);
  }

  /** @param {Element} target */
  #activate(target) {
    const row = this.#rowAt(target);
    if (!row || row.id === this.#active || row.channel.kind === "open") return;
    for (const node of this.#rows.children) {
      const before = this.#rowOf.get(node);
      if (before?.id === this.#active) before.setTabStop(false);
    }
    this.#active = row.id;
    row.setTabStop(true);
  }

  /** @param {Element} target */
  #rowAt(target) {
    return this.#rowOf.get(/** @type {Element} */ (target.closest(".channel")));
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    if (!/^(Arrow(Up|Down)|Home|End|Page(Up|Down))$/.test(event.key) || event.altKey || event.ctrlKey) return;
    const openers = [...this.#rows.children].map((node) => this.#rowOf.get(node)?.opener);
    const known = /** @type {HTMLElement[]} */ (openers.filter(Boolean));
    const row = this.#rowAt(/** @type {Element} */ (event.target));
    const now = row ? known.indexOf(row.opener) : -1;
    event.preventDefault();
    if (event.key === "ArrowUp" && now === 0) return this.#input.focus();
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8, Home: -known.length, End: known.length };
    const next = now + step[/** @type {keyof typeof step} */ (event.key)];
    known[Math.max(0, Math.min(known.length - 1, next))]?.focus();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {Element} */ (event.target);
    const row = this.#rowAt(target);
    if (!row) return;
    if (target.closest(".more")) this.#openMenu(row, { anchor: row.more });
    else this.#callbacks.onSelect(row.id);
  }

  /** @param {MouseEvent} event */
  #menuAsked(event) {
    const row = this.#rowAt(/** @type {Element} */ (event.target));
    if (!row) return;
    event.preventDefault();
    const isByKey = !event.clientX && !event.clientY;
    this.#openMenu(row, isByKey ? { anchor: row.opener } : { point: { x: event.clientX, y: event.clientY } });
  }

  /**
   * A long press opens the menu, also in browsers that send no `contextmenu` for it.
   *
   * @param {AbortSignal} signal
   */
  #watchPresses(signal) {
    let timer = 0;
    const stop = () => clearTimeout(timer);
    on(this.#scroller, "pointerdown", (event) => {
      const row = event.pointerType === "touch" && this.#rowAt(event.target);
      if (!row) return;
      timer = setTimeout(() => {
        swallowClick();
        this.#openMenu(row, { point: { x: event.clientX, y: event.clientY } });
      }, pressTime);
    }, signal);
    on(this.#scroller, "pointerup pointercancel pointermove", (event) => {
      if (event.type !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 4) stop();
    }, signal);
    on(this.#scroller, "scroll", stop, signal, { passive: true });
    on(this.#scroller, "contextmenu", stop, signal);
  }

  /**
   * @param {ChannelRow} row
   * @param {{anchor?: Element, point?: {x: number, y: number}}} place
   */
  #openMenu(row, place) {
    const root = this.#root();
    if (root.querySelector("dialog.menu")) return;
    if (row.channel.kind !== "open") this.#active = row.id;
    this.#rove();
    openMenu(root, {
      ...place, label: this.#t("group.actionsFor", { name: row.channel.name }), returnTo: row.opener,
      items: channelMenu(root, row.channel, {
        client: this.#client, t: this.#t, onFailure: this.#fail,
        onLeave: () => row.id === this.#selected && this.#callbacks.onSelect(null),
      }),
    });
  }
}
