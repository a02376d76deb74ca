import "../texts/more.js";
import { openDialog } from "../ui/dialog.js";
import { h, set } from "../ui/dom.js";
import { adopt, css } from "../ui/styles.js";

/** @typedef {import("../texts/texts.js").Key} Key */

const styles = css(`
.dialog.keys-help { width: min(560px, 100vw); }
.keys-help .body { display: grid; gap: 20px; }
.keys-help .body:focus-visible { outline-offset: -2px; }
.keys-help h3 { font-size: var(--roost-size-1); font-weight: 600; color: var(--roost-text-2); margin-bottom: 4px; }
.keys-help dl { margin: 0; }
.keys-help dl > div { display: flex; align-items: center; gap: 16px; padding: 6px 0; min-height: 40px;
  border-bottom: 1px solid var(--roost-line); }
.keys-help dl > div:last-child { border: 0; }
.keys-help dt { flex: 1; min-width: 0; }
.keys-help dd { margin: 0; display: flex; flex-wrap: wrap; justify-content: end; gap: 4px 10px; max-width: 55%; }
.keys-help dd > span { display: inline-flex; gap: 4px; direction: ltr; }
.keys-help kbd { display: inline-grid; place-items: center; min-width: 26px; min-height: 26px; padding: 0 7px;
  font: 500 13px/1 var(--roost-font); border: 1px solid var(--roost-line); border-bottom-width: 2px; border-radius: 6px;
  background: var(--roost-surface-2); white-space: nowrap; }
`);

/**
 * What the keys do: their meaning, then the combinations, of keys with a plus between. Names of keys are texts.
 *
 * @type {readonly [Key, readonly (readonly [Key, ...string[]])[]][]}
 */
const groups = [
  ["keys.everywhere", [
    ["keys.write", "A–Z"],
    ["list.search", "ctrl+K"],
    ["keys.conversations", "alt+↑", "alt+↓"],
    ["keys.help", "?", "ctrl+/"],
  ]],
  ["keys.inField", [
    ["composer.send", "enter"],
    ["keys.newLine", "shift+enter"],
    ["keys.mention", "@"],
    ["keys.emoji", ":"],
    ["keys.toMessages", "↑"],
    ["reply.cancel", "escape"],
  ]],
  ["keys.inMessages", [
    ["keys.move", "↑", "↓"],
    ["keys.ends", "home", "end"],
    ["message.actions", "enter", "menu"],
    ["message.reply", "R"],
    ["keys.toField", "escape"],
  ]],
  ["keys.inList", [
    ["keys.move", "↑", "↓"],
    ["keys.ends", "home", "end"],
    ["keys.open", "enter"],
    ["keys.menu", "menu"],
  ]],
  ["keys.inPictures", [
    ["keys.pictures", "←", "→"],
    ["keys.zoom", "+", "−", "0"],
    ["lightbox.close", "escape"],
  ]],
];

const named = /** @type {const} */ ({
  ctrl: "key.ctrl", alt: "key.alt", shift: "key.shift", enter: "key.enter", escape: "key.escape", home: "key.home",
  end: "key.end", menu: "key.menu",
});

/**
 * Opens the list of all keys.
 *
 * @param {Node & ParentNode} root the element that takes dialogs
 * @param {import("../texts/texts.js").Texts} t
 */
export function openKeysHelp(root, t) {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  /** @param {string} name */
  const label = (name) => {
    if (isMac && name === "ctrl") return "⌘";
    if (isMac && name === "alt") return "⌥";
    return Object.hasOwn(named, name) ? t(named[/** @type {keyof typeof named} */ (name)]) : name;
  };
  /** @param {string} keys */
  const combination = (keys) => h("span", null,
    (keys === "+" ? [keys] : keys.split("+")).map((key) => h("kbd", null, label(key))));
  adopt(root, styles);
  const { body } = openDialog(root, {
    title: t("keys.title"), closeLabel: t("close"), class: "tall keys-help",
    body: groups.map(([title, rows]) => h("section", { "aria-label": t(title) }, h("h3", null, t(title)),
      h("dl", null, rows.map(([meaning, ...keys]) => h("div", null, h("dt", null, t(meaning)),
        h("dd", null, keys.map(combination))))))),
  });
  // So that keys can scroll it.
  set(body, { tabindex: "0", role: "group", "aria-label": t("keys.title") });
  body.focus();
}
