import "../texts/more.js";
import { avatar } from "../ui/avatar.js";
import { ask, openDialog } from "../ui/dialog.js";
import { focused, h, on, refill } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { adopt } from "../ui/styles.js";
import { dialogStyles } from "./dialog-styles.js";
import { openUserReport } from "./report-dialog.js";

/**
 * @typedef {{userID: string, name: string, imageURL?: string}} Person
 * @typedef {Pick<import("./context.js").Context, "client" | "conversation" | "t" | "root" | "fail" | "start" |
 *   "toasts"> & {signal?: AbortSignal}} Context
 */

/**
 * Shows a person: picture, name and id, and what one can do.
 *
 * @param {Context} context
 * @param {Person} person as far as it is known already
 * @param {() => void} [onleave] before another conversation opens
 */
export function openProfile(context, person, onleave) {
  const { client, t, root, fail, start, conversation } = context;
  const { userID } = person;
  const isSelf = userID === client.user.userID;
  const isHere = conversation.channel?.kind === "single" &&
    conversation.channel.members.some((member) => member.userID === userID);
  const top = h("div", { class: "profile" });
  const actions = h("div", { class: "profile-actions" });
  adopt(root, dialogStyles);
  const dialog = openDialog(root, { title: t("settings.profile"), closeLabel: t("close"), body: [top, actions] });

  /**
   * @param {string} label
   * @param {import("../ui/icons.js").IconName} sign
   * @param {() => unknown} run
   * @param {boolean} [isDanger]
   */
  const action = (label, sign, run, isDanger) => h(
    "button", { type: "button", class: isDanger ? "item danger" : "item", onclick: () => run() },
    icon(sign), h("span", { class: "grow" }, label));

  /** @param {boolean} blocks */
  const block = async (blocks) => {
    const { name } = person;
    try {
      if (blocks && !(await ask(root, { title: t("user.blockConfirm", { name }), action: t("user.block", { name }),
        cancel: t("cancel"), closeLabel: t("close"), isDanger: true }))) return;
      await client.perform(blocks ? "user.block" : "user.unblock", { userID });
    } catch (error) {
      fail(error);
    }
  };

  const draw = () => {
    if (!dialog.element.isConnected) return;
    const { name } = person;
    refill(top, avatar({ id: userID, name, imageURL: person.imageURL },
      { size: 88, resolve: (url) => client.imageURL(url) }),
    h("h3", { dir: "auto" }, name), h("p", { class: "hint" }, h("bdi", { dir: "ltr" }, userID)));
    const hadFocus = actions.contains(focused());
    refill(actions, !isSelf && [
      !isHere && action(t("profile.message"), "conversation", () => {
        dialog.close();
        onleave?.();
        start(userID);
      }),
      action(t("report.open"), "warning", () => openUserReport(context, person, () => dialog.close())),
      client.blocked.has(userID) ? action(t("user.unblock", { name }), "block", () => block(false)) :
        action(t("user.block", { name }), "block", () => block(true), true),
    ]);
    if (hadFocus) /** @type {HTMLElement | null} */ (actions.lastElementChild)?.focus();
  };
  draw();
  const end = new AbortController();
  on(client, "blocked", draw, end.signal);
  // The view around takes the dialog away with it.
  if (context.signal) on(context.signal, "abort", () => dialog.close(), end.signal);
  dialog.closed.then(() => end.abort());
  // The name and the picture of today, rather than those of the message.
  client.read("user.get", { userIDs: [userID] }).then(({ users }) => {
    if (!users.length) return;
    person = users[0];
    draw();
  }, () => {});
}
