import { h } from "../ui/dom.js";
import { warning } from "./icons.js";

// How long the error line is shown, and how long it fades after that, in ms.
const errorDuration = 4_000;
const fadeDuration = 500;

/** A sentence that is shown for some seconds, of which none pass while the element is in no page. */
export class ErrorLine {
  element = h("div", { class: "error", part: "error", role: "alert" });
  /** @type {number | null} */
  #until = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} sentence */
  show(sentence) {
    this.element.classList.remove("leaving");
    this.element.replaceChildren(h("p", null, warning(), h("span", null, sentence)));
    this.#until = Date.now() + errorDuration;
    this.start();
  }

  /** Goes on when the element is in a page. */
  start() {
    clearTimeout(this.#timer);
    if (this.#until === null || !this.element.isConnected) return;
    const fade = () => {
      this.element.classList.add("leaving");
      this.#timer = setTimeout(() => this.hide(), fadeDuration);
    };
    this.#timer = setTimeout(fade, Math.max(0, this.#until - Date.now()));
  }

  /** Stops when the element is taken from its page. */
  stop() {
    clearTimeout(this.#timer);
  }

  /** Shows nothing. */
  hide() {
    clearTimeout(this.#timer);
    this.#until = null;
    this.element.classList.remove("leaving");
    this.element.replaceChildren();
  }
}
