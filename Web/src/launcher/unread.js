/**
 * How many messages are unread, in one conversation or in all.
 *
 * @param {import("../client/client.js").Client | null} client null before there is one
 * @param {string | null} channel the conversation
 * @param {string | null} user the other member of a 1-on-1; both null for all conversations
 */
export function unreadOf(client, channel, user) {
  const { channels, attended = null } = client ?? {};
  const one = channel ?? [...channels?.values() ?? []].find(({ kind, members }) => user && kind === "single" &&
    members.some(({ userID }) => userID === user))?.channel;
  if (!one && !user) return client?.shownUnread ?? 0;
  return one && one !== attended ? channels?.get(one)?.unread ?? 0 : 0;
}
