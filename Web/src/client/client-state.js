import { ChannelList } from "./channel-list.js";
import { ChannelReads } from "./channel-reads.js";
import { countedUnread, named, sum } from "./channels.js";
import { Drafts } from "./drafts.js";
import { Outbox } from "./outbox.js";
import { rowRange } from "./store.js";
import { Tabs } from "./tabs.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").User} User */
/** @typedef {import("./store.js").Change} Change */
/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./errors.js").RoostError} RoostError */

/** How long changes wait for others, to be stored together, in ms. */
const storePause = 50;
/** How many changes a tab keeps that another one writes. */
const maxUnwritten = 1000;

/** What one tab knows of a user, and what it writes into the store. */
export class ClientState extends EventTarget {
  constructor() {
    super();
    /** @type {"connecting" | "live" | "offline" | "refused" | "closed"} */
    this.state = "connecting";
    /** @type {User} */
    this.user = { userID: "", name: "" };
    /** @type {import("./types.js").Limits | null} */
    this.limits = null;
    /**
     * From where pictures of users and channels may be loaded, besides the server.
     * @type {string[]}
     */
    this.imageOrigins = [];
    this.isOperator = false;
    this.totalUnread = 0;
    /**
     * The unread messages of channels that are not loaded, such as hidden ones; `totalUnread` is these and those of
     * all that are.
     * @type {Map<string, number>}
     */
    this.elsewhere = new Map();
    /** How many rows of the user's own log, and own read marks, have changed channels. */
    this.ownChanges = 0;
    /**
     * The channel at whose end somebody reads now: what comes there is read already, although it is not marked yet.
     * @type {string | null}
     */
    this.attended = null;
    this.toldUnread = 0;
    /** @type {RoostError | null} */
    this.error = null;
    /**
     * Open invitations to groups.
     * @type {{channel: string, title?: string, byUserID?: string, byName?: string}[]}
     */
    this.invitations = [];
    /**
     * The ids of those whom the user has blocked; replaced with each change.
     * @type {Set<string>}
     */
    this.blocked = new Set();
    /** @type {Map<string, Channel>} */
    this.channels = new Map();
    /** @type {Map<string, Conversation>} */
    this.conversations = new Map();
    /**
     * The newest row of each channel that has come here, or before which nothing is missing; "" is the user's own log.
     * @type {Map<string, number>}
     */
    this.positions = new Map();
    /** What the store has of each channel: the first of its rows, and its position when it was read. */
    this.cached = /** @type {Map<string, {from: number, position: number}>} */ (new Map());
    this.drafts = new Drafts(this);
    /** @type {import("./store.js").Store | null} */
    this.store = null;
    this.storeName = "";
    this.deviceID = "";
    /** @type {Change[]} */
    this.changes = [];
    /** Whether this tab writes the store: it leads, and knows what an earlier leader has left. */
    this.isWriter = false;
    /**
     * All changes since the start that this tab did not write, because another one does; null if they are too many.
     * @type {Change[] | null}
     */
    this.unwritten = [];
    /** @type {Set<string>} */
    this.dirty = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.storeTimer = undefined;
    /** @type {Promise<void>} */
    this.writing = Promise.resolve();
    const client = /** @type {import("./client.js").Client} */ (/** @type {unknown} */ (this));
    this.list = new ChannelList(client);
    this.outbox = new Outbox(client);
    this.reads = new ChannelReads(client);
    /**
     * Set by `Client`.
     * @type {import("./sync.js").Sync}
     */
    this.sync;
    this.tabs = new Tabs(null, { onLead() {}, onMessage() {} });
  }

  /**
   * The user does not have a channel any more.
   * @param {string} id
   * @param {boolean} [isBanned] whether the user is banned from it
   * @param {import("./types.js").OwnRow} [event] what says so
   */
  drop(id, isBanned, event) {
    const channel = this.channels.get(id);
    if (channel) {
      this.channels.delete(id);
      this.list.changed();
    }
    this.count(id, channel, null);
    this.cached.delete(id);
    this.deleteRows(id);
    this.touch(id);
    this.conversations.get(id)?.left(isBanned, event);
  }

  /**
   * Changes a channel. One that is not loaded, such as a hidden one, is read, as it counts in the total, too.
   * @param {string} id
   * @param {Partial<Channel>} change
   */
  change(id, change) {
    const channel = this.channels.get(id);
    if (channel) this.put({ ...channel, ...change });
    else this.want(id);
  }

  /**
   * Takes a channel as the server gives it.
   * @param {import("./types.js").WireChannel} channel
   * @returns {boolean} false if it is older than rows that are known, so that something may be missing
   */
  setChannel(channel) {
    const known = this.channels.get(channel.channel);
    if (known && known.seq > channel.seq) return false;
    const { isHidden = false } = channel;
    this.put(named({ ...(known && keptOf(known)), ...channel, isHidden }, this.user.userID));
    return true;
  }

  /** @param {Channel} channel */
  put(channel) {
    const before = this.channels.get(channel.channel);
    this.channels.set(channel.channel, channel);
    this.count(channel.channel, before, channel);
    this.touch(channel.channel);
    this.list.changed();
    this.conversations.get(channel.channel)?.changed();
  }

  /**
   * @param {string} id
   * @param {Channel | undefined} before undefined if it was not loaded
   * @param {Channel | null} after
   */
  count(id, before, after) {
    const old = before ? countedUnread(before) : this.elsewhere.get(id) ?? 0;
    this.elsewhere.delete(id);
    this.addUnread(countedUnread(after) - old);
  }

  /** @param {[string, number][]} counts the unread messages of channels, also of some that are loaded */
  setElsewhere(counts) {
    const before = this.elsewhere;
    this.elsewhere = new Map(counts.filter(([id]) => !this.channels.has(id)));
    this.addUnread(sum([...this.elsewhere.values()]) - sum([...before.values()]));
  }

  /** @param {number} change */
  addUnread(change) {
    if (!change) return;
    this.totalUnread += change;
    this.touch(null);
    this.tellUnread();
  }

  /** The unread messages to show: all, without those of the channel at whose end somebody reads. */
  get shownUnread() {
    return this.totalUnread - countedUnread(this.channels.get(this.attended ?? ""));
  }

  /** @param {Iterable<string>} userIDs those who are blocked */
  setBlocked(userIDs) {
    const before = this.blocked;
    const blocked = new Set(userIDs);
    const changed = [...before, ...blocked].filter((each) => before.has(each) !== blocked.has(each));
    if (!changed.length) return;
    this.blocked = blocked;
    this.touch(null);
    // Rows of the list that show them are drawn again, as with each change.
    for (const { channel, members, lastMessage } of [...this.channels.values()]) {
      const typists = this.conversations.get(channel)?.typists;
      const isShown = changed.some((each) => lastMessage?.senderID === each || typists?.has(each) ||
        members.some(({ userID }) => userID === each));
      if (isShown) this.change(channel, {});
    }
    this.dispatchEvent(new Event("blocked"));
  }

  tellUnread() {
    const total = this.shownUnread;
    if (total === this.toldUnread) return;
    this.toldUnread = total;
    this.dispatchEvent(new CustomEvent("unread", { detail: { total } }));
  }

  /**
   * Somebody begins or ends to read at the end of a channel.
   * @param {string} channel
   * @param {boolean} isAttended
   */
  attend(channel, isAttended) {
    if (isAttended === (this.attended === channel)) return;
    this.attended = isAttended ? channel : null;
    // Its row is drawn again, as with each change.
    this.change(channel, {});
    this.tellUnread();
  }

  /**
   * Reads a channel again, soon and together with others.
   * @param {string} id
   */
  want(id) {
    this.reads.want(id);
  }

  /**
   * @param {"typing" | "queue"} type
   * @param {string} channel
   */
  tell(type, channel) {
    this.dispatchEvent(new CustomEvent(type, { detail: { channel } }));
  }

  /**
   * @param {string} channel "" for the user's own log
   * @param {number | null} seq null if it has no log any more
   */
  setPosition(channel, seq) {
    if (seq === null) this.positions.delete(channel);
    else this.positions.set(channel, seq);
    this.touch(channel);
  }

  /** @param {string | null} channel its position or its state has changed; null for those of the user */
  touch(channel) {
    this.dirty.add(channel ?? "");
    this.storeTimer ??= setTimeout(() => this.flush(), storePause);
  }

  /** @param {Change[]} changes */
  write(changes) {
    this.changes.push(...changes);
    this.storeTimer ??= setTimeout(() => this.flush(), storePause);
  }

  /**
   * Keeps a page of history that reaches down from what is stored.
   * @param {string} channel
   * @param {number} from the first row of the page
   * @param {Row[]} events
   * @param {number} [to] the row after the page; absent for the newest page
   */
  cache(channel, from, events, to) {
    const cached = this.cached.get(channel);
    if (!this.store || !this.isWriter || (to !== undefined && cached?.from !== to)) return;
    for (const event of events) this.changes.push({ in: "rows", put: event, key: [channel, event.seq] });
    this.cached.set(channel, { position: 0, ...cached, from });
    this.touch(channel);
  }

  /**
   * The newest rows of a channel that show, in a range of the store, ascending, with what this tab has not written.
   * @param {string} channel
   * @param {number} from
   * @param {number} to
   * @param {number} limit
   */
  async storedRows(channel, from, to, limit) {
    await this.flush();
    return this.edited(channel, (await this.store?.rows(channel, from, to, limit)) ?? []);
  }

  /**
   * The rows of a channel that came, and that this tab has not written, ascending.
   * @param {string} channel
   * @param {number} after the row before them
   */
  unwrittenRows(channel, after) {
    const rows = (this.unwritten ?? []).flatMap((change) =>
      change.in === "rows" && "put" in change && change.key[0] === channel && change.key[1] > after ? [change.put] : [],
    );
    return this.edited(channel, rows);
  }

  /**
   * Rows with the unwritten changes of them.
   * @param {string} channel
   * @param {Row[]} rows
   */
  edited(channel, rows) {
    const bySeq = new Map(rows.map((row) => [row.seq ?? 0, row]));
    for (const change of this.unwritten ?? []) {
      if (!("edit" in change) || change.key[0] !== channel) continue;
      const row = bySeq.get(change.key[1]);
      const edited = row && change.edit(row);
      if (edited) bySeq.set(change.key[1], edited);
      else bySeq.delete(change.key[1]);
    }
    return [...bySeq.values()];
  }

  /**
   * This tab writes the store from now on.
   * @param {{meta: Map<string, any>, channels: any[]} | null} stored what an earlier leader has left
   */
  startWriting(stored) {
    const left = new Map(stored?.channels.map((channel) => [channel.channel, channel]));
    const isKept = this.unwritten || stored?.meta.get("userSeq") === this.positions.get("");
    for (const [id, cached] of this.cached) {
      const { from = null, position = null } = left.get(id) ?? {};
      // Rows that this tab has not written, or that the leader has given up, are missing in the store.
      if (isKept && (this.unwritten || position === this.positions.get(id)) && (from || !cached.position)) {
        cached.from = Math.max(cached.from, from ?? 0);
        if (cached.from !== from) this.touch(id);
      } else {
        this.cached.delete(id);
        this.deleteRows(id);
        this.touch(id);
      }
    }
    this.isWriter = true;
    for (const { id, timeline, hasLoaded } of this.conversations.values()) {
      if (!hasLoaded || timeline.hasAfter || this.cached.has(id)) continue;
      this.cache(id, timeline.from, timeline.rows);
    }
    this.touch(null);
  }

  /**
   * Deletes rows of a channel from the store.
   * @param {string} channel
   * @param {number} [to] the last of them; absent for all
   */
  deleteRows(channel, to) {
    if (this.store) this.changes.push({ in: "rows", delete: rowRange(channel, 0, to) });
  }

  /** Writes all changes into the store. @returns {Promise<void>} when they are there */
  flush() {
    clearTimeout(this.storeTimer);
    this.storeTimer = undefined;
    const changes = this.changes.splice(0);
    const dirty = [...this.dirty];
    if (!this.store || this.isWriter) this.dirty.clear();
    if (!this.store || this.state === "closed") return this.writing;
    const isOwn = (/** @type {Change} */ change) => change.in === "drafts" || change.in === "queue";
    const own = changes.filter(isOwn);
    const allowed = this.isWriter ? [...(this.unwritten ?? []), ...changes] : own;
    if (!this.isWriter) {
      this.unwritten?.push(...changes.filter((change) => !isOwn(change)));
      if (this.unwritten && this.unwritten.length > maxUnwritten) this.unwritten = null;
    } else {
      this.unwritten = [];
      for (const id of dirty) {
        if (!id) {
          const { user, limits, imageOrigins, totalUnread, blocked, positions } = this;
          const { epoch } = this.sync.book;
          const meta = { user, limits, imageOrigins, totalUnread, blocked, epoch, userSeq: positions.get("") ?? null };
          for (const [key, put] of Object.entries(meta)) allowed.push({ in: "meta", put, key });
          continue;
        }
        const position = this.positions.get(id) ?? null;
        const snapshot = this.channels.get(id);
        if (position === null && !snapshot) allowed.push({ in: "channels", delete: id });
        else {
          const from = this.cached.get(id)?.from ?? null;
          allowed.push({ in: "channels", put: { channel: id, position, from, ...(snapshot && { snapshot }) } });
        }
      }
    }
    if (allowed.length) {
      const { store } = this;
      this.writing = this.writing.then(() => {
        const written = this.isWriter ? allowed : own;
        return written.length ? store.write(written) : undefined;
      }).catch(() => {
        // A full disk costs the cache, never the conversation. The rows in the store stay as they are: later positions
        // would say that these are there, too.
        this.isWriter = false;
        this.unwritten = null;
        this.cached.clear();
        return own.length ? store.write(own) : undefined;
      }).catch(() => {});
    }
    return this.writing;
  }
}

/**
 * The fields that only some answers have.
 * @param {Channel} channel
 */
function keptOf({ createdAt, createdBy }) {
  return { ...(createdAt && { createdAt }), ...(createdBy && { createdBy }) };
}
