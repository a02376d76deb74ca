import { StrictMode, createElement as h, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { RoostChat, RoostLauncher } from "@roost/web/react";

// An app has a token from its backend instead: token={async () => (await fetch("/chat-token")).text()}
const server = new URLSearchParams(location.search).get("server");
const guest = "ann Ann";

function App() {
  const chat = useRef(null);
  const [user, setUser] = useState("bob");
  const [isShown, setShown] = useState(true);
  const [unread, setUnread] = useState(0);
  const [last, setLast] = useState("");

  return h("main", null,
    h("h1", null, "A chat in React"),
    h("p", null,
      h("output", { id: "unread" }, unread), " unread, the last message is ", h("output", { id: "last" }, last)),
    h("p", null,
      h("button", { onClick: () => setUser(user === "bob" ? "cat" : "bob") }, "Another conversation"),
      h("button", { onClick: () => setShown(!isShown) }, isShown ? "Hide" : "Show"),
      h("button", { onClick: () => chat.current?.conversation?.send({ text: "Hello from the app" }) }, "Say hello")),
    isShown && h(RoostChat, {
      ref: chat, server, guest, user, className: "chat",
      onUnread: ({ detail }) => setUnread(detail.total),
      onMessage: ({ detail }) => setLast(detail.message.text),
    }),
    h(RoostLauncher, { server, guest, label: "All conversations" }));
}

createRoot(document.querySelector("#app")).render(h(StrictMode, null, h(App)));
