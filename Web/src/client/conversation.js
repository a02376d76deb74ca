import { isMessage } from "./channels.js";
import { ConversationRows } from "./conversation-rows.js";
import { membersAfter } from "./rows/members.js";
import { membersAfterProfile } from "./rows/users.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Member} Member */

/** Somebody's typing is forgotten after this time, in ms. */
const typingTime = 10_000;
const maxMembers = 10_000;

/**
 * One channel as a screen shows it: history, live messages, own sends, typing, members and read marks.
 *
 * `open` it while it is on a screen and `close` it after that. Fires `change` after each change, at most once per turn
 * of the event loop; what it gives is replaced, never changed.
 */
export class Conversation extends ConversationRows {
  /**
   * @param {import("./core.js").Core} core
   * @param {string} id
   */
  constructor(core, id) {
    super(core, id);
    /**
     * All members, with their read marks.
     * @type {Member[]}
     */
    this.members = [];
    /** @type {import("./types.js").Schedule[]} */
    this.schedules = [];
    /** @type {Map<string, {name: string, timer: ReturnType<typeof setTimeout>}>} */
    this.typists = new Map();
    this.opens = 0;
    this.isSeparated = false;
    /** Whether the other member of a 1-on-1 was deleted, as far as it is known. */
    this.isPeerDeleted = false;
  }

  /** The channel; null until it is known. */
  get channel() {
    return this.core.state.channels.get(this.id) ?? null;
  }

  /** Those who are typing, without oneself and those whom the user has blocked. */
  get typing() {
    return [...this.typists].filter(([userID]) => !this.core.state.blocked.has(userID))
      .map(([userID, { name }]) => ({ userID, name }));
  }

  /** The other member of a 1-on-1 if the user has blocked that person; else undefined. */
  get blockedPeer() {
    const { channel, core: { state: { blocked } } } = this;
    return channel?.kind === "single" ? channel.members.find(({ userID }) => blocked.has(userID)) : undefined;
  }

  /**
   * Whether this user may send: not to news, not after having left, and not to a person who was deleted or is blocked.
   */
  get canWrite() {
    return this.takesMessages && !this.blockedPeer && !this.isPeerDeleted;
  }

  get takesMessages() {
    return !this.isGone && !this.channel?.kind.endsWith("News");
  }

  /** What was being written, also before a reload. */
  get draft() {
    return this.core.drafts.get(this.id);
  }

  /**
   * Keeps what is being written; nothing, when it was sent.
   * @param {Partial<import("./drafts.js").Draft>} draft
   */
  setDraft(draft) {
    this.core.drafts.set(this.id, draft);
  }

  /** Shows the conversation: loads its newest messages, joins an open channel. Call `close` as often as `open`. */
  async open() {
    if (this.opens++ > 0) return;
    const { channel } = this;
    this.separate(channel);
    this.isSeparated = this.core.sync.isLive;
    this.timeline.queue = this.core.outbox.of(this.id);
    this.timeline.changed();
    this.isLoading = !this.hasLoaded;
    this.changed();
    // What the store cannot give comes from the server.
    if (!this.hasLoaded) this.reading = this.loadStored().catch(() => {});
    await this.reading;
    if (this.core.sync.isLive) await this.refresh();
  }

  /**
   * Sets the separator above what is new; it stays where it is while the conversation is shown.
   * @param {import("./types.js").Channel | null} channel
   */
  separate(channel) {
    this.timeline.separator = channel?.unread ? channel.readSeq ?? 0 : null;
    this.timeline.newCount = channel?.unread ?? 0;
    this.timeline.changed();
  }

  /** The conversation is not shown any more. */
  close() {
    if (--this.opens > 0) return;
    this.userStoppedTyping();
    this.timeline.separator = null;
    this.timeline.changed();
    if (this.channel?.kind === "open" && this.core.sync.book.open.delete(this.id)) {
      this.core.sync.perform("channel.leave", { channel: this.id }).catch(() => {});
    }
    // A long history is read again.
    if (this.timeline.rows.length > 500) this.forget();
  }

  /** Brings everything up to date: after `open` and after each connect. */
  async refresh() {
    this.error = null;
    // What the store had of the channel may be from long ago.
    if (!this.isSeparated) this.separate(this.channel);
    this.isSeparated = true;
    try {
      if (!this.channel || this.channel.kind === "open") await this.enter();
      // The connection may be faster than the store.
      await this.reading;
      await (this.hasLoaded ? this.fill() : this.loadNewest());
      await Promise.all([this.loadMembers(), this.loadVotes(), this.loadSchedules(), this.loadPeer()]);
    } catch (error) {
      this.fail(error);
    }
    this.isLoading = false;
    this.changed();
  }

  async enter() {
    const { core, id } = this;
    if (!this.channel) {
      try {
        await core.reads.channel(id);
      } catch (error) {
        // In dev mode the first to join makes the channel.
        if (/** @type {Error} */ (error).name !== "channelNotFound" || id.includes(":")) throw error;
      }
    }
    if (this.channel && this.channel.kind !== "open") return;
    core.sync.book.open.add(id);
    const joined = await core.sync.ask("channel.join", { channel: id });
    core.state.set(joined);
    // A ban has ended; what was written meanwhile is missing.
    if (this.isGone) this.isGone = this.isBanned = this.hasLoaded = false;
    core.sync.tell({ type: "joined", channel: id, seq: joined.seq });
  }

  async loadMembers() {
    const { channel, core } = this;
    if (!channel || channel.kind === "open" || channel.kind.endsWith("News")) return;
    this.setMembers(await core.reads.current(async () => {
      /** @type {Member[]} */
      const members = [];
      /** @type {string | undefined} */
      let cursor;
      do {
        const page = await core.sync.ask("member.list", { channel: this.id, limit: 500, ...(cursor && { cursor }) });
        members.push(...page.members);
        cursor = page.next;
      } while (cursor);
      return members;
    }, () => [core.state.ownChanges, this.members]));
  }

  async loadSchedules() {
    if (!this.takesMessages) return;
    const { schedules } = await this.core.sync.ask("schedule.list", { limit: 100 });
    this.schedules = schedules.filter((schedule) => schedule.channels.includes(this.id));
    this.changed();
  }

  /** Looks whether the other member of a 1-on-1 was deleted. */
  async loadPeer() {
    const { channel, core } = this;
    const peer = channel?.kind === "single" && channel.members.find(({ userID }) => userID !== core.state.user.userID);
    // No event tells it. Who was deleted has no picture, and is not found.
    if (!peer || peer.imageURL) return;
    const found = await core.sync.ask("user.find", { userIDs: [peer.userID] }).catch(() => null);
    if (found) this.isPeerDeleted = !found.users.length;
  }

  /** @param {Member[]} members */
  setMembers(members) {
    if (members === this.members) return;
    this.members = members;
    const me = this.core.state.user.userID;
    const counted = this.channel && this.channel.kind !== "open" ? members : [];
    const others = counted.filter((member) => member.userID !== me);
    this.timeline.setMarks(new Map(others.map((member) => [member.userID, member.readSeq])));
    this.changed();
  }

  /**
   * The next row of the channel's log.
   * @param {Row} event
   */
  row(event) {
    this.setMembers(membersAfter(this.members, event, maxMembers));
    if (isMessage(event)) this.stopsTyping(event.senderID ?? "");
    this.addRow(event);
    if (isMessage(event) && event.body.vote && this.opens) this.loadVotes().catch(() => {});
    this.timeline.changed();
    this.changed();
  }

  /** This tab writes the store from now on: keeps what it has read before. */
  keep() {
    const { id, timeline, core: { cache } } = this;
    if (this.hasLoaded && !timeline.hasAfter && !cache.from(id)) cache.keep(id, timeline.from, timeline.rows);
  }

  /** @param {boolean} isNewEpoch whether the server has begun anew */
  welcomed(isNewEpoch) {
    this.timeline.me = this.core.state.user.userID;
    if (!isNewEpoch) return;
    // Rows have the numbers of others now.
    Object.assign(this.timeline, { gone: new Set(), floor: 0 });
    this.reset();
  }

  /** The user has joined the channel, perhaps again. */
  joined() {
    if (this.isGone) {
      // What was written meanwhile is missing.
      this.isGone = false;
      this.reset();
    } else if (this.opens && this.core.sync.isLive) {
      this.refresh();
    }
  }

  /** The log cannot be continued: its rows are read again. */
  reset() {
    this.forget();
    this.isLoading = true;
    if (this.opens && this.core.sync.isLive) this.refresh();
    this.changed();
  }

  /** @param {import("./protocol.js").OwnRowBodies["user.profileChanged"]} change */
  profileChanged(change) {
    this.setMembers(membersAfterProfile(this.members, change));
    if (this.opens && change.userID !== this.core.state.user.userID) this.loadPeer().then(() => this.changed());
  }

  /** The messages to be sent have changed. */
  queueChanged() {
    this.timeline.queue = this.core.outbox.of(this.id);
    this.timeline.changed();
    this.changed();
  }

  /** @param {any[]} marks */
  marksMoved(marks) {
    if (!marks.length) return;
    const moved = new Map(marks.map((mark) => [mark.userID, mark]));
    this.setMembers(
      this.members.map((member) => {
        const mark = moved.get(member.userID);
        return mark && mark.seq > member.readSeq ? { ...member, readSeq: mark.seq, readAt: mark.readAt } : member;
      }),
    );
  }

  /** @param {{userID: string, name: string}} typist */
  startsTyping({ userID, name }) {
    if (userID === this.core.state.user.userID) return;
    clearTimeout(this.typists.get(userID)?.timer);
    this.typists.set(userID, { name, timer: setTimeout(() => this.stopsTyping(userID), typingTime) });
    this.typingChanged();
  }

  /** @param {string} userID */
  stopsTyping(userID) {
    const typist = this.typists.get(userID);
    if (!typist) return;
    clearTimeout(typist.timer);
    this.typists.delete(userID);
    this.typingChanged();
  }

  typingChanged() {
    this.changed();
    this.core.typingChanged(this.id);
  }

  /** The connection is lost: whoever was typing is not known any more. */
  disconnected() {
    for (const userID of [...this.typists.keys()]) this.stopsTyping(userID);
    this.markSent = 0;
  }
}
