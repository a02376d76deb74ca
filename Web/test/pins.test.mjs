// The pinned messages of a conversation.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ScriptedServer, eventually, group, message, recall } from "./scripted.mjs";

const ids = (pins) => pins.all.map(({ messageID }) => messageID);
const texts = (pins) => pins.all.map((pin) => pin.message.text);

/** The row that says that bob has pinned the message of a row, or has taken it down. */
const change = (seq, of, event = "pin.added") => ({
  event, channel: group, seq, senderID: "bob", sentAt: 1_700_000_000_000 + seq,
  body: { messageID: `m${of}`, seq: of, byName: "Bob" },
});

/** A server with pins: a log of so many messages, of which some are pinned, the last one first. */
function pinServer(count, ...pinned) {
  const server = new ScriptedServer(Array.from({ length: count }, (_, index) => message(index + 1)));
  server.pinned = pinned;
  server.changes["pin.list"] = () => ({ head: server.head, pins: server.pinned.map((seq) => (
    { messageID: `m${seq}`, userID: "bob", name: "Bob", pinnedAt: 1_700_000_000_000 })) });
  server.changes["message.get"] = ({ messageIDs }) => {
    const events = server.rows.filter((row) => row.event === "message.sent"
      && messageIDs.includes(row.body.messageID));
    if (events.length) return { events };
    return { error: { code: 1118, name: "messageNotFound", message: "", retryable: false } };
  };
  return server;
}

/** A conversation that is shown, and its pins. */
async function open(server) {
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  assert.equal(conversation.error, null);
  const pins = await conversation.loadPins();
  return { client, conversation, pins };
}

/** Lets each answer to a command wait until the test lets it go. */
function held(server, command) {
  const answer = server.changes[command];
  /** @type {(() => void)[]} */
  const waiting = [];
  server.changes[command] = async (...asked) => {
    const made = answer(...asked);
    await new Promise((resolve) => waiting.push(resolve));
    return made;
  };
  return waiting;
}

test("nobody asks for pins before somebody wants them, and then they are asked for once", async () => {
  const server = pinServer(3, 2);
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  server.tell(change(4, 2));
  assert.equal(server.count("pin.list"), 0);
  const [pins, again] = await Promise.all([conversation.loadPins(), conversation.loadPins()]);
  assert.equal(pins, again);
  await eventually(() => pins.all.length);
  assert.deepEqual([ids(pins), server.count("pin.list")], [["m2"], 1]);
  assert.deepEqual([pins.isPinned("m2"), pins.isPinned("m1"), pins.isPinned(undefined)], [true, false, false]);
  const [{ userID, name, pinnedAt, message: { senderName } }] = pins.all;
  assert.deepEqual([userID, name, pinnedAt, senderName], ["bob", "Bob", 1_700_000_000_000, "Bob"]);
});

test("who wants them while the conversation is being opened gets them with one request", async () => {
  const server = pinServer(3, 1);
  const client = await server.arrive();
  const conversation = client.conversation(group);
  const [pins] = await Promise.all([conversation.loadPins(), conversation.open()]);
  await eventually(() => pins.all.length);
  assert.equal(server.count("pin.list"), 1);
  // The server has let the user read before that.
  const commands = server.asked.map(([command]) => command);
  assert.ok(commands.indexOf("message.list") < commands.indexOf("pin.list"));
});

test("messages that are not in the timeline are asked for ten at a time, the others not at all", async () => {
  const pinned = [...Array.from({ length: 23 }, (_, index) => index + 1), 300];
  const server = pinServer(300, ...pinned);
  const { pins } = await open(server);
  assert.deepEqual(texts(pins), pinned.map(String));
  const asked = server.asked.filter(([command]) => command === "message.get").map(([, body]) => body.messageIDs);
  assert.deepEqual(asked.map((each) => each.length), [10, 10, 3]);
  assert.ok(!asked.flat().includes("m300"));
});

test("messages that are gone when they are asked for are left out", async () => {
  const server = pinServer(300, 1, 299, 2);
  const answer = server.changes["message.get"];
  server.changes["message.get"] = (body) => answer({ messageIDs: body.messageIDs.filter((each) => each !== "m1") });
  const { pins } = await open(server);
  assert.deepEqual(ids(pins), ["m299", "m2"]);
  server.changes["message.get"] = () => answer({ messageIDs: [] });
  server.pinned = [3, 299];
  server.tell(change(301, 3));
  await eventually(() => ids(pins).join() === "m299");
});

test("a message that was read once is not asked for again with each pin", async () => {
  const server = pinServer(300, 1, 2);
  const { pins } = await open(server);
  server.pinned = [3, 1];
  server.tell(change(301, 3), change(302, 2, "pin.removed"));
  await eventually(() => ids(pins).join() === "m3,m1");
  const asked = server.asked.filter(([command]) => command === "message.get").map(([, body]) => body.messageIDs);
  assert.deepEqual(new Set(asked.slice(1).flat()), new Set(["m3"]));
});

test("messages that are too large for one answer are asked for in smaller parts", async () => {
  const pinned = Array.from({ length: 12 }, (_, index) => index + 1);
  const server = pinServer(300, ...pinned);
  const answer = server.changes["message.get"];
  server.changes["message.get"] = (body) => (body.messageIDs.length < 3 ? answer(body) :
    { error: { code: 7005, name: "tooLarge", message: "", retryable: false } });
  const { pins } = await open(server);
  assert.deepEqual(texts(pins), pinned.map(String));
});

test("pins of a channel that the user had to leave do not show when the user comes back", async () => {
  const server = pinServer(3, 1, 2);
  const { conversation, pins } = await open(server);
  assert.equal(pins.all.length, 2);
  const waiting = held(server, "pin.list");
  server.pinned = [3];
  conversation.state.left();
  assert.deepEqual(ids(pins), []);
  conversation.state.joined();
  await eventually(() => waiting.length);
  assert.deepEqual(ids(pins), []);
  waiting[0]();
  await eventually(() => ids(pins).join() === "m3");
});

test("pins and unpins of anybody are read again, one request after the other", async () => {
  const server = pinServer(5);
  const { conversation, pins } = await open(server);
  assert.deepEqual(ids(pins), []);
  let changes = 0;
  conversation.addEventListener("change", () => (changes += 1));
  const waiting = held(server, "pin.list");
  server.pinned = [1];
  server.tell(change(6, 1));
  await eventually(() => waiting.length === 1);
  // These three come while the first answer is on its way: it is old, and one more request is enough.
  server.pinned = [3, 2];
  server.tell(change(7, 2), change(8, 3), change(9, 1, "pin.removed"));
  assert.equal(waiting.length, 1);
  waiting[0]();
  await eventually(() => waiting.length === 2);
  assert.deepEqual(ids(pins), []);
  waiting[1]();
  await eventually(() => ids(pins).join() === "m3,m2");
  assert.equal(waiting.length, 2);
  await eventually(() => changes);
  // The line shows, and the removal does not.
  assert.deepEqual(conversation.items.flatMap((item) => (item.kind === "line" ? [item.event.seq] : [])), [6, 7, 8]);
});

test("a recalled message is pinned no longer, before the server has said so", async () => {
  const server = pinServer(5, 3, 2);
  const { pins } = await open(server);
  const waiting = held(server, "pin.list");
  server.pinned = [2];
  server.tell(recall(6, 3));
  assert.deepEqual(ids(pins), ["m2"]);
  await eventually(() => waiting.length === 1);
  const settled = pins.load();
  waiting[0]();
  await eventually(() => waiting.length === 2);
  waiting[1]();
  await settled;
  // What is not pinned may be recalled without a request.
  server.tell(recall(7, 5));
  const last = pins.load();
  await eventually(() => waiting.length === 3);
  waiting[2]();
  await last;
  assert.deepEqual([ids(pins), server.count("pin.list")], [["m2"], 4]);
});

test("a message that is recalled while the pins are loaded does not show", async () => {
  const server = pinServer(300, 1, 2);
  const waiting = held(server, "message.get");
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  const loading = conversation.loadPins();
  await eventually(() => waiting.length === 1);
  server.pinned = [2];
  server.tell(recall(301, 1));
  waiting[0]();
  await eventually(() => waiting.length === 2);
  waiting[1]();
  const pins = await loading;
  assert.deepEqual([ids(pins), server.count("pin.list")], [["m2"], 2]);
});

test("purged messages are pinned no longer", async () => {
  const server = pinServer(5, 4, 2);
  const { pins } = await open(server);
  server.pinned = [4];
  server.tell({ event: "channel.purged", channel: group, seq: 6, sentAt: 1, body: { upTo: 3, count: 3 } });
  assert.deepEqual(ids(pins), ["m4"]);
  await eventually(() => server.count("pin.list") === 2);
});

test("messages that the user has deleted are not pinned for this user", async () => {
  const server = pinServer(5, 5, 4, 2);
  const { pins } = await open(server);
  server.socket.tell({ event: "message.deleted", userSeq: 1, sentAt: 1, body: {
    channel: group, messages: [{ messageID: "m4", seq: 4 }], unread: 0 } });
  assert.deepEqual(ids(pins), ["m5", "m2"]);
  server.socket.tell({ event: "channel.cleared", userSeq: 2, sentAt: 1, body: {
    channels: [{ channel: group, seq: 3 }], isAll: false } });
  assert.deepEqual(ids(pins), ["m5"]);
});

test("they are read again after a lost connection, and after a gap", async () => {
  const server = pinServer(5, 1);
  const { client, pins } = await open(server);
  server.cut();
  server.pinned = [2, 1];
  server.rows.push(change(6, 2));
  await client.wake();
  await eventually(() => ids(pins).join() === "m2,m1");
  server.pinned = [2];
  server.changes.resume = (body, answer) => ({ ...answer, events: [],
    resets: [{ channel: group, seq: server.head, reason: "tooFar" }] });
  server.cut();
  await client.wake();
  await eventually(() => ids(pins).join() === "m2");
});

test("of a conversation that nobody looks at nothing is asked, and everything when it is shown again", async () => {
  const server = pinServer(5, 1);
  const { conversation, pins } = await open(server);
  conversation.close();
  server.pinned = [2, 1];
  server.tell(change(6, 2));
  const count = server.count("pin.list");
  assert.equal(count, 1);
  await conversation.open();
  await eventually(() => ids(pins).join() === "m2,m1");
  assert.equal(server.count("pin.list"), 2);
});

test("a server that refuses the list leaves the conversation as it is, and is asked again later", async () => {
  const server = pinServer(5, 1);
  const list = server.changes["pin.list"];
  server.changes["pin.list"] = () => ({ error: { code: 1107, name: "noPrivilege", message: "no", retryable: false } });
  const { client, conversation, pins } = await open(server);
  assert.deepEqual([ids(pins), conversation.error, conversation.isGone], [[], null, false]);
  server.changes["pin.list"] = list;
  server.cut();
  await client.wake();
  await eventually(() => ids(pins).join() === "m1");
  assert.deepEqual([conversation.error, conversation.isGone], [null, false]);
});

test("pin and unpin are sent once, and an answer without a row means that the list is old", async () => {
  const server = pinServer(5);
  const { pins } = await open(server);
  server.changes["pin.add"] = () => ({ channel: group, transID: "t", sentAt: 1, seq: 6 });
  await pins.pin("m2");
  assert.deepEqual(server.asked.at(-1).slice(0, 2), ["pin.add", { channel: group, messageID: "m2" }]);
  assert.equal(server.count("pin.list"), 1);
  server.pinned = [2];
  server.changes["pin.add"] = () => ({ channel: group, transID: "t", sentAt: 1 });
  await pins.pin("m2");
  await eventually(() => pins.isPinned("m2"));
  server.pinned = [];
  server.changes["pin.remove"] = () => ({ channel: group, transID: "t", sentAt: 1 });
  await pins.unpin("m2");
  assert.deepEqual(server.asked.find(([command]) => command === "pin.remove")[1], { channel: group, messageID: "m2" });
  await eventually(() => !pins.isPinned("m2"));
  server.changes["pin.add"] = () => ({ error: { code: 7018, name: "limitReached", message: "50", retryable: false } });
  await assert.rejects(pins.pin("m3"), { name: "limitReached" });
});

/** Whether the user may pin in a channel that differs from the group in this. */
async function mayPin(difference) {
  const server = pinServer(3, 1);
  const get = { ...server.channel, ...difference };
  server.changes["channel.list"] = (body, answer) => ({ ...answer, channels: [get] });
  server.changes["channel.get"] = server.changes["channel.join"] = () => get;
  server.changes["user.find"] = ({ userIDs }) => ({ users: userIDs.map((userID) => ({ userID, name: userID })) });
  const { client, conversation, pins } = await open(server);
  const answer = pins.mayPin;
  conversation.close();
  await client.close();
  return answer;
}

test("who may pin", async () => {
  const moderators = { profile: { pinners: "moderators" } };
  assert.equal(await mayPin({}), true);
  assert.equal(await mayPin({ profile: { pinners: "participants" } }), true);
  assert.equal(await mayPin({ role: undefined }), false);
  assert.equal(await mayPin({ role: "participant", ...moderators }), false);
  assert.equal(await mayPin({ role: "moderator", ...moderators }), true);
  assert.equal(await mayPin({ role: "admin", ...moderators }), true);
  assert.equal(await mayPin({ kind: "single", role: undefined }), true);
  assert.equal(await mayPin({ kind: "self", role: undefined }), true);
  assert.equal(await mayPin({ kind: "open", role: undefined }), false);
  assert.equal(await mayPin({ kind: "publicNews" }), false);
  assert.equal(await mayPin({ kind: "corporateNews" }), false);
});

test("a change of the setting counts at once", async () => {
  const server = pinServer(3);
  const { pins } = await open(server);
  const set = (seq, pinners) => server.tell({ event: "channel.profileChanged", channel: group, seq, senderID: "bob",
    sentAt: 1, body: { profile: { pinners } } });
  set(4, "moderators");
  assert.equal(pins.mayPin, false);
  set(5, "participants");
  assert.equal(pins.mayPin, true);
});

test("news are never asked for pins", async () => {
  const server = pinServer(3, 1);
  const get = { ...server.channel, kind: "publicNews" };
  server.changes["channel.list"] = (body, answer) => ({ ...answer, channels: [get] });
  server.changes["channel.get"] = () => get;
  const { client, pins } = await open(server);
  server.cut();
  await client.wake();
  await eventually(() => server.connections.length === 2 && server.count("message.list") >= 1);
  await pins.load();
  assert.deepEqual([ids(pins), server.count("pin.list")], [[], 0]);
});

test("pins do not count as unread", async () => {
  const server = pinServer(3);
  const { client } = await open(server);
  server.tell(change(4, 1), change(5, 1, "pin.removed"));
  const { unread, lastMessage, seq } = client.channels.get(group);
  assert.deepEqual([unread, lastMessage, seq], [0, undefined, 5]);
});
