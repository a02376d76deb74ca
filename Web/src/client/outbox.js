import { RoostError } from "./errors.js";
import { makeTransID } from "./ids.js";
import { SendLanes } from "./lanes.js";

/** @typedef {import("./types.js").QueuedMessage} QueuedMessage */
/** @typedef {import("./types.js").Message} Message */

/** The server remembers a transID for at least seven days; a send that is older is not repeated without being asked. */
const maxAge = 6.5 * 24 * 3_600_000;

/**
 * The messages to be sent: kept in the store before they are sent, sent by the leading tab, shown by all tabs.
 *
 * A message leaves when its row arrives, or when it is discarded. A failed one stays, in its place, until the user
 * tries again or discards it.
 */
export class Outbox {
  #with;
  #lanes = new SendLanes();
  /** @type {Map<string, AbortController>} */
  #uploads = new Map();
  #lastOrder = 0;
  /** Whether this tab sends: it leads, and knows what an earlier leader has left, which goes first. */
  #isSender = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {import("./outbox-files.js").Uploader & {cache: import("./cache.js").Cache,
   *   user: () => import("./types.js").User, isLeader: () => boolean,
   *   post: (message: import("./tabs.js").TabMessage) => void, changed: (channel: string) => void}} parts `post` tells
   *   the other tabs, and `changed` that there are other messages for a channel
   */
  constructor(parts) {
    this.#with = parts;
    /** @type {Map<string, QueuedMessage>} */
    this.messages = new Map();
  }

  /**
   * Takes what the store holds.
   * @param {QueuedMessage[]} messages in their order
   */
  load(messages) {
    for (const message of messages) {
      this.#lastOrder = Math.max(this.#lastOrder, message.order);
      if (this.messages.has(message.transID)) continue;
      this.messages.set(message.transID, withPreview(message));
      this.#with.changed(message.channel);
    }
  }

  /**
   * The messages of a channel, in their order.
   * @param {string} channel
   */
  of(channel) {
    return [...this.messages.values()]
      .filter((message) => message.channel === channel)
      .sort((a, b) => a.order - b.order);
  }

  /**
   * Sends a message.
   * @param {string} channel
   * @param {import("./sends.js").Send} message
   * @returns {string} its transID
   */
  send(channel, { command, shown, ...file }) {
    const now = this.#with.sync.serverTime;
    const transID = makeTransID(now);
    const { userID, name, imageURL } = this.#with.user();
    this.#lastOrder = Math.max(this.#lastOrder + 1, now);
    /** @type {QueuedMessage} */
    const message = withPreview({
      transID,
      channel,
      order: this.#lastOrder,
      madeAt: now,
      command: { ...command, channel },
      message: {
        channel,
        type: "text",
        text: "",
        senderID: userID,
        senderName: name,
        ...(imageURL && { senderImageURL: imageURL }),
        sentAt: now,
        transID,
        ...shown,
      },
      state: "waiting",
      ...file,
    });
    this.messages.set(transID, message);
    this.#with.changed(channel);
    this.#keep(message, () => {
      this.#with.post({ queued: withoutPreview(message) });
      this.#hand(message);
    });
    return transID;
  }

  /**
   * Sends a failed message again, under the same transID and at the end of the channel's sends.
   * @param {string} transID
   */
  retry(transID) {
    const old = this.messages.get(transID);
    if (!old || old.state !== "failed") return;
    const { error, ...rest } = old;
    const order = (this.#lastOrder = Math.max(this.#lastOrder + 1, this.#with.sync.serverTime));
    const message = { ...rest, state: /** @type {const} */ ("waiting"), order, madeAt: order };
    this.#change(message);
    this.#keep(message, () => {
      this.#with.post({ queued: withoutPreview(message) });
      this.#hand(message);
    });
  }

  /**
   * Removes a message that is not sent. One whose answer is under way stays until the answer is there.
   * @param {string} transID
   */
  discard(transID) {
    if (!this.#with.isLeader()) return this.#with.post({ discard: transID });
    const message = this.messages.get(transID);
    if (!message || !this.#lanes.remove(transID)) return;
    this.#uploads.get(transID)?.abort();
    this.#uploads.delete(transID);
    this.#remove(transID);
    if (message.fileID) this.#with.sync.perform("file.delete", { fileID: message.fileID }).catch(() => {});
  }

  /**
   * The row of a message has arrived: from now on it is that row.
   * @param {string} transID
   */
  arrived(transID) {
    const message = this.messages.get(transID);
    if (!message) return;
    this.messages.delete(transID);
    if (message.message.localURL) URL.revokeObjectURL(message.message.localURL);
    this.#with.changed(message.channel);
  }

  /**
   * A message of another tab.
   * @param {import("./tabs.js").TabMessage} post
   */
  hear(post) {
    if (post.queued) {
      this.load([post.queued]);
      this.#hand(post.queued);
    } else if (post.changed) {
      if (this.messages.has(post.changed.transID)) this.#change(withPreview(post.changed), true);
    } else if (post.removed) {
      this.arrived(post.removed);
    } else if (post.discard && this.#with.isLeader()) {
      this.discard(post.discard);
    }
  }

  /** This tab leads now: it sends what is waiting. */
  lead() {
    this.#isSender = true;
    for (const message of [...this.messages.values()].sort((a, b) => a.order - b.order)) {
      if (message.state !== "waiting") continue;
      if (this.#with.sync.serverTime - message.madeAt > maxAge) {
        this.#fail(message, new RoostError({ code: 0, name: "tooOld", message: "It has waited for too long." }));
      } else {
        this.#hand(message);
      }
    }
  }

  /** The connection is lost. */
  disconnected() {
    this.#lanes.disconnected();
  }

  /** Sends what may go out now; call it when the client is live. */
  pump() {
    const { sync, isLeader } = this.#with;
    clearTimeout(this.#timer);
    if (!sync.isLive || !isLeader()) return;
    for (const channel of this.#lanes.channels) {
      for (let next; (next = this.#lanes.next(channel, Date.now())); ) {
        const { message, after } = next;
        sync.send(message.transID, { ...message.command, ...(after && { after }) }, {
          resolve: (answer) => {
            if (this.#lanes.accepted(message.transID)) this.#sent(message.transID, answer);
            this.pump();
          },
          reject: (error) => {
            const refused = this.#lanes.refused(message.transID, error, Date.now());
            if (refused) this.#fail(refused, error);
            this.pump();
          },
        });
      }
    }
    const wakeAt = this.#lanes.wakeAt;
    if (wakeAt !== null) this.#timer = setTimeout(() => this.pump(), Math.max(0, wakeAt - Date.now()));
  }

  /** Stops all work; what waits stays in the store. */
  close() {
    clearTimeout(this.#timer);
    for (const upload of this.#uploads.values()) upload.abort();
    this.#uploads.clear();
  }

  /**
   * Begins to send a message, if this tab leads.
   * @param {QueuedMessage} message
   */
  #hand(message) {
    if (!this.#isSender) return;
    const isHeld = Boolean(message.file && !message.fileID);
    this.#lanes.append(message, isHeld);
    if (isHeld) this.#upload(message);
    this.pump();
  }

  /** @param {QueuedMessage} queued */
  async #upload(queued) {
    const { transID } = queued;
    if (this.#uploads.has(transID)) return;
    const abort = new AbortController();
    this.#uploads.set(transID, abort);
    let message = queued;
    try {
      // Without a connection the module might not come either.
      await this.#with.sync.live();
      const { sendFile } = await import("./outbox-files.js");
      const fileID = await sendFile(this.#with, queued, abort.signal, (progress) => {
        message = { ...message, progress };
        this.#change(message);
      });
      if (!fileID) return;
      message = { ...message, fileID, command: { ...message.command, file: { fileID } } };
    } catch (error) {
      // Whoever logs in again goes on with it.
      if (!this.#with.sync.isClosed && this.#lanes.remove(transID)) {
        this.#fail(message, /** @type {RoostError} */ (error));
      }
      return;
    } finally {
      this.#uploads.delete(transID);
    }
    this.#change(message);
    // The bytes are on the server: the store need not hold them any more.
    const { file, ...rest } = message;
    this.#keep(rest, () => {
      this.#lanes.release(message);
      this.pump();
    });
  }

  /**
   * @param {string} transID
   * @param {{seq?: number, messageID?: string, sentAt: number}} answer
   */
  #sent(transID, { seq, messageID, sentAt }) {
    this.#with.cache.write([{ in: "queue", delete: transID }]);
    const message = this.messages.get(transID);
    // Its row comes as an event, before or after this answer.
    if (!message) return this.#with.post({ removed: transID });
    const { file, progress, ...rest } = message;
    this.#change({ ...rest, state: "sent", message: { ...message.message, seq, messageID, sentAt } });
  }

  /**
   * @param {QueuedMessage} message
   * @param {RoostError} error
   */
  #fail(message, error) {
    const { progress, ...rest } = this.messages.get(message.transID) ?? message;
    const { code, name, field, retryable } = error;
    const told = { code, name, field, retryable, message: error.message };
    const failed = { ...rest, state: /** @type {const} */ ("failed"), error: told };
    this.#change(failed);
    this.#keep(failed);
  }

  /** @param {string} transID */
  #remove(transID) {
    this.#with.cache.write([{ in: "queue", delete: transID }]);
    this.#with.post({ removed: transID });
    this.arrived(transID);
  }

  /**
   * @param {QueuedMessage} message
   * @param {boolean} [isFromOther] another tab has told it
   */
  #change(message, isFromOther = false) {
    if (!this.messages.has(message.transID)) return;
    this.messages.set(message.transID, message);
    this.#with.changed(message.channel);
    if (!isFromOther) this.#with.post({ changed: withoutPreview(message) });
  }

  /**
   * Puts a message into the store, then goes on.
   * @param {QueuedMessage} message
   * @param {() => void} [next]
   */
  #keep(message, next = () => {}) {
    const stored = this.#with.cache.store?.write([{ in: "queue", put: withoutPreview(message) }]);
    // A store that is full or gone must not keep a message from being sent.
    if (stored) stored.then(next, next);
    else next();
  }
}

/**
 * @param {QueuedMessage} queued
 * @returns {QueuedMessage}
 */
function withPreview(queued) {
  if (!queued.file || queued.message.localURL || typeof URL.createObjectURL !== "function") return queued;
  return { ...queued, message: { ...queued.message, localURL: URL.createObjectURL(queued.file) } };
}

/**
 * @param {QueuedMessage} queued
 * @returns {QueuedMessage}
 */
function withoutPreview(queued) {
  const { localURL, ...message } = queued.message;
  return { ...queued, message };
}
