// The headless client against a real server, over a network that fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect } from "../src/roost.js";
import { Proxy, ServerProcess, until } from "./server.mjs";

/** @type {ServerProcess} */
let server;
const clients = new Set();
const proxies = new Set();
before(async () => {
  server = await ServerProcess.start();
});
after(async () => {
  for (const proxy of proxies) proxy.stop();
  for (const client of clients) await client.close();
  await server.stop();
});

let people = 0;

/** A new user who is connected. */
async function arrive(name, url = server.url) {
  const userID = `${name.toLowerCase()}${++people}`;
  const client = connect({ server: url, guest: { userID, name } });
  clients.add(client);
  await client.ready;
  assert.equal(client.state, "live");
  return client;
}

const messages = (conversation) => conversation.items.filter((item) => item.kind === "message");
const texts = (conversation) => messages(conversation).map((item) => item.message.text);
const areSent = (conversation) => messages(conversation).every((item) => item.state === "sent");
const numbers = (count) => Array.from({ length: count }, (_, index) => `${index}`);

/** A network between a client and the server. */
async function network() {
  const proxy = await Proxy.start(server.port);
  proxies.add(proxy);
  return proxy;
}

/** Two users and their 1-on-1, open at both. */
async function pair(annURL = server.url, bobURL = server.url) {
  const [ann, bob] = await Promise.all([arrive("Ann", annURL), arrive("Bob", bobURL)]);
  const id = await ann.startConversation(bob.user.userID);
  const [a, b] = [ann.conversation(id), bob.conversation(id)];
  await Promise.all([a.open(), b.open()]);
  return { ann, bob, a, b, id };
}

test("a message appears at once, is sent, and keeps its key and its place", async () => {
  const { a, b } = await pair();
  const transID = a.send({ text: "Hello" });
  const [item] = messages(a);
  assert.deepEqual([item.state, item.key, item.message.text], ["sending", transID, "Hello"]);
  await until(a, "change", () => areSent(a));
  assert.equal(messages(a)[0].key, transID);
  await until(b, "change", () => messages(b).length === 1);
  assert.deepEqual([messages(b)[0].isOwn, messages(b)[0].message.senderName], [false, "Ann"]);
});

test("sends survive cut connections and lost answers: each once, in order", async () => {
  const proxy = await network();
  const { a, b } = await pair(proxy.url, proxy.url);
  const expected = numbers(300);
  for (const [index, text] of expected.entries()) {
    a.send({ text });
    if (index % 60 === 30) proxy.losesAnswers = true;
    if (index % 60 === 59) {
      const had = texts(b).length;
      proxy.cut();
      proxy.losesAnswers = false;
      await until(b, "change", () => texts(b).length > had);
    }
  }
  await until(a, "change", () => areSent(a));
  await until(b, "change", () => texts(b).length >= expected.length);
  assert.deepEqual(texts(a), expected);
  assert.deepEqual(texts(b), expected);
});

test("a server that is killed while messages are sent loses none and doubles none", async () => {
  const own = await ServerProcess.start();
  const { ann, bob, a, b } = await pair(own.url, own.url);
  const expected = numbers(200);
  for (const text of expected) a.send({ text });
  await until(b, "change", () => texts(b).length > 0);
  await own.kill();
  assert.equal(texts(a).length, expected.length);
  await own.run();
  await until(a, "change", () => areSent(a));
  await until(b, "change", () => texts(b).length >= expected.length);
  assert.deepEqual(texts(b), expected);
  assert.deepEqual(texts(a), expected);
  await Promise.all([ann.close(), bob.close()]);
  await own.stop();
});

test("a refused message stays as failed, does not hold up the next, and can be discarded", async () => {
  const { ann, bob, a } = await pair();
  await bob.perform("user.block", { userID: ann.user.userID });
  const transID = a.send({ text: "Are you there?" });
  await until(a, "change", () => messages(a)[0]?.state === "failed");
  assert.deepEqual([messages(a)[0].error.code, messages(a)[0].key], [7003, transID]);
  await bob.perform("user.unblock", { userID: ann.user.userID });
  a.send({ text: "Again" });
  await until(a, "change", () => messages(a).some((item) => item.state === "sent"));
  a.retry(transID);
  await until(a, "change", () => areSent(a));
  assert.deepEqual(texts(a), ["Again", "Are you there?"]);
  await bob.perform("user.block", { userID: ann.user.userID });
  const other = a.send({ text: "And now?" });
  await until(a, "change", () => messages(a).at(-1).state === "failed");
  a.discard(other);
  assert.equal(messages(a).length, 2);
});

test("a picture comes from the server, or from an origin that it names", async () => {
  const ann = await arrive("Ann");
  const far = "https://images.example.com/ann.png";
  assert.equal(await ann.imageURL(far), null);
  assert.equal(await ann.imageURL(`${server.url}/ann.png`), `${server.url}/ann.png`);
  ann.core.state.imageOrigins = ["https://Images.example.com:443"];
  assert.equal(await ann.imageURL(far), far);
  for (const address of [
    "", "data:image/png;base64,AAAA", "javascript:alert(1)", "http://images.example.com/ann.png", "/ann.png",
    "https://images.example.com.evil.example/", "https://images.example.com@evil.example/",
    "blob:https://images.example.com/1",
  ]) assert.equal(await ann.imageURL(address), null, address);
});

test("half of a surrogate pair never leaves the client", async () => {
  const { a, b } = await pair();
  a.send({ text: "cut \ud83d here \udc40, whole 👀" });
  await until(b, "change", () => messages(b).length === 1);
  assert.equal(texts(b)[0], "cut \ufffd here \ufffd, whole 👀");
});

test("unread counts, mentions and read marks follow the server", async () => {
  const { ann, bob, a, b } = await pair();
  for (const text of numbers(5)) a.send({ text });
  a.send({ text: "@Bob look", mentions: [{ userID: bob.user.userID, start: 0, length: 4 }] });
  await until(bob, "unread", () => bob.totalUnread === 6);
  assert.deepEqual([b.channel.unread, b.channel.mentions], [6, 1]);
  assert.equal(messages(a).at(-1).unreadBy ?? 1, 1);
  b.markRead();
  await until(bob, "unread", () => bob.totalUnread === 0);
  await until(a, "change", () => messages(a).every((item) => item.unreadBy === 0));
  assert.equal(b.channel.mentions, 0);
  assert.equal(ann.totalUnread, 0);
});

test("typing comes and goes, and never from oneself", async () => {
  const { bob, a, b } = await pair();
  b.userIsTyping();
  await until(a, "change", () => a.typing.length === 1);
  assert.deepEqual(a.typing, [{ userID: bob.user.userID, name: "Bob" }]);
  b.send({ text: "There" });
  await until(a, "change", () => a.typing.length === 0);
  assert.equal(b.typing.length, 0);
});

test("a program, which has no store, follows what was ended, left and deleted", async () => {
  const { ann, bob, a, b } = await pair();
  for (const text of numbers(3)) a.send({ text });
  await until(b, "change", () => texts(b).length === 3);
  await b.deleteForMe([messages(b)[1].message.messageID]);
  await until(b, "change", () => texts(b).length === 2);
  await b.end();
  await until(b, "change", () => texts(b).length === 0);
  a.send({ text: "3" });
  await until(b, "change", () => texts(b).length === 1);
  const channel = await ann.createGroup({ title: "Team", members: [bob.user.userID] });
  const group = ann.conversation(channel);
  await group.open();
  await group.leave(bob.user.userID);
  await until(group, "change", () => group.isGone);
  assert.equal(ann.channels.has(channel), false);
});

test("old pages join without a gap or a double, and a jump shows another part", async () => {
  const { bob, a, id } = await pair();
  const expected = numbers(180);
  for (const text of expected) a.send({ text });
  await until(a, "change", () => areSent(a));
  const late = connect({ server: server.url, guest: { userID: bob.user.userID } });
  clients.add(late);
  await late.ready;
  const conversation = late.conversation(id);
  await conversation.open();
  assert.equal(texts(conversation).length, 50);
  while (conversation.hasBefore) await conversation.loadBefore();
  assert.deepEqual(texts(conversation), expected);
  const early = messages(conversation)[3].message.messageID;
  const other = late.conversation(id);
  other.close();
  other.state.pages.forget();
  await other.open();
  await other.loadAround(early);
  assert.ok(other.hasAfter && texts(other).includes("3") && !texts(other).includes("179"));
  while (other.hasAfter) await other.loadAfter();
  assert.equal(texts(other).at(-1), "179");
  assert.deepEqual(texts(other), expected.slice(expected.indexOf(texts(other)[0])));
});

test("files: uploaded over a failing network, shown with their link; a refused one posts nothing", async () => {
  const proxy = await network();
  const { bob, a, b } = await pair(proxy.url);
  const bytes = new Uint8Array(900_000).map((_, index) => index % 251);
  let hasBeenCut = false;
  a.addEventListener("change", () => {
    if (hasBeenCut || !(messages(a)[0]?.progress > 0.3)) return;
    hasBeenCut = true;
    proxy.cut();
  });
  a.sendFile(new Blob([bytes], { type: "application/octet-stream" }), { name: "data.bin" });
  assert.equal(messages(a)[0].state, "uploading");
  await until(b, "change", () => messages(b).length === 1);
  assert.ok(hasBeenCut);
  const { file } = messages(b)[0].message;
  assert.deepEqual([file.name, file.size], ["data.bin", bytes.length]);
  const loaded = await (await fetch(await bob.fileURL(file.fileID))).arrayBuffer();
  assert.deepEqual(new Uint8Array(loaded), bytes);
  a.sendFile(new Blob(["no picture"], { type: "image/png" }), { name: "fake.png" });
  await until(a, "change", () => messages(a).at(-1).state === "failed");
  assert.equal(messages(a).at(-1).error.code, 7023);
  assert.equal(messages(b).length, 1);
});

test("an open channel: joined when it is opened, joined again after a lost connection", async () => {
  const proxy = await network();
  const [ann, bob] = await Promise.all([arrive("Ann", proxy.url), arrive("Bob")]);
  const [a, b] = [ann.conversation("plaza"), bob.conversation("plaza")];
  await Promise.all([a.open(), b.open()]);
  b.send({ text: "one" });
  await until(a, "change", () => texts(a).length === 1);
  proxy.isDown = true;
  proxy.cut();
  b.send({ text: "two" });
  await until(b, "change", () => areSent(b));
  proxy.isDown = false;
  await until(a, "change", () => texts(a).length === 2);
  b.send({ text: "three" });
  await until(a, "change", () => texts(a).length === 3);
  assert.deepEqual(texts(a), ["one", "two", "three"]);
});

test("an open channel that bans the user is gone, also for a new client, until the ban is lifted", async () => {
  const [ann, bob] = await Promise.all([arrive("Ann"), arrive("Bob")]);
  const [a, b] = [ann.conversation("square"), bob.conversation("square")];
  await Promise.all([a.open(), b.open()]);
  a.send({ text: "one" });
  await until(b, "change", () => texts(b).length === 1);
  const members = [bob.user.userID];
  await server.operate("member.ban", { channel: "square", members, bannedUntil: Date.now() + 3_600_000 });
  await until(b, "change", () => b.isGone);
  assert.deepEqual([b.isBanned, b.canWrite, bob.channels.has("square"), bob.core.sync.book.open.has("square")],
    [true, false, false, false]);
  assert.deepEqual([a.isGone, a.canWrite], [false, true]);
  const again = connect({ server: server.url, guest: { userID: members[0] } });
  clients.add(again);
  const c = again.conversation("square");
  await c.open();
  await until(c, "change", () => c.isGone);
  assert.deepEqual([c.isBanned, c.error.code], [true, 1107]);
  a.send({ text: "two" });
  await until(a, "change", () => areSent(a));
  await server.operate("member.unban", { channel: "square", members });
  // Whoever comes back has what was written meanwhile, and may write.
  b.close();
  await b.open();
  assert.deepEqual([b.isGone, b.isBanned, b.canWrite, texts(b)], [false, false, true, ["one", "two"]]);
  b.send({ text: "three" });
  await until(a, "change", () => texts(a).length === 3);
});

test("a member who is banned from a group knows it", async () => {
  const [ann, bob] = await Promise.all([arrive("Ann"), arrive("Bob")]);
  const id = await ann.createGroup({ title: "Garden", members: [bob.user.userID] });
  const b = bob.conversation(id);
  await b.open();
  assert.equal(b.canWrite, true);
  await ann.conversation(id).ban([bob.user.userID]);
  await until(b, "change", () => b.isGone);
  assert.deepEqual([b.isBanned, b.canWrite], [true, false]);
});

test("an invitation that is not answered is no ban", async () => {
  const [ann, bob] = await Promise.all([arrive("Ann"), arrive("Bob")]);
  const id = await ann.createGroup({ title: "Shed", members: [{ userID: bob.user.userID, role: "invited" }] });
  await until(bob, "invitations", () => bob.invitations.length === 1);
  const b = bob.conversation(id);
  await b.open();
  assert.deepEqual([b.error?.code, b.isBanned], [1107, false]);
});

test("what a client knows after a story over lost connections equals what a new one reads", async () => {
  const proxy = await network();
  const { ann, bob, a, b } = await pair(server.url, proxy.url);
  const cat = await arrive("Cat");
  const group = await ann.createGroup({ title: "Team", members: [bob.user.userID] });
  const [ga, gb] = [ann.conversation(group), bob.conversation(group)];
  await Promise.all([ga.open(), gb.open()]);
  let seed = Number(process.env.SEED ?? 7);
  const random = (below) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  const sent = (conversation) => messages(conversation).filter((item) => item.state === "sent" && !item.message.recall);
  const steps = [
    async () => void a.send({ text: `a${random(1000)}` }),
    async () => void b.send({ text: `b${random(1000)}` }),
    async () => void ga.send({ text: `g${random(1000)}`, mentions: random(2) ? [{ userID: bob.user.userID }] : [] }),
    async () => {
      const own = sent(ga).filter((item) => item.isOwn);
      if (own.length) await ga.recall([own[random(own.length)].message.messageID]);
    },
    async () => {
      const all = sent(ga);
      if (all.length) await ga.react(all[random(all.length)].message.messageID, ["👍", "❤️", "😀"][random(3)]);
    },
    async () => {
      const all = sent(gb);
      if (all.length) await gb.deleteForMe([all[random(all.length)].message.messageID]).catch(() => {});
    },
    async () => {
      const all = sent(ga);
      if (all.length) ga.send({ text: "answer", replyTo: all[random(all.length)].message });
    },
    async () => void gb.markRead(random(gb.channel.seq + 1)),
    async () => ga.rename(`Team ${random(100)}`),
    async () => (random(2) ? ga.invite([cat.user.userID]) : ga.kick([cat.user.userID])).catch(() => {}),
    async () => gb.mute(random(2) === 0),
    async () => void proxy.cut(),
  ];
  for (let step = 0; step < 150; step++) await steps[random(steps.length)]();
  a.send({ text: "end" });
  ga.send({ text: "end" });
  for (const conversation of [a, ga]) await until(conversation, "change", () => areSent(conversation));
  for (const conversation of [b, gb]) {
    await until(conversation, "change", () => areSent(conversation) && texts(conversation).at(-1) === "end");
  }
  const fresh = connect({ server: server.url, guest: { userID: bob.user.userID } });
  clients.add(fresh);
  await fresh.ready;
  for (const conversation of [b, gb]) {
    const other = fresh.conversation(conversation.id);
    await other.open();
    while (other.hasBefore) await other.loadBefore();
    while (conversation.hasBefore) await conversation.loadBefore();
    const told = ({ seq, count, unread, mentions = 0, readSeq, name, memberCount, role, lastMessage, preference }) => ({
      seq, count, unread, mentions, readSeq, name, memberCount, role, last: lastMessage?.seq,
      isMuted: preference?.isMuted ?? false,
    });
    await until(conversation, "change", () => {
      try {
        assert.deepEqual(told(conversation.channel), told(other.channel));
        return true;
      } catch {
        return false;
      }
    });
    const shown = (each) => each.items.filter((item) => item.kind !== "unread").map((item) => {
      if (item.kind !== "message") return [item.kind, item.key];
      const { seq, text, recall, reactions, replyTo } = item.message;
      const kinds = reactions?.kinds.map((kind) => [kind.emoji, kind.count, kind.isMine]).sort() ?? [];
      return [seq, text, recall?.isSilent, kinds, replyTo?.text, item.isGrouped];
    });
    assert.deepEqual(shown(conversation), shown(other));
  }
  assert.equal(bob.totalUnread, fresh.totalUnread);
});

test("more channels than one resume takes: nothing is missed after a lost connection", async () => {
  const proxy = await network();
  const [ann, bob] = await Promise.all([arrive("Ann"), arrive("Bob", proxy.url)]);
  const members = [bob.user.userID];
  const create = (number) => ann.createGroup({ title: `Group ${number}`, members });
  const channels = await Promise.all(numbers(430).map(create));
  await until(bob.list, "change", () => bob.list.channels.length === channels.length);
  proxy.isDown = true;
  proxy.cut();
  for (const channel of channels) ann.conversation(channel).send({ text: `in ${channel}` });
  await Promise.all(channels.map((channel) => until(ann.conversation(channel), "change", () => {
    return ann.channels.get(channel).lastMessage;
  })));
  const seen = new Map();
  const late = [...bob.channels.keys()].map((channel) => bob.conversation(channel));
  for (const conversation of late) {
    const { state } = conversation;
    const { row } = state;
    state.row = (event) => {
      if (event.event === "message.sent") seen.set(event.channel, (seen.get(event.channel) ?? 0) + 1);
      row.call(state, event);
    };
  }
  proxy.isDown = false;
  await until(bob, ["state", "unread"], () => bob.state === "live" && bob.totalUnread === channels.length);
  assert.deepEqual([...seen.values()], channels.map(() => 1));
});
