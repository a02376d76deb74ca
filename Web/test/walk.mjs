// Random stories of several clients over a network that breaks at any byte: at each quiet point, each of them shows
// what a client shows that starts then. ROOST_SEED is the first story, ROOST_WALKS how many there are: 100, and 10,000
// with ROOST_LONG. dev/web --unit runs them, or a Node that has WebSocket:
// ROOST=.build/debug/roost ROOST_SEED=7 ROOST_WALKS=1 node --test Web/test/walk.mjs

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect } from "../src/roost.js";
import { Proxy, ServerProcess } from "./server.mjs";
import { shown } from "./shown.mjs";

const first = Number(process.env.ROOST_SEED ?? 1);
const stories = Number(process.env.ROOST_WALKS ?? (process.env.ROOST_LONG ? 10_000 : 100));
/** How many stories are told at once, and in one test. */
const together = 25;
const steps = 40;
const quietPoints = 3;
/** How long a client may take to show the same as one that starts, in ms. */
const patience = 120_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The pinned messages that a client shows. */
async function pinned(client, id) {
  const pins = await client.conversation(id).loadPins();
  return pins.all.map(({ messageID, userID, message }) => [messageID, userID, message.text]);
}

let server;
before(async () => (server = await ServerProcess.start("--sockets-per-address", "100000")));
after(() => server.stop());

class Story {
  constructor(seed) {
    this.seed = seed;
    this.state = seed * 2_654_435_761 % 2 ** 31;
    this.clients = [];
    this.pending = new Map();
    this.log = [];
  }

  random(below) {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(this.state / 2 ** 31 * below);
  }

  pick(values) {
    return values[this.random(values.length)];
  }

  /** A user without a name: a guest who names one gets it again with each connection. */
  user(name) {
    return { userID: `${name}-${this.seed}` };
  }

  async run() {
    this.proxy = await Proxy.start(server.port);
    // Ann has two devices.
    for (const name of ["ann", "ann", "bob", "cid"]) {
      const client = connect({ server: this.proxy.url, guest: this.user(name) });
      this.clients.push(client);
      await client.ready;
    }
    const [ann, , bob, cid] = this.clients;
    await ann.startConversation(bob.user.userID);
    await ann.createGroup({ title: "Team", members: [bob.user.userID, cid.user.userID] });
    for (let point = 0; point < quietPoints; point += 1) {
      for (let step = 0; step < steps; step += 1) await this.step();
      await this.compareAll();
    }
  }

  async end() {
    await Promise.all(this.clients.map((client) => client.close()));
    this.proxy.stop();
  }

  /** Begins something, and goes on before it is done, as it may wait for the network. */
  begin(name, work) {
    this.log.push(name);
    const done = Promise.resolve().then(work).catch(() => {}).finally(() => this.pending.delete(done));
    this.pending.set(done, name);
  }

  async step() {
    const client = this.pick(this.clients);
    const channel = this.pick(client.list.channels);
    const who = this.clients.indexOf(client);
    const other = this.user(this.pick(["ann", "bob", "cid", "dan"])).userID;
    const number = this.random(1_000);
    if (this.random(8) === 0) await this.breakNetwork();
    if (!channel || this.random(12) === 0) return this.wander(client, other, number);
    const conversation = client.conversation(channel.channel);
    const messages = conversation.items.filter(({ kind, state }) => kind === "message" && state === "sent");
    const { message } = this.pick(messages) ?? {};
    const own = messages.filter(({ isOwn }) => isOwn);
    const acts = {
      send: () => conversation.send({ text: `${number}` }),
      burst: () => [1, 2, 3].forEach((each) => conversation.send({ text: `${number} ${each}` })),
      mention: () => conversation.send({ text: `@${number}`, mentions: [{ userID: other }] }),
      answer: () => message && conversation.send({ text: `re ${number}`, replyTo: message }),
      recall: () => own.length && conversation.recall([this.pick(own).message.messageID]),
      react: () => message && conversation.react(message.messageID, this.pick(["👍", "❤️", "😀"])),
      pins: () => conversation.state.opens && conversation.loadPins(),
      pin: async () => message && (await conversation.loadPins()).pin(message.messageID),
      unpin: async () => {
        const pins = await conversation.loadPins();
        return pins.all.length && pins.unpin(this.pick(pins.all).messageID);
      },
      delete: () => message && conversation.deleteForMe([message.messageID]),
      open: () => conversation.open(),
      close: () => conversation.state.opens && conversation.close(),
      read: () => conversation.markRead(this.random(channel.seq + 1)),
      readAll: () => conversation.markRead(),
      unread: () => conversation.markUnread(),
      mute: () => conversation.mute(number % 2 === 0),
      hide: () => conversation.hide(),
      end: () => conversation.end(),
      rename: () => conversation.rename(`Team ${number}`),
      invite: () => conversation.invite([other]),
      kick: () => conversation.kick([other]),
      ban: () => number < 200 && conversation.ban([other]),
      role: () => conversation.setRole(other, this.pick(["participant", "moderator", "admin"])),
      leave: () => number < 300 && conversation.leave(other),
      nickname: () => client.perform("channel.setPreference", { channel: channel.channel, nickname: `N${number}` }),
      typing: () => conversation.userIsTyping(),
      older: () => conversation.loadBefore(),
    };
    const often = ["send", "send", "burst", "mention", "answer", "react", "open", "read", "readAll"];
    const act = this.pick([...often, ...Object.keys(acts)]);
    this.begin(`${who} ${act} ${channel.channel}`, acts[act]);
    if (this.random(3) === 0) await new Promise((resolve) => setImmediate(resolve));
    if (this.random(10) === 0) {
      client.wake();
      // An answer says that what was sent before it has arrived; without a connection the story goes on soon.
      await Promise.race([client.read("unread.get").catch(() => {}), pause(100)]);
    }
  }

  /**
   * What a client does outside of a conversation. Nobody blocks, because a user who is blocked keeps an old mark of the
   * other.
   */
  wander(client, other, number) {
    const { channel } = this.pick(client.invitations) ?? {};
    const acts = {
      start: () => client.startConversation(other),
      group: () => client.createGroup({ title: `G${number}`, members: [other] }),
      name: () => client.setProfile({ name: `Name ${number}` }),
      answer: () => channel && client.answerInvitation(channel, number % 3 > 0),
    };
    const act = this.pick(Object.keys(acts));
    this.begin(`${this.clients.indexOf(client)} ${act} ${other}`, acts[act]);
  }

  async breakNetwork() {
    const { proxy } = this;
    const fault = this.pick(["cut", "cutsAfter", "losesAnswers"]);
    this.log.push(fault);
    if (fault === "cut") return proxy.cut();
    if (fault === "cutsAfter") return void (proxy.cutsAfter = this.random(4_000) + 1);
    proxy.losesAnswers = true;
    await new Promise((resolve) => setImmediate(resolve));
    proxy.losesAnswers = false;
    // The client has got a part of the answers only, which no network does.
    proxy.cut();
  }

  async compareAll() {
    this.log.push("quiet");
    this.proxy.cutsAfter = null;
    let isQuiet = false;
    const done = Promise.all(this.pending.keys()).then(() => (isQuiet = true));
    const end = Date.now() + patience;
    while (!isQuiet) {
      assert.ok(Date.now() < end, `ROOST_SEED=${this.seed} ROOST_WALKS=1: never done: ${[...this.pending.values()]}`);
      // As a page does that is looked at: no waiting for the next attempt.
      for (const client of this.clients) client.wake();
      await Promise.race([done, pause(500)]);
    }
    for (const client of this.clients) {
      const end = Date.now() + patience;
      let difference;
      do {
        if (difference) await pause(50);
        client.wake();
        difference = await this.difference(client);
      } while (difference && Date.now() < end);
      if (difference) {
        throw new Error(`ROOST_SEED=${this.seed} ROOST_WALKS=1: client ${this.clients.indexOf(client)} of ` +
          `${this.log.join(", ")}: ${difference.message}`);
      }
    }
  }

  /** How a client differs from one that starts now; null if it does not. */
  async difference(client) {
    const fresh = connect({ server: server.url, guest: { userID: client.user.userID } });
    try {
      await fresh.ready;
      const ids = client.list.channels.map(({ channel }) => channel)
        .filter((id) => client.conversation(id).state.opens);
      for (const [each, opens] of [[client, false], [fresh, true]]) {
        for (const conversation of ids.map((id) => each.conversation(id))) {
          if (opens) await conversation.open();
          while (conversation.hasBefore && !conversation.isGone) await conversation.loadBefore();
        }
      }
      assert.deepEqual(shown(client, ids), shown(fresh, ids));
      for (const id of ids) assert.deepEqual(await pinned(client, id), await pinned(fresh, id), `pins of ${id}`);
      return null;
    } catch (error) {
      return error;
    } finally {
      await fresh.close();
    }
  }
}

for (let seed = first; seed < first + stories; seed += together) {
  const seeds = Array.from({ length: Math.min(together, first + stories - seed) }, (_, index) => seed + index);
  test(`random stories ${seeds[0]} to ${seeds.at(-1)}: every client shows what one shows that starts`, async () => {
    await Promise.all(seeds.map(async (each) => {
      const story = new Story(each);
      try {
        await story.run();
      } finally {
        await story.end();
      }
    }));
  });
}
