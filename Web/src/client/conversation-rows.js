import { isMessage } from "./channels.js";
import { editOf, isEdit, replayed } from "./rows/edits.js";
import { ConversationActions } from "./conversation-actions.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./errors.js").RoostError} RoostError */
/**
 * A page of the store, or of the server.
 * @typedef {{events: Row[], from: number, hasBefore: boolean, isStored?: boolean, seq?: number}} RowPage
 * @typedef {RowPage & {to: number, seq: number, hasAfter: boolean}} ServerPage
 */

/** How many rows that show a page has. */
const pageRows = 50;
/** So many rows that show fill a screen. */
const screenRows = 15;
/** So many of the newest rows are kept while a page is read. */
const maxLate = 1_000;

/** The rows of a conversation: pages of its log, from the store or from the server, and what changes in them. */
export class ConversationRows extends ConversationActions {
  /**
   * @param {import("./core.js").Core} core
   * @param {string} id
   */
  constructor(core, id) {
    super(core, id);
    this.timeline = new Timeline(core.state.user.userID);
    this.isLoading = false;
    this.hasLoaded = false;
    /** Whether the channel does not exist for this user any more. */
    this.isGone = false;
    /** Whether that is because the user is banned from it. */
    this.isBanned = false;
    /**
     * What has ended it for this user, if an event tells.
     * @type {import("./types.js").OwnRow | null}
     */
    this.ending = null;
    /** @type {import("./types.js").RoostError | null} */
    this.error = null;
    /**
     * The newest rows that arrived, for a page that was read before them.
     * @type {Row[]}
     */
    this.late = [];
    /** How many pages are being read. */
    this.readers = 0;
    /** Whether the store has what is before the first row. */
    this.hasStored = false;
    /**
     * What is being read from the store.
     * @type {Promise<void>}
     */
    this.reading = Promise.resolve();
    /** @type {Promise<void>} */
    this.turn = Promise.resolve();
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

  forget() {
    const { queue, separator, newCount, gone, floor } = this.timeline;
    const kept = { queue, separator, newCount, gone, floor };
    this.timeline = Object.assign(new Timeline(this.core.state.user.userID), kept);
    this.hasLoaded = false;
    this.hasStored = false;
  }

  async loadStored() {
    const { core, timeline } = this;
    await core.cache.flush();
    const range = core.cache.range(this.id);
    if (!range) return;
    const { to, position, newer } = range;
    const page = await this.storedPage(range.from, to);
    if (this.timeline !== timeline || this.hasLoaded || !page.events.length) return;
    this.hasStored = page.isStored ?? false;
    timeline.replace(page.events, { ...page, to, hasAfter: false });
    timeline.append(newer, { to: position });
    // Rows that came while the store was read.
    timeline.append(this.lateRows(position));
    this.isLoading = false;
    this.hasLoaded = true;
    this.changed();
  }

  /**
   * The newest rows that show, of a range of the store, as they are after what has come meanwhile.
   * @param {number} first
   * @param {number} to
   * @returns {Promise<RowPage>}
   */
  async storedPage(first, to) {
    const { core } = this;
    const head = core.cache.position(this.id) ?? 0;
    const rows = await this.reads(core.cache.rows(this.id, first, to, pageRows));
    const isStored = rows.length === pageRows && rows[0].seq > first;
    const from = isStored ? rows[0].seq : first;
    const events = replayed(rows, this.lateRows(head), core.state.user.userID);
    return { events, from, hasBefore: from > 1, isStored };
  }

  /**
   * A page of the server that counts rows that show, as they are after what has come meanwhile.
   * @param {{before?: number, after?: number, aroundMessage?: string}} [where] the newest if absent
   * @returns {Promise<ServerPage>}
   */
  async readPage(where) {
    const body = { channel: this.id, onlyShown: true, limit: pageRows, ...where };
    for (let tries = 0; ; tries += 1) {
      const page = await this.reads(this.core.sync.ask("message.list", body));
      const late = this.lateRows(page.seq);
      // So many that the first of them may be forgotten.
      if (late.length >= maxLate && tries < 3) continue;
      const events = replayed(page.events, late, this.core.state.user.userID);
      return { ...page, events: events.filter((event) => this.timeline.isShown(event)) };
    }
  }

  /**
   * While pages are read, more of what comes is kept.
   * @template T
   * @param {Promise<T>} page
   */
  async reads(page) {
    this.readers += 1;
    return page.finally(() => (this.readers -= 1));
  }

  /** Loads the newest page in place of what is there. */
  async loadNewest() {
    const page = await this.readPage();
    this.take(page);
    this.cache(page);
    await this.fill();
  }

  /**
   * @param {RowPage} page
   * @param {number} [before] the row after it; absent for the newest page
   */
  cache({ from, events }, before) {
    this.core.cache.keep(this.id, Math.max(from, this.timeline.floor + 1), events, before);
  }

  /** @param {ServerPage} page */
  take(page) {
    const { timeline } = this;
    const to = page.hasAfter ? page.to : page.seq;
    this.hasLoaded = true;
    this.isLoading = false;
    timeline.replace(page.events, { ...page, to });
    if (!page.hasAfter) timeline.append(this.lateRows(to));
    this.hasStored = false;
    this.changed();
  }

  /** Reads on until a screen is full: a page may have few rows that show. */
  async fill() {
    for (let from = 0; this.hasBefore && this.timeline.rows.length < screenRows && from !== this.timeline.from; ) {
      ({ from } = this.timeline);
      await this.loadBefore();
    }
  }

  /** Loads what shows before the first item; from the store if it is there. */
  loadBefore() {
    return this.inTurn(async () => {
      const { timeline, core } = this;
      while (timeline.hasBefore && timeline === this.timeline) {
        const before = timeline.from;
        const first = this.hasStored && core.cache.from(this.id);
        const page = await (first && first < before ? this.storedPage(first, before - 1) : this.readPage({ before }));
        if (timeline !== this.timeline) return;
        this.hasStored = page.isStored ?? false;
        // A server that has no more although it says so is asked no further.
        timeline.prepend(page.events, { ...page, hasBefore: page.hasBefore && page.from < before });
        if (page.seq && !timeline.hasAfter) this.cache(page, before);
        if (page.events.length) return;
      }
    });
  }

  /** Loads what shows after the last item. */
  loadAfter() {
    return this.inTurn(async () => {
      const { timeline } = this;
      while (timeline.hasAfter) {
        const after = timeline.to;
        const page = await this.readPage({ after });
        if (timeline !== this.timeline) return;
        const to = page.hasAfter ? page.to : page.seq;
        timeline.append(page.events, { to, hasAfter: page.hasAfter && to > after });
        if (!page.hasAfter) timeline.append(this.lateRows(to));
        if (page.events.length) return;
      }
    });
  }

  /**
   * Loads the messages around one, if it is not there.
   * @param {string} messageID
   * @param {() => boolean} [isWanted] whether the page is still to be shown when it has come; always if absent
   * @returns {Promise<void>} rejects with `messageNotFound` if it does not exist or may not be read
   */
  async loadAround(messageID, isWanted = () => true) {
    if (this.timeline.find(messageID)) return;
    const page = await this.readPage({ aroundMessage: messageID });
    if (!isWanted()) return;
    this.take(page);
    await this.loadVotes();
  }

  async loadVotes() {
    const { timeline, core } = this;
    const ids = timeline.rows.filter(isMessage)
      .filter(({ body }) => body.vote && !body.recall && !timeline.votes.has(body.messageID))
      .map(({ body }) => body.messageID);
    if (!ids.length) return;
    for (let start = 0; start < ids.length; start += 20) {
      try {
        const messageIDs = ids.slice(start, start + 20);
        const { votes } = await core.sync.ask("vote.get", { channel: this.id, messageIDs });
        for (const vote of votes) timeline.votes.set(vote.event.body.messageID, vote);
        // They may have changed before the answer came.
        this.late.forEach((row) => this.voteChanged(row));
      } catch (error) {
        // They were recalled meanwhile.
        if (/** @type {RoostError} */ (error).name !== "messageNotFound") throw error;
      }
    }
    timeline.changed();
    this.changed();
  }

  /** @param {number} seq */
  lateRows(seq) {
    return this.late.filter((row) => row.seq > seq);
  }

  /**
   * The next row of the channel's log.
   * @param {Row} event
   */
  addRow(event) {
    const { timeline } = this;
    this.late.push(event);
    this.late.splice(0, this.late.length - (this.readers ? maxLate : 100));
    if (isEdit(event)) {
      const edit = editOf(event, this.core.state.user.userID);
      timeline.edit(edit);
      this.late = this.late.flatMap((row) => edit(row) ?? []);
    } else {
      this.voteChanged(event);
    }
    if (this.hasLoaded && !timeline.hasAfter) timeline.append([event]);
  }

  /** @param {Row} event */
  voteChanged(event) {
    if (event.event !== "vote.cast" && event.event !== "vote.closed") return;
    const { body } = event;
    const vote = this.timeline.votes.get(body.messageID);
    if (!vote || vote.revision >= body.revision) return;
    const isOwn = event.senderID === this.core.state.user.userID;
    this.timeline.votes.set(body.messageID, {
      ...vote,
      revision: body.revision,
      tally: body.tally,
      ...(event.event === "vote.closed" && { phase: "closed", closedAt: event.sentAt }),
      ...(isOwn && "options" in body && { ownOptions: body.options }),
    });
  }

  /**
   * Messages were deleted from this user's view.
   * @param {number[]} seqs
   */
  deleted(seqs) {
    const { gone } = this.timeline;
    // Also those of a page that is being read.
    for (const seq of seqs) gone.add(seq);
    this.timeline.edit((row) => (gone.has(row.seq) ? null : row));
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

  /**
   * The user does not have the channel any more.
   * @param {boolean} [isBanned]
   * @param {import("./types.js").OwnRow | null} [event]
   */
  left(isBanned = false, event = null) {
    this.isGone = true;
    this.ending = event;
    this.isBanned = isBanned;
    this.changed();
  }

  /** @param {unknown} error */
  fail(error) {
    const refusal = /** @type {RoostError} */ (error);
    this.error = refusal;
    // An invitation that is not answered yet has this code, too.
    const { name } = refusal;
    const isBanned = name === "noPrivilege" && !this.core.state.invitations.some(({ channel }) => channel === this.id);
    if (isBanned || name === "channelNotFound" || name === "notMember") this.left(isBanned);
    this.changed();
  }
}
