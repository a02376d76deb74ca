import { Announcer } from "./text-chat/announcer.js";
import { Composer } from "./text-chat/composer.js";
import { MessageReadyEvent, messageReady } from "./text-chat/event.js";
import { arrowDown } from "./text-chat/icons.js";
import { nearestLanguage } from "./text-chat/language.js";
import { RowList } from "./text-chat/list.js";
import { updateRow } from "./text-chat/row.js";
import { chatMessage, copyOf, isBlank, isGrouped, limitOf } from "./text-chat/rules.js";
import { styles } from "./text-chat/styles.js";
import { Texts } from "./text-chat/texts.js";
import { h, setText } from "./ui/dom.js";

/**
 * @typedef {import("./text-chat/rules.js").ChatMessage} ChatMessage
 * @typedef {import("./text-chat/rules.js").GivenMessage} GivenMessage
 * @typedef {import("./text-chat/rules.js").Row} Row
 */

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
  static get observedAttributes() {
    return ["max-length", "lang"];
  }

  #texts = new Texts("en");
  #words = this.#texts.words;
  #empty = h("p", { class: "empty", part: "empty" });
  #bannerText = h("span");
  #banner = h("button", { class: "banner", part: "banner", type: "button", hidden: true }, this.#bannerText,
    arrowDown());
  #announcer = new Announcer(() => this.#texts);
  #composer = new Composer({
    texts: () => this.#texts,
    maxLength: () => this.maxLength,
    isRightToLeft: () => this.matches(":dir(rtl)"),
    onSend: () => this.#ask(),
    announce: (sentence) => this.#announcer.note(sentence),
  });
  #list = new RowList({
    label: this.#words.messages,
    makeRow: (row) => updateRow(h("li"), row, this.#texts),
    updateRow: (element, row) => updateRow(element, row, this.#texts),
    onChange: () => this.#listChanged(),
  });
  #languages = new MutationObserver(() => this.#setLanguage());
  #sizes = new ResizeObserver(() => this.#composer.fit());

  // Whether an asynchronous host has not answered yet.
  #isAsking = false;
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
      this.#composer.element,
      this.#announcer.element);
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
    this.#composer.error.start();
  }

  /** Called when the element is taken from its page; it keeps its messages and the text in the field. */
  disconnectedCallback() {
    this.#languages.disconnect();
    this.#announcer.stop();
    this.#list.stop();
    this.#sizes.disconnect();
    this.#composer.error.stop();
  }

  /**
   * Called when an attribute has changed.
   *
   * @param {string} name
   */
  attributeChangedCallback(name) {
    if (name === "lang") this.#setLanguage();
    else this.#composer.count();
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
    this.#composer.focus(options);
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

  /** @returns {Promise<void>} */
  async #ask() {
    const { text, error } = this.#composer;
    if (this.#isAsking || isBlank(text)) return;
    const excess = text.length - this.maxLength;
    if (excess > 0) return error.show(this.#texts.tooLong(excess));
    const message = chatMessage({ senderID: this.senderID, alias: this.alias, text });
    const event = new MessageReadyEvent(message);
    this.dispatchEvent(event);
    const answer = event.finish(this.#listeners.size > 0);
    if (answer === false) return error.show(this.#words.notSent);
    const row = { message, isSent: true, isGrouped: false, isSending: answer !== true };
    this.#list.goToEnd();
    this.#add(row);
    this.#composer.text = "";
    error.hide();
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
    if (!this.#composer.text) this.#composer.text = row.message.text;
    this.#composer.error.show(this.#words.notSent);
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

  #setLanguage() {
    const tag = nearestLanguage(this);
    if (tag === this.#tag) return this.#composer.count();
    this.#tag = tag;
    this.#texts = new Texts(tag);
    this.#words = this.#texts.words;
    this.#write();
    this.#list.updateAll();
  }

  #tag = "en";

  #write() {
    const { messages, empty } = this.#words;
    setText(this.#empty, empty);
    this.#list.element.setAttribute("aria-label", messages);
    this.#listChanged();
    this.#composer.write();
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

const elements = globalThis.customElements;
if (elements && !elements.get("roost-text-chat")) elements.define("roost-text-chat", RoostTextChat);
