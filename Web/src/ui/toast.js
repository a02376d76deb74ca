import { h, on, openModal } from "./dom.js";
import { icon } from "./icons.js";

/** So long, in ms, a note stays, and one that reports a failure. */
const [stay, failureStay] = [6_000, 20_000];

/**
 * Short notes over the content. A note goes away after a while, but not while the pointer or the focus is on it, and
 * not if it reports a failure and has an action. Notes stand above the field of a conversation, or in the open dialog,
 * as all that is outside of it is inert.
 */
export class Toasts {
  /**
   * @param {{closeLabel: string, live?: import("./live.js").LiveRegion, field?: () => Element | null | undefined}}
   *   options `live` reads the notes aloud; they stand above the `field`, a `.composer` beside them if absent
   */
  constructor({ closeLabel, live, field }) {
    this.#closeLabel = closeLabel;
    this.#live = live;
    this.#field = field ?? (() => this.#home?.querySelector(".composer"));
    /** The element to put into a positioned container. */
    this.element = h("div", { class: "toasts" });
  }

  #closeLabel;
  #live;
  #field;
  /** @type {ParentNode & Node | null} */
  #home = null;
  #observer = new ResizeObserver(() => this.#place());

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
      if (!this.element.firstChild) this.#observer.disconnect();
    };
    const wait = () => {
      clearTimeout(timer);
      if (!isFailure || !action) timer = setTimeout(close, isFailure ? failureStay : stay);
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
    this.#place();
    if (isFailure) this.#live?.failure(text);
    else this.#live?.note(text);
    return close;
  }
  #place() {
    const { element } = this;
    const home = (this.#home ??= element.parentNode);
    if (!home || !element.firstChild) return;
    const dialog = openModal(home, "dialog:modal:not(.menu)");
    const parent = dialog ?? home;
    if (element.parentNode !== parent) {
      parent.append(element);
      if (dialog) on(dialog, "close", () => this.#place(), undefined, { once: true });
    }
    const below = dialog ? dialog.querySelector("footer:not([hidden])") : this.#field();
    const top = below?.getBoundingClientRect();
    const floor = element.offsetParent?.getBoundingClientRect().bottom ?? innerHeight;
    element.style.setProperty("bottom", `${top?.height ? floor - top.top + 8 : 16}px`);
    if (below) this.#observer.observe(below);
  }
}
