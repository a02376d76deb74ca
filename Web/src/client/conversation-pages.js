import { isMessage } from "./channels.js";
import { ConversationVotes } from "./conversation-votes.js";
import { editOf, isEdit, replayed } from "./rows/edits.js";
import { plainEmoji } from "./rows/reactions.js";
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
export class ConversationPages {
  #core;
  #channel;
  #changed;
  #failed;
  /**
   * The newest rows that arrived, for a page that was read before them.
   * @type {Row[]}
   */
  #late = [];
  /** How many pages are being read. */
  #readers = 0;
  /** Whether the store has what is before the first row. */
  #hasStored = false;
  /** @type {Promise<void>} */
  #turn = Promise.resolve();

  /**
   * @param {import("./core.js").Core} core
   * @param {string} channel
   * @param {{changed: () => void, failed: (error: unknown) => void}} listeners
   */
  constructor(core, channel, { changed, failed }) {
    this.#core = core;
    this.#channel = channel;
    this.#changed = changed;
    this.#failed = failed;
    this.timeline = new Timeline(core.state.user.userID);
    this.votes = new ConversationVotes(core, channel, this, changed);
    this.isLoading = false;
    this.hasLoaded = false;
    /** What is being read from the store. */
    this.reading = Promise.resolve();
  }

  /** The rows are read again when they are shown. */
  forget() {
    const { queue, separator, newCount, gone, floor } = this.timeline;
    const kept = { queue, separator, newCount, gone, floor };
    this.timeline = Object.assign(new Timeline(this.#core.state.user.userID), kept);
    this.hasLoaded = false;
    this.#hasStored = false;
  }

  /** Shows what the store has; what it cannot give comes from the server. */
  loadStored() {
    this.reading = this.#loadStored().catch(() => {});
  }

  async #loadStored() {
    const core = this.#core;
    const { timeline } = this;
    await core.cache.flush();
    const range = core.cache.range(this.#channel);
    if (!range) return;
    const { to, position, newer } = range;
    const page = await this.#storedPage(range.from, to);
    if (!page?.events.length || this.timeline !== timeline || this.hasLoaded) return;
    this.#hasStored = page.isStored ?? false;
    timeline.replace(page.events, { ...page, to, hasAfter: false });
    timeline.append(newer, { to: position });
    // Rows that came while the store was read.
    timeline.append(this.lateRows(position));
    this.isLoading = false;
    this.hasLoaded = true;
    this.#changed();
  }

  /**
   * The newest rows that show, of a range of the store, as they are after what has come meanwhile.
   * @param {number} first the first row that the store has
   * @param {number} to
   * @returns {Promise<RowPage | null>} null if the store has given up rows meanwhile, or more came than are kept
   */
  async #storedPage(first, to) {
    const core = this.#core;
    const head = core.cache.position(this.#channel) ?? 0;
    const rows = await this.#reads(core.cache.rows(this.#channel, first, to, pageRows));
    const late = this.lateRows(head);
    if (!first || core.cache.from(this.#channel) !== first || late.length >= maxLate) return null;
    const isStored = rows.length === pageRows && rows[0].seq > first;
    const from = isStored ? rows[0].seq : first;
    return { events: replayed(rows, late, core.state.user.userID), from, hasBefore: from > 1, isStored };
  }

  /**
   * A page of the server that counts rows that show, as they are after what has come meanwhile.
   * @param {{before?: number, after?: number, aroundMessage?: string}} [where] the newest if absent
   * @returns {Promise<ServerPage>}
   */
  async #readPage(where) {
    const body = { channel: this.#channel, onlyShown: true, limit: pageRows, ...where };
    for (;;) {
      const page = await this.#reads(this.#core.sync.ask("message.list", body));
      const late = this.lateRows(page.seq);
      // So many that the first of them may be forgotten: rows or changes would be missing for good.
      if (late.length >= maxLate) continue;
      const events = replayed(page.events, late, this.#core.state.user.userID);
      return { ...page, events: events.filter((event) => this.timeline.isShown(event)) };
    }
  }

  /**
   * While pages are read, more of what comes is kept.
   * @template T
   * @param {Promise<T>} page
   */
  async #reads(page) {
    this.#readers += 1;
    return page.finally(() => (this.#readers -= 1));
  }

  /** Loads the newest page in place of what is there. */
  async loadNewest() {
    const { timeline } = this;
    const page = await this.#readPage();
    // After a reset the newest page is read again, and this one may end before what has come since.
    if (timeline !== this.timeline) return;
    this.#take(page);
    this.#cache(page);
    await this.fill();
  }

  /**
   * @param {RowPage} page
   * @param {number} [before] the row after it; absent for the newest page
   */
  #cache({ from, events }, before) {
    this.#core.cache.keep(this.#channel, Math.max(from, this.timeline.floor + 1), events, before);
  }

  /**
   * Whether this user has reacted to a message that is here.
   * @param {string} messageID
   * @param {string} emoji
   */
  hasReaction(messageID, emoji) {
    const row = this.timeline.find(messageID);
    return row && isMessage(row) && row.body.reactions?.kinds.some((kind) =>
      kind.isMine && plainEmoji(kind.emoji) === plainEmoji(emoji));
  }

  /** This tab writes the store from now on: keeps what it has read before. */
  keep() {
    const { timeline } = this;
    if (!this.hasLoaded || timeline.hasAfter || this.#core.cache.from(this.#channel)) return;
    this.#core.cache.keep(this.#channel, timeline.from, timeline.rows);
  }

  /** @param {ServerPage} page */
  #take(page) {
    const { timeline } = this;
    const to = page.hasAfter ? page.to : page.seq;
    this.hasLoaded = true;
    this.isLoading = false;
    timeline.replace(page.events, { ...page, to });
    if (!page.hasAfter) timeline.append(this.lateRows(to));
    this.#hasStored = false;
    this.#changed();
  }

  /** Reads on until a screen is full: a page may have few rows that show. */
  async fill() {
    for (let from = 0; this.timeline.hasBefore && this.timeline.rows.length < screenRows; ) {
      if (from === this.timeline.from) return;
      ({ from } = this.timeline);
      await this.loadBefore();
    }
  }

  /** Loads what shows before the first item; from the store if it is there. */
  loadBefore() {
    return this.#inTurn(async () => {
      const { timeline } = this;
      while (timeline.hasBefore && timeline === this.timeline) {
        const before = timeline.from;
        const first = this.#core.cache.from(this.#channel);
        const page = (this.#hasStored && first < before && await this.#storedPage(first, before - 1))
          || await this.#readPage({ before });
        if (timeline !== this.timeline) return;
        this.#hasStored = page.isStored ?? false;
        // A server that has no more although it says so is asked no further.
        timeline.prepend(page.events, { ...page, hasBefore: page.hasBefore && page.from < before });
        if (page.seq && !timeline.hasAfter) this.#cache(page, before);
        if (page.events.length) return;
      }
    });
  }

  /** Loads what shows after the last item. */
  loadAfter() {
    return this.#inTurn(async () => {
      const { timeline } = this;
      while (timeline.hasAfter) {
        const after = timeline.to;
        const page = await this.#readPage({ after });
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
    const page = await this.#readPage({ aroundMessage: messageID });
    if (!isWanted()) return;
    this.#take(page);
    await this.votes.load();
  }

  /**
   * The newest rows that came after one, for what was read before them.
   * @param {number} seq
   */
  lateRows(seq) {
    return this.#late.filter((row) => row.seq > seq);
  }

  /**
   * The next row of the channel's log.
   * @param {Row} event
   */
  addRow(event) {
    const { timeline } = this;
    this.#late.push(event);
    this.#late.splice(0, this.#late.length - (this.#readers ? maxLate : 100));
    if (isEdit(event)) {
      const edit = editOf(event, this.#core.state.user.userID);
      timeline.edit(edit);
      this.#late = this.#late.flatMap((row) => edit(row) ?? []);
    } else {
      this.votes.row(event);
    }
    if (this.hasLoaded && !timeline.hasAfter) timeline.append([event]);
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
    this.#changed();
  }

  /**
   * Everything up to a row is gone for this user.
   * @param {number} seq
   */
  cleared(seq) {
    this.timeline.clear(seq);
    this.#changed();
  }

  /**
   * One page at a time.
   * @param {() => Promise<void>} work
   */
  #inTurn(work) {
    this.#turn = this.#turn.then(work).then(() => this.votes.load()).then(
      () => this.#changed(),
      (error) => this.#failed(error),
    );
    return this.#turn;
  }
}
