import { editOf } from "./changes.js";
import { ConversationActions } from "./conversation-actions.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("./types.js").Event} Event */

/** How many rows a page has. */
const pageRows = 50;

/** The rows of a conversation: pages of its log, from the store or from the server, and what changes in them. */
export class ConversationRows extends ConversationActions {
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

  /** @param {number} seq */
  lateRows(seq) {
    return this.late.filter((row) => (row.seq ?? 0) > seq);
  }

  /**
   * The next row of the channel's log.
   * @param {Event} event
   */
  addRow(event) {
    const { timeline } = this;
    this.late = [...this.late.slice(-100), event];
    if (event.event === "message.recalled" || event.event.startsWith("reaction.")) {
      const [fits, change] = editOf(event, this.client.user.userID);
      timeline.edit(fits, change);
      this.late = this.late.flatMap((row) => (fits(row) ? change(row) ?? [] : [row]));
    } else if (event.event === "vote.cast" || event.event === "vote.closed") {
      this.voteChanged(event);
    }
    if (this.hasLoaded && !timeline.hasAfter) timeline.append([event]);
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
