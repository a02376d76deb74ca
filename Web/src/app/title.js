/**
 * Shows the name of the conversation and the number of unread messages in the title and on the icon of the app.
 *
 * @param {{client: import("../roost.js").Client | null, chat: import("../roost-chat.js").RoostChatElement | null,
 *   t: import("../texts/texts.js").Texts}} app
 */
export function drawTitle({ client, chat, t }) {
  const count = client?.totalUnread ?? 0;
  const title = chat?.conversation?.channel?.name || t("app.name");
  const text = count ? t("list.documentTitle", { count, title }) : title;
  if (document.title !== text) document.title = text;
  const { setAppBadge } = /** @type {any} */ (Navigator.prototype);
  setAppBadge?.call(navigator, count).catch(() => {});
}
