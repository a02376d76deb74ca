import { compareBytes } from "../ids.js";

/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").Member} Member */
/** @typedef {import("../types.js").User} User */

/** The most members of a channel that are kept with it; `Conversation.members` has all. */
const maxMembers = 100;

/**
 * @param {User} user
 * @param {import("../types.js").Role} role
 * @param {number} readSeq
 * @returns {Member}
 */
export const asMember = (user, role, readSeq) => ({ ...user, role, readSeq, readAt: 0 });

/**
 * The members after a row of the channel's log.
 * @param {Member[]} members ordered by user id
 * @param {Row} row
 * @param {number} limit how many to keep
 * @returns {Member[]} the same array if nothing changed
 */
export function membersAfter(members, row, limit = maxMembers) {
  const { seq } = row;
  switch (row.event) {
    case "member.invited":
    case "member.joined": {
      const [users, roles] = row.event === "member.joined" ? [[row.body.member]] : [row.body.members, row.body.roles];
      let changed = members;
      for (const user of users) {
        if (changed.length >= limit || changed.some((member) => member.userID === user.userID)) continue;
        const role = roles?.find((each) => each.userID === user.userID)?.role ?? "participant";
        changed = [...changed, asMember(user, role, seq)];
      }
      return changed === members ? members : changed.sort((a, b) => compareBytes(a.userID, b.userID));
    }
    case "member.left": {
      const { userID, successor } = row.body;
      return members.filter((member) => member.userID !== userID)
        .map((member) => (member.userID === successor ? { ...member, role: "admin" } : member));
    }
    case "member.kicked":
    case "member.banned": {
      const gone = new Set(row.body.members.map(({ userID }) => userID));
      return members.filter((member) => !gone.has(member.userID));
    }
    case "member.roleChanged": {
      const roles = new Map(row.body.members.map(({ userID, role }) => [userID, role]));
      return members.map((member) => ({ ...member, role: roles.get(member.userID) ?? member.role }));
    }
    case "member.profileChanged": {
      const { member: changed, hasNickname, hasChannelImage } = row.body;
      return members.map((member) => {
        if (member.userID !== changed.userID) return member;
        const { imageURL, hasNickname: _, hasChannelImage: __, ...rest } = member;
        const own = { ...(hasNickname && { hasNickname }), ...(hasChannelImage && { hasChannelImage }) };
        return { ...rest, ...changed, ...own };
      });
    }
    default:
      return members;
  }
}

/** By how much clocks of servers may differ, in ms. */
const clockSkew = 5_000;

/**
 * Whether a row names a member who has perhaps changed name or picture after it: the rows of two logs have no order.
 * @param {Row} row
 * @param {ReadonlyMap<string, number>} renamed when users have changed them
 */
export function namesOldProfile(row, renamed) {
  const users = row.event === "member.invited" ? row.body.members :
    row.event === "member.joined" || row.event === "member.profileChanged" ? [row.body.member] : [];
  return users.some(({ userID }) => (renamed.get(userID) ?? -Infinity) + clockSkew >= (row.sentAt ?? 0));
}

/**
 * @param {import("../types.js").Channel} channel is changed
 * @param {Row} row of its log
 * @param {string} me
 */
export function changeMembers(channel, row, me) {
  channel.members = membersAfter(channel.members, row);
  if ("memberCount" in row.body && row.body.memberCount !== undefined) channel.memberCount = row.body.memberCount;
  if (row.event === "member.roleChanged") {
    const own = row.body.members.find(({ userID }) => userID === me);
    if (own) channel.role = own.role;
  } else if (row.event === "member.left" && row.body.successor === me) {
    channel.role = "admin";
  }
}
