import { channelName, isMessage } from "../channels.js";
import {
  changeProfile, channelChanged, channelInvited, channelJoined, channelsCleared, channelsHidden, withoutInvitation,
} from "./channels.js";
import { editOf, isEdit } from "./edits.js";
import { changeMembers, namesOldProfile } from "./members.js";
import { addMessage, messagesDeleted } from "./messages.js";
import { purgeRows } from "./purges.js";
import { recallMessages } from "./recalls.js";
import { profileChanged } from "./users.js";

/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").OwnRow} OwnRow */
/** @typedef {import("../types.js").Channel} Channel */
/** @typedef {import("../types.js").Invitation} Invitation */

/**
 * What is known before a row.
 * @typedef {{user: import("../types.js").User, channels: ReadonlyMap<string, Channel>, invitations: Invitation[],
 *   blocked: ReadonlySet<string>, renamed?: ReadonlyMap<string, number>}} Known
 */

/**
 * What a row changes.
 * @typedef {Object} Changes
 * @property {Channel[]} [channels] as they are now
 * @property {string[]} [wanted] channels that have to be read, because no row says what they are now
 * @property {string} [joined] a channel that the user has joined
 * @property {{channel: string, isBanned: boolean}} [gone] a channel that the user does not have any more
 * @property {{channel: string, seq: number}[]} [cleared] rows up to which everything is gone, for this user or for all
 * @property {{channel: string, seqs: number[]}} [deleted] rows that are gone for this user
 * @property {{seqs: number[], edit: (row: Row) => Row | null}} [edited] other rows of the same log
 * @property {import("../types.js").User} [user] this user
 * @property {import("../protocol.js").OwnRowBodies["user.profileChanged"] & {sentAt: number}} [profile] of whoever has
 *   another one
 * @property {Iterable<string>} [blocked] all who are blocked
 * @property {Invitation[]} [invitations] all of them
 * @property {boolean} [hasSchedules] whether schedules have changed
 */

/**
 * What a row of a log changes: the only place that says so.
 * @param {Known} known
 * @param {Row | OwnRow} event the next row of its log
 * @returns {Changes}
 */
export const applyRow = (known, event) =>
  (event.userSeq === undefined ? applyChannelRow(known, event) : applyOwnRow(known, event));

/**
 * @param {Known} known
 * @param {Row} event
 * @returns {Changes}
 */
function applyChannelRow({ channels, user: { userID: me }, renamed }, event) {
  /** @type {Changes} */
  const changes = {};
  const channel = channels.get(event.channel);
  if (channel) {
    const { channel: next, isUnclear } = channelAfter(channel, event, me, renamed);
    if (next !== channel) changes.channels = [next];
    if (isUnclear) changes.wanted = [event.channel];
  } else if (isMessage(event) || event.event === "message.recalled") {
    changes.wanted = [event.channel];
  }
  if (event.event === "channel.purged") {
    changes.cleared = [{ channel: event.channel, seq: event.body.upTo }];
  } else if (isEdit(event)) {
    const seqs = event.event === "message.recalled" ? event.body.messages.map(({ seq }) => seq) : [event.body.seq];
    changes.edited = { seqs, edit: editOf(event, me) };
  }
  return changes;
}

/**
 * The channel after the next row of its log.
 * @param {Channel} channel
 * @param {Row} row
 * @param {string} me
 * @param {ReadonlyMap<string, number>} [renamed] when users have changed name or picture, as far as it is known
 * @returns {{channel: Channel, isUnclear: boolean}} the same channel if it includes the row already; `isUnclear` if it
 *   has to be read again
 */
export function channelAfter(channel, row, me, renamed = new Map()) {
  const { seq, event } = row;
  if (seq <= channel.seq) return { channel, isUnclear: false };
  /** @type {Channel} */
  const next = { ...channel, seq, lastActivityAt: row.sentAt ?? channel.lastActivityAt };
  let isUnclear = false;
  if (isMessage(row)) addMessage(next, row, me);
  else if (event === "message.recalled") isUnclear = recallMessages(next, row, me);
  else if (event === "channel.purged") isUnclear = purgeRows(next, row.body);
  else if (event === "channel.profileChanged") changeProfile(next, row.body.profile);
  else {
    changeMembers(next, row, me);
    isUnclear = namesOldProfile(row, renamed);
  }
  next.name = channelName(next, me);
  return { channel: next, isUnclear };
}

/**
 * @param {Known} known
 * @param {OwnRow} row
 * @returns {Changes}
 */
function applyOwnRow(known, row) {
  switch (row.event) {
    case "channel.joined":
      return channelJoined(known, row);
    case "channel.invited":
      return channelInvited(known, row.body, row.senderID);
    case "channel.left":
    case "channel.dismissed": {
      const { channel } = row.body;
      const isBanned = "reason" in row.body && row.body.reason === "banned";
      return { ...withoutInvitation(known, channel), gone: { channel, isBanned } };
    }
    case "channel.hidden":
      return channelsHidden(known, row.body);
    case "channel.ended":
    case "channel.cleared":
      return channelsCleared(known, row.body, row.event === "channel.ended");
    case "message.deleted":
      return messagesDeleted(known, row.body);
    case "channel.preferenceChanged":
      return channelChanged(known, row.body.channel, { preference: row.body.preference });
    case "channel.unreadMarked":
      return channelChanged(known, row.body.channel, { isMarkedUnread: row.body.isMarkedUnread });
    case "user.profileChanged":
      return profileChanged(known, row.body, row.sentAt ?? 0);
    case "user.blocked":
      return { blocked: [...known.blocked, row.body.user.userID] };
    case "user.unblocked": {
      const { userID } = row.body.user;
      return { blocked: [...known.blocked].filter((each) => each !== userID) };
    }
    default:
      return { hasSchedules: row.event.startsWith("schedule.") };
  }
}
