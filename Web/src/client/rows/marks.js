/** @typedef {import("../types.js").Channel} Channel */
/** @typedef {import("./apply-row.js").Changes} Changes */
/** @typedef {import("../protocol.js").Commands} Commands */

/**
 * What the last page of `resume` says of the user's read marks.
 * @param {ReadonlyMap<string, Channel>} channels
 * @param {Pick<Commands["resume"]["answer"], "marks" | "channels">} page
 * @returns {Changes}
 */
export function marksResumed(channels, { marks, channels: heads }) {
  const marked = new Map(marks.map((mark) => [mark.channel, mark]));
  /** @type {Required<Pick<Changes, "channels" | "wanted">>} */
  const changes = { channels: [], wanted: [] };
  const old = new Set(heads.filter(({ channel, seq }) => seq < (channels.get(channel)?.seq ?? 0))
    .map(({ channel }) => channel));
  // A row may have come before an answer that does not count it.
  changes.wanted.push(...old);
  for (const mark of marks) {
    const channel = channels.get(mark.channel);
    if (!channel || old.has(mark.channel)) continue;
    // It is from before the mark moved on, and so is what it says of unread messages.
    if (mark.seq < (channel.readSeq ?? 0)) changes.wanted.push(mark.channel);
    changes.channels.push({
      ...channel,
      readSeq: Math.max(mark.seq, channel.readSeq ?? 0),
      unread: mark.unread,
      mentions: mark.mentions ?? 0,
      isMarkedUnread: mark.isMarkedUnread ?? false,
    });
  }
  for (const { channel: id } of heads) {
    const channel = channels.get(id);
    if (channel?.unread && !marked.has(id) && !old.has(id)) {
      changes.channels.push({ ...channel, unread: 0, mentions: 0 });
    }
  }
  return changes;
}

/**
 * The answer of `readMark.set`.
 * @param {ReadonlyMap<string, Channel>} channels
 * @param {Commands["readMark.set"]["answer"]} answer
 * @param {number} askedAt the newest row that was known when it was asked for
 * @param {boolean} isCurrent whether the user has changed nothing since; perhaps it was marked as unread
 * @returns {Changes}
 */
export function markAnswered(channels, { channel: id, mark, unread }, askedAt, isCurrent) {
  const known = channels.get(id);
  if (!known) return {};
  const isWhole = mark.seq >= known.seq;
  // More than are known: the answer has overtaken messages, which are counted when they arrive.
  const most = known.count - mark.count;
  const isUnclear = !isWhole && (known.mentions || known.seq !== askedAt || unread > most);
  return {
    channels: [{
      ...known,
      readSeq: Math.max(known.readSeq ?? 0, mark.seq),
      ...(isWhole ? { unread: 0, mentions: 0 } : { unread: Math.min(unread, most) }),
      ...(isCurrent && { isMarkedUnread: false }),
    }],
    wanted: isUnclear || (!isCurrent && known.isMarkedUnread) ? [id] : [],
  };
}

/**
 * The user's read mark was moved, perhaps by another device.
 * @param {ReadonlyMap<string, Channel>} channels
 * @param {string} id
 * @param {number} seq
 * @returns {Changes}
 */
export function markMoved(channels, id, seq) {
  const channel = channels.get(id);
  if (!channel) return { wanted: [id] };
  if (seq <= (channel.readSeq ?? 0)) return {};
  const isWhole = seq >= channel.seq;
  return {
    channels: [{ ...channel, readSeq: seq, ...(isWhole && { unread: 0, mentions: 0 }) }],
    wanted: !isWhole && channel.unread ? [id] : [],
  };
}
