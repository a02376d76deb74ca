import { h } from "../ui/dom.js";

/**
 * Shows a message in a row of the list.
 *
 * @param {HTMLElement} element the row
 * @param {import("./rules.js").Row} row
 * @param {import("./texts.js").Texts} texts
 */
export function updateRow(element, { message, isSent, isGrouped, isSending }, texts) {
  const names = `${isSent ? "sent" : "received"} ${isGrouped ? "grouped" : "whole"}`;
  element.className = `row ${names}`;
  element.setAttribute("part", `row ${names}`);
  const time = () => h("time", { part: "time", datetime: message.sentAt.toISOString(),
    title: texts.whole(message.sentAt) }, texts.clock(message.sentAt));
  const name = message.alias && h("bdi", { class: "name", part: "name" }, message.alias);
  element.replaceChildren();
  if (!isGrouped) element.append(h("div", { class: "head" }, name || null, time()));
  // The bubble keeps the direction of the page, whatever that of the text is.
  element.append(h("div", { class: "bubble", part: "bubble" },
    h("p", { class: "text", part: "text", dir: "auto" }, message.text)));
  if (isSending) element.append(h("span", { class: "status", part: "status" }, texts.words.sending));
  return element;
}
