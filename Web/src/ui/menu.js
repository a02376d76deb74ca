import { closeByUser } from "./dialog.js";
import { focusFirst, focused, h, on } from "./dom.js";
import { icon } from "./icons.js";
import { overlayStyles } from "./overlay-styles.js";
import { adopt } from "./styles.js";

/**
 * @typedef {{label: string, icon?: import("./icons.js").IconName, isDanger?: boolean, isDisabled?: boolean,
 *   isChecked?: boolean, action?: () => void} | "line"} MenuItem without `action` it only closes the menu
 */

/** Whether menus open as a sheet at the bottom edge. */
export const usesSheets = () => matchMedia("(max-width: 640px), (max-height: 480px)").matches;

/**
 * Opens a menu at an element or point; on a small screen, and with `isSheet`, as a sheet at the bottom edge. Arrow
 * keys, Home, End and first letters move in it; Escape, Tab and a press beside it close it; then the focus returns.
 *
 * @param {Node & ParentNode} root the shadow root, or an element in it, that takes the menu
 * @param {{items: MenuItem[], label: string, anchor?: Element | null, point?: {x: number, y: number},
 *   isSheet?: boolean, before?: any, class?: string, returnTo?: HTMLElement | null,
 *   onclose?: () => void}} options `label` names it
 *   for screen readers; `before` are children above the items; buttons in them are a row for the arrow keys
 * @returns {{element: HTMLDialogElement, close: () => void}}
 */
export function openMenu(root, options) {
  const before = options.returnTo ?? focused();
  const isSheet = options.isSheet || usesSheets();
  /** @param {(() => void)} [action] */
  const choose = (action) => {
    close();
    action?.();
  };
  const items = options.items.map((item) => itemView(item, choose));
  const element = h(
    "dialog",
    { class: `menu ${isSheet ? "sheet" : ""} ${options.class ?? ""}`, part: "menu", "aria-label": options.label },
    options.before, h("div", { role: "menu", "aria-label": options.label }, items),
  );
  const close = () => {
    if (!element.isConnected) return;
    element.close();
    element.remove();
    focusFirst(before);
    options.onclose?.();
  };
  closeByUser(element, close);
  on(element, "contextmenu", (event) => event.preventDefault());
  on(element, "keydown", (event) => {
    if (event.key === "Tab") {
      event.preventDefault();
      close();
    } else if (moveFocusAround(element, items, event)) {
      event.preventDefault();
    }
  });
  adopt(root, overlayStyles);
  root.append(element);
  element.showModal();
  if (!isSheet) place(element, options);
  items.find((item) => item.matches("button"))?.focus();
  return { element, close };
}

/**
 * @param {MenuItem} item
 * @param {(action?: () => void) => void} choose
 */
function itemView(item, choose) {
  if (item === "line") return h("hr", { role: "separator" });
  return h(
    "button",
    {
      type: "button", class: `item ${item.isDanger ? "danger" : ""}`, tabindex: "-1",
      role: item.isChecked == null ? "menuitem" : "menuitemradio",
      "aria-checked": item.isChecked == null ? null : `${item.isChecked}`,
      "aria-disabled": item.isDisabled ? "true" : null,
      onclick: () => item.isDisabled || choose(item.action),
    },
    item.icon && icon(item.icon),
    h("span", { class: "grow" }, item.label),
    item.isChecked && icon("check"),
  );
}

/**
 * Moves the focus in a menu. The buttons above the items are one row: left and right move in it, up and down leave it.
 *
 * @param {HTMLElement} menu
 * @param {HTMLElement[]} items
 * @param {KeyboardEvent} event
 */
function moveFocusAround(menu, items, event) {
  const buttons = items.filter((item) => item.matches("button"));
  const above = [...menu.querySelectorAll("button")].filter((button) => !buttons.includes(button));
  const now = /** @type {HTMLButtonElement} */ (focused());
  const at = above.indexOf(now);
  if (at < 0) {
    if (event.key !== "ArrowUp" || now !== buttons[0] || !above.length) return moveFocus(buttons, event);
    above[0].focus();
    return true;
  }
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) {
    const isRTL = getComputedStyle(menu).direction === "rtl";
    above.at((at + (isRTL ? -step : step)) % above.length)?.focus();
    return true;
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return false;
  buttons.at(event.key === "ArrowDown" ? 0 : -1)?.focus();
  return true;
}

/**
 * Moves the focus within a list of elements by a key: arrows, Home, End, or the first letter of a label.
 *
 * @param {HTMLElement[]} elements
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was for the list
 */
export function moveFocus(elements, event) {
  const now = elements.indexOf(/** @type {HTMLElement} */ (focused()));
  const last = elements.length - 1;
  let next = { ArrowDown: now < last ? now + 1 : 0, ArrowUp: now > 0 ? now - 1 : last, Home: 0, End: last }[event.key];
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (next == null && event.key.length === 1 && event.key !== " " && !hasModifier) {
    const letter = event.key.toLocaleLowerCase();
    const order = [...elements.slice(now + 1), ...elements.slice(0, now + 1)];
    const found = order.find((element) => element.textContent?.trim().toLocaleLowerCase().startsWith(letter));
    next = found && elements.indexOf(found);
  }
  if (next == null) return false;
  elements[next]?.focus();
  return true;
}

/**
 * @param {HTMLElement} element
 * @param {{anchor?: Element | null, point?: {x: number, y: number}}} options
 */
function place(element, { anchor, point }) {
  const { width, height } = element.getBoundingClientRect();
  const rect = anchor?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight / 2);
  const box = point ? new DOMRect(point.x, point.y) : rect;
  const isRTL = getComputedStyle(element).direction === "rtl";
  const isRight = box.left + box.width / 2 > innerWidth / 2;
  const x = point ? (isRTL ? box.left - width : box.left) : isRight ? box.right - width : box.left;
  const below = box.bottom + 4;
  const y = below + height > innerHeight - 8 && box.top - 4 - height > 8 ? box.top - 4 - height : below;
  element.style.setProperty("left", `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`);
  element.style.setProperty("top", `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`);
}
