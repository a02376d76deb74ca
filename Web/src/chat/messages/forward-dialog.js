import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { openDialog } from "../../ui/dialog.js";
import { h, refill } from "../../ui/dom.js";
import { adopt } from "../../ui/styles.js";
import { dialogStyles } from "../styles/dialog-styles.js";
import { shownText } from "./message-row.js";

/**
 * Asks for conversations, and forwards messages to them.
 *
 * @param {import("../context.js").Context} context
 * @param {import("../../client/types.js").Message[]} messages in their order
 * @param {() => void} [ondone]
 */
export function openForward(context, messages, ondone) {
  const { root, t, client, conversation, toasts, fail } = context;
  /** @type {Set<string>} */
  const chosen = new Set();
  const search = h("input", {
    class: "input", type: "search", placeholder: t("forward.search"), "aria-label": t("forward.search"),
    autofocus: true, oninput: () => show(),
  });
  const list = h("ul", { class: "people" });
  const submit = h("button", { type: "button", class: "button primary", disabled: true, onclick: async () => {
    submit.disabled = true;
    try {
      await conversation.forward(messages.map(({ messageID = "" }) => messageID), [...chosen]);
      dialog.close();
      toasts.show(t("forward.done", { count: messages.length }));
      ondone?.();
    } catch (error) {
      submit.disabled = false;
      fail(error);
    }
  } }, t("forward.submit"));
  const show = () => {
    const found = client.list.find(search.value).filter(({ kind }) => !kind.endsWith("News"));
    refill(list, found.slice(0, 50).map(({ channel, name, kind, members }) => h(
      "li", null, h("label", { class: "check item" },
        h("input", { type: "checkbox", checked: chosen.has(channel), onchange: (/** @type {any} */ { target }) => {
          if (target.checked) chosen.add(channel);
          else chosen.delete(channel);
          submit.disabled = !chosen.size;
        } }),
        avatar({
          id: (kind === "single" && members.find(({ userID }) => userID !== client.user.userID)?.userID) || channel,
          name,
        }, { size: 32 }),
        h("bdi", { class: "ellipsis" }, name)),
    )), !found.length && h("li", { class: "quiet-text" }, t("noneFound", { text: search.value })));
  };
  adopt(root, dialogStyles);
  const dialog = openDialog(root, {
    title: t("forward.title"), closeLabel: t("close"),
    body: [h("p", { class: "excerpt ellipsis", dir: "auto" }, messages.length === 1 ?
      shownText(context, messages[0]) : t("select.count", { count: messages.length })), search, list],
    footer: submit,
  });
  show();
}
