import "../texts/more.js";
import { closeByUser } from "../ui/dialog.js";
import { focusFirst, focused, h, on, refill, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { adopt } from "../ui/styles.js";
import { dialogStyles } from "./dialog-styles.js";
import { download } from "./download.js";
import { keepPlaying } from "./media-links.js";

/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").Message} Message */

/**
 * Shows pictures and films over the whole page. Arrow keys go to the next and previous one, Escape closes it, and the
 * focus returns to where it was.
 *
 * @param {Context} context
 * @param {Message[]} messages those with a picture or film, in order
 * @param {number} index the first one to show
 */
export function openLightbox(context, messages, index) {
  const { client, root, t } = context;
  const before = focused();
  const stage = h("div", { class: "stage" });
  const name = h("bdi", { class: "ellipsis" });
  const place = h("span", { class: "quiet-text" });
  /**
   * @param {import("../texts/texts.js").Key} key
   * @param {import("../ui/icons.js").IconName} name
   * @param {() => void} action
   * @param {string} [classes]
   */
  const button = (key, name, action, classes = "") => h(
    "button", { type: "button", class: `icon-button ${classes}`, "aria-label": t(key), title: t(key), onclick: action },
    icon(name),
  );
  const previous = button("lightbox.previous", "chevron", () => show(index - 1), "previous");
  const next = button("lightbox.next", "chevron", () => show(index + 1), "next");
  const element = h(
    "dialog", { class: "lightbox", part: "lightbox", "aria-label": t("lightbox.label") },
    h("header", null, name, place, h("span", { class: "grow" }),
      button("message.download", "download", () => download(context, messages[index])),
      button("lightbox.close", "close", () => close())),
    stage, previous, next,
  );
  const close = () => {
    if (!element.isConnected) return;
    element.close();
    element.remove();
    focusFirst(before);
  };

  /** @param {number} to */
  const show = async (to) => {
    if (!messages[to]) return;
    index = to;
    const message = messages[to];
    const title = message.file?.name ?? t("file.unknownType");
    setText(name, title);
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
        on(media, "load", () => index === to && refill(stage, media));
        on(media, "error", showThumbnail);
      }
    } catch {
      fail();
    }
  };

  closeByUser(element, close);
  on(stage, "click", (event) => event.target === stage && close());
  on(element, "keydown", (event) => {
    const isRTL = getComputedStyle(element).direction === "rtl";
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }[/** @type {string} */ (event.key)];
    if (!step || event.target instanceof HTMLVideoElement) return;
    event.preventDefault();
    show(index + (isRTL && event.key.startsWith("Arrow") ? -step : step));
  });
  adopt(root, dialogStyles);
  root.append(element);
  element.showModal();
  show(index);
}
