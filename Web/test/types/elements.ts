// What a page in TypeScript may write with the elements, and what it must not. dev/web compiles it; nothing runs it.

import { Client, connect } from "@roost/web";
import { connect as same, RoostChatElement } from "@roost/web/roost-chat.js";
import type { LiveMessage } from "@roost/web/roost-chat.js";
import { RoostLauncherElement } from "@roost/web/roost-launcher.js";
import { RoostTextChat } from "@roost/web/roost-text-chat.js";

const client: Client = connect({ server: "https://chat.example.com", token: async () => "token" });
const other: Client = same({ guest: { userID: "ann" } });

client.read("unread.get").then(({ total, channels }) => total + channels[0].unread);
client.perform("reaction.add", { channel: "c", messageID: "m", emoji: "👍" }).then(({ seq }) => seq);
// @ts-expect-error There is no such command.
client.read("unread.fetch");
// @ts-expect-error The emoji is missing.
client.perform("reaction.add", { channel: "c", messageID: "m" });
// @ts-expect-error The answer has no such field.
client.read("unread.get").then(({ count }) => count);

const chat = document.createElement("roost-chat");
const found: RoostChatElement | null = document.querySelector("roost-chat");
found?.connect({ client: other, store: false });
chat.addEventListener("message", ({ detail }) => {
  const live: LiveMessage = detail;
  const text: string = live.message.text;
  // @ts-expect-error A message has no such field.
  console.log(text, detail.message.body);
});
chat.addEventListener("unread", function ({ detail: { total } }) {
  const count: number = total;
  console.log(count, this.client?.user.userID);
});
chat.addEventListener("open", ({ detail }) => detail.channel?.length, { once: true });
chat.addEventListener("error", ({ detail }) => detail.retryable);
chat.addEventListener("click", (event) => event.clientX);
chat.addEventListener("anything", (event) => event.type);
chat.removeEventListener("ready", () => {});
// @ts-expect-error The event is no mouse event.
chat.addEventListener("message", (event: MouseEvent) => event.clientX);
// @ts-expect-error The number is `total`.
chat.addEventListener("unread", ({ detail }) => detail.count);
// @ts-expect-error A token is a text, or a function that gives one.
chat.connect({ token: 12 });

const launcher: RoostLauncherElement = document.createElement("roost-launcher");
launcher.addEventListener("open", () => launcher.connect({ client, token: (wasRefused) => `${wasRefused}` }));
launcher.addEventListener("unread", ({ detail }) => (document.title = `(${detail.total})`));
launcher.toggle();
// @ts-expect-error Only the element itself says whether it is open.
launcher.isOpen = true;

const text: RoostTextChat = document.createElement("roost-text-chat");
text.addEventListener("messagereadytosend", (event) => event.respondWith(Promise.resolve(event.detail.text !== "")));
text.addMessage({ senderID: "5678", alias: "Bob", text: "Hello" });
// @ts-expect-error A message has a text.
text.addMessage({ senderID: "5678" });
// @ts-expect-error The detail is a message.
text.addEventListener("messagereadytosend", ({ detail }) => detail.total);
