import { h } from "../../ui/dom.js";

/** So close to an end of what is loaded, in pixels, the next page is loaded. */
const pageFrom = 1600;

/** Loads the next page of messages when the reader comes near an end of what is loaded. */
export class Paging {
  /**
   * @param {import("../context.js").Context} context
   * @param {import("./timeline-view.js").TimelineView} timeline
   * @param {() => void} onpage called when there are more items
   */
  constructor({ conversation, t, signal }, timeline, onpage) {
    this.#conversation = conversation;
    this.#timeline = timeline;
    this.#signal = signal;
    this.#onpage = onpage;
    /** Says that older messages are being loaded. */
    this.element = h("div", { class: "page-loading", hidden: true }, h("span", { class: "spinner" }),
      h("span", { class: "visually-hidden" }, t("conversation.loadingOlder")));
  }

  #conversation;
  #timeline;
  #signal;
  #onpage;
  #isLoading = false;

  /** Shows what has changed in the conversation. */
  draw() {
    this.element.hidden = !this.#isLoading || !this.#conversation.items.length;
  }

  /** Loads a page if the reader is near an end. */
  async check() {
    const conversation = this.#conversation;
    if (this.#isLoading || !conversation.hasLoaded || this.#signal.aborted) return;
    const { above, below } = this.#timeline;
    const isOlder = conversation.hasBefore && above < pageFrom;
    if (!isOlder && !(conversation.hasAfter && below < pageFrom)) return;
    this.#isLoading = true;
    const { items } = conversation;
    this.draw();
    await (isOlder ? conversation.loadBefore() : conversation.loadAfter());
    this.#isLoading = false;
    this.draw();
    // Without a new item the next try waits for the reader to move.
    if (conversation.items !== items && !this.#signal.aborted) this.#onpage();
  }
}
