import { isMessage } from "./channels.js";
import { ConversationMembers } from "./conversation-members.js";
import { ConversationPages } from "./conversation-pages.js";
import { markAnswered } from "./rows/marks.js";
import { namesOldProfile } from "./rows/members.js";
import { Typing } from "./typing.js";

/** @typedef {import("./protocol.js").Commands} Commands */
/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").OwnRow} OwnRow */
/** @typedef {import("./types.js").RoostError} RoostError */

/** What one tab knows of a conversation, and how it is kept up to date while it is open. */
export class ConversationState {
  #core;
  #isSeparated = false;
  /** Up to where it was marked as read during this connection. */
  #markSent = 0;
  /** What was read while there was no connection; 0 if nothing was. */
  #markKept = 0;
  /** @type {Promise<void>} */
  #refreshing = Promise.resolve();

  /**
   * @param {import("./core.js").Core} core
   * @param {string} id
   * @param {() => void} changed
   */
  constructor(core, id, changed) {
    this.#core = core;
    this.id = id;
    this.changed = changed;
    this.pages = new ConversationPages(core, id, { changed, failed: (error) => this.#fail(error) });
    this.members = new ConversationMembers(core, id, () => {
      this.pages.timeline.setMarks(this.members.marks);
      changed();
    });
    this.typing = new Typing(core, id, changed);
    /**
     * The pinned messages; null until somebody wants them.
     * @type {import("./conversation-pins.js").ConversationPins | null}
     */
    this.pins = null;
    /** @type {import("./types.js").Schedule[]} */
    this.schedules = [];
    /** On how many screens it is. */
    this.opens = 0;
    /** Whether the channel does not exist for this user any more. */
    this.isGone = false;
    /** Whether that is because the user is banned from it. */
    this.isBanned = false;
    /**
     * What has ended it for this user, if an event tells.
     * @type {OwnRow | null}
     */
    this.ending = null;
    /** @type {RoostError | null} */
    this.error = null;
  }

  /** @returns {Channel | null} null until it is known */
  get channel() {
    return this.#core.state.channels.get(this.id) ?? null;
  }

  /** Whether messages can be sent to the channel at all. */
  get takesMessages() {
    return !this.isGone && !this.channel?.kind.endsWith("News");
  }

  /** Whether this user may send: not to news, not after having left, not to who was deleted or is blocked. */
  get canWrite() {
    return this.takesMessages && !this.blockedPeer && !this.members.isPeerDeleted;
  }

  /** Shows the conversation: loads its newest messages, joins an open channel. */
  async open() {
    if (this.opens++ > 0) return;
    const { pages } = this;
    const { sync } = this.#core;
    this.#separate();
    this.#isSeparated = sync.isLive;
    pages.isLoading = !pages.hasLoaded;
    this.queueChanged();
    if (!pages.hasLoaded) pages.loadStored();
    await pages.reading;
    if (sync.isLive) await this.refresh();
  }

  /** Sets the separator above what is new; it stays where it is while the conversation is shown. */
  #separate() {
    const { channel, pages: { timeline } } = this;
    timeline.separator = channel?.unread ? channel.readSeq ?? 0 : null;
    timeline.newCount = channel?.unread ?? 0;
    timeline.changed();
  }

  /** The conversation is not shown any more. */
  close() {
    if (--this.opens > 0) return;
    const { timeline } = this.pages;
    const { sync } = this.#core;
    this.typing.ownStops();
    this.pages.votes.stop();
    timeline.separator = null;
    timeline.changed();
    if (this.channel?.kind === "open" && sync.book.open.delete(this.id)) {
      sync.perform("channel.leave", { channel: this.id }).catch(() => {});
    }
    // A long history is read again.
    if (timeline.rows.length > 500) this.pages.forget();
  }

  /** Brings everything up to date: after `open` and after each connect. */
  refresh() {
    this.#refreshing = this.#refresh();
    return this.#refreshing;
  }

  async #refresh() {
    const { pages, members } = this;
    this.error = null;
    // What the store had of the channel may be from long ago.
    if (!this.#isSeparated) this.#separate();
    this.#isSeparated = true;
    try {
      if (!this.channel || this.channel.kind === "open") await this.#enter();
      // The connection may be faster than the store.
      await pages.reading;
      await (pages.hasLoaded ? pages.fill() : pages.loadNewest());
      // Without the pins, the conversation is what it was.
      this.pins?.load().catch(() => {});
      await Promise.all([members.load(), pages.votes.load(), this.loadSchedules(), members.loadPeer()]);
    } catch (error) {
      this.#fail(error);
    }
    pages.isLoading = false;
    this.changed();
  }

  async #enter() {
    const { id } = this;
    const { reads, state, sync } = this.#core;
    if (!this.channel) {
      try {
        await reads.channel(id);
      } catch (error) {
        // In dev mode the first to join makes the channel.
        if (/** @type {Error} */ (error).name !== "channelNotFound" || id.includes(":")) throw error;
      }
    }
    if (this.channel && this.channel.kind !== "open") return;
    sync.book.open.add(id);
    const joined = await sync.ask("channel.join", { channel: id });
    state.set(joined);
    // A ban has ended; what was written meanwhile is missing.
    if (this.isGone) this.isGone = this.isBanned = this.pages.hasLoaded = false;
    sync.tell({ type: "joined", channel: id, seq: joined.seq });
  }

  /** The other member of a 1-on-1 if the user has blocked that person; else undefined. */
  get blockedPeer() {
    const { channel } = this;
    const { blocked } = this.#core.state;
    return channel?.kind === "single" ? channel.members.find(({ userID }) => blocked.has(userID)) : undefined;
  }

  /**
   * Carries out a command about the channel.
   * @template {keyof Commands} Name
   * @param {Name} command
   * @param {Omit<Commands[Name]["body"], "channel">} body
   */
  perform(command, body) {
    return this.#core.sync.perform(command, /** @type {Commands[Name]["body"]} */ ({ channel: this.id, ...body }));
  }

  /**
   * Marks what is read; without a connection it is kept until there is one.
   * @param {number} [seq] everything up to this row is read; the newest if absent
   */
  markRead(seq) {
    const { channel } = this;
    const { sync, state } = this.#core;
    if (!channel || channel.kind === "open") return;
    const mark = Math.min(seq ?? channel.seq, channel.seq);
    if (!sync.isLive) {
      if (mark > this.#markKept) this.#markKept = mark;
      return;
    }
    const isNew = mark > Math.max(channel.readSeq ?? 0, this.#markSent);
    if (!isNew && !channel.isMarkedUnread) return;
    this.#markSent = Math.max(this.#markSent, mark);
    const { ownChanges } = state;
    sync.ask("readMark.set", { channel: this.id, seq: mark }).then(
      (answer) => this.#core.apply(
        markAnswered(state.channels, answer, channel.seq, ownChanges === state.ownChanges)),
      () => (this.#markSent = 0),
    );
  }

  async loadSchedules() {
    if (!this.takesMessages) return;
    const { schedules } = await this.#core.sync.ask("schedule.list", { limit: 100 });
    this.schedules = schedules.filter((schedule) => schedule.channels.includes(this.id));
    this.changed();
  }

  /** The pinned messages, which are read for the first time and kept up to date from then on. */
  async loadPins() {
    const { ConversationPins } = await import("./conversation-pins.js");
    // An open channel cannot be read before it is joined.
    await this.pages.reading;
    await this.#refreshing;
    if (this.pins) return this.pins;
    this.pins = new ConversationPins(this.#core, this);
    if (this.opens && this.#core.sync.isLive) await this.pins.load().catch(() => {});
    return this.pins;
  }

  /** @param {import("./types.js").Row} event the next row of the channel's log */
  row(event) {
    const { pages } = this;
    this.members.row(event);
    const { state, sync } = this.#core;
    // Without a connection they are read as soon as there is one.
    if (this.opens && sync.isLive && namesOldProfile(event, state.renamed)) this.members.load().catch(() => {});
    if (isMessage(event)) this.typing.stops(event.senderID ?? "");
    pages.addRow(event);
    this.pins?.row(event);
    if (isMessage(event) && event.body.vote && this.opens) pages.votes.load().catch(() => {});
    pages.timeline.changed();
    this.changed();
  }

  /** The user has joined the channel, perhaps again. */
  joined() {
    if (this.isGone) {
      // What was written meanwhile is missing.
      this.isGone = false;
      this.reset();
    } else if (this.opens && this.#core.sync.isLive) {
      this.refresh();
    }
  }

  /** @param {boolean} isNewEpoch whether the server has begun anew */
  welcomed(isNewEpoch) {
    const { timeline } = this.pages;
    timeline.me = this.#core.state.user.userID;
    if (!isNewEpoch) return;
    // Rows have the numbers of others now.
    Object.assign(timeline, { gone: new Set(), floor: 0 });
    this.#markKept = 0;
    this.reset();
  }

  /** The log cannot be continued: its rows are read again. */
  reset() {
    this.pages.forget();
    this.pins?.forget();
    this.pages.isLoading = true;
    if (this.opens && this.#core.sync.isLive) this.refresh();
    this.changed();
  }

  /** @param {import("./protocol.js").OwnRowBodies["user.profileChanged"]} change */
  profileChanged(change) {
    const { members } = this;
    members.profileChanged(change);
    if (this.opens && change.userID !== this.#core.state.user.userID) members.loadPeer().then(this.changed);
  }

  /** The messages to be sent have changed. */
  queueChanged() {
    const { timeline } = this.pages;
    timeline.queue = this.#core.outbox.of(this.id);
    timeline.changed();
    this.changed();
  }

  /** There is a connection again, and nothing is missing. */
  connected() {
    const mark = this.#markKept;
    this.#markKept = 0;
    if (mark > (this.channel?.readSeq ?? 0)) this.markRead(mark);
    if (this.opens) this.refresh();
  }

  /** The connection is lost. */
  disconnected() {
    this.typing.clear();
    this.pages.votes.stop();
    this.#markSent = 0;
  }

  /**
   * The user does not have the channel any more.
   * @param {boolean} [isBanned]
   * @param {OwnRow | null} [event]
   */
  left(isBanned = false, event = null) {
    this.isGone = true;
    this.pins?.forget();
    this.ending = event;
    this.isBanned = isBanned;
    this.changed();
  }

  /** @param {unknown} error */
  #fail(error) {
    const refusal = /** @type {RoostError} */ (error);
    this.error = refusal;
    // An invitation that is not answered yet has this code, too.
    const { name } = refusal;
    const isInvited = this.#core.state.invitations.some(({ channel }) => channel === this.id);
    const isBanned = name === "noPrivilege" && !isInvited;
    if (isBanned || name === "channelNotFound" || name === "notMember") this.left(isBanned);
    this.changed();
  }
}
