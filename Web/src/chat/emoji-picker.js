import "../texts/more.js";
import { emojiGroups } from "../texts/emoji.js";
import { focused, h, on } from "../ui/dom.js";
import { keep, kept } from "../ui/kept.js";
import { openMenu } from "../ui/menu.js";
import { adopt } from "../ui/styles.js";
import { dialogStyles } from "./dialog-styles.js";

/** @typedef {import("./context.js").Context} Context */

const storeKey = "roost-recent-emoji";
const mostRecent = 24;

/** @returns {string[]} */
function recentEmoji() {
  try {
    const stored = JSON.parse(kept(storeKey) ?? "[]");
    const known = new Set(emojiGroups.flatMap(({ emoji }) => emoji));
    return Array.isArray(stored) ? stored.filter((emoji) => known.has(emoji)) : [];
  } catch {
    return [];
  }
}

/** @param {string} emoji */
function remember(emoji) {
  keep(storeKey, JSON.stringify([emoji, ...recentEmoji().filter((each) => each !== emoji)].slice(0, mostRecent)));
}

/**
 * Opens the emoji in groups. Arrow keys move over them; a choice closes it.
 *
 * @param {Context} context
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
 *   onpick: (emoji: string) => void}} options
 */
export function openEmojiPicker({ root, t }, { onpick, ...place }) {
  const recent = recentEmoji();
  /** @type {{key: import("../texts/texts.js").Key, icon: string, emoji: readonly string[]}[]} */
  const groups = [
    ...(recent.length ? [{ key: /** @type {const} */ ("emoji.recent"), icon: "🕘", emoji: recent }] : []),
    ...emojiGroups,
  ];
  /** @param {string} emoji */
  const choose = (emoji) => {
    remember(emoji);
    menu.close();
    onpick(emoji);
  };
  const sections = groups.map(({ key, emoji }) => h(
    "section", { "aria-label": t(key) }, h("h3", null, t(key)),
    h("div", { class: "emoji-grid" }, emoji.map((each) => h("button", {
      type: "button", class: "emoji", tabindex: "-1", onclick: () => choose(each),
    }, each))),
  ));
  const grid = h("div", { class: "emoji-groups" }, sections);
  const tabs = h("div", { class: "emoji-tabs" }, groups.map(({ key, icon }, index) => h("button", {
    type: "button", class: "emoji", tabindex: "-1", "aria-label": t(key), title: t(key),
    onclick: () => {
      grid.scrollTop = sections[index].offsetTop - grid.offsetTop;
      sections[index].querySelector("button")?.focus({ preventScroll: true });
    },
  }, icon)));
  adopt(root, dialogStyles);
  const menu = openMenu(root, {
    ...place, items: [], label: t("emoji.title"), class: "emoji-picker", before: [tabs, grid] });
  const buttons = [...grid.querySelectorAll("button")];
  on(menu.element, "keydown", (event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (focused()));
    if (at < 0 || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {string} */ (event.key)];
    const isRTL = getComputedStyle(grid).direction === "rtl";
    const next = step ? buttons[at + (isRTL ? -step : step)] :
      nearest(buttons, buttons[at], event.key === "ArrowDown" ? 1 : -1);
    next?.focus();
  }, undefined, { capture: true });
  buttons[0].tabIndex = 0;
  buttons[0].focus({ preventScroll: true });
}

/**
 * The button in the next row that is nearest to being straight above or below.
 *
 * @param {HTMLElement[]} buttons
 * @param {HTMLElement} from
 * @param {1 | -1} step
 */
function nearest(buttons, from, step) {
  let index = buttons.indexOf(from);
  while (buttons[index]?.offsetTop === from.offsetTop) index += step;
  const row = buttons.filter((button) => button.offsetTop === buttons[index]?.offsetTop);
  /** @param {HTMLElement} button */
  const distance = (button) => Math.abs(button.offsetLeft - from.offsetLeft);
  return row.sort((one, other) => distance(one) - distance(other))[0];
}
