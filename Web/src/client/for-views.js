/**
 * What views need of the client besides its objects. All of it is imported from here, so that it is one file of the
 * bundle with the client.
 *
 * @module
 */
export { byActivity, isMessage, pictureOf } from "./channels.js";
export { connect } from "./client.js";
export { isChannelID, isUserID } from "./ids.js";
export { messageOf } from "./timeline.js";
