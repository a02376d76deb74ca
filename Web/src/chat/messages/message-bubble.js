import { callText, recalledText } from "../../texts/messages.js";
import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { fileView, showProgress, voteView } from "../lazy.js";
import { quoteView, wordsView } from "./message-text.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */
/** @typedef {import("../../client/types.js").Message} Message */

/** Message types that have a file. */
const fileTypes = new Set(["image", "video", "sticker", "voice", "document", "contact"]);

/**
 * What a message says, with its time and delivery state.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {HTMLElement | null} kept a picture or album that is drawn already
 */
export function bubbleView(context, item, kept) {
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
export function metaView({ t, times, conversation }, { message, isOwn, isGrouped, state, unreadBy }) {
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
 * The reactions below a message; null without any.
 *
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
