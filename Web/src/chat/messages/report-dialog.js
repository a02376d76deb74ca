import "../../texts/more.js";
import { h } from "../../ui/dom.js";
import { openForm } from "../form-dialog.js";

/**
 * @typedef {Pick<import("../context.js").Context,
 *   "client" | "conversation" | "t" | "root" | "fail" | "toasts">} Context
 * @typedef {import("../../texts/texts.js").Key} Key
 */

/** The longest text of a report, in UTF-16 units. */
const textLength = 1000;

/**
 * The reasons, each with its category in the protocol.
 *
 * @type {[string, Key][]}
 */
const reasons = [
  ["spam", "report.spam"],
  ["harassment", "report.harassment"],
  ["violence", "report.violence"],
  ["sexual", "report.sexual"],
  ["other", "report.other"],
];

/**
 * Asks why a message is reported, and reports it to the operators.
 *
 * @param {Context} context
 * @param {string} messageID
 */
export function openReport(context, messageID) {
  const { t, conversation } = context;
  open(context, { title: t("report.title"), about: t("report.about"), body: { channel: conversation.id, messageID } });
}

/**
 * Asks why a person is reported, and reports the person to the operators.
 *
 * @param {Context} context
 * @param {{userID: string, name: string}} user
 * @param {() => void} onsent
 */
export function openUserReport(context, { userID, name }, onsent) {
  const { t } = context;
  open(context, { title: t("report.titleUser", { name }), about: t("report.aboutUser"), body: { userID }, onsent });
}

/**
 * @param {Context} context
 * @param {{title: string, about: string, body: object, onsent?: () => void}} options `body` says what is reported
 */
function open(context, { title, about, body, onsent }) {
  const { t, client, toasts } = context;
  const choices = h(
    "div", { class: "choices", role: "radiogroup", "aria-label": t("report.reason") },
    reasons.map(([category, key], index) => h("label", { class: "check" },
      h("input", { type: "radio", name: "category", value: category, autofocus: index === 0 }), t(key))),
  );
  const field = h("textarea", { class: "input", rows: "3", maxlength: `${textLength}`, dir: "auto" });
  const dialog = openForm(context, {
    title,
    action: t("report.submit"),
    fields: [
      h("p", { class: "quiet-text" }, about),
      choices,
      h("label", { class: "field" }, h("span", null, `${t("report.note")} (${t("optional")})`), field),
    ],
    submit: async () => {
      const category = /** @type {HTMLInputElement | null} */ (choices.querySelector(":checked"))?.value;
      if (!category) throw t("report.noReason");
      const text = field.value.trim();
      try {
        await client.perform("report.create", { ...body, category, ...(text && { text }) });
      } catch (error) {
        throw /** @type {Error} */ (error).name === "limitReached" ? t("report.tooMany") : error;
      }
      toasts.show(t("report.done"));
    },
  });
  dialog.closed.then((isSent) => isSent && onsent?.());
}
