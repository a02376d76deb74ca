import { on } from "../ui/dom.js";

/** So long, in ms, the end has to be on the screen. */
const pause = 500;

/** Marks messages as read when they were on the screen of a visible tab for half a second. */
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
    on(context.signal, "abort", () => {
      observer.disconnect();
      clearTimeout(this.#timer);
    });
  }

  #context;
  #timeline;
  #isOnScreen = false;
  #timer = 0;

  /** Looks whether there is something to mark; call it whenever the list, the tab or the connection has changed. */
  check() {
    if (this.#timer || !this.#canMark) return;
    const { conversation } = this.#context;
    const { seq = 0, readSeq = 0, isMarkedUnread } = conversation.channel ?? {};
    if (seq <= readSeq && !isMarkedUnread) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (!this.#canMark) return;
      conversation.markRead(seq);
      // What came meanwhile was not on the screen for long enough.
      if ((conversation.channel?.seq ?? 0) > seq) this.check();
    }, pause);
  }

  get #canMark() {
    const { conversation, client } = this.#context;
    return this.#isOnScreen && document.visibilityState === "visible" && client.state === "live" &&
      conversation.hasLoaded && !conversation.hasAfter && !conversation.isGone &&
      conversation.channel?.kind !== "open" && this.#timeline.isFollowing;
  }
}
