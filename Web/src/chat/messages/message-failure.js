import { errorText } from "../../texts/errors.js";
import { h } from "../../ui/dom.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */

/**
 * Why a message was not sent, and what one can do now.
 *
 * @param {Context} context
 * @param {HTMLElement} row
 * @param {MessageItem} item
 */
export function showFailure(context, row, { message, state, error, key }) {
  const { t, conversation } = context;
  const column = row.querySelector(".column");
  column?.querySelector(".failure-row")?.remove();
  if (state !== "failed" || !column) return;
  const transID = message.transID ?? key;
  /** @param {import("../../texts/texts.js").Key} label @param {() => void} action */
  const button = (label, action) => h("button", { type: "button", class: "text-button", onclick: action }, t(label));
  column.append(h(
    "div", { class: "failure-row" },
    h("span", { class: "error-text" },
      error ? t("state.failedWhy", { reason: errorText(error, t) }) : t("state.failed")),
    h("span", { class: "failure-actions" },
      button("message.retry", () => conversation.retry(transID)),
      message.text && button("message.copy", () => context.copy(message.text)),
      button("message.discard", () => conversation.discard(transID))),
  ));
}
