import { isMessage } from "./channels.js";
import { shownEvents } from "./protocol.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").MessageRow} MessageRow */
/** @typedef {import("./types.js").Item} Item */
/** @typedef {import("./types.js").MessageItem} MessageItem */
/** @typedef {import("./types.js").Message} Message */
/** @typedef {import("./types.js").QueuedMessage} QueuedMessage */
/** @typedef {import("./types.js").VoteState} VoteState */

/** A message less than this after the one before, in ms, belongs to its group. */
export const groupPause = 120_000;

/** @type {Set<string>} */
const shown = new Set(shownEvents);

/**
 * The message of a row.
 * @param {MessageRow} row
 * @returns {Message}
 */
export function messageOf({ event, body, channel, seq, senderID, sentAt = 0, transID }) {
  const isAnnouncement = event === "message.announced";
  return {
    ...(isAnnouncement && { type: "text", isAnnouncement }),
    ...body,
    channel,
    seq,
    senderID,
    sentAt,
    ...(transID && { transID }),
  };
}

/**
 * Whether a row is an item of a conversation, rather than a change of others.
 * @param {Row} row
 */
export const shows = (row) => shown.has(row.event) && !(isMessage(row) && row.body.recall?.isSilent);

/**
 * The beginning of the day of a time, in ms, in the zone of the viewer.
 * @param {number} ms
 */
function startOfDay(ms) {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * The items of a conversation: one stretch of its log without gaps, and the sends that have no row yet.
 *
 * Rows may be added repeatedly and overlapping: the same rows give the same items. Rows are ordered by `seq`; sends
 * come after all of them. A row and a send with the same transID are one message, which keeps its key, so it does not
 * move on the screen when the server has given it its place. Items never change: a changed item is another object.
 */
export class Timeline {
  /** @type {number[]} */
  #sortedMarks = [];
  /** @type {Map<number, Item[]>} */
  #made = new Map();
  /** @type {Item[] | null} */
  #cached = null;

  /** @param {string} me */
  constructor(me) {
    this.me = me;
    /**
     * Ascending by `seq`.
     * @type {Row[]}
     */
    this.rows = [];
    /** The first and the last row of the stretch, shown or not; 0 before the first page. */
    this.from = 0;
    this.to = 0;
    this.hasBefore = true;
    /** Whether newer rows exist that are not in the stretch. */
    this.hasAfter = false;
    /** @type {QueuedMessage[]} */
    this.queue = [];
    /** @type {Map<string, VoteState>} */
    this.votes = new Map();
    /**
     * The read marks of the others; empty while they are not known.
     * @type {Map<string, number>}
     */
    this.marks = new Map();
    /**
     * Messages after this row are new to the user; null: no separator.
     * @type {number | null}
     */
    this.separator = null;
    /** How many messages the separator announces. */
    this.newCount = 0;
    /** @type {Set<number>} */
    this.gone = new Set();
    this.floor = 0;
  }

  /**
   * Puts a page in place of everything.
   * @param {Row[]} events ascending
   * @param {{from: number, to: number, hasBefore: boolean, hasAfter: boolean}} page from its first to its last row,
   *   shown or not
   */
  replace(events, { from, to, hasBefore, hasAfter }) {
    this.rows = events.filter((event) => this.isShown(event));
    this.from = from;
    this.to = to;
    this.hasBefore = hasBefore;
    this.hasAfter = hasAfter;
    this.#made.clear();
    this.changed();
  }

  /**
   * Adds the page that ends before the first row.
   * @param {Row[]} events
   * @param {{from: number, hasBefore: boolean}} page
   */
  prepend(events, { from, hasBefore }) {
    const older = events.filter((event) => event.seq < this.from && this.isShown(event));
    this.rows = [...older, ...this.rows];
    this.from = Math.min(this.from, from);
    this.hasBefore = hasBefore;
    this.changed();
  }

  /**
   * Adds rows that follow the last row without a gap.
   * @param {Row[]} events
   * @param {{to?: number, hasAfter?: boolean}} page
   */
  append(events, { to, hasAfter = this.hasAfter } = {}) {
    for (const event of events) {
      if (event.seq <= this.to) continue;
      this.to = event.seq;
      if (this.isShown(event)) this.rows.push(event);
    }
    this.to = Math.max(this.to, to ?? 0);
    this.hasAfter = hasAfter;
    this.#cached = null;
  }

  /**
   * Changes rows.
   * @param {(row: Row) => Row | null} change the same row, a changed one, or null to remove it for good
   * @returns {boolean} whether anything changed
   */
  edit(change) {
    let isChanged = false;
    this.rows = this.rows.flatMap((row) => {
      const next = change(row);
      if (next === row) return row;
      isChanged = true;
      this.#made.delete(row.seq);
      if (next) return next;
      this.gone.add(row.seq);
      return [];
    });
    if (isChanged) this.#cached = null;
    return isChanged;
  }

  /**
   * Removes everything up to a row for good.
   * @param {number} seq
   */
  clear(seq) {
    this.floor = Math.max(this.floor, seq);
    this.rows = this.rows.filter((row) => row.seq > this.floor);
    if (this.floor >= this.from - 1) this.hasBefore = false;
    this.changed();
  }

  /**
   * The row of a message.
   * @param {string} messageID
   */
  find(messageID) {
    return this.rows.find((row) => isMessage(row) && row.body.messageID === messageID);
  }

  /** @param {Row} event */
  isShown(event) {
    const seq = event.seq;
    return seq > this.floor && !this.gone.has(seq) && shows(event);
  }

  /** @param {Map<string, number>} marks of the others */
  setMarks(marks) {
    this.marks = marks;
    this.#sortedMarks = [...marks.values()].sort((a, b) => a - b);
    this.changed();
  }

  /** Forgets the items that were made; call it after votes, the queue or the separator have changed. */
  changed() {
    this.#cached = null;
  }

  /** All items, from the oldest to the newest. The same array if nothing has changed. @returns {Item[]} */
  get items() {
    if (this.#cached) return this.#cached;
    /** @type {Item[]} */
    const items = [];
    /** @type {Map<number, Item[]>} */
    const made = new Map();
    const own = new Set();
    let day = NaN;
    let dayEnd = -Infinity;
    /** @type {MessageItem | null} */
    let last = null;
    /** @param {number} time */
    const beginsDay = (time) => {
      if (time < dayEnd) return false;
      day = startOfDay(time);
      // A day has 23 to 25 hours where clocks are changed.
      dayEnd = startOfDay(day + 36 * 3_600_000);
      return true;
    };
    const separatorAt = this.separator;
    let hasSeparator = false;
    for (const row of this.rows) {
      const seq = row.seq;
      const time = row.sentAt ?? 0;
      const isOwn = row.senderID === this.me;
      if (isOwn && row.transID) own.add(row.transID);
      const isFirstOfDay = beginsDay(time);
      const isNew = separatorAt !== null && !hasSeparator && seq > separatorAt && isMessage(row) && !isOwn;
      /** @type {boolean} */
      const isGrouped = !isFirstOfDay && !isNew && isMessage(row) && belongs(last, row.senderID, time, row.event);
      const unreadBy = isMessage(row) && this.marks.size ? this.#unreadBy(seq, row.senderID) : undefined;
      const vote = isMessage(row) && row.body.vote ? this.votes.get(row.body.messageID) : undefined;
      let part = this.#made.get(seq);
      const old = part?.at(-1);
      if (
        !part ||
        !old ||
        (part[0].kind === "day") !== isFirstOfDay ||
        (old.kind === "message" &&
          (old.isGrouped !== isGrouped || old.unreadBy !== unreadBy || old.vote !== vote || old.isOwn !== isOwn))
      ) {
        /** @type {Item} */
        const item = isMessage(row)
          ? {
              kind: "message",
              key: (isOwn && row.transID) || `m${seq}`,
              // The same object as long as the row is the same, so that it need not be drawn again.
              message: old?.kind === "message" ? old.message : messageOf(row),
              isOwn,
              isGrouped,
              state: "sent",
              ...(unreadBy !== undefined && { unreadBy }),
              ...(vote && { vote }),
            }
          : { kind: "line", key: `m${seq}`, sentAt: time, event: row };
        part = isFirstOfDay ? [{ kind: "day", key: `d${day}`, day }, item] : [item];
      }
      made.set(seq, part);
      if (isNew) {
        hasSeparator = true;
        // What comes while the user looks is not new to them any more.
        const count = this.newCount || this.rows.filter((each) =>
          each.seq > separatorAt && isMessage(each) && each.senderID !== this.me).length;
        items.push(...part.slice(0, -1), { kind: "unread", key: "unread", count }, ...part.slice(-1));
      } else {
        items.push(...part);
      }
      /** @type {Item} */
      const item = part[part.length - 1];
      last = item.kind === "message" ? item : null;
    }
    this.#made = made;
    if (!this.hasAfter) {
      for (const queued of this.queue) {
        const { seq } = queued.message;
        // The user may have deleted it on another device before its row came, which then never comes.
        if (own.has(queued.transID) || (seq && (seq <= this.floor || this.gone.has(seq)))) continue;
        if (beginsDay(queued.madeAt)) {
          items.push({ kind: "day", key: `d${day}`, day });
          last = null;
        }
        /** @type {MessageItem} */
        const item = {
          kind: "message",
          key: queued.transID,
          message: queued.message,
          isOwn: true,
          isGrouped: belongs(last, this.me, queued.madeAt, "message.sent"),
          state: queued.state !== "waiting" ? queued.state : queued.file && !queued.fileID ? "uploading" : "sending",
          ...(queued.progress !== undefined && { progress: queued.progress }),
          ...(queued.error && { error: queued.error }),
        };
        items.push(item);
        last = item;
      }
    }
    return (this.#cached = items);
  }

  /**
   * How many members have not read a row, without its sender and without this user.
   * @param {number} seq
   * @param {string} [senderID]
   */
  #unreadBy(seq, senderID = "") {
    let [low, high] = [0, this.#sortedMarks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sortedMarks[middle] >= seq) high = middle;
      else low = middle + 1;
    }
    return low - Number((this.marks.get(senderID) ?? seq) < seq);
  }
}

/**
 * @param {MessageItem | null} last
 * @param {string | undefined} senderID
 * @param {number} time
 * @param {string} event
 */
function belongs(last, senderID, time, event) {
  if (!last || event === "message.announced" || last.message.isAnnouncement) return false;
  return last.message.senderID === senderID && time - last.message.sentAt < groupPause;
}
