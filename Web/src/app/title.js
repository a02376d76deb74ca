/**
 * Shows the name of the conversation in the title, and the number of unread messages and invitations there and on the
 * icon of the app.
 *
 * @param {{client: import("../roost.js").Client | null, chat: import("../roost-chat.js").RoostChatElement | null,
 *   t: import("../texts/texts.js").Texts}} app
 */
export function drawTitle({ client, chat, t }) {
  const count = (client?.shownUnread ?? 0) + (client?.invitations.length ?? 0);
  const channel = chat?.conversation?.channel;
  const title = channel?.kind === "self" ? t("kind.self") : channel?.name || t("app.name");
  const text = count ? t("list.documentTitle", { count, title }) : title;
  if (document.title !== text) document.title = text;
  const sign = document.querySelector("link[rel=icon]");
  const address = `web/app/${count ? "icon-unread" : "icon"}.svg`;
  if (sign && sign.getAttribute("href") !== address) sign.setAttribute("href", address);
  const { setAppBadge } = /** @type {any} */ (Navigator.prototype);
  setAppBadge?.call(navigator, count).catch(() => {});
}
