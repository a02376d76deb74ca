export { RoostChatElement };
export { connect } from "./client/client.js";
import { RoostChatElement } from "./chat/roost-chat-element.js";
