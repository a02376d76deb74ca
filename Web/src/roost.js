/**
 * Roost for browsers and for programs, without a user interface.
 *
 * ```js
 * import { connect } from "https://chat.example.com/roost.js";
 *
 * const client = connect({ server: "https://chat.example.com", token });
 * await client.ready;
 * const conversation = client.conversation("lobby");
 * conversation.addEventListener("change", () => console.log(conversation.items.length));
 * await conversation.open();
 * conversation.send({ text: "Hello" });
 * ```
 *
 * @module
 */
export { Client, connect } from "./client/client.js";
export { ChannelList } from "./client/channel-list.js";
export { Conversation } from "./client/conversation.js";
export { RoostError } from "./client/errors.js";
export { compareBytes, isChannelID, isUserID, makeTransID, singleChannelID } from "./client/ids.js";
