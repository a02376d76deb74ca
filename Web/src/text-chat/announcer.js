import { h } from "../ui/dom.js";

const wait = 500;
const stay = 5_000;
const most = 2;
const longest = 200;

/**
 * What screen readers read aloud: one polite live region. Messages of half a second become one sentence if they are
 * more than two. What was read is removed after five seconds, so that nobody finds it twice.
 */
export class Announcer {
  /** @param {() => import("./texts.js").Texts} texts */
  constructor(texts) {
    this.#texts = texts;
    /** The element to put into the page; it is not visible. */
    this.element = h("div", { role: "status", "aria-live": "polite", class: "unseen" });
  }

  #texts;
  /** @type {{alias: string, text: string}[]} */
  #messages = [];
  #note = "";
  #isOn = false;
  #isWaiting = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** Begins to read. What comes before is not read. */
  start() {
    this.#isOn = true;
  }

  /** Stops reading, and forgets what was to be read. */
  stop() {
    this.#isOn = false;
    this.#isWaiting = false;
    clearTimeout(this.#timer);
    this.#messages = [];
    this.#note = "";
    this.element.replaceChildren();
  }

  /**
   * Reads a received message.
   *
   * @param {{alias: string, text: string}} message
   */
  message(message) {
    if (!this.#isOn) return;
    this.#messages.push(message);
    this.#plan();
  }

  /**
   * Reads a sentence; of several within half a second only the last.
   *
   * @param {string} sentence
   */
  note(sentence) {
    if (!this.#isOn) return;
    this.#note = sentence;
    this.#plan();
  }

  #plan() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#say(), wait);
  }

  #say() {
    this.#isWaiting = false;
    const texts = this.#texts();
    const said = this.#messages.length > most ? [texts.fresh(this.#messages.length)]
      : this.#messages.map(({ alias, text }) => texts.said(alias, shorten(text)));
    if (this.#note) said.push(this.#note);
    this.#messages = [];
    this.#note = "";
    // New elements, so that the same sentence is read again.
    this.element.replaceChildren(...said.map((sentence) => h("p", null, sentence)));
    this.#timer = setTimeout(() => this.element.replaceChildren(), stay);
  }
}

/** @param {string} text */
function shorten(text) {
  if (text.length <= longest) return text;
  return Array.from(text).slice(0, longest).join("") + "…";
}
