import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { openDialog } from "../../ui/dialog.js";
import { focused, h, on, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt } from "../../ui/styles.js";
import { dialogStyles } from "../styles/dialog-styles.js";
import { personActions } from "./person-actions.js";

/**
 * @typedef {{userID: string, name: string, imageURL?: string}} Person
 * @typedef {Pick<import("../context.js").Context, "client" | "conversation" | "t" | "root" | "fail" | "start" |
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
  const { client, t, root, start, conversation } = context;
  const { userID } = person;
  const isSelf = userID === client.user.userID;
  const isHere = conversation.channel?.kind === "single" &&
    conversation.channel.members.some((member) => member.userID === userID);
  const top = h("div", { class: "profile" });
  const actions = h("div", { class: "profile-actions" });
  adopt(root, dialogStyles);
  const dialog = openDialog(root, { title: t("settings.profile"), closeLabel: t("close"), body: [top, actions] });

  /** @param {ReturnType<typeof personActions>[number]} action */
  const button = ({ label, icon: sign, isDanger, run }) => h(
    "button", { type: "button", class: isDanger ? "item danger" : "item", onclick: run },
    icon(sign), h("span", { class: "grow" }, label));

  const draw = () => {
    if (!dialog.element.isConnected) return;
    const { name } = person;
    refill(top, avatar({ id: userID, name, imageURL: person.imageURL },
      { size: 88, resolve: (url) => client.imageURL(url) }),
    h("h3", { dir: "auto" }, name), h("p", { class: "hint" }, h("bdi", { dir: "ltr" }, userID)));
    const hadFocus = actions.contains(focused());
    refill(actions, !isSelf && [
      !isHere && button({ label: t("profile.message"), icon: "conversation", run: () => {
        dialog.close();
        onleave?.();
        start(userID);
      } }),
      personActions(context, person, () => dialog.close()).map(button),
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
