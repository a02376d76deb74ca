import { errorText } from "../texts/errors.js";
import { typingText } from "../texts/lines.js";
import { times } from "../texts/times.js";
import { eachFrame, h, on, setText } from "../ui/dom.js";
import { LiveRegion } from "../ui/live.js";
import { Toasts } from "../ui/toast.js";
import { Composer } from "./composer/composer.js";
import { ConversationHeader } from "./conversation-header.js";
import { loadExtras, loadFileDrop, openActions, preload, stopPlaying } from "./lazy.js";
import { Announcements } from "./messages/announcements.js";
import { reactionsView } from "./messages/message-bubble.js";
import { estimateHeight, makeRow, updateRow } from "./messages/message-row.js";
import { NoMessages } from "./messages/no-messages.js";
import { Paging } from "./messages/paging.js";
import { Reading } from "./messages/reading.js";
import { watchRows } from "./messages/row-events.js";
import { TimelineView } from "./messages/timeline-view.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").Item} Item */

/** So many pages are loaded at most to begin with the first unread message. */
const maxUnreadPages = 5;

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
      copy: (/** @type {string} */ text) => this.#copy(text),
      focusComposer: () => this.composer.focus(),
      openedAt: Date.now(),
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
    this.#header = new ConversationHeader(this.#context, {
      onBack: callbacks.onBack, onDetails: callbacks.onDetails, onleave: () => this.focus(),
      ontitle: (title) => this.#timeline.rows.setAttribute("aria-label", t("conversation.messagesWith", { title })),
    });
    this.#noMessages = new NoMessages(this.#context);
    this.#paging = new Paging(this.#context, this.#timeline, () => this.#draw());
    this.#announcements = new Announcements(this.#context);
    this.#reading = new Reading(conversation, this.#timeline);
    this.element.append(
      this.#header.element,
      h("div", { class: "timeline" }, this.#timeline.element, this.#noMessages.element, this.#paging.element),
      this.#typing, this.composer.element,
    );
    if (!callbacks.live) this.element.append(this.#live.element);
    if (!callbacks.toasts) this.element.append(this.#toasts.element);
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
  #header;
  #noMessages;
  #paging;
  #announcements;
  #typing = h("p", { class: "typing ellipsis", "aria-hidden": "true" });
  /** @type {import("./messages/read-marker.js").ReadMarker | null} */
  #marker = null;
  /** @type {import("./messages/jump-button.js").JumpButton | null} */
  #jumpButton = null;
  #isPlaced = false;
  #hasSeparator = false;
  /** Whether pages are loaded back to the first unread message. */
  #isOpening = true;
  #newestKey = "";

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

  #listen() {
    const { client, conversation, signal } = this.#context;
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
    on(client, "state", draw, signal);
    on(document, "visibilitychange", () => {
      // A page that is hidden has no frames: what comes now would count as read.
      this.#marker?.check();
      if (document.visibilityState === "visible") this.#moved();
    }, signal);
    loadExtras().then(({ Extras, JumpButton, ReadMarker }) => {
      if (signal.aborted) return;
      this.#marker = new ReadMarker(this.#context, this.#timeline,
        () => this.#isPlaced && !this.#isOpening && !this.#beginsUnread);
      this.#jumpButton = new JumpButton(this.#context, this.#timeline, this.#reading, () => this.#goToNewest(true));
      this.#context.extras = new Extras(this.#context, this.#timeline, reactionsView);
      this.#draw();
    }, () => {});
    loadFileDrop().then(({ watchDrops }) => watchDrops(this.#context, this.element, this.composer), () => {});
  }

  #hasNewSend() {
    const last = this.#context.conversation.items.at(-1);
    return last?.kind === "message" && last.state !== "sent" && last.key !== this.#newestKey;
  }

  #draw() {
    const { conversation, t } = this.#context;
    const { items, hasLoaded, channel, typing } = conversation;
    this.element.classList.toggle("single", channel?.kind === "single");
    this.#header.draw();
    setText(this.#typing, typingText(typing, t));
    this.#newestKey = items.at(-1)?.key ?? "";
    this.#setItems();
    this.#place(this.#timeline.items, hasLoaded);
    this.#noMessages.draw();
    this.#paging.draw();
    this.#announcements.update();
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

  /** The list or the reader has moved. */
  #moved() {
    if (this.#isPlaced) {
      this.#reading.see();
      this.#jumpButton?.draw();
    }
    this.#marker?.check();
    if (this.#isPlaced) this.#paging.check();
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

  /** @param {string} text */
  async #copy(text) {
    const { t } = this.#context;
    try {
      await navigator.clipboard.writeText(text);
      this.#toasts.show(t("copied"));
    } catch {
      this.#toasts.show(t("copyFailed"), { isFailure: true });
    }
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
