import "./more-icons.js";
import { focusFirst, focused, h, on } from "./dom.js";
import { icon } from "./icons.js";
import { overlayStyles } from "./overlay-styles.js";
import { adopt } from "./styles.js";

let count = 0;

/**
 * @typedef {{element: HTMLDialogElement, body: HTMLElement, footer: HTMLElement, closed: Promise<any>,
 *   close: (value?: any) => void}} Dialog `closed` resolves with the value of `close`; undefined after Escape
 */

/**
 * Opens a modal dialog. Escape, the close button and a press beside it close it, and the focus returns to where it was.
 *
 * @param {Node & ParentNode} root the shadow root, or an element in it, that takes the dialog
 * @param {{title: string, closeLabel: string, body?: any, footer?: any, class?: string, returnTo?: HTMLElement | null,
 *   dir?: string}} options
 *   `body` and `footer` are children as for `h`; an element with `autofocus` in them gets the focus
 * @returns {Dialog}
 */
export function openDialog(root, options) {
  const before = options.returnTo ?? focused();
  const id = `roost-dialog-${(count += 1)}`;
  const body = h("div", { class: "body" }, options.body);
  const footer = h("footer", null, options.footer);
  footer.hidden = !footer.firstChild;
  const element = h(
    "dialog",
    { class: `dialog ${options.class ?? ""}`, part: "dialog", "aria-labelledby": id },
    h(
      "header", null, h("h2", { id }, options.title),
      h("button", { type: "button", class: "icon-button", "aria-label": options.closeLabel, onclick: () => close() },
        icon("close")),
    ),
    body,
    footer,
  );
  /** @type {(value: any) => void} */
  let settle;
  const closed = new Promise((resolve) => (settle = resolve));
  /** @param {any} [value] */
  const close = (value) => {
    if (!element.isConnected) return;
    element.close();
    element.remove();
    focusFirst(before);
    settle(value);
  };
  closeByUser(element, close);
  adopt(root, overlayStyles);
  root.append(element);
  element.showModal();
  element.dispatchEvent(new Event("opened", { bubbles: true }));
  const first = /** @type {HTMLElement | null} */ (element.querySelector("[autofocus]"));
  (first ?? element).focus();
  return { element, body, footer, closed, close };
}

/**
 * Asks a question with two answers. The focus is on the one that can be undone.
 *
 * @param {Node & ParentNode} root as for `openDialog`
 * @param {{title: string, text?: string, action: string, cancel: string, closeLabel: string, isDanger?: boolean,
 *   returnTo?: HTMLElement | null}} question
 * @returns {Promise<boolean>} false for Cancel, Escape and Close
 */
export async function ask(root, question) {
  const dialog = openDialog(root, {
    ...question,
    body: question.text ? h("p", { class: "quiet-text" }, question.text) : null,
    footer: [
      h("button", { type: "button", class: "button", autofocus: question.isDanger, onclick: () => dialog.close(false) },
        question.cancel),
      h("button", {
        type: "button", class: question.isDanger ? "button danger" : "button primary",
        autofocus: !question.isDanger,
        onclick: () => dialog.close(true),
      }, question.action),
    ],
  });
  dialog.body.hidden = !question.text;
  return (await dialog.closed) === true;
}

/**
 * Closes a modal dialog by Escape, and when the pointer is pressed and released on its backdrop.
 *
 * @param {HTMLDialogElement} element
 * @param {() => void} close
 */
export function closeByUser(element, close) {
  // At once: the event `close` comes late, and would take the focus from what the user does next.
  on(element, "cancel", (event) => {
    if (event.target !== element) return;
    event.preventDefault();
    close();
  });
  on(element, "close", (event) => event.target === element && close());
  // In WebKit a search field takes the key for itself, even if it is empty.
  on(element, "keydown", (event) => {
    if (event.key !== "Escape" || event.target.type !== "search" || event.target.value) return;
    event.preventDefault();
    close();
  });
  let isPressed = false;
  /** @param {PointerEvent} event */
  const isBeside = (event) => {
    if (event.target !== element) return false;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
  };
  on(element, "pointerdown", (event) => (isPressed = isBeside(event)));
  on(element, "click", (event) => {
    if (isPressed && isBeside(event)) close();
  });
}
