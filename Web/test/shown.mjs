// What a client shows, to be compared with what another one shows.

/**
 * A member without what no screen shows: how they came, and the mark, which `unreadBy` of the items shows. A sender who
 * has read everything moves the own mark, and mostly no event says so.
 */
const person = ({ joinedAt, byUserID, joinMethod, readSeq, readAt, ...member }) => member;

/** What a profile, a preference and a channel are without a field, which need not stand there. */
const defaults = { customAttributes: 0, avatar: "", background: "", canJoin: false, editors: "participants",
  history: "all", minMembers: 1, moderatorsMayRecall: true, noticesForwards: false,
  pinners: "participants", isMuted: false, isMarkedUnread: false, mentions: 0 };

/** Without the fields that have their default. */
function brief(value) {
  const left = Object.entries(value).filter(([name, each]) => defaults[name] !== each &&
    !(name === "historyRows" && value.history !== "last"));
  return left.length ? Object.fromEntries(left) : undefined;
}

/** A channel without what only `channel.get` or an event says, and without the mark, which `unread` follows. */
const listed = ({ readSeq, createdAt, createdBy, updatedAt, joinedAt, invitedBy, hiddenTo, ...channel }) => channel;

/** An item without the row up to which its reactions are known. */
function withPlainReactions(item) {
  if (!item.message?.reactions) return item;
  const { reactions: { kinds }, ...message } = item.message;
  return { ...item, message: { ...message, ...(kinds.length && { reactions: kinds }) } };
}

/**
 * What a client shows, as JSON, without what depends on when it began to look, and without what it could not send.
 *
 * @param {string[]} ids the channels whose items are compared, too
 */
export function shown(client, ids) {
  const channels = client.list.channels.map(({ members, profile, preference, ...each }) => (
    { ...brief(listed(each)), profile: brief(profile ?? {}), preference: brief(preference ?? {}),
      members: members.map(person) }));
  const conversations = ids.filter((id) => channels.some(({ channel }) => channel === id)).map((id) => {
    const conversation = client.conversation(id);
    const { members, schedules, state: { pages: { timeline } } } = conversation;
    timeline.separator = null;
    timeline.queue = timeline.queue.filter(({ state }) => state !== "failed");
    timeline.changed();
    return { id, members: members.map(person), schedules, items: timeline.items.map(withPlainReactions) };
  });
  const { totalUnread, user, invitations, blocked } = client;
  return JSON.parse(JSON.stringify({ channels, conversations, totalUnread, user, blocked: [...blocked].sort(),
    invitations: invitations.map(({ channel }) => channel).sort() }));
}
