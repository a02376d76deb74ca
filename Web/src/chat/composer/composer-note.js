import { lineText } from "../../texts/lines.js";
import { h, refill } from "../../ui/dom.js";

/** @typedef {import("../context.js").Context} Context */

/**
 * Shows why nobody may write in a conversation, in the place of the field.
 *
 * @param {Context} context
 * @param {HTMLElement} place is hidden if there is nothing to say
 */
export function showNote(context, place) {
  const { conversation, client, fail, t } = context;
  const { canWrite, blockedPeer: blocked } = conversation;
  const note = canWrite ? "" : blocked ? t("conversation.blocked", { name: blocked.name }) : whyNot(context);
  place.hidden = !note;
  refill(place, note, blocked && [" ", h("button", {
    type: "button", class: "fold",
    onclick: () => client.perform("user.unblock", { userID: blocked.userID }).catch(fail),
  }, t("user.unblock", { name: blocked.name }))]);
}

/** @param {Context} context */
function whyNot({ conversation, client, t }) {
  const { isGone, isBanned, isPeerDeleted, ending, error, items } = conversation;
  if (isPeerDeleted) return t("error.userDeleted");
  if (isBanned) return t("conversation.banned");
  if (!isGone) return t("conversation.news");
  // The place of the messages says it.
  if (error && !items.length) return "";
  return (ending && lineText(ending, t, client.user.userID)) || t("conversation.left");
}
