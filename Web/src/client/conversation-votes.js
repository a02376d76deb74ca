import { isMessage } from "./channels.js";
import { ballotToRead, voteAfter } from "./rows/votes.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").VoteState} VoteState */

/** How many votes are asked for at once. */
const maxVotes = 20;
/** The least and the longest time, in ms, until a vote that opens later is asked for again. */
const waits = { least: 1_000, most: 3_600_000 };

/** The states of the votes that a conversation shows. */
export class ConversationVotes {
  #core;
  #channel;
  #pages;
  #changed;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #opening;
  #isStopped = false;
  /** Votes to be read: the user has voted on another device, and no row says how. */
  #cast = new Set();

  /**
   * @param {import("./core.js").Core} core
   * @param {string} channel
   * @param {import("./conversation-pages.js").ConversationPages} pages
   * @param {() => void} changed
   */
  constructor(core, channel, pages, changed) {
    this.#core = core;
    this.#channel = channel;
    this.#pages = pages;
    this.#changed = changed;
  }

  /** Reads the votes that are shown and of which the rows do not say enough: new ones, and those that have opened. */
  async load() {
    this.#isStopped = false;
    const { timeline: { rows, votes } } = this.#pages;
    const now = this.#core.sync.serverTime;
    const ids = rows.filter(isMessage).filter(({ body: { vote, recall, messageID } }) => {
      const known = votes.get(messageID);
      const isOpening = known?.phase === "waiting" && (vote?.opensAt ?? 0) <= now;
      return vote && !recall && (!known || isOpening || this.#cast.has(messageID));
    }).map(({ body }) => body.messageID);
    for (let start = 0; start < ids.length; start += maxVotes) await this.#ask(ids.slice(start, start + maxVotes));
    if (ids.length) this.#shown();
    this.#waitForOpening();
  }

  /** The conversation is not shown, or there is no connection: `load` goes on. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#opening);
  }

  /**
   * Reads a vote again.
   * @param {string} messageID
   */
  async read(messageID) {
    await this.#ask([messageID]);
    this.#shown();
  }

  /** @param {string[]} messageIDs */
  async #ask(messageIDs) {
    const { timeline } = this.#pages;
    const cast = messageIDs.filter((messageID) => this.#cast.delete(messageID));
    try {
      const { votes } = await this.#core.sync.ask("vote.get", { channel: this.#channel, messageIDs });
      for (const vote of votes) {
        const { messageID, vote: made } = /** @type {import("./types.js").MessageRow} */ (vote.event).body;
        const known = timeline.votes.get(messageID);
        // Rows that came before this answer are newer, but not all of them have the user's own choice.
        const isOld = known && known.revision > vote.revision;
        const hidesBallots = made?.isSecret || made?.results === "atEnd";
        const { ownOptions } = vote;
        timeline.votes.set(messageID, isOld ? { ...known, ...(hidesBallots && { ownOptions }) } : vote);
      }
      // They may have changed before the answer came.
      this.#pages.lateRows(0).forEach((row) => this.#take(row));
    } catch (error) {
      cast.forEach((messageID) => this.#cast.add(messageID));
      // They were recalled meanwhile.
      if (/** @type {Error} */ (error).name !== "messageNotFound") throw error;
    }
  }

  #shown() {
    this.#pages.timeline.changed();
    this.#changed();
  }

  #waitForOpening() {
    clearTimeout(this.#opening);
    if (this.#isStopped) return;
    const { timeline: { votes } } = this.#pages;
    const times = [...votes.values()].filter(({ phase }) => phase === "waiting").map(
      ({ event }) => /** @type {import("./types.js").MessageRow} */ (event).body.vote?.opensAt ?? Infinity);
    if (!times.length) return;
    const left = Math.min(...times) - this.#core.sync.serverTime;
    this.#opening = setTimeout(() => {
      this.load().catch(() => {});
    }, Math.min(Math.max(left, waits.least), waits.most));
  }

  /** @param {Row} row the next row of the channel's log */
  row(row) {
    this.#take(row);
    const messageID = ballotToRead(row, this.#core.state.user.userID);
    if (!messageID || !this.#pages.timeline.votes.has(messageID)) return;
    this.#cast.add(messageID);
    // Without a connection it is read as soon as there is one.
    if (this.#core.sync.isLive && !this.#isStopped) this.load().catch(() => {});
  }

  /** @param {Row} row */
  #take(row) {
    if (row.event !== "vote.cast" && row.event !== "vote.closed") return;
    const { votes } = this.#pages.timeline;
    const known = votes.get(row.body.messageID);
    if (known) votes.set(row.body.messageID, voteAfter(known, row, this.#core.state.user.userID));
  }
}
