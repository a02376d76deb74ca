// From there, so that the bundle has one file of the client.
import { isMessage, messageOf } from "./for-views.js";

/** @typedef {import("./types.js").PinnedMessage} PinnedMessage */

/** How many messages are asked for at once: an answer has a limit of bytes. */
const maxMessages = 10;

/** The pinned messages of a conversation, kept up to date while it is shown. */
export class ConversationPins {
  #core;
  #conversation;
  /** @type {PinnedMessage[]} */
  #found = [];
  /** Whether something may have changed since they were asked for. */
  #isStale = false;
  /** @type {Promise<void> | null} */
  #loading = null;

  /**
   * @internal
   * @param {import("./core.js").Core} core
   * @param {import("./conversation-state.js").ConversationState} conversation
   */
  constructor(core, conversation) {
    this.#core = core;
    this.#conversation = conversation;
  }

  /** All that this user may read, the one that was pinned last first. */
  get all() {
    const { isGone, pages: { timeline: { gone, floor } } } = this.#conversation;
    if (isGone) return [];
    // What this user has deleted is not pinned for them.
    return this.#found.filter(({ message: { seq = 0 } }) => seq > floor && !gone.has(seq));
  }

  /** Whether this user may pin messages here, and take them down. */
  get mayPin() {
    const { channel, canWrite } = this.#conversation;
    if (!channel || !canWrite) return false;
    const { kind, role = "none", profile } = channel;
    const isModerating = role === "moderator" || role === "admin";
    return kind === "single" || kind === "self" || (kind === "group" &&
      (isModerating || (role === "participant" && profile?.pinners !== "moderators")));
  }

  /** @param {string} [messageID] */
  isPinned(messageID) {
    return this.all.some((pin) => pin.messageID === messageID);
  }

  /** @param {string} messageID is pinned for everybody */
  pin(messageID) {
    return this.#perform("pin.add", messageID);
  }

  /** @param {string} messageID is taken down for everybody, whoever has pinned it */
  unpin(messageID) {
    return this.#perform("pin.remove", messageID);
  }

  /**
   * @param {"pin.add" | "pin.remove"} command
   * @param {string} messageID
   */
  async #perform(command, messageID) {
    const { seq } = await this.#conversation.perform(command, { messageID });
    // Nothing has changed, as what is here is not what the server has.
    if (!seq) this.#changed();
  }

  /**
   * Reads them, once at a time: what changes meanwhile is read again.
   * @internal
   * @returns {Promise<void>} rejects with a `RoostError`
   */
  load() {
    this.#isStale = true;
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load() {
    while (this.#isStale) {
      this.#isStale = false;
      const found = await this.#read();
      // What is recalled by now must not show.
      if (!this.#isStale) this.#set(found);
    }
  }

  async #read() {
    const { sync } = this.#core;
    const { id, channel, pages } = this.#conversation;
    // News have no pins.
    if (!channel || channel.kind.endsWith("News")) return [];
    const { pins } = await sync.ask("pin.list", { channel: id });
    const messages = new Map(this.#found.map(({ messageID, message }) => [messageID, message]));
    const take = (/** @type {import("./types.js").Row[]} */ rows) => rows.filter(isMessage).forEach((row) => {
      if (row.body.recall) messages.delete(row.body.messageID);
      else messages.set(row.body.messageID, messageOf(row));
    });
    take(pins.flatMap(({ messageID }) => pages.timeline.find(messageID) ?? []));
    await this.#get(pins.map(({ messageID }) => messageID).filter((messageID) => !messages.has(messageID)), take);
    return pins.flatMap((pin) => {
      const message = messages.get(pin.messageID);
      return message ? { ...pin, message } : [];
    });
  }

  /**
   * @param {string[]} messageIDs
   * @param {(rows: import("./types.js").Row[]) => void} take
   */
  async #get(messageIDs, take) {
    let count = maxMessages;
    while (messageIDs.length) {
      const some = messageIDs.slice(0, count);
      try {
        take((await this.#core.sync.ask("message.get", { channel: this.#conversation.id, messageIDs: some })).events);
      } catch (error) {
        const { name } = /** @type {Error} */ (error);
        if (name === "tooLarge" && some.length > 1) {
          count = Math.floor(some.length / 2);
          continue;
        }
        // None of them is there any more.
        if (name !== "messageNotFound") throw error;
      }
      messageIDs = messageIDs.slice(some.length);
    }
  }

  /**
   * What was read may not be true any more.
   * @internal
   */
  forget() {
    this.#found = [];
  }

  /** @param {PinnedMessage[]} found */
  #set(found) {
    if (!found.length && !this.#found.length) return;
    this.#found = found;
    this.#conversation.changed();
  }

  /**
   * @internal
   * @param {import("./types.js").Row} event the next row of the channel's log
   */
  row(event) {
    if (event.event === "pin.added" || event.event === "pin.removed") {
      this.#changed();
    } else if (event.event === "message.recalled") {
      const recalled = new Set(event.body.messages.map(({ messageID }) => messageID));
      this.#drop(({ messageID }) => recalled.has(messageID));
    } else if (event.event === "channel.purged") {
      const { upTo } = event.body;
      this.#drop(({ message: { seq = 0 } }) => seq <= upTo);
    }
  }

  /**
   * At once, as nobody may read them any more.
   * @param {(pin: PinnedMessage) => boolean} isGone
   */
  #drop(isGone) {
    const left = this.#found.filter((pin) => !isGone(pin));
    if (left.length === this.#found.length && !this.#loading) return;
    this.#set(left);
    this.#changed();
  }

  #changed() {
    if (this.#loading) this.#isStale = true;
    // Otherwise they are read as soon as the conversation is shown and there is a connection.
    else if (this.#conversation.opens && this.#core.sync.isLive) this.load().catch(() => {});
  }
}
