// What a tab writes into the store, and when.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Cache } from "../src/client/cache.js";
import { ScriptedServer, eventually, group, message, recall } from "./scripted.mjs";

globalThis.IDBKeyRange = /** @type {any} */ ({ bound: (from, to) => ({ from, to }), lowerBound: (from) => ({ from }) });

/** A store that remembers what was written. */
class FakeStore {
  writes = [];
  rowsThere = [];

  async write(changes) {
    if (this.isFull && changes.some((change) => change.in !== "queue")) throw new Error("full");
    this.writes.push(changes);
  }

  async rows() {
    return this.rowsThere;
  }

  close() {}

  /** The rows that were put, by their numbers. */
  get seqs() {
    return this.writes.flat().filter((change) => change.in === "rows" && change.put).map(({ key }) => key[1]);
  }
}

const channel = { channel: "c", kind: "group" };

/** A cache of a tab that has read the store. */
function cacheOf(store) {
  const cache = new Cache({ meta: () => ({ user: "ann" }), channel: () => channel });
  cache.store = store;
  cache.restore({ meta: new Map([["userSeq", 7]]), channels: [{ channel: group, position: 2, from: 1 }] });
  return cache;
}

/** The rows of the group, as they come. */
function take(cache, ...rows) {
  for (const row of rows) {
    cache.setPosition(group, row.seq);
    cache.add(row, true);
  }
}

const put = (store, place) => store.writes.flat().findLast((change) => change.in === place && change.put)?.put;

test("a tab that leads writes rows, their position and the channel in one transaction", async () => {
  const store = new FakeStore();
  const cache = cacheOf(store);
  cache.startWriting({ meta: new Map(), channels: [{ channel: group, position: 2, from: 1 }] });
  take(cache, message(3), message(4));
  await cache.flush();
  assert.equal(store.writes.length, 1);
  assert.deepEqual(store.seqs, [3, 4]);
  assert.deepEqual(put(store, "channels"), { channel: group, position: 4, from: 1, snapshot: channel });
  await cache.flush();
  assert.equal(store.writes.length, 1);
});

test("a tab that does not lead writes only its own, and the rest when it leads; until then it gives it", async () => {
  const store = new FakeStore();
  const cache = cacheOf(store);
  take(cache, message(3), message(4));
  const edit = (row) => ({ ...row, isEdited: true });
  cache.edit(group, [2, 3], edit);
  cache.write([{ in: "queue", put: { transID: "t" } }]);
  await cache.flush();
  assert.deepEqual(store.writes.flat().map((change) => change.in), ["queue"]);
  const { from, to, position, newer } = cache.range(group);
  assert.deepEqual([from, to, position, newer.map(({ seq, isEdited = false }) => [seq, isEdited])],
    [1, 2, 4, [[3, true], [4, false]]]);
  store.rowsThere = [message(1), message(2)];
  assert.deepEqual((await cache.rows(group, 1, 2, 50)).map(({ isEdited = false }) => isEdited), [false, true]);
  cache.startWriting({ meta: new Map(), channels: [{ channel: group, position: 2, from: 1 }] });
  await cache.flush();
  assert.deepEqual(store.seqs, [3, 4]);
  assert.equal(put(store, "channels").position, 4);
  assert.deepEqual(cache.range(group), { from: 1, to: 4, position: 4, newer: [] });
});

test("a tab keeps at most a thousand changes that another one writes, then takes nothing of the store", async () => {
  const store = new FakeStore();
  const cache = cacheOf(store);
  for (let seq = 3; seq <= 1_002; seq += 1) take(cache, message(seq));
  await cache.flush();
  assert.equal(cache.range(group).newer.length, 1_000);
  take(cache, message(1_003));
  await cache.flush();
  assert.equal(cache.range(group), null);
  // The leader that was has not written all of it: the rows go, so that no gap stays.
  cache.startWriting({ meta: new Map([["userSeq", 7]]), channels: [{ channel: group, position: 900, from: 1 }] });
  await cache.flush();
  assert.deepEqual([cache.from(group), put(store, "channels").from], [0, null]);
  assert.ok(store.writes.flat().some((change) => change.in === "rows" && change.delete));
});

test("a store that is full loses the cache, and still takes what is to be sent", async () => {
  const store = new FakeStore();
  const cache = cacheOf(store);
  cache.startWriting({ meta: new Map(), channels: [{ channel: group, position: 2, from: 1 }] });
  store.isFull = true;
  take(cache, message(3));
  cache.write([{ in: "queue", put: { transID: "t" } }]);
  await cache.flush();
  assert.deepEqual(store.writes.flat().map((change) => change.in), ["queue"]);
  assert.deepEqual([cache.isWriter, cache.from(group), cache.range(group)], [false, 0, null]);
});

test("whatever an app does while rows come, no position is stored before the rows up to it", async () => {
  const server = new ScriptedServer([message(1)]);
  const client = await server.arrive();
  const store = new FakeStore();
  const { cache } = client.core;
  cache.store = /** @type {any} */ (store);
  cache.isWriter = true;
  let flushes = 0;
  client.addEventListener("unread", () => {
    flushes += 1;
    client.flush();
  });
  server.rows.push(message(2), message(3), recall(4, 1), message(5));
  server.cut();
  client.wake();
  await eventually(() => client.state === "live" && server.connections.length === 2);
  await client.flush();
  assert.ok(flushes >= 3, `${flushes}`);
  const stored = new Set([1]);
  for (const changes of store.writes) {
    for (const { in: place, key, put: row } of changes) {
      if (place === "rows" && key) stored.add(row?.seq ?? 4);
    }
    const { position } = changes.findLast((change) => change.put?.channel === group && !change.key)?.put ?? {};
    for (let seq = 1; seq <= position; seq += 1) assert.ok(stored.has(seq), `${seq} of ${position}`);
  }
  assert.equal(stored.size, 5);
});

test("what the store gives up while a page of it is read comes from the server", async () => {
  const rows = Array.from({ length: 200 }, (_, index) => message(index + 1));
  const server = new ScriptedServer(rows);
  const client = await server.arrive();
  const { cache } = client.core;
  cache.store = /** @type {any} */ (new class extends FakeStore {
    async rows(_, from, to, limit) {
      const found = rows.slice(from - 1, to).slice(-limit);
      if (to === 200) return found;
      // Another tab has written less than this one has seen, so the rows go.
      cache.forget(group);
      return [];
    }
  }());
  cache.restore({ meta: new Map(), channels: [{ channel: group, position: 200, from: 1 }] });
  cache.isWriter = true;
  const conversation = client.conversation(group);
  await conversation.open();
  assert.equal(conversation.items.filter(({ kind }) => kind === "message").length, 50);
  while (conversation.hasBefore) await conversation.loadBefore();
  assert.equal(conversation.items.filter(({ kind }) => kind === "message").length, 200);
});
