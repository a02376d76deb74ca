// When the others are told that this user is typing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ScriptedServer, group } from "./scripted.mjs";

test("own typing ends five seconds after the last key, and once", async (t) => {
  const server = new ScriptedServer();
  const client = await server.arrive();
  const conversation = client.conversation(group);
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
  const asked = () => server.asked.flatMap(([command]) => (command.startsWith("typing.") ? [command] : []));
  conversation.userIsTyping();
  t.mock.timers.tick(4_000);
  conversation.userIsTyping();
  t.mock.timers.tick(4_999);
  assert.deepEqual(asked(), ["typing.start", "typing.start"]);
  t.mock.timers.tick(1);
  assert.deepEqual(asked(), ["typing.start", "typing.start", "typing.end"]);
  t.mock.timers.tick(60_000);
  conversation.userStoppedTyping();
  assert.equal(asked().length, 3);
  // A message that goes out ends it, too, without a command.
  conversation.userIsTyping();
  conversation.state.typing.sent();
  t.mock.timers.tick(60_000);
  assert.deepEqual(asked().slice(3), ["typing.start"]);
});
