import "../../texts/more.js";
import { ask, openDialog } from "../../ui/dialog.js";
import { h, on } from "../../ui/dom.js";
import { adoptListStyles } from "../styles/list-styles.js";
import { personParts } from "./people-picker.js";
import { needsSuccessor } from "./roles.js";

/**
 * Asks whether to leave a group, and who becomes admin if the user is the last one; then leaves.
 *
 * @param {Node & ParentNode} root
 * @param {{client: import("../../roost.js").Client, conversation: import("../../roost.js").Conversation,
 *   t: import("../../texts/texts.js").Texts}} options
 * @returns {Promise<boolean>} whether the user has left; rejects with a `RoostError`
 */
export async function openLeave(root, { client, conversation, t }) {
  adoptListStyles(root);
  const { channel } = conversation;
  if (!channel) return false;
  const title = t("group.leaveConfirm", { title: channel.name });
  /** @type {import("../../client/types.js").Member[]} */
  const members = channel.role === "admin"
    ? (await client.read("member.list", { channel: channel.channel, limit: 500 })).members : [];
  const admins = members.filter(({ role }) => role === "admin").length;
  if (!needsSuccessor(channel.role, admins, members.length)) {
    const question = { title, action: t("group.leave"), cancel: t("cancel"), closeLabel: t("close"), isDanger: true };
    if (!(await ask(root, question))) return false;
    await conversation.leave();
    return true;
  }
  const others = members.filter(({ userID }) => userID !== client.user.userID);
  const button = h("button", { type: "submit", class: "button danger", form: "leave-form" }, t("group.leave"));
  button.disabled = true;
  const form = h(
    "form", { id: "leave-form" },
    h("div", { class: "people", role: "radiogroup", "aria-label": t("group.successor") },
      others.map((member, index) => h(
        "label", { class: "person check" },
        h("input", { type: "radio", name: "successor", value: member.userID, autofocus: index === 0 }),
        personParts(client, member),
      ))),
  );
  const dialog = openDialog(root, {
    title, closeLabel: t("close"),
    body: [h("p", { class: "quiet-text" }, t("group.successorHint")), h("h3", null, t("group.successor")), form],
    footer: [
      h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("cancel")),
      button,
    ],
  });
  on(form, "change", () => (button.disabled = false));
  on(form, "submit", (event) => {
    event.preventDefault();
    dialog.close(new FormData(form).get("successor"));
  });
  const successor = await dialog.closed;
  if (!successor) return false;
  await conversation.leave(successor);
  return true;
}
