import { named } from "../channels.js";

/** @typedef {import("../types.js").Member} Member */

/**
 * A user or member with other values, unless the channel has its own.
 * @template {import("../types.js").User & {hasNickname?: boolean, hasChannelImage?: boolean}} Person
 * @param {Person} person
 * @param {import("../protocol.js").UserProfile} profile the values that have changed
 * @returns {Person}
 */
function withProfile(person, { name, imageURL }) {
  const changed = { ...person };
  if (name && !person.hasNickname) changed.name = name;
  if (person.hasChannelImage) return changed;
  if (imageURL) changed.imageURL = imageURL;
  else if (imageURL !== undefined) delete changed.imageURL;
  return changed;
}

/**
 * The members after a user has another name or picture.
 * @param {Member[]} members
 * @param {import("../protocol.js").OwnRowBodies["user.profileChanged"]} change
 */
export function membersAfterProfile(members, { userID, profile }) {
  if (!members.some((member) => member.userID === userID)) return members;
  return members.map((member) => (member.userID === userID ? withProfile(member, profile) : member));
}

/**
 * A user, perhaps this one, has another name or picture.
 * @param {import("./apply-row.js").Known} known
 * @param {import("../protocol.js").OwnRowBodies["user.profileChanged"]} change
 * @param {number} sentAt in ms
 * @returns {import("./apply-row.js").Changes}
 */
export function profileChanged({ channels, user }, change, sentAt) {
  const changed = [...channels.values()].flatMap((channel) => {
    const members = membersAfterProfile(channel.members, change);
    return members === channel.members ? [] : named({ ...channel, members }, user.userID);
  });
  return {
    channels: changed,
    ...(change.userID === user.userID && { user: withProfile(user, change.profile) }),
    profile: { ...change, sentAt },
  };
}
