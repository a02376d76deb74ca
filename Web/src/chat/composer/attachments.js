import "../../texts/more.js";
import "../../ui/more-icons.js";
import { h, on } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";
import { fileStyles } from "../styles/file-styles.js";

/** @typedef {import("../context.js").Context} Context */
/**
 * @typedef {import("../../client/types.js").DraftFile} DraftFile
 * @typedef {DraftFile & {element: HTMLElement, url: string, width?: number, height?: number}} Attachment
 */

const styles = css(`
.tray { display: flex; gap: 8px; padding: 12px 12px 4px; overflow-x: auto; }
.tray li { position: relative; flex: none; }
.tray .preview { position: relative; display: block; }
.tray img, .tray video { display: block; height: 96px; width: auto; min-width: 64px; max-width: 200px;
  object-fit: cover; border-radius: 12px; background: var(--roost-surface-2); }
.tray .play { width: 36px; height: 36px; margin: -18px 0 0 -18px; }
.tray li > .icon-button { position: absolute; inset-block-start: -6px; inset-inline-end: -6px; }
.tray li > .icon-button .icon { padding: 3px; width: 24px; height: 24px; border-radius: 50%; color: #fff;
  background: #000b; }
.tray .is-document { max-width: 240px; padding: 8px 40px 8px 8px; border-radius: 12px;
  background: var(--roost-surface-2); }
.tray .is-document:dir(rtl) { padding: 8px 8px 8px 40px; }
.tray .is-document .preview { display: flex; align-items: center; gap: 12px; min-height: 48px; min-width: 0; }
`);

/** Picked files, shown above the field until they are sent or removed. Nothing is uploaded before that. */
export class Attachments {
  /**
   * @param {Context} context
   * @param {() => void} onchange
   */
  constructor(context, onchange) {
    this.#context = context;
    this.#onchange = onchange;
    this.element = h("ul", { class: "tray", hidden: true });
    adopt(context.root, fileStyles);
    adopt(context.root, styles);
  }

  #context;
  #onchange;
  /** @type {Attachment[]} */
  #all = [];

  /** How many files there are. */
  get count() {
    return this.#all.length;
  }

  /**
   * Opens the browser's picker of files.
   *
   * @param {string} [accept] the types to offer first; all if absent
   */
  pick(accept) {
    const input = h("input", { type: "file", multiple: true, accept, hidden: true, class: "file-input" });
    on(input, "change", () => {
      this.add([...input.files ?? []]);
      input.remove();
    });
    on(input, "cancel", () => input.remove());
    this.#context.root.querySelector(".file-input")?.remove();
    this.#context.root.append(input);
    input.click();
  }

  /**
   * Adds files; those that are empty or larger than the server's limit are refused with a note.
   *
   * @param {File[]} files
   */
  add(files) {
    const { client, t, times, toasts, focusComposer } = this.#context;
    const most = client.limits?.fileBytes ?? Infinity;
    for (const file of files) {
      const { name } = file;
      if (file.size > most) {
        toasts.show(t("file.tooLarge", { name, size: times.sizeText(most) }), { isFailure: true });
      } else if (!file.size) {
        toasts.show(t("file.empty", { name }), { isFailure: true });
      } else {
        this.#all.push(this.#make(file));
      }
    }
    this.#changed();
    focusComposer();
  }

  /**
   * Shows the files of a draft.
   *
   * @param {DraftFile[]} files
   */
  restore(files) {
    this.#all.push(...files.map(({ file, name, ...more }) => Object.assign(this.#make(file, name), more)));
    this.#changed();
  }

  /** The files, for a draft. */
  get files() {
    return this.#all.map(({ file, name, type, durationMs }) => ({ file, name, type, durationMs }));
  }

  /**
   * Sends all files, each as a message of its own; the first one has the text and the answer.
   *
   * @param {{text: string, mentions: import("../../client/types.js").Mention[],
   *   replyTo?: import("../../client/types.js").Message}} content
   */
  send(content) {
    const { conversation } = this.#context;
    const all = this.#all;
    this.clear();
    all.forEach(({ file, name, type, width, height, durationMs }, index) => {
      const first = index === 0 ? content : {};
      conversation.sendFile(file, { name: name || undefined, type, width, height, durationMs, ...first });
    });
  }

  /** Ends what the files are shown with. */
  end() {
    for (const { url } of this.#all) if (url) URL.revokeObjectURL(url);
  }

  /** Takes all files away. */
  clear() {
    this.end();
    this.#all = [];
    this.#changed();
  }

  /**
   * @param {Blob} file
   * @param {string} [name]
   */
  #make(file, name = file instanceof File ? file.name : "") {
    const { t, times } = this.#context;
    const family = file.type.split("/")[0];
    /** @type {Attachment} */
    const attachment = { file, name, url: "", element: h("li", null) };
    const shownName = name || t("file.unknownType");
    const document = () => [
      h("span", { class: "sign" }, icon("file")),
      h("span", { class: "lines-of-file" }, h("bdi", { class: "ellipsis" }, shownName),
        h("span", { class: "hint" }, times.sizeText(file.size))),
    ];
    const shown = h("span", { class: "preview" });
    if (family === "image" || family === "video") {
      attachment.url = URL.createObjectURL(file);
      const media = family === "image" ? h("img", { alt: shownName }) :
        h("video", { preload: "metadata", "aria-label": shownName });
      on(media, "load", () => {
        const { naturalWidth, naturalHeight } = /** @type {HTMLImageElement} */ (media);
        Object.assign(attachment, { width: naturalWidth, height: naturalHeight });
      });
      on(media, "loadedmetadata", () => {
        const { videoWidth, videoHeight, duration } = /** @type {HTMLVideoElement} */ (media);
        Object.assign(attachment, { width: videoWidth || undefined, height: videoHeight || undefined });
        if (Number.isFinite(duration)) attachment.durationMs = Math.round(duration * 1000);
      });
      on(media, "error", () => {
        attachment.element.classList.add("is-document");
        shown.replaceChildren(...document());
      });
      media.src = attachment.url;
      shown.append(media);
      if (family === "video") shown.append(h("span", { class: "play" }, icon("play")));
    } else {
      attachment.element.classList.add("is-document");
      shown.append(...document());
    }
    const label = t("composer.removeFile", { name: shownName });
    attachment.element.append(shown, h("button", {
      type: "button", class: "icon-button", "aria-label": label, title: label,
      onclick: () => this.#remove(attachment),
    }, icon("close")));
    return attachment;
  }

  /** @param {Attachment} attachment */
  #remove(attachment) {
    if (attachment.url) URL.revokeObjectURL(attachment.url);
    this.#all = this.#all.filter((each) => each !== attachment);
    this.#changed();
    this.#context.focusComposer();
  }

  #changed() {
    this.element.replaceChildren(...this.#all.map(({ element }) => element));
    this.element.hidden = !this.#all.length;
    this.#onchange();
  }
}
