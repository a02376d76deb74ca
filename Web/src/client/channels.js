import { compareBytes } from "./ids.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").MessageRow} MessageRow */
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
 * @param {Extract<import("./types.js").OwnRow, {event: "channel.joined"}>} event
 * @param {string} me
 * @returns {Channel}
 */
export function joinedChannel({ body, sentAt }, me) {
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
 * @param {User} user
 * @param {import("./types.js").Role} role
 * @param {number} readSeq
 * @returns {Member}
 */
const asMember = (user, role, readSeq) => ({ ...user, role, readSeq, readAt: 0 });

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
      const { member: changed, hasNickname } = row.body;
      return members.map((member) => {
        if (member.userID !== changed.userID) return member;
        const { imageURL, ...rest } = member;
        return { ...rest, ...changed, hasNickname };
      });
    }
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
 * @param {MessageRow} row
 */
function isLast({ event, body }) {
  if (event === "message.announced") return true;
  if (body.recall?.isSilent) return false;
  return body.type === "custom" ? ((body.attributes ?? 0) & 32) !== 0 : !neverLast.test(body.type);
}

/**
 * @param {Row} row
 * @returns {row is MessageRow}
 */
export const isMessage = (row) => row.event === "message.sent" || row.event === "message.announced";

/**
 * The channel after the next row of its log.
 * @param {Channel} channel
 * @param {Row} row a row that the channel does not include yet
 * @param {string} me
 * @returns {{channel: Channel, isUnclear: boolean}} `isUnclear` if the channel has to be read again
 */
export function channelAfter(channel, row, me) {
  const { seq } = row;
  if (seq <= channel.seq) return { channel, isUnclear: false };
  /** @type {Channel} */
  const next = { ...channel, seq, lastActivityAt: row.sentAt ?? channel.lastActivityAt };
  let isUnclear = false;
  if (isMessage(row)) {
    addMessage(next, row, me);
  } else if (row.event === "message.recalled") {
    isUnclear = recall(next, row, me);
  } else {
    const members = membersAfter(channel.members, row);
    if (members !== channel.members) next.members = members;
    if ("memberCount" in row.body && row.body.memberCount !== undefined) next.memberCount = row.body.memberCount;
    if (row.event === "member.roleChanged") {
      const own = row.body.members.find(({ userID }) => userID === me);
      if (own) next.role = own.role;
    } else if (row.event === "member.left") {
      if (row.body.successor === me) next.role = "admin";
    } else if (row.event === "channel.profileChanged") {
      const { title, ...settings } = row.body.profile;
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

/**
 * @param {Channel} channel is changed
 * @param {MessageRow} row
 * @param {string} me
 */
function addMessage(channel, row, me) {
  const { body, seq } = row;
  if (isLast(row)) channel.lastMessage = row;
  // It may be from before the user has hidden the channel: the rows of two logs have no order.
  if (seq > (channel.hiddenTo ?? 0) && (isLast(row) || channel.kind.endsWith("News"))) channel.isHidden = false;
  if (!(body.count > channel.count)) return;
  channel.count = body.count;
  // An open channel has no marks.
  if (channel.kind === "open") return;
  if (row.senderID === me) {
    if (!channel.unread) channel.readSeq = seq;
  } else if (!body.recall) {
    channel.unread = (channel.unread ?? 0) + 1;
    if (body.mentions?.some(({ userID }) => userID === me)) channel.mentions = (channel.mentions ?? 0) + 1;
  }
}

/**
 * @param {Channel} channel is changed
 * @param {import("./types.js").RecallRow} row
 * @param {string} me
 * @returns {boolean} whether the channel has to be read again
 */
function recall(channel, row, me) {
  let isUnclear = false;
  const last = channel.lastMessage;
  for (const { seq, senderID, wasCounted } of row.body.messages) {
    // The user may have deleted it before, and it may have named the user.
    if (wasCounted && seq > (channel.readSeq ?? 0) && senderID !== me) isUnclear = true;
    if (!last) continue;
    if (seq === last.body.replyTo?.seq) channel.lastMessage = withoutSnapshot(last);
    if (seq !== last.seq) continue;
    if (row.body.isSilent) isUnclear = true;
    else channel.lastMessage = recalledRow(last, row);
  }
  return isUnclear;
}

/** The fields of a message that a recall leaves. */
const shellFields = ["messageID", "type", "senderName", "senderImageURL", "count"];

/**
 * A row after its message was recalled.
 * @param {MessageRow} row
 * @param {import("./types.js").RecallRow} event
 * @returns {MessageRow}
 */
export function recalledRow(row, event) {
  const { isSilent, byName, byRole } = event.body;
  const kept = /** @type {MessageRow["body"]} */ (
    Object.fromEntries(Object.entries(row.body).filter(([name]) => shellFields.includes(name))));
  const recall = { isSilent, at: event.sentAt, byUserID: event.senderID, byName, ...(byRole && { byRole }) };
  return { ...row, body: { ...kept, text: "", recall } };
}

/**
 * A row after a message that it answers was recalled.
 * @param {MessageRow} row
 * @returns {MessageRow}
 */
export function withoutSnapshot(row) {
  if (!row.body.replyTo) return row;
  const { messageID, seq, senderID, senderName, type, sentAt } = row.body.replyTo;
  const replyTo = { messageID, seq, senderID, senderName, type, sentAt, text: "", isRecalled: true };
  return { ...row, body: { ...row.body, replyTo } };
}

/** @param {string} emoji which may be spelled with or without the selector that shows it as a picture */
export const plainEmoji = (emoji) => emoji.replaceAll("\ufe0f", "");

/**
 * A row after a `reaction.added` or `reaction.removed`; the same row if it includes that already.
 * @param {MessageRow} row
 * @param {import("./types.js").ReactionRow} event
 * @param {string} me
 * @returns {MessageRow}
 */
export function reactedRow(row, event, me) {
  const reactions = row.body.reactions ?? { head: row.seq, kinds: [] };
  const head = event.seq;
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
