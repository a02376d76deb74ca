import { Core } from "./core.js";
import { RoostError } from "./errors.js";
import { singleChannelID } from "./ids.js";
import { Store } from "./store.js";

// From here, too, so that what loads later shares one file of the bundle with all of the client.
export { RoostError };

/** @typedef {import("./protocol.js").Commands} Commands */

/**
 * @typedef {Object} Options
 * @property {string} [server] such as `https://chat.example.com`; the page's own origin if absent
 * @property {string | ((wasRefused: boolean) => string | Promise<string>)} [token] a function is asked again when the
 *   token ends; `wasRefused` if the server has refused the one before
 * @property {string} [userID] whose token it is: the store is opened at once, also without a connection
 * @property {{userID: string, name?: string, imageURL?: string}} [guest] only if the server runs with `--dev`
 * @property {boolean} [isVisitor] whether the token is one of `visitor.start`, which is good for one conversation only
 * @property {boolean} [store] false keeps nothing in this browser; true if absent
 */

/**
 * One user of one server: connects, keeps up to date, and sends.
 *
 * Events: `state`, `unread` (detail `{total}`), `message` (detail `{channel, message, isOwn}`, each live message once),
 * `error` (detail: a `RoostError`), `invitations`, `blocked`, `schedules`, `typing` (detail `{channel}`: others there),
 * `queue` (detail `{channel}`: what is to be sent there).
 */
export class Client extends EventTarget {
  /** @param {Options} options */
  constructor(options) {
    super();
    /**
     * Its parts, which may change with each version.
     * @internal
     */
    this.core = new Core(options, (type, detail) =>
      this.dispatchEvent(detail === undefined ? new Event(type) : new CustomEvent(type, { detail })));
    /** The user's conversations, as a list shows them. */
    this.list = this.core.list;
    /** Resolves when there is something to show: what the store has, or what the server has answered. */
    this.ready = this.core.ready;
  }

  /** The address of the server, without a slash at its end. */
  get server() {
    return this.core.server;
  }

  /** How far the connection is; `refused`: the server does not let the user in, as `error` tells. */
  get state() {
    return this.core.phase;
  }

  /** Why the server refuses the user; null if it does not. */
  get error() {
    return this.core.error;
  }

  /** The user; the name and the picture change. */
  get user() {
    return this.core.state.user;
  }

  /** What the server allows; null until it has told it. */
  get limits() {
    return this.core.state.limits;
  }

  /** Whether the user may do what operators do. */
  get isOperator() {
    return this.core.state.isOperator;
  }

  /** What it was connected with. */
  get options() {
    return this.core.options;
  }

  /** The id of this device. */
  get deviceID() {
    return this.core.credentials.deviceID;
  }

  /** The server's clock, in ms since 1970. */
  get serverTime() {
    return this.core.sync.serverTime;
  }

  /** Whether this tab is the one of this user that sends; where tabs do not know each other, each does. */
  get isLeader() {
    return this.core.tabs.isLeader;
  }

  /**
   * The channels that are loaded, by their ids; also those that `list` does not show.
   * @returns {ReadonlyMap<string, import("./types.js").Channel>}
   */
  get channels() {
    return this.core.state.channels;
  }

  /** The unread messages of all conversations, without muted ones. */
  get totalUnread() {
    return this.core.state.unread.total;
  }

  /** The unread messages to show: without those of the conversation at whose end the user reads. */
  get shownUnread() {
    return this.core.state.unread.shown;
  }

  /** Open invitations to groups. */
  get invitations() {
    return this.core.state.invitations;
  }

  /**
   * The ids of those whom the user has blocked; replaced with each change.
   * @returns {ReadonlySet<string>}
   */
  get blocked() {
    return this.core.state.blocked;
  }

  /** All messages of this user that have no row yet. */
  get queue() {
    return [...this.core.outbox.messages.values()];
  }

  /** The channel at whose end the user reads: what comes there is read already. */
  get attended() {
    return this.core.state.unread.attended;
  }

  /**
   * The user begins or ends to read at the end of a channel.
   * @param {string} channel
   * @param {boolean} isAttended
   */
  attend(channel, isAttended) {
    this.core.state.attend(channel, isAttended);
  }

  /**
   * What a list shows with a channel, without making its conversation: what was being written, who is typing, and what
   * is not sent yet.
   * @param {string} channel
   */
  preview(channel) {
    const { drafts, conversations, outbox } = this.core;
    return {
      draft: drafts.get(channel),
      typing: conversations.get(channel)?.typing.names ?? [],
      queue: outbox.of(channel).filter(({ state }) => state !== "sent"),
    };
  }

  /**
   * Carries out a command that reads or only moves something forward; waits for the connection.
   * @template {keyof Commands} Name
   * @param {Name} command
   * @param {Commands[Name]["body"]} [body]
   * @returns {Promise<Commands[Name]["answer"]>} rejects with a `RoostError`
   */
  read(command, body = {}) {
    return this.core.sync.ask(command, body);
  }

  /**
   * Carries out a command that writes, once, however often it has to be sent.
   * @template {keyof Commands} Name
   * @param {Name} command
   * @param {Commands[Name]["body"]} [body]
   * @returns {Promise<Commands[Name]["answer"]>} rejects with a `RoostError`
   */
  perform(command, body = {}) {
    return this.core.sync.perform(command, body);
  }

  /**
   * The conversation of a channel: always the same object.
   * @param {string} channel
   */
  conversation(channel) {
    return this.core.conversation(channel);
  }

  /**
   * Makes or finds the 1-on-1 with a user.
   * @param {string} userID
   * @returns {Promise<string>} the channel
   */
  async startConversation(userID) {
    const channel = singleChannelID(this.user.userID, userID);
    if (!this.channels.has(channel)) {
      await this.perform("channel.create", { kind: "single", members: [userID] });
      await this.core.reads.channel(channel);
    }
    return channel;
  }

  /**
   * Makes a group.
   * @param {{title?: string, members: string[]}} group
   * @returns {Promise<string>} the channel
   */
  async createGroup({ title, members }) {
    const made = await this.perform("channel.create", { kind: "group", ...(title && { title }), members });
    const channel = /** @type {string} */ (made.channel);
    await this.core.reads.channel(channel);
    return channel;
  }

  /**
   * Answers an invitation.
   * @param {string} channel
   * @param {boolean} isAccepted
   */
  async answerInvitation(channel, isAccepted) {
    await this.perform("member.answer", { channel, isAccepted });
  }

  /**
   * Leaves an open channel, and forgets what is shown of it.
   * @param {string} channel
   */
  leaveOpenChannel(channel) {
    this.core.leaveOpenChannel(channel);
  }

  /**
   * Changes this user's own name or picture.
   * @param {{name?: string, picture?: Blob | null}} profile null removes the picture
   */
  async setProfile({ name, picture }) {
    const imageURL = picture === null ? "" : picture && `file:${(await this.upload(picture, "picture")).fileID}`;
    await this.perform("user.setProfile", {
      profile: { ...(name !== undefined && { name }), ...(imageURL !== undefined && { imageURL }) },
    });
  }

  /**
   * Uploads a file that is not a message, such as a picture of a user.
   * @param {Blob} blob
   * @param {string} name
   * @param {{onProgress?: (fraction: number) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<{fileID: string}>}
   */
  upload(blob, name, options) {
    return this.core.files.upload(blob, name, options);
  }

  /**
   * A link to a file that works without a token until it expires.
   * @param {string} fileID
   * @returns {Promise<string>} rejects with a `RoostError` if the user may not read it
   */
  async fileURL(fileID) {
    return (await this.core.files.load()).url(fileID);
  }

  /**
   * The address of a picture of a user or a channel.
   * @param {string} [imageURL]
   * @returns {Promise<string | null>} null if there is none that may be shown
   */
  async imageURL(imageURL) {
    return imageURL ? this.core.files.load().then((files) => files.picture(imageURL)).catch(() => null) : null;
  }

  /** Loads the module for files, which otherwise is loaded when it is used. */
  async loadFiles() {
    await this.core.files.load();
  }

  /** The headers of an HTTP request of this user. */
  httpHeaders() {
    return this.core.credentials.headers();
  }

  /** Tries to connect at once, or looks whether the connection is alive; a change of the network does it, too. */
  wake() {
    this.core.wake();
  }

  /** Writes what is kept in this browser; by itself it does so 50 ms after each change. */
  flush() {
    return this.core.cache.flush();
  }

  /** Ends the connection; what waits to be sent stays in the store. */
  close() {
    return this.core.close();
  }

  /** Logs this device out, and deletes everything that this browser has of the user. */
  async logOut() {
    await Promise.race([
      this.perform("device.remove", { deviceID: this.deviceID }),
      new Promise((resolve) => setTimeout(resolve, 2_000)),
    ]).catch(() => {});
    await this.close();
    if (this.core.storeName) await Store.destroy(this.core.storeName);
  }
}

/**
 * Connects a user; returns at once.
 * @param {Options} options
 * @returns {Client}
 */
export const connect = (options) => new Client(options);
