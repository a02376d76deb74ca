import "../texts/more.js";
import { openDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { adopt } from "../ui/styles.js";
import { dialogStyles } from "./styles/dialog-styles.js";

/**
 * Shows a text so that a part of it can be selected: in the conversation, a long press opens the actions instead.
 *
 * @param {import("./context.js").Context} context
 * @param {string} text
 */
export function openSelectText(context, text) {
  const { root, t } = context;
  adopt(root, dialogStyles);
  const dialog = openDialog(root, {
    title: t("message.selectText"), closeLabel: t("close"),
    body: h("div", { class: "selectable", dir: "auto", tabindex: "0", role: "document" }, text),
    footer: h("button", { type: "button", class: "button", onclick: () => {
      dialog.close();
      context.copy(text);
    } }, t("message.copy")),
  });
}
