import "../../texts/more.js";
import { errorText, times as timesOf } from "../../texts/texts.js";
import { openDialog } from "../../ui/dialog.js";
import { eachFrame, focused, h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";
import { download } from "./download.js";
import { openLightbox } from "./lightbox.js";
import { MediaPages } from "./media-pages.js";
import { sentBy } from "./sent-by.js";

/** @typedef {Pick<import("../context.js").Context, "client" | "conversation" | "t" | "root" | "toasts">} Context */
/** @typedef {import("../../client/types.js").Message} Message */

/** So many pages are read at a time, if they have nothing to show. */
const maxPages = 10;
/** So close to its end the list goes on, in pixels. */
const endSpace = 600;

const styles = css(`
.dialog.media-dialog { height: min(680px, 90dvh); }
.media-dialog .body { grid-auto-rows: min-content; gap: 12px; }
.media-tabs { display: grid; grid-template-columns: 1fr 1fr; gap: 4px; padding: 4px; border-radius: 14px;
  background: var(--roost-surface-2); position: sticky; top: 0; z-index: 2; }
.media-tabs button { min-height: 40px; border-radius: 10px; text-align: center; font-weight: 600;
  color: var(--roost-text-2); }
.media-tabs [aria-selected="true"] { color: var(--roost-text); background: var(--roost-surface);
  box-shadow: 0 1px 3px #0002; }
.media-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(96px, 1fr)); gap: 4px; }
.media-grid li { display: grid; }
.media-grid button { position: relative; aspect-ratio: 1; overflow: hidden; border-radius: 8px;
  background: var(--roost-surface-2); }
.media-grid img, .media-grid video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.media-grid .sign { position: absolute; inset-block-end: 6px; inset-inline-start: 6px; display: flex; gap: 4px;
  align-items: center; width: auto; height: auto; padding: 1px 7px; border-radius: 10px; font-size: 12px; color: #fff;
  background: #000a; }
.media-grid .sign .icon { width: 14px; height: 14px; }
.media-files .person > .icon { color: var(--roost-accent); }
.media-state { display: grid; justify-items: center; gap: 10px; padding: 16px; color: var(--roost-text-2);
  text-align: center; }
.media-state:empty { display: none; }
@media (forced-colors: active) { .media-tabs [aria-selected="true"] { outline: 2px solid Highlight; } }
`);

/**
 * Opens the pictures, films and files of a conversation, the newest first. Further ones are read while one scrolls.
 *
 * @param {Context} context
 * @returns {import("../../ui/dialog.js").Dialog}
 */
export function openMedia(context) {
  return new MediaDialog(context).dialog;
}

class MediaDialog {
  /** @param {Context} context */
  constructor(context) {
    const { t, root } = context;
    this.#context = context;
    this.#times = timesOf(t);
    this.#pages = new MediaPages(context);
    this.#tabs = /** @type {const} */ (["pictures", "files"]).map((kind) => h("button", {
      type: "button", role: "tab", id: `roost-media-${kind}`, "aria-controls": "roost-media",
      onclick: () => this.#choose(kind),
    }, t(kind === "pictures" ? "media.pictures" : "media.files")));
    const bar = h("div", { class: "media-tabs", role: "tablist", "aria-label": t("media.title") }, this.#tabs);
    this.#list = h("ul", { role: "list" });
    this.#state = h("div", { class: "media-state", role: "status", tabindex: "-1" });
    this.#panel = h("div", { role: "tabpanel", id: "roost-media" }, this.#list, this.#state);
    adopt(root, styles);
    this.dialog = openDialog(root, {
      title: t("media.title"), closeLabel: t("close"), class: "tall media-dialog", body: [bar, this.#panel] });
    const { signal } = this.#end;
    on(bar, "keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      this.#choose(this.#kind === "pictures" ? "files" : "pictures");
      this.#tabs.find((tab) => tab.tabIndex === 0)?.focus();
    }, signal);
    on(this.dialog.body, "scroll", eachFrame(() => this.#goOn(), signal), signal, { passive: true });
    this.dialog.closed.then(() => {
      this.#end.abort();
      this.#watcher.disconnect();
    });
    this.#choose("pictures");
    this.#tabs[0].focus();
    this.#read();
  }

  #context;
  #times;
  #pages;
  #tabs;
  #list;
  #state;
  #panel;
  #end = new AbortController();
  #kind = /** @type {"pictures" | "files"} */ ("pictures");
  #drawn = 0;
  #isReading = false;
  /** Whether enough pages were read without a result: then a button reads on. */
  #hasPaused = false;
  #error = /** @type {unknown} */ (null);
  /** @type {WeakMap<Element, () => void>} */
  #loads = new WeakMap();
  #watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      this.#watcher.unobserve(target);
      this.#loads.get(target)?.();
    }
  }, { rootMargin: "400px" });

  /** @param {"pictures" | "files"} kind */
  #choose(kind) {
    this.#kind = kind;
    for (const tab of this.#tabs) {
      const isChosen = tab.id === `roost-media-${kind}`;
      tab.setAttribute("aria-selected", `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.#panel.setAttribute("aria-labelledby", tab.id);
    }
    this.#list.className = kind === "pictures" ? "media-grid" : "media-files people";
    this.#list.replaceChildren();
    this.#drawn = 0;
    this.dialog.body.scrollTop = 0;
    this.#hasPaused = false;
    this.#draw();
    this.#goOn();
  }

  /** Adds what was read since the last time. */
  #draw() {
    const { t } = this.#context;
    const messages = this.#pages[this.#kind];
    const make = this.#kind === "pictures" ? this.#picture : this.#file;
    this.#list.append(...messages.slice(this.#drawn).map((message) => h("li", null, make(message))));
    this.#drawn = messages.length;
    this.#list.hidden = !messages.length;
    const isFocused = this.#state.contains(focused());
    const more = () => h("button", { type: "button", class: "button", onclick: () => {
      this.#hasPaused = false;
      this.#read();
    } }, t(this.#error ? "retry" : "loadMore"));
    refill(this.#state, this.#error ? [h("p", null, errorText(this.#error, t)), more()]
      : this.#isReading ? [h("span", { class: "spinner" }), h("span", { class: "visually-hidden" }, t("loading"))]
      : !this.#pages.isComplete ? this.#hasPaused && more()
      : !messages.length && h("p", null, t(this.#kind === "pictures" ? "media.noPictures" : "media.noFiles")));
    if (isFocused && this.#isReading) this.#state.focus();
    else if (isFocused) (this.#state.querySelector("button") ?? this.#list.querySelector("li:last-child button") ??
      this.#tabs.find((tab) => tab.tabIndex === 0))?.focus();
  }

  #goOn() {
    const { scrollHeight, scrollTop, clientHeight } = this.dialog.body;
    if (scrollHeight - scrollTop - clientHeight < endSpace && !this.#hasPaused && !this.#error) this.#read();
  }

  async #read() {
    if (this.#isReading || this.#pages.isComplete) return;
    this.#isReading = true;
    this.#error = null;
    this.#draw();
    try {
      const count = () => this.#pages[this.#kind].length;
      const before = count();
      for (let pages = 0; pages < maxPages && count() === before && !this.#pages.isComplete; pages += 1) {
        await this.#pages.readMore();
        if (this.#end.signal.aborted) return;
      }
      this.#hasPaused = count() === before;
    } catch (error) {
      this.#error = error;
    }
    this.#isReading = false;
    if (this.#end.signal.aborted) return;
    this.#draw();
    this.#goOn();
  }

  /** @param {Message} message */
  #about(message) {
    return sentBy(this.#context.t, this.#times, this.#context.client, message);
  }

  /** @param {Message} message */
  #picture = (message) => {
    const { t, client } = this.#context;
    const { file, thumbnail, type } = message;
    const isFilm = type === "video";
    const name = file?.name ?? t("file.unknownType");
    const about = this.#about(message).text;
    const button = h("button", {
      type: "button", title: about, "aria-label": `${t(isFilm ? "file.film" : "file.picture", { name })}, ${about}`,
      onclick: () => openLightbox(this.#context, this.#pages.pictures, this.#pages.pictures.indexOf(message)),
    });
    if (isFilm) {
      button.append(h("span", { class: "sign" }, icon("play"),
        file?.durationMs ? this.#times.durationText(file.durationMs) : null));
    }
    this.#loads.set(button, async () => {
      try {
        const shown = isFilm ? thumbnail : thumbnail ?? file;
        const source = await client.fileURL((shown ?? file)?.fileID ?? "");
        const picture = shown ? h("img", { alt: "", src: source, decoding: "async", draggable: "false" })
          : h("video", { src: `${source}#t=0.1`, preload: "metadata", tabindex: "-1", "aria-hidden": "true" });
        on(picture, "error", () => picture.remove());
        button.prepend(picture);
      } catch {
        // It stays empty; opened, it says what is wrong.
      }
    });
    this.#watcher.observe(button);
    return button;
  };

  /** @param {Message} message */
  #file = (message) => {
    const { t } = this.#context;
    const { file } = message;
    const name = file?.name ?? t("file.unknownType");
    const about = this.#about(message);
    const size = file?.size == null ? "" : this.#times.sizeText(file.size);
    return h("button", {
      type: "button", class: "person",
      "aria-label": `${t("file.download", { name })}, ${size}, ${about.text}`,
      onclick: () => download(this.#context, message),
    }, icon(message.type === "contact" ? "contact" : "file"), h("span", { class: "grow" }, h("bdi", null, name),
      h("span", { class: "hint" }, size && `${size} · `, about.nodes)), icon("download"));
  };
}
