// The total of unread messages, when answers and events cross.

import assert from "node:assert/strict";
import { test } from "node:test";
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

test("a channel outside of the page that is read meanwhile is counted as it is", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const client = await server.arrive();
  client.setChannel(other("far", 4));
  let total = 5;
  server.changes["channel.list"] = (_, answer) => {
    const old = total;
    total = 1;
    client.change("far", { unread: 0 });
    return { ...answer, totalUnread: old };
  };
  await client.list.refresh();
  assert.equal(client.totalUnread, 1);
  assert.equal(server.count("channel.list"), 3);
});

test("a message of a channel that was on no page yet does not count its older ones again", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 5;
  server.changes.resume = (_, answer) => (
    { ...answer, channels: [...answer.channels, { channel: "far", seq: 4 }] });
  const client = await server.arrive();
  assert.equal(client.totalUnread, 5);
  server.unread = 6;
  server.changes["channel.list"] = (_, answer) => ({ ...answer, channels: [other("far", 5), ...answer.channels] });
  server.changes["channel.get"] = () => other("far", 5);
  server.socket.tell(message(5, { channel: "far" }));
  await eventually(() => client.channels.get("far")?.unread === 5 && server.count("channel.list") === 2);
  assert.equal(client.totalUnread, 6);
});

test("a muted channel counts no more, and all of it again when it is not muted", async () => {
  const server = new ScriptedServer([message(1), message(2)]);
  server.unread = 2;
  const client = await server.arrive();
  const totals = [true, true, false].map((isMuted) => {
    client.ownRow({ event: "channel.preferenceChanged", body: { channel: group, preference: { isMuted } } });
    return client.totalUnread;
  });
  assert.deepEqual(totals, [0, 0, 2]);
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

test("a channel that comes while the list is read is counted", async () => {
  const server = new ScriptedServer([message(1)]);
  server.unread = 1;
  const client = await server.arrive();
  server.changes["channel.list"] = (_, answer) => {
    if (!client.channels.has("new")) client.setChannel(other("new", 2));
    else return { ...answer, totalUnread: 3 };
    return answer;
  };
  await client.list.refresh();
  assert.equal(client.totalUnread, 3);
});
