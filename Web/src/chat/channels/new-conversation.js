import "../../texts/more.js";
import { openDialog } from "../../ui/dialog.js";
import { h } from "../../ui/dom.js";
import { adoptListStyles } from "../styles/list-styles.js";
import { PeoplePicker } from "./people-picker.js";

/**
 * Opens the dialog for a new conversation of two: with one of the people that one knows, or by name or user id.
 *
 * @param {Node & ParentNode} root
 * @param {{client: import("../../roost.js").Client, t: import("../../texts/texts.js").Texts,
 *   onSelect: (channel: string) => void, onFailure: (error: unknown) => void}} options
 */
export function openNewConversation(root, { client, t, onSelect, onFailure }) {
  adoptListStyles(root);
  const picker = new PeoplePicker(client, t, {
    label: t("new.person"),
    hint: t("new.personHint"),
    action: t("new.start"),
    pick: async ({ userID }) => {
      dialog.close();
      try {
        onSelect(await client.startConversation(userID));
      } catch (error) {
        onFailure(error);
      }
    },
  });
  const dialog = openDialog(root, {
    title: t("new.title"), closeLabel: t("close"),
    body: [picker.element, h("p", { class: "hint" }, t("new.ownID", { userID: client.user.userID }))],
  });
}
