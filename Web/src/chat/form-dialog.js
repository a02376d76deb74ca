import { errorText } from "../texts/texts.js";
import { openDialog } from "../ui/dialog.js";
import { h, setText } from "../ui/dom.js";
import { adopt } from "../ui/styles.js";
import { dialogStyles } from "./styles/dialog-styles.js";

/**
 * A form in a dialog with Cancel and one action; it closes when `submit` has succeeded, and shows an error otherwise.
 *
 * @param {Pick<import("./context.js").Context, "root" | "t" | "fail">} context
 * @param {{title: string, action: string, fields: any, submit: () => Promise<void>}} options `submit` may throw a
 *   string, which is shown as it is
 * @returns {import("../ui/dialog.js").Dialog} `closed` resolves with true after success
 */
export function openForm({ root, t, fail }, { title, action, fields, submit }) {
  const problem = h("p", { class: "error-text", role: "alert" });
  const button = h("button", { type: "submit", class: "button primary", form: "roost-form" }, action);
  const form = h("form", {
    id: "roost-form", class: "form", novalidate: true,
    onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      button.disabled = true;
      try {
        await submit();
        dialog.close(true);
      } catch (error) {
        if (!dialog.element.isConnected) return fail(error);
        setText(problem, typeof error === "string" ? error : errorText(error, t));
        button.disabled = false;
        problem.scrollIntoView({ block: "nearest" });
      }
    },
  }, fields, problem);
  adopt(root, dialogStyles);
  const dialog = openDialog(root, {
    title, closeLabel: t("close"), body: form,
    footer: [h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("cancel")), button],
  });
  return dialog;
}
