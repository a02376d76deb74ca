import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

/**
 * A button beside the field.
 *
 * @param {import("../context.js").Context} context
 * @param {import("../../texts/texts.js").Key} key
 * @param {import("../../ui/icons.js").IconName} sign
 * @param {() => void} action
 */
export function composerButton({ t }, key, sign, action) {
  const label = t(key);
  return h("button", {
    type: "button", class: "icon-button", "aria-label": label, title: label, onclick: action,
    // The field keeps the focus, and a phone its keyboard.
    onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
  }, icon(sign));
}
