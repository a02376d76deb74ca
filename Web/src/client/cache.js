import { rowRange } from "./store.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./store.js").Change} Change */
/**
 * What the store has of a channel: the first of its rows, its position when it was read, and its snapshot.
 * @typedef {{channel: string, position: number | null, from: number | null, snapshot?: Channel}} StoredChannel
 * @typedef {{meta: Map<string, any>, channels: StoredChannel[]}} Stored
 */

/** How long changes wait for others, to be stored together, in ms. */
const storePause = 50;
/** How many changes a tab keeps that another one writes. */
const maxUnwritten = 1000;

/** What one tab writes into the store: the rows of the channels, their positions, and what is shown of them. */
export class Cache {
  #about;
  /** @type {Change[]} */
  #changes = [];
  /**
   * All changes since the start that this tab did not write, because another one does; null if they are too many.
   * @type {Change[] | null}
   */
  #unwritten = [];
  /** The channels whose position or state has changed; "" is what is about the user. @type {Set<string>} */
  #dirty = new Set();
  /**
   * The newest row of each channel that has come here, or before which nothing is missing; "" is the user's own log.
   * @type {Map<string, number>}
   */
  #positions = new Map();
  /** What the store has of each channel: the first of its rows, and its position when it was read. */
  #kept = /** @type {Map<string, {from: number, position: number}>} */ (new Map());
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Promise<void>} */
  #writing = Promise.resolve();
  #isClosed = false;

  /**
   * @param {{meta: () => Record<string, any>, channel: (id: string) => Channel | undefined}} about what is to be stored
   */
  constructor(about) {
    this.#about = about;
    /** @type {import("./store.js").Store | null} */
    this.store = null;
    /** Whether this tab writes the store: it leads, and knows what an earlier leader has left. */
    this.isWriter = false;
  }

  /**
   * Takes what the store holds.
   * @param {Stored} stored
   */
  restore({ meta, channels }) {
    this.setPosition("", meta.get("userSeq") ?? null);
    for (const { channel, position, from } of channels) {
      this.setPosition(channel, position);
      if (from !== null && position !== null) this.#kept.set(channel, { from, position });
    }
    this.#dirty.clear();
  }

  /**
   * @param {string} channel "" for the user's own log
   * @returns {number | null}
   */
  position(channel) {
    return this.#positions.get(channel) ?? null;
  }

  /**
   * @param {string} channel "" for the user's own log
   * @param {number | null} seq null if it has no log any more
   */
  setPosition(channel, seq) {
    if (seq === null) this.#positions.delete(channel);
    else this.#positions.set(channel, seq);
    this.touch(channel);
  }

  /** @param {string} channel its position or its state has changed; "" for those of the user */
  touch(channel) {
    this.#dirty.add(channel);
    this.#flushSoon();
  }

  /** @param {Change[]} changes */
  write(changes) {
    this.#changes.push(...changes);
    this.#flushSoon();
  }

  /**
   * @param {Row} event the next row of its log
   * @param {boolean} isKept whether it is itself read again
   */
  add(event, isKept) {
    if (!this.store) return;
    const { channel, seq } = event;
    if (isKept) this.#changes.push({ in: "rows", put: event, key: [channel, seq] });
    if (!this.#kept.has(channel)) this.#kept.set(channel, { from: seq, position: 0 });
  }

  /**
   * @param {string} channel
   * @param {number[]} seqs
   * @param {(row: Row) => Row | null} edit
   */
  edit(channel, seqs, edit) {
    if (this.store) for (const seq of seqs) this.#changes.push({ in: "rows", key: [channel, seq], edit });
  }

  /**
   * Keeps a page of history that reaches down from what is stored.
   * @param {string} channel
   * @param {number} from the first row of the page
   * @param {Row[]} events
   * @param {number} [to] the row after the page; absent for the newest page
   */
  keep(channel, from, events, to) {
    const kept = this.#kept.get(channel);
    if (!this.store || !this.isWriter || (to !== undefined && kept?.from !== to)) return;
    for (const event of events) this.#changes.push({ in: "rows", put: event, key: [channel, event.seq] });
    this.#kept.set(channel, { position: 0, ...kept, from });
    this.touch(channel);
  }

  /**
   * Deletes single rows.
   * @param {string} channel
   * @param {number[]} seqs
   */
  remove(channel, seqs) {
    for (const seq of seqs) this.#changes.push({ in: "rows", delete: [channel, seq] });
  }

  /**
   * Deletes all rows of a channel.
   * @param {string} channel
   */
  forget(channel) {
    this.#kept.delete(channel);
    if (this.store) this.#changes.push({ in: "rows", delete: rowRange(channel) });
    this.touch(channel);
  }

  /** Deletes everything but drafts and what is to be sent: the server has begun anew. */
  forgetAll() {
    this.#positions.clear();
    this.#kept.clear();
    if (!this.store) return;
    this.#changes.push({ in: "rows", delete: IDBKeyRange.lowerBound(["", 0]) });
    this.#changes.push({ in: "channels", delete: IDBKeyRange.lowerBound("") });
  }

  /**
   * What can be read of a channel: its rows `from` … `to` in the store, and then those that another tab writes.
   * @param {string} channel
   * @returns {{from: number, to: number, position: number, newer: Row[]} | null}
   */
  range(channel) {
    const kept = this.#kept.get(channel);
    const position = this.position(channel);
    // Another tab writes the store, and may be behind.
    if (!this.store || !kept || position === null || (!this.isWriter && !this.#unwritten)) return null;
    const to = this.isWriter ? position : kept.position;
    const newer = (this.#unwritten ?? []).flatMap((change) =>
      change.in === "rows" && "put" in change && change.key[0] === channel && change.key[1] > to ? [change.put] : [],
    );
    return { from: kept.from, to, position, newer: this.#edited(channel, newer) };
  }

  /**
   * The first row of a channel that the store has.
   * @param {string} channel
   * @returns {number} 0 if it has none
   */
  from(channel) {
    return (this.store && this.#kept.get(channel)?.from) || 0;
  }

  /**
   * The newest rows of a channel that show, in a range of the store, ascending, with what this tab has not written.
   * @param {string} channel
   * @param {number} from
   * @param {number} to
   * @param {number} limit
   */
  async rows(channel, from, to, limit) {
    await this.flush();
    return this.#edited(channel, (await this.store?.rows(channel, from, to, limit)) ?? []);
  }

  /**
   * This tab writes the store from now on.
   * @param {Stored | null} stored what an earlier leader has left
   */
  startWriting(stored) {
    const left = new Map(stored?.channels.map((channel) => [channel.channel, channel]));
    const isKept = this.#unwritten || stored?.meta.get("userSeq") === this.#positions.get("");
    for (const [id, kept] of this.#kept) {
      const { from = null, position = null } = left.get(id) ?? {};
      // Rows that this tab has not written, or that the leader has given up, are missing in the store.
      if (isKept && (this.#unwritten || position === this.#positions.get(id)) && (from || !kept.position)) {
        kept.from = Math.max(kept.from, from ?? 0);
        if (kept.from !== from) this.touch(id);
      } else {
        this.forget(id);
      }
    }
    this.isWriter = true;
    this.touch("");
  }

  /** Writes all changes into the store. @returns {Promise<void>} when they are there */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { store, isWriter } = this;
    const changes = this.#changes.splice(0);
    const dirty = [...this.#dirty];
    if (!store || isWriter) this.#dirty.clear();
    if (!store || this.#isClosed) return this.#writing;
    const own = changes.filter(isOwn);
    let allowed = own;
    if (isWriter) {
      allowed = [...(this.#unwritten ?? []), ...changes, ...dirty.flatMap((id) => this.#entries(id))];
      this.#unwritten = [];
    } else {
      this.#unwritten?.push(...changes.filter((change) => !isOwn(change)));
      if (this.#unwritten && this.#unwritten.length > maxUnwritten) this.#unwritten = null;
    }
    if (allowed.length) {
      this.#writing = this.#writing.then(() => {
        const written = this.isWriter ? allowed : own;
        return written.length ? store.write(written) : undefined;
      }).catch(() => {
        // A full disk costs the cache, never the conversation. The rows in the store stay as they are: later positions
        // would say that these are there, too.
        this.isWriter = false;
        this.#unwritten = null;
        this.#kept.clear();
        return own.length ? store.write(own) : undefined;
      }).catch(() => {});
    }
    return this.#writing;
  }

  /** Writes what is left, and nothing after that. */
  async close() {
    const written = this.flush();
    this.#isClosed = true;
    await written;
    this.store?.close();
  }

  #flushSoon() {
    this.#timer ??= setTimeout(() => this.flush(), storePause);
  }

  /**
   * What the store holds of a channel besides its rows; of the user for "".
   * @param {string} id
   * @returns {Change[]}
   */
  #entries(id) {
    if (!id) {
      const meta = { ...this.#about.meta(), userSeq: this.position("") };
      return Object.entries(meta).map(([key, put]) => ({ in: "meta", put, key }));
    }
    const position = this.position(id);
    const snapshot = this.#about.channel(id);
    if (position === null && !snapshot) return [{ in: "channels", delete: id }];
    const from = this.#kept.get(id)?.from ?? null;
    return [{ in: "channels", put: { channel: id, position, from, ...(snapshot && { snapshot }) } }];
  }

  /**
   * Rows with the unwritten changes of them.
   * @param {string} channel
   * @param {Row[]} rows
   */
  #edited(channel, rows) {
    const bySeq = new Map(rows.map((row) => [row.seq, row]));
    for (const change of this.#unwritten ?? []) {
      if (!("edit" in change) || change.key[0] !== channel) continue;
      const row = bySeq.get(change.key[1]);
      const edited = row && change.edit(row);
      if (edited) bySeq.set(change.key[1], edited);
      else bySeq.delete(change.key[1]);
    }
    return [...bySeq.values()];
  }
}

/**
 * Whether a change is of this tab alone, so that it writes it whether it leads or not.
 * @param {Change} change
 */
const isOwn = (change) => change.in === "drafts" || change.in === "queue";
