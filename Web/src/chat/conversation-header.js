import { avatar } from "../ui/avatar.js";
import { focused, h, refill, set, setText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { pictureOf } from "../client/for-views.js";

/** The header of a conversation: its picture and name, how many are in it, the way back and the button for details. */
export class ConversationHeader {
  /**
   * @param {import("./context.js").Context} context
   * @param {{onBack?: () => void, onDetails?: () => void, ontitle: (title: string) => void,
   *   onleave: () => void}} options a button without its callback is left out; `ontitle` gets each new name; `onleave`
   *   is called when the button that has the focus disappears
   */
  constructor(context, { onBack, onDetails, ontitle, onleave }) {
    this.#context = context;
    this.#ontitle = ontitle;
    this.#onleave = onleave;
    const { t } = context;
    /** @param {import("../texts/texts.js").Key} key @param {any} sign @param {() => void} action */
    const button = (key, sign, action) => h("button", {
      type: "button", class: "icon-button", "aria-label": t(key), title: t(key), onclick: action }, icon(sign));
    const back = onBack && button("back", "back", onBack);
    back?.classList.add("back");
    this.#details = onDetails && button("details", "more", onDetails);
    // For a pointer; the button does the same.
    const about = h("div", { class: "about", onclick: onDetails }, this.#avatar,
      h("div", { class: "titles" },
        h("h2", { class: "ellipsis", id: "conversation-title" }, this.#title), this.#status));
    about.classList.toggle("opens", Boolean(onDetails));
    this.element = h("header", { class: "conversation-header", part: "header" }, back, about,
      h("slot", { name: "header" }), this.#details);
  }

  #context;
  #ontitle;
  #onleave;
  #details;
  #avatar = h("span", { class: "header-avatar" });
  #title = h("bdi", null);
  #status = h("p", { class: "hint ellipsis" });
  #shown = "";

  /** Shows what has changed in the conversation. */
  draw() {
    const { conversation, client, t } = this.#context;
    const { channel } = conversation;
    // Without the channel, the title stays as it was.
    const name = channel?.kind === "self" ? t("kind.self") : channel?.name;
    const title = name ?? (this.#title.textContent || (conversation.isBanned ? conversation.id : ""));
    const count = channel?.memberCount ?? 0;
    const picture = channel && pictureOf(client, channel);
    const key = JSON.stringify([title, count, channel?.kind, picture]);
    const details = this.#details;
    if (details && details.hidden !== !channel) {
      if (focused() === details) this.#onleave();
      details.hidden = !channel;
    }
    if (key === this.#shown) return;
    this.#shown = key;
    setText(this.#title, title);
    this.#ontitle(title);
    if (details) set(details, { "aria-label": t("conversation.details", { title }) });
    const status = !channel ? "" : {
      single: "", self: "", open: t("count.here", { count }), group: t("count.members", { count }),
    }[/** @type {string} */ (channel.kind)] ?? t("count.subscribers", { count });
    setText(this.#status, status);
    this.#status.hidden = !status;
    if (picture) {
      refill(this.#avatar, avatar({ ...picture, name: title }, {
        size: 36, resolve: (imageURL) => client.imageURL(imageURL) }));
    }
  }
}
