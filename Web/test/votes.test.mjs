// The votes of a conversation, kept up to date.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ScriptedServer, eventually, group, message } from "./scripted.mjs";

const options = [{ type: "text", text: "tea" }, { type: "text", text: "coffee" }];

/** A server with one vote; what `state` says of it, `vote.get` answers. */
async function open(vote, state = {}) {
  const row = message(1, {}, { vote: { options, ...vote } });
  const server = new ScriptedServer([row]);
  server.state = { phase: "open", revision: 1, tally: { counts: [0, 0], voters: 0 }, ownOptions: [], ...state };
  server.changes["vote.get"] = () => ({ votes: [{ event: row, ...server.state }] });
  const client = await server.arrive();
  const conversation = client.conversation(group);
  await conversation.open();
  return { server, conversation, shown: () => conversation.items.at(-1).vote };
}

/** The row of a ballot. */
const cast = (seq, senderID, body) => ({ event: "vote.cast", channel: group, seq, senderID, sentAt: seq,
  body: { messageID: "m1", seq: 1, revision: seq, tally: { voters: 1 }, ...body } });

test("the user's own ballot from another device shows if the row has it", async () => {
  const { server, shown } = await open({ results: "live" });
  server.tell(cast(2, "ann", { options: [1], tally: { counts: [0, 1], voters: 1 } }));
  assert.deepEqual(shown().ownOptions, [1]);
  assert.equal(server.count("vote.get"), 1);
});

test("the user's own secret ballot from another device is read, those of others are not", async () => {
  const { server, shown } = await open({ isSecret: true });
  server.tell(cast(2, "bob"));
  assert.equal(server.count("vote.get"), 1);
  // The answer is as of before a later ballot.
  server.state = { ...server.state, revision: 3, ownOptions: [1] };
  server.tell(cast(3, "ann"), cast(4, "dan", { tally: { voters: 3 } }));
  await eventually(() => shown().ownOptions.length);
  assert.deepEqual([shown().ownOptions, shown().revision, shown().tally.voters], [[1], 4, 3]);
  assert.equal(server.count("vote.get"), 2);
});

test("the user's own secret ballot from another device is read after a lost connection, too", async () => {
  const { server, shown } = await open({ isSecret: true });
  server.cut();
  server.rows.push(cast(2, "ann"));
  server.state = { ...server.state, revision: 2, ownOptions: [1] };
  await eventually(() => shown().ownOptions.length);
  assert.deepEqual([shown().ownOptions, server.count("vote.get")], [[1], 2]);
});

test("an old answer does not bring an own ballot back that a row has changed", async () => {
  const { server, conversation, shown } = await open({ results: "live" }, { ownOptions: [0] });
  const asked = conversation.vote("m1", [0]);
  server.tell(cast(2, "ann", { options: [1], tally: { counts: [0, 1], voters: 1 } }));
  await asked;
  assert.deepEqual([shown().ownOptions, shown().revision], [[1], 2]);
});

test("a vote that opens later opens while it is shown, also if the clocks differ", async (context) => {
  const start = Date.now();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: start });
  context.after(() => mock.timers.reset());
  const { server, conversation, shown } = await open({ opensAt: start + 5_000 }, { phase: "waiting", revision: 0 });
  assert.equal(shown().phase, "waiting");
  mock.timers.tick(4_999);
  assert.equal(server.count("vote.get"), 1);
  // The server's clock is slower than it said.
  mock.timers.tick(1);
  assert.equal(server.count("vote.get"), 2);
  assert.equal(shown().phase, "waiting");
  await new Promise((resolve) => setImmediate(resolve));
  server.state = { ...server.state, phase: "open", revision: 1 };
  mock.timers.tick(1_000);
  await eventually(() => shown().phase === "open");
  mock.timers.tick(60_000);
  assert.equal(server.count("vote.get"), 3);
  conversation.close();
});

test("nor one that is closed before the answer", async (context) => {
  const start = Date.now();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: start });
  context.after(() => mock.timers.reset());
  const row = message(1, {}, { vote: { options, opensAt: start + 5_000 } });
  const server = new ScriptedServer([row]);
  let answer;
  server.changes["vote.get"] = () => new Promise((resolve) => (answer = resolve));
  const client = await server.arrive();
  const conversation = client.conversation(group);
  const opened = conversation.open();
  await eventually(() => answer);
  conversation.close();
  answer({ votes: [{ event: row, phase: "waiting", revision: 0, tally: { voters: 0 }, ownOptions: [] }] });
  await opened;
  mock.timers.tick(60_000);
  assert.equal(server.count("vote.get"), 1);
});

test("a conversation that is closed asks no more for votes that open later", async (context) => {
  const start = Date.now();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: start });
  context.after(() => mock.timers.reset());
  const { server, conversation, shown } = await open({ opensAt: start + 5_000 }, { phase: "waiting", revision: 0 });
  conversation.close();
  mock.timers.tick(5_000);
  assert.equal(server.count("vote.get"), 1);
  server.state = { ...server.state, phase: "open", revision: 1 };
  await conversation.open();
  assert.equal(shown().phase, "open");
});
