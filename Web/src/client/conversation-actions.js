import { messageType } from "./file-types.js";
import { markAnswered } from "./rows/marks.js";
import { plainEmoji } from "./rows/reactions.js";

/** @typedef {import("./protocol.js").Commands} Commands */
/** @typedef {import("./types.js").Message} Message */
/** @typedef {import("./types.js").Member} Member */
/** @typedef {import("./types.js").Role} Role */

/** While the user goes on typing, the others are told again after this time, in ms. */
const typingPause = 3_000;

/** What a user can do in a conversation. Each command is carried out once, however often it has to be sent. */
export class ConversationActions extends EventTarget {
  /**
   * @param {import("./core.js").Core} core
   * @param {string} id
   */
  constructor(core, id) {
    super();
    this.core = core;
    /** The id of the channel. */
    this.id = id;
    this.typingSentAt = 0;
    this.markSent = 0;
    this.isTelling = false;
  }

  /** Tells that something has changed. */
  changed() {
    if (this.isTelling) return;
    this.isTelling = true;
    queueMicrotask(() => {
      this.isTelling = false;
      this.dispatchEvent(new Event("change"));
    });
  }

  /**
   * Sends a text. It appears at once as being sent, and keeps its place.
   * @param {{text: string, mentions?: import("./types.js").Mention[], replyTo?: Message}} content
   * @returns {string} the transID
   */
  send({ text, mentions, replyTo }) {
    this.typingSentAt = 0;
    const shown = { text, ...(mentions?.length && { mentions }) };
    return this.core.outbox.send(
      this.id,
      { ...shown, ...(replyTo && { replyTo: replyTo.messageID }) },
      { ...shown, ...snapshot(replyTo) },
    );
  }

  /**
   * Sends a file: it is uploaded first, also after a reload. The sends behind it wait for it.
   * @param {Blob} file
   * @param {{name?: string, type?: string, text?: string, mentions?: import("./types.js").Mention[],
   *   width?: number, height?: number, durationMs?: number, replyTo?: Message}} about the type of message is guessed
   *   from the media type
   * @returns {string} the transID
   */
  sendFile(file, { name, type, text = "", mentions, width, height, durationMs, replyTo } = {}) {
    const fileName = name ?? (file instanceof File ? file.name : "file");
    const shown = { text, ...(mentions?.length && { mentions }) };
    const content = { type: type ?? messageType(file.type, fileName), ...shown };
    const reference = { name: fileName, size: file.size, contentType: file.type, width, height, durationMs };
    return this.core.outbox.send(
      this.id,
      { ...content, ...(replyTo && { replyTo: replyTo.messageID }) },
      { ...content, ...snapshot(replyTo), file: { fileID: "", ...reference } },
      { file, fileName },
    );
  }

  /** @param {string} transID of a failed message */
  retry(transID) {
    this.core.outbox.retry(transID);
  }

  /** @param {string} transID of a message that is not sent; an upload is cancelled */
  discard(transID) {
    this.core.outbox.discard(transID);
  }

  /**
   * Recalls messages for everybody.
   * @param {string[]} messageIDs
   */
  async recall(messageIDs) {
    await this.perform("message.recall", { messageIDs });
  }

  /**
   * Deletes messages from this user's own view.
   * @param {string[]} messageIDs
   */
  async deleteForMe(messageIDs) {
    await this.perform("message.delete", { scope: "messages", messageIDs });
  }

  /**
   * Adds a reaction, or removes it if it is there.
   * @param {string} messageID
   * @param {string} emoji
   */
  async react(messageID, emoji) {
    const message = this.timelineMessage(messageID);
    const isMine = message?.reactions?.kinds.some((kind) =>
      kind.isMine && plainEmoji(kind.emoji) === plainEmoji(emoji));
    await this.perform(isMine ? "reaction.remove" : "reaction.add", { messageID, emoji });
  }

  /**
   * @param {string} messageID
   * @returns {Message | undefined}
   */
  timelineMessage(messageID) {
    const items = /** @type {import("./conversation.js").Conversation} */ (/** @type {unknown} */ (this)).items;
    for (const item of items) if (item.kind === "message" && item.message.messageID === messageID) return item.message;
    return undefined;
  }

  /**
   * Forwards messages to other channels.
   * @param {string[]} messageIDs
   * @param {string[]} channels
   */
  async forward(messageIDs, channels) {
    await this.perform("message.forward", { messageIDs, channels });
  }

  /** Tells the others that this user is typing; call it for each change of the text. */
  userIsTyping() {
    const now = Date.now();
    if (now - this.typingSentAt < typingPause || !this.core.sync.isLive) return;
    this.typingSentAt = now;
    this.core.sync.ask("typing.start", { channel: this.id }).catch(() => {});
  }

  /** Tells the others that this user has stopped typing. */
  userStoppedTyping() {
    if (!this.typingSentAt || !this.core.sync.isLive) return;
    this.typingSentAt = 0;
    this.core.sync.ask("typing.end", { channel: this.id }).catch(() => {});
  }

  /**
   * Marks everything up to a row as read.
   * @param {number} [seq] the newest row if absent
   */
  markRead(seq) {
    const channel = this.core.state.channels.get(this.id);
    if (!channel || channel.kind === "open" || !this.core.sync.isLive) return;
    const mark = Math.min(seq ?? channel.seq, channel.seq);
    const isNew = mark > Math.max(channel.readSeq ?? 0, this.markSent);
    if (!isNew && !channel.isMarkedUnread) return;
    this.markSent = Math.max(this.markSent, mark);
    const { state } = this.core;
    const { ownChanges } = state;
    this.core.sync.ask("readMark.set", { channel: this.id, seq: mark }).then(
      (answer) => this.core.apply(
        markAnswered(state.channels, answer, channel.seq, ownChanges === state.ownChanges)),
      () => (this.markSent = 0),
    );
  }

  /**
   * Sets this user's ballot.
   * @param {string} messageID
   * @param {number[]} options the indexes of the options
   */
  async vote(messageID, options) {
    await this.perform("vote.cast", { messageID, options });
    await this.readVote(messageID);
  }

  /** @param {string} messageID */
  async closeVote(messageID) {
    await this.perform("vote.close", { messageID });
  }

  /** @param {string} messageID */
  async readVote(messageID) {
    const { timeline } = /** @type {import("./conversation.js").Conversation} */ (/** @type {unknown} */ (this));
    const { votes } = await this.core.sync.ask("vote.get", { channel: this.id, messageIDs: [messageID] });
    for (const vote of votes) {
      const known = timeline.votes.get(messageID);
      if (!known || known.revision <= vote.revision) timeline.votes.set(messageID, vote);
    }
    timeline.changed();
    this.changed();
  }

  /**
   * Creates a vote.
   * @param {{question: string, options: string[], choices?: number, isSecret?: boolean, canChange?: boolean,
   *   closesAt?: number}} vote times in ms since 1970
   */
  async createVote({ question, options, ...rules }) {
    const vote = { ...rules, options: options.map((text) => ({ type: "text", text })) };
    await this.perform("vote.create", { subject: question, vote });
  }

  /**
   * Has the server send a text later.
   * @param {{text: string, mentions?: import("./types.js").Mention[], at: number}} schedule `at` in ms since 1970
   */
  async schedule({ text, mentions, at }) {
    const messages = [{ type: "text", text, ...(mentions?.length && { mentions }) }];
    await this.core.sync.perform("schedule.create", { channels: [this.id], messages, sendAt: at });
  }

  /** @param {string} scheduleID */
  async cancelSchedule(scheduleID) {
    await this.core.sync.perform("schedule.cancel", { scheduleID });
  }

  /**
   * The members whose name or id begins with a text, without oneself.
   * @param {string} prefix
   * @returns {Member[]}
   */
  mentionCandidates(prefix) {
    const members = /** @type {import("./conversation.js").Conversation} */ (/** @type {unknown} */ (this)).members;
    const wanted = prefix.toLocaleLowerCase();
    return members.filter(
      ({ userID, name }) =>
        userID !== this.core.state.user.userID &&
        (name.toLocaleLowerCase().startsWith(wanted) || userID.toLowerCase().startsWith(wanted)),
    );
  }

  /** @param {string[]} userIDs */
  async invite(userIDs) {
    await this.perform("member.invite", { members: userIDs });
  }

  /** @param {string[]} userIDs */
  async kick(userIDs) {
    await this.perform("member.kick", { members: userIDs });
  }

  /** @param {string[]} userIDs */
  async ban(userIDs) {
    await this.perform("member.ban", { members: userIDs });
  }

  /**
   * @param {string} userID
   * @param {Role} role
   */
  async setRole(userID, role) {
    await this.perform("member.setRole", { userID, role });
  }

  /** @param {string} [successor] who becomes admin in this user's place */
  async leave(successor) {
    await this.perform("channel.leave", successor ? { successor } : {});
  }

  /** Ends the group for everybody. */
  async dismiss() {
    await this.perform("channel.dismiss", {});
  }

  /** @param {string} title */
  async rename(title) {
    await this.perform("channel.setProfile", { profile: { title } });
  }

  /**
   * Sets the picture of the group.
   * @param {Blob} file
   */
  async setPicture(file) {
    const { fileID } = await this.core.files.upload(file, file instanceof File ? file.name : "picture");
    await this.perform("channel.setProfile", { profile: { avatar: `file:${fileID}` } });
  }

  /** @param {boolean} isMuted */
  async mute(isMuted) {
    await this.perform("channel.setPreference", { isMuted });
  }

  /** Hides the conversation until its next message. */
  async hide() {
    await this.perform("channel.hide", {});
  }

  /** Marks the conversation as unread, for this user only. */
  async markUnread() {
    await this.perform("readMark.unset", {});
  }

  /** Removes the conversation from this user's list, with its history. */
  async end() {
    await this.perform("channel.end", {});
  }

  /**
   * @template {keyof Commands} Name
   * @param {Name} command
   * @param {Omit<Commands[Name]["body"], "channel">} body
   */
  perform(command, body) {
    return this.core.sync.perform(command, /** @type {Commands[Name]["body"]} */ ({ channel: this.id, ...body }));
  }
}

/**
 * @param {Message | undefined} message
 * @returns {{replyTo?: import("./types.js").ReplySnapshot}}
 */
function snapshot(message) {
  if (!message?.messageID) return {};
  const { messageID, seq = 0, senderID, senderName, type, sentAt, text, mentions, file, thumbnail, location } = message;
  const isShort = text.length <= 500;
  return {
    replyTo: {
      messageID,
      seq,
      senderID,
      senderName,
      type,
      sentAt,
      text: isShort ? text : text.slice(0, 500),
      ...(isShort && mentions && { mentions }),
      file,
      thumbnail,
      location,
    },
  };
}
