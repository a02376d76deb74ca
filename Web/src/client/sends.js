import { messageType } from "./file-types.js";

/** @typedef {import("./types.js").Message} Message */

/**
 * A message to be sent: the body of `message.send`, what is shown of it until its row is there, and its file.
 * @typedef {{command: Omit<import("./types.js").SendBody, "channel">, shown: Partial<Message>, file?: Blob,
 *   fileName?: string}} Send
 */

/**
 * What an answer shows of the message that it answers, until its row is there.
 * @param {import("./types.js").Message | undefined} message
 * @returns {{replyTo?: import("./types.js").ReplySnapshot}}
 */
function snapshot(message) {
  if (!message?.messageID) return {};
  const { messageID, seq = 0, senderID, senderName, type, sentAt, text, mentions, file, thumbnail, location } = message;
  const isShort = text.length <= 500;
  return {
    replyTo: {
      messageID,
      seq,
      senderID,
      senderName,
      type,
      sentAt,
      text: isShort ? text : text.slice(0, 500),
      ...(isShort && mentions && { mentions }),
      file,
      thumbnail,
      location,
    },
  };
}

/**
 * @param {import("./types.js").TextContent} content
 * @returns {Send}
 */
export function textMessage({ text, mentions, replyTo }) {
  const content = { text, ...(mentions?.length && { mentions }) };
  return {
    command: { ...content, ...(replyTo && { replyTo: replyTo.messageID }) },
    shown: { ...content, ...snapshot(replyTo) },
  };
}

/**
 * @param {Blob} file
 * @param {import("./types.js").FileContent} about
 * @returns {Send}
 */
export function fileMessage(file, { name, type, text = "", width, height, durationMs, ...rest }) {
  const fileName = name ?? (file instanceof File ? file.name : "file");
  const content = { type: type ?? messageType(file.type, fileName) };
  const { command, shown } = textMessage({ text, ...rest });
  const reference = { name: fileName, size: file.size, contentType: file.type, width, height, durationMs };
  return {
    command: { ...content, ...command },
    shown: { ...content, ...shown, file: { fileID: "", ...reference } },
    file,
    fileName,
  };
}

/** @param {import("./types.js").NewVote} vote */
export const newVote = ({ question, options, ...rules }) => ({
  subject: question,
  vote: { ...rules, options: options.map((text) => ({ type: "text", text })) },
});
