import "../../texts/more.js";
import { focused, h, on, refill, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { keep, kept } from "../../ui/kept.js";
import { openMenu } from "../../ui/menu.js";
import { adopt } from "../../ui/styles.js";
import { dialogStyles } from "../styles/dialog-styles.js";
import { emojiStyles } from "../styles/emoji-styles.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("./emoji-search.js").Emoji} Emoji */

const storeKey = "roost-recent-emoji";
const maxRecent = 24;
const maxFound = 200;
const toneNames = /** @type {const} */ ([
  "emoji.toneNone", "emoji.toneLight", "emoji.toneMediumLight", "emoji.toneMedium", "emoji.toneMediumDark",
  "emoji.toneDark"]);

/** @returns {string[]} */
function recentEmoji() {
  try {
    const stored = JSON.parse(kept(storeKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((emoji) => typeof emoji === "string") : [];
  } catch {
    return [];
  }
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
export async function openEmojiPicker({ root, t, live }, { onpick, ...place }) {
  const { loadEmoji, plain, toned, tones, keptTone, keepTone } = await import("./emoji-search.js");
  const collection = await loadEmoji(t.language);
  const byPlain = new Map(collection.all.map((each) => [plain(each.emoji), each]));
  const recent = recentEmoji().flatMap((emoji) => {
    const known = byPlain.get(plain(emoji));
    return known ? [{ ...known, emoji, hasTone: false }] : [];
  });
  const groups = [
    ...(recent.length ? [{ key: /** @type {const} */ ("emoji.recent"), icon: "🕘", emoji: recent }] : []),
    ...collection.groups,
  ];
  let tone = keptTone();

  /** @param {Emoji} each */
  const button = (each) => {
    const emoji = toned(each, tone);
    return h("button", {
      type: "button", class: "emoji", tabindex: "-1", "aria-label": each.name, title: each.name, "data-emoji": emoji,
    }, emoji);
  };
  /** @param {import("../../texts/texts.js").Key} key @param {Emoji[]} emoji */
  const section = (key, emoji) => h("section", { "aria-label": t(key) }, h("h3", null, t(key)),
    h("div", { class: "emoji-grid" }, emoji.map(button)));

  const search = h("input", { class: "input", type: "search", placeholder: t("emoji.search"), autocomplete: "off",
    "aria-label": t("emoji.search"), enterkeyhint: "search", hidden: !collection.hasNames });
  const toneButton = h("button", { type: "button", class: "emoji", "aria-expanded": "false",
    "aria-label": t("emoji.tone"), title: t("emoji.tone") });
  const toneRow = h("div", { class: "emoji-tones", role: "radiogroup", "aria-label": t("emoji.tone"), hidden: true });
  const grid = h("div", { class: "emoji-groups" });
  const tabs = h("div", { class: "emoji-tabs" }, groups.map(({ key, icon: sign }, index) => h("button", {
    type: "button", class: "emoji", tabindex: index ? "-1" : "0", "aria-label": t(key), title: t(key),
    onclick: () => {
      if (search.value) {
        search.value = "";
        draw();
      }
      const shown = /** @type {HTMLElement} */ (grid.children[index]);
      grid.scrollTop = shown.offsetTop;
      focusOn(shown.querySelector("button"));
    },
  }, sign)));

  const drawTones = () => {
    setText(toneButton, `✋${tone}`);
    refill(toneRow, tones.map((each, index) => h("button", {
      type: "button", class: "emoji", role: "radio", "aria-checked": `${each === tone}`,
      tabindex: each === tone ? "0" : "-1", "aria-label": t(toneNames[index]), title: t(toneNames[index]),
      onclick: () => {
        tone = each;
        keepTone(tone);
        drawTones();
        showTones(false);
        draw();
      },
    }, `✋${each}`)));
  };
  /** @param {boolean} isShown */
  const showTones = (isShown) => {
    toneRow.hidden = !isShown;
    toneButton.setAttribute("aria-expanded", `${isShown}`);
    (isShown ? /** @type {HTMLElement} */ (toneRow.querySelector("[aria-checked='true']")) : toneButton).focus();
  };
  on(toneButton, "click", () => showTones(toneRow.hidden));

  const draw = () => {
    const text = search.value.trim();
    const { scrollTop } = grid;
    if (text) {
      const found = collection.find(text).slice(0, maxFound);
      refill(grid, found.length ? h("div", { class: "emoji-grid" }, found.map(button)) :
        h("p", { class: "hint", dir: "auto" }, t("noneFound", { text })));
      live.note(found.length ? t("announce.suggestions", { count: found.length }) : t("noneFound", { text }));
    } else {
      refill(grid, groups.map(({ key, emoji }) => section(key, emoji)));
    }
    grid.scrollTop = text ? 0 : scrollTop;
    grid.querySelector("button")?.setAttribute("tabindex", "0");
  };
  on(search, "input", draw);
  on(grid, "click", ({ target }) => {
    const emoji = target.closest("button")?.dataset.emoji;
    if (emoji) choose(emoji);
  });
  /** @param {string} emoji */
  const choose = (emoji) => {
    remember(emoji);
    menu.close();
    onpick(emoji);
  };
  /** @param {HTMLElement | null | undefined} to the one that the Tab key comes to from now on */
  const focusOn = (to) => {
    if (!to) return;
    const row = to.closest(".emoji-groups, .emoji-tabs, .emoji-tones");
    for (const other of row?.querySelectorAll("[tabindex='0']") ?? []) {
      /** @type {HTMLElement} */ (other).tabIndex = -1;
    }
    to.tabIndex = 0;
    to.focus({ preventScroll: !grid.contains(to) });
  };

  draw();
  drawTones();
  adopt(root, dialogStyles);
  adopt(root, emojiStyles);
  const menu = openMenu(root, {
    ...place, items: [], label: t("emoji.title"), class: "emoji-picker",
    before: [h("div", { class: "emoji-top" }, h("label", { class: "search" }, icon("search"), search), toneButton),
      toneRow, tabs, grid],
  });
  on(menu.element, "keydown", (event) => {
    // The menu around moves between items, and closes by the Tab key.
    event.stopImmediatePropagation();
    if (keyPressed(event)) event.preventDefault();
  }, undefined, { capture: true });

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was for the picker
   */
  const keyPressed = ({ key, ctrlKey, metaKey, altKey, isComposing }) => {
    const now = /** @type {HTMLElement} */ (focused());
    const first = grid.querySelector("button");
    if (isComposing || ctrlKey || metaKey || altKey) return false;
    if (now === search) {
      if (key === "ArrowDown") focusOn(first);
      else if (key === "Enter" && search.value.trim()) first?.click();
      else if (key === "Escape" && search.value) {
        search.value = "";
        draw();
      } else if (key === "Escape") {
        // In WebKit a search field takes the key for itself, even if it is empty.
        menu.close();
      } else return false;
      return true;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const side = step && (getComputedStyle(grid).direction === "rtl" ? -step : step);
    if (!grid.contains(now)) {
      const row = now.closest(".emoji-tabs, .emoji-tones");
      const buttons = [.../** @type {NodeListOf<HTMLElement>} */ (row?.querySelectorAll("button") ?? [])];
      if (key === "Escape" && !toneRow.hidden) showTones(false);
      else if (side && row) focusOn(buttons.at((buttons.indexOf(now) + side) % buttons.length));
      else if (key === "ArrowDown") focusOn(first);
      else return false;
      return true;
    }
    const buttons = [...grid.querySelectorAll("button")];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (now));
    if (side) focusOn(buttons[at + side]);
    else if (key === "ArrowDown" || key === "ArrowUp") {
      const next = nearest(buttons, buttons[at], key === "ArrowDown" ? 1 : -1);
      if (!next && key === "ArrowUp" && collection.hasNames) search.focus();
      focusOn(next);
    } else if (key === "Home") focusOn(first);
    else if (key === "End") focusOn(buttons.at(-1));
    else if (key.length === 1 && key !== " " && collection.hasNames) {
      // The letter goes into the field that has the focus now.
      search.focus();
      return false;
    } else return false;
    return true;
  };

  // On a phone the keyboard would cover the emoji.
  if (collection.hasNames && matchMedia("(hover: hover)").matches) search.focus({ preventScroll: true });
  else focusOn(grid.querySelector("button"));
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
