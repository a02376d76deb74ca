import { membersAfter, membersAfterProfile, reactedRow, recalledRow, withoutSnapshot } from "./channels.js";
import { ConversationActions } from "./conversation-actions.js";
import { Timeline, isMessage } from "./timeline.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Member} Member */

/** How many rows a page has. */
const pageRows = 50;
/** Somebody's typing is forgotten after this time, in ms. */
const typingTime = 10_000;
const mostMembers = 10_000;

/**
 * One channel as a screen shows it: history, live messages, own sends, typing, members and read marks.
 *
 * `open` it while it is on a screen and `close` it after that. Fires `change` after each change, at most once per turn
 * of the event loop; what it gives is replaced, never changed.
 */
export class Conversation extends ConversationActions {
  /**
   * @param {import("./client.js").Client} client
   * @param {string} id
   */
  constructor(client, id) {
    super(client, id);
    this.timeline = new Timeline(client.user.userID);
    this.isLoading = false;
    this.hasLoaded = false;
    /** Whether the channel does not exist for this user any more. */
    this.isGone = false;
    /** @type {import("./types.js").RoostError | null} */
    this.error = null;
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
    /**
     * The newest rows that arrived, for a page that was read before them.
     * @type {Event[]}
     */
    this.late = [];
    /**
     * The newest row of the store that this conversation has not read.
     * @type {number | null}
     */
    this.cacheTo = null;
    /**
     * What is being read from the store.
     * @type {Promise<void>}
     */
    this.reading = Promise.resolve();
    /** @type {Promise<void>} */
    this.turn = Promise.resolve();
  }

  /** The channel; null until it is known. */
  get channel() {
    return this.client.channels.get(this.id) ?? null;
  }

  /** @returns {import("./types.js").Item[]} */
  get items() {
    return this.timeline.items;
  }

  /** Whether there may be older messages. */
  get hasBefore() {
    return this.timeline.hasBefore;
  }

  /** Whether there are newer messages than the last item. */
  get hasAfter() {
    return this.timeline.hasAfter;
  }

  /** Those who are typing, without oneself. */
  get typing() {
    return [...this.typists].map(([userID, { name }]) => ({ userID, name }));
  }

  /** Whether this user may send: not to news, and not after having left. */
  get canWrite() {
    return !this.isGone && !this.channel?.kind.endsWith("News");
  }

  /** What was being written, also before a reload. */
  get draft() {
    return this.client.drafts.get(this.id);
  }

  /**
   * Keeps what is being written; nothing, when it was sent.
   * @param {Partial<import("./drafts.js").Draft>} draft
   */
  setDraft(draft) {
    this.client.drafts.set(this.id, draft);
  }

  /** Shows the conversation: loads its newest messages, joins an open channel. Call `close` as often as `open`. */
  async open() {
    if (this.opens++ > 0) return;
    const { channel } = this;
    this.separate(channel);
    this.isSeparated = this.client.sync.isLive;
    this.timeline.queue = this.client.outbox.of(this.id);
    this.timeline.changed();
    this.isLoading = !this.hasLoaded;
    this.changed();
    // What the store cannot give comes from the server.
    if (!this.hasLoaded) this.reading = this.loadStored().catch(() => {});
    await this.reading;
    if (this.client.sync.isLive) await this.refresh();
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
    if (this.channel?.kind === "open" && this.client.sync.open.delete(this.id)) {
      this.client.perform("channel.leave", { channel: this.id }).catch(() => {});
    }
    // A long history is read again.
    if (this.timeline.rows.length > 500) this.forget();
  }

  forget() {
    const { queue, separator, newCount } = this.timeline;
    this.timeline = Object.assign(new Timeline(this.client.user.userID), { queue, separator, newCount });
    this.hasLoaded = false;
    this.cacheTo = null;
  }

  async loadStored() {
    const { client, timeline } = this;
    if (!client.store) return;
    await client.flush();
    const cache = client.cached.get(this.id);
    const position = client.sync.logs.get(this.id)?.position ?? null;
    if (!cache || position === null) return;
    // Another tab writes the store, and may be behind.
    const to = client.isWriter ? position : cache.position;
    const newer = client.unwrittenRows(this.id, to);
    if (newer.length !== position - to) return;
    const rows = await client.storedRows(this.id, cache.from, to, pageRows);
    if (this.timeline !== timeline || this.hasLoaded || !rows.length) return;
    this.cacheTo = (rows[0].seq ?? 0) - 1;
    const hasBefore = this.cacheTo >= cache.from || cache.from > 1;
    timeline.replace(rows, { to, hasBefore, hasAfter: false });
    timeline.append(newer, { to: position });
    // Rows that came while the store was read.
    timeline.append(this.lateRows(position));
    this.isLoading = false;
    this.hasLoaded = true;
    this.changed();
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
      if (!this.hasLoaded) await this.loadNewest();
      await Promise.all([this.loadMembers(), this.loadVotes(), this.loadSchedules()]);
    } catch (error) {
      this.fail(error);
    }
    this.isLoading = false;
    this.changed();
  }

  async enter() {
    const { client, id } = this;
    if (!this.channel) {
      try {
        client.setChannel(await client.read("channel.get", { channel: id }));
      } catch (error) {
        // In dev mode the first to join makes the channel.
        if (/** @type {any} */ (error).code !== 1105 || id.includes(":")) throw error;
      }
    }
    if (this.channel && this.channel.kind !== "open") return;
    client.sync.open.add(id);
    const known = client.sync.logs.get(id)?.position ?? null;
    const joined = await client.read("channel.join", { channel: id });
    client.setChannel(joined);
    if (known === null) client.sync.begin(id, joined.seq);
    else client.sync.compare({ userSeq: 0, channels: [{ channel: id, seq: joined.seq }] });
  }

  /** Loads the newest page in place of what is there. */
  async loadNewest() {
    const page = await this.client.read("message.list", { channel: this.id, limit: pageRows });
    this.take(page);
    const first = page.hasBefore ? page.events[0]?.seq : 1;
    if (first !== undefined) this.client.cache(this.id, first, page.events);
  }

  /** @param {any} page */
  take(page) {
    const { timeline } = this;
    this.hasLoaded = true;
    this.isLoading = false;
    const last = page.hasAfter ? page.events.at(-1)?.seq ?? 0 : page.seq;
    timeline.replace(page.events, { to: last, hasBefore: page.hasBefore, hasAfter: page.hasAfter });
    if (!page.hasAfter) timeline.append(this.lateRows(last));
    this.cacheTo = null;
    this.changed();
  }

  /** Loads the page before the first item; from the store if it is there. */
  loadBefore() {
    return this.inTurn(async () => {
      const { timeline, client } = this;
      const from = timeline.from;
      if (!timeline.hasBefore || from === null) return;
      const cache = client.cached.get(this.id);
      if (cache && client.store && this.cacheTo !== null && this.cacheTo >= cache.from) {
        /** @type {Event[]} */
        const rows = await client.storedRows(this.id, cache.from, this.cacheTo, pageRows);
        if (timeline !== this.timeline) return;
        this.cacheTo = rows.length === pageRows ? (rows[0].seq ?? 0) - 1 : null;
        if (rows.length) return timeline.prepend(rows, cache.from > 1 || this.cacheTo !== null);
      }
      const page = await client.read("message.list", { channel: this.id, before: from, limit: pageRows });
      if (timeline !== this.timeline) return;
      timeline.prepend(page.events, page.hasBefore);
      const first = page.hasBefore ? page.events[0]?.seq : 1;
      if (!timeline.hasAfter && first !== undefined) client.cache(this.id, first, page.events, from);
    });
  }

  /** Loads the page after the last item. */
  loadAfter() {
    return this.inTurn(async () => {
      const { timeline, client } = this;
      if (!timeline.hasAfter) return;
      const page = await client.read("message.list", { channel: this.id, after: timeline.to, limit: pageRows });
      if (timeline !== this.timeline) return;
      timeline.append(page.events, { hasAfter: page.hasAfter, ...(!page.hasAfter && { to: page.seq }) });
      if (!page.hasAfter) timeline.append(this.lateRows(page.seq));
    });
  }

  /**
   * Loads the messages around one, if it is not there.
   * @param {string} messageID
   * @returns {Promise<void>} rejects with 1118 if it does not exist or may not be read
   */
  async loadAround(messageID) {
    if (this.timeline.find(messageID)) return;
    const page = await this.client.read("message.list", {
      channel: this.id,
      aroundMessage: messageID,
      limit: pageRows,
    });
    this.take(page);
    await this.loadVotes();
  }

  async loadMembers() {
    const { channel, client } = this;
    if (!channel || channel.kind === "open" || channel.kind.endsWith("News")) return;
    /** @type {Member[]} */
    const members = [];
    /** @type {string | undefined} */
    let cursor;
    do {
      const page = await client.read("member.list", { channel: this.id, limit: 500, ...(cursor && { cursor }) });
      members.push(...page.members);
      cursor = page.next;
    } while (cursor);
    this.setMembers(members);
  }

  async loadVotes() {
    const { timeline, client } = this;
    const ids = timeline.rows
      .filter((row) => row.body.vote && !row.body.recall && !timeline.votes.has(row.body.messageID))
      .map((row) => row.body.messageID);
    if (!ids.length) return;
    for (let start = 0; start < ids.length; start += 20) {
      try {
        const messageIDs = ids.slice(start, start + 20);
        const { votes } = await client.read("vote.get", { channel: this.id, messageIDs });
        for (const vote of votes) timeline.votes.set(vote.event.body.messageID, vote);
      } catch (error) {
        // They were recalled meanwhile.
        if (/** @type {any} */ (error).code !== 1118) throw error;
      }
    }
    timeline.changed();
    this.changed();
  }

  async loadSchedules() {
    if (!this.canWrite) return;
    const { schedules } = await this.client.read("schedule.list", { limit: 100 });
    this.schedules = schedules.filter((/** @type {any} */ schedule) => schedule.channels.includes(this.id));
    this.changed();
  }

  /** @param {Member[]} members */
  setMembers(members) {
    if (members === this.members) return;
    this.members = members;
    const me = this.client.user.userID;
    const isCounted = this.channel && this.channel.kind !== "open";
    this.timeline.marks = isCounted
      ? members.filter((member) => member.userID !== me).map((member) => member.readSeq).sort((a, b) => a - b)
      : [];
    this.timeline.changed();
    this.changed();
  }

  /** @param {number} seq */
  lateRows(seq) {
    return this.late.filter((row) => (row.seq ?? 0) > seq);
  }

  /**
   * The next row of the channel's log.
   * @param {Event} event
   */
  row(event) {
    const { timeline } = this;
    const { body } = event;
    this.late = [...this.late.slice(-100), event];
    this.setMembers(membersAfter(this.members, event, mostMembers));
    if (isMessage(event)) this.stopsTyping(event.senderID ?? "");
    if (event.event === "message.recalled" || event.event.startsWith("reaction.")) {
      const [fits, change] = editOf(event, this.client.user.userID);
      timeline.edit(fits, change);
      this.late = this.late.flatMap((row) => (fits(row) ? change(row) ?? [] : [row]));
    } else if (event.event === "vote.cast" || event.event === "vote.closed") {
      this.voteChanged(event);
    }
    if (this.hasLoaded && !timeline.hasAfter) timeline.append([event]);
    if (body.vote && this.opens) this.loadVotes().catch(() => {});
    timeline.changed();
    this.changed();
  }

  /** @param {Event} event */
  voteChanged(event) {
    const { body } = event;
    const vote = this.timeline.votes.get(body.messageID);
    if (!vote || vote.revision >= body.revision) return;
    const isOwn = event.senderID === this.client.user.userID && event.event === "vote.cast";
    this.timeline.votes.set(body.messageID, {
      ...vote,
      revision: body.revision,
      tally: body.tally,
      ...(event.event === "vote.closed" && { phase: "closed", closedAt: event.sentAt }),
      ...(isOwn && body.options && { ownOptions: body.options }),
    });
  }

  /**
   * Messages were deleted from this user's view.
   * @param {number[]} seqs
   */
  deleted(seqs) {
    const gone = new Set(seqs);
    this.timeline.edit((row) => gone.has(row.seq ?? 0), () => null);
    this.changed();
  }

  /**
   * Everything up to a row is gone for this user.
   * @param {number} seq
   */
  cleared(seq) {
    this.timeline.clear(seq);
    this.changed();
  }

  /** The log cannot be continued: its rows are read again. */
  reset() {
    this.forget();
    this.isLoading = true;
    if (this.opens && this.client.sync.isLive) this.refresh();
    this.changed();
  }

  /** The user does not have the channel any more. */
  left() {
    this.isGone = true;
    this.changed();
  }

  /** @param {any} change the body of `user.profileChanged` */
  profileChanged(change) {
    this.setMembers(membersAfterProfile(this.members, change));
  }

  /** The messages to be sent have changed. */
  queueChanged() {
    this.timeline.queue = this.client.outbox.of(this.id);
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
    if (userID === this.client.user.userID) return;
    clearTimeout(this.typists.get(userID)?.timer);
    this.typists.set(userID, { name, timer: setTimeout(() => this.stopsTyping(userID), typingTime) });
    this.changed();
  }

  /** @param {string} userID */
  stopsTyping(userID) {
    const typist = this.typists.get(userID);
    if (!typist) return;
    clearTimeout(typist.timer);
    this.typists.delete(userID);
    this.changed();
  }

  /** The connection is lost: whoever was typing is not known any more. */
  disconnected() {
    for (const userID of [...this.typists.keys()]) this.stopsTyping(userID);
    this.markSent = 0;
  }

  /**
   * One page at a time.
   * @param {() => Promise<void>} work
   */
  inTurn(work) {
    this.turn = this.turn.then(work).then(() => this.loadVotes()).then(
      () => this.changed(),
      (error) => this.fail(error),
    );
    return this.turn;
  }

  /** @param {unknown} error */
  fail(error) {
    const refusal = /** @type {import("./types.js").RoostError} */ (error);
    this.error = refusal;
    if (refusal.code === 1105 || refusal.code === 1117) this.isGone = true;
    this.changed();
  }
}

/**
 * What a recall or a reaction changes in other rows of its log.
 * @param {Event} event
 * @param {string} me
 * @returns {[(row: Event) => boolean, (row: Event) => Event | null]}
 */
export function editOf(event, me) {
  if (event.event !== "message.recalled") {
    return [(row) => row.seq === event.body.seq, (row) => reactedRow(row, event, me)];
  }
  const seqs = new Set(event.body.messages.map((/** @type {any} */ recalled) => recalled.seq));
  return [
    (row) => seqs.has(row.seq) || (seqs.has(row.body.replyTo?.seq) && !row.body.replyTo.isRecalled),
    (row) => {
      if (!seqs.has(row.seq)) return withoutSnapshot(row);
      return event.body.isSilent ? null : recalledRow(row, event);
    },
  ];
}
