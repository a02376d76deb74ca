// A text chat whose messages travel over a BroadcastChannel, which reaches every other page of the same origin.
// Serve the repository, for example with `python3 -m http.server`, and open /Examples/web/text-chat.html.
import "../../Web/src/roost-text-chat.js";

/** @type {import("../../Web/src/roost-text-chat.js").RoostTextChat} */
const chat = document.querySelector("#chat");
const connected = document.querySelector("#connected");
const { id, alias } = Object.fromEntries(new URLSearchParams(location.search));

chat.senderID = id ?? crypto.randomUUID();
chat.alias = alias ?? "Guest";
document.querySelector("#title").textContent = chat.alias;

const signals = new BroadcastChannel("TextChat");

// What the user has written goes to the others. Without a connection it stays in the field, with an error.
chat.addEventListener("messagereadytosend", (event) => {
  if (connected.checked) signals.postMessage(event.detail);
  else event.preventDefault();
});

// What the others have written joins the list. A channel does not deliver a page's own messages to it.
signals.addEventListener("message", (event) => {
  if (connected.checked) chat.addMessage(event.data);
});

chat.classList.add("ready");
