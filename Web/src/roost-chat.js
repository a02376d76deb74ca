import { RoostChatElement } from "./chat/roost-chat-element.js";

if (!customElements.get("roost-chat")) customElements.define("roost-chat", RoostChatElement);

export { RoostChatElement };
export { connect } from "./client/client.js";
