import { ConversationState } from "./conversation-state.js";
import { oncePerTurn } from "./once-per-turn.js";
import { fileMessage, newVote, textMessage } from "./sends.js";

/**
 * One channel as a screen shows it: history, live messages, own sends, typing, members and read marks.
 *
 * `open` it while it is on a screen and `close` it after that. Fires `change` after each change, at most once per turn
 * of the event loop; what it gives is replaced, never changed. Each command is carried out once.
 */
export class Conversation extends EventTarget {
  #core;

  /**
   * Made by `client.conversation`.
   * @internal
   * @param {import("./core.js").Core} core
   * @param {string} id
   */
  constructor(core, id) {
    super();
    this.#core = core;
    /** The id of the channel. */
    this.id = id;
    /** @internal */
    this.state = new ConversationState(core, id, oncePerTurn(this));
  }

  /** The channel; null until it is known. */
  get channel() {
    return this.state.channel;
  }

  /** The messages and lines, from the oldest to the newest. @returns {import("./types.js").Item[]} */
  get items() {
    return this.state.pages.timeline.items;
  }

  /** Whether there may be older messages. */
  get hasBefore() {
    return this.state.pages.timeline.hasBefore;
  }

  /** Whether there are newer messages than the last item. */
  get hasAfter() {
    return this.state.pages.timeline.hasAfter;
  }

  /** Whether there is something to show. */
  get hasLoaded() {
    return this.state.pages.hasLoaded;
  }

  /** Whether the first messages are being loaded. */
  get isLoading() {
    return this.state.pages.isLoading;
  }

  /** What the server has refused last. */
  get error() {
    return this.state.error;
  }

  /** All members, with their read marks. */
  get members() {
    return this.state.members.all;
  }

  /** The newest row that is here without a gap, shown or not; 0 before the first page. */
  get lastSeq() {
    return this.state.pages.timeline.to;
  }

  /** Messages after this row are new to the user; null if there is no separator. */
  get separator() {
    return this.state.pages.timeline.separator;
  }

  /** What the server will send later for this user. */
  get schedules() {
    return this.state.schedules;
  }

  /** Those who are typing, without oneself and those whom the user has blocked. */
  get typing() {
    return this.state.typing.names;
  }

  /** Whether the channel does not exist for this user any more. */
  get isGone() {
    return this.state.isGone;
  }

  /** Whether that is because the user is banned from it. */
  get isBanned() {
    return this.state.isBanned;
  }

  /** The event of the user's own log that has ended it for this user, if one did. */
  get ending() {
    return this.state.ending;
  }

  /** The other member of a 1-on-1 if the user has blocked that person; else undefined. */
  get blockedPeer() {
    return this.state.blockedPeer;
  }

  /** Whether the other member of a 1-on-1 was deleted, as far as it is known. */
  get isPeerDeleted() {
    return this.state.members.isPeerDeleted;
  }

  /** Whether this user may send: not to news, not after having left, not to who was deleted or is blocked. */
  get canWrite() {
    return this.state.canWrite;
  }

  /** Reads the pinned messages; while the conversation is shown, they are kept up to date from then on. */
  loadPins() {
    return this.state.loadPins();
  }

  /** What was being written, also before a reload. */
  get draft() {
    return this.#core.drafts.get(this.id);
  }

  /** @param {Partial<import("./types.js").Draft>} draft what is being written; nothing, when it was sent */
  setDraft(draft) {
    this.#core.drafts.set(this.id, draft);
  }

  /** Shows the conversation: loads its newest messages, joins an open channel. Call `close` as often as `open`. */
  open() {
    return this.state.open();
  }

  /** The conversation is not shown any more. */
  close() {
    this.state.close();
  }

  /** Brings everything up to date; by itself it does so after `open` and after each connect. */
  refresh() {
    return this.state.refresh();
  }

  /** Loads the newest messages in place of what is there. */
  loadNewest() {
    return this.state.pages.loadNewest();
  }

  /** Loads what shows before the first item. */
  loadBefore() {
    return this.state.pages.loadBefore();
  }

  /** Loads what shows after the last item. */
  loadAfter() {
    return this.state.pages.loadAfter();
  }

  /**
   * Loads the messages around one, if it is not there.
   * @param {string} messageID
   * @param {() => boolean} [isWanted] whether the page is still to be shown when it has come; always if absent
   * @returns {Promise<void>} rejects with `messageNotFound` if it does not exist or may not be read
   */
  loadAround(messageID, isWanted) {
    return this.state.pages.loadAround(messageID, isWanted);
  }

  /**
   * Sends a text. It appears at once as being sent, and keeps its place.
   * @param {import("./types.js").TextContent} content
   * @returns {string} the transID
   */
  send(content) {
    this.state.typing.sent();
    return this.#core.outbox.send(this.id, textMessage(content));
  }

  /**
   * Sends a file: it is uploaded first, also after a reload. The sends behind it wait for it.
   * @param {Blob} file
   * @param {import("./types.js").FileContent} [about]
   * @returns {string} the transID
   */
  sendFile(file, about = {}) {
    return this.#core.outbox.send(this.id, fileMessage(file, about));
  }

  /** @param {string} transID of a failed message */
  retry(transID) {
    this.#core.outbox.retry(transID);
  }

  /** @param {string} transID of a message that is not sent; an upload is cancelled */
  discard(transID) {
    this.#core.outbox.discard(transID);
  }

  /** @param {string[]} messageIDs are recalled for everybody */
  async recall(messageIDs) {
    await this.state.perform("message.recall", { messageIDs });
  }

  /** @param {string[]} messageIDs are deleted from this user's own view */
  async deleteForMe(messageIDs) {
    await this.state.perform("message.delete", { scope: "messages", messageIDs });
  }

  /**
   * Adds a reaction, or removes it if it is there.
   * @param {string} messageID
   * @param {string} emoji
   */
  async react(messageID, emoji) {
    const isMine = this.state.pages.hasReaction(messageID, emoji);
    await this.state.perform(isMine ? "reaction.remove" : "reaction.add", { messageID, emoji });
  }

  /**
   * Forwards messages to other channels.
   * @param {string[]} messageIDs
   * @param {string[]} channels
   */
  async forward(messageIDs, channels) {
    await this.state.perform("message.forward", { messageIDs, channels });
  }

  /** Tells the others that this user is typing; call it for each change of the text. */
  userIsTyping() {
    this.state.typing.ownStarts();
  }

  /** Tells the others that this user has stopped typing. */
  userStoppedTyping() {
    this.state.typing.ownStops();
  }

  /** @param {number} [seq] everything up to this row is read; up to the newest if absent */
  markRead(seq) {
    this.state.markRead(seq);
  }

  /**
   * Sets this user's ballot.
   * @param {string} messageID
   * @param {number[]} options the indexes of the options
   */
  async vote(messageID, options) {
    await this.state.perform("vote.cast", { messageID, options });
    await this.state.pages.votes.read(messageID);
  }

  /** @param {string} messageID */
  async closeVote(messageID) {
    await this.state.perform("vote.close", { messageID });
  }

  /** @param {import("./types.js").NewVote} vote */
  async createVote(vote) {
    await this.state.perform("vote.create", newVote(vote));
  }

  /**
   * Has the server send a text later.
   * @param {{text: string, mentions?: import("./types.js").Mention[], at: number}} schedule `at` in ms since 1970
   */
  async schedule({ text, mentions, at }) {
    const messages = [{ type: "text", text, ...(mentions?.length && { mentions }) }];
    await this.#core.sync.perform("schedule.create", { channels: [this.id], messages, sendAt: at });
  }

  /** @param {string} scheduleID */
  async cancelSchedule(scheduleID) {
    await this.#core.sync.perform("schedule.cancel", { scheduleID });
  }

  /** @param {string} prefix the members whose name, a word of it, or id begins with it, without oneself, are found */
  mentionCandidates(prefix) {
    return this.state.members.candidates(prefix);
  }

  /** @param {string[]} userIDs */
  async invite(userIDs) {
    await this.state.perform("member.invite", { members: userIDs });
  }

  /** @param {string[]} userIDs */
  async kick(userIDs) {
    await this.state.perform("member.kick", { members: userIDs });
  }

  /** @param {string[]} userIDs */
  async ban(userIDs) {
    await this.state.perform("member.ban", { members: userIDs });
  }

  /**
   * @param {string} userID
   * @param {import("./types.js").Role} role
   */
  async setRole(userID, role) {
    await this.state.perform("member.setRole", { userID, role });
  }

  /** @param {string} [successor] who becomes admin in this user's place */
  async leave(successor) {
    await this.state.perform("channel.leave", successor ? { successor } : {});
  }

  /** Ends the group for everybody. */
  async dismiss() {
    await this.state.perform("channel.dismiss", {});
  }

  /** @param {string} title */
  async rename(title) {
    await this.state.perform("channel.setProfile", { profile: { title } });
  }

  /** @param {Blob} file the picture of the group */
  async setPicture(file) {
    const { fileID } = await this.#core.files.upload(file, file instanceof File ? file.name : "picture");
    await this.state.perform("channel.setProfile", { profile: { avatar: `file:${fileID}` } });
  }

  /** @param {boolean} isMuted */
  async mute(isMuted) {
    await this.state.perform("channel.setPreference", { isMuted });
  }

  /** Hides the conversation until its next message. */
  async hide() {
    await this.state.perform("channel.hide", {});
  }

  /** Marks the conversation as unread, for this user only. */
  async markUnread() {
    await this.state.perform("readMark.unset", {});
  }

  /** Removes the conversation from this user's list, with its history. */
  async end() {
    await this.state.perform("channel.end", {});
  }
}
