import { ClientState } from "./client-state.js";
import { channelAfter, joinedChannel, membersAfterProfile, named } from "./channels.js";
import { editOf, isEdit } from "./changes.js";
import { isMessage, messageOf } from "./timeline.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").User} User */

/** What each event changes: the only place that says so. */
export class ClientEvents extends ClientState {
  /**
   * A row of a log, in its order.
   * @param {Event} event
   * @param {boolean} isLive
   */
  row(event, isLive) {
    if (event.userSeq !== undefined) {
      this.touch(null);
      this.ownChanges += 1;
      return this.ownRow(event);
    }
    const id = event.channel ?? "";
    this.touch(id);
    if (this.store) {
      // What only changes other rows is not read again.
      const isChange = isEdit(event) || event.event === "vote.cast";
      if (!isChange) this.changes.push({ in: "rows", put: event, key: [id, event.seq] });
      if (!this.cached.has(id)) this.cached.set(id, { from: event.seq ?? 0, position: 0 });
      if (event.event === "message.recalled") {
        const seqs = event.body.messages.map((/** @type {any} */ recalled) => recalled.seq);
        this.editStored(id, seqs, editOf(event, this.user.userID)[1]);
      } else if (event.event.startsWith("reaction.")) {
        this.editStored(id, [event.body.seq], editOf(event, this.user.userID)[1]);
      }
    }
    const me = this.user.userID;
    const channel = this.channels.get(id);
    if (channel) {
      const { channel: next, isUnclear } = channelAfter(channel, event, me);
      if (next !== channel) this.put(next);
      if (isUnclear) this.want(id);
    } else if (isMessage(event) || event.event === "message.recalled") {
      this.want(id);
    }
    if (event.senderID === me && event.transID) this.outbox.arrived(event.transID);
    this.conversations.get(id)?.row(event);
    if (isLive && isMessage(event) && this.sync.isLive) {
      const detail = { channel: id, message: messageOf(event), isOwn: event.senderID === me };
      this.dispatchEvent(new CustomEvent("message", { detail }));
    }
  }

  /**
   * @param {string} channel
   * @param {number[]} seqs
   * @param {(row: Event) => Event | null} edit
   */
  editStored(channel, seqs, edit) {
    for (const seq of seqs) this.changes.push({ in: "rows", key: [channel, seq], edit });
  }

  /** @param {Event} event a row of the user's own log */
  ownRow(event) {
    const { body } = event;
    const conversation = this.conversations.get(body.channel);
    const channel = this.channels.get(body.channel);
    switch (event.event) {
      case "channel.joined":
        this.removeInvitation(body.channel);
        if (!channel) this.put(joinedChannel(event, this.user.userID));
        // The event has neither the roles nor what was published before.
        this.want(body.channel);
        if (conversation?.isGone) {
          // What was written meanwhile is missing.
          conversation.isGone = false;
          conversation.reset();
        } else if (conversation?.opens && this.sync.isLive) {
          conversation.refresh();
        }
        break;
      case "channel.invited": {
        const { title, byName } = body;
        this.removeInvitation(body.channel);
        this.invitations = [...this.invitations, { channel: body.channel, title, byName, byUserID: event.senderID }];
        this.dispatchEvent(new Event("invitations"));
        break;
      }
      case "channel.left":
      case "channel.dismissed":
        this.removeInvitation(body.channel);
        this.drop(body.channel, body.reason === "banned", event);
        break;
      case "channel.hidden":
        for (const { channel: id, seq } of body.channels) {
          this.change(id, { isHidden: true, hiddenTo: seq });
          if ((this.channels.get(id)?.seq ?? 0) > seq) this.want(id);
        }
        break;
      case "channel.ended":
      case "channel.cleared":
        for (const each of body.channels) {
          this.change(each.channel, {
            ...(event.event === "channel.ended" && { isHidden: true, hiddenTo: each.seq }),
            ...(each.seq >= (this.channels.get(each.channel)?.seq ?? 0) && { unread: 0, mentions: 0 }),
            lastMessage: undefined,
            readSeq: each.seq,
          });
          this.conversations.get(each.channel)?.cleared(each.seq);
          this.deleteRows(each.channel, each.seq);
          const cached = this.cached.get(each.channel);
          if (cached) cached.from = Math.max(cached.from, each.seq + 1);
          this.want(each.channel);
        }
        break;
      case "message.deleted": {
        const seqs = body.messages.map((/** @type {any} */ message) => message.seq);
        this.change(body.channel, { unread: body.unread });
        conversation?.deleted(seqs);
        for (const seq of seqs) this.changes.push({ in: "rows", delete: [body.channel, seq] });
        if (seqs.includes(channel?.lastMessage?.seq) || channel?.mentions) this.want(body.channel);
        break;
      }
      case "channel.preferenceChanged":
        this.change(body.channel, { preference: body.preference });
        break;
      case "channel.unreadMarked":
        this.change(body.channel, { isMarkedUnread: body.isMarkedUnread });
        break;
      case "user.profileChanged":
        this.profileChanged(body);
        break;
      case "user.blocked":
        this.setBlocked([...this.blocked, body.user.userID]);
        break;
      case "user.unblocked":
        this.setBlocked([...this.blocked].filter((each) => each !== body.user.userID));
        break;
      default:
        if (!event.event.startsWith("schedule.")) break;
        for (const each of this.conversations.values()) if (each.opens) each.loadSchedules().catch(() => {});
        this.dispatchEvent(new Event("schedules"));
    }
  }

  /** @param {{userID: string, profile: {name?: string, imageURL?: string}}} change */
  profileChanged(change) {
    if (change.userID === this.user.userID) {
      const [user] = membersAfterProfile([/** @type {any} */ (this.user)], change);
      this.user = user;
      this.dispatchEvent(new Event("state"));
    }
    for (const channel of this.channels.values()) {
      const members = membersAfterProfile(channel.members, change);
      if (members !== channel.members) this.put(named({ ...channel, members }, this.user.userID));
    }
    for (const conversation of this.conversations.values()) conversation.profileChanged(change);
  }

  /** @param {Event} event */
  ephemeral({ event, channel = "", body }) {
    const conversation = this.conversations.get(channel);
    if (event === "typing.started") {
      const isWhole = typeof body.userID === "string" && typeof body.name === "string";
      // The list shows it, too, of conversations that are not open.
      if (isWhole && this.channels.has(channel)) this.typistsOf(channel).startsTyping(body);
    } else if (event === "typing.ended") conversation?.stopsTyping(body.userID);
    else if (event === "readMark.moved" && Array.isArray(body.marks)) {
      conversation?.marksMoved(body.marks);
      const own = body.marks.find((/** @type {any} */ mark) => mark.userID === this.user.userID);
      if (own) this.moveMark(channel, own.seq);
    }
  }

  /**
   * @param {string} channel
   * @returns {import("./conversation.js").Conversation}
   */
  typistsOf(channel) {
    return /** @type {any} */ (this).conversation(channel);
  }

  /** @param {any} reset */
  reset(reset) {
    if (!reset.channel) {
      // No event tells what the user has changed or deleted meanwhile.
      for (const channel of [...this.channels.keys()]) this.forgetRows(channel);
      return;
    }
    if (reset.reason === "gone") this.drop(reset.channel);
    else {
      this.forgetRows(reset.channel);
      this.want(reset.channel);
    }
  }

  /** @param {string} channel */
  forgetRows(channel) {
    this.cached.delete(channel);
    this.deleteRows(channel);
    this.conversations.get(channel)?.reset();
    this.touch(channel);
  }

  /**
   * @param {any[]} marks
   * @param {{channel: string, seq: number}[]} heads
   */
  takeMarks(marks, heads) {
    const marked = new Set(marks.map((mark) => mark.channel));
    for (const mark of marks) {
      const channel = this.channels.get(mark.channel);
      if (!channel) continue;
      this.change(mark.channel, {
        readSeq: Math.max(mark.seq, channel.readSeq ?? 0),
        unread: mark.unread,
        mentions: mark.mentions ?? 0,
        isMarkedUnread: mark.isMarkedUnread ?? false,
      });
    }
    for (const { channel } of heads) {
      const known = this.channels.get(channel);
      if (known?.unread && !marked.has(channel)) this.change(channel, { unread: 0, mentions: 0 });
    }
  }

  /**
   * @param {{channel: string, mark: {seq: number, count: number}, unread: number}} answer of `readMark.set`
   * @param {number} askedAt the newest row that was known then
   * @param {number} changes how many changes of the user were known then
   */
  marked({ channel, mark, unread }, askedAt, changes) {
    const known = this.channels.get(channel);
    if (!known) return;
    const isWhole = mark.seq >= known.seq;
    // More than are known: the answer has overtaken messages, which are counted when they arrive.
    const most = known.count - mark.count;
    // Perhaps the user has marked it as unread since.
    const isCurrent = changes === this.ownChanges;
    this.change(channel, {
      readSeq: Math.max(known.readSeq ?? 0, mark.seq),
      ...(isWhole ? { unread: 0, mentions: 0 } : { unread: Math.min(unread, most) }),
      ...(isCurrent && { isMarkedUnread: false }),
    });
    const isUnclear = !isWhole && (known.mentions || known.seq !== askedAt || unread > most);
    if (isUnclear || (!isCurrent && known.isMarkedUnread)) this.want(channel);
  }

  /**
   * @param {string} id
   * @param {number} seq
   */
  moveMark(id, seq) {
    const channel = this.channels.get(id);
    this.ownChanges += 1;
    if (!channel) return this.want(id);
    if (seq <= (channel.readSeq ?? 0)) return;
    const isWhole = seq >= channel.seq;
    this.change(id, { readSeq: seq, ...(isWhole && { unread: 0, mentions: 0, isMarkedUnread: false }) });
    if (!isWhole && channel.unread) this.want(id);
  }

  /** @param {string} channel */
  removeInvitation(channel) {
    if (!this.invitations.some((each) => each.channel === channel)) return;
    this.invitations = this.invitations.filter((each) => each.channel !== channel);
    this.dispatchEvent(new Event("invitations"));
  }
}
