import { ask } from "../../ui/dialog.js";

/**
 * @typedef {import("../../client/types.js").Channel} Channel
 * @typedef {import("../../roost.js").Client} Client
 * @typedef {import("../../texts/texts.js").Texts} Texts
 * @typedef {import("../../ui/menu.js").MenuItem} MenuItem
 */

/**
 * What the user can do with a conversation as a whole, for its menu. What its kind or the user's role does not allow
 * is not in it.
 *
 * @param {Node & ParentNode} root
 * @param {Channel} channel
 * @param {{client: Client, t: Texts, onFailure: (error: unknown) => void, onLeave?: () => void}} options `onLeave` is
 *   called when an open channel was left, or a conversation hidden
 * @returns {MenuItem[]}
 */
export function channelMenu(root, channel, { client, t, onFailure, onLeave }) {
  const conversation = client.conversation(channel.channel);
  const { kind } = channel;
  /** @param {() => Promise<unknown>} work */
  const tried = (work) => () => {
    work().catch(onFailure);
  };
  /**
   * @param {string} title
   * @param {string} action
   * @param {() => Promise<unknown>} work
   */
  const confirmed = (title, action, work) => tried(async () => {
    const question = { title, action, cancel: t("cancel"), closeLabel: t("close"), isDanger: true };
    if (await ask(root, question)) await work();
  });
  if (kind === "open") {
    return [{ label: t("open.leave"), icon: "log-out", action: () => {
      leaveOpen(client, channel.channel);
      onLeave?.();
    } }];
  }
  const isUnread = (channel.unread ?? 0) > 0 || channel.isMarkedUnread;
  const isMuted = Boolean(channel.preference?.isMuted);
  /** @type {(MenuItem | false)[]} */
  const items = [
    isUnread
      ? { label: t("group.markRead"), icon: "checks", action: () => conversation.markRead() }
      : { label: t("group.markUnread"), icon: "conversation", action: tried(() => conversation.markUnread()) },
    kind !== "self" && {
      label: t(isMuted ? "group.unmute" : "group.mute"), icon: isMuted ? "bell" : "bell-off",
      action: tried(() => conversation.mute(!isMuted)),
    },
    { label: t("group.hide"), icon: "eye-off", action: tried(async () => {
      await conversation.hide();
      onLeave?.();
    }) },
    "line",
    kind === "group" && {
      label: t("group.leave"), icon: "log-out", isDanger: true,
      action: tried(async () => (await import("./leave-dialog.js")).openLeave(root, { conversation, client, t })),
    },
    (kind === "single" || kind === "self") && {
      label: t("group.end"), icon: "trash", isDanger: true,
      action: confirmed(t("group.endConfirm"), t("group.end"), () => conversation.end()),
    },
    kind === "publicNews" && {
      label: t("news.unsubscribe"), icon: "log-out", isDanger: true, action: tried(() => conversation.leave()),
    },
  ];
  const shown = /** @type {MenuItem[]} */ (items.filter(Boolean));
  while (shown[shown.length - 1] === "line") shown.pop();
  return shown;
}

/**
 * Leaves an open channel.
 *
 * @param {Client} client
 * @param {string} channel
 */
export function leaveOpen(client, channel) {
  client.leaveOpenChannel(channel);
}
