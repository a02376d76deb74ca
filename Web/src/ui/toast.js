import { h, on } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Short notes over the content. A note goes away after six seconds, but not while the pointer or the focus is on it,
 * and not if it reports a failure.
 */
export class Toasts {
  /** @param {{closeLabel: string, live?: import("./live.js").LiveRegion}} options `live` reads the notes aloud */
  constructor({ closeLabel, live }) {
    this.#closeLabel = closeLabel;
    this.#live = live;
    /** The element to put into a positioned container. */
    this.element = h("div", { class: "toasts" });
  }

  #closeLabel;
  #live;

  /**
   * Shows a note; the same text is not shown twice at a time.
   *
   * @param {string} text
   * @param {{isFailure?: boolean, action?: {label: string, run: () => void}}} options
   * @returns {() => void} takes it away
   */
  show(text, { isFailure = false, action } = {}) {
    for (const shown of this.element.children) if (shown.firstChild?.textContent === text) shown.remove();
    let timer = 0;
    const close = () => {
      clearTimeout(timer);
      note.remove();
    };
    const wait = () => {
      clearTimeout(timer);
      if (!isFailure) timer = setTimeout(close, 6000);
    };
    const note = h(
      "div", { class: "toast", part: "toast", dir: "auto" }, h("span", null, text),
      action && h("button", { type: "button", class: "button", onclick: () => {
        close();
        action.run();
      } }, action.label),
      h("button", { type: "button", class: "icon-button", "aria-label": this.#closeLabel, onclick: close },
        icon("close")),
    );
    on(note, "pointerenter focusin", () => clearTimeout(timer));
    on(note, "pointerleave focusout", wait);
    this.element.append(note);
    while (this.element.children.length > 3) this.element.firstChild?.remove();
    wait();
    if (isFailure) this.#live?.failure(text);
    else this.#live?.note(text);
    return close;
  }
}
