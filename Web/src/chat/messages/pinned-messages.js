import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { openDialog } from "../../ui/dialog.js";
import { focused, h, on, reconcile, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { adopt, css } from "../../ui/styles.js";
import { shownText } from "./message-row.js";

/**
 * @typedef {import("../context.js").Context} Context
 * @typedef {import("../../client/conversation-pins.js").ConversationPins} ConversationPins
 * @typedef {import("../../client/types.js").PinnedMessage} PinnedMessage
 */

const styles = css(`
.pinned { display: flex; align-items: center; flex: none; padding-inline: 8px;
  border-bottom: 1px solid var(--roost-line); }
.pinned-jump { flex: 1; display: flex; align-items: center; gap: 12px; min-width: 0; min-height: 52px;
  padding: 6px 8px; }
.pinned-jump:focus-visible { outline-offset: -3px; }
.pinned-jump > .icon { color: var(--roost-accent); }
.pinned-words { display: grid; flex: 1; min-width: 0; font-size: var(--roost-size-1); line-height: 1.4; }
.pinned-words > * { justify-self: start; max-width: 100%; }
.pinned-title { color: var(--roost-accent); font-weight: 600; }
@media (hover: hover) { .pinned-jump:hover { background: var(--roost-hover); } }
@media print { .pinned { display: none; } }

.pins { display: grid; gap: 4px; margin-inline: -12px; }
.pins li { display: flex; align-items: center; gap: 4px; min-width: 0; border-radius: 12px; }
.pins .item { flex: 1; min-width: 0; align-items: flex-start; padding-block: 8px; }
.pins .about { display: grid; flex: 1; min-width: 0; }
.pins .about > * { justify-self: start; max-width: 100%; }
.pins .author { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; }
.pins .author bdi { font-weight: 600; }
.pins .author time { flex: none; }
.pins .said { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden;
  overflow-wrap: anywhere; }
.pins .hint { white-space: normal; }
.pins:not(.may-pin) .unpin { display: none; }
`);

/** The bar below the header of a conversation, with one pinned message after the other, and the list of all. */
export class PinnedMessages {
  /**
   * @param {Context} context
   * @param {ConversationPins} pins
   */
  constructor(context, pins) {
    this.#context = context;
    this.#pins = pins;
    const { t, root } = context;
    adopt(root, styles);
    this.#all = h("button", { type: "button", class: "icon-button", "aria-label": t("pin.list"), title: t("pin.list"),
      "aria-haspopup": "dialog", onclick: () => this.#openList() }, icon("list"));
    this.#element = h("div", { class: "pinned", part: "pinned", role: "group", "aria-label": t("pin.title"),
      hidden: true },
      h("button", { type: "button", class: "pinned-jump", onclick: () => this.#jump() },
        icon("pin"), h("span", { class: "pinned-words" }, this.#title, this.#text)),
      this.#all);
    root.querySelector(".conversation-header")?.after(this.#element);
  }

  #context;
  #pins;
  #element;
  #all;
  #title = h("span", { class: "pinned-title ellipsis" });
  #text = h("span", { class: "ellipsis", dir: "auto" });
  #index = 0;
  #newest = "";

  /** Shows what has changed. */
  draw() {
    const { t, focusComposer } = this.#context;
    const all = this.#pins.all;
    // What was pinned just now shows first.
    if (all[0]?.messageID !== this.#newest) this.#index = 0;
    this.#newest = all[0]?.messageID ?? "";
    const isLeft = !all.length && this.#element.contains(focused());
    this.#element.hidden = !all.length;
    if (isLeft) focusComposer();
    if (!all.length) return;
    this.#index %= all.length;
    setText(this.#title, all.length > 1
      ? t("pin.position", { number: this.#index + 1, total: all.length }) : t("pin.one"));
    setText(this.#text, shownText(this.#context, all[this.#index].message));
  }

  /** Goes to the message that the bar shows, which shows the next one then. */
  #jump() {
    const { messageID } = this.#pins.all[this.#index];
    this.#index += 1;
    this.draw();
    this.#context.jump(messageID);
  }

  #openList() {
    const { root, t, conversation, focusComposer } = this.#context;
    const list = h("ul", { class: "pins" });
    const dialog = openDialog(root, { title: t("pin.title"), closeLabel: t("close"), body: list });
    const end = new AbortController();
    const draw = () => {
      const all = this.#pins.all;
      if (!all.length) return dialog.close();
      const at = [...list.children].findIndex((row) => row.contains(focused()));
      list.classList.toggle("may-pin", this.#pins.mayPin);
      reconcile(list, all, (pin) => `${pin.messageID} ${pin.pinnedAt}`, (pin) => this.#makeRow(pin, dialog));
      // The row that had the focus is gone.
      if (at >= 0 && !list.contains(focused())) {
        list.children[Math.min(at, all.length - 1)].querySelector("button")?.focus();
      }
    };
    on(conversation, "change", draw, end.signal);
    on(this.#context.signal, "abort", () => dialog.close(), end.signal);
    dialog.closed.then(() => {
      end.abort();
      // The bar, to which the focus returns, may be gone with the last one.
      if (this.#element.hidden) focusComposer();
    });
    draw();
  }

  /**
   * @param {PinnedMessage} pin
   * @param {import("../../ui/dialog.js").Dialog} dialog
   */
  #makeRow(pin, dialog) {
    const { t, times, client, fail, jump } = this.#context;
    const { messageID, userID, name, pinnedAt, message } = pin;
    const now = client.serverTime;
    const { senderID = "", senderName, senderImageURL } = message;
    const author = senderID === client.user.userID ? t("message.own") : senderName ?? t("announcement");
    const said = h("span", { class: "said", dir: "auto", id: `roost-pin-${messageID}` },
      shownText(this.#context, message));
    return h(
      "li", null,
      h("button", { type: "button", class: "item", onclick: () => {
        dialog.close();
        jump(messageID);
      } },
        avatar({ id: senderID, name: senderName ?? author, imageURL: senderImageURL }, {
          resolve: (url) => client.imageURL(url) }),
        h("span", { class: "about" },
          h("span", { class: "author" }, h("bdi", { class: "ellipsis" }, author),
            h("time", { class: "hint", datetime: times.isoText(message.sentAt) },
              times.momentText(message.sentAt, now))),
          said,
          h("span", { class: "hint", title: times.fullText(pinnedAt) },
            userID === client.user.userID ? t("pin.byOwn") : t("pin.by", { name })))),
      h("button", { type: "button", class: "button quiet unpin", "aria-describedby": said.id,
        onclick: () => void this.#pins.unpin(messageID).catch(fail) }, t("pin.remove")),
    );
  }
}
