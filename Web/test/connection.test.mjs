// Connecting again, and what a broken server may cost.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Backoff } from "../src/client/backoff.js";
import { LogPosition } from "../src/client/log-book.js";
import { ScriptedServer, eventually, group, message } from "./scripted.mjs";

/** Makes each random wait the longest, or none. */
function random(value) {
  mock.method(Math, "random", () => value);
}

test("the waits between attempts grow, and begin anew only after a good connection of 30 seconds", () => {
  const backoff = new Backoff();
  let now = 1_000_000;
  const fail = (live) => {
    backoff.tries(now);
    now += 100;
    if (live !== undefined) backoff.lives(now);
    now += live ?? 0;
    const wait = backoff.wait(now, 1);
    now += wait;
    return wait;
  };
  assert.deepEqual([fail(), fail(), fail(), fail()], [500, 1_000, 2_000, 4_000]);
  assert.deepEqual([fail(0), fail(29_999)], [8_000, 16_000]);
  assert.deepEqual([fail(0), fail(0)], [30_000, 30_000]);
  assert.deepEqual([fail(30_000), fail(0), fail(0)], [2_000, 1_000, 2_000]);
});

test("two attempts are half a second apart, whatever the dice and the server say", () => {
  const backoff = new Backoff();
  backoff.tries(10_000);
  assert.equal(backoff.wait(10_100, 0), 400);
  assert.equal(backoff.wait(10_100, 0, 0), 400);
  assert.equal(backoff.wait(10_100, 0, 7_000), 7_000);
  assert.equal(backoff.soon(10_200), 300);
  assert.equal(backoff.soon(20_000), 0);
});

test("a server that welcomes and drops is not asked more often than twice a second", async () => {
  random(0);
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  for (let count = 2; count <= 3; count += 1) {
    server.cut();
    client.wake();
    await eventually(() => server.connections.length === count && client.state === "live");
  }
  const [first, second, third] = server.connections;
  // A timer may be early by a millisecond, and the first attempt is late by the time that code takes to be compiled.
  assert.ok(second - first >= 480 && third - second >= 495, `${server.connections}`);
});

test("what comes in one piece with the welcome is newer than it", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  server.changes.hello = (_, answer, socket) => {
    const { tell } = socket;
    socket.tell = (frame) => {
      tell.call(socket, frame);
      delete socket.tell;
      socket.tell({ userSeq: 1, event: "user.profileChanged", senderID: "ann", sentAt: 1,
        body: { userID: "ann", profile: { name: "New" } } });
    };
    return answer;
  };
  server.cut();
  client.wake();
  await eventually(() => client.state === "live" && server.connections.length === 2);
  assert.equal(client.user.name, "New");
});

test("a log holds at most 500 rows that came too early, the oldest of them, and knows that others are missing", () => {
  const log = new LogPosition(0);
  for (let seq = 1_000; seq > 1; seq -= 1) log.take(seq, message(seq));
  log.take(5_000, message(5_000));
  assert.equal(log.heldCount, 500);
  assert.equal(log.take(1, message(1)).length, 501);
  assert.deepEqual([log.seq, log.heldCount, log.hasGap], [501, 0, true]);
  log.advance(5_000);
  assert.equal(log.hasGap, false);
});

test("rows that were not held are read when the gap is closed", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  const gate = { open: () => {} };
  const isOpen = new Promise((resolve) => (gate.open = resolve));
  server.changes.resume = async (body, page) => {
    await isOpen;
    return page;
  };
  server.rows.push(message(2));
  for (let seq = 3; seq <= 1_200; seq += 1) server.tell(message(seq));
  assert.equal(client.core.sync.book.channels.get(group).heldCount, 500);
  gate.open();
  await eventually(() => conversation.items.at(-1).message?.text === "1200");
  assert.equal(conversation.items.filter((item) => item.kind === "message").length, 1_200);
});

test("a resume that goes on without giving anything ends with another connection after three pages", async () => {
  random(0);
  const server = new ScriptedServer([message(1)]);
  server.changes.resume = (body, page) => ({ ...page, hasMore: server.connections.length === 1 });
  const client = await server.arrive();
  assert.equal(server.connections.length, 2);
  assert.equal(server.count("resume"), 4);
  // A gap, too.
  server.changes.resume = (body, page) => ({ ...page, events: [], hasMore: server.connections.length === 2 });
  server.rows.push(message(2));
  server.tell(message(3));
  await eventually(() => server.connections.length === 3 && client.state === "live");
  assert.equal(server.count("resume"), 8);
});
