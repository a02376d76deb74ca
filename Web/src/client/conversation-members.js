import { membersAfter } from "./rows/members.js";
import { membersAfterProfile } from "./rows/users.js";

/** @typedef {import("./types.js").Member} Member */

const maxMembers = 10_000;

/**
 * Whether a name, a word of it, or an id begins with a text.
 * @param {import("./types.js").User} person
 * @param {string} prefix in small letters
 */
export const beginsWith = ({ userID, name }, prefix) =>
  ` ${name.toLowerCase()}`.includes(` ${prefix}`) || userID.toLowerCase().startsWith(prefix);

/**
 * The members that may be meant by the beginning of a mention, by name; without the user.
 * @param {Member[]} members
 * @param {string} prefix
 * @param {string} me
 */
export function mentionCandidates(members, prefix, me) {
  const wanted = prefix.toLowerCase();
  const found = members.filter((member) => member.userID !== me && beginsWith(member, wanted))
    .map((member) => /** @type {const} */ ([`${member.name.toLowerCase()}\0${member.userID}`, member]));
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member);
}

/** All members of a channel with their read marks, while its conversation is there. */
export class ConversationMembers {
  #core;
  #channel;
  #changed;
  /** @type {Promise<void> | null} */
  #loading = null;

  /**
   * @param {import("./core.js").Core} core
   * @param {string} channel
   * @param {() => void} changed
   */
  constructor(core, channel, changed) {
    this.#core = core;
    this.#channel = channel;
    this.#changed = changed;
    /** @type {Member[]} */
    this.all = [];
    /** Whether the other member of a 1-on-1 was deleted, as far as it is known. */
    this.isPeerDeleted = false;
  }

  get #kind() {
    return this.#core.state.channels.get(this.#channel)?.kind;
  }

  /** The read marks of the others; empty where nobody has any. */
  get marks() {
    const me = this.#core.state.user.userID;
    const counted = this.#kind && this.#kind !== "open" ? this.all : [];
    return new Map(counted.filter(({ userID }) => userID !== me).map(({ userID, readSeq }) => [userID, readSeq]));
  }

  /** Reads them, once at a time: what changes meanwhile is read again. */
  load() {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load() {
    const { reads, state, sync } = this.#core;
    const kind = this.#kind;
    if (!kind || kind === "open" || kind.endsWith("News")) return;
    this.#set(await reads.current(async () => {
      /** @type {Member[]} */
      const members = [];
      /** @type {string | undefined} */
      let cursor;
      do {
        /** @type {import("./protocol.js").Commands["member.list"]["answer"]} */
        const page = await sync.ask("member.list", { channel: this.#channel, limit: 500, ...(cursor && { cursor }) });
        members.push(...page.members);
        cursor = page.next;
      } while (cursor);
      return members;
    }, () => [state.ownChanges, this.all]));
  }

  /** Looks whether the other member of a 1-on-1 was deleted. */
  async loadPeer() {
    const { state: { channels, user }, sync } = this.#core;
    const peer = this.#kind === "single"
      && channels.get(this.#channel)?.members.find(({ userID }) => userID !== user.userID);
    // No event tells it. Who was deleted has no picture, and is not found.
    if (!peer || peer.imageURL) return;
    const found = await sync.ask("user.find", { userIDs: [peer.userID] }).catch(() => null);
    if (found) this.isPeerDeleted = !found.users.length;
  }

  /** @param {string} prefix the beginning of a mention */
  candidates(prefix) {
    return mentionCandidates(this.all, prefix, this.#core.state.user.userID);
  }

  /** @param {import("./types.js").Row} event the next row of the channel's log */
  row(event) {
    this.#set(membersAfter(this.all, event, maxMembers));
  }

  /** @param {import("./protocol.js").OwnRowBodies["user.profileChanged"]} change */
  profileChanged(change) {
    this.#set(membersAfterProfile(this.all, change));
  }

  /** @param {import("./protocol.js").ReadMark[]} marks */
  marksMoved(marks) {
    if (!marks.length) return;
    const moved = new Map(marks.map((mark) => [mark.userID, mark]));
    this.#set(this.all.map((member) => {
      const mark = moved.get(member.userID);
      return mark && mark.seq > member.readSeq ? { ...member, readSeq: mark.seq, readAt: mark.readAt } : member;
    }));
  }

  /** @param {Member[]} members */
  #set(members) {
    if (members === this.all) return;
    this.all = members;
    this.#changed();
  }
}
