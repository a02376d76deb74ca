import { h, setText } from "../ui/dom.js";
import { arrowUp } from "./icons.js";
import { ErrorLine } from "./error-line.js";
import { fits, isBlank, remaining } from "./rules.js";

/** @typedef {import("./texts.js").Texts} Texts */

// From so few characters left on, the counter is red.
const fewLeft = 10;

/** The field with its button, the counter and the error line. */
export class Composer {
  /**
   * @param {{texts: () => Texts, maxLength: () => number, isRightToLeft: () => boolean, onSend: () => void,
   *   announce: (sentence: string) => void}} host
   */
  constructor(host) {
    this.#host = host;
    this.element = h("div", { class: "composer", part: "composer" },
      h("div", { class: "inner" }, this.#label,
        h("div", { class: "line" }, this.#field, this.#send),
        h("div", { class: "foot" }, this.error.element, this.#counter)));
    this.#field.addEventListener("beforeinput", (event) => this.#beforeEdit(event));
    this.#field.addEventListener("input", (event) => this.#edited(/** @type {InputEvent} */ (event).isComposing));
    this.#field.addEventListener("compositionend", () => this.#edited(false));
    this.#field.addEventListener("keydown", (event) => this.#pressed(event));
    // The field keeps the focus, and a phone its keyboard.
    this.#send.addEventListener("mousedown", (event) => event.preventDefault());
    this.#send.addEventListener("click", () => host.onSend());
  }

  #host;
  #field = h("textarea", { class: "field", part: "field", id: "field", rows: 1, enterkeyhint: "send",
    autocomplete: "off", "aria-describedby": "counter" });
  #label = h("label", { class: "unseen", for: "field" });
  #send = h("button", { class: "send idle", part: "send", type: "button" }, arrowUp());
  #counter = h("span", { class: "counter", part: "counter", id: "counter" });
  /** What says why a text was not sent or not taken. */
  error = new ErrorLine();
  // The text in the field before the current edit.
  #text = "";

  /** The text in the field. */
  get text() {
    return this.#field.value;
  }

  set text(text) {
    this.#field.value = text;
    this.#text = text;
    this.count();
    this.fit();
  }

  /** @param {FocusOptions} [options] */
  focus(options) {
    this.#field.focus(options);
  }

  /** Shows the words of another language. */
  write() {
    const { message, send } = this.#host.texts().words;
    setText(this.#label, message);
    this.#field.placeholder = message;
    this.#send.setAttribute("aria-label", send);
    this.#send.title = send;
    this.count();
  }

  /** Shows how many characters are left. */
  count() {
    const left = remaining(this.#field.value, this.#host.maxLength());
    setText(this.#counter, this.#host.texts().left(left));
    this.#counter.classList.toggle("low", left <= fewLeft);
    this.#send.classList.toggle("idle", isBlank(this.#field.value));
    // With "auto" the hint of an empty field is on the left.
    this.#field.dir = this.#field.value ? "auto" : this.#host.isRightToLeft() ? "rtl" : "ltr";
  }

  /** Makes the field as high as its text. */
  fit() {
    this.#field.style.removeProperty("block-size");
    const { scrollHeight, offsetHeight, clientHeight } = this.#field;
    if (scrollHeight > clientHeight) {
      this.#field.style.setProperty("block-size", `${scrollHeight + offsetHeight - clientHeight}px`);
    }
  }

  /** @param {InputEvent} event */
  #beforeEdit(event) {
    if (event.isComposing || !event.inputType.startsWith("insert")) return;
    const { value, selectionStart, selectionEnd } = this.#field;
    const isBreak = event.inputType === "insertLineBreak" || event.inputType === "insertParagraph";
    const added = isBreak ? "\n" : event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    const length = value.length - (selectionEnd - selectionStart) + added.replace(/\r\n?/g, "\n").length;
    const maxLength = this.#host.maxLength();
    if (fits(length, value.length, maxLength)) return;
    event.preventDefault();
    this.#refuse(length - maxLength, added.length > 1);
  }

  /** @param {boolean} isComposing */
  #edited(isComposing) {
    const { value, selectionEnd } = this.#field;
    const maxLength = this.#host.maxLength();
    // What cannot be refused before it happens, such as the end of a composition, is taken back.
    if (!isComposing && !fits(value.length, this.#text.length, maxLength)) {
      const end = Math.max(0, selectionEnd - (value.length - this.#text.length));
      this.#field.value = this.#text;
      this.#field.setSelectionRange(end, end);
      this.#refuse(value.length - maxLength, true);
    }
    if (!isComposing) this.#text = this.#field.value;
    this.count();
    this.fit();
  }

  /**
   * @param {number} excess
   * @param {boolean} isText whether it was more than a key: then one must see why nothing happens
   */
  #refuse(excess, isText) {
    const texts = this.#host.texts();
    if (isText) this.error.show(texts.tooLong(excess));
    else this.#host.announce(texts.left(remaining(this.#field.value, this.#host.maxLength())));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    // Safari ends a composition before the key that ended it comes: then only the code 229 tells.
    const isComposing = event.isComposing || event.keyCode === 229;
    const isOther = event.key !== "Enter" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (isOther || isComposing) return;
    event.preventDefault();
    if (!event.repeat) this.#host.onSend();
  }
}
