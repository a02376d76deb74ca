import { h } from "../../ui/dom.js";

/**
 * Who sent a message, and when.
 *
 * @param {import("../../texts/texts.js").Texts} t
 * @param {import("../../texts/times.js").Times} times
 * @param {import("../../client/client.js").Client} client
 * @param {import("../../client/types.js").Message} message
 * @returns {{text: string, nodes: Node[]}} `nodes` keep the direction of each part
 */
export function sentBy(t, times, client, { senderID, senderName, sentAt }) {
  const name = senderID === client.user.userID ? t("message.own") : senderName ?? t("announcement");
  const time = times.momentText(sentAt, client.serverTime);
  const nodes = t.parts("lightbox.by", { name, time }).map((part) => part.kind === "text" ? new Text(part.text)
    // A time has isolated parts, so that its direction cannot be guessed.
    : part.name === "time" ? h("bdi", { dir: t.dir }, time) : h("bdi", null, name));
  return { text: t("lightbox.by", { name, time }), nodes };
}
