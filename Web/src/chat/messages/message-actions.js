import "../../texts/more.js";
import { quickReactions } from "../../texts/emoji.js";
import { avatar } from "../../ui/avatar.js";
import { ask, openDialog } from "../../ui/dialog.js";
import { h, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openMenu } from "../../ui/menu.js";
import { adopt } from "../../ui/styles.js";
import { dialogStyles } from "../styles/dialog-styles.js";
import { openEmojiPicker } from "../composer/emoji-picker.js";
import { download } from "./download.js";
import { openForward } from "./forward-dialog.js";
import { openReport } from "./report-dialog.js";
import { openSelectText } from "../text-dialog.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */
/** @typedef {import("../../client/types.js").Message} Message */
/** @typedef {import("../../ui/menu.js").MenuItem} MenuItem */

/**
 * The sheet for a pressed message of somebody else: start a conversation with its sender, or cancel.
 *
 * @param {Context} context
 * @param {Message} message
 */
export function openStartSheet({ root, t, start }, { senderID = "", senderName }) {
  openMenu(root, {
    label: t("message.actions"),
    isSheet: true,
    items: [
      { label: t("message.start", { name: senderName || senderID }), action: () => start(senderID) },
      { label: t("cancel") },
    ],
  });
}

/**
 * Opens all that one can do with a message.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null}} place
 */
export function openActions(context, item, place) {
  const { root, t, times, conversation } = context;
  const { message } = item;
  const takesReactions = message.messageID && !message.recall && conversation.canWrite;
  /** @param {string} emoji */
  const react = (emoji) => conversation.react(message.messageID ?? "", emoji).catch(context.fail);
  const before = takesReactions && h(
    "div", { class: "quick-reactions", role: "group", "aria-label": t("reactions.add") },
    quickReactions.map((emoji) => h("button", { type: "button", class: "emoji", tabindex: "-1", onclick: () => {
      menu.close();
      react(emoji);
    } }, emoji)),
    h("button", {
      type: "button", class: "icon-button", tabindex: "-1", "aria-label": t("composer.emoji"), onclick: () => {
        menu.close();
        openEmojiPicker(context, { ...place, onpick: react });
      },
    }, icon("add")),
  );
  const items = actionsFor(context, item);
  adopt(root, dialogStyles);
  if (!items.length) return;
  const sent = h("p", { class: "sent-at", id: "roost-sent-at" }, h("time", {
    datetime: times.isoText(message.sentAt) }, times.fullText(message.sentAt)));
  const menu = openMenu(root, { ...place, label: t("message.actions"), items, before: [sent, before] });
  menu.element.setAttribute("aria-describedby", sent.id);
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 * @returns {MenuItem[]}
 */
function actionsFor(context, { message, isOwn, state, key }) {
  const { t, conversation, client, fail } = context;
  const { messageID, recall, text, file, senderID, senderName } = message;
  const transID = message.transID ?? key;
  /** @type {(MenuItem | false | 0 | "" | undefined | null)[]} */
  const items = [];
  if (!messageID) {
    items.push(
      state === "failed" && { label: t("message.retry"), icon: "retry", action: () => conversation.retry(transID) },
      text && { label: t("message.copy"), icon: "copy", action: () => context.copy(text) },
      { label: t(state === "uploading" ? "file.cancelUpload" : "message.discard"), icon: "trash", isDanger: true,
        action: () => conversation.discard(transID) },
    );
  } else if (!recall) {
    const { channel, members } = conversation;
    const pins = context.extras?.pins;
    const isPinned = pins?.isPinned(messageID);
    const isSeveral = channel?.kind === "group" || channel?.kind === "open";
    items.push(
      conversation.canWrite && { label: t("message.reply"), icon: "reply", action: () => context.reply(message) },
      text && { label: t("message.copy"), icon: "copy", action: () => context.copy(text) },
      text && matchMedia("(hover: none)").matches && {
        label: t("message.selectText"), icon: "text", action: () => openSelectText(context, text) },
      file && { label: t("message.download"), icon: "download", action: () => download(context, message) },
      mayForward(message) && !context.client.options.isVisitor && {
        label: t("message.forward"), icon: "forward", action: () => openForward(context, [message]) },
      pins?.mayPin && {
        label: t(isPinned ? "pin.remove" : "pin.add"), icon: isPinned ? "unpin" : "pin",
        action: () => (isPinned ? pins.unpin(messageID) : pins.pin(messageID)).catch(
          (error) => failToPin(context, error)) },
      context.extras && {
        label: t("message.select"), icon: "select", action: () => context.extras?.select(message) },
      isOwn && members.length > 1 && channel?.kind === "group" && {
        label: t("message.readBy"), icon: "eye", action: () => openReaders(context, message) },
      message.reactions?.kinds.length && {
        label: t("reactions.label"), icon: "emoji", action: () => openReactions(context, message) },
      !isOwn && isSeveral && senderID && {
        label: t("message.start", { name: senderName || senderID }), icon: "conversation",
        action: () => context.start(senderID) },
      !isOwn && isSeveral && senderID && context.extras && {
        label: t("profile.open", { name: senderName || senderID }), icon: "person",
        action: () => context.extras?.openProfile(message) },
      !isOwn && senderID && !conversation.isGone && {
        label: t("report.open"), icon: "warning", action: () => openReport(context, messageID) },
      conversation.canWrite && channel?.kind !== "open" && "line",
      channel?.kind !== "open" && {
        label: t("message.deleteForMe"), icon: "trash", isDanger: true, action: () => askFirst(context, {
          title: t("deleteForMe.title", { count: 1 }), text: t("deleteForMe.text"), action: t("delete"),
        }, () => conversation.deleteForMe([messageID]).catch(fail)) },
      mayRecall(context, message, isOwn) && {
        label: t("message.recall"), icon: "recall", isDanger: true, action: () => askFirst(context, {
          title: t("recall.title", { count: 1 }), text: t("recall.text"), action: t("recall.confirm"),
        }, () => conversation.recall([messageID]).catch(fail)) },
    );
  } else if (conversation.channel?.kind !== "open") {
    items.push({ label: t("message.deleteForMe"), icon: "trash", isDanger: true,
      action: () => conversation.deleteForMe([messageID]).catch(fail) });
  }
  return /** @type {MenuItem[]} */ (items.filter(Boolean));
}

/**
 * Says why a message was not pinned or taken down.
 *
 * @param {Context} context
 * @param {Error} error
 */
function failToPin({ t, toasts, fail }, error) {
  if (error.name === "limitReached") toasts.show(t("pin.tooMany"), { isFailure: true });
  else fail(error);
}

/**
 * Whether the viewer may recall a message, as far as this device knows; the server decides.
 *
 * @param {Context} context
 * @param {Message} message
 * @param {boolean} isOwn
 */
export function mayRecall({ conversation, client }, message, isOwn) {
  const { channel, isGone } = conversation;
  if (isGone) return false;
  if (client.isOperator) return true;
  const { role, profile } = channel ?? {};
  if ((role === "admin" || role === "moderator") && profile?.moderatorsMayRecall !== false) return true;
  const most = client.limits?.recallWindowMs ?? 0;
  return isOwn && (!most || client.serverTime - message.sentAt <= most);
}

/**
 * Whether the server forwards such a message.
 *
 * @param {Message} message
 */
export const mayForward = (message) => !message.vote && !message.call && !message.isAnnouncement && !message.recall;

/**
 * Does something, if the user is sure.
 *
 * @param {Context} context
 * @param {{title: string, text?: string, action: string}} question
 * @param {() => void} action
 */
export async function askFirst({ root, t }, question, action) {
  if (await ask(root, { ...question, cancel: t("cancel"), closeLabel: t("close"), isDanger: true })) action();
}

/**
 * Closes a vote, if the user is sure.
 *
 * @param {Context} context
 * @param {string} messageID
 */
export function askToCloseVote(context, messageID) {
  const { t, conversation, fail } = context;
  askFirst(context, { title: t("vote.closeConfirm"), action: t("vote.close") },
    () => conversation.closeVote(messageID).catch(fail));
}

/**
 * A dialog with people, which are loaded while it is open.
 *
 * @param {Context} context
 * @param {string} title
 * @param {string} empty
 * @param {() => Promise<{userID: string, name: string, imageURL?: string, side: any}[]>} load
 */
async function openPeople({ root, t, client, fail }, title, empty, load) {
  const list = h("ul", { class: "people" }, h("li", null, h("span", { class: "spinner" })));
  const dialog = openDialog(root, { title, closeLabel: t("close"), body: list });
  try {
    const people = await load();
    refill(list, people.map(({ userID, name, imageURL, side }) => h(
      "li", null, avatar({ id: userID, name, imageURL }, { resolve: (url) => client.imageURL(url) }),
      h("bdi", { class: "grow ellipsis" }, name), h("span", { class: "hint" }, side),
    )), !people.length && h("li", { class: "quiet-text" }, empty));
  } catch (error) {
    dialog.close();
    fail(error);
  }
}

/**
 * @param {Context} context
 * @param {Message} message
 */
function openReaders(context, message) {
  const { t, times, conversation, client } = context;
  openPeople(context, t("readers.title"), t("readers.none"), async () => {
    const known = new Map(conversation.members.map((member) => [member.userID, member]));
    const { readers } = await client.read("message.listReaders", {
      channel: conversation.id, messageID: message.messageID ?? "" });
    return readers.map(({ userID, readAt }) => ({
      userID, name: known.get(userID)?.name ?? userID, imageURL: known.get(userID)?.imageURL,
      side: times.momentText(readAt, client.serverTime),
    }));
  });
}

/**
 * @param {Context} context
 * @param {Message} message
 */
function openReactions(context, message) {
  const { t, client, conversation } = context;
  openPeople(context, t("reactions.label"), "", async () => {
    const { reactions } = await client.read("reaction.list", {
      channel: conversation.id, messageID: message.messageID ?? "", limit: 100 });
    return reactions.map((reaction) => ({
      ...reaction, side: h("span", { class: "emoji" }, reaction.emoji) }));
  });
}
