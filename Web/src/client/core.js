import { Cache } from "./cache.js";
import { ChannelList } from "./channel-list.js";
import { ChannelReads } from "./channel-reads.js";
import { isMessage } from "./channels.js";
import { Conversation } from "./conversation.js";
import { Credentials } from "./credentials.js";
import { Drafts } from "./drafts.js";
import { makeDeviceID } from "./ids.js";
import { LazyFiles } from "./lazy-files.js";
import { Outbox } from "./outbox.js";
import { readBlocked, readInvitations } from "./own-reads.js";
import { watchPage } from "./page-watch.js";
import { applyRow } from "./rows/apply-row.js";
import { markMoved, marksResumed } from "./rows/marks.js";
import { State } from "./state.js";
import { Store, databases } from "./store.js";
import { Sync } from "./sync.js";
import { Tabs } from "./tabs.js";
import { messageOf } from "./timeline.js";

/** @typedef {import("./types.js").OwnRow} OwnRow */
/** @typedef {import("./sync-machine.js").Action} Action */
/** @typedef {import("./rows/apply-row.js").Changes} Changes */

/** The parts of a client, and how they work together. */
export class Core {
  #isReady = () => {};
  #closing = new AbortController();
  /** @type {Map<string, Conversation>} */
  #views = new Map();

  /**
   * @param {import("./client.js").Options} options
   * @param {(type: string, detail?: any) => void} emit tells the app
   */
  constructor(options, emit) {
    this.options = options;
    this.emit = emit;
    const own = typeof location === "undefined" ? "" : location.origin;
    this.server = (options.server || own).replace(/\/+$/, "");
    /** @type {"connecting" | "live" | "offline" | "refused" | "closed"} */
    this.phase = "connecting";
    /** @type {import("./types.js").RoostError | null} */
    this.error = null;
    /** @type {Credentials} */
    this.credentials = new Credentials(options, () => this.sync.refusals > 0);
    this.storeName = "";
    this.ready = new Promise((/** @type {(value?: unknown) => void} */ resolve) => (this.#isReady = resolve));
    /** @type {Map<string, import("./conversation-state.js").ConversationState>} */
    this.conversations = new Map();
    /** @type {State} */
    this.state = new State({
      channel: (id) => {
        this.cache.touch(id);
        this.list.changed();
        this.conversations.get(id)?.changed();
      },
      user: () => this.cache.touch(""),
      unread: (total) => emit("unread", { total }),
      blocked: (changed) => this.#blockedChanged(changed),
      invitations: () => emit("invitations"),
      want: (id) => this.reads.want(id),
    });
    if (options.guest) this.state.user = { ...options.guest, name: options.guest.name || options.guest.userID };
    /** @type {Cache} */
    this.cache = new Cache({
      meta: () => ({ ...this.state.meta, epoch: this.sync.book.epoch }),
      channel: (id) => this.state.channels.get(id),
    });
    /** @type {Sync} */
    this.sync = new Sync(`${this.server.replace(/^http/, "ws")}/v1/connect`, {
      hello: () => this.credentials.hello(),
      renew: this.credentials.canRenew ? () => this.credentials.token() : null,
      welcome: (action) => this.#welcomed(action),
      row: (action) => this.#row(action),
      signal: ({ event }) => this.#signal(event),
      reset: ({ reset }) => this.#reset(reset),
      marks: ({ page }) => this.apply(marksResumed(this.state.channels, page)),
      state: (action) => this.#setPhase(action),
      position: ({ channel = "", seq }) => this.cache.setPosition(channel, seq),
    });
    this.drafts = new Drafts(this.cache);
    this.files = new LazyFiles(this);
    this.reads = new ChannelReads(this.state, this.sync, () => this.list.refresh());
    this.list = new ChannelList(this);
    this.outbox = new Outbox({
      sync: this.sync,
      cache: this.cache,
      server: this.server,
      user: () => this.state.user,
      headers: () => this.credentials.headers(),
      isLeader: () => this.tabs.isLeader,
      post: (message) => this.tabs.post(message),
      changed: (channel) => {
        this.conversations.get(channel)?.queueChanged();
        emit("queue", { channel });
      },
    });
    this.tabs = new Tabs(null, { onLead() {}, onMessage() {} });
    this.#begin();
  }

  async #begin() {
    if (this.options.store !== false && databases()) {
      const userID = await this.credentials.userID();
      if (userID) await this.#openStore(userID);
    }
    if (this.phase === "closed") return;
    this.credentials.deviceID ||= makeDeviceID();
    if (!this.storeName) this.#startTabs();
    watchPage({ wake: () => this.wake(), lose: () => this.sync.tell({ type: "lose" }),
      hide: () => this.cache.flush() }, this.#closing.signal);
    this.sync.tell({ type: "start" });
  }

  /** @param {string} userID */
  async #openStore(userID) {
    const { state, cache, credentials } = this;
    state.user = { ...state.user, userID, name: state.user.name || userID };
    this.storeName = `roost ${this.server} ${userID}`;
    cache.store = await Store.open(this.storeName);
    const stored = await cache.store?.load().catch(() => null);
    if (this.phase === "closed") return cache.store?.close();
    if (stored) {
      credentials.deviceID = stored.meta.get("deviceID") ?? "";
      this.sync.book.restore(stored);
      cache.restore(stored);
      state.restore(stored);
      this.drafts.load(stored.drafts);
      this.outbox.load(stored.queue);
      if (state.channels.size) {
        this.list.hasLoaded = true;
        this.list.changed();
        this.#isReady();
      }
    }
    if (!credentials.deviceID) {
      credentials.deviceID = makeDeviceID();
      await cache.store?.write([{ in: "meta", put: credentials.deviceID, key: "deviceID" }]).catch(() => {});
    }
    this.#startTabs();
  }

  #startTabs() {
    if (!this.cache.store) return this.#lead();
    this.tabs.close();
    this.tabs = new Tabs(this.storeName, {
      onLead: () => this.#lead(),
      onMessage: (message) => this.outbox.hear(message),
    });
  }

  /** This tab leads from now on: it sends what waits, and writes what it knows into the store. */
  async #lead() {
    const { cache, outbox } = this;
    if (cache.store) {
      // What an earlier leader has left.
      const stored = await cache.store.load().catch(() => null);
      if (!this.tabs.isLeader) return;
      outbox.load(stored?.queue ?? []);
      cache.startWriting(stored);
      for (const conversation of this.conversations.values()) conversation.pages.keep();
    }
    outbox.lead();
  }

  /** The network may have changed. */
  wake() {
    this.sync.tell({ type: "wake" });
  }

  /** @param {Extract<Action, {type: "state"}>} action */
  #setPhase({ state, error }) {
    if (state === "offline" || state === "refused") {
      this.outbox.disconnected();
      for (const conversation of this.conversations.values()) conversation.disconnected();
    }
    // A quick second try is no news.
    if (state === "connecting" && this.phase === "offline") return;
    this.phase = state;
    this.error = error;
    if (state === "refused") {
      this.tabs.close();
      this.#isReady();
      this.emit("error", error);
    }
    if (state === "live") this.#caughtUp();
    this.emit("state");
  }

  /** @param {Extract<Action, {type: "welcome"}>} action */
  #welcomed({ welcome, isNewEpoch }) {
    this.state.welcomed(welcome, isNewEpoch);
    if (isNewEpoch) this.cache.forgetAll();
    for (const conversation of this.conversations.values()) conversation.welcomed(isNewEpoch);
  }

  async #caughtUp() {
    this.outbox.pump();
    for (const conversation of this.conversations.values()) conversation.connected();
    const { sync, state } = this;
    await Promise.all([this.list.refresh(), readInvitations(sync, state), readBlocked(sync, state)]);
    this.#isReady();
  }

  /** @param {Extract<Action, {type: "row"}>} action */
  #row({ event, isLive }) {
    const { state, cache } = this;
    if (event.userSeq !== undefined) {
      cache.setPosition("", event.userSeq);
      state.ownChanges += 1;
      return this.apply(applyRow(state, event), event);
    }
    const { channel, seq } = event;
    const isOwn = event.senderID === state.user.userID;
    cache.setPosition(channel, seq);
    const changes = applyRow(state, event);
    // What only changes other rows is not read again.
    cache.add(event, !changes.edited && event.event !== "vote.cast");
    if (changes.edited) cache.edit(channel, changes.edited.seqs, changes.edited.edit);
    this.apply(changes);
    if (isOwn && event.transID) this.outbox.arrived(event.transID);
    this.conversations.get(channel)?.row(event);
    if (isLive && isMessage(event) && this.sync.isLive) {
      this.emit("message", { channel, message: messageOf(event), isOwn });
    }
  }

  /**
   * Takes what has changed.
   * @param {Changes} changes
   * @param {OwnRow | null} [event] what says so, if it is a row of the user's own log
   */
  apply(changes, event = null) {
    const { state, cache, conversations } = this;
    const { invitations, user, deleted, profile } = changes;
    if (invitations) state.setInvitations(invitations);
    if (changes.gone) this.drop(changes.gone.channel, changes.gone.isBanned, event);
    if (user) {
      state.user = user;
      this.emit("state");
    }
    for (const channel of changes.channels ?? []) state.put(channel);
    for (const { channel, seq } of changes.cleared ?? []) {
      conversations.get(channel)?.pages.cleared(seq);
      // What later rows quote of those goes, too.
      cache.forget(channel);
    }
    if (deleted) {
      conversations.get(deleted.channel)?.pages.deleted(deleted.seqs);
      cache.remove(deleted.channel, deleted.seqs);
    }
    if (profile) state.renamed.set(profile.userID, profile.sentAt);
    if (profile) for (const conversation of conversations.values()) conversation.profileChanged(profile);
    if (changes.blocked) state.setBlocked(changes.blocked);
    for (const channel of changes.wanted ?? []) this.reads.want(channel);
    if (changes.joined) conversations.get(changes.joined)?.joined();
    if (changes.hasSchedules) {
      for (const each of conversations.values()) if (each.opens) each.loadSchedules().catch(() => {});
      this.emit("schedules");
    }
  }

  /**
   * The user does not have a channel any more.
   * @param {string} id
   * @param {boolean} [isBanned] whether the user is banned from it
   * @param {OwnRow | null} [event] what says so
   */
  drop(id, isBanned, event) {
    this.state.drop(id);
    this.cache.forget(id);
    this.conversations.get(id)?.left(isBanned, event);
  }

  /** @param {import("./protocol.js").Signal} signal */
  #signal(signal) {
    const { channel = "" } = signal;
    const conversation = this.conversations.get(channel);
    if (signal.event === "typing.started") {
      const { userID, name } = signal.body;
      const isWhole = typeof userID === "string" && typeof name === "string";
      // The list shows it, too, of conversations that are not open.
      if (isWhole && this.state.channels.has(channel)) this.conversation(channel).state.typing.starts(signal.body);
    } else if (signal.event === "typing.ended") {
      conversation?.typing.stops(signal.body.userID);
    } else if (signal.event === "readMark.moved" && Array.isArray(signal.body.marks)) {
      const { marks } = signal.body;
      conversation?.members.marksMoved(marks);
      const own = marks.find(({ userID }) => userID === this.state.user.userID);
      if (!own) return;
      this.state.ownChanges += 1;
      this.apply(markMoved(this.state.channels, channel, own.seq));
    }
  }

  /** @param {import("./protocol.js").Reset} reset */
  #reset({ channel, reason }) {
    if (channel && reason === "gone") return this.drop(channel);
    // Without a channel: no event tells what the user has changed or deleted meanwhile.
    for (const id of channel ? [channel] : [...this.state.channels.keys()]) {
      this.cache.forget(id);
      this.conversations.get(id)?.reset();
    }
    if (channel) this.reads.want(channel);
  }

  /** @param {string[]} userIDs those who are blocked now, or not any more */
  #blockedChanged(userIDs) {
    for (const { id, typing } of this.conversations.values()) {
      if (this.state.channels.has(id) && userIDs.some((each) => typing.has(each))) this.state.change(id, {});
    }
    this.emit("blocked");
  }

  /**
   * The conversation of a channel: always the same object.
   * @param {string} channel
   */
  conversation(channel) {
    let conversation = this.#views.get(channel);
    if (!conversation) {
      conversation = new Conversation(this, channel);
      this.#views.set(channel, conversation);
      this.conversations.set(channel, conversation.state);
    }
    return conversation;
  }

  /**
   * Leaves an open channel; a new conversation begins if the user comes back.
   * @param {string} channel
   */
  leaveOpenChannel(channel) {
    if (this.sync.book.open.delete(channel)) this.sync.perform("channel.leave", { channel }).catch(() => {});
    this.drop(channel);
    this.conversations.delete(channel);
    this.#views.delete(channel);
  }

  /** Ends the connection; what waits to be sent stays in the store. */
  async close() {
    const closed = this.cache.close();
    this.sync.tell({ type: "close" });
    this.outbox.close();
    this.tabs.close();
    this.#closing.abort();
    await closed;
  }
}
