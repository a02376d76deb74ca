import { lineText } from "./lines.js";
import { oneLine } from "./one-line.js";

/**
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./texts.js").Key} Key
 * @typedef {import("../client/types.js").Content} Content
 * @typedef {import("./lines.js").NameOf} NameOf
 */

/** @type {Record<string, Key>} */
const previews = {
  sticker: "preview.sticker",
  image: "preview.picture",
  video: "preview.video",
  voice: "preview.voice",
  contact: "preview.contact",
  document: "preview.file",
  location: "preview.place",
  screenshotTaken: "preview.screenshot",
  messageCopied: "preview.copy",
  messagesForwarded: "preview.forward",
  messageSaved: "preview.save",
  publicNews: "preview.news",
  corporateNews: "preview.news",
};

/** @type {Record<string, "notice.screenshot" | "notice.copy" | "notice.forward" | "notice.save">} */
const notices = {
  screenshotTaken: "notice.screenshot",
  messageCopied: "notice.copy",
  messagesForwarded: "notice.forward",
  messageSaved: "notice.save",
};

/**
 * What a message says, in one line without its sender: the text, or a word for its type. For quotes, schedules, the
 * options of votes and notifications.
 *
 * @param {Content & {call?: any, vote?: any, isForwarded?: boolean, recall?: any, isRecalled?: boolean}} content the
 *   content of a message, or the snapshot of an answered one
 * @param {Texts} t
 * @returns {string} at most 300 UTF-16 units of what people wrote
 */
export function contentText(content, t) {
  if (content.recall || content.isRecalled) return t("preview.recalled");
  const said = oneLine(content.type === "sticker" ? "" : content.text);
  if (content.call) return callText(content.call, t);
  if (content.vote) return t("preview.vote", { text: said });
  if (said) return said;
  const type = content.type ?? "text";
  const name = oneLine(type === "location" ? content.location?.address : content.file?.name);
  if (type === "document" && name) return t("preview.fileNamed", { name });
  if (type === "location" && name) return t("preview.placeNamed", { name });
  const contact = oneLine(content.extras?.name);
  if (type === "contact" && contact) return t("preview.contactNamed", { name: contact });
  return t(Object.hasOwn(previews, type) ? previews[type] : "preview.message");
}

/**
 * The preview of a channel's last message for the list: one's own begins with “You:”.
 *
 * @param {any} message a `Message`, or an event such as `lastMessage` of a channel
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {{withSender?: boolean, nameOf?: NameOf}} [options] `withSender`: whether the message of somebody else begins
 *   with a name, as in groups and open channels
 * @returns {string} one line; empty without a message
 */
export function previewText(message, t, ownUserID, options = {}) {
  const { withSender = false, nameOf } = options;
  if (!message) return "";
  const isEvent = typeof message.event === "string";
  const isMessage = !isEvent || /^message\.(sent|announced|relayed)$/.test(message.event);
  if (!isMessage) return lineText(message, t, ownUserID, nameOf) ?? "";
  const content = isEvent ? message.body : message;
  if (content.recall) return t("preview.recalled");
  const notice = noticeText({ ...content, senderID: message.senderID }, t, ownUserID);
  if (notice) return notice;
  const said = contentText(content, t);
  const text = content.isForwarded ? t("preview.forwarded", { text: said }) : said;
  const { senderID } = message;
  if (senderID && senderID === ownUserID) return t("list.own", { text });
  const name = content.senderName;
  return withSender && senderID && name ? t("list.by", { name, text }) : text;
}

/**
 * The line for a message that only says what somebody did: took a screenshot, copied, passed on or saved a message.
 *
 * @param {{type?: string, senderID?: string, senderName?: string}} message
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string | null} null for all other types
 */
export function noticeText(message, t, ownUserID) {
  const type = message.type ?? "";
  if (!Object.hasOwn(notices, type)) return null;
  if (message.senderID && message.senderID === ownUserID) return t(`${notices[type]}Own`);
  return t(notices[type], { name: message.senderName || message.senderID || t("server") });
}

/**
 * What stands in the place of a recalled message.
 *
 * @param {{byUserID?: string, byName: string, byRole?: "moderator" | "operator"}} recall
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string}
 */
export function recalledText(recall, t, ownUserID) {
  if (!recall.byUserID) return t("recalled.expired");
  if (recall.byUserID === ownUserID) return t("recalled.own");
  return t(recall.byRole === "operator" ? "recalled.operator" : "recalled.by", { name: recall.byName });
}

/**
 * A call in one line: its kind, and how it ended.
 *
 * @param {{kind: string, result?: string, durationMs?: number}} call
 * @param {Texts} t
 * @param {(ms: number) => string} [durationText] for the length of an answered call
 * @returns {string}
 */
export function callText(call, t, durationText) {
  const kind = t(call.kind === "video" ? "call.video" : "call.voice");
  if (call.result === "answered") {
    const duration = call.durationMs != null && durationText?.(call.durationMs);
    return duration ? t("call.answered", { call: kind, duration }) : kind;
  }
  const key = `call.${call.result}`;
  const isKnown = /^(missed|declined|cancelled|failed)$/.test(call.result ?? "");
  return isKnown ? t(/** @type {Key} */ (key), { call: kind }) : kind;
}
