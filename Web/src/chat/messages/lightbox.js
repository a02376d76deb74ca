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
import { zoomOfKey, zoomable } from "./zoom.js";

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
  const { client, root, t } = context;
  const times = timesOf(t);
  const before = focused();
  const stage = h("div", { class: "stage" });
  const name = h("bdi", { class: "ellipsis" });
  const about = h("span", { class: "about ellipsis" });
  /** @type {import("./zoom.js").Zoom | null} */
  let zoom = null;
  let zoomEnd = new AbortController();
  const place = h("span", { class: "quiet-text" });
  /**
   * @param {import("../../texts/texts.js").Key} key
   * @param {import("../../ui/icons.js").IconName} name
   * @param {() => void} action
   * @param {string} [classes]
   */
  const button = (key, name, action, classes = "") => h(
    "button", { type: "button", class: `icon-button ${classes}`, "aria-label": t(key), title: t(key), onclick: action },
    icon(name),
  );
  const previous = button("lightbox.previous", "chevron", () => show(index - 1), "previous");
  const next = button("lightbox.next", "chevron", () => show(index + 1), "next");
  const zoomIn = button("lightbox.zoomIn", "zoom-in", () => zoom?.by(1.5), "zoom-button");
  const zoomOut = button("lightbox.zoomOut", "zoom-out", () => zoom?.by(1 / 1.5), "zoom-button");
  const element = h(
    "dialog", { class: "lightbox", part: "lightbox", tabindex: "-1", "aria-label": t("lightbox.label") },
    h("header", null, h("div", { class: "names" }, h("span", { class: "line" }, name, place), about), zoomOut, zoomIn,
      button("message.download", "download", () => download(context, messages[index])),
      button("lightbox.close", "close", () => close())),
    stage, previous, next,
  );
  /** Keys come only to what has the focus, which a button that is hidden loses. */
  const keepFocus = () => {
    const now = focused();
    if (!element.contains(now) || now?.closest("[hidden]")) element.focus();
  };
  const end = new AbortController();
  // The view around takes the dialog away with it.
  if (context.signal) on(context.signal, "abort", () => close(), end.signal);
  const close = () => {
    if (end.signal.aborted) return;
    end.abort();
    zoomEnd.abort();
    element.close();
    element.remove();
    focusFirst(before);
  };

  /** @param {HTMLImageElement} picture */
  const showPicture = (picture) => {
    refill(stage, picture);
    zoomIn.hidden = zoomOut.hidden = false;
    zoomOut.setAttribute("aria-disabled", "true");
    const isRTL = getComputedStyle(element).direction === "rtl";
    zoom = zoomable(stage, picture, {
      signal: zoomEnd.signal,
      onzoom: (isZoomed) => zoomOut.setAttribute("aria-disabled", `${!isZoomed}`),
      onswipe: (side) => show(index + (isRTL ? side : -side)),
    });
  };

  /** @param {number} to */
  const show = async (to) => {
    if (!messages[to] || end.signal.aborted) return;
    index = to;
    const message = messages[to];
    const title = message.file?.name ?? t("file.unknownType");
    setText(name, title);
    refill(about, sentBy(t, times, client, message).nodes);
    about.title = times.fullText(message.sentAt);
    zoomEnd.abort();
    zoomEnd = new AbortController();
    zoom = null;
    stage.classList.remove("is-zoomed");
    zoomIn.hidden = zoomOut.hidden = true;
    keepFocus();
    setText(place, messages.length > 1 ? t("lightbox.position", { number: to + 1, total: messages.length }) : "");
    previous.hidden = to === 0;
    next.hidden = to === messages.length - 1;
    refill(stage, h("span", { class: "spinner" }));
    const fail = () => void (index === to && refill(stage, h("p", null, t("file.failed"))));
    // Few browsers can show a HEIC; the server has made a picture of it that all can show.
    const showThumbnail = async () => {
      try {
        if (!message.thumbnail) return fail();
        const picture = h("img", { alt: title, draggable: "false" });
        on(picture, "error", fail);
        picture.src = await client.fileURL(message.thumbnail.fileID);
        const save = h("button", { type: "button", class: "button", onclick: () => download(context, message) },
          icon("download"), t("message.download"));
        if (index === to) refill(stage, h("div", { class: "instead" }, picture, save));
      } catch {
        fail();
      }
    };
    try {
      const source = message.localURL ?? await client.fileURL(message.file?.fileID ?? "");
      if (index !== to) return;
      const media = message.type === "video"
        ? h("video", { src: source, controls: true, autoplay: true, playsinline: true, "aria-label": title })
        : h("img", { src: source, alt: title, draggable: "false" });
      if (media instanceof HTMLVideoElement) {
        refill(stage, media);
        if (message.localURL) on(media, "error", fail);
        else keepPlaying(media, () => client.fileURL(message.file?.fileID ?? ""), fail);
      } else {
        on(media, "load", () => index === to && showPicture(media));
        on(media, "error", showThumbnail);
      }
    } catch {
      fail();
    }
  };

  closeByUser(element, close);
  on(stage, "click", (event) => event.target === stage && !zoom?.wasMoved && close());
  on(element, "keydown", (event) => {
    const isRTL = getComputedStyle(element).direction === "rtl";
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }[/** @type {string} */ (event.key)];
    const factor = event.ctrlKey || event.metaKey || event.altKey ? null : zoomOfKey(event.key);
    const [x, y] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      /** @type {string} */ (event.key)] ?? [];
    if (zoom && (factor !== null || (zoom.isZoomed && x !== undefined))) {
      event.preventDefault();
      if (factor) zoom.by(factor);
      else if (factor === 0) zoom.reset();
      else zoom.pan(x / 5, y / 5);
      return;
    }
    if (!step || event.target instanceof HTMLVideoElement) return;
    event.preventDefault();
    show(index + (isRTL && event.key.startsWith("Arrow") ? -step : step));
  });
  adopt(root, dialogStyles);
  adopt(root, lightboxStyles);
  root.append(element);
  element.showModal();
  element.focus();
  show(index);
}
