/** @typedef {import("./sync.js").Sync} Sync */
/** @typedef {import("./state.js").State} State */

/**
 * Reads the invitations of the user, with the names of those who have invited.
 * @param {Sync} sync
 * @param {State} state
 */
export async function readInvitations(sync, state) {
  try {
    const { channels } = await sync.ask("channel.query", { roles: ["invited"], limit: 100 });
    const ids = [...new Set(channels.flatMap(({ invitedBy }) => invitedBy ?? []))];
    const { users } = ids.length ? await sync.ask("user.get", { userIDs: ids.slice(0, 100) }) : { users: [] };
    const names = new Map(users.map(({ userID, name }) => [userID, name]));
    state.setInvitations(channels.map(({ channel, title, invitedBy }) => (
      { channel, title, byUserID: invitedBy, byName: names.get(invitedBy ?? "") })));
  } catch {
    // The next connect reads them again.
  }
}

/**
 * Reads whom the user has blocked.
 * @param {Sync} sync
 * @param {State} state
 * @returns {Promise<void>}
 */
export async function readBlocked(sync, state) {
  /** @type {string[]} */
  const ids = [];
  /** @type {string | undefined} */
  let cursor;
  const { blocked } = state;
  try {
    do {
      /** @type {import("./protocol.js").Commands["user.listBlocked"]["answer"]} */
      const page = await sync.ask("user.listBlocked", cursor ? { cursor } : {});
      // An event that came meanwhile may be newer than the pages.
      if (blocked !== state.blocked) return readBlocked(sync, state);
      ids.push(...page.users.map(({ user }) => user.userID));
      cursor = page.next;
    } while (cursor);
  } catch {
    // The next connect reads them again.
    return;
  }
  state.setBlocked(ids);
}
