import { focused, on, single } from "../ui/dom.js";

export { watchScreenKeyboard } from "./screen-keyboard.js";

/**
 * @typedef {{target: EventTarget, root: HTMLElement, signal: AbortSignal, fail: (error: unknown) => void,
 *   list: () => import("./channels/list-view.js").ChannelListView | null,
 *   view: () => import("./conversation-view.js").ConversationView | null,
 *   t: () => import("../texts/texts.js").Texts, showList: () => void}} Keys `target` is where keys are heard, `root`
 *   takes the help; `showList` brings the list to the screen
 */

const fields = "input, textarea, select, [contenteditable]";

/** @param {HTMLElement | null} element */
const isField = (element) =>
  Boolean(element?.matches(fields) && !element.matches("[type=checkbox], [type=radio], [type=range]"));

/**
 * Whether a modal dialog is open, in this part of the page or beside it.
 *
 * @param {Node} root
 */
function isModal(root) {
  const hosts = [...document.body.children].flatMap((element) => element.shadowRoot ?? []);
  const roots = /** @type {ParentNode[]} */ ([document, root.getRootNode(), ...hosts]);
  return roots.some((each) => each.querySelector("dialog[open]"));
}

/**
 * Whether a key without Ctrl or Alt is for the chat: nothing else in the page has the focus.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement | null} place where the focus is
 */
function isOurs(root, place) {
  const { host } = /** @type {ShadowRoot} */ (root.getRootNode());
  return !place || place === document.body || place === document.documentElement || root.contains(place) ||
    Boolean(host?.contains(place));
}

/**
 * The keys that work wherever the focus is: to other conversations, to the search, to the help, and letters, which go
 * into the field of the conversation. `keys-help.js` lists them for the user.
 *
 * @param {Keys} keys
 */
export function watchKeys({ target, root, signal, list, view, t, fail, showList }) {
  const help = single(async () => (await import("./keys-help.js")).openKeysHelp(root, t()), fail);
  on(target, "keydown", (event) => {
    const { key, altKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const place = focused();
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
    if (altKey && !isControl && /^Arrow(Up|Down)$/.test(key)) {
      if (!list() || isModal(root)) return;
      event.preventDefault();
      list()?.selectNext(key === "ArrowUp" ? -1 : 1);
    } else if (isControl && !altKey && key.toLowerCase() === "k") {
      if (!list() || isModal(root)) return;
      event.preventDefault();
      showList();
      list()?.focusSearch();
    } else if (isControl ? key === "/" && !altKey : key === "?" && !altKey && !isField(place)) {
      // A page around the element may have keys of its own.
      if (!isControl && !isOurs(root, place)) return;
      if (isModal(root) || (isField(place) && !root.contains(place))) return;
      event.preventDefault();
      help();
    } else if (key.length === 1 && key !== " " && !isControl && !altKey && !isField(place) && isOurs(root, place)) {
      const field = view()?.composer.field;
      if (!field?.offsetParent || isModal(root)) return;
      // What is typed goes where the focus is now.
      field.focus({ preventScroll: true });
    }
  }, signal);
}
