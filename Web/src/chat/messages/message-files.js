import "../../texts/more.js";
import "../../ui/more-icons.js";
import { h, on, set } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt } from "../../ui/styles.js";
import { fileStyles } from "../styles/file-styles.js";
import { download, openLightbox } from "../lazy.js";
import { isFolded, isMedia, isPicture, mediaBox } from "./message-row.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */
/** @typedef {import("../../client/types.js").Message} Message */

/**
 * Draws the file of a message: a picture, a film, or a document. Voice messages are in message-voice.js.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @returns {HTMLElement}
 */
export function fileView(context, item) {
  adopt(context.root, fileStyles);
  return isMedia(item.message) ? mediaView(context, item) : documentView(context, item);
}

/**
 * Shows how far the upload of a drawn file is, and takes the sign away afterwards.
 *
 * @param {Context} context
 * @param {HTMLElement} view made by `fileView`
 * @param {MessageItem} item
 */
export function showProgress({ conversation, t }, view, item) {
  let sign = /** @type {HTMLElement | null} */ (view.querySelector(".progress"));
  if (item.state !== "uploading") {
    sign?.remove();
    return;
  }
  if (!sign) {
    const name = item.message.file?.name ?? "";
    sign = h(
      "span", { class: "progress" },
      h("span", { role: "progressbar", "aria-label": t("file.progress", { name }), "aria-valuemin": "0",
        "aria-valuemax": "100" }),
      h("button", {
        type: "button", class: "icon-button", "aria-label": t("file.cancelUpload"), title: t("file.cancelUpload"),
        onclick: (/** @type {Event} */ event) => {
          event.stopPropagation();
          conversation.discard(item.message.transID ?? item.key);
        },
      }, icon("close")),
    );
    view.append(sign);
  }
  const percent = Math.round((item.progress ?? 0) * 100);
  sign.style.setProperty("--progress", `${percent}%`);
  set(/** @type {Element} */ (sign.firstElementChild), {
    "aria-valuenow": percent, "aria-valuetext": t("state.uploading", { percent: t.percent(percent / 100) }),
  });
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 */
function mediaView(context, item) {
  const { client, t } = context;
  const { message } = item;
  const { file, thumbnail } = message;
  const isFilm = message.type === "video";
  const name = file?.name ?? "";
  const box = mediaBox(message);
  const button = h("button", {
    type: "button", class: "open", "aria-label": t(isFilm ? "file.film" : "file.picture", { name }),
    onclick: () => openLightboxAt(context, item),
  });
  box.append(button);
  const blur = file?.blurHash ?? thumbnail?.blurHash;
  if (blur) button.append(blurView(blur));
  if (isFilm) {
    button.append(h("span", { class: "play" }, icon("play")));
    if (file?.durationMs) button.append(h("span", { class: "chip" }, context.times.durationText(file.durationMs)));
  }
  const load = async () => {
    try {
      const shown = isFilm ? thumbnail : thumbnail ?? file;
      const source = message.localURL ?? await client.fileURL((shown ?? file)?.fileID ?? "");
      const picture = isFilm && (message.localURL || !thumbnail)
        ? h("video", { muted: true, playsinline: true, preload: "metadata", tabindex: "-1", "aria-hidden": "true" })
        : h("img", { alt: "", decoding: "async", draggable: "false" });
      if (picture instanceof HTMLVideoElement) picture.muted = true;
      on(picture, picture instanceof HTMLImageElement ? "load" : "loadeddata", () => box.classList.add("is-loaded"));
      on(picture, "error", () => fail());
      picture.src = picture instanceof HTMLVideoElement ? `${source}#t=0.1` : source;
      button.append(picture);
    } catch {
      fail();
    }
  };
  const fail = () => {
    button.querySelector("img, video")?.remove();
    // A file that was sent has another address than before.
    if (!box.querySelector(".failure")) {
      // Of a picture that is not sent yet and that this browser cannot show, the server makes one that it can.
      button.append(h("span", { class: "failure" }, message.localURL ? name : t("file.failed")));
    }
  };
  load();
  if (file?.contentType === "image/gif" && !message.localURL) {
    import("./moving-picture.js").then(({ watchMoving }) => watchMoving(context, message, box), () => {});
  }
  showProgress(context, box, item);
  return box;
}

/** @param {string} hash */
function blurView(hash) {
  const canvas = h("canvas", { width: "32", height: "32", "aria-hidden": "true" });
  import("./blur-hash.js").then(({ decodeBlurHash }) => {
    const pixels = decodeBlurHash(hash, 32, 32);
    if (pixels) canvas.getContext("2d")?.putImageData(new ImageData(pixels, 32, 32), 0, 0);
  }, () => {});
  return canvas;
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 */
function openLightboxAt(context, item) {
  const messages = context.conversation.items.flatMap((each) =>
    each.kind === "message" && isPicture(each.message) && !each.message.recall &&
      !isFolded(context, each.message) ? [each.message] : []);
  const index = messages.findIndex((message) => message === item.message ||
    (message.transID && message.transID === item.message.transID));
  openLightbox(context, index < 0 ? [item.message] : messages, Math.max(0, index));
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 */
function documentView(context, item) {
  const { t, times } = context;
  const { file, type } = item.message;
  const name = file?.name ?? t("file.unknownType");
  const view = h(
    "span", { class: "document" },
    h("button", {
      type: "button", class: "open", "aria-label": t("file.download", { name }),
      onclick: () => download(context, item.message),
    }, h("span", { class: "sign" }, icon(type === "contact" ? "contact" : "file")),
    h("span", { class: "lines-of-file" }, h("bdi", { class: "file-name" }, name),
      h("span", { class: "hint" }, file?.size == null ? "" : times.sizeText(file.size)))),
  );
  showProgress(context, view, item);
  return view;
}
