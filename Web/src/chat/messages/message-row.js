import { lineText } from "../../texts/lines.js";
import { noticeText } from "../../texts/messages.js";
import { avatar } from "../../ui/avatar.js";
import { h, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { showProgress } from "../lazy.js";
import { isPicture, mediaSize } from "./media-box.js";
import { bubbleView, metaView, reactionsView } from "./message-bubble.js";
import { showFailure } from "./message-failure.js";
import { isFolded, unfolded } from "./message-text.js";
// For modules that load later: so the bundle has one file.
export { isMedia, isPicture, mediaBox } from "./media-box.js";
export { reactionsView } from "./message-bubble.js";
export { isFolded, shownText } from "./message-text.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").Item} Item */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */

/**
 * Guesses the height of a row before it is drawn, in pixels.
 *
 * @param {Item} item
 * @returns {number}
 */
export function estimateHeight(item) {
  if (item.kind !== "message") return item.kind === "line" ? 34 : 48;
  const { message, isGrouped } = item;
  if (item.height) return item.height;
  let height = isGrouped ? 6 : 30;
  if (message.file && isPicture(message)) height += mediaSize(message.file).height;
  else if (message.file) height += 60;
  if (message.text) height += 16 + 21 * Math.ceil(message.text.length / 56);
  if (message.replyTo) height += 48;
  if (message.reactions?.kinds.length) height += 36;
  return height + (message.vote ? 44 * message.vote.options.length + 40 : 0);
}

/**
 * Whether a text of somebody else may be selected with a plain press to start a conversation with its sender.
 *
 * @param {MessageItem} item
 * @returns {boolean}
 */
export function offersStart({ message, isOwn }) {
  return !isOwn && message.type === "text" && !message.isAnnouncement && !message.recall && Boolean(message.senderID);
}

/**
 * Makes the row of an item of a conversation.
 *
 * @param {Context} context
 * @param {Item} item
 * @returns {HTMLElement}
 */
export function makeRow(context, item) {
  const row = h("div", { role: "listitem", class: "row", part: `row ${item.kind}` });
  if (item.kind === "message" || item.kind === "line") row.tabIndex = -1;
  updateRow(context, row, item);
  return row;
}

/**
 * Shows another state of an item in its row.
 *
 * @param {Context} context
 * @param {HTMLElement} row
 * @param {Item} item
 * @param {Item} [old] the item that the row shows now
 */
export function updateRow(context, row, item, old) {
  const { t, times, client } = context;
  switch (item.kind) {
    case "day":
      row.classList.add("day-row");
      refill(row, h("time", { class: "day", datetime: times.dayKey(item.day) },
        times.dayText(item.day, client.serverTime)));
      break;
    case "unread":
      row.classList.add("unread-row");
      refill(row, h("span", { class: "unread-label" }, t("separator.unread", { count: item.count })));
      break;
    case "line":
      row.classList.add("line-row");
      refill(row, h("span", { class: "server-line", id: nameRow(row, item.key), title: times.fullText(item.sentAt) },
        lineText(item.event, t, client.user.userID, (userID) => nameOf(context, userID)) ?? t("preview.message")));
      break;
    default:
      updateMessage(context, row, item, old?.kind === "message" ? old : undefined);
  }
}

/**
 * Names a row by what is in it, as a list item has no name by itself; returns the id for what is in it.
 *
 * @param {HTMLElement} row
 * @param {string} key
 */
function nameRow(row, key) {
  const id = `row-${key}`;
  row.setAttribute("aria-labelledby", id);
  return id;
}

/**
 * @param {Context} context
 * @param {string} userID
 */
const nameOf = ({ conversation }, userID) =>
  conversation.members.find((member) => member.userID === userID)?.name ??
    conversation.channel?.members.find((member) => member.userID === userID)?.name;

/**
 * @param {Context} context
 * @param {HTMLElement} row
 * @param {MessageItem} item
 * @param {MessageItem} [old]
 */
function updateMessage(context, row, item, old) {
  const { message, isOwn, isGrouped, state } = item;
  const notice = noticeText(message, context.t, context.client.user.userID);
  row.className = `row message-row ${isOwn ? "own" : "other"} ${isGrouped ? "grouped" : ""} ${state}`;
  row.classList.toggle("announcement", Boolean(message.isAnnouncement));
  if (notice) {
    row.className = "row line-row";
    refill(row, h("span", { class: "server-line", id: nameRow(row, item.key) }, notice));
    return;
  }
  if (isFolded(context, message)) {
    refill(row, avatarColumn(context, item), h(
      "div", { class: "column", id: nameRow(row, item.key) }, nameView(context, item), foldedView(context, row, item)));
    return;
  }
  const isSameBody = old && old !== item && old.message === message && old.vote === item.vote &&
    old.isGrouped === isGrouped && old.isOwn === isOwn && old.parts?.length === item.parts?.length &&
    !item.parts?.some((part, index) => part.message !== old.parts?.[index].message);
  const bubble = /** @type {HTMLElement | null} */ (row.querySelector(".bubble"));
  if (isSameBody && bubble) {
    const file = /** @type {HTMLElement | null} */ (bubble.querySelector(".album, .media, .document, .voice"));
    if (item.parts) context.extras?.albumView(item, file);
    else if (file) showProgress(context, file, item);
    bubble.querySelector(".meta")?.replaceWith(metaView(context, item));
    showFailure(context, row, item);
    return;
  }
  // A picture that is drawn already stays: its address changes when it has been sent.
  const kept = old && old.message.type === message.type && !message.recall && Boolean(old.parts) === Boolean(item.parts)
    ? /** @type {HTMLElement | null} */ (row.querySelector(".album, .media.is-loaded")) : null;
  refill(row, avatarColumn(context, item), h(
    "div", { class: "column", id: nameRow(row, item.key) },
    nameView(context, item), bubbleView(context, item, kept), !item.parts && reactionsView(context, item),
  ), moreButton(context, item));
  showFailure(context, row, item);
}

/**
 * What stands in the place of a message of a blocked user.
 *
 * @param {Context} context
 * @param {HTMLElement} row
 * @param {MessageItem} item
 */
function foldedView(context, row, item) {
  const { t } = context;
  return h("div", { class: "bubble quiet-text" }, t("message.blocked"), " ", h("button", {
    type: "button", class: "fold", tabindex: row.tabIndex, onclick: () => {
      for (const { message } of item.parts ?? [item]) unfolded.add(message.messageID);
      updateMessage(context, row, item);
      row.focus();
    },
  }, t("message.show")));
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 */
function avatarColumn(context, { message, isOwn, isGrouped }) {
  if (isOwn || message.isAnnouncement || context.conversation.channel?.kind === "single") return null;
  return h("div", { class: "avatar-column" }, !isGrouped && avatar(
    { id: message.senderID ?? "", name: message.senderName ?? "", imageURL: message.senderImageURL },
    { size: 32, resolve: (imageURL) => context.client.imageURL(imageURL) },
  ));
}

/**
 * The sender's name: visible in conversations of several, otherwise for screen readers only.
 *
 * @param {Context} context
 * @param {MessageItem} item
 */
function nameView({ t, conversation }, { message, isOwn, isGrouped }) {
  const name = isOwn ? t("message.own") : message.isAnnouncement ? t("announcement") : message.senderName ?? "";
  const isHidden = isOwn || isGrouped || (conversation.channel?.kind === "single" && !message.isAnnouncement);
  const bdi = h("bdi", null, name);
  return h("div", { class: `sender ${isHidden ? "visually-hidden" : ""}`, part: "sender" },
    isHidden || !message.senderID ? bdi : h("button", { type: "button", "aria-haspopup": "dialog" }, bdi),
    isHidden && ":");
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 */
function moreButton({ t }, { message, state }) {
  if (message.recall || state === "uploading") return null;
  return h("button", {
    type: "button", class: "icon-button more", "aria-haspopup": "menu", "aria-label": t("message.actions"),
    title: t("message.actions"), "data-more": true,
  }, icon("more"));
}
