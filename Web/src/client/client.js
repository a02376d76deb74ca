import { countedUnread, sum } from "./channels.js";
import { ClientEvents } from "./client-events.js";
import { Conversation } from "./conversation.js";
import { RoostError } from "./errors.js";
import { makeDeviceID, singleChannelID } from "./ids.js";
import { LogPosition } from "./log-book.js";
import { Store, databases } from "./store.js";
import { Sync } from "./sync.js";
import { Tabs } from "./tabs.js";

// Views import from here what else they need, so that all of the client is one file of the bundle.
export { RoostError };
export { byActivity, isMessage, pictureOf } from "./channels.js";
export { isChannelID, isUserID } from "./ids.js";
export { messageOf } from "./timeline.js";

/** @typedef {import("./types.js").User} User */

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
 * The user id of a token, which is not verified here: it only names the store.
 * @param {string} token
 */
function userOf(token) {
  try {
    const json = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    return /** @type {string} */ (JSON.parse(json).sub);
  } catch {
    return undefined;
  }
}

/**
 * One user of one server: connects, keeps up to date, and sends.
 *
 * Events: `state`, `unread` (detail `{total}`), `message` (detail `{channel, message, isOwn}`, each live message once),
 * `error` (detail: a `RoostError`), `invitations`, `blocked`, `schedules`, `typing` (detail `{channel}`: others there),
 * `queue` (detail `{channel}`: what is to be sent there).
 */
export class Client extends ClientEvents {
  /** @param {Options} options */
  constructor(options) {
    super();
    this.options = options;
    if (options.guest) this.user = { ...options.guest, name: options.guest.name || options.guest.userID };
    const own = typeof location === "undefined" ? "" : location.origin;
    /** The address of the server, without a slash at its end. */
    this.server = (options.server || own).replace(/\/+$/, "");
    this.sync = new Sync(`${this.server.replace(/^http/, "ws")}/v1/connect`, {
      hello: () => this.hello(),
      renew: typeof options.token === "function" ? () => this.token() : null,
      welcome: ({ welcome, isNewEpoch }) => this.welcomed(welcome, isNewEpoch),
      row: ({ event, isLive }) => this.row(event, isLive),
      signal: ({ event }) => this.ephemeral(event),
      reset: ({ reset }) => this.reset(reset),
      marks: ({ page }) => this.takeMarks(page.marks, page.channels),
      state: ({ state, error }) => this.setState(state, error),
      position: ({ channel, seq }) => this.setPosition(channel ?? "", seq),
    });
    /** @type {Promise<import("./files.js").Files> | undefined} */
    this.loadingFiles = undefined;
    /** Resolves when there is something to show: what the store has, or what the server has answered. */
    this.ready = new Promise((/** @type {(value?: unknown) => void} */ resolve) => (this.isReady = resolve));
    this.wake = () => this.sync.tell({ type: "wake" });
    this.lose = () => this.sync.tell({ type: "lose" });
    this.hide = () => {
      if (document.visibilityState === "hidden") this.flush();
      else this.wake();
    };
    this.begin();
  }

  async begin() {
    const { options } = this;
    if (this.isShared) {
      let userID = options.guest?.userID ?? options.userID;
      if (!userID) userID = userOf(this.firstToken = await this.token().catch(() => ""));
      if (userID) await this.openStore(userID);
    }
    if (this.state === "closed") return;
    this.deviceID ||= makeDeviceID();
    if (!this.storeName) this.startTabs();
    if (typeof window !== "undefined") {
      addEventListener("online", this.wake);
      addEventListener("offline", this.lose);
      document.addEventListener("visibilitychange", this.hide);
      addEventListener("pagehide", this.hide);
    }
    this.sync.tell({ type: "start" });
  }

  get isShared() {
    return this.options.store !== false && Boolean(databases());
  }

  /** @param {string} userID */
  async openStore(userID) {
    this.user = { ...this.user, userID, name: this.user.name || userID };
    this.storeName = `roost ${this.server} ${userID}`;
    this.store = await Store.open(this.storeName);
    const stored = await this.store?.load().catch(() => null);
    if (this.state === "closed") return this.store?.close();
    if (stored) {
      const { meta } = stored;
      this.deviceID = meta.get("deviceID") ?? "";
      if (meta.has("user")) this.user = meta.get("user");
      this.limits = meta.get("limits") ?? null;
      this.imageOrigins = meta.get("imageOrigins") ?? [];
      this.blocked = meta.get("blocked") ?? this.blocked;
      const { book } = this.sync;
      const userSeq = meta.get("userSeq") ?? null;
      book.epoch = meta.get("epoch") ?? null;
      book.user = new LogPosition(userSeq);
      if (userSeq !== null) this.positions.set("", userSeq);
      this.drafts.load(stored.drafts);
      for (const { channel, position, from, snapshot } of stored.channels) {
        if (position !== null) {
          book.channels.set(channel, new LogPosition(position));
          this.positions.set(channel, position);
        }
        if (from !== null && position !== null) this.cached.set(channel, { from, position });
        if (snapshot) this.channels.set(channel, snapshot);
      }
      this.outbox.load(stored.queue);
      if (this.channels.size) {
        this.totalUnread = meta.get("totalUnread") ?? 0;
        const loaded = sum([...this.channels.values()].map(countedUnread));
        this.elsewhere.set("", this.totalUnread - loaded);
        this.list.hasLoaded = true;
        this.list.changed();
        this.isReady?.();
      }
    }
    if (!this.deviceID) {
      this.deviceID = makeDeviceID();
      await this.store?.write([{ in: "meta", put: this.deviceID, key: "deviceID" }]).catch(() => {});
    }
    this.startTabs();
  }

  startTabs() {
    if (this.store) {
      this.tabs.close();
      this.tabs = new Tabs(this.storeName, {
        onLead: () => this.lead(),
        onMessage: (message) => this.outbox.hear(message),
      });
    } else {
      this.lead();
    }
  }

  /** This tab leads from now on: it sends what waits, and writes what it knows into the store. */
  async lead() {
    if (this.store) {
      // What an earlier leader has left.
      const stored = await this.store.load().catch(() => null);
      if (!this.tabs.isLeader) return;
      this.outbox.load(stored?.queue ?? []);
      this.startWriting(stored);
    }
    this.outbox.lead();
  }

  /** @returns {Promise<string>} */
  async token() {
    const { token } = this.options;
    return (typeof token === "function" ? await token(this.sync.refusals > 0) : token) ?? "";
  }

  async hello() {
    const { guest } = this.options;
    const who = guest ? { guest } : { token: this.firstToken || await this.token() };
    this.firstToken = "";
    return { version: 1, deviceID: this.deviceID, ...who };
  }

  /** The headers of a request of this user. */
  async httpHeaders() {
    const { guest } = this.options;
    /** @type {Record<string, string>} */
    const headers = { "Roost-Device": this.deviceID };
    if (guest) headers["Roost-Guest"] = guest.userID;
    else headers.Authorization = `Bearer ${await this.token()}`;
    return headers;
  }

  /**
   * @param {"connecting" | "live" | "offline" | "refused" | "closed"} state
   * @param {RoostError | null} error
   */
  setState(state, error) {
    if (state === "offline" || state === "refused") {
      this.outbox.disconnected();
      for (const conversation of this.conversations.values()) conversation.disconnected();
    }
    // A quick second try is no news.
    if (state === "connecting" && this.state === "offline") return;
    this.state = state;
    this.error = error;
    if (state === "refused") {
      this.tabs.close();
      this.isReady?.();
      this.dispatchEvent(new CustomEvent("error", { detail: error }));
    }
    if (state === "live") this.caughtUp();
    this.dispatchEvent(new Event("state"));
  }

  /**
   * @param {import("./protocol.js").Welcome} welcome
   * @param {boolean} isNewEpoch
   */
  welcomed(welcome, isNewEpoch) {
    this.user = welcome.user;
    this.limits = welcome.limits;
    this.imageOrigins = welcome.imageOrigins ?? [];
    this.isOperator = welcome.isOperator;
    for (const conversation of this.conversations.values()) conversation.timeline.me = this.user.userID;
    if (isNewEpoch) {
      this.channels.clear();
      this.positions.clear();
      this.elsewhere = new Map([["", this.totalUnread]]);
      this.cached.clear();
      if (this.store) {
        this.changes.push({ in: "rows", delete: IDBKeyRange.lowerBound(["", 0]) });
        this.changes.push({ in: "channels", delete: IDBKeyRange.lowerBound("") });
      }
      for (const conversation of this.conversations.values()) {
        // Rows have the numbers of others now.
        Object.assign(conversation.timeline, { gone: new Set(), floor: 0 });
        conversation.reset();
      }
    }
    this.touch(null);
  }

  async caughtUp() {
    this.outbox.pump();
    for (const conversation of this.conversations.values()) if (conversation.opens) conversation.refresh();
    await Promise.all([this.list.refresh(), this.readInvitations(), this.readBlocked()]);
    this.isReady?.();
  }

  async readInvitations() {
    try {
      const { channels } = await this.read("channel.query", { roles: ["invited"], limit: 100 });
      this.invitations = channels.map((channel) => ({
        channel: channel.channel,
        title: channel.title,
        byUserID: channel.invitedBy,
      }));
      const ids = [...new Set(this.invitations.flatMap(({ byUserID }) => byUserID ?? []))];
      if (ids.length) {
        const { users } = await this.read("user.get", { userIDs: ids.slice(0, 100) });
        const names = new Map(users.map((/** @type {User} */ user) => [user.userID, user.name]));
        this.invitations = this.invitations.map((each) => ({ ...each, byName: names.get(each.byUserID ?? "") }));
      }
      this.dispatchEvent(new Event("invitations"));
    } catch {
      // The next connect reads them again.
    }
  }

  /** @returns {Promise<void>} */
  async readBlocked() {
    /** @type {string[]} */
    const ids = [];
    /** @type {string | undefined} */
    let cursor;
    const { blocked } = this;
    try {
      do {
        /** @type {import("./protocol.js").Commands["user.listBlocked"]["answer"]} */
        const page = await this.read("user.listBlocked", cursor ? { cursor } : {});
        // An event that came meanwhile may be newer than the pages.
        if (blocked !== this.blocked) return this.readBlocked();
        ids.push(...page.users.map(({ user }) => user.userID));
        cursor = page.next;
      } while (cursor);
    } catch {
      // The next connect reads them again.
      return;
    }
    this.setBlocked(ids);
  }

  /**
   * Carries out a command that reads or only moves something forward; waits for the connection.
   * @template {keyof import("./protocol.js").Commands} Name
   * @param {Name} command
   * @param {import("./protocol.js").Commands[Name]["body"]} [body]
   * @returns {Promise<import("./protocol.js").Commands[Name]["answer"]>} rejects with a `RoostError`
   */
  read(command, body = {}) {
    return this.sync.ask(command, body);
  }

  /**
   * Carries out a command that writes, once, however often it has to be sent.
   * @template {keyof import("./protocol.js").Commands} Name
   * @param {Name} command
   * @param {import("./protocol.js").Commands[Name]["body"]} [body]
   * @returns {Promise<import("./protocol.js").Commands[Name]["answer"]>} rejects with a `RoostError`
   */
  perform(command, body = {}) {
    return this.sync.perform(command, body);
  }

  /**
   * The conversation of a channel: always the same object.
   * @param {string} channel
   */
  conversation(channel) {
    let conversation = this.conversations.get(channel);
    if (!conversation) this.conversations.set(channel, (conversation = new Conversation(this, channel)));
    return conversation;
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
      await this.reads.channel(channel);
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
    await this.reads.channel(channel);
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
   * @param {{onProgress?: (fraction: number) => void, signal?: AbortSignal}} options
   * @returns {Promise<{fileID: string}>}
   */
  async upload(blob, name, { onProgress = () => {}, signal = new AbortController().signal } = {}) {
    return (await this.files()).upload(blob, name, { onProgress, signal });
  }

  /**
   * A link to a file that works without a token until it expires.
   * @param {string} fileID
   * @returns {Promise<string>} rejects with a `RoostError` if the user may not read it
   */
  async fileURL(fileID) {
    return (await this.files()).url(fileID);
  }

  /**
   * The address of a picture of a user or a channel.
   * @param {string} [imageURL]
   * @returns {Promise<string | null>} null if there is none that may be shown
   */
  async imageURL(imageURL) {
    return imageURL ? this.files().then((files) => files.picture(imageURL)).catch(() => null) : null;
  }

  /** @returns {Promise<import("./files.js").Files>} what is loaded when it is used */
  files() {
    this.loadingFiles ??= import("./files.js").then(({ Files }) => new Files(this)).catch((error) => {
      this.loadingFiles = undefined;
      throw error;
    });
    return this.loadingFiles;
  }

  /** Ends the connection; what waits to be sent stays in the store. */
  async close() {
    const written = this.flush();
    this.sync.tell({ type: "close" });
    this.outbox.close();
    this.tabs.close();
    if (typeof window !== "undefined") {
      removeEventListener("online", this.wake);
      removeEventListener("offline", this.lose);
      document.removeEventListener("visibilitychange", this.hide);
      removeEventListener("pagehide", this.hide);
    }
    await written;
    this.store?.close();
  }

  /** Logs this device out, and deletes everything that this browser has of the user. */
  async logOut() {
    await Promise.race([
      this.perform("device.remove", { deviceID: this.deviceID }),
      new Promise((resolve) => setTimeout(resolve, 2_000)),
    ]).catch(() => {});
    await this.close();
    if (this.storeName) await Store.destroy(this.storeName);
  }
}

/**
 * Connects a user; returns at once.
 * @param {Options} options
 * @returns {Client}
 */
export const connect = (options) => new Client(options);
