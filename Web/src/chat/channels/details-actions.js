import { ask } from "../../ui/dialog.js";
import { choosePicture } from "../messages/pictures.js";
import { leaveOpen } from "./channel-menu.js";
import { openCreateGroup, openInvite, openRename } from "./group-dialogs.js";
import { openLeave } from "./leave-dialog.js";
import { personActions } from "./person-actions.js";
import { mayEdit } from "./roles.js";

/**
 * @typedef {import("./details-view.js").DetailsContext} DetailsContext
 * @typedef {import("../../client/types.js").Channel} Channel
 * @typedef {{label: string, icon: import("../../ui/icons.js").IconName, hint?: string, isDanger?: boolean,
 *   isOn?: boolean, run: () => unknown}} Action
 * @typedef {(Action | false | undefined)[]} Actions
 */

/** @param {Actions} actions */
const shown = (actions) => /** @type {Action[]} */ (actions.filter(Boolean));

/**
 * What the user may change in a conversation, or add to it.
 *
 * @param {DetailsContext} context
 * @param {Channel} channel
 * @param {{other?: {userID: string, name: string}, close: () => void}} options `other` is the other one of a 1-on-1,
 *   `close` ends the details
 * @returns {Action[]}
 */
export function changes(context, channel, { other, close }) {
  const { client, t, conversation, root, fail, open } = context;
  const { kind, role, profile } = channel;
  const isMuted = Boolean(channel.preference?.isMuted);
  const isLimited = profile?.pinners === "moderators";
  /** @param {Blob | null} picture */
  const setPicture = async (picture) => {
    if (picture) await conversation.setPicture(picture);
    else await client.perform("channel.setProfile", { channel: channel.channel, profile: { avatar: "" } });
  };
  return shown([
    kind !== "open" && kind !== "self" &&
      { label: t("group.mute"), hint: t("group.muteHint"), icon: "bell-off", isOn: isMuted,
        run: () => conversation.mute(!isMuted) },
    { label: t("media.title"), icon: "image",
      run: async () => (await import("../messages/media-dialog.js")).openMedia(context) },
    kind === "group" &&
      { label: t("group.invite"), icon: "person-add", run: () => openInvite(root, { client, t, conversation }) },
    other && open && !client.options.isVisitor && {
      label: t("new.group"), icon: "people",
      run: () => openCreateGroup(root, {
        client, t, members: [other], onFailure: fail,
        onSelect: (created) => {
          close();
          open(created);
        },
      }),
    },
    mayEdit(channel) && { label: t("group.rename"), icon: "edit", run: () => openRename(root, { t, conversation }) },
    mayEdit(channel) && {
      label: t("group.changePicture"), icon: "image",
      run: () => choosePicture((picture) => setPicture(picture).catch(fail)),
    },
    mayEdit(channel) && Boolean(channel.profile?.avatar) &&
      { label: t("group.removePicture"), icon: "trash", run: () => setPicture(null) },
    kind === "group" && role === "admin" &&
      { label: t("group.pinners"), icon: "pin", isOn: isLimited,
        run: () => client.perform("channel.setProfile", {
          channel: channel.channel, profile: { pinners: isLimited ? "participants" : "moderators" } }) },
  ]);
}

/**
 * What cannot be undone, and what takes the conversation away.
 *
 * @param {DetailsContext} context
 * @param {Channel} channel
 * @param {{other?: {userID: string, name: string}, close: () => void}} options as for `changes`
 * @returns {Action[]}
 */
export function endings(context, channel, { other, close }) {
  const { client, t, conversation, leave } = context;
  const { kind } = channel;
  return shown([
    kind !== "open" &&
      { label: t("group.hide"), hint: t("group.hideHint"), icon: "eye-off",
        run: async () => {
          await conversation.hide();
          close();
          leave?.();
        } },
    kind !== "open" && !kind.endsWith("News") && {
      label: t("group.clear"), icon: "trash", isDanger: true,
      run: confirmed(context, t("group.clearConfirm"), t("delete"),
        () => client.perform("message.delete", { scope: "channel", channel: channel.channel })),
    },
    ...(other ? personActions(context, other, close) : []),
    ...departures(context, channel, close),
    (kind === "single" || kind === "self") && {
      label: t("group.end"), icon: "close", isDanger: true,
      run: confirmed(context, t("group.endConfirm"), t("group.end"), () => conversation.end()),
    },
  ]);
}

/**
 * The ways out of a channel of several.
 *
 * @param {DetailsContext} context
 * @param {Channel} channel
 * @param {() => void} close
 * @returns {Actions}
 */
function departures(context, channel, close) {
  const { client, t, conversation, root, leave } = context;
  const { kind, role } = channel;
  return [
    kind === "group" && {
      label: t("group.leave"), icon: "log-out", isDanger: true,
      run: () => openLeave(root, { client, conversation, t }),
    },
    kind === "open" && leave && {
      label: t("open.leave"), icon: "log-out", isDanger: true,
      run: () => {
        close();
        leaveOpen(client, channel.channel);
        leave();
      },
    },
    kind === "publicNews" &&
      { label: t("news.unsubscribe"), icon: "log-out", isDanger: true, run: () => conversation.leave() },
    kind === "group" && role === "admin" && {
      label: t("group.dismiss"), icon: "trash", isDanger: true,
      run: confirmed(context, t("group.dismissConfirm", { title: channel.name }), t("group.dismiss"),
        () => conversation.dismiss()),
    },
  ];
}

/**
 * Work that is done if the user confirms it.
 *
 * @param {DetailsContext} context
 * @param {string} title
 * @param {string} action
 * @param {() => Promise<unknown>} work
 */
function confirmed({ root, t }, title, action, work) {
  return async () => {
    const question = { title, action, cancel: t("cancel"), closeLabel: t("close"), isDanger: true };
    if (await ask(root, question)) await work();
  };
}
