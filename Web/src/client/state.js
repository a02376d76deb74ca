import { named } from "./channels.js";
import { Unread } from "./unread.js";

/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").User} User */
/** @typedef {import("./types.js").Invitation} Invitation */

/**
 * Who is told of changes: `channel` of one that is loaded or dropped, `user` of what is stored about the user, `unread`
 * of the number to show, `want` of a channel that has to be read.
 * @typedef {{channel: (id: string) => void, user: () => void, unread: (total: number) => void,
 *   blocked: (changed: string[]) => void, invitations: () => void, want: (id: string) => void}} Listeners
 */

/** What one tab knows of a user: the channels that are loaded, unread messages, invitations, who is blocked. */
export class State {
  #tell;

  /** @param {Listeners} listeners */
  constructor(listeners) {
    this.#tell = listeners;
    /** @type {User} */
    this.user = { userID: "", name: "" };
    /** @type {import("./types.js").Limits | null} */
    this.limits = null;
    /** @type {string[]} */
    this.imageOrigins = [];
    this.isOperator = false;
    /**
     * When users have changed name or picture, as far as rows of the last 90 days have said so, in ms.
     * @type {Map<string, number>}
     */
    this.renamed = new Map();
    /** How many rows of the user's own log, and own read marks, have changed channels. */
    this.ownChanges = 0;
    /** @type {Invitation[]} */
    this.invitations = [];
    /**
     * Replaced with each change.
     * @type {Set<string>}
     */
    this.blocked = new Set();
    /** @type {Map<string, Channel>} */
    this.channels = new Map();
    this.unread = new Unread(this.channels, { total: listeners.user, shown: listeners.unread });
  }

  /** What the store keeps about the user. */
  get meta() {
    const { user, limits, imageOrigins, blocked, renamed, unread } = this;
    return { user, limits, imageOrigins, totalUnread: unread.total, blocked, renamed };
  }

  /**
   * Takes what the store holds.
   * @param {import("./cache.js").Stored} stored
   */
  restore({ meta, channels }) {
    this.user = meta.get("user") ?? this.user;
    this.limits = meta.get("limits") ?? null;
    this.imageOrigins = meta.get("imageOrigins") ?? [];
    this.blocked = meta.get("blocked") ?? this.blocked;
    this.renamed = meta.get("renamed") ?? this.renamed;
    for (const { channel, snapshot } of channels) if (snapshot) this.channels.set(channel, snapshot);
    if (this.channels.size) this.unread.restore(meta.get("totalUnread") ?? 0);
  }

  /**
   * @param {import("./protocol.js").Welcome} welcome
   * @param {boolean} isNewEpoch whether the server has begun anew
   */
  welcomed({ user, limits, imageOrigins = [], isOperator }, isNewEpoch) {
    Object.assign(this, { user, limits, imageOrigins, isOperator });
    // The rows of the user's own log go after that time, too.
    for (const [userID, time] of this.renamed) if (time < Date.now() - 90 * 86_400_000) this.renamed.delete(userID);
    if (isNewEpoch) {
      this.channels.clear();
      this.unread.reset();
    }
    this.#tell.user();
  }

  /** @param {Channel} channel */
  put(channel) {
    const id = channel.channel;
    const before = this.channels.get(id);
    this.channels.set(id, channel);
    this.unread.count(id, before, channel);
    this.#tell.channel(id);
  }

  /**
   * Changes a channel. One that is not loaded, such as a hidden one, is read, as it counts in the total, too.
   * @param {string} id
   * @param {Partial<Channel>} change
   */
  change(id, change) {
    const channel = this.channels.get(id);
    if (channel) this.put({ ...channel, ...change });
    else this.#tell.want(id);
  }

  /**
   * Takes a channel as the server gives it.
   * @param {import("./types.js").WireChannel} channel
   * @returns {boolean} false if it is older than rows that are known, so that something may be missing
   */
  set(channel) {
    const known = this.channels.get(channel.channel);
    if (known && known.seq > channel.seq) return false;
    const { createdAt, createdBy } = known ?? {};
    // Only some answers have these fields.
    const kept = { ...(createdAt && { createdAt }), ...(createdBy && { createdBy }) };
    this.put(named({ ...kept, isHidden: false, ...channel }, this.user.userID));
    return true;
  }

  /** @param {string} id of a channel that the user does not have any more */
  drop(id) {
    const channel = this.channels.get(id);
    this.channels.delete(id);
    this.unread.count(id, channel, null);
    this.#tell.channel(id);
  }

  /**
   * Somebody begins or ends to read at the end of a channel.
   * @param {string} channel
   * @param {boolean} isAttended
   */
  attend(channel, isAttended) {
    if (isAttended === (this.unread.attended === channel)) return;
    this.unread.attended = isAttended ? channel : null;
    // Its row is drawn again, as with each change.
    this.change(channel, {});
    this.unread.tell();
  }

  /** @param {Invitation[]} invitations */
  setInvitations(invitations) {
    this.invitations = invitations;
    this.#tell.invitations();
  }

  /** @param {Iterable<string>} userIDs those who are blocked */
  setBlocked(userIDs) {
    const before = this.blocked;
    const blocked = new Set(userIDs);
    const changed = [...before, ...blocked].filter((each) => before.has(each) !== blocked.has(each));
    if (!changed.length) return;
    this.blocked = blocked;
    this.#tell.user();
    // Rows of the list that show them are drawn again, as with each change.
    for (const channel of [...this.channels.values()]) {
      const shown = [channel.lastMessage?.senderID, ...channel.members.map(({ userID }) => userID)];
      if (changed.some((each) => shown.includes(each))) this.put({ ...channel });
    }
    this.#tell.blocked(changed);
  }
}
