export { ChannelList } from "./client/channel-list.js";
export { Conversation } from "./client/conversation.js";
export { RoostError } from "./client/errors.js";
export { Client, connect } from "./client/client.js";
export { compareBytes, isChannelID, isUserID, makeTransID, singleChannelID } from "./client/ids.js";
