// What a client has missed, and answers that are older than what it knows.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ScriptedServer, eventually, group, message } from "./scripted.mjs";

mock.method(Math, "random", () => 0);

/** A client that shows three messages, and has lost its connection. */
async function lost() {
  const server = new ScriptedServer([message(1), message(2), message(3)]);
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  server.cut();
  return { server, client, conversation };
}

const texts = ({ items }) => items.filter(({ kind }) => kind === "message").map(({ message }) => message.text);

test("the rows of all pages of a resume arrive, though the first page names where the log ends", async () => {
  const { server, client, conversation } = await lost();
  server.rows.push(message(4), message(5), message(6), message(7));
  server.changes.resume = (body, { events, ...page }) => (
    { ...page, events: events.slice(0, 2), hasMore: events.length > 2 });
  client.wake();
  await eventually(() => client.state === "live");
  assert.deepEqual(texts(conversation), ["1", "2", "3", "4", "5", "6", "7"]);
  assert.equal(client.core.sync.book.seq(group), 7);
});

test("a log that is reset is read anew", async () => {
  const { server, client, conversation } = await lost();
  server.rows = [message(1, {}, { text: "other" }), message(2), message(3), message(4)];
  server.changes.resume = (body, page) => (
    { ...page, events: [], resets: [{ channel: group, seq: 4, reason: "tooFar" }] });
  client.wake();
  await eventually(() => client.state === "live" && conversation.hasLoaded && !conversation.isLoading);
  assert.deepEqual(texts(conversation), ["other", "2", "3", "4"]);
});

test("a server that was put back to an earlier state is read from its beginning", async () => {
  const { server, client, conversation } = await lost();
  server.rows = [message(1), message(2, {}, { text: "other" })];
  server.changes.hello = (body, welcome) => ({ ...welcome, epoch: "f" });
  server.changes.resume = (body, page) => {
    assert.deepEqual(body.channels, [], "no position of the other epoch is sent");
    return { ...page, epoch: "f" };
  };
  client.wake();
  await eventually(() => client.state === "live" && conversation.hasLoaded && !conversation.isLoading);
  assert.deepEqual(texts(conversation), ["1", "other"]);
  server.tell(message(3));
  assert.deepEqual(texts(conversation), ["1", "other", "3"]);
});

test("a channel that the user changes while it is read is read again", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  server.changes["channel.get"] = (body, answer) => {
    if (server.count("channel.get") > 1) return { ...answer, preference: { isMuted: true } };
    server.socket.tell({ event: "channel.preferenceChanged", userSeq: 1,
      body: { channel: group, preference: { isMuted: true } } });
    return { ...answer, preference: { isMuted: false } };
  };
  await client.core.reads.channel(group);
  assert.equal(client.channels.get(group).preference.isMuted, true);
  assert.equal(server.count("channel.get"), 2);
});

test("the own mark does not move back", async () => {
  const server = new ScriptedServer([message(1), message(2), message(3)]);
  const client = await server.arrive();
  const marked = (seq) => server.socket.tell(
    { event: "readMark.moved", channel: group, body: { marks: [{ userID: "ann", seq, readAt: seq }] } });
  marked(3);
  marked(2);
  assert.equal(client.channels.get(group).readSeq, 3);
});

test("a command whose answer was lost is repeated under its transID", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  server.changes["channel.create"] = () => {
    if (server.count("channel.create") > 1) return undefined;
    server.cut();
    client.wake();
    return new Promise(() => {});
  };
  await client.perform("channel.create", { kind: "group", title: "Team" });
  const ids = server.asked.filter(([command]) => command === "channel.create").map(([, , id]) => id);
  assert.equal(ids.length, 2);
  assert.equal(ids[1], ids[0]);
});

test("what was read without a connection is marked when there is one again", async () => {
  const { server, client, conversation } = await lost();
  const marks = () => server.asked.flatMap(([command, { seq }]) => (command === "readMark.set" ? [seq] : []));
  conversation.markRead(2);
  conversation.markRead(1);
  assert.deepEqual(marks(), []);
  // It may not be on any screen then.
  conversation.close();
  client.wake();
  await eventually(() => client.state === "live");
  await eventually(() => marks().length);
  assert.deepEqual(marks(), [2]);
  server.cut();
  client.wake();
  await eventually(() => client.state === "live" && server.connections.length === 3);
  assert.deepEqual(marks(), [2]);
});

test("a mark whose answer was lost is sent again", async () => {
  const { server, client, conversation } = await lost();
  client.wake();
  await eventually(() => client.state === "live");
  server.changes["readMark.set"] = () => new Promise(() => {});
  conversation.markRead(3);
  assert.equal(server.count("readMark.set"), 1);
  server.cut();
  client.wake();
  await eventually(() => client.state === "live" && server.connections.length === 3);
  await eventually(() => server.count("readMark.set") === 2);
});

test("rows that the server has removed for all are gone: shown, counted, quoted and stored", async () => {
  const quoting = message(4);
  quoting.body.replyTo = { messageID: "m2", seq: 2, senderID: "bob", senderName: "Bob", type: "text", text: "2" };
  const purge = (seq, upTo, count) => server.tell(
    { event: "channel.purged", channel: group, seq, sentAt: 1_700_000_000_004, body: { upTo, count } });
  const server = new ScriptedServer([message(1), message(2), message(3), quoting]);
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  const forgotten = [];
  client.core.cache.forget = (channel) => forgotten.push(channel);
  const asked = server.count("channel.get");
  client.core.state.change(group, { readSeq: 0, unread: 4 });
  purge(5, 3, 3);
  const purged = conversation.items.filter(({ kind }) => kind === "message");
  assert.deepEqual(purged.map(({ message }) => [message.seq, message.replyTo.text]), [[4, ""]]);
  assert.equal(conversation.hasBefore, false);
  assert.deepEqual(forgotten, [group]);
  // No event says how many of those above it this user has not read.
  await eventually(() => server.count("channel.get") === asked + 1);
  purge(6, 5, 4);
  const { unread, readSeq, lastMessage } = conversation.channel;
  assert.deepEqual([unread, readSeq, lastMessage], [0, 5, undefined]);
  assert.deepEqual(conversation.items.filter(({ kind }) => kind === "message"), []);
});
