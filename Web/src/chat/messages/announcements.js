import { errorText } from "../../texts/errors.js";
import { typingText } from "../../texts/lines.js";
import { contentText } from "../../texts/messages.js";
import { on } from "../../ui/dom.js";
import { isFolded } from "./message-text.js";

/** What a screen reader reads of a conversation: new messages of others, who is typing, and what was not sent. */
export class Announcements {
  /** @param {import("../context.js").Context} context */
  constructor(context) {
    this.#context = context;
    const { client, conversation, live, signal, t } = context;
    on(client, "message", ({ detail: { channel, message, isOwn } }) => {
      if (channel !== conversation.id || isOwn || isFolded(context, message)) return;
      const name = message.senderName ?? t("announcement");
      live.message(t("announce.message", { name, text: contentText(message, t) }));
    }, signal);
  }

  #context;
  /** @type {Set<string>} */
  #failed = new Set();

  /** Reads what has changed in the conversation. */
  update() {
    const { conversation, live, t } = this.#context;
    const { items, typing } = conversation;
    if (typing.length) live.typing(typingText(typing, t));
    // Messages that are not sent yet stand at the end.
    for (let index = items.length - 1; index >= 0; index -= 1) {
      const item = items[index];
      if (item.kind !== "message") continue;
      if (item.state === "sent") break;
      if (item.state !== "failed") this.#failed.delete(item.key);
      else if (!this.#failed.has(item.key)) {
        this.#failed.add(item.key);
        live.failure(item.error ? t("state.failedWhy", { reason: errorText(item.error, t) }) : t("announce.notSent"));
      }
    }
  }
}
