// What an app in Vue may write, and what it must not. dev/web compiles it; nothing runs it. The properties in templates
// are checked as these lines are.

import type { GlobalComponents } from "vue";
import { RoostChat, RoostLauncher, RoostTextChat } from "@roost/web/vue";

type Properties<Component extends abstract new (...values: never) => { $props: object }> =
  InstanceType<Component>["$props"];

const chat: Properties<typeof RoostChat> = {
  server: "https://chat.example.com", channel: "support", token: async () => "token", store: false, userId: "ann",
  onMessage: ({ detail }) => detail.message.text, onUnread: ({ detail }) => detail.total,
};
const launcher: Properties<typeof RoostLauncher> = { greeting: "Hello", user: "bob", onOpen: () => {} };
const text: Properties<typeof RoostTextChat> = {
  senderId: "1234", onMessageReadyToSend: (event) => event.respondWith(true),
};
// @ts-expect-error There is no such theme.
const blue: Properties<typeof RoostChat> = { theme: "blue" };
// @ts-expect-error The detail has no such field.
const wrong: Properties<typeof RoostChat> = { onUnread: ({ detail }) => detail.count };

const known: Properties<GlobalComponents["RoostChat"]> = chat;
const raw: Properties<GlobalComponents["roost-launcher"]> = { greeting: "Hello" };
declare const shown: InstanceType<typeof RoostChat>;
const user: string | undefined = shown.client?.user.userID;
const element: HTMLElement | null = shown.element;
// @ts-expect-error Nobody but the component sets it.
shown.client = null;

export { blue, element, known, launcher, raw, text, user, wrong };
