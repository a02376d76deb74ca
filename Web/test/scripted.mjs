// A server in the place of Node's WebSocket that does what a test says: one group with its log, for one user.

import { after } from "node:test";
import { connect } from "../src/roost.js";

/** The events that show. */
const shown = /^(message\.(sent|announced)|member\..*|channel\.profileChanged|news\.created|vote\.closed|pin\.added)$/;

export const group = "c";

const clients = new Set();
after(() => Promise.all([...clients].map((client) => client.close())));

/** A text that bob has sent. */
export const message = (seq, more = {}, body = {}) => ({
  event: "message.sent", channel: group, seq, senderID: "bob", sentAt: 1_700_000_000_000 + seq,
  body: { messageID: `m${seq}`, type: "text", text: `${seq}`, senderName: "Bob", count: seq, ...body }, ...more,
});

/** A reaction of dan to the message of a row. */
export const reaction = (seq, to, count = 1, emoji = "👍") => ({
  event: "reaction.added", channel: group, seq, senderID: "dan", sentAt: 1_700_000_000_000 + seq,
  body: { messageID: `m${to}`, seq: to, emoji, count },
});

/** The recall of the message of a row. */
export const recall = (seq, of, isSilent = false) => ({
  event: "message.recalled", channel: group, seq, senderID: "bob", sentAt: 1_700_000_000_000 + seq,
  body: { messages: [{ messageID: `m${of}`, seq: of, senderID: "bob", wasCounted: true }], isSilent, byName: "Bob" },
});

export class ScriptedServer {
  /** @param {any[]} rows the log from its first row, `seq` 1 */
  constructor(rows = []) {
    this.rows = rows;
    /** The most rows that one answer of `message.list` examines. */
    this.examines = 2_000;
    this.unread = 0;
    this.members = ["ann", "bob", "dan"].map((userID) => (
      { userID, name: userID, role: "participant", readSeq: 0, readAt: 0 }));
    /** What was asked: commands, each with its body and the id of its frame. */
    this.asked = [];
    /** When each connection was made. */
    this.connections = [];
    /** @type {Record<string, (body: any, answer: any, socket: any) => any>} changes answers; may be late */
    this.changes = {};
    const server = this;
    globalThis.WebSocket = class {
      constructor() {
        server.socket = this;
        server.connections.push(performance.now());
        queueMicrotask(() => this.onopen?.());
      }

      async send(text) {
        const { id, cmd, body } = JSON.parse(text);
        server.asked.push([cmd, body, id]);
        const made = JSON.parse(JSON.stringify(server.answer(cmd, body) ?? {}));
        const result = (await server.changes[cmd]?.(body, made, this)) ?? made;
        this.tell(result.error ? { id, ...result } : { id, result });
      }

      tell(frame) {
        this.onmessage?.({ data: JSON.stringify(frame) });
      }

      close() {}
    };
  }

  /** How often a command was asked. */
  count(command) {
    return this.asked.filter(([cmd]) => cmd === command).length;
  }

  /** Adds a row and tells it. */
  tell(...rows) {
    for (const row of rows) {
      this.rows.push(row);
      this.socket.tell(row);
    }
  }

  /** Cuts the connection. */
  cut() {
    this.socket.onclose?.({ code: 1006 });
  }

  /** A client that is connected. */
  async arrive() {
    const client = connect({ server: "http://scripted.example", guest: { userID: "ann", name: "Ann" } });
    clients.add(client);
    await client.ready;
    return client;
  }

  get head() {
    return this.rows.length;
  }

  get channel() {
    const { head, members, unread } = this;
    return { channel: group, kind: "group", title: "Team", memberCount: members.length, members, seq: head,
      count: head, unread, readSeq: members[0].readSeq, role: "participant", lastActivityAt: 1 };
  }

  answer(command, body) {
    const { head } = this;
    switch (command) {
      case "hello":
        return { epoch: "e", heartbeat: 25_000, imageOrigins: [], isOperator: false, limits: {}, userSeq: 0,
          serverTime: Date.now(), user: { userID: "ann", name: "Ann" } };
      case "resume": {
        const from = body.channels.find(({ channel }) => channel === group)?.seq ?? head;
        return { epoch: "e", userSeq: 0, channels: [{ channel: group, seq: head }], marks: [], resets: [],
          events: this.rows.slice(from), hasMore: false };
      }
      case "channel.list": return { channels: [this.channel], totalUnread: this.unread };
      case "channel.get": return this.channel;
      case "unread.get": return { total: this.unread, channels: [{ channel: group, unread: this.unread }] };
      case "channel.query": return { channels: [] };
      case "member.list": return { members: this.members };
      case "schedule.list": return { schedules: [] };
      case "vote.get": return { votes: [] };
      case "message.list": return this.list(body);
      default: return {};
    }
  }

  /** A page, as the server makes them. */
  list({ before, after, aroundMessage, limit, onlyShown }) {
    const { rows, head } = this;
    const counts = (row) => !onlyShown || shown.test(row.event);
    let [from, to] = [(before ?? head + 1), (before ?? head + 1) - 1];
    if (after !== undefined) [from, to] = [after + 1, after];
    if (aroundMessage) to = from = rows.find((row) => row.body.messageID === aroundMessage).seq;
    let [count, examined] = [0, 0];
    const isFull = () => count >= limit || examined >= this.examines;
    const takes = (seq) => {
      examined += 1;
      if (counts(rows[seq - 1])) count += 1;
    };
    while (after === undefined && from > 1 && !(aroundMessage ? count >= limit / 2 : isFull())) takes((from -= 1));
    while ((after !== undefined || aroundMessage) && to < head && !isFull()) takes((to += 1));
    return { events: rows.slice(from - 1, to).filter(counts), from, to, seq: head, hasBefore: from > 1,
      hasAfter: to < head };
  }
}

/** Waits until a condition holds, looking again in each turn of the event loop. */
export async function eventually(condition) {
  const end = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never came true: ${condition}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
