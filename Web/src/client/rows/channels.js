import { named } from "../channels.js";
import { asMember } from "./members.js";

/** @typedef {import("../types.js").Channel} Channel */
/** @typedef {import("./apply-row.js").Known} Known */
/** @typedef {import("./apply-row.js").Changes} Changes */
/** @typedef {import("../protocol.js").OwnRowBodies} Bodies */

/**
 * The channel of a `channel.joined` of the user's own log.
 * @param {Extract<import("../types.js").OwnRow, {event: "channel.joined"}>} event
 * @param {string} me
 * @returns {Channel}
 */
function joinedChannel({ body, sentAt }, me) {
  const members = body.members.map((user) => asMember(user, "participant", 0));
  return named(
    {
      channel: body.channel,
      kind: body.kind,
      ...(body.title && { title: body.title }),
      role: body.role,
      members,
      memberCount: body.memberCount,
      seq: body.fromSeq,
      count: body.count,
      unread: 0,
      readSeq: body.fromSeq,
      lastActivityAt: sentAt ?? 0,
      ...(body.profile && { profile: body.profile }),
      isHidden: body.isHidden,
    },
    me,
  );
}

/**
 * @param {Channel} channel is changed
 * @param {import("../protocol.js").ChannelProfile} profile the values that have changed
 */
export function changeProfile(channel, { title, ...settings }) {
  if (title) channel.title = title;
  else if (title !== undefined) delete channel.title;
  const { historyRows, ...profile } = channel.profile ?? {};
  // The number of rows belongs to one choice of history.
  channel.profile = { ...profile, ...(!settings.history && historyRows && { historyRows }), ...settings };
}

/**
 * A channel with other values. One that is not loaded, such as a hidden one, is read, as it counts in the total, too.
 * @param {Known} known
 * @param {string} id
 * @param {Partial<Channel>} change
 * @returns {Changes}
 */
export function channelChanged({ channels }, id, change) {
  const channel = channels.get(id);
  return channel ? { channels: [{ ...channel, ...change }] } : { wanted: [id] };
}

/**
 * The invitations without that to a channel.
 * @param {Known} known
 * @param {string} channel
 * @returns {Changes}
 */
export function withoutInvitation({ invitations }, channel) {
  const others = invitations.filter((each) => each.channel !== channel);
  return others.length < invitations.length ? { invitations: others } : {};
}

/**
 * @param {Known} known
 * @param {Extract<import("../types.js").OwnRow, {event: "channel.joined"}>} event
 * @returns {Changes}
 */
export function channelJoined(known, event) {
  const { channel } = event.body;
  return {
    ...withoutInvitation(known, channel),
    ...(!known.channels.has(channel) && { channels: [joinedChannel(event, known.user.userID)] }),
    // The event has neither the roles nor what was published before.
    wanted: [channel],
    joined: channel,
  };
}

/**
 * @param {Known} known
 * @param {Bodies["channel.invited"]} body
 * @param {string} [byUserID]
 * @returns {Changes}
 */
export function channelInvited(known, { channel, title, byName }, byUserID) {
  const { invitations = known.invitations } = withoutInvitation(known, channel);
  return { invitations: [...invitations, { channel, title, byName, byUserID }] };
}

/**
 * @param {Known} known
 * @param {Bodies["channel.hidden"]} body
 * @returns {Changes}
 */
export function channelsHidden({ channels }, body) {
  /** @type {Channel[]} */
  const changed = [];
  /** @type {string[]} */
  const wanted = [];
  for (const { channel: id, seq } of body.channels) {
    const channel = channels.get(id);
    if (channel) changed.push({ ...channel, isHidden: !((channel.lastMessage?.seq ?? 0) > seq), hiddenTo: seq });
    if (!channel || channel.seq > seq) wanted.push(id);
  }
  return { channels: changed, wanted };
}

/**
 * Everything up to a row is gone for this user.
 * @param {Known} known
 * @param {Bodies["channel.cleared"]} body
 * @param {boolean} isEnded whether the conversations are out of the list, too
 * @returns {Changes}
 */
export function channelsCleared({ channels }, body, isEnded) {
  return {
    channels: body.channels.flatMap(({ channel: id, seq }) => {
      const channel = channels.get(id);
      return channel ? {
        ...channel,
        ...(isEnded && { isHidden: true, hiddenTo: seq }),
        ...(seq >= channel.seq && { unread: 0, mentions: 0 }),
        lastMessage: undefined,
        readSeq: seq,
      } : [];
    }),
    wanted: body.channels.map(({ channel }) => channel),
    cleared: body.channels,
  };
}
