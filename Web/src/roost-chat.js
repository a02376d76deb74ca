import { RoostChatElement } from "./chat/roost-chat-element.js";

// In Node there are none.
const elements = globalThis.customElements;
if (elements && !elements.get("roost-chat")) elements.define("roost-chat", RoostChatElement);

export { RoostChatElement };
export { connect } from "./client/client.js";
