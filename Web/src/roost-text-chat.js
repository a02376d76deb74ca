import { Announcer } from "./text-chat/announcer.js";
import { MessageReadyEvent, messageReady } from "./text-chat/event.js";
import { arrowDown, arrowUp, warning } from "./text-chat/icons.js";
import { RowList } from "./text-chat/list.js";
import { chatMessage, copyOf, fits, isBlank, isGrouped, limitOf, remaining } from "./text-chat/rules.js";
import { styles } from "./text-chat/styles.js";
import { Texts } from "./text-chat/texts.js";
import { h, setText } from "./ui/dom.js";

/**
 * @typedef {import("./text-chat/rules.js").ChatMessage} ChatMessage
 * @typedef {import("./text-chat/rules.js").GivenMessage} GivenMessage
 * @typedef {import("./text-chat/rules.js").Row} Row
 */

// How long the error line is shown, and how long it fades after that, in ms.
const errorDuration = 4_000;
const fadeDuration = 500;
// From so few characters left on, the counter is red.
const fewLeft = 10;

// Node can import this, too, as servers do that write the page; it shows nothing.
const sheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
sheet?.replaceSync(styles);

/**
 * `<roost-text-chat>`: a text chat to embed in a page. It has a field with a counter, a list, an error line and a
 * banner for new messages, and no transport: the page sends what is written and adds what it receives.
 *
 * ```js
 * const chat = document.querySelector("roost-text-chat");
 * chat.senderID = "1234";
 * chat.alias = "Me";
 * chat.addEventListener("messagereadytosend", (event) => event.respondWith(transport.send(event.detail)));
 * transport.onmessage = (message) => chat.addMessage(message);
 * ```
 *
 * Attributes: `sender-id`, `alias`, `max-length`, `theme` ("light" or "dark"; by default that of the system). The
 * language is that of the nearest `lang`. Parts: list, row (with sent or received, and whole or grouped), name, time,
 * bubble, text, status, empty, banner, composer, field, send, error, counter. Styles: the tokens `--roost-…`.
 */
export class RoostTextChat extends (globalThis.HTMLElement ?? Object) {
  /** The attributes that take effect when they change. */
  static observedAttributes = ["max-length", "lang"];

  #texts = new Texts("en");
  #words = this.#texts.words;
  #field = h("textarea", { class: "field", part: "field", id: "field", rows: 1, enterkeyhint: "send",
    autocomplete: "off", "aria-describedby": "counter" });
  #label = h("label", { class: "unseen", for: "field" });
  #send = h("button", { class: "send idle", part: "send", type: "button" }, arrowUp());
  #counter = h("span", { class: "counter", part: "counter", id: "counter" });
  #error = h("div", { class: "error", part: "error", role: "alert" });
  #empty = h("p", { class: "empty", part: "empty" });
  #bannerText = h("span");
  #banner = h("button", { class: "banner", part: "banner", type: "button", hidden: true }, this.#bannerText,
    arrowDown());
  #announcer = new Announcer(() => this.#texts);
  #list = new RowList({
    label: this.#words.messages,
    makeRow: (row) => this.#updateRow(h("li"), row),
    updateRow: (element, row) => this.#updateRow(element, row),
    onChange: () => this.#listChanged(),
  });
  #languages = new MutationObserver(() => this.#setLanguage());
  #sizes = new ResizeObserver(() => this.#fitField());

  // The text in the field before the current edit.
  #text = "";
  // Whether an asynchronous host has not answered yet.
  #isAsking = false;
  /** @type {number | null} */
  #errorUntil = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #errorTimer;
  /** @type {Set<unknown>} */
  #listeners = new Set();
  /** @type {((event: MessageReadyEvent) => void) | null} */
  #handler = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(
      h("div", { class: "place" }, this.#list.element, this.#empty, this.#banner),
      h("div", { class: "composer", part: "composer" },
        h("div", { class: "inner" }, this.#label,
          h("div", { class: "line" }, this.#field, this.#send),
          h("div", { class: "foot" }, this.#error, this.#counter))),
      this.#announcer.element);
    this.#field.addEventListener("beforeinput", (event) => this.#beforeEdit(event));
    this.#field.addEventListener("input", (event) => this.#edited(/** @type {InputEvent} */ (event).isComposing));
    this.#field.addEventListener("compositionend", () => this.#edited(false));
    this.#field.addEventListener("keydown", (event) => this.#pressed(event));
    // The field keeps the focus, and a phone its keyboard.
    this.#send.addEventListener("mousedown", (event) => event.preventDefault());
    this.#send.addEventListener("click", () => this.#ask());
    this.#banner.addEventListener("click", () => this.#list.goToEnd());
    this.#write();
  }

  /** Called when the element is put into a page. */
  connectedCallback() {
    for (const name of ["senderID", "senderId", "alias", "maxLength", "onmessagereadytosend"]) this.#upgrade(name);
    this.#setLanguage();
    this.#languages.observe(this.ownerDocument, {
      subtree: true, attributes: true, attributeFilter: ["lang", "dir"] });
    this.#announcer.start();
    this.#list.start();
    this.#sizes.observe(this);
    this.#planError();
  }

  /** Called when the element is taken from its page; it keeps its messages and the text in the field. */
  disconnectedCallback() {
    this.#languages.disconnect();
    this.#announcer.stop();
    this.#list.stop();
    this.#sizes.disconnect();
    clearTimeout(this.#errorTimer);
  }

  /**
   * Called when an attribute has changed.
   *
   * @param {string} name
   */
  attributeChangedCallback(name) {
    if (name === "lang") this.#setLanguage();
    else this.#count();
  }

  /**
   * The id of this user; null if none was set. Messages with it are drawn as sent.
   * @type {string | null}
   */
  get senderID() {
    return this.getAttribute("sender-id");
  }

  set senderID(id) {
    this.#reflect("sender-id", id);
  }

  /**
   * The same as `senderID`.
   * @type {string | null}
   */
  get senderId() {
    return this.senderID;
  }

  set senderId(id) {
    this.senderID = id;
  }

  /**
   * The name that is shown on this user's messages.
   * @type {string}
   */
  get alias() {
    return this.getAttribute("alias") ?? "";
  }

  set alias(alias) {
    this.#reflect("alias", alias);
  }

  /**
   * The limit of a text to send, 1 to 8,000 UTF-16 units; 1,000 by default. Received messages have none.
   * @type {number}
   */
  get maxLength() {
    return limitOf(this.getAttribute("max-length"));
  }

  set maxLength(length) {
    this.#reflect("max-length", length);
  }

  /**
   * All messages, in the order of arrival: copies, whose changes have no effect.
   * @type {readonly ChatMessage[]}
   */
  get messages() {
    return this.#list.rows.map((row) => copyOf(row.message));
  }

  /**
   * One listener of the event `messagereadytosend`.
   * @type {((event: MessageReadyEvent) => void) | null}
   */
  get onmessagereadytosend() {
    return this.#handler;
  }

  set onmessagereadytosend(handler) {
    if (this.#handler) this.removeEventListener(messageReady, /** @type {EventListener} */ (this.#handler));
    this.#handler = typeof handler === "function" ? handler : null;
    if (this.#handler) this.addEventListener(messageReady, /** @type {EventListener} */ (this.#handler));
  }

  /**
   * Adds a received message; one with the user's id is drawn as sent. Its text may have any length. Throws a TypeError
   * if a field has a wrong type.
   *
   * @param {GivenMessage} message the time is now if none is given
   */
  addMessage(message) {
    const added = chatMessage(message);
    const isSent = added.senderID !== null && added.senderID === this.senderID;
    this.#add({ message: added, isSent, isGrouped: false, isSending: false });
    if (!isSent) this.#announcer.message(added);
  }

  /**
   * Gives the focus to the field.
   *
   * @param {FocusOptions} [options]
   */
  focus(options) {
    this.#field.focus(options);
  }

  /**
   * As in any element. Without a listener, nobody sends the messages, and they are refused.
   *
   * @param {string} type
   * @param {EventListenerOrEventListenerObject} listener
   * @param {boolean | AddEventListenerOptions} [options]
   */
  addEventListener(type, listener, options) {
    const signal = typeof options === "object" ? options.signal : undefined;
    if (type === messageReady && listener && !signal?.aborted) {
      this.#listeners.add(listener);
      signal?.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
    }
    super.addEventListener(type, listener, options);
  }

  /**
   * As in any element.
   *
   * @param {string} type
   * @param {EventListenerOrEventListenerObject} listener
   * @param {boolean | EventListenerOptions} [options]
   */
  removeEventListener(type, listener, options) {
    if (type === messageReady) this.#listeners.delete(listener);
    super.removeEventListener(type, listener, options);
  }

  // Sending

  async #ask() {
    if (this.#isAsking || isBlank(this.#field.value)) return;
    const excess = this.#field.value.length - this.maxLength;
    if (excess > 0) return this.#fail(this.#texts.tooLong(excess));
    const message = chatMessage({ senderID: this.senderID, alias: this.alias, text: this.#field.value });
    const event = new MessageReadyEvent(message);
    this.dispatchEvent(event);
    const answer = event.finish(this.#listeners.size > 0);
    if (answer === false) return this.#fail(this.#words.notSent);
    const row = { message, isSent: true, isGrouped: false, isSending: answer !== true };
    this.#list.goToEnd();
    this.#add(row);
    this.#setText("");
    this.#hideError();
    if (answer === true) return;
    this.#isAsking = true;
    const isAccepted = await answer;
    this.#isAsking = false;
    row.isSending = false;
    if (isAccepted) this.#list.update(row);
    else this.#takeBack(row);
  }

  /**
   * The host has refused: the row is removed, and its text returns to the field if that is empty.
   *
   * @param {Row} row
   */
  #takeBack(row) {
    const next = this.#list.rows.indexOf(row);
    this.#list.remove(row);
    this.#group(next);
    if (!this.#field.value) this.#setText(row.message.text);
    this.#fail(this.#words.notSent);
  }

  /** @param {Row} row */
  #add(row) {
    row.isGrouped = isGrouped(row, this.#list.rows.at(-1));
    this.#list.add(row);
  }

  /** @param {number} index */
  #group(index) {
    const row = this.#list.rows[index];
    if (!row) return;
    row.isGrouped = isGrouped(row, this.#list.rows[index - 1]);
    this.#list.update(row);
  }

  // The field

  /** @param {InputEvent} event */
  #beforeEdit(event) {
    if (event.isComposing || !event.inputType.startsWith("insert")) return;
    const { value, selectionStart, selectionEnd } = this.#field;
    const isBreak = event.inputType === "insertLineBreak" || event.inputType === "insertParagraph";
    const added = isBreak ? "\n" : event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    const length = value.length - (selectionEnd - selectionStart) + added.replace(/\r\n?/g, "\n").length;
    if (fits(length, value.length, this.maxLength)) return;
    event.preventDefault();
    this.#refuse(length - this.maxLength, added.length > 1);
  }

  /** @param {boolean} isComposing */
  #edited(isComposing) {
    const { value, selectionEnd } = this.#field;
    // What cannot be refused before it happens, such as the end of a composition, is taken back.
    if (!isComposing && !fits(value.length, this.#text.length, this.maxLength)) {
      const end = Math.max(0, selectionEnd - (value.length - this.#text.length));
      this.#field.value = this.#text;
      this.#field.setSelectionRange(end, end);
      this.#refuse(value.length - this.maxLength, true);
    }
    if (!isComposing) this.#text = this.#field.value;
    this.#count();
    this.#fitField();
  }

  /**
   * @param {number} excess
   * @param {boolean} isText whether it was more than a key: then one must see why nothing happens
   */
  #refuse(excess, isText) {
    if (isText) this.#fail(this.#texts.tooLong(excess));
    else this.#announcer.note(this.#texts.left(remaining(this.#field.value, this.maxLength)));
  }

  /** @param {string} text */
  #setText(text) {
    this.#field.value = text;
    this.#text = text;
    this.#count();
    this.#fitField();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    // Safari ends a composition before the key that ended it comes: then only the code 229 tells.
    const isComposing = event.isComposing || event.keyCode === 229;
    const isOther = event.key !== "Enter" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (isOther || isComposing) return;
    event.preventDefault();
    if (!event.repeat) this.#ask();
  }

  #count() {
    const left = remaining(this.#field.value, this.maxLength);
    setText(this.#counter, this.#texts.left(left));
    this.#counter.classList.toggle("low", left <= fewLeft);
    this.#send.classList.toggle("idle", isBlank(this.#field.value));
    // With "auto" the hint of an empty field is on the left.
    this.#field.dir = this.#field.value ? "auto" : this.matches(":dir(rtl)") ? "rtl" : "ltr";
  }

  #fitField() {
    this.#field.style.removeProperty("block-size");
    const { scrollHeight, offsetHeight, clientHeight } = this.#field;
    if (scrollHeight > clientHeight) {
      this.#field.style.setProperty("block-size", `${scrollHeight + offsetHeight - clientHeight}px`);
    }
  }

  // The error line

  /** @param {string} sentence */
  #fail(sentence) {
    this.#error.classList.remove("leaving");
    this.#error.replaceChildren(h("p", null, warning(), h("span", null, sentence)));
    this.#errorUntil = Date.now() + errorDuration;
    this.#planError();
  }

  #planError() {
    clearTimeout(this.#errorTimer);
    if (this.#errorUntil === null || !this.isConnected) return;
    const fade = () => {
      this.#error.classList.add("leaving");
      this.#errorTimer = setTimeout(() => this.#hideError(), fadeDuration);
    };
    this.#errorTimer = setTimeout(fade, Math.max(0, this.#errorUntil - Date.now()));
  }

  #hideError() {
    clearTimeout(this.#errorTimer);
    this.#errorUntil = null;
    this.#error.classList.remove("leaving");
    this.#error.replaceChildren();
  }

  // What is seen

  #listChanged() {
    const { newCount, rows } = this.#list;
    this.#empty.hidden = rows.length > 0;
    if (newCount > 0) setText(this.#bannerText, this.#texts.fresh(newCount));
    if (newCount === 0 && this.shadowRoot?.activeElement === this.#banner) {
      this.#list.element.focus({ preventScroll: true });
    }
    this.#banner.hidden = newCount === 0;
  }

  /**
   * @param {HTMLElement} element
   * @param {Row} row
   */
  #updateRow(element, { message, isSent, isGrouped, isSending }) {
    const names = `${isSent ? "sent" : "received"} ${isGrouped ? "grouped" : "whole"}`;
    element.className = `row ${names}`;
    element.setAttribute("part", `row ${names}`);
    const time = () => h("time", { part: "time", datetime: message.sentAt.toISOString(),
      title: this.#texts.whole(message.sentAt) }, this.#texts.clock(message.sentAt));
    const name = message.alias && h("bdi", { class: "name", part: "name" }, message.alias);
    element.replaceChildren();
    if (!isGrouped) element.append(h("div", { class: "head" }, name || null, time()));
    // The bubble keeps the direction of the page, whatever that of the text is.
    element.append(h("div", { class: "bubble", part: "bubble" },
      h("p", { class: "text", part: "text", dir: "auto" }, message.text)));
    if (isSending) element.append(h("span", { class: "status", part: "status" }, this.#words.sending));
    return element;
  }

  #setLanguage() {
    const tag = nearestLanguage(this);
    if (tag === this.#tag) return this.#count();
    this.#tag = tag;
    this.#texts = new Texts(tag);
    this.#words = this.#texts.words;
    this.#write();
    this.#list.updateAll();
  }

  #tag = "en";

  #write() {
    const { message, messages, send, empty } = this.#words;
    setText(this.#label, message);
    this.#field.placeholder = message;
    this.#send.setAttribute("aria-label", send);
    this.#send.title = send;
    setText(this.#empty, empty);
    this.#list.element.setAttribute("aria-label", messages);
    this.#listChanged();
    this.#count();
  }

  // Properties

  /**
   * Takes over a property that was set before the element was defined.
   *
   * @param {string} name
   */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const self = /** @type {any} */ (this);
    const value = self[name];
    delete self[name];
    self[name] = value;
  }

  /**
   * @param {string} name
   * @param {string | number | null | undefined} value
   */
  #reflect(name, value) {
    if (value == null) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }
}

/**
 * The language of an element: the nearest attribute `lang`, also outside of shadow roots; else English.
 *
 * @param {Element} element
 * @returns {string}
 */
function nearestLanguage(element) {
  for (let place = /** @type {Element | null} */ (element); place;) {
    const found = place.closest("[lang]");
    if (found) return found.getAttribute("lang") || "en";
    const root = place.getRootNode();
    place = root instanceof ShadowRoot ? root.host : null;
  }
  return "en";
}

const elements = globalThis.customElements;
if (elements && !elements.get("roost-text-chat")) elements.define("roost-text-chat", RoostTextChat);
