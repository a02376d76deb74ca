import { ClientState } from "./client-state.js";
import { channelAfter, isMessage, joinedChannel, membersAfterProfile, named } from "./channels.js";
import { editOf, isEdit } from "./changes.js";
import { messageOf } from "./timeline.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").OwnRow} OwnRow */
/** @typedef {import("./types.js").User} User */

/** What each event changes: the only place that says so. */
export class ClientEvents extends ClientState {
  /**
   * A row of a log, in its order.
   * @param {Row | OwnRow} event
   * @param {boolean} isLive
   */
  row(event, isLive) {
    if (event.userSeq !== undefined) {
      this.setPosition("", event.userSeq);
      this.ownChanges += 1;
      return this.ownRow(event);
    }
    const id = event.channel;
    this.setPosition(id, event.seq);
    if (this.store) {
      // What only changes other rows is not read again.
      const isChange = isEdit(event) || event.event === "vote.cast";
      if (!isChange) this.changes.push({ in: "rows", put: event, key: [id, event.seq] });
      if (!this.cached.has(id)) this.cached.set(id, { from: event.seq, position: 0 });
      if (event.event === "message.recalled") {
        this.editStored(id, event.body.messages.map(({ seq }) => seq), editOf(event, this.user.userID));
      } else if (isEdit(event)) {
        this.editStored(id, [event.body.seq], editOf(event, this.user.userID));
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
   * @param {(row: Row) => Row | null} edit
   */
  editStored(channel, seqs, edit) {
    for (const seq of seqs) this.changes.push({ in: "rows", key: [channel, seq], edit });
  }

  /** @param {OwnRow} event a row of the user's own log */
  ownRow(event) {
    switch (event.event) {
      case "channel.joined":
        this.joined(event);
        break;
      case "channel.invited": {
        const { channel, title, byName } = event.body;
        this.removeInvitation(channel);
        this.invitations = [...this.invitations, { channel, title, byName, byUserID: event.senderID }];
        this.dispatchEvent(new Event("invitations"));
        break;
      }
      case "channel.left":
        this.removeInvitation(event.body.channel);
        this.drop(event.body.channel, event.body.reason === "banned", event);
        break;
      case "channel.dismissed":
        this.removeInvitation(event.body.channel);
        this.drop(event.body.channel, false, event);
        break;
      case "channel.hidden":
        for (const { channel, seq } of event.body.channels) {
          this.change(channel, { isHidden: true, hiddenTo: seq });
          if ((this.channels.get(channel)?.seq ?? 0) > seq) this.want(channel);
        }
        break;
      case "channel.ended":
      case "channel.cleared":
        for (const { channel, seq } of event.body.channels) this.cleared(channel, seq, event.event === "channel.ended");
        break;
      case "message.deleted":
        this.deleted(event.body);
        break;
      case "channel.preferenceChanged":
        this.change(event.body.channel, { preference: event.body.preference });
        break;
      case "channel.unreadMarked":
        this.change(event.body.channel, { isMarkedUnread: event.body.isMarkedUnread });
        break;
      case "user.profileChanged":
        this.profileChanged(event.body);
        break;
      case "user.blocked":
        this.setBlocked([...this.blocked, event.body.user.userID]);
        break;
      case "user.unblocked": {
        const { userID } = event.body.user;
        this.setBlocked([...this.blocked].filter((each) => each !== userID));
        break;
      }
      default:
        if (!event.event.startsWith("schedule.")) break;
        for (const each of this.conversations.values()) if (each.opens) each.loadSchedules().catch(() => {});
        this.dispatchEvent(new Event("schedules"));
    }
  }

  /** @param {Extract<OwnRow, {event: "channel.joined"}>} event */
  joined(event) {
    const { channel } = event.body;
    const conversation = this.conversations.get(channel);
    this.removeInvitation(channel);
    if (!this.channels.has(channel)) this.put(joinedChannel(event, this.user.userID));
    // The event has neither the roles nor what was published before.
    this.want(channel);
    if (conversation?.isGone) {
      // What was written meanwhile is missing.
      conversation.isGone = false;
      conversation.reset();
    } else if (conversation?.opens && this.sync.isLive) {
      conversation.refresh();
    }
  }

  /**
   * Everything up to a row is gone for this user.
   * @param {string} id
   * @param {number} seq
   * @param {boolean} isEnded whether the conversation is out of the list, too
   */
  cleared(id, seq, isEnded) {
    this.change(id, {
      ...(isEnded && { isHidden: true, hiddenTo: seq }),
      ...(seq >= (this.channels.get(id)?.seq ?? 0) && { unread: 0, mentions: 0 }),
      lastMessage: undefined,
      readSeq: seq,
    });
    this.conversations.get(id)?.cleared(seq);
    this.deleteRows(id, seq);
    const cached = this.cached.get(id);
    if (cached) cached.from = Math.max(cached.from, seq + 1);
    this.want(id);
  }

  /** @param {Extract<OwnRow, {event: "message.deleted"}>["body"]} body */
  deleted({ channel: id, messages, unread }) {
    const seqs = messages.map(({ seq }) => seq);
    const channel = this.channels.get(id);
    this.change(id, { unread });
    this.conversations.get(id)?.deleted(seqs);
    for (const seq of seqs) this.changes.push({ in: "rows", delete: [id, seq] });
    if ((channel?.lastMessage && seqs.includes(channel.lastMessage.seq)) || channel?.mentions) this.want(id);
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

  /** @param {import("./protocol.js").Signal} signal */
  ephemeral(signal) {
    const { channel = "" } = signal;
    const conversation = this.conversations.get(channel);
    if (signal.event === "typing.started") {
      const { userID, name } = signal.body;
      const isWhole = typeof userID === "string" && typeof name === "string";
      // The list shows it, too, of conversations that are not open.
      if (isWhole && this.channels.has(channel)) this.typistsOf(channel).startsTyping(signal.body);
    } else if (signal.event === "typing.ended") conversation?.stopsTyping(signal.body.userID);
    else if (signal.event === "readMark.moved" && Array.isArray(signal.body.marks)) {
      const { marks } = signal.body;
      conversation?.marksMoved(marks);
      const own = marks.find(({ userID }) => userID === this.user.userID);
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

  /** @param {import("./protocol.js").Reset} reset */
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
    // A row may have come before an answer that does not count it.
    const old = new Set(heads.filter(({ channel, seq }) => seq < (this.channels.get(channel)?.seq ?? 0))
      .map(({ channel }) => channel));
    for (const channel of old) this.want(channel);
    for (const mark of marks) {
      const channel = this.channels.get(mark.channel);
      if (!channel || old.has(mark.channel)) continue;
      this.change(mark.channel, {
        readSeq: Math.max(mark.seq, channel.readSeq ?? 0),
        unread: mark.unread,
        mentions: mark.mentions ?? 0,
        isMarkedUnread: mark.isMarkedUnread ?? false,
      });
    }
    for (const { channel } of heads) {
      const known = this.channels.get(channel);
      if (known?.unread && !marked.has(channel) && !old.has(channel)) this.change(channel, { unread: 0, mentions: 0 });
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
