import { createApp, h, ref } from "vue";
import { RoostChat, RoostLauncher } from "@roost/web/vue";

// An app has a token from its backend instead: :token="() => fetch('/chat-token').then((answer) => answer.text())"
const server = new URLSearchParams(location.search).get("server");
const guest = "ann Ann";

/** As a component with a template it begins with `<RoostChat ref="chat" :server :guest :user @message="…" />`. */
const App = {
  setup() {
    const chat = ref(null);
    const user = ref("bob");
    const isShown = ref(true);
    const unread = ref(0);
    const last = ref("");
    const hello = () => chat.value?.element?.conversation?.send({ text: "Hello from the app" });

    return () => h("main", null, [
      h("h1", null, "A chat in Vue"),
      h("p", null, [
        h("output", { id: "unread" }, unread.value), " unread, the last message is ",
        h("output", { id: "last" }, last.value),
      ]),
      h("p", null, [
        h("button", { onClick: () => (user.value = user.value === "bob" ? "cat" : "bob") }, "Another conversation"),
        h("button", { onClick: () => (isShown.value = !isShown.value) }, isShown.value ? "Hide" : "Show"),
        h("button", { onClick: hello }, "Say hello"),
      ]),
      isShown.value && h(RoostChat, {
        ref: chat, server, guest, user: user.value, class: "chat",
        onUnread: ({ detail }) => (unread.value = detail.total),
        onMessage: ({ detail }) => (last.value = detail.message.text),
      }),
      h(RoostLauncher, { server, guest, label: "All conversations" }),
    ]);
  },
};

createApp(App).mount("#app");
