import { callText, errorText, lineText, noticeText, recalledText } from "../../texts/texts.js";
import { avatar } from "../../ui/avatar.js";
import { h, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { fileView, showProgress, voteView } from "../lazy.js";
import { isPicture, mediaSize } from "./media-box.js";
import { isFolded, quoteView, unfolded, wordsView } from "./message-text.js";
export { isMedia, isPicture, mediaBox } from "./media-box.js";
export { isFolded, shownText } from "./message-text.js"; // For modules that load later: so the bundle has one file.

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").Item} Item */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */
/** @typedef {import("../../client/types.js").Message} Message */

/** Message types that have a file. */
const fileTypes = new Set(["image", "video", "sticker", "voice", "document", "contact"]);

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
 * @param {HTMLElement | null} kept
 */
function bubbleView(context, item, kept) {
  const { t, client, times } = context;
  const { message } = item;
  const bubble = h("div", { class: "bubble", part: `bubble ${item.isOwn ? "own-bubble" : "other-bubble"}` });
  const meta = metaView(context, item);
  if (message.recall) {
    bubble.classList.add("recalled");
    bubble.append(h("div", { class: "text" },
      h("span", { class: "words" }, recalledText(message.recall, t, client.user.userID)), meta));
    return bubble;
  }
  if (message.isForwarded) bubble.append(h("span", { class: "forwarded" }, icon("forward"), t("forwarded")));
  if (message.replyTo) {
    const { messageID, senderID, isRecalled } = message.replyTo;
    bubble.append(h("button", {
      type: "button", class: "quote-button", title: t(isRecalled ? "reply.recalled" : "reply.jump"),
      onclick: () => context.jump(messageID),
    }, quoteView(context, message.replyTo, senderID === client.user.userID)));
  }
  if (item.parts) {
    bubble.append(context.extras?.albumView(item, kept) ?? "");
  } else if (kept) {
    showProgress(context, kept, item);
    bubble.append(kept);
  } else if (message.file && fileTypes.has(message.type)) {
    bubble.append(fileView(context, item));
  }
  const isMediaOnly = Boolean(bubble.querySelector(".media")) && !message.text;
  bubble.classList.toggle("has-media", Boolean(bubble.querySelector(".media")));
  bubble.classList.toggle("is-media", isMediaOnly);
  const words = wordsOf(context, message, times);
  if (words) bubble.append(h("div", { class: "text", dir: "auto" }, words, !message.vote && meta));
  if (message.vote) bubble.append(voteView(context, item, meta));
  const isBare = words?.classList.contains("is-emoji") && !message.replyTo && !message.isForwarded;
  bubble.classList.toggle("is-bare", Boolean(isBare));
  if (!words && !message.vote) bubble.append(meta);
  return bubble;
}

/**
 * @param {Context} context
 * @param {Message} message
 * @param {import("../../texts/times.js").Times} times
 */
function wordsOf(context, message, times) {
  const { t } = context;
  if (message.text) return wordsView(context, message);
  if (message.call) {
    return h("span", { class: "words with-icon" }, icon(message.call.kind === "video" ? "film" : "phone"),
      callText(message.call, t, times.durationText));
  }
  if (message.location) {
    const { latitude, longitude, address } = message.location;
    const href = `https://www.openstreetmap.org/?mlat=${Number(latitude)}&mlon=${Number(longitude)}&zoom=16`;
    const position = t("place.position", { latitude: `${latitude}`, longitude: `${longitude}` });
    return h("span", { class: "words with-icon" }, icon("place"), h("span", null,
      h("span", { dir: "auto" }, address ?? position), " ",
      h("a", { href, rel: "noopener noreferrer nofollow ugc", target: "_blank" }, t("place.map"))));
  }
  if (message.file && fileTypes.has(message.type)) return null;
  return h("span", { class: "words quiet-text" }, t("message.unknown"));
}

/**
 * Time and delivery state, after the words.
 *
 * @param {Context} context
 * @param {MessageItem} item
 */
function metaView({ t, times, conversation }, { message, isOwn, isGrouped, state, unreadBy }) {
  const meta = h("span", { class: "meta", dir: t.dir });
  const { sentAt } = message;
  meta.append(h("time", {
    class: isGrouped ? "visually-hidden" : "", datetime: times.isoText(sentAt), title: times.fullText(sentAt),
  }, times.timeText(sentAt)));
  const isSingle = conversation.channel?.kind === "single";
  if (message.recall || (!isOwn && (isSingle || !unreadBy))) return meta;
  if (state !== "sent") {
    const label = t(state === "failed" ? "state.failed" : "state.sending");
    meta.append(icon(state === "failed" ? "warning" : "clock", { label }));
    return meta;
  }
  if (unreadBy === undefined || conversation.channel?.kind === "self") {
    if (!isGrouped) meta.append(icon("check", { label: t("state.sent") }));
    return meta;
  }
  const label = unreadBy ? t("state.unreadBy", { count: unreadBy }) : t(isSingle ? "state.read" : "state.readByAll");
  const sign = !isOwn ? "eye-off" : unreadBy ? "check" : "checks";
  const mark = h("span", { class: "marks", title: label }, icon(sign, { label }));
  // The label says the number already.
  if (unreadBy && !isSingle) mark.append(h("span", { class: "unread-by", "aria-hidden": "true" }, t.number(unreadBy)));
  meta.append(mark);
  return meta;
}

/**
 * @param {Context} context
 * @param {MessageItem} item
 */
export function reactionsView(context, { message }) {
  const { t, conversation, fail } = context;
  const kinds = message.recall ? [] : message.reactions?.kinds ?? [];
  if (!kinds.length) return null;
  return h("div", { class: "reactions", role: "group", "aria-label": t("reactions.label") }, kinds.map(
    ({ emoji, count, isMine }) => {
      const label = t(isMine ? "reactions.own" : "reactions.one", { emoji, count });
      return h("button", {
        type: "button", class: "reaction", part: "reaction", "aria-pressed": `${isMine}`, "aria-label": label,
        title: label, onclick: () => conversation.react(message.messageID ?? "", emoji).catch(fail),
      }, h("span", { class: "emoji" }, emoji), h("span", null, t.number(count)));
    },
  ));
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

/**
 * Why a message was not sent, and what one can do now.
 *
 * @param {Context} context
 * @param {HTMLElement} row
 * @param {MessageItem} item
 */
function showFailure(context, row, { message, state, error, key }) {
  const { t, conversation } = context;
  const column = row.querySelector(".column");
  column?.querySelector(".failure-row")?.remove();
  if (state !== "failed" || !column) return;
  const transID = message.transID ?? key;
  /** @param {import("../../texts/texts.js").Key} label @param {() => void} action */
  const button = (label, action) => h("button", { type: "button", class: "text-button", onclick: action }, t(label));
  column.append(h(
    "div", { class: "failure-row" },
    h("span", { class: "error-text" },
      error ? t("state.failedWhy", { reason: errorText(error, t) }) : t("state.failed")),
    h("span", { class: "failure-actions" },
      button("message.retry", () => conversation.retry(transID)),
      message.text && button("message.copy", () => copyText(context, message.text)),
      button("message.discard", () => conversation.discard(transID))),
  ));
}

/**
 * Copies a text, and says so.
 *
 * @param {Context} context
 * @param {string} text
 */
export async function copyText({ toasts, t }, text) {
  try {
    await navigator.clipboard.writeText(text);
    toasts.show(t("copied"));
  } catch {
    toasts.show(t("copyFailed"), { isFailure: true });
  }
}
