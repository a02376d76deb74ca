// The transcripts of the protocol: a client that has taken the events of a family shows the same as one that starts
// after them. The server's core has written what it answers before and after.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, mock, test } from "node:test";
import { shows } from "../src/client/timeline.js";
import { connect } from "../src/roost.js";
import { shown } from "./shown.mjs";

const folder = new URL("../../Protocol/transcripts/", import.meta.url);

/** The servers by their host, as all clients of a test run at once. */
const servers = new Map();
const clients = [];
after(() => Promise.all(clients.map((client) => client.close())));

globalThis.WebSocket = class {
  constructor(url) {
    this.server = servers.get(new URL(url).host);
    this.server.socket = this;
    queueMicrotask(() => this.onopen?.());
  }

  send(text) {
    const { id, cmd, body } = JSON.parse(text);
    const answer = this.server.answer(cmd, body);
    queueMicrotask(() => this.tell(answer ? { id, result: structuredClone(answer) } : { id, error: notFound }));
  }

  tell(frame) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  close() {}
};

const notFound = { code: 1105, name: "channelNotFound", message: "There is no such channel." };

/** What the server answers to one user's client at one moment. */
class TranscriptServer {
  constructor({ user }, state) {
    this.user = user;
    this.state = state;
    this.host = `s${servers.size}.example`;
    this.answers = 0;
    servers.set(this.host, this);
  }

  answer(command, body) {
    const { state } = this;
    this.answers += 1;
    switch (command) {
      case "hello":
        return { epoch: state.resume.epoch, heartbeat: 25_000, imageOrigins: [], isOperator: false, limits: {},
          userSeq: state.resume.userSeq, serverTime: Date.now(), user: this.user };
      case "resume":
        assert.equal(body.userSeq, undefined, "nothing is missing, so nothing is asked again");
        return state.resume;
      case "channel.list": return state.list;
      case "unread.get": return state.unread;
      case "channel.get": return state.channels[body.channel];
      case "channel.query": return state.invited;
      case "user.listBlocked": return state.blocked;
      case "user.get": return { users: [] };
      case "user.find": return { users: body.userIDs.map((userID) => ({ userID, name: userID })) };
      case "schedule.list": return state.schedules;
      case "member.list": return state.members[body.channel];
      case "vote.get": {
        const votes = state.votes[body.channel]?.votes.filter(
          ({ event }) => body.messageIDs.includes(event.body.messageID));
        return votes?.length ? { votes } : undefined;
      }
      case "message.list": return this.page(state.logs[body.channel], body);
      default: return {};
    }
  }

  /** The rows of a log that show, in one page. */
  page(log, { before = Infinity, after: last = 0 }) {
    const fits = (event) => event.seq < before && event.seq > last && shows(event);
    return log && { ...log, events: log.events.filter(fits), from: Math.max(log.from, last + 1) };
  }

  async connect() {
    const client = connect({ server: `http://${this.host}`, guest: this.user });
    clients.push(client);
    await client.ready;
    await quiet(this);
    return client;
  }
}

mock.timers.enable({ apis: ["setTimeout", "setInterval"] });

/** Waits until a client has asked nothing for 200 ms of its time. */
async function quiet(server) {
  for (let turns = 0, answers = -1; turns < 20; turns += 1) {
    if (answers !== server.answers) turns = 0;
    answers = server.answers;
    mock.timers.tick(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The conversations that a client shows, open. */
async function openAll(client, server) {
  const ids = client.list.channels.map(({ channel }) => channel);
  await Promise.all(ids.map((id) => client.conversation(id).open()));
  await quiet(server);
  return ids;
}

/** Without who has read what in 1-on-1s: a user who is blocked is not told, also not that it has ended. */
const withoutReads = ({ conversations, ...all }) => ({ ...all, conversations: conversations.map((each) => (
  each.id.includes(":") ? { ...each, items: each.items.map(({ unreadBy, ...item }) => item) } : each)) });

for (const name of readdirSync(folder).sort()) {
  const transcript = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  const blocked = transcript.clients.flatMap(({ events }) => events)
    .filter(({ event }) => event === "user.blocked").map(({ body }) => body.user.userID);
  test(`a client that took the events shows the same as one that starts after them: ${transcript.name}`, async () => {
    await Promise.all(transcript.clients.map(async (each) => {
      const stays = new TranscriptServer(each, each.before);
      const client = await stays.connect();
      const ids = await openAll(client, stays);
      stays.state = each.after;
      for (const event of each.events) stays.socket.tell(event);
      await quiet(stays);
      // Its own name stands in the answer to `hello`, which no transcript has.
      const starts = new TranscriptServer({ user: client.user }, each.after);
      const other = await starts.connect();
      await openAll(other, starts);
      const [kept, fresh] = [shown(client, ids), shown(other, ids)].map(
        (all) => (blocked.includes(each.user.userID) ? withoutReads(all) : all));
      assert.deepEqual(kept, fresh, each.user.userID);
    }));
  });
}
