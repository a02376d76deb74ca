import { errorText } from "../../texts/errors.js";
import { h, refill } from "../../ui/dom.js";

/** What stands in the place of messages: that they are being loaded, that there are none, or an error. */
export class NoMessages {
  /** @param {import("../context.js").Context} context */
  constructor(context) {
    this.#context = context;
  }

  #context;
  element = h("div", { class: "empty", hidden: true });

  /** Shows what has changed in the conversation. */
  draw() {
    const { conversation, t } = this.#context;
    const { items, isLoading, hasLoaded, hasBefore, error } = conversation;
    const state = items.length ? "" : error && (!hasLoaded || hasBefore) ? "error" :
      hasLoaded && !isLoading && !hasBefore ? "empty" : "loading";
    if (this.element.dataset.state === state) return;
    this.element.dataset.state = state;
    this.element.hidden = !state;
    refill(this.element,
      state === "loading" && [h("span", { class: "spinner" }), h("span", { class: "visually-hidden" }, t("loading"))],
      state === "empty" && h("slot", { name: "empty" }, h("p", null, t("conversation.empty"))),
      state === "error" && [
        !conversation.isBanned && h("p", null, errorText(error, t)),
        !conversation.isGone && h("button", {
          type: "button", class: "button", onclick: () => conversation.refresh() }, t("retry")),
      ]);
  }
}
