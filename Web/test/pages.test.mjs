// Pages of history count what shows, not rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ScriptedServer, eventually, group, message, reaction, recall } from "./scripted.mjs";

const texts = (conversation) =>
  conversation.items.flatMap((item) => (item.kind === "message" ? [item.message.text] : []));
const numbers = (count, first = 1) => Array.from({ length: count }, (_, index) => `${first + index}`);

/** A log: so many messages, then so many reactions to the last of them. */
function log(messages, reactions) {
  const rows = Array.from({ length: messages }, (_, index) => message(index + 1));
  for (let index = 0; index < reactions; index += 1) rows.push(reaction(messages + index + 1, messages, index + 1));
  return rows;
}

async function open(server) {
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  assert.equal(conversation.error, null);
  return conversation;
}

for (const count of [60, 120, 180, 3_000]) {
  test(`a message with ${count} reactions after it shows when the conversation opens`, async () => {
    const server = new ScriptedServer(log(1, count));
    const conversation = await open(server);
    assert.deepEqual(texts(conversation), ["1"]);
    assert.equal(conversation.hasBefore, false);
    assert.ok(server.asked.every(([command, body]) => command !== "message.list" || body.onlyShown));
    });
}

test("an opened conversation reads on over empty and short pages until a screen is full, and not further", async () => {
  const server = new ScriptedServer(log(400, 5_000));
  server.examines = 300;
  const conversation = await open(server);
  assert.ok(texts(conversation).length >= 15, `${texts(conversation).length}`);
  assert.ok(conversation.hasBefore);
  assert.equal(texts(conversation).at(-1), "400");
  const { length } = texts(conversation);
  await conversation.loadBefore();
  assert.ok(texts(conversation).length > length);
});

test("older and newer pages go on over stretches in which nothing shows, without a gap or a double", async () => {
  const rows = log(120, 900);
  for (let seq = 1_021; seq <= 1_140; seq += 1) rows.push(message(seq));
  const server = new ScriptedServer(rows);
  server.examines = 200;
  const conversation = await open(server);
  const expected = [...numbers(120), ...numbers(120, 1_021)];
  assert.deepEqual(texts(conversation), numbers(50, 1_091));
  // Each page shows something.
  while (conversation.hasBefore) {
    const { length } = texts(conversation);
    await conversation.loadBefore();
    assert.ok(texts(conversation).length > length);
  }
  assert.deepEqual(texts(conversation), expected);
  conversation.state.pages.forget();
  await conversation.loadAround("m60");
  assert.ok(conversation.hasAfter && texts(conversation).includes("60"));
  while (conversation.hasAfter) {
    const { length } = texts(conversation);
    await conversation.loadAfter();
    assert.ok(texts(conversation).length > length || !conversation.hasAfter);
  }
  assert.equal(texts(conversation).at(-1), "1140");
  server.tell(message(1_141));
  await eventually(() => texts(conversation).at(-1) === "1141");
});

test("rows that are all recalled silently are read to the beginning before anything is called empty", async () => {
  const rows = Array.from({ length: 80 }, (_, index) => (
    message(index + 1, {}, { text: "", recall: { isSilent: true, at: 1, byName: "Bob" } })));
  rows.unshift({ event: "member.joined", channel: group, seq: 1, senderID: "ann", sentAt: 1,
    body: { member: { userID: "ann", name: "Ann" }, memberCount: 1 } });
  const server = new ScriptedServer(rows.map((row, index) => ({ ...row, seq: index + 1 })));
  const conversation = await open(server);
  assert.deepEqual(conversation.items.map((item) => item.kind), ["day", "line"]);
  assert.equal(conversation.hasBefore, false);
});

test("a server that says there is more and gives nothing is asked no further", async () => {
  const server = new ScriptedServer(log(3, 5));
  server.changes["message.list"] = (body, page) => (
    body.before ? { ...page, events: [], from: body.before, to: body.before - 1, hasBefore: true } :
      { ...page, events: [], from: 8, hasBefore: true });
  const conversation = await open(server);
  assert.ok(server.count("message.list") < 5);
  assert.equal(conversation.isLoading, false);
});

/** A server whose next pages come only when the test says so. */
function late(server, isLate = () => true) {
  const gate = { isAsked: false, open: () => {} };
  const isOpen = new Promise((resolve) => (gate.open = resolve));
  server.changes["message.list"] = async (body, page) => {
    if (!isLate(body)) return page;
    gate.isAsked = true;
    await isOpen;
    return page;
  };
  return gate;
}

test("a page that is answered after a newer recall and reaction does not bring back what they changed", async () => {
  const rows = Array.from({ length: 80 }, (_, index) => message(index + 1));
  rows[9].body.replyTo = { messageID: "m5", seq: 5, senderID: "bob", type: "text", sentAt: 1, text: "5" };
  const server = new ScriptedServer(rows);
  const conversation = await open(server);
  const gate = late(server);
  const done = conversation.loadBefore();
  await eventually(() => gate.isAsked);
  server.tell(recall(81, 5), reaction(82, 6), recall(83, 7, true));
  // More than are kept while no page is read.
  for (let seq = 84; seq < 300; seq += 1) server.tell(reaction(seq, 60, seq));
  gate.open();
  await done;
  const found = (messageID) => conversation.items.find((item) => item.message?.messageID === messageID)?.message;
  assert.deepEqual([found("m5").text, found("m5").recall.byName], ["", "Bob"]);
  assert.deepEqual([found("m10").replyTo.text, found("m10").replyTo.isRecalled], ["", true]);
  assert.deepEqual(found("m6").reactions.kinds, [{ emoji: "👍", count: 1, isMine: false }]);
  assert.equal(found("m7"), undefined);
});

test("a newest page that is answered late has the rows that came meanwhile, however many", async () => {
  const server = new ScriptedServer(log(60, 0));
  const client = await server.arrive();
  const conversation = client.conversation(group);
  const gate = late(server);
  const done = conversation.open();
  await eventually(() => gate.isAsked);
  for (let seq = 61; seq <= 261; seq += 1) server.tell(message(seq));
  server.tell(recall(262, 60));
  gate.open();
  await done;
  assert.deepEqual(texts(conversation).slice(-203), ["59", "", ...numbers(201, 61)]);
});

test("a newest page that each time comes behind more rows than are kept leaves none out", async () => {
  const server = new ScriptedServer(log(60, 0));
  const client = await server.arrive();
  const conversation = client.conversation(group);
  let asked = 0;
  server.changes["message.list"] = async (body, page) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (body.before === undefined && (asked += 1) <= 8) {
      for (let count = 0; count < 1_200; count += 1) server.tell(message(server.head + 1));
    }
    return page;
  };
  await conversation.open();
  while (conversation.hasBefore) await conversation.loadBefore();
  assert.deepEqual(texts(conversation), numbers(60 + 8 * 1_200));
});

test("what a user deletes while a page is read is not in it", async () => {
  const server = new ScriptedServer(log(80, 0));
  const conversation = await open(server);
  const gate = late(server);
  const done = conversation.loadBefore();
  await eventually(() => gate.isAsked);
  server.socket.tell({ event: "message.deleted", userSeq: 1, senderID: "ann", sentAt: 1,
    body: { channel: group, messages: [{ messageID: "m5", seq: 5 }], unread: 0 } });
  gate.open();
  await done;
  assert.equal(texts(conversation).length, 79);
  assert.ok(!texts(conversation).includes("5"));
});

for (const [how, event] of [
  ["deleted", { event: "message.deleted",
    body: { channel: group, messages: [{ messageID: "m2", seq: 2 }], unread: 0 } }],
  ["cleared", { event: "channel.cleared", body: { channels: [{ channel: group, seq: 2 }] } }],
]) {
  for (const isFirst of [true, false]) {
    const name = `a sent message that another device has ${how} ${isFirst ? "before" : "after"} its answer is gone`;
    test(name, async () => {
      const server = new ScriptedServer(log(1, 0));
      const conversation = await open(server);
      const remove = () => server.socket.tell({ userSeq: 1, senderID: "ann", sentAt: 1, ...event });
      server.changes["message.send"] = () => {
        if (isFirst) remove();
        return { channel: group, seq: 2, messageID: "m2", sentAt: 2 };
      };
      conversation.send({ text: "mine" });
      await eventually(() => conversation.state.pages.timeline.queue[0]?.message.seq === 2);
      if (!isFirst) remove();
      await eventually(() => !texts(conversation).includes("mine"));
      conversation.state.reset();
      await eventually(() => conversation.hasLoaded);
      assert.ok(!texts(conversation).includes("mine"));
    });
  }
}

test("a second tap on a reaction removes it, however the emoji is spelled", async () => {
  const reactions = { head: 1, kinds: [{ emoji: "❤️", count: 1, isMine: true }] };
  const server = new ScriptedServer([message(1, {}, { reactions })]);
  const conversation = await open(server);
  await conversation.react("m1", "❤");
  assert.deepEqual([server.count("reaction.remove"), server.count("reaction.add")], [1, 0]);
});

test("a ballot that comes while a vote is read is not lost", async () => {
  const vote = { options: [{ type: "text", text: "a" }], results: "live" };
  const server = new ScriptedServer([message(1, {}, { vote })]);
  const gate = { isAsked: false, open: () => {} };
  const isOpen = new Promise((resolve) => (gate.open = resolve));
  server.changes["vote.get"] = async () => {
    gate.isAsked = true;
    await isOpen;
    return { votes: [{ event: message(1, {}, { vote }), phase: "open", revision: 1, tally: { counts: [0], voters: 0 },
      ownOptions: [] }] };
  };
  const client = await server.arrive();
  const conversation = client.conversation(group);
  const done = conversation.open();
  await eventually(() => gate.isAsked);
  server.tell({ event: "vote.cast", channel: group, seq: 2, senderID: "bob", sentAt: 2,
    body: { messageID: "m1", seq: 1, revision: 2, tally: { counts: [1], voters: 1 } } });
  gate.open();
  await done;
  assert.deepEqual(conversation.items.at(-1).vote?.tally, { counts: [1], voters: 1 });
});

test("the reader is never one of those who have not read a message, and the others go with their marks", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const conversation = await open(server);
  assert.equal(conversation.items.at(-1).unreadBy, 1);
  const marks = [{ userID: "dan", seq: 1, readAt: 1 }];
  server.socket.tell({ event: "readMark.moved", channel: group, body: { marks } });
  await eventually(() => conversation.items.at(-1).unreadBy === 0);
});

/** A conversation of which the store has three rows, and what opens the store; more comes before that. */
async function openStored(tell) {
  const server = new ScriptedServer([message(1), message(2), message(3)]);
  const client = await server.arrive();
  const gate = { isAsked: false, open: () => {} };
  const isOpen = new Promise((resolve) => (gate.open = resolve));
  const rows = async () => {
    const stored = server.rows.slice(0, 3);
    gate.isAsked = true;
    await isOpen;
    return stored;
  };
  const { cache } = client.core;
  cache.store = /** @type {any} */ ({ rows, write: async () => {}, close() {} });
  cache.restore({ meta: new Map(), channels: [{ channel: group, position: 3, from: 1 }] });
  cache.isWriter = true;
  const conversation = client.conversation(group);
  const done = conversation.open();
  await eventually(() => gate.isAsked);
  tell(server);
  gate.open();
  await done;
  return { server, conversation };
}

test("what comes while the store is read is not undone by what it had", async () => {
  const { server, conversation } = await openStored((each) =>
    each.tell(recall(4, 2), recall(5, 3, true), message(6)));
  assert.deepEqual(texts(conversation), ["1", "", "6"]);
  assert.equal(server.count("message.list"), 0);
});

test("if more comes while the store is read than is kept, none is missing", async () => {
  const { conversation } = await openStored((each) => {
    for (let seq = 4; seq <= 2_500; seq += 1) each.tell(message(seq));
  });
  while (conversation.hasBefore) await conversation.loadBefore();
  assert.deepEqual(texts(conversation), numbers(2_500));
});
