// The rules of `SyncMachine`: what goes in, and what comes out, without a socket, a timer or a clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RoostError } from "../src/client/errors.js";
import { SyncMachine } from "../src/client/sync-machine.js";

/** A machine with a clock that a test moves. */
class Rig {
  constructor({ canRenew = true } = {}) {
    this.machine = new SyncMachine(canRenew);
    this.now = 1_000_000;
    this.random = 0.5;
  }

  /** Gives inputs; returns the actions without those of timers. */
  tell(...inputs) {
    const actions = inputs.flatMap((input) => this.machine.handle(input, this.now, this.random));
    const timer = actions.findLast(({ type }) => type === "timer");
    if (timer) this.ringsAt = timer.ms === null ? null : this.now + timer.ms;
    return (this.actions = actions.filter(({ type }) => type !== "timer"));
  }

  /** Moves the clock to where the timer rings. */
  ring() {
    assert.notEqual(this.ringsAt, null, "no timer runs");
    this.now = Math.max(this.now, this.ringsAt);
    return this.tell({ type: "tick" });
  }

  /** Connects, and answers all of what was missed with one page. */
  live(page = {}) {
    this.tell({ type: "start" });
    return this.arrive(page);
  }

  arrive(page) {
    this.tell({ type: "welcome", welcome: { epoch: "e" } });
    return this.resumed(page);
  }

  /** Answers the `resume` that was sent last. */
  resumed(page = {}) {
    return this.tell({ type: "answer", id: this.sent("resume").id, result: { ...empty, ...page } });
  }

  /** The last command of this name. */
  sent(command) {
    return this.actions.findLast((action) => action.type === "send" && action.command === command);
  }

  end(more = {}) {
    return this.tell({ type: "end", code: 1006, isFinal: false, error: lost, ...more });
  }

  hear(...events) {
    return this.tell(...events.map((event) => ({ type: "event", event })));
  }
}

const lost = new RoostError({ code: 0, name: "connectionLost", message: "", retryable: true });
const empty = { epoch: "e", userSeq: 0, channels: [], marks: [], resets: [], events: [], hasMore: false };
const row = (seq, channel = "c") => ({ event: "message.sent", channel, seq, body: { text: `${seq}` } });
const own = (userSeq, event = "user.settingsChanged", body = {}) => ({ event, userSeq, body });
const refusal = (name, code, more = {}) => new RoostError({ code, name, message: "", retryable: true, ...more });
const types = (actions) => actions.map(({ type, state }) => state ?? type);
const rows = (actions) => actions.filter(({ type }) => type === "row").map(({ event }) => event.seq ?? event.userSeq);
const outcome = (actions) => actions.filter(({ type }) => type === "settle")
  .map(({ id, result, error }) => [id, error?.name ?? result]);

/** A channel whose log stands at a row. */
const at = (seq, channel = "c") => ({ channels: [{ channel, seq }] });

test("a start connects, a welcome asks for what was missed, and its last page makes the client live", () => {
  const rig = new Rig();
  assert.deepEqual(types(rig.tell({ type: "start" })), ["connecting", "connect"]);
  assert.deepEqual(types(rig.tell({ type: "start" })), []);
  assert.deepEqual(types(rig.tell({ type: "welcome", welcome: { epoch: "e" } })), ["welcome", "send"]);
  assert.deepEqual(rig.sent("resume").body, { channels: [] });
  const actions = rig.resumed({ userSeq: 3, ...at(7) });
  assert.deepEqual(types(actions), ["position", "position", "marks", "live"]);
  assert.deepEqual(actions.slice(0, 2).map(({ channel, seq }) => [channel, seq]), [[undefined, 3], ["c", 7]]);
});

test("what was missed comes page by page, and each row once, also if it comes live meanwhile", () => {
  const rig = new Rig();
  rig.live({ userSeq: 1, ...at(2) });
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  assert.deepEqual(rig.sent("resume").body,
    { channels: [{ channel: "c", seq: 2 }], epoch: "e", userSeq: 1, onlyNamed: false });
  const { id } = rig.sent("resume");
  assert.deepEqual(rows(rig.hear(row(6))), []);
  const page = { ...empty, userSeq: 1, ...at(5), events: [row(3), row(4)], hasMore: true };
  const actions = rig.tell({ type: "answer", id, result: page });
  assert.deepEqual(rows(actions), [3, 4]);
  assert.deepEqual(types(actions), ["row", "row", "send"]);
  assert.deepEqual(rig.sent("resume").body.channels, [{ channel: "c", seq: 4 }]);
  const last = rig.resumed({ userSeq: 1, ...at(5), events: [row(4), row(5)] });
  assert.deepEqual(rows(last), [5, 6]);
  assert.equal(last.at(-1).state, "live");
});

test("a row that a resume skips does not exist for this user", () => {
  const rig = new Rig();
  rig.live(at(2));
  rig.hear(row(4));
  assert.deepEqual(rows(rig.resumed({ ...at(6), events: [row(5), row(6)] })), [5, 6]);
  assert.equal(rig.machine.book.seq("c"), 6);
});

test("thousands of positions go out in pages of 400, each named once", () => {
  const rig = new Rig();
  const channels = Array.from({ length: 900 }, (_, index) => ({ channel: `c${index}`, seq: index }));
  rig.live({ channels });
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  const named = [];
  for (const size of [400, 400, 100]) {
    const { body } = rig.sent("resume");
    assert.equal(body.channels.length, size);
    assert.equal(body.onlyNamed, named.length > 0);
    named.push(...body.channels);
    // A channel of a later page is not complete yet, although each page gives the heads of all.
    rig.resumed({ channels: channels.map(({ channel, seq }) => ({ channel, seq: seq + 1 })) });
    assert.equal(rig.machine.book.seq("c899"), size === 100 ? 900 : 899);
  }
  assert.deepEqual(named, channels);
  assert.equal(rig.actions.at(-1).state, "live");
});

test("a gap is asked for once, its rows come before what was held, and what came meanwhile is asked for later", () => {
  const rig = new Rig();
  rig.live({ ...at(1), channels: [{ channel: "c", seq: 1 }, { channel: "d", seq: 1 }] });
  rig.hear(row(3));
  assert.deepEqual(rig.sent("resume").body, { channels: [{ channel: "c", seq: 1 }], epoch: "e", userSeq: 0,
    onlyNamed: true });
  const { id } = rig.sent("resume");
  assert.deepEqual(rig.hear(row(4), row(3, "d")), []);
  const answer = { ...empty, ...at(3), events: [row(2), row(3)] };
  const actions = rig.tell({ type: "answer", id, result: answer });
  assert.deepEqual(rows(actions), [2, 3, 4]);
  assert.deepEqual(rig.sent("resume").body.channels, [{ channel: "d", seq: 1 }]);
  assert.deepEqual(types(actions).includes("live"), false);
});

test("a lost last row is found by the positions of a heartbeat", () => {
  const rig = new Rig();
  rig.live({ userSeq: 4, ...at(1) });
  const positions = (userSeq, seq) => ({ event: "positions", body: { userSeq, channels: [{ channel: "c", seq },
    { channel: "unknown", seq: 9 }] } });
  assert.deepEqual(rig.hear(positions(4, 1)), []);
  rig.hear(positions(4, 2));
  assert.deepEqual(rig.sent("resume").body.channels, [{ channel: "c", seq: 1 }]);
  rig.resumed({ userSeq: 4, ...at(2), events: [row(2)] });
  rig.hear(positions(5, 2));
  assert.deepEqual(rig.sent("resume").body, { channels: [], epoch: "e", userSeq: 4, onlyNamed: true });
});

test("a refused gap waits for the next row, and a refused catch-up for the next connection", () => {
  const rig = new Rig();
  rig.live(at(1));
  const refuse = () => rig.tell({ type: "refusal", id: rig.sent("resume").id,
    error: refusal("tooManyRequests", 1004, { retryAfterMs: 4_000 }) });
  rig.hear(row(3));
  assert.deepEqual(refuse(), []);
  rig.hear(row(4));
  assert.ok(rig.sent("resume"));
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  assert.deepEqual(refuse(), [{ type: "disconnect", waitMs: 4_000 }]);
  rig.end({ waitMs: 4_000 });
  assert.equal(rig.ringsAt - rig.now, 4_000);
});

test("a log holds 500 rows that came too early, and asks for the others", () => {
  const rig = new Rig();
  rig.live(at(0));
  for (let seq = 700; seq > 1; seq -= 1) rig.machine.handle({ type: "event", event: row(seq) }, rig.now, 0);
  assert.equal(rig.machine.book.channels.get("c").heldCount, 500);
  const held = rows(rig.hear(row(1)));
  assert.deepEqual([held.length, held.at(-1)], [501, 501]);
});

test("rows of a channel that the user does not have are forgotten after the server was asked", () => {
  const rig = new Rig();
  rig.live(at(1));
  rig.hear(row(5, "strange"));
  assert.deepEqual(rig.sent("resume").body.channels, []);
  rig.resumed(at(1));
  assert.deepEqual([...rig.machine.book.channels.keys()], ["c"]);
});

test("rows that came before a channel was joined are not lost", () => {
  const rig = new Rig();
  rig.live();
  rig.hear(row(8, "new"), row(9, "new"));
  const actions = rig.hear(own(1, "channel.joined", { channel: "new", fromSeq: 20 }));
  assert.deepEqual(rows(actions), [8, 9, 1]);
  assert.equal(rig.machine.book.seq("new"), 9);
});

test("an open channel that is joined begins where it is, and one that is known is read on", () => {
  const rig = new Rig();
  rig.live();
  const join = (seq) => rig.tell({ type: "joined", channel: "square", seq });
  assert.deepEqual(join(5), [{ type: "position", channel: "square", seq: 5 }]);
  assert.deepEqual(join(5), []);
  join(7);
  assert.deepEqual(rig.sent("resume").body.channels, [{ channel: "square", seq: 5 }]);
});

test("cleared rows are not missing, and a log that has ended is forgotten", () => {
  const rig = new Rig();
  rig.live(at(1));
  rig.hear(row(5));
  const gap = rig.sent("resume");
  assert.deepEqual(rows(rig.hear(own(1, "channel.cleared", { channels: [{ channel: "c", seq: 4 }] }))), [5, 1]);
  rig.tell({ type: "answer", id: gap.id, result: { ...empty, userSeq: 1, ...at(5) } });
  rig.machine.book.open.add("c");
  rig.hear(own(2, "channel.left", { channel: "c" }));
  assert.deepEqual(rig.actions.map(({ type, seq }) => [type, seq]), [["position", null], ["row", undefined]]);
  assert.deepEqual([rig.machine.book.seq("c"), rig.machine.book.open.size], [null, 0]);
});

test("a reset moves a log, ends it, or begins the user's own anew", () => {
  const rig = new Rig();
  rig.live({ userSeq: 5, channels: [{ channel: "c", seq: 2 }, { channel: "d", seq: 2 }] });
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  const { id } = rig.sent("resume");
  assert.deepEqual(rows(rig.hear(row(51), row(3, "d"))), [3]);
  const resets = [{ channel: "c", seq: 50, reason: "tooFar" }, { channel: "d", seq: 0, reason: "gone" },
    { seq: 90, reason: "tooFar" }];
  const actions = rig.tell({ type: "answer", id, result: { ...empty, userSeq: 90, ...at(51), resets } });
  assert.deepEqual(types(actions).slice(0, 6), ["reset", "position", "position", "reset", "reset", "position"]);
  assert.deepEqual([rig.machine.book.user.seq, rig.machine.book.seq("c"), rig.machine.book.seq("d")], [90, 51, null]);
});

test("another epoch begins all logs anew", () => {
  const rig = new Rig();
  rig.live({ userSeq: 5, ...at(20) });
  rig.end();
  rig.ring();
  const [welcome, resume] = rig.tell({ type: "welcome", welcome: { epoch: "other" } });
  assert.deepEqual([welcome.isNewEpoch, resume.body], [true, { channels: [] }]);
  rig.resumed({ epoch: "other", userSeq: 1, ...at(2) });
  assert.deepEqual([rig.machine.book.user.seq, rig.machine.book.seq("c")], [1, 2]);
});

test("a resume that goes on without news ends with another connection after three pages", () => {
  const rig = new Rig();
  rig.live(at(1));
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  for (const expected of ["send", "send", "disconnect"]) {
    assert.deepEqual(types(rig.resumed({ ...at(1), events: [row(1)], hasMore: true })), [expected]);
  }
  // One with news counts anew.
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  for (let seq = 2; seq < 7; seq += 1) {
    assert.deepEqual(types(rig.resumed({ ...at(9), events: [row(seq)], hasMore: true })), ["row", "send"]);
  }
});

test("an answer to resume that cannot be read ends the connection", () => {
  const rig = new Rig();
  rig.live();
  rig.end();
  rig.ring();
  rig.tell({ type: "welcome", welcome: { epoch: "e" } });
  assert.deepEqual(types(rig.resumed({ events: null })), ["fault", "disconnect"]);
});

test("a row that cannot be read costs none of the others", () => {
  const rig = new Rig();
  rig.live();
  const actions = rig.hear(own(1, "channel.cleared", { channels: 5 }), own(2));
  assert.deepEqual(types(actions), ["fault", "row"]);
  assert.deepEqual(rows(actions), [2]);
});

test("a refused token is replaced three times, and a login forgets that", () => {
  const rig = new Rig();
  rig.tell({ type: "start" });
  const refuse = () => rig.end({ code: 4401, isFinal: true });
  for (const refusals of [1, 2, 3]) {
    assert.deepEqual(types(refuse()), ["offline"]);
    assert.equal(rig.machine.refusals, refusals);
    assert.deepEqual(types(rig.ring()), ["connecting", "connect"]);
  }
  rig.arrive();
  assert.equal(rig.machine.refusals, 0);
  for (let count = 0; count < 3; count += 1) {
    refuse();
    rig.ring();
  }
  assert.deepEqual(types(refuse()), ["refused"]);
  assert.equal(rig.ringsAt, null);
  assert.deepEqual(types(rig.tell({ type: "start" }, { type: "wake" })), []);
});

test("a token that cannot be replaced is refused at once, as is a user who is banned", () => {
  const fixed = new Rig({ canRenew: false });
  fixed.tell({ type: "start" });
  assert.deepEqual(types(fixed.end({ code: 4401, isFinal: true })), ["refused"]);
  const banned = new Rig();
  banned.live();
  assert.deepEqual(types(banned.end({ code: 4403, isFinal: true })), ["refused"]);
});

test("a token is renewed before it ends, by the connection that asked for it", () => {
  const rig = new Rig();
  rig.live();
  const expiring = { event: "session.expiring", body: {} };
  assert.deepEqual(rig.hear(expiring), [{ type: "renew" }]);
  const [{ id, command, body }] = rig.tell({ type: "token", token: "new" });
  assert.deepEqual([command, body], ["session.renew", { token: "new" }]);
  assert.deepEqual(rig.tell({ type: "refusal", id, error: refusal("unauthenticated", 1001) }), []);
  rig.hear(expiring);
  rig.end();
  assert.deepEqual(rig.tell({ type: "token", token: "late" }), []);
  const fixed = new Rig({ canRenew: false });
  fixed.live();
  assert.deepEqual(fixed.hear(expiring), []);
});

test("attempts are further and further apart, until a connection was good; a sign of the network hurries one", () => {
  const rig = new Rig();
  rig.random = 1;
  rig.tell({ type: "start" });
  const waits = [];
  for (let count = 0; count < 4; count += 1) {
    rig.now += 600;
    rig.end();
    waits.push(rig.ringsAt - rig.now);
    rig.ring();
  }
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000]);
  rig.now += 100;
  rig.end();
  rig.tell({ type: "wake" });
  assert.equal(rig.ringsAt - rig.now, 400);
  rig.ring();
  rig.arrive();
  rig.now += 30_000;
  rig.end();
  assert.equal(rig.ringsAt - rig.now, 2_000);
});

test("a timer that rings too early is set again", () => {
  const rig = new Rig();
  rig.tell({ type: "start" });
  rig.end();
  const { ringsAt } = rig;
  rig.now = ringsAt - 0.5;
  assert.deepEqual(types(rig.tell({ type: "tick" })), []);
  assert.equal(rig.ringsAt, ringsAt);
  assert.deepEqual(types(rig.ring()), ["connecting", "connect"]);
});

test("a live client that may have another network is checked, and one that has none is disconnected", () => {
  const rig = new Rig();
  assert.deepEqual(rig.tell({ type: "wake" }, { type: "lose" }), []);
  rig.tell({ type: "start" });
  assert.deepEqual(types(rig.tell({ type: "wake" })), []);
  assert.deepEqual(types(rig.tell({ type: "lose" })), ["disconnect"]);
  rig.arrive();
  assert.deepEqual(types(rig.tell({ type: "wake" })), ["check"]);
});

test("a command waits for the client to be live, and goes out again with the same id after a lost connection", () => {
  const rig = new Rig();
  const command = { type: "command", id: "t1", command: "member.kick", body: { a: 1 } };
  assert.deepEqual(rig.tell(command), []);
  const sent = { type: "send", id: "t1", command: "member.kick", body: { a: 1 } };
  assert.deepEqual(rig.live().at(-1), sent);
  rig.end();
  rig.ring();
  assert.deepEqual(rig.arrive({}).at(-1), sent);
  assert.deepEqual(outcome(rig.tell({ type: "answer", id: "t1", result: "done" })), [["t1", "done"]]);
  assert.deepEqual(rig.tell({ type: "answer", id: "t1", result: "again" }), []);
});

test("a command that has lost nine connections fails", () => {
  const rig = new Rig();
  rig.live();
  rig.tell({ type: "command", id: "t1", command: "member.kick", body: {} });
  for (let count = 0; count < 8; count += 1) {
    assert.deepEqual(outcome(rig.end()), []);
    rig.ring();
    rig.arrive({});
  }
  assert.deepEqual(outcome(rig.end()), [["t1", "connectionLost"]]);
});

for (const [name, code] of [["draining", 7008], ["tooManyRequests", 1004]]) {
  test(`a command that is refused with ${code} goes out again when the server says, or after a second`, () => {
    const rig = new Rig();
    rig.live();
    rig.tell({ type: "command", id: "t1", command: "member.kick", body: {} });
    const refuse = (more) => rig.tell({ type: "refusal", id: "t1", error: refusal(name, code, more) });
    refuse({ retryAfterMs: 2_500 });
    assert.equal(rig.ringsAt - rig.now, 2_500);
    // Not before its time, whatever happens.
    assert.deepEqual(types(rig.hear({ event: "typing.started", channel: "c", body: {} })), ["signal"]);
    assert.equal(rig.ring()[0].id, "t1");
    refuse();
    assert.equal(rig.ringsAt - rig.now, 1_000);
    // If there is no connection then, with the next one.
    rig.end();
    rig.now += 5_000;
    rig.tell({ type: "tick" });
    assert.equal(rig.ringsAt, null);
    assert.equal(rig.arrive({}).at(-1).id, "t1");
  });
}

test("a definite refusal, and the ninth temporary one, is the answer", () => {
  const rig = new Rig();
  rig.live();
  rig.tell({ type: "command", id: "t1", command: "member.kick", body: {} });
  const no = new RoostError({ code: 1105, name: "channelNotFound", message: "" });
  assert.deepEqual(outcome(rig.tell({ type: "refusal", id: "t1", error: no })), [["t1", "channelNotFound"]]);
  rig.tell({ type: "command", id: "t2", command: "member.kick", body: {} });
  for (let count = 0; count < 8; count += 1) {
    assert.deepEqual(outcome(rig.tell({ type: "refusal", id: "t2", error: refusal("draining", 7008) })), []);
    rig.ring();
  }
  assert.deepEqual(outcome(rig.tell({ type: "refusal", id: "t2", error: refusal("draining", 7008) })),
    [["t2", "draining"]]);
});

test("a client that is closed or refused answers all commands, also later ones, and connects no more", () => {
  const rig = new Rig();
  rig.live();
  rig.tell({ type: "command", id: "t1", command: "member.kick", body: {} });
  const closing = rig.tell({ type: "close" });
  assert.deepEqual(types(closing), ["closed", "settle", "disconnect"]);
  assert.deepEqual(outcome(closing), [["t1", "closed"]]);
  assert.deepEqual(rig.end(), []);
  const late = rig.tell({ type: "command", id: "t2", command: "user.get", body: {} });
  assert.deepEqual(outcome(late), [["t2", "closed"]]);
  assert.deepEqual(rig.tell({ type: "start" }, { type: "tick" }), []);
  const refused = new Rig();
  refused.tell({ type: "command", id: "t1", command: "user.get", body: {} }, { type: "start" });
  const banned = refusal("noPrivilege", 7026, { retryable: false });
  assert.deepEqual(outcome(refused.end({ code: 4403, isFinal: true, error: banned })), [["t1", "noPrivilege"]]);
});
