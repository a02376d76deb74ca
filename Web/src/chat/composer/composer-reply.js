import { h, refill, set } from "../../ui/dom.js";
import { quoteView } from "../messages/message-text.js";
import { composerButton } from "./composer-button.js";

/** @typedef {import("../../client/types.js").Message} Message */

/** The message that the next one answers, above the field. */
export class ComposerReply {
  /**
   * @param {import("../context.js").Context} context
   * @param {() => void} oncancel
   */
  constructor(context, oncancel) {
    this.#context = context;
    this.#oncancel = oncancel;
  }

  #context;
  #oncancel;
  element = h("div", { class: "replying", hidden: true });
  /** @type {Message | null} */
  #message = null;

  /** The message that is answered. */
  get message() {
    return this.#message;
  }

  /** @param {Message | null} message */
  show(message) {
    const { t, client } = this.#context;
    this.#message = message;
    this.element.hidden = !message;
    refill(this.element, message && [
      quoteView(this.#context, message, message.senderID === client.user.userID),
      composerButton(this.#context, "reply.cancel", "close", this.#oncancel),
    ]);
    set(this.element, { role: "group", "aria-label": message && t("reply.to", { name: message.senderName ?? "" }) });
  }
}
