// The pure parts of the client, with the vectors and fixtures that all clients share.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { named } from "../src/client/channels.js";
import { RoostError } from "../src/client/errors.js";
import { compareBytes, isChannelID, isUserID, makeTransID, singleChannelID, wellFormed } from "../src/client/ids.js";
import { SendLanes } from "../src/client/lanes.js";
import { LogPosition } from "../src/client/log-book.js";
import { applyRow, channelAfter } from "../src/client/rows/apply-row.js";
import { reactedRow } from "../src/client/rows/reactions.js";
import { Timeline, groupPause } from "../src/client/timeline.js";

const protocol = new URL("../../Protocol/", import.meta.url);
const readJSON = (name) => JSON.parse(readFileSync(new URL(name, protocol), "utf8"));
const vectors = readJSON("ids.json");

test("ids follow the vectors of the protocol", () => {
  const made = { ...vectors.channelIDs, valid: vectors.channelIDs.valid.filter((id) => !id.includes(":")) };
  for (const [rule, ids] of [[isUserID, vectors.userIDs], [isChannelID, made]]) {
    for (const id of ids.valid) assert.ok(rule(id), JSON.stringify(id));
    for (const id of ids.invalid) assert.ok(!rule(id), JSON.stringify(id));
  }
  for (const { users, channel } of vectors.singles) assert.equal(singleChannelID(...users), channel);
  assert.deepEqual([...vectors.userIDOrder].reverse().sort(compareBytes), vectors.userIDOrder);
});

test("each event of the fixtures can be taken, and makes a channel that is whole", () => {
  const names = readdirSync(new URL("fixtures/", protocol)).filter((name) => name.startsWith("event."));
  assert.ok(names.length > 50);
  const channel = named(readJSON("fixtures/result.channel.get.json").result, "ann");
  for (const name of names) {
    const event = readJSON(`fixtures/${name}`);
    if (event.seq === undefined) continue;
    const { channel: next } = channelAfter({ ...channel, seq: event.seq - 1 }, event, "ann");
    assert.equal(next.seq, event.seq, name);
    assert.ok(next.name && next.memberCount >= 0 && (next.unread ?? 0) >= 0, name);
    const timeline = new Timeline("ann");
    timeline.replace([event], { from: event.seq, to: event.seq, hasBefore: false, hasAfter: false });
    assert.ok(timeline.items.length <= 2, name);
  }
});

test("a channel is read again if a row names a member who has changed the name since", () => {
  const channel = named({ ...readJSON("fixtures/result.channel.get.json").result, seq: 5 }, "ann");
  const cat = { userID: "cat", name: "Cat" };
  const known = {
    user: { userID: "ann" }, channels: new Map([["team", channel]]), invitations: [], blocked: new Set(),
  };
  const wanted = (event, body, renamedAt) => {
    const change = { userID: "cat", profile: { name: "New" } };
    const { profile } = applyRow(known,
      { event: "user.profileChanged", userSeq: 1, sentAt: renamedAt, body: change });
    const renamed = new Map([[profile.userID, profile.sentAt]]);
    return applyRow({ ...known, renamed }, { channel: "team", seq: 6, sentAt: 50_000, event, body }).wanted ?? [];
  };
  for (const [event, body] of [
    ["member.invited", { members: [{ userID: "dan", name: "Dan" }, cat], memberCount: 5 }],
    ["member.joined", { member: cat, memberCount: 4 }],
    ["member.profileChanged", { member: cat, hasNickname: false }],
  ]) {
    for (const later of [60_000, 50_000, 45_000]) assert.deepEqual(wanted(event, body, later), ["team"], event);
    assert.deepEqual(wanted(event, body, 44_999), [], event);
  }
  for (const event of ["member.kicked", "member.banned", "member.roleChanged"]) {
    assert.deepEqual(wanted(event, { members: [{ ...cat, role: "admin" }], memberCount: 2 }, 60_000), [], event);
  }
});

test("a transID is 28 digits and begins with the time", () => {
  assert.match(makeTransID(0x123), /^000000000123[0-9a-f]{16}$/);
  assert.notEqual(makeTransID(1), makeTransID(1));
});

test("only halves of surrogate pairs are replaced", () => {
  assert.equal(wellFormed("a\ud83d"), "a\ufffd");
  assert.equal(wellFormed("\udc40\ud83d\udc40\udc40"), "\ufffd👀\ufffd");
});

const row = (seq, more = {}) => ({
  event: "message.sent", channel: "c", seq, senderID: "bob", sentAt: 1_000 * seq,
  body: { messageID: `m${seq}`, type: "text", text: `${seq}`, senderName: "Bob", count: seq }, ...more,
});

test("a log takes each row once and in order, whatever the order in which the rows come", () => {
  for (let seed = 1; seed < 50; seed++) {
    let state = seed;
    const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
    const log = new LogPosition(0);
    const taken = [];
    const rows = Array.from({ length: 30 }, (_, index) => index + 1);
    for (const seq of [...rows, ...rows].sort(() => random() - 0.5)) taken.push(...log.take(seq, row(seq)));
    assert.deepEqual(taken.map((event) => event.seq), rows);
    assert.ok(!log.hasGap && log.heldCount === 0);
  }
});

test("a log without a position holds rows, and starts before the first of them", () => {
  const log = new LogPosition();
  assert.deepEqual(log.take(7, row(7)), []);
  assert.deepEqual(log.take(6, row(6)), []);
  assert.deepEqual(log.advance(9).map((event) => event.seq), [6, 7]);
  log.skipTo(12);
  assert.deepEqual(log.take(12, row(12)).map((event) => event.seq), [12]);
  assert.ok(!log.hasGap);
});

const queued = (order) => ({ transID: `t${order}`, channel: "c", order });
const refusal = (name, retryable, retryAfterMs) =>
  new RoostError({ code: 1, name, message: "x", retryable, retryAfterMs });

test("lanes chain unanswered sends, and send them again in their order", () => {
  const lanes = new SendLanes();
  for (const order of [1, 2, 3]) lanes.append(queued(order), false);
  const take = () => {
    const next = lanes.next("c", 0);
    return next && [next.message.transID, next.after];
  };
  assert.deepEqual([take(), take(), take(), take()], [["t1", undefined], ["t2", "t1"], ["t3", "t2"], null]);
  assert.equal(lanes.accepted("t1").transID, "t1");
  assert.equal(lanes.refused("t2", refusal("tooManyRequests", true, 0), 0), null);
  assert.equal(lanes.refused("t3", refusal("orderBroken", true), 0), null);
  assert.deepEqual([take(), take()], [["t2", undefined], ["t3", "t2"]]);
  lanes.disconnected();
  assert.deepEqual([take(), take()], [["t2", undefined], ["t3", "t2"]]);
  assert.equal(lanes.refused("t2", refusal("blocked", false), 0).transID, "t2");
  assert.equal(lanes.remove("t3"), false, "an answer is under way");
  assert.equal(lanes.refused("t3", refusal("databaseAccess", true, 500), 100), null);
  assert.equal(lanes.next("c", 599), null);
  assert.equal(lanes.wakeAt, 600);
  assert.equal(lanes.next("c", 600).message.transID, "t3");
});

test("what was refused goes again before later sends, in its order, when no answer is open", () => {
  const lanes = new SendLanes();
  const take = () => lanes.next("c", 0)?.message.transID;
  for (const order of [1, 2, 3]) lanes.append(queued(order), false);
  assert.deepEqual([take(), take(), take()], ["t1", "t2", "t3"]);
  lanes.append(queued(4), false);
  assert.equal(lanes.refused("t3", refusal("orderBroken", true), 0), null);
  assert.equal(take(), undefined);
  assert.equal(lanes.refused("t2", refusal("orderBroken", true), 0), null);
  assert.equal(take(), undefined);
  lanes.accepted("t1");
  assert.deepEqual([take(), take(), take(), take()], ["t2", "t3", "t4", undefined]);
});

test("lanes wait for a file, and give up after eight refusals without a time", () => {
  const lanes = new SendLanes();
  lanes.append(queued(1), true);
  lanes.append(queued(2), false);
  assert.equal(lanes.next("c", 0), null);
  lanes.release(queued(1));
  let now = 0;
  let refused = null;
  for (let tries = 0; !refused; tries++) {
    assert.ok(tries < 9);
    now += 100_000;
    assert.equal(lanes.next("c", now).message.transID, "t1");
    refused = lanes.refused("t1", refusal("databaseAccess", true), now);
  }
  assert.equal(lanes.next("c", now + 100_000).message.transID, "t2");
});

test("a server that stops is no reason to give up, however often", () => {
  const lanes = new SendLanes();
  lanes.append(queued(1), false);
  for (let now = 100_000; now <= 2_000_000; now += 100_000) {
    assert.equal(lanes.next("c", now).message.transID, "t1");
    assert.equal(lanes.refused("t1", refusal("draining", true), now), null);
  }
});

test("reactions: a change that a page includes already is not counted twice", () => {
  const change = (event, seq, count) => ({ event, seq, senderID: "ann", body: { seq: 1, emoji: "❤", count } });
  const base = row(1);
  base.body.reactions = { head: 5, kinds: [{ emoji: "❤️", count: 2, isMine: false }] };
  assert.equal(reactedRow(base, change("reaction.added", 5, 2), "ann"), base);
  const next = reactedRow(base, change("reaction.added", 6, 3), "ann");
  assert.deepEqual(next.body.reactions, { head: 6, kinds: [{ emoji: "❤️", count: 3, isMine: true }] });
  const none = reactedRow(next, change("reaction.removed", 7, 0), "ann");
  assert.deepEqual(none.body.reactions, { head: 7, kinds: [] });
});

test("the timeline gives the same items for the same rows, added in any overlapping way", () => {
  const rows = Array.from({ length: 60 }, (_, index) => row(index + 1, { sentAt: 90_000_000 + index * 50_000 }));
  const whole = new Timeline("ann");
  whole.replace(rows, { from: 1, to: 60, hasBefore: false, hasAfter: false });
  const parts = new Timeline("ann");
  parts.replace(rows.slice(30, 50), { from: 31, to: 50, hasBefore: true, hasAfter: false });
  parts.items;
  parts.append(rows.slice(45));
  parts.items;
  parts.prepend(rows.slice(10, 35), { from: 11, hasBefore: true });
  parts.items;
  parts.prepend(rows.slice(0, 12), { from: 1, hasBefore: false });
  parts.append(rows.slice(58));
  assert.deepEqual(parts.items, whole.items);
  assert.equal(parts.items, parts.items);
});

test("messages less than two minutes apart are grouped; a day, a line and another sender end a group", () => {
  const timeline = new Timeline("ann");
  const noon = new Date(2026, 5, 1, 12).getTime();
  const times = [noon, noon + groupPause - 1, noon + 2 * groupPause - 1, noon + 2 * groupPause];
  const rows = times.map((sentAt, index) => row(index + 1, { sentAt }));
  rows.push(row(5, { sentAt: noon + 2 * groupPause, event: "member.left", body: { userID: "cat" } }));
  rows.push(row(6, { sentAt: noon + 2 * groupPause }), row(7, { sentAt: noon + 2 * groupPause, senderID: "dan" }));
  rows.push(row(8, { sentAt: new Date(2026, 5, 2, 0, 0, 1).getTime(), senderID: "dan" }));
  timeline.replace(rows, { from: 1, to: 8, hasBefore: false, hasAfter: false });
  assert.deepEqual(
    timeline.items.map((item) => (item.kind === "message" ? item.isGrouped : item.kind)),
    ["day", false, true, false, true, "line", false, false, "day", false],
  );
});

test("a send and its row are one message with one key, whichever comes first", () => {
  const timeline = new Timeline("ann");
  timeline.replace([row(1)], { from: 1, to: 1, hasBefore: false, hasAfter: false });
  const message = { channel: "c", type: "text", text: "hi", senderID: "ann", sentAt: 2_000, transID: "t9" };
  timeline.queue = [{ transID: "t9", channel: "c", order: 1, madeAt: 2_000, command: {}, message, state: "waiting" }];
  timeline.changed();
  assert.deepEqual([timeline.items.at(-1).key, timeline.items.at(-1).state], ["t9", "sending"]);
  timeline.append([row(2, { senderID: "ann", transID: "t9" })]);
  assert.equal(timeline.items.filter((item) => item.key === "t9").length, 1);
  assert.equal(timeline.items.at(-1).state, "sent");
});

test("a message counts who has not read it, without its sender and the reader", () => {
  const timeline = new Timeline("ann");
  const rows = [row(1), row(2, { senderID: "cat" }), row(3, { senderID: "ann" }), row(4, { senderID: "gone" })];
  timeline.replace(rows, { from: 1, to: 4, hasBefore: false, hasAfter: false });
  const counts = () => timeline.items.flatMap((item) => (item.kind === "message" ? [item.unreadBy] : []));
  assert.deepEqual(counts(), [undefined, undefined, undefined, undefined], "nobody is known");
  const others = { bob: 1, cat: 2, dan: 0 };
  timeline.setMarks(new Map(Object.entries(others)));
  assert.deepEqual(counts(), [1, 2, 3, 3]);
  const before = timeline.items;
  timeline.setMarks(new Map(Object.entries({ ...others, dan: 1 })));
  assert.deepEqual(counts(), [0, 2, 3, 3]);
  const messages = (items) => items.flatMap((item) => item.message ?? []);
  messages(before).forEach((message, index) => assert.equal(messages(timeline.items)[index], message));
});
