import { h, set, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

/** So far from the end, in pixels, the button shows. */
const jumpFrom = 240;

/** The arrow that leads to the end, with the number of messages that were not seen yet. */
export class JumpButton {
  /**
   * @param {import("../context.js").Context} context
   * @param {import("./timeline-view.js").TimelineView} timeline
   * @param {import("./reading.js").Reading} reading
   * @param {() => void} onjump
   */
  constructor(context, timeline, reading, onjump) {
    this.#context = context;
    this.#timeline = timeline;
    this.#reading = reading;
    this.#count = h("span", { class: "jump-text" });
    this.#element = h("button", { type: "button", class: "jump", part: "jump", hidden: true, onclick: onjump },
      this.#count, icon("arrow-down"));
    timeline.element.parentElement?.append(this.#element);
  }

  #context;
  #timeline;
  #reading;
  #count;
  #element;

  /** Shows what has changed since the list or the reader has moved. */
  draw() {
    const { conversation, t } = this.#context;
    const { isFollowing, below } = this.#timeline;
    const count = isFollowing ? 0 : this.#reading.newCount;
    const isHidden = isFollowing || !(conversation.hasAfter || count || below > jumpFrom);
    if (this.#element.hidden !== isHidden) this.#element.hidden = isHidden;
    if (isHidden) return;
    setText(this.#count, count ? t("jump.new", { count }) : "");
    set(this.#element, { "aria-label": count ? null : t("jump.newest"), title: t("jump.newest") });
  }
}
