import { isMessage, messageOf } from "../../client/for-views.js";
import { isFolded, isPicture } from "./message-row.js";

/** @typedef {Pick<import("../context.js").Context, "client" | "conversation">} Context */
/** @typedef {import("../../client/types.js").Message} Message */

const pageSize = 100;

/**
 * The files of a conversation, the newest first, read page by page: the server has no query by type. Those of people
 * whom the user has blocked are left out.
 */
export class MediaPages {
  /** @param {Context} context */
  constructor(context) {
    this.#context = context;
  }

  #context;
  /** @type {number | undefined} */
  #before = undefined;
  /** @type {Message[]} Pictures and films. */
  pictures = [];
  /** @type {Message[]} All other files but voice messages. */
  files = [];
  isComplete = false;

  /** Reads the next page of messages, which may have no file. */
  async readMore() {
    const before = this.#before;
    const { client, conversation } = this.#context;
    const page = await client.read("message.list", {
      channel: conversation.id, limit: pageSize, onlyShown: true, ...(before && { before }) });
    const messages = page.events.filter(isMessage).map(messageOf).reverse()
      .filter((/** @type {Message} */ message) =>
        message.file?.fileID && !message.recall && !isFolded(this.#context, message));
    for (const message of messages) {
      if (isPicture(message)) this.pictures.push(message);
      else if (message.type !== "voice" && message.type !== "sticker") this.files.push(message);
    }
    this.#before = page.from;
    // A server that has no more although it says so is asked no further.
    this.isComplete = !page.hasBefore || (before !== undefined && page.from >= before);
  }
}
