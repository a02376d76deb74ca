import { compareBytes } from "./ids.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").MessageRow} MessageRow */
/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").WireChannel} WireChannel */
/** @typedef {import("./types.js").Member} Member */
/** @typedef {import("./types.js").User} User */

/**
 * The title to show: the channel's own, else the names of the other members.
 * @param {WireChannel} channel
 * @param {string} me
 */
export function channelName(channel, me) {
  if (channel.title) return channel.title;
  const others = channel.members.filter((member) => member.userID !== me);
  return (others.length ? others : channel.members).map((member) => member.name).join(", ") || channel.channel;
}

/**
 * A channel with the title to show.
 * @param {WireChannel} channel
 * @param {string} me
 * @returns {Channel}
 */
export const named = (channel, me) => ({ ...channel, name: channelName(channel, me) });

/**
 * How many unread messages of a channel the total counts.
 * @param {{unread?: number, preference?: {isMuted?: boolean}} | null} [channel]
 */
export const countedUnread = (channel) => (channel?.preference?.isMuted ? 0 : channel?.unread ?? 0);

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/**
 * @param {Row} row
 * @returns {row is MessageRow}
 */
export const isMessage = (row) => row.event === "message.sent" || row.event === "message.announced";

/**
 * The order of the channel list: the newest activity first.
 * @param {WireChannel} a
 * @param {WireChannel} b
 */
export const byActivity = (a, b) => b.lastActivityAt - a.lastActivityAt || compareBytes(a.channel, b.channel);

/**
 * The picture of a channel: its own, or that of the other member of a 1-on-1.
 *
 * @param {import("./client.js").Client} client
 * @param {Channel} channel
 * @returns {{id: string, name: string, imageURL?: string}}
 */
export function pictureOf(client, channel) {
  const { kind, members, profile, name } = channel;
  if (kind !== "single") return { id: channel.channel, name, imageURL: profile?.avatar };
  const other = members.find(({ userID }) => userID !== client.user.userID);
  return other ? { id: other.userID, name: other.name, imageURL: other.imageURL } : { id: channel.channel, name };
}
