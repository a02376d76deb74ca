import { compareBytes } from "./ids.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").WireChannel} WireChannel */
/** @typedef {import("./types.js").Member} Member */
/** @typedef {import("./types.js").User} User */

/** The most members of a channel that are kept with it; `Conversation.members` has all. */
const maxMembers = 100;

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
 * The channel of a `channel.joined` of the user's own log.
 * @param {Event} event
 * @param {string} me
 * @returns {Channel}
 */
export function joinedChannel({ body, sentAt }, me) {
  const members = body.members.map((/** @type {User} */ user) => asMember(user, "participant", 0));
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
 * @param {User} user
 * @param {import("./types.js").Role} role
 * @param {number} readSeq
 * @returns {Member}
 */
const asMember = (user, role, readSeq) => ({ ...user, role, readSeq, readAt: 0 });

/**
 * The members after a row of the channel's log.
 * @param {Member[]} members ordered by user id
 * @param {Event} event
 * @param {number} limit how many to keep
 * @returns {Member[]} the same array if nothing changed
 */
export function membersAfter(members, { event, seq = 0, body }, limit = maxMembers) {
  switch (event) {
    case "member.invited":
    case "member.joined": {
      const users = event === "member.joined" ? [body.member] : body.members;
      let changed = members;
      for (const user of users) {
        if (changed.length >= limit || changed.some((member) => member.userID === user.userID)) continue;
        const role = body.roles?.find((/** @type {any} */ each) => each.userID === user.userID)?.role ?? "participant";
        changed = [...changed, asMember(user, role, seq)];
      }
      return changed === members ? members : changed.sort((a, b) => compareBytes(a.userID, b.userID));
    }
    case "member.left":
      return members.filter((member) => member.userID !== body.userID)
        .map((member) => (member.userID === body.successor ? { ...member, role: "admin" } : member));
    case "member.kicked":
    case "member.banned": {
      const gone = new Set(body.members.map((/** @type {User} */ user) => user.userID));
      return members.filter((member) => !gone.has(member.userID));
    }
    case "member.roleChanged": {
      const roles = new Map(body.members.map((/** @type {any} */ each) => [each.userID, each.role]));
      return members.map((member) =>
        roles.has(member.userID) ? { ...member, role: roles.get(member.userID) } : member,
      );
    }
    case "member.profileChanged":
      return members.map((member) => {
        if (member.userID !== body.member.userID) return member;
        const { imageURL, ...rest } = member;
        return { ...rest, ...body.member, hasNickname: body.hasNickname };
      });
    default:
      return members;
  }
}

/**
 * The members after a user has another name or picture.
 * @param {Member[]} members
 * @param {{userID: string, profile: {name?: string, imageURL?: string}}} change
 */
export function membersAfterProfile(members, { userID, profile }) {
  if (!members.some((member) => member.userID === userID)) return members;
  return members.map((member) => {
    if (member.userID !== userID) return member;
    const changed = { ...member };
    if (profile.name && !member.hasNickname) changed.name = profile.name;
    if (profile.imageURL !== undefined) {
      if (profile.imageURL) changed.imageURL = profile.imageURL;
      else delete changed.imageURL;
    }
    return changed;
  });
}

/** The types of messages that do not become the last message of a channel. */
const neverLast = /^(customQuiet|vote(?!Text).*|call.*|.*News)$/;

/**
 * Whether a message can be the last message of a channel.
 * @param {Event} event
 */
function isLast({ event, body }) {
  if (event === "message.announced") return true;
  if (event !== "message.sent" || body.recall?.isSilent) return false;
  return body.type === "custom" ? (body.attributes & 32) !== 0 : !neverLast.test(body.type);
}

/**
 * The channel after the next row of its log.
 * @param {Channel} channel
 * @param {Event} event a row that the channel does not include yet
 * @param {string} me
 * @returns {{channel: Channel, isUnclear: boolean}} `isUnclear` if the channel has to be read again
 */
export function channelAfter(channel, event, me) {
  const { body, seq = 0 } = event;
  if (seq <= channel.seq) return { channel, isUnclear: false };
  /** @type {Channel} */
  const next = { ...channel, seq, lastActivityAt: event.sentAt ?? channel.lastActivityAt };
  let isUnclear = false;
  if (event.event === "message.sent" || event.event === "message.announced") {
    if (isLast(event)) next.lastMessage = event;
    // It may be from before the user has hidden the channel: the rows of two logs have no order.
    if (seq > (channel.hiddenTo ?? 0) && (isLast(event) || channel.kind.endsWith("News"))) next.isHidden = false;
    if (body.count > channel.count) {
      next.count = body.count;
      if (channel.kind === "open") {
        // An open channel has no marks.
      } else if (event.senderID !== me) {
        if (!body.recall) {
          next.unread = (channel.unread ?? 0) + 1;
          const isMentioned = body.mentions?.some((/** @type {any} */ mention) => mention.userID === me);
          if (isMentioned) next.mentions = (channel.mentions ?? 0) + 1;
        }
      } else if (!channel.unread) {
        next.readSeq = seq;
      }
    }
  } else if (event.event === "message.recalled") {
    for (const recalled of body.messages) {
      const wasUnread = recalled.wasCounted && recalled.seq > (channel.readSeq ?? 0) && recalled.senderID !== me;
      // The user may have deleted it before, and it may have named the user.
      if (wasUnread) isUnclear = true;
      if (recalled.seq === channel.lastMessage?.body.replyTo?.seq) {
        next.lastMessage = withoutSnapshot(/** @type {Event} */ (channel.lastMessage));
      }
      if (recalled.seq !== channel.lastMessage?.seq) continue;
      if (body.isSilent) isUnclear = true;
      else next.lastMessage = recalledRow(/** @type {Event} */ (channel.lastMessage), event);
    }
  } else {
    const members = membersAfter(channel.members, event);
    if (members !== channel.members) next.members = members;
    if (body.memberCount !== undefined) next.memberCount = body.memberCount;
    if (event.event === "member.roleChanged") {
      const own = body.members.find((/** @type {any} */ each) => each.userID === me);
      if (own) next.role = own.role;
    } else if (event.event === "member.left") {
      if (body.successor === me) next.role = "admin";
    } else if (event.event === "channel.profileChanged") {
      const { title, ...settings } = body.profile;
      if (title !== undefined) {
        if (title) next.title = title;
        else delete next.title;
      }
      next.profile = { ...channel.profile, ...settings };
    }
  }
  next.name = channelName(next, me);
  return { channel: next, isUnclear };
}

/** The fields of a message that a recall leaves. */
const shellFields = ["messageID", "type", "senderName", "senderImageURL", "count"];

/**
 * A row after its message was recalled.
 * @param {Event} row
 * @param {Event} event the `message.recalled`
 * @returns {Event}
 */
export function recalledRow(row, event) {
  const kept = shellFields.filter((name) => name in row.body);
  const shell = Object.fromEntries(kept.map((name) => [name, row.body[name]]));
  const recall = {
    isSilent: event.body.isSilent,
    at: event.sentAt,
    byUserID: event.senderID,
    byName: event.body.byName,
    ...(event.body.byRole && { byRole: event.body.byRole }),
  };
  return { ...row, body: { ...shell, text: "", recall } };
}

/**
 * A row after a message that it answers was recalled.
 * @param {Event} row
 * @returns {Event}
 */
export function withoutSnapshot(row) {
  const { messageID, seq, senderID, senderName, type, sentAt } = row.body.replyTo;
  const replyTo = { messageID, seq, senderID, senderName, type, sentAt, text: "", isRecalled: true };
  return { ...row, body: { ...row.body, replyTo } };
}

/** @param {string} emoji */
const plainEmoji = (emoji) => emoji.replaceAll("\ufe0f", "");

/**
 * A row after a `reaction.added` or `reaction.removed`; the same row if it includes that already.
 * @param {Event} row
 * @param {Event} event
 * @param {string} me
 * @returns {Event}
 */
export function reactedRow(row, event, me) {
  const reactions = row.body.reactions ?? { head: row.seq, kinds: [] };
  const head = event.seq ?? 0;
  if (head <= reactions.head || row.body.recall) return row;
  const { emoji, count } = event.body;
  const isAdded = event.event === "reaction.added";
  /** @type {import("./types.js").Reaction[]} */
  let kinds = reactions.kinds;
  const index = kinds.findIndex((kind) => plainEmoji(kind.emoji) === plainEmoji(emoji));
  if (count === 0) {
    kinds = kinds.filter((_, place) => place !== index);
  } else {
    const old = kinds[index] ?? { emoji, isMine: false };
    const kind = { ...old, count, isMine: event.senderID === me ? isAdded : old.isMine };
    kinds = index < 0 ? [...kinds, kind] : kinds.map((each, place) => (place === index ? kind : each));
  }
  const body = { ...row.body };
  if (kinds.length) body.reactions = { head, kinds };
  else delete body.reactions;
  return { ...row, body };
}

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
