// The vectors of Protocol/vectors: what the rules of a client say of given values. The SDK has written them.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, test } from "node:test";
import { mayEdit, mayRemove, needsSuccessor, rolesToGive } from "../src/chat/channels/roles.js";
import { movedMentions } from "../src/chat/composer/composer-mentions.js";
import { completeMention, mentionQuery, withWritten } from "../src/chat/composer/mention-search.js";
import { Backoff, waitToRepeat } from "../src/client/backoff.js";
import { channelName, named } from "../src/client/channels.js";
import { mentionCandidates } from "../src/client/conversation-members.js";
import { RoostError } from "../src/client/errors.js";
import { SendLanes } from "../src/client/lanes.js";
import { LogPosition } from "../src/client/log-book.js";
import { applyRow, channelAfter } from "../src/client/rows/apply-row.js";
import { changeProfile } from "../src/client/rows/channels.js";
import { editOf } from "../src/client/rows/edits.js";
import { markMoved, marksResumed } from "../src/client/rows/marks.js";
import { membersAfter, namesOldProfile } from "../src/client/rows/members.js";
import { membersAfterProfile } from "../src/client/rows/users.js";
import { voteAfter } from "../src/client/rows/votes.js";
import { Timeline, shows } from "../src/client/timeline.js";
import { lineText } from "../src/texts/lines.js";
import { languages, loadTexts, texts } from "../src/texts/texts.js";

const folder = new URL("../../Protocol/vectors/", import.meta.url);
const replayed = new Set();
await Promise.all(languages.map(({ code }) => loadTexts(code)));
after(() => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  assert.deepEqual([...replayed].sort(), files.map((name) => name.replace(".json", "")).sort());
});

/** Compares what a rule says of each case of a family with its result. */
function vectors(family, rule) {
  replayed.add(family);
  test(`vectors: ${family}`, () => {
    const cases = JSON.parse(readFileSync(new URL(`${family}.json`, folder), "utf8"));
    assert.ok(cases.length > 4);
    for (const { name, given, result } of cases) {
      assert.deepEqual(rule(structuredClone(given), result ?? {}), result, name ?? JSON.stringify(given));
    }
  });
}

/** Without the fields that are undefined, as JSON has them. */
const json = (value) => (value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value)));

vectors("roles", ({ role, target, admins, editors }) => ({
  removes: mayRemove(role, target),
  edits: mayEdit({ kind: "group", role, profile: { editors } }),
  leaves: !needsSuccessor(role, admins, 3),
  gives: rolesToGive(role, target, admins),
}));

vectors("titles", ({ viewer, channel }) => channelName(channel, viewer));

vectors("reactions", ({ viewer, row, changes }) =>
  json(changes.reduce((changed, event) => editOf(event, viewer)(changed), row)));

vectors("recalls", ({ row, recall }) => json(editOf(recall, "ann")(row)));

// Whether one counts, a client sees by its `count`.
vectors("events", (event, { countsAsUnread }) => {
  const channel = { kind: "group", channel: "c", members: [], memberCount: 0, seq: 0, count: 0, lastActivityAt: 0 };
  const { channel: next } = channelAfter(channel, { ...event, seq: 1 }, "nobody");
  return {
    isShown: shows(event),
    isLastMessage: next.lastMessage !== undefined,
    countsAsUnread,
  };
});

/** What a list shows of a channel after something. */
function channelShown({ viewer, channel, row, mark, head }, { isToBeRead }) {
  const id = channel.channel;
  const known = {
    user: { userID: viewer }, channels: new Map([[id, named(channel, viewer)]]), invitations: [], blocked: new Set(),
  };
  const { channels = [], wanted = [], gone } =
    mark ? marksResumed(known.channels, { marks: [mark], channels: [{ channel: id, seq: head }] }) :
    row.event === "readMark.moved" ? markMoved(known.channels, id, row.body.marks[0].seq) : applyRow(known, row);
  if (gone?.channel === id) return undefined;
  if (isToBeRead) return { isToBeRead: wanted.includes(id) };
  const next = channels.find((each) => each.channel === id) ?? known.channels.get(id);
  return json({
    // A row of the user's own log may be a reason to read a channel although it says what it is now.
    isToBeRead: row?.userSeq === undefined && wanted.includes(id),
    shown: {
      isListed: !next.isHidden,
      title: next.name,
      memberCount: next.memberCount,
      members: next.members.map(({ userID, name }) => ({ userID, name })),
      count: next.count,
      unread: next.unread ?? 0,
      mentions: next.mentions ?? 0,
      isMarkedUnread: next.isMarkedUnread ?? false,
      readSeq: next.readSeq,
      lastMessage: next.lastMessage?.seq,
      role: next.role,
      preference: Object.values(next.preference ?? {}).some(Boolean) ? next.preference : undefined,
    },
  });
}

vectors("channels", channelShown);

vectors("own-rows", channelShown);

vectors("moved-marks", channelShown);

vectors("resumed-marks", channelShown);

vectors("lines", ({ language, event }) => lineText(event, texts(language), "nobody") ?? undefined);

vectors("mention-moves", ({ mentions, before, after }) => movedMentions(mentions, before, after));

vectors("mention-candidates", ({ prefix, members, viewer }) =>
  mentionCandidates(members, prefix, viewer).map(({ userID }) => userID));

vectors("mention-completions", ({ text, query, member, mentions }) => completeMention(query, member, text, mentions));

vectors("mention-queries", ({ text, cursor }) => json(mentionQuery(text, cursor)));

vectors("written-mentions", ({ text, mentions, members, limit }) => withWritten(text, mentions, members, limit));

vectors("logs", (steps) => {
  const log = new LogPosition();
  const delivered = [];
  const add = (rows) => delivered.push(...rows.map(({ seq }) => seq));
  for (const { row, start, advance } of steps) {
    if (row !== undefined) add(log.take(row, { seq: row }));
    if (start !== undefined && log.seq === null) add(log.advance(start));
    if (advance !== undefined) add(log.advance(advance));
  }
  return json({ delivered, position: log.seq, hasGap: log.hasGap });
});

vectors("sends", (steps) => {
  const lanes = new SendLanes();
  const state = { sent: [], failed: [] };
  let order = 0;
  let now = 0;
  for (const step of steps) {
    if (step.append) lanes.append({ transID: step.append, channel: "c", order: order++, message: {} }, false);
    if (step.accepted) lanes.accepted(step.accepted);
    if (step.refused) {
      const { id, error } = step.refused;
      const failed = lanes.refused(id, new RoostError(error), now);
      if (failed) state.failed.push(failed.transID);
    }
    if (step.isDisconnected) lanes.disconnected();
    if (step.now !== undefined) {
      now = step.now;
      const sent = [];
      for (let next; (next = lanes.next("c", now));) {
        sent.push({ id: next.message.transID, ...(next.after && { after: next.after }) });
      }
      state.sent.push(sent);
    }
  }
  return state;
});

vectors("backoff", (ends) => {
  const backoff = new Backoff();
  let now = 1;
  return ends.map(({ liveFor }) => {
    backoff.tries(now);
    if (liveFor !== undefined) backoff.lives(now);
    // An attempt that fails after a second.
    now += liveFor ?? 1_000;
    const longest = backoff.wait(now, 1);
    now += longest;
    return longest;
  });
});

vectors("waits", (refusal) => waitToRepeat(new RoostError(refusal)));

vectors("votes", ({ viewer, vote, rows }) => {
  const { event, ...state } = rows.reduce((known, row) => voteAfter(known, row, viewer), vote);
  return json(state);
});

const settings = { title: "", customAttributes: 0, avatar: "", background: "", canJoin: false, editors: "participants",
  history: "all", minMembers: 1, moderatorsMayRecall: true, noticesForwards: false, pinners: "participants" };

vectors("profiles", ({ profile: { title, ...profile }, changes }) => {
  const channel = { title, profile };
  for (const change of changes) changeProfile(channel, change);
  return { ...settings, ...json(channel.profile), ...(channel.title && { title: channel.title }) };
});

/** The members after a row of the channel's log, or of the user's own. */
function membersShown({ members, renamed = [], row }) {
  const times = new Map(renamed.map(({ body, sentAt }) => [body.userID, sentAt]));
  if (namesOldProfile(row, times)) return { isToBeRead: true };
  const changed = renamed.reduce((known, { body }) => membersAfterProfile(known, body), members);
  const shown = row.userSeq ? membersAfterProfile(changed, row.body) : membersAfter(changed, row);
  return json({ isToBeRead: false, members: shown.map(({ userID, name, imageURL, role }) => (
    { userID, name, imageURL, role })) });
}

vectors("members", membersShown);

vectors("renames", membersShown);

vectors("purges", ({ rows, purge }) => {
  const change = editOf(purge, "ann");
  return json(rows.flatMap((row) => change(row) ?? []));
});

vectors("items", ({ viewer, rows }) => {
  const timeline = new Timeline(viewer);
  timeline.replace(rows, { from: 1, to: rows.at(-1).seq, hasBefore: false, hasAfter: false });
  return timeline.items.map(({ kind, message, event, isOwn, isGrouped }) => {
    if (kind === "day") return { kind };
    if (kind === "line") return { kind, seq: event.seq };
    return { kind, seq: message.seq, isOwn, isGrouped };
  });
});

vectors("unread-by", ({ viewer, rows, marks }) => {
  const timeline = new Timeline(viewer);
  timeline.replace(rows, { from: 1, to: rows.at(-1).seq, hasBefore: false, hasAfter: false });
  timeline.setMarks(new Map(Object.entries(marks)));
  return timeline.items.filter(({ kind }) => kind === "message").map(({ unreadBy }) => unreadBy ?? 0);
});
