// The total of unread messages, when answers and events cross.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MediaPages } from "../src/chat/messages/media-pages.js";
import { readBlocked } from "../src/client/own-reads.js";
import { markAnswered } from "../src/client/rows/marks.js";
import { ScriptedServer, eventually, group, message } from "./scripted.mjs";

/** Another channel of the list. */
const other = (channel, unread) => ({
  channel, kind: "group", title: channel, memberCount: 1, members: [], seq: unread, count: unread, unread, readSeq: 0,
  role: "participant", lastActivityAt: 1,
});

test("messages that overtake the answer of a list are counted once", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const client = await server.arrive();
  server.changes["channel.list"] = (_, answer) => {
    server.tell(message(2), message(3));
    return answer;
  };
  await client.list.refresh();
  assert.equal(client.channels.get(group).unread, 3);
  assert.equal(client.totalUnread, 3);
});

/** What the server answers if `far`, which is not on the list's first page, has unread messages, too. */
function tellFar(server, unread) {
  server.changes["channel.list"] = (_, answer) => ({ ...answer, totalUnread: server.unread + unread });
  server.changes["unread.get"] = () => ({
    total: server.unread + unread,
    channels: [{ channel: group, unread: server.unread }, { channel: "far", unread }, { channel: "muted", unread: 7,
      isMuted: true }],
  });
}

test("a channel outside of the page that is read meanwhile is counted as it is", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const client = await server.arrive();
  client.core.state.set(other("far", 4));
  tellFar(server, 4);
  server.changes["channel.list"] = (_, answer) => {
    client.core.state.change("far", { unread: 0 });
    return { ...answer, totalUnread: 5 };
  };
  await client.list.refresh();
  assert.equal(client.totalUnread, 1);
});

test("an answer that has overtaken what it counts of a channel outside of the page counts it once", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  server.changes.resume = (_, answer) => (
    { ...answer, channels: [...answer.channels, { channel: "far", seq: 4 }] });
  const client = await server.arrive();
  client.core.state.set(other("far", 4));
  tellFar(server, 5);
  await client.list.refresh();
  server.socket.tell(message(5, { channel: "far" }));
  await eventually(() => client.channels.get("far").unread === 5);
  assert.equal(client.totalUnread, 6);
});

test("channels that are not loaded count in the total until they are read, left or deleted", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  tellFar(server, 4);
  const client = await server.arrive();
  assert.equal(client.totalUnread, 5);
  client.core.drop("muted");
  client.core.drop("unknown");
  assert.equal(client.totalUnread, 5);
  client.core.state.set({ ...other("far", 4), isHidden: true });
  assert.equal(client.totalUnread, 5);
  client.core.drop("far");
  assert.equal(client.totalUnread, 1);
  await client.list.refresh();
  assert.equal(client.totalUnread, 5);
  client.core.drop("far");
  assert.equal(client.totalUnread, 1);
});

test("a message of a channel that was on no page yet does not count its older ones again", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  server.changes.resume = (_, answer) => (
    { ...answer, channels: [...answer.channels, { channel: "far", seq: 4 }] });
  tellFar(server, 4);
  const client = await server.arrive();
  assert.equal(client.totalUnread, 5);
  server.changes["channel.get"] = () => other("far", 5);
  server.socket.tell(message(5, { channel: "far" }));
  await eventually(() => client.channels.get("far")?.unread === 5);
  assert.equal(client.totalUnread, 6);
});

test("an answer of resume that is older than a row before it does not take the row's unread back", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const client = await server.arrive();
  const counts = [];
  client.list.addEventListener("change", () => counts.push(client.channels.get(group).unread));
  server.changes.resume = (_, answer) => {
    server.unread = 2;
    server.tell(message(2));
    return { ...answer, channels: [{ channel: group, seq: 1 }], events: [] };
  };
  server.cut();
  client.wake();
  await eventually(() => server.count("channel.get") === 1 && client.state === "live");
  assert.equal(client.channels.get(group).unread, 2);
  assert.ok(!counts.includes(0), `${counts}`);
  assert.equal(client.totalUnread, 2);
});

test("if more channels have changed than are read one by one, the total is read", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  tellFar(server, 4);
  const client = await server.arrive();
  server.changes["channel.get"] = ({ channel }) => other(channel, 0);
  tellFar(server, 2);
  for (let number = 1; number <= 30; number += 1) client.core.reads.want(`c${number}`);
  client.core.reads.want("far");
  await eventually(() => client.totalUnread === 3);
  assert.equal(server.count("channel.get"), 20);
});

test("a mark does not take back that the user has marked the conversation as unread meanwhile", async () => {
  const server = new ScriptedServer([message(1), message(2)]);
  server.unread = 2;
  const client = await server.arrive();
  const isMarked = () => client.channels.get(group).isMarkedUnread;
  server.changes["readMark.set"] = ({ channel, seq }) => {
    const body = { channel, isMarkedUnread: true };
    server.socket.tell({ userSeq: 1, event: "channel.unreadMarked", sentAt: 1, body });
    return { channel, mark: { seq, count: 2 }, unread: 0 };
  };
  server.changes["channel.get"] = () => ({ ...server.channel, unread: 0, readSeq: 2, isMarkedUnread: true });
  client.conversation(group).markRead();
  await eventually(() => server.count("channel.get") === 1 && client.channels.get(group).readSeq === 2);
  assert.equal(isMarked(), true);
  const answer = { channel: group, mark: { seq: 2, count: 2 }, unread: 0 };
  client.core.apply(markAnswered(client.channels, answer, 2, true));
  assert.equal(isMarked(), false);
});

test("a muted channel counts no more, and all of it again when it is not muted", async () => {
  const server = new ScriptedServer([message(1), message(2)]);
  server.unread = 2;
  const client = await server.arrive();
  const totals = [true, true, false].map((isMuted, index) => {
    const body = { channel: group, preference: { isMuted } };
    server.socket.tell({ userSeq: index + 1, event: "channel.preferenceChanged", sentAt: 1, body });
    return client.totalUnread;
  });
  assert.deepEqual(totals, [0, 0, 2]);
});

test("an answer about a mark that has overtaken a message counts it once", async () => {
  const server = new ScriptedServer([1, 2, 3, 4].map((seq) => message(seq)));
  server.unread = 4;
  const client = await server.arrive();
  assert.equal(client.channels.get(group).unread, 4);
  // The server has a fifth one already, which arrives after the answer.
  const answer = { channel: group, mark: { seq: 2, count: 2 }, unread: 3 };
  client.core.apply(markAnswered(client.channels, answer, 4, true));
  assert.equal(client.channels.get(group).unread, 2);
  server.tell(message(5));
  await eventually(() => client.channels.get(group).seq === 5);
  assert.equal(client.channels.get(group).unread, 3);
  assert.equal(client.channels.get(group).readSeq, 2);
  assert.equal(client.totalUnread, 3);
});

test("news that were published before all users were subscribed are unread", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  server.changes["channel.get"] = () => ({ ...other("news", 2), kind: "corporateNews", readSeq: 1, seq: 3 });
  server.socket.tell({ userSeq: 1, event: "channel.joined", sentAt: 1, body: {
    channel: "news", kind: "corporateNews", title: "News", role: "participant", members: [], memberCount: 9, fromSeq: 3,
    count: 2, isHidden: false } });
  await eventually(() => client.channels.get("news")?.unread === 2);
  assert.equal(client.totalUnread, 2);
});

test("a channel that comes while the list is read is counted once", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const client = await server.arrive();
  tellFar(server, 2);
  const { "unread.get": answer } = server.changes;
  server.changes["unread.get"] = () => {
    client.core.state.set(other("far", 2));
    return answer();
  };
  await client.list.refresh();
  assert.equal(client.totalUnread, 3);
});

test("who is blocked is read with each connect, and nothing is drawn again if it is the same", async () => {
  const server = new ScriptedServer([message(1)]);
  const user = (userID) => ({ user: { userID, name: userID } });
  server.changes["user.listBlocked"] = () => ({ users: [user("bob")] });
  const client = await server.arrive();
  await eventually(() => client.blocked.has("bob"));
  client.core.state.set(other("far", 0));
  const [told, drawn] = [[], []];
  client.addEventListener("blocked", () => told.push([...client.blocked]));
  const { state } = client.core;
  const { put } = state;
  state.put = (channel) => {
    drawn.push(channel.channel);
    put.call(state, channel);
  };
  await readBlocked(client.core.sync, client.core.state);
  assert.deepEqual([told, drawn], [[], []]);
  client.core.state.setBlocked(["bob", "dan"]);
  assert.deepEqual([told, drawn], [[["bob", "dan"]], [group]]);
});

test("who is blocked while the list of the blocked is read stays blocked", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  const user = (userID) => ({ user: { userID, name: userID } });
  let isLate = true;
  server.changes["user.listBlocked"] = ({ cursor }) => {
    if (!cursor) return { users: [user("bob")], next: "2" };
    if (!isLate) return { users: [user("eve")] };
    isLate = false;
    // It is on the first page, which was read before.
    client.core.state.setBlocked(["dan"]);
    return { users: [user("eve")] };
  };
  await readBlocked(client.core.sync, client.core.state);
  assert.equal(server.count("user.listBlocked") >= 4, true);
  assert.deepEqual([...client.blocked], ["bob", "eve"]);
});

test("a person whom the user has blocked does not show as typing", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  const types = (userID) => server.socket.tell(
    { event: "typing.started", channel: group, body: { userID, name: userID } });
  types("bob");
  types("dan");
  const conversation = client.conversation(group);
  assert.deepEqual(conversation.typing.map(({ userID }) => userID), ["bob", "dan"]);
  client.core.state.setBlocked(["bob"]);
  assert.deepEqual(conversation.typing.map(({ userID }) => userID), ["dan"]);
  conversation.state.disconnected();
});

test("nobody may write to a person whom the user has blocked", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  client.core.state.set({ ...other("ann:bob", 0), kind: "single", members: [{ userID: "ann" }, { userID: "bob" }] });
  const writable = () => [group, "ann:bob"].map((channel) => client.conversation(channel).canWrite);
  assert.deepEqual(writable(), [true, true]);
  client.core.state.setBlocked(["bob"]);
  assert.deepEqual(writable(), [true, false]);
  client.core.state.setBlocked([]);
  assert.deepEqual(writable(), [true, true]);
});

test("hidden conversations are found by a text, and not offered without one", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  client.core.state.set({ ...other("far", 0), isHidden: true });
  const found = (text) => client.list.find(text).map(({ channel }) => channel);
  assert.deepEqual(found("FAR"), ["far"]);
  assert.deepEqual(found(" "), [group]);
});

test("the hidden conversations are found when all are loaded, and a failure leaves none of them twice", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  const { list } = client;
  const hidden = (channel) => ({ ...other(channel, 0), isHidden: true });
  let fails = true;
  const during = [];
  server.changes["channel.query"] = ({ cursor, withMembers }) => {
    if (!withMembers) return { channels: [] };
    during.push(list.isSearching, list.find("far").length);
    if (!cursor) return { channels: [hidden("far 1")], next: "2" };
    return fails ? { error: { code: 1, message: "no" } } : { channels: [hidden("far 2")] };
  };
  const found = () => list.find("far").map(({ channel }) => channel).sort();
  await list.loadHidden();
  assert.deepEqual([list.isSearching, found()], [false, []]);
  fails = false;
  await Promise.all([list.loadHidden(), list.loadHidden()]);
  assert.deepEqual([list.isSearching, found()], [false, ["far 1", "far 2"]]);
  assert.deepEqual(during, [true, 0, true, 0, true, 0, true, 0]);
});

test("files of blocked people are not among those of a conversation of several", async () => {
  const file = (seq, senderID) => (
    message(seq, { senderID }, { type: "image", file: { fileID: `f${seq}`, name: `${seq}.png` } }));
  const server = new ScriptedServer([file(1, "bob"), file(2, "dan")]);
  const client = await server.arrive();
  client.core.state.setBlocked(["bob"]);
  const pages = new MediaPages({ client, conversation: client.conversation(group) });
  await pages.readMore();
  assert.deepEqual(pages.pictures.map(({ senderID }) => senderID), ["dan"]);
});

test("a page around a message is left out if the reader has gone elsewhere before it comes", async () => {
  const server = new ScriptedServer(Array.from({ length: 200 }, (_, index) => message(index + 1)));
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  await conversation.loadAround("m20", () => false);
  assert.equal(conversation.hasAfter, false);
  await conversation.loadAround("m20", () => true);
  assert.equal(conversation.hasAfter, true);
});
