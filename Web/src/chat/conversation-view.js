import { contentText, errorText, times, typingText } from "../texts/texts.js";
import { avatar } from "../ui/avatar.js";
import { eachFrame, focused, h, on, refill, set, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { LiveRegion } from "../ui/live.js";
import { Toasts } from "../ui/toast.js";
import { pictureOf } from "../client/for-views.js";
import { Composer } from "./composer/composer.js";
import { loadExtras, loadFileDrop, openActions, preload, stopPlaying } from "./lazy.js";
import { estimateHeight, makeRow, updateRow } from "./messages/message-row.js";
import { isFolded } from "./messages/message-text.js";
import { Reading } from "./messages/reading.js";
import { watchRows } from "./messages/row-events.js";
import { TimelineView } from "./messages/timeline-view.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").Item} Item */

/** So close to an end of what is loaded, in pixels, the next page is loaded. */
const pageFrom = 1600;
/** So many pages are loaded at most to begin with the first unread message. */
const maxUnreadPages = 5;
/** So far from the end the button to jump there shows. */
const jumpFrom = 240;

/**
 * The screen of one conversation: header, messages and the field to write. Call `open` when it is shown, and `close`
 * when it is not shown any more; a closed view is not opened again.
 */
export class ConversationView {
  /**
   * @param {import("../client/client.js").Client} client
   * @param {import("../client/conversation.js").Conversation} conversation
   * @param {import("../texts/texts.js").Texts} t
   * @param {{onBack?: () => void, onDetails?: () => void, onOpen?: (channel: string) => void, timeZone?: string,
   *   live?: LiveRegion, toasts?: Toasts}} [callbacks] `onBack` for the button that narrow screens show; `onDetails`
   *   for the button in the header; `onOpen` for a 1-on-1 that was started here. A button without its callback is left
   *   out. `live` and `toasts` if the page around has them already.
   */
  constructor(client, conversation, t, callbacks = {}) {
    const { signal } = this.#end;
    this.#live = callbacks.live ?? new LiveRegion({ summary: (count) => t("announce.messages", { count }) });
    this.#toasts = callbacks.toasts ?? new Toasts({ closeLabel: t("close"), live: this.#live });
    /** The element to put into the page; it fills its place. */
    this.element = h("div", { class: "conversation", part: "conversation", lang: t.lang, dir: t.dir,
      role: "region", "aria-labelledby": "conversation-title" });
    this.#context = /** @type {Context} */ ({
      client, conversation, t, times: times(t, callbacks.timeZone), signal,
      root: this.element, toasts: this.#toasts, live: this.#live,
      fail: (/** @type {unknown} */ error) => void this.#toasts.show(errorText(error, t), { isFailure: true }),
      start: (/** @type {string} */ userID) => this.#start(userID),
      jump: (/** @type {string} */ messageID) => this.#jump(messageID),
      reply: (/** @type {any} */ message) => this.composer.reply(message),
      focusComposer: () => this.composer.focus(),
    });
    this.#callbacks = callbacks;
    this.#timeline = new TimelineView({
      label: t("conversation.messages"),
      makeRow: (item) => {
        const row = makeRow(this.#context, item);
        this.#context.extras?.mark(row, item);
        return row;
      },
      updateRow: (row, item, old) => {
        updateRow(this.#context, row, item, old);
        this.#context.extras?.mark(row, item);
      },
      estimate: estimateHeight,
      onposition: () => this.#moved(),
      onopen: (row, item) => item.kind === "message" &&
        openActions(this.#context, item, { anchor: row.querySelector(".bubble"), returnTo: row }),
      signal,
    });
    /** The field below the messages. */
    this.composer = new Composer(this.#context, {
      onsend: () => this.#goToNewest(),
      onleave: () => this.#timeline.focus(),
    });
    this.#reading = new Reading(conversation, this.#timeline);
    this.#build();
    watchRows(this.#context, this.#timeline);
    this.#listen();
  }

  #end = new AbortController();
  #live;
  #toasts;
  #context;
  #callbacks;
  #timeline;
  #reading;
  /** @type {import("./messages/read-marker.js").ReadMarker | null} */
  #marker = null;
  /** @type {{[name: string]: any}} */
  #parts = {};
  #isPlaced = false;
  #hasSeparator = false;
  /** Whether pages are loaded back to the first unread message. */
  #isOpening = true;
  #isPaging = false;
  #newestKey = "";
  /** @type {Set<string>} */
  #failed = new Set();
  #headerKey = "";
  #midnight = 0;
  #today = "";

  /** Shows the conversation, at its first unread message or its end. Resolves when it is up to date. */
  async open() {
    const { conversation, signal } = this.#context;
    const opened = conversation.open();
    this.#draw();
    preload(this.#context.client);
    await opened;
    // The reader may have gone elsewhere meanwhile.
    const isWanted = () => this.#isOpening && !signal.aborted;
    if (isWanted()) {
      const { kept } = this.#reading;
      // Without a connection it begins as if there were no place.
      if (kept) await conversation.loadAround(kept.messageID, isWanted).catch(() => {});
      else {
        for (let pages = 0; pages < maxUnreadPages && isWanted() && this.#beginsUnread; pages += 1) {
          await conversation.loadBefore();
        }
      }
    }
    this.#isOpening = false;
    if (!signal.aborted) this.#draw();
  }

  /** Ends the view. */
  close() {
    const { signal } = this.#end;
    if (signal.aborted) return;
    if (this.#isPlaced) this.#reading.keep();
    this.#context.conversation.close();
    clearTimeout(this.#midnight);
    this.#end.abort();
    this.#live.clear();
    stopPlaying();
    this.element.remove();
  }

  /** Moves the focus into the field, or to the messages if nobody may write here. */
  focus() {
    if (this.#context.conversation.canWrite) this.composer.focus();
    else this.#timeline.focus();
  }

  #build() {
    const { t } = this.#context;
    const { onBack, onDetails } = this.#callbacks;
    const p = this.#parts;
    /** @param {import("../texts/texts.js").Key} key @param {any} sign @param {() => void} action */
    const button = (key, sign, action) => h("button", {
      type: "button", class: "icon-button", "aria-label": t(key), title: t(key), onclick: action }, icon(sign));
    p.avatar = h("span", { class: "header-avatar" });
    p.title = h("bdi", null);
    p.status = h("p", { class: "hint ellipsis" });
    p.back = onBack && button("back", "back", onBack);
    p.back?.classList.add("back");
    p.details = onDetails && button("details", "more", onDetails);
    // For a pointer; the button does the same.
    const about = h("div", { class: "about", onclick: onDetails }, p.avatar,
      h("div", { class: "titles" }, h("h2", { class: "ellipsis", id: "conversation-title" }, p.title), p.status));
    about.classList.toggle("opens", Boolean(onDetails));
    const header = h("header", { class: "conversation-header", part: "header" }, p.back, about,
      h("slot", { name: "header" }), p.details);
    p.loading = h("div", { class: "page-loading", hidden: true }, h("span", { class: "spinner" }),
      h("span", { class: "visually-hidden" }, t("conversation.loadingOlder")));
    p.empty = h("div", { class: "empty", hidden: true });
    p.jumpCount = h("span", { class: "jump-text" });
    p.jump = h("button", { type: "button", class: "jump", part: "jump", hidden: true,
      onclick: () => this.#goToNewest(true) }, p.jumpCount, icon("arrow-down"));
    p.typing = h("p", { class: "typing ellipsis", "aria-hidden": "true" });
    this.element.append(
      header,
      h("div", { class: "timeline" }, this.#timeline.element, p.empty, p.loading, p.jump),
      p.typing, this.composer.element,
    );
    const { live, toasts } = this.#callbacks;
    if (!live) this.element.append(this.#live.element);
    if (!toasts) this.element.append(this.#toasts.element);
  }

  #listen() {
    const { client, conversation, signal, t } = this.#context;
    const draw = eachFrame(() => this.#draw(), signal);
    on(conversation, "change", () => {
      // What the user has just sent shows at once, not in the next frame.
      if (this.#hasNewSend()) this.#draw();
      else draw();
    }, signal);
    on(client, "blocked", () => {
      this.#timeline.refresh();
      draw();
    }, signal);
    on(client, "state", () => {
      draw();
      // From now on the server's clock is known.
      if (client.state === "live") this.#watchMidnight();
    }, signal);
    on(client, "message", ({ detail: { channel, message, isOwn } }) => {
      if (channel !== conversation.id || isOwn) return;
      if (isFolded(this.#context, message)) return;
      const name = message.senderName ?? t("announcement");
      this.#live.message(t("announce.message", { name, text: contentText(message, t) }));
      draw();
    }, signal);
    on(document, "visibilitychange", () => {
      // A page that is hidden has no frames: what comes now would count as read.
      this.#marker?.check();
      if (document.visibilityState !== "visible") return;
      this.#watchMidnight();
      this.#moved();
    }, signal);
    this.#watchMidnight();
    loadExtras().then(({ Extras, ReadMarker }) => {
      if (signal.aborted) return;
      this.#marker = new ReadMarker(this.#context, this.#timeline,
        () => this.#isPlaced && !this.#isOpening && !this.#beginsUnread);
      this.#context.extras = new Extras(this.#context, this.#timeline);
      this.#draw();
    }, () => {});
    loadFileDrop().then(({ watchDrops }) => watchDrops(this.#context, this.element, this.composer), () => {});
  }

  /** Draws “Today” and “Yesterday” again when it is another day. */
  #watchMidnight() {
    const { client, times } = this.#context;
    const now = client.serverTime;
    const today = times.dayKey(now);
    clearTimeout(this.#midnight);
    if (today !== this.#today) this.#timeline.refresh();
    this.#today = today;
    // Timers have an upper bound, and stop while a device sleeps.
    this.#midnight = setTimeout(() => this.#watchMidnight(), Math.min(times.nextMidnight(now) - now + 50, 3_600_000));
  }

  #hasNewSend() {
    const last = this.#context.conversation.items.at(-1);
    return last?.kind === "message" && last.state !== "sent" && last.key !== this.#newestKey;
  }

  #draw() {
    const { conversation } = this.#context;
    const { items, hasLoaded } = conversation;
    this.#drawHeader();
    this.#newestKey = items.at(-1)?.key ?? "";
    this.#setItems();
    this.#place(this.#timeline.items, hasLoaded);
    this.#drawState();
    this.#tellFailures(items);
    this.composer.update();
    this.#moved();
  }

  /**
   * Goes to the first unread message, or to the end. What is unread may become known only after stored messages have
   * been shown: whoever is at their end goes there then.
   *
   * @param {readonly Item[]} items
   * @param {boolean} hasLoaded
   */
  #place(items, hasLoaded) {
    if (!items.length || !this.element.isConnected) return;
    const kept = !this.#isPlaced && this.#reading.kept;
    const index = kept ? this.#find(kept.messageID) : -1;
    if (kept && index >= 0) {
      this.#isPlaced = this.#hasSeparator = true;
      this.#reading.resume(kept, index);
    }
    const unread = items.findIndex((item) => item.kind === "unread");
    if (unread < 0) {
      this.#hasSeparator = false;
      if (!this.#isPlaced) this.#timeline.goToEnd();
    } else if (!this.#isPlaced || (!this.#hasSeparator && this.#timeline.isFollowing)) {
      this.#hasSeparator = true;
      this.#timeline.goTo(unread, "top");
    }
    this.#isPlaced ||= hasLoaded && !(this.#isOpening && (kept || this.#beginsUnread));
  }

  #setItems() {
    const { conversation, extras } = this.#context;
    const { items, hasAfter } = conversation;
    this.#timeline.setItems(extras?.grouped(items) ?? items, hasAfter);
  }

  /**
   * The place of a message in the list; -1 if it is not there.
   *
   * @param {string} messageID
   */
  #find(messageID) {
    return this.#timeline.items.findIndex((item) => item.kind === "message" &&
      (item.parts ?? [item]).some(({ message }) => message.messageID === messageID));
  }

  /** Whether the first unread message is before what is loaded. */
  get #beginsUnread() {
    const { items, hasBefore, hasLoaded } = this.#context.conversation;
    const first = items[items[0]?.kind === "day" ? 1 : 0];
    return hasLoaded && hasBefore && (first?.kind === "unread" || items[0]?.kind === "unread");
  }

  #drawHeader() {
    const { conversation, client, t } = this.#context;
    const { channel, typing } = conversation;
    const p = this.#parts;
    setText(p.typing, typingText(typing, t));
    if (typing.length) this.#live.typing(typingText(typing, t));
    // Without the channel, the title stays as it was.
    const name = channel?.kind === "self" ? t("kind.self") : channel?.name;
    const title = name ?? (p.title.textContent || (conversation.isBanned ? conversation.id : ""));
    const count = channel?.memberCount ?? 0;
    const picture = channel && pictureOf(client, channel);
    const key = JSON.stringify([title, count, channel?.kind, picture]);
    const { details } = p;
    if (details && details.hidden !== !channel) {
      if (focused() === details) this.focus();
      details.hidden = !channel;
    }
    if (key === this.#headerKey) return;
    this.#headerKey = key;
    this.element.classList.toggle("single", channel?.kind === "single");
    setText(p.title, title);
    this.#timeline.rows.setAttribute("aria-label", t("conversation.messagesWith", { title }));
    if (p.details) set(p.details, { "aria-label": t("conversation.details", { title }) });
    const status = !channel ? "" : {
      single: "", self: "", open: t("count.here", { count }), group: t("count.members", { count }),
    }[/** @type {string} */ (channel.kind)] ?? t("count.subscribers", { count });
    setText(p.status, status);
    p.status.hidden = !status;
    if (picture) {
      refill(p.avatar, avatar({ ...picture, name: title }, {
        size: 36, resolve: (imageURL) => client.imageURL(imageURL) }));
    }
  }

  /** What stands in the place of messages if there are none. */
  #drawState() {
    const { conversation, t } = this.#context;
    const { items, isLoading, hasLoaded, hasBefore, error } = conversation;
    const p = this.#parts;
    const state = items.length ? "" : error && (!hasLoaded || hasBefore) ? "error" :
      hasLoaded && !isLoading && !hasBefore ? "empty" : "loading";
    if (p.empty.dataset.state !== state) {
      p.empty.dataset.state = state;
      p.empty.hidden = !state;
      refill(p.empty,
        state === "loading" && [
          h("span", { class: "spinner" }), h("span", { class: "visually-hidden" }, t("loading"))],
        state === "empty" && h("slot", { name: "empty" }, h("p", null, t("conversation.empty"))),
        state === "error" && [
          !conversation.isBanned && h("p", null, errorText(error, t)),
          !conversation.isGone && h("button", {
            type: "button", class: "button", onclick: () => conversation.refresh() }, t("retry")),
        ]);
    }
    p.loading.hidden = !this.#isPaging || !items.length;
  }

  /** @param {readonly Item[]} items */
  #tellFailures(items) {
    const { t } = this.#context;
    // Messages that are not sent yet stand at the end.
    for (let index = items.length - 1; index >= 0; index -= 1) {
      const item = items[index];
      if (item.kind !== "message") continue;
      if (item.state === "sent") break;
      if (item.state !== "failed") this.#failed.delete(item.key);
      else if (!this.#failed.has(item.key)) {
        this.#failed.add(item.key);
        this.#live.failure(item.error ? t("state.failedWhy", { reason: errorText(item.error, t) }) :
          t("announce.notSent"));
      }
    }
  }

  /** The list or the reader has moved. */
  #moved() {
    const { conversation, t } = this.#context;
    const { jump, jumpCount } = this.#parts;
    const { isFollowing, below } = this.#timeline;
    if (this.#isPlaced) this.#reading.see();
    const count = isFollowing ? 0 : this.#reading.newCount;
    const isHidden = !this.#isPlaced || isFollowing || !(conversation.hasAfter || count || below > jumpFrom);
    if (jump.hidden !== isHidden) jump.hidden = isHidden;
    if (!isHidden) {
      setText(jumpCount, count ? t("jump.new", { count }) : "");
      set(jump, { "aria-label": count ? null : t("jump.newest"), title: t("jump.newest") });
    }
    this.#marker?.check();
    this.#loadPages();
  }

  async #loadPages() {
    const { conversation } = this.#context;
    if (!this.#isPlaced || this.#isPaging || !conversation.hasLoaded || this.#end.signal.aborted) return;
    const { above, below } = this.#timeline;
    const isOlder = conversation.hasBefore && above < pageFrom;
    if (!isOlder && !(conversation.hasAfter && below < pageFrom)) return;
    this.#isPaging = true;
    const { items } = conversation;
    this.#drawState();
    await (isOlder ? conversation.loadBefore() : conversation.loadAfter());
    this.#isPaging = false;
    this.#drawState();
    // Without a new item the next try waits for the reader to move.
    if (conversation.items !== items && !this.#end.signal.aborted) this.#draw();
  }

  /** @param {boolean} [isFocused] whether the focus goes to the field, because its button disappears */
  async #goToNewest(isFocused = false) {
    const { conversation, fail } = this.#context;
    this.#isOpening = false;
    this.#reading.forget();
    try {
      if (conversation.hasAfter) await conversation.loadNewest();
    } catch (error) {
      return fail(error);
    }
    this.#setItems();
    this.#timeline.goToEnd();
    if (isFocused) this.focus();
  }

  /** @param {string} messageID */
  async #jump(messageID) {
    const { conversation, t } = this.#context;
    try {
      await conversation.loadAround(messageID);
    } catch {
      // The note says it.
    }
    this.#setItems();
    const index = this.#find(messageID);
    if (index < 0) {
      this.#toasts.show(t("reply.unavailable"));
      return;
    }
    const row = this.#timeline.goTo(index, "center");
    if (!row) return;
    row.focus({ preventScroll: true });
    row.classList.remove("is-found");
    // Reading the layout starts the animation again.
    void row.offsetWidth;
    row.classList.add("is-found");
    on(row, "animationend", () => row.classList.remove("is-found"), this.#end.signal, { once: true });
  }

  /** @param {string} userID */
  async #start(userID) {
    const { client, fail } = this.#context;
    try {
      const channel = await client.startConversation(userID);
      this.#callbacks.onOpen?.(channel);
    } catch (error) {
      fail(error);
    }
  }
}
