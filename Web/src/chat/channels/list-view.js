import "../../texts/more.js";
import { eachFrame, h, on, reconcile } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { onLongPress } from "../../ui/long-press.js";
import { openMenu } from "../../ui/menu.js";
import { channelMenu } from "./channel-menu.js";
import { byActivity } from "../../client/for-views.js";
import { ChannelRow } from "./channel-row.js";
import { Invitations } from "./invitations.js";
import { keepPlace } from "./list-anchor.js";
import { ListFocus } from "./list-focus.js";
import { ListSearch } from "./list-search.js";
import { ListState } from "./list-state.js";
import { adoptListStyles } from "../styles/list-styles.js";
import { NewMenu } from "./new-menu.js";
import { times } from "../../texts/texts.js";

/**
 * @typedef {import("../../client/types.js").Channel} Channel
 * @typedef {import("../../roost.js").Client} Client
 * @typedef {import("../../texts/texts.js").Texts} Texts
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
    this.#menu = new NewMenu(() => this.#root(), { client, t, ...callbacks, onFailure: this.#fail });
    this.#search = new ListSearch(t, {
      onsearch: () => {
        this.#scroller.scrollTop = 0;
        if (this.#search.query) client.list.loadHidden();
        this.#searchChanged();
      },
      onclear: () => this.#searchChanged(),
      onenter: () => {
        const [first] = this.#channels;
        if (first) callbacks.onSelect(first.channel);
      },
      ondown: () => this.#focus.opener?.focus(),
      signal,
    });
    this.#invitations = new Invitations(client, t, {
      onJoin: callbacks.onSelect, onFailure: this.#fail,
      focusNext: () => (this.#focus.opener ?? this.#search).focus(),
    });
    this.#open = h("ul", { role: "list", "aria-label": t("open.title") });
    this.#openSection = h(
      "section", { class: "open-channels", "aria-label": t("open.title") },
      h("button", { type: "button", class: "item", onclick: this.#menu.openBrowser },
        icon("globe"), h("span", { class: "grow" }, t("open.title")), icon("chevron")),
      this.#open,
    );
    this.#rows = h("ul", { role: "list", "aria-label": t("list.title") });
    this.#focus = new ListFocus(this.#rows, (target) => this.#rowAt(target), () => this.#search.focus());
    this.#state = new ListState(client, t, this.#menu);
    this.#scroller = h("div", { class: "channels" },
      this.#invitations.element, this.#openSection, this.#rows, this.#state.element);
    this.#newButton = h("button", { type: "button", class: "icon-button primary", "aria-label": t("list.new"),
      "aria-haspopup": "menu", onclick: () => this.openNewMenu() }, icon("add"));
    /** The element to put into the page; it fills its place. */
    this.element = h(
      "section", { class: "channel-list", part: "channel-list", "aria-label": t("list.title") },
      h("header", null, h("slot", { name: "account" }), h("h2", null, t("list.title")), this.#newButton),
      this.#search.element, this.#scroller,
    );
    this.#listen();
    this.#draw();
    this.#updateTimes();
    queueMicrotask(() => adoptListStyles(this.element));
  }

  #client;
  #t;
  #callbacks;
  #times;
  #end = new AbortController();
  /** @type {ListSearch} */
  #search;
  #invitations;
  #open;
  #openSection;
  #menu;
  #rows;
  #focus;
  #state;
  #scroller;
  #newButton;
  /** @type {WeakMap<Element, ChannelRow>} */
  #rowOf = new WeakMap();
  #selected = "";
  #midnight = 0;
  #limit = firstRows;

  /**
   * Marks the row of the channel that is open.
   *
   * @param {string | null} channel null if none is
   */
  select(channel) {
    const before = this.#selected;
    this.#selected = channel ?? "";
    if (channel) this.#focus.active = channel;
    this.#drawOpen();
    for (const node of [...this.#open.children, ...this.#rows.children]) {
      const row = this.#rowOf.get(node);
      // The draft of the conversation that was open may be another one now.
      if (row && (row.id === before || row.id === channel)) this.#update(row);
    }
    this.#focus.update(this.#selected);
  }

  /** Moves the focus to the row where it was last. */
  focus() {
    (this.#focus.opener ?? this.#search).focus({ preventScroll: true });
  }

  /** Moves the focus to the search field. */
  focusSearch() {
    this.#search.select();
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
    this.#menu.open(this.#newButton);
  }

  /** Ends the view: it follows the client no more. */
  destroy() {
    this.#end.abort();
    clearTimeout(this.#midnight);
  }

  #listen() {
    const client = this.#client;
    const { signal } = this.#end;
    const draw = eachFrame(() => this.#draw(), signal);
    on(client.list, "change", draw, signal);
    on(client, "invitations state", draw, signal);
    on(client, "typing queue", ({ detail }) => {
      for (const node of [...this.#open.children, ...this.#rows.children]) {
        const row = this.#rowOf.get(node);
        if (row && row.id === detail.channel) this.#update(row);
      }
    }, signal);
    on(this.#scroller, "scroll", eachFrame(() => this.#goOn(), signal), signal, { passive: true });
    on(this.#rows, "keydown", (event) => this.#focus.pressed(event), signal);
    on(this.#rows, "focusin", (event) => this.#focus.moved(event.target), signal);
    on(this.#scroller, "click", (event) => this.#clicked(event), signal);
    on(this.#scroller, "contextmenu", (event) => this.#menuAsked(event), signal);
    onLongPress(this.#scroller, (target, point) => {
      const row = this.#rowAt(target);
      if (row) this.#openMenu(row, { point });
    }, (target) => Boolean(this.#rowAt(target)), signal);
    on(client, "state", () => client.state === "live" && this.#updateTimes(), signal);
  }

  #searchChanged() {
    this.#limit = step;
    this.#draw();
  }

  #fail = (/** @type {unknown} */ error) => this.#callbacks.onFailure?.(error);

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
    const { query } = this.#search;
    const channels = this.#channels;
    this.#drawOpen();
    this.#drawRows(channels.slice(0, this.#limit));
    this.#invitations.draw(!this.#search.isEmpty);
    const isLoading = this.#state.draw({
      query, count: channels.length, hasMore: channels.length > this.#limit, hasOpen: Boolean(this.#open.firstChild),
    });
    this.#rows.setAttribute("aria-busy", String(isLoading));
    this.#goOnSoon();
  }

  /** After the next frame, where it costs no layout of its own to know where the end is. */
  #goOnSoon = eachFrame(() => setTimeout(() => this.#end.signal.aborted || this.#goOn()));

  /** What the list shows, if it is scrolled to its end. */
  get #channels() {
    const { list } = this.#client;
    const { query } = this.#search;
    return query ? list.find(query) : list.channels;
  }

  /** The open channels where the user has been, so that there is a way back. */
  #drawOpen() {
    this.#openSection.hidden = Boolean(this.#search.query);
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
    const ids = channels.map(({ channel }) => channel);
    keepPlace(this.#scroller, this.#rows, ids, (node) => this.#rowOf.get(node)?.id ?? "", () =>
      reconcile(this.#rows, channels, ({ channel }) => channel, (channel) => this.#make(channel), this.#changed));
    this.#focus.update(this.#selected);
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

  /** Adds rows, and loads the next page, if the end is near or a search has not found enough. */
  #goOn() {
    const { list } = this.#client;
    const isNear = this.#isNearEnd();
    const isFirst = this.#limit < step;
    if (!isNear && !isFirst && !this.#search.query) return;
    const count = this.#channels.length;
    if (count > this.#limit) {
      if (!isNear && !isFirst) return;
      this.#limit = isFirst ? step : this.#limit + step;
      return this.#draw();
    }
    if (list.isLoading || list.isComplete || list.error || !list.hasLoaded) return;
    if (this.#search.query ? count < enoughFound : isNear) list.loadMore();
  }

  #isNearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return clientHeight > 0 && scrollHeight - scrollTop - clientHeight < endSpace;
  }

  /** Shows days as they are called now, and again when the day ends or the server has told its time. */
  #updateTimes() {
    const now = this.#client.serverTime;
    clearTimeout(this.#midnight);
    for (const node of [...this.#open.children, ...this.#rows.children]) this.#rowOf.get(node)?.updateTime();
    this.#midnight = setTimeout(() => this.#updateTimes(), this.#times.nextMidnight(now) - now + 1);
  }

  // Focus and keys

  /** @param {Element} target */
  #rowAt(target) {
    return this.#rowOf.get(/** @type {Element} */ (target.closest(".channel")));
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
   * @param {ChannelRow} row
   * @param {{anchor?: Element, point?: {x: number, y: number}}} place
   */
  #openMenu(row, place) {
    const root = this.#root();
    if (root.querySelector("dialog.menu")) return;
    if (row.channel.kind !== "open") this.#focus.active = row.id;
    this.#focus.update(this.#selected);
    openMenu(root, {
      ...place, label: this.#t("group.actionsFor", { name: row.channel.name }), returnTo: row.opener,
      items: channelMenu(root, row.channel, {
        client: this.#client, t: this.#t, onFailure: this.#fail,
        onLeave: () => row.id === this.#selected && this.#callbacks.onSelect(null),
      }),
    });
  }
}
