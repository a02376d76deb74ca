import { on } from "../../ui/dom.js";

/** So long, in ms, a message has to be on the screen. */
const pause = 500;
/** So long, in ms, somebody attends to a window without focus after having used it. */
const attention = 5_000;

/** When this window was last used. */
let usedAt = -attention;

/**
 * Marks messages as read when they were on the screen for half a second, in a window that has the focus or was used
 * just before.
 */
export class ReadMarker {
  /**
   * @param {import("../context.js").Context} context
   * @param {import("./timeline-view.js").TimelineView} timeline
   * @param {() => boolean} isPlaced whether the list is where the reader wants it, with all that is unread above it
   */
  constructor(context, timeline, isPlaced) {
    this.#context = context;
    this.#timeline = timeline;
    this.#isPlaced = isPlaced;
    const observer = new IntersectionObserver((entries) => {
      this.#isOnScreen = entries[entries.length - 1].isIntersecting;
      this.check();
    });
    observer.observe(timeline.element);
    const use = (/** @type {Event} */ event) => {
      if (event.type !== "focus") usedAt = performance.now();
      this.check();
    };
    on(window, "focus keydown pointerdown wheel", use, context.signal, { capture: true, passive: true });
    on(context.signal, "abort", () => {
      observer.disconnect();
      clearTimeout(this.#timer);
      context.client.attend(context.conversation.id, false);
    });
  }

  #context;
  #timeline;
  #isPlaced;
  #isOnScreen = false;
  #timer = 0;

  /** Looks whether there is something to mark; call it whenever the list or the tab has changed. */
  check() {
    const { client, conversation } = this.#context;
    client.attend(conversation.id, this.#isReading);
    if (this.#timer) return;
    const before = this.#unread;
    if (!before) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      const now = this.#unread;
      // Only what was on the screen all the time: neither what came meanwhile, nor what was scrolled past.
      const seq = now ? Math.min(before.to, now.to) : 0;
      const isSeen = now && seq >= Math.max(before.from, now.from);
      if (isSeen) conversation.markRead(seq);
      if (!isSeen || now.to > seq) this.check();
    }, pause);
  }

  /** Whether somebody looks at these messages. */
  get #isLooking() {
    const { conversation } = this.#context;
    const isAttended = document.visibilityState === "visible" &&
      (document.hasFocus() || performance.now() - usedAt < attention);
    return isAttended && this.#isOnScreen && conversation.hasLoaded && !conversation.isGone;
  }

  /** Whether somebody reads here, at the end. */
  get #isReading() {
    const last = this.#timeline.items.at(-1);
    return Boolean(this.#isLooking && !this.#context.conversation.hasAfter && last && this.#timeline.isFollowing &&
      this.#timeline.row(last.key));
  }

  /** The rows that are on the screen and can be marked now; null if there is nothing to mark. */
  get #unread() {
    const { channel, lastSeq } = this.#context.conversation;
    const { readSeq = 0, isMarkedUnread, kind } = channel ?? {};
    if (!channel || kind === "open") return null;
    if (this.#isReading) {
      const to = Math.min(channel.seq, lastSeq);
      return to > readSeq || isMarkedUnread ? { from: 0, to } : null;
    }
    if (!channel.unread || !this.#isLooking || !this.#isPlaced()) return null;
    const seqs = this.#timeline.whole.map(seqOf).filter(Boolean);
    const to = seqs.at(-1) ?? 0;
    return to > readSeq ? { from: seqs[0], to } : null;
  }
}

/**
 * The row of an item, the last one of an album; 0 if it has none.
 *
 * @param {import("../../client/types.js").Item} item
 */
function seqOf(item) {
  if (item.kind === "line") return item.event.seq ?? 0;
  return item.kind === "message" ? (item.parts?.at(-1) ?? item).message.seq ?? 0 : 0;
}
