import "../../texts/more.js";
import { focused, h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { keep, kept } from "../../ui/kept.js";
import { openMenu } from "../../ui/menu.js";
import { adopt } from "../../ui/styles.js";
import { dialogStyles } from "../styles/dialog-styles.js";
import { emojiStyles } from "../styles/emoji-styles.js";
import { ToneChoice } from "./tone-choice.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("./emoji-search.js").Emoji} Emoji */
/** @typedef {typeof import("./emoji-search.js")} Search */

const storeKey = "roost-recent-emoji";
const maxRecent = 24;
const maxFound = 200;

/** @returns {string[]} */
function recentEmoji() {
  try {
    const stored = JSON.parse(kept(storeKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((emoji) => typeof emoji === "string") : [];
  } catch {
    return [];
  }
}

/**
 * @param {Search} search
 * @param {import("./emoji-search.js").Collection} collection
 */
function recentOf({ plain }, { all }) {
  const byPlain = new Map(all.map((each) => [plain(each.emoji), each]));
  return recentEmoji().flatMap((emoji) => {
    const known = byPlain.get(plain(emoji));
    return known ? [{ ...known, emoji, hasTone: false }] : [];
  });
}

/** @param {string} emoji */
function remember(emoji) {
  keep(storeKey, JSON.stringify([emoji, ...recentEmoji().filter((each) => each !== emoji)].slice(0, maxRecent)));
}

/**
 * Opens the emoji in groups, with a search and the skin tones. Arrow keys move over them; a choice closes it.
 *
 * @param {Context} context
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
 *   onpick: (emoji: string) => void}} options
 */
export async function openEmojiPicker(context, { onpick, ...place }) {
  // All emoji: only for those who ask for them.
  const search = await import("./emoji-search.js");
  new EmojiPicker(context, search, await search.loadEmoji(context.t.language), onpick).open(place);
}

class EmojiPicker {
  /**
   * @param {Context} context
   * @param {Search} search
   * @param {import("./emoji-search.js").Collection} collection
   * @param {(emoji: string) => void} onpick
   */
  constructor(context, search, collection, onpick) {
    this.#context = context;
    this.#toned = search.toned;
    this.#collection = collection;
    this.#onpick = onpick;
    const { t } = context;
    const recent = recentOf(search, collection);
    this.#groups = [
      ...(recent.length ? [{ key: /** @type {const} */ ("emoji.recent"), icon: "🕘", emoji: recent }] : []),
      ...collection.groups,
    ];
    this.#search = h("input", { class: "input", type: "search", placeholder: t("emoji.search"), autocomplete: "off",
      "aria-label": t("emoji.search"), enterkeyhint: "search", hidden: !collection.hasNames });
    this.#tones = new ToneChoice(t, search, () => this.#draw());
    this.#tabs = h("div", { class: "emoji-tabs" }, this.#groups.map(({ key, icon: sign }, index) => h("button", {
      type: "button", class: "emoji", tabindex: index ? "-1" : "0", "aria-label": t(key), title: t(key),
      onclick: () => this.#goToGroup(index),
    }, sign)));
    on(this.#search, "input", () => this.#draw());
    on(this.#grid, "click", ({ target }) => {
      const emoji = target.closest("button")?.dataset.emoji;
      if (emoji) this.#choose(emoji);
    });
    this.#draw();
  }

  #context;
  #toned;
  #collection;
  #onpick;
  #groups;
  #search;
  #tones;
  #tabs;
  #grid = h("div", { class: "emoji-groups" });
  /** @type {ReturnType<typeof openMenu> | null} */
  #menu = null;

  /** @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null}} place */
  open(place) {
    const { root, t } = this.#context;
    adopt(root, dialogStyles);
    adopt(root, emojiStyles);
    this.#menu = openMenu(root, {
      ...place, items: [], label: t("emoji.title"), class: "emoji-picker",
      before: [
        h("div", { class: "emoji-top" }, h("label", { class: "search" }, icon("search"), this.#search),
          this.#tones.button),
        this.#tones.row, this.#tabs, this.#grid],
    });
    on(this.#menu.element, "keydown", (event) => {
      // The menu around moves between items, and closes by the Tab key.
      event.stopImmediatePropagation();
      if (this.#keyPressed(event)) event.preventDefault();
    }, undefined, { capture: true });
    // On a phone the keyboard would cover the emoji.
    if (this.#collection.hasNames && matchMedia("(hover: hover)").matches) this.#search.focus({ preventScroll: true });
    else this.#focusOn(this.#grid.querySelector("button"));
  }

  #draw() {
    const { t, live } = this.#context;
    const text = this.#search.value.trim();
    const { scrollTop } = this.#grid;
    if (text) {
      const found = this.#collection.find(text).slice(0, maxFound);
      refill(this.#grid, found.length ? this.#gridOf(found) : h("p", { class: "hint", dir: "auto" },
        t("noneFound", { text })));
      live.note(found.length ? t("announce.suggestions", { count: found.length }) : t("noneFound", { text }));
    } else {
      refill(this.#grid, this.#groups.map(({ key, emoji }) =>
        h("section", { "aria-label": t(key) }, h("h3", null, t(key)), this.#gridOf(emoji))));
    }
    this.#grid.scrollTop = text ? 0 : scrollTop;
    this.#grid.querySelector("button")?.setAttribute("tabindex", "0");
  }

  /** @param {Emoji[]} emoji */
  #gridOf(emoji) {
    return h("div", { class: "emoji-grid" }, emoji.map((each) => {
      const text = this.#toned(each, this.#tones.tone);
      return h("button", {
        type: "button", class: "emoji", tabindex: "-1", "aria-label": each.name, title: each.name, "data-emoji": text,
      }, text);
    }));
  }

  #clearSearch() {
    this.#search.value = "";
    this.#draw();
  }

  /** @param {number} index */
  #goToGroup(index) {
    if (this.#search.value) this.#clearSearch();
    const shown = /** @type {HTMLElement} */ (this.#grid.children[index]);
    this.#grid.scrollTop = shown.offsetTop;
    this.#focusOn(shown.querySelector("button"));
  }

  /** @param {string} emoji */
  #choose(emoji) {
    remember(emoji);
    this.#menu?.close();
    this.#onpick(emoji);
  }

  /** @param {HTMLElement | null | undefined} to the one that the Tab key comes to from now on */
  #focusOn(to) {
    if (!to) return;
    const row = to.closest(".emoji-groups, .emoji-tabs, .emoji-tones");
    for (const other of row?.querySelectorAll("[tabindex='0']") ?? []) {
      /** @type {HTMLElement} */ (other).tabIndex = -1;
    }
    to.tabIndex = 0;
    to.focus({ preventScroll: !this.#grid.contains(to) });
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was for the picker
   */
  #keyPressed({ key, ctrlKey, metaKey, altKey, isComposing }) {
    const now = /** @type {HTMLElement} */ (focused());
    if (isComposing || ctrlKey || metaKey || altKey) return false;
    if (now === this.#search) return this.#searchKeyPressed(key);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const side = step && (getComputedStyle(this.#grid).direction === "rtl" ? -step : step);
    return this.#grid.contains(now) ? this.#gridKeyPressed(key, side, now) : this.#rowKeyPressed(key, side, now);
  }

  /** @param {string} key */
  #searchKeyPressed(key) {
    const first = this.#grid.querySelector("button");
    if (key === "ArrowDown") this.#focusOn(first);
    else if (key === "Enter" && this.#search.value.trim()) first?.click();
    else if (key === "Escape" && this.#search.value) this.#clearSearch();
    // In WebKit a search field takes the key for itself, even if it is empty.
    else if (key === "Escape") this.#menu?.close();
    else return false;
    return true;
  }

  /**
   * @param {string} key
   * @param {number | undefined} side
   * @param {HTMLElement} now what has the focus, above the emoji
   */
  #rowKeyPressed(key, side, now) {
    const row = now.closest(".emoji-tabs, .emoji-tones");
    const buttons = [.../** @type {NodeListOf<HTMLElement>} */ (row?.querySelectorAll("button") ?? [])];
    if (key === "Escape" && !this.#tones.row.hidden) this.#tones.show(false);
    else if (side && row) this.#focusOn(buttons.at((buttons.indexOf(now) + side) % buttons.length));
    else if (key === "ArrowDown") this.#focusOn(this.#grid.querySelector("button"));
    else return false;
    return true;
  }

  /**
   * @param {string} key
   * @param {number | undefined} side
   * @param {HTMLElement} now
   */
  #gridKeyPressed(key, side, now) {
    const { hasNames } = this.#collection;
    const buttons = [...this.#grid.querySelectorAll("button")];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (now));
    if (side) this.#focusOn(buttons[at + side]);
    else if (key === "ArrowDown" || key === "ArrowUp") {
      const next = nearest(buttons, buttons[at], key === "ArrowDown" ? 1 : -1);
      if (!next && key === "ArrowUp" && hasNames) this.#search.focus();
      this.#focusOn(next);
    } else if (key === "Home") this.#focusOn(buttons[0]);
    else if (key === "End") this.#focusOn(buttons.at(-1));
    else if (key.length === 1 && key !== " " && hasNames) {
      // The letter goes into the field that has the focus now.
      this.#search.focus();
      return false;
    } else return false;
    return true;
  }
}

/**
 * The button in the next row that is nearest to being straight above or below.
 *
 * @param {HTMLElement[]} buttons
 * @param {HTMLElement} from
 * @param {1 | -1} step
 */
function nearest(buttons, from, step) {
  const { left, top } = from.getBoundingClientRect();
  /** @type {HTMLElement | undefined} */
  let best;
  let [rowTop, distance] = [NaN, Infinity];
  for (let index = buttons.indexOf(from) + step; buttons[index]; index += step) {
    const box = buttons[index].getBoundingClientRect();
    if (box.top === top) continue;
    if (Number.isNaN(rowTop)) rowTop = box.top;
    if (box.top !== rowTop) break;
    if (Math.abs(box.left - left) < distance) [best, distance] = [buttons[index], Math.abs(box.left - left)];
  }
  return best;
}
