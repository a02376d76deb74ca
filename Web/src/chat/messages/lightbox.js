import "../../texts/more.js";
import { times as timesOf } from "../../texts/texts.js";
import { closeByUser } from "../../ui/dialog.js";
import { focusFirst, focused, h, on, refill, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt } from "../../ui/styles.js";
import { dialogStyles } from "../styles/dialog-styles.js";
import { download } from "./download.js";
import { lightboxStyles } from "../styles/lightbox-styles.js";
import { keepPlaying } from "./media-links.js";
import { sentBy } from "./sent-by.js";
import { Zoom, zoomOfKey } from "./zoom.js";

/**
 * @typedef {Pick<import("../context.js").Context, "client" | "root" | "t" | "toasts"> & {signal?: AbortSignal}} Context
 */
/** @typedef {import("../../client/types.js").Message} Message */

/**
 * Shows pictures and films over the whole page, with who sent them and when. Arrow keys go to the next and previous
 * one, + and - enlarge a picture, which arrow keys and dragging move then. Escape closes it, and the focus returns to
 * where it was.
 *
 * @param {Context} context
 * @param {Message[]} messages those with a picture or film, in order
 * @param {number} index the first one to show
 */
export function openLightbox(context, messages, index) {
  new Lightbox(context, messages).open(index);
}

class Lightbox {
  /**
   * @param {Context} context
   * @param {Message[]} messages
   */
  constructor(context, messages) {
    this.#context = context;
    this.#messages = messages;
    const { t } = context;
    this.#previous = this.#button("lightbox.previous", "chevron", () => this.#show(this.#index - 1), "previous");
    this.#next = this.#button("lightbox.next", "chevron", () => this.#show(this.#index + 1), "next");
    this.#zoomIn = this.#button("lightbox.zoomIn", "zoom-in", () => this.#zoom?.by(1.5), "zoom-button");
    this.#zoomOut = this.#button("lightbox.zoomOut", "zoom-out", () => this.#zoom?.by(1 / 1.5), "zoom-button");
    this.#element = h(
      "dialog", { class: "lightbox", part: "lightbox", tabindex: "-1", "aria-label": t("lightbox.label") },
      h("header", null,
        h("div", { class: "names" }, h("span", { class: "line" }, this.#name, this.#place), this.#about),
        this.#zoomOut, this.#zoomIn,
        this.#button("message.download", "download", () => download(context, this.#messages[this.#index])),
        this.#button("lightbox.close", "close", () => this.#close())),
      this.#stage, this.#previous, this.#next,
    );
    closeByUser(this.#element, () => this.#close());
    on(this.#stage, "click", ({ target }) => target === this.#stage && !this.#zoom?.wasMoved && this.#close());
    on(this.#element, "keydown", (event) => this.#keyPressed(event));
    // The view around takes the dialog away with it.
    if (context.signal) on(context.signal, "abort", () => this.#close(), this.#end.signal);
  }

  #context;
  #messages;
  #before = focused();
  #stage = h("div", { class: "stage" });
  #name = h("bdi", { class: "ellipsis" });
  #about = h("span", { class: "about ellipsis" });
  #place = h("span", { class: "quiet-text" });
  #previous;
  #next;
  #zoomIn;
  #zoomOut;
  #element;
  #end = new AbortController();
  #index = 0;
  /** @type {Zoom | null} */
  #zoom = null;
  #zoomEnd = new AbortController();

  /** @param {number} index */
  open(index) {
    const { root } = this.#context;
    adopt(root, dialogStyles);
    adopt(root, lightboxStyles);
    root.append(this.#element);
    this.#element.showModal();
    this.#element.focus();
    this.#show(index);
  }

  #close() {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#zoomEnd.abort();
    this.#element.close();
    this.#element.remove();
    focusFirst(this.#before);
  }

  /**
   * @param {import("../../texts/texts.js").Key} key
   * @param {import("../../ui/icons.js").IconName} name
   * @param {() => void} action
   * @param {string} [classes]
   */
  #button(key, name, action, classes = "") {
    const label = this.#context.t(key);
    return h("button", {
      type: "button", class: `icon-button ${classes}`, "aria-label": label, title: label, onclick: action,
    }, icon(name));
  }

  /** @param {number} to */
  #show(to) {
    const messages = this.#messages;
    if (!messages[to] || this.#end.signal.aborted) return;
    this.#index = to;
    const message = messages[to];
    const { client, t } = this.#context;
    const times = timesOf(t);
    setText(this.#name, this.#title(message));
    refill(this.#about, sentBy(t, times, client, message).nodes);
    this.#about.title = times.fullText(message.sentAt);
    this.#zoomEnd.abort();
    this.#zoomEnd = new AbortController();
    this.#zoom = null;
    this.#stage.classList.remove("is-zoomed");
    this.#zoomIn.hidden = this.#zoomOut.hidden = true;
    this.#keepFocus();
    setText(this.#place, messages.length > 1 ? t("lightbox.position", { number: to + 1, total: messages.length }) : "");
    this.#previous.hidden = to === 0;
    this.#next.hidden = to === messages.length - 1;
    refill(this.#stage, h("span", { class: "spinner" }));
    this.#load(message);
  }

  /** @param {Message} message */
  #title(message) {
    return message.file?.name ?? this.#context.t("file.unknownType");
  }

  /**
   * Whether a message is the one to show, also after its file was loaded.
   *
   * @param {Message} message
   */
  #isShown(message) {
    return this.#messages[this.#index] === message;
  }

  /** Keys come only to what has the focus, which a button that is hidden loses. */
  #keepFocus() {
    const now = focused();
    if (!this.#element.contains(now) || now?.closest("[hidden]")) this.#element.focus();
  }

  /** @param {Message} message */
  async #load(message) {
    const { client } = this.#context;
    const title = this.#title(message);
    const fail = () => this.#fail(message);
    try {
      const source = message.localURL ?? await client.fileURL(message.file?.fileID ?? "");
      if (!this.#isShown(message)) return;
      if (message.type === "video") {
        const film = h("video", {
          src: source, controls: true, autoplay: true, playsinline: true, "aria-label": title });
        refill(this.#stage, film);
        if (message.localURL) on(film, "error", fail);
        else keepPlaying(film, () => client.fileURL(message.file?.fileID ?? ""), fail);
      } else {
        const picture = h("img", { src: source, alt: title, draggable: "false" });
        on(picture, "load", () => this.#isShown(message) && this.#showPicture(picture));
        on(picture, "error", () => this.#showThumbnail(message));
      }
    } catch {
      fail();
    }
  }

  /** @param {HTMLImageElement} picture */
  #showPicture(picture) {
    refill(this.#stage, picture);
    this.#zoomIn.hidden = this.#zoomOut.hidden = false;
    this.#zoomOut.setAttribute("aria-disabled", "true");
    this.#zoom = new Zoom(this.#stage, picture, {
      signal: this.#zoomEnd.signal,
      onzoom: (isZoomed) => this.#zoomOut.setAttribute("aria-disabled", `${!isZoomed}`),
      onswipe: (side) => this.#show(this.#index + (this.#isRTL ? side : -side)),
    });
  }

  /**
   * Few browsers can show a HEIC; the server has made a picture of it that all can show.
   *
   * @param {Message} message
   */
  async #showThumbnail(message) {
    const { client, t } = this.#context;
    try {
      if (!message.thumbnail) return this.#fail(message);
      const picture = h("img", { alt: this.#title(message), draggable: "false" });
      on(picture, "error", () => this.#fail(message));
      picture.src = await client.fileURL(message.thumbnail.fileID);
      const save = h("button", { type: "button", class: "button", onclick: () => download(this.#context, message) },
        icon("download"), t("message.download"));
      if (this.#isShown(message)) refill(this.#stage, h("div", { class: "instead" }, picture, save));
    } catch {
      this.#fail(message);
    }
  }

  /** @param {Message} message */
  #fail(message) {
    if (this.#isShown(message)) refill(this.#stage, h("p", null, this.#context.t("file.failed")));
  }

  get #isRTL() {
    return getComputedStyle(this.#element).direction === "rtl";
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    const { key } = event;
    const zoom = this.#zoom;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }[key];
    const factor = event.ctrlKey || event.metaKey || event.altKey ? null : zoomOfKey(key);
    const [x, y] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [];
    if (zoom && (factor !== null || (zoom.isZoomed && x !== undefined))) {
      event.preventDefault();
      if (factor) zoom.by(factor);
      else if (factor === 0) zoom.reset();
      else zoom.pan(x / 5, y / 5);
      return;
    }
    if (!step || event.target instanceof HTMLVideoElement) return;
    event.preventDefault();
    this.#show(this.#index + (this.#isRTL && key.startsWith("Arrow") ? -step : step));
  }
}
