import { contentText, splitText } from "../../texts/texts.js";
import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").Message} Message */
/** @typedef {import("../../client/types.js").ReplySnapshot} ReplySnapshot */

/**
 * The messages of blocked users that the reader has opened.
 *
 * @type {Set<string | undefined>}
 */
export const unfolded = new Set();

/**
 * Whether a message is folded: in a conversation of several, of somebody whom the reader has blocked. Nothing of it is
 * shown anywhere.
 *
 * @param {Pick<Context, "client" | "conversation">} context
 * @param {Pick<Message | ReplySnapshot, "senderID" | "messageID">} message
 */
export const isFolded = ({ client, conversation }, { senderID = "", messageID }) =>
  conversation.channel?.kind !== "single" && client.blocked.has(senderID) && !unfolded.has(messageID);

/**
 * What a message says, in one line.
 *
 * @param {Pick<Context, "client" | "conversation" | "t">} context
 * @param {Message | ReplySnapshot} message
 */
export const shownText = (context, message) =>
  isFolded(context, message) ? context.t("message.blocked") : contentText(message, context.t);

/** Longer texts are folded. */
const maxCharacters = 2000;
const maxLines = 24;

/**
 * The words of a message: text, emoji, mentions and safe links. Nothing in it is markup.
 *
 * @param {Context} context
 * @param {{text: string, mentions?: import("../../client/types.js").Mention[]}} message
 * @returns {HTMLElement}
 */
export function wordsView(context, { text, mentions }) {
  const words = h("span", { class: "words", part: "text" });
  const cut = foldAt(text);
  words.append(...segments(context, cut ? text.slice(0, cut) : text, mentions, words));
  if (cut) {
    const more = h("button", { type: "button", class: "fold", onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      words.replaceChildren(...segments(context, text, mentions, words));
    } }, context.t("message.showAll"));
    words.append("… ", more);
  }
  return words;
}

/**
 * Where a long text is folded; 0 if it is not.
 *
 * @param {string} text
 */
function foldAt(text) {
  if (text.length <= maxCharacters && text.split("\n", maxLines + 2).length <= maxLines + 1) return 0;
  let line = -1;
  for (let lines = 0; lines < maxLines && line < maxCharacters; lines += 1) {
    const next = text.indexOf("\n", line + 1);
    if (next < 0) break;
    line = next;
  }
  const end = line > 0 && line < maxCharacters ? line : maxCharacters;
  return /[\ud800-\udbff]/.test(text[end - 1]) ? end - 1 : end;
}

/**
 * @param {Context} context
 * @param {string} text
 * @param {import("../../client/types.js").Mention[] | undefined} mentions
 * @param {HTMLElement} words
 */
function segments({ client, t }, text, mentions, words) {
  return splitText(text, mentions).map((segment) => {
    switch (segment.kind) {
      case "link": {
        const title = segment.host ? t("message.linkHost", { host: segment.host }) : null;
        const link = h("a", {
          href: segment.href, rel: "noopener noreferrer nofollow ugc", target: "_blank", title, dir: "auto",
        }, segment.text);
        return segment.host ? h("span", null, link, h("bdi", { class: "host" }, ` (${segment.host})`)) : link;
      }
      case "mention":
        return h("bdi", { class: `mention ${segment.userID === client.user.userID ? "is-me" : ""}` }, segment.text);
      case "emoji":
        words.classList.add("is-emoji");
        return document.createTextNode(segment.text);
      default:
        return document.createTextNode(segment.text);
    }
  });
}

/**
 * The quote of a message: its sender and the beginning of what it says, or what kind of message it is.
 *
 * @param {Context} context
 * @param {Message | ReplySnapshot} message
 * @param {boolean} isOwn
 * @returns {HTMLElement}
 */
export function quoteView(context, message, isOwn) {
  const { t } = context;
  const name = isOwn ? t("message.own") : message.senderName ?? t("announcement");
  return h(
    "span", { class: "quote" },
    h("span", { class: "quote-name ellipsis" }, icon("reply"), h("bdi", null, name)),
    h("span", { class: "ellipsis", dir: "auto" }, shownText(context, message)),
  );
}
