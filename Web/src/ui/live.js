import { h, on, openModal } from "./dom.js";

/**
 * What screen readers read aloud: one polite live region fed by a queue, and one for failures. Bursts of messages
 * become one sentence, and typing is read at most every ten seconds. History and own messages are never given to it.
 * While a modal dialog is open, the regions are in it, as all that is outside of it is inert.
 */
export class LiveRegion {
  /**
   * @param {{summary: (count: number) => string, burst?: number, wait?: number}} options `summary` is the sentence for
   *   several messages; more than `burst` (2) within `wait` ms (800) are summarised
   */
  constructor({ summary, burst = 2, wait = 800 }) {
    this.#summary = summary;
    this.#burst = burst;
    this.#wait = wait;
    this.#polite = h("div", { "aria-live": "polite", "aria-atomic": "true" });
    this.#alert = h("div", { role: "alert", "aria-atomic": "true" });
    /** The element to put into the page; it is not visible. */
    this.element = h("div", { class: "visually-hidden" }, this.#polite, this.#alert);
  }

  #summary;
  #burst;
  #wait;
  #polite;
  #alert;
  /** @type {string[]} */
  #messages = [];
  #note = "";
  #typing = "";
  #timer = 0;
  /** @type {ParentNode & Node | null} */
  #home = null;
  #typedAt = -Infinity;

  /**
   * Reads a message of somebody else.
   *
   * @param {string} sentence
   */
  message(sentence) {
    this.#messages.push(sentence);
    // Whoever was typing has sent it.
    this.#typing = "";
    this.#schedule();
  }

  /**
   * Reads a sentence about the state of something, such as the connection or a recording.
   *
   * @param {string} sentence
   */
  note(sentence) {
    this.#note = sentence;
    this.#schedule();
  }

  /**
   * Reads who is typing, unless that was read within the last ten seconds or messages wait.
   *
   * @param {string} sentence empty if nobody is typing
   */
  typing(sentence) {
    const now = performance.now();
    if (!sentence) this.#typing = "";
    if (!sentence || now - this.#typedAt < 10_000 || this.#messages.length) return;
    this.#typedAt = now;
    this.#typing = sentence;
    this.#schedule();
  }

  /**
   * Reads a failure at once.
   *
   * @param {string} sentence
   */
  failure(sentence) {
    this.#place();
    this.#alert.textContent = "";
    this.#alert.textContent = sentence;
  }

  /** Forgets what waits to be read. */
  clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#messages = [];
    this.#note = this.#typing = "";
  }

  #place() {
    const { element } = this;
    const home = (this.#home ??= element.parentNode);
    if (!home) return;
    const dialog = openModal(home);
    const parent = dialog ?? home;
    if (element.parentNode === parent) return;
    // What was read is not read again in the new place.
    this.#polite.textContent = this.#alert.textContent = "";
    parent.append(element);
    if (dialog) on(dialog, "close", () => this.#place(), undefined, { once: true });
  }

  #schedule() {
    // Before the text changes, so that screen readers know the region by then.
    this.#place();
    this.#timer ||= setTimeout(() => {
      const messages = this.#messages;
      const said = messages.length > this.#burst ? [this.#summary(messages.length)] : messages;
      const sentences = [...said, this.#note, this.#typing].filter(Boolean);
      if (sentences.length) this.#polite.textContent = sentences.join(". ");
      this.clear();
    }, this.#wait);
  }
}
