import { on } from "../ui/dom.js";

/** So long, in ms, the end has to be on the screen. */
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
   * @param {import("./context.js").Context} context
   * @param {import("./timeline-view.js").TimelineView} timeline
   */
  constructor(context, timeline) {
    this.#context = context;
    this.#timeline = timeline;
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
  #isOnScreen = false;
  #timer = 0;

  /** Looks whether there is something to mark; call it whenever the list, the tab or the connection has changed. */
  check() {
    const { client, conversation } = this.#context;
    client.attend(conversation.id, this.#isReading);
    if (this.#timer) return;
    const seq = this.#unread;
    if (!seq) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      // What came meanwhile was not on the screen for long enough.
      const now = this.#unread;
      if (now) conversation.markRead(seq);
      if (now > seq || !now) this.check();
    }, pause);
  }

  /** Whether somebody reads here, at the end. */
  get #isReading() {
    const { conversation, client } = this.#context;
    const last = this.#timeline.items.at(-1);
    const isAttended = document.visibilityState === "visible" &&
      (document.hasFocus() || performance.now() - usedAt < attention);
    return Boolean(isAttended && this.#isOnScreen && client.state === "live" && conversation.hasLoaded &&
      !conversation.hasAfter && !conversation.isGone && last && this.#timeline.isFollowing &&
      this.#timeline.row(last.key));
  }

  /** The newest row, if it can be marked now; else 0. */
  get #unread() {
    const { channel, timeline } = this.#context.conversation;
    const { readSeq = 0, isMarkedUnread, kind } = channel ?? {};
    const seq = Math.min(channel?.seq ?? 0, timeline.to);
    return (seq > readSeq || isMarkedUnread) && kind !== "open" && this.#isReading ? seq : 0;
  }
}
