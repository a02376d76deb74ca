import "../../ui/more-icons.js";
import { avatar } from "../../ui/avatar.js";
import { h, refill, set, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { previewText, typingText } from "../../texts/texts.js";
import { pictureOf } from "../../client/for-views.js";

/**
 * @typedef {import("../../client/types.js").Channel} Channel
 * @typedef {import("../../roost.js").Client} Client
 * @typedef {import("../../texts/texts.js").Texts} Texts
 */

/** A row of the list of conversations. */
export class ChannelRow {
  /**
   * @param {Client} client
   * @param {Texts} t
   * @param {import("../../texts/times.js").Times} times
   * @param {Channel} channel
   */
  constructor(client, t, times, channel) {
    this.#client = client;
    this.#t = t;
    this.#times = times;
    /** The channel that it shows. */
    this.channel = channel;
    this.#picture = h("span");
    this.#name = h("bdi", { class: "name ellipsis" });
    this.#count = h("span", { class: "count" });
    this.#muted = h("span", null, icon("bell-off"));
    this.#time = h("time");
    this.#preview = h("span", { class: "preview ellipsis" });
    this.#marks = h("span", { class: "line" });
    /** The button that opens the conversation. */
    this.opener = h(
      "button", { type: "button", class: "open", tabindex: "-1" },
      this.#picture,
      h("span", { class: "lines" },
        h("span", { class: "line" }, this.#name, this.#count, this.#muted, this.#time),
        h("span", { class: "line" }, this.#preview, this.#marks)),
    );
    /** The button that opens the menu. */
    this.more = h("button", { type: "button", class: "icon-button more", tabindex: "-1", "aria-haspopup": "menu" },
      icon("more"));
    /** The element of the row. */
    this.element = h("li", { class: "channel", part: "channel" }, this.opener, this.more);
  }

  #client;
  #t;
  #times;
  #picture;
  #pictureKey = "";
  #name;
  #count;
  #muted;
  #time;
  #preview;
  #previewText = "";
  #marks;
  #unsent = /** @type {"" | "waiting" | "failed"} */ ("");

  /** The id of the channel. */
  get id() {
    return this.channel.channel;
  }

  /**
   * Whether the Tab key stops at this row.
   *
   * @param {boolean} isStop
   */
  setTabStop(isStop) {
    if (this.opener.tabIndex === (isStop ? 0 : -1)) return;
    this.opener.tabIndex = this.more.tabIndex = isStop ? 0 : -1;
  }

  /**
   * Shows the channel as it is now.
   *
   * @param {boolean} isSelected whether its conversation is open
   */
  update(isSelected) {
    const { channel } = this;
    const t = this.#t;
    const picture = pictureOf(this.#client, channel);
    const pictureKey = JSON.stringify(picture);
    if (pictureKey !== this.#pictureKey) {
      this.#pictureKey = pictureKey;
      refill(this.#picture, avatar(picture, { size: 44, resolve: (url) => this.#client.imageURL(url) }));
    }
    setText(this.#name, channel.kind === "self" ? t("kind.self") : channel.name);
    this.#count.hidden = channel.kind !== "group";
    setText(this.#count, t("count.members", { count: channel.memberCount }));
    const isMuted = Boolean(channel.preference?.isMuted);
    this.#muted.hidden = !isMuted;
    const { unread, mentions } = this.#counts;
    const isUnread = unread > 0 || Boolean(channel.isMarkedUnread);
    this.element.classList.toggle("unread", isUnread && !isMuted);
    const { draft: { text, files }, typing, queue } = this.#client.preview(channel.channel);
    const draft = isSelected ? "" : text || files[0]?.name || "";
    const failed = queue.find(({ state }) => state === "failed");
    this.#unsent = failed ? "failed" : queue.length ? "waiting" : "";
    this.#showPreview(typing.length ? channel.kind === "single" ? t("list.typing") : typingText(typing, t)
      : failed ? t("list.notSent", { text: previewText(failed.message, t, "") })
      : draft ? t("list.draft", { text: draft }) : this.#textOf(queue.at(-1)?.message ?? channel.lastMessage));
    this.#preview.classList.toggle("is-typing", typing.length > 0);
    this.#preview.classList.toggle("draft", !typing.length && Boolean(failed || draft));
    refill(
      this.#marks,
      failed ? h("span", { class: "failed" }, icon("warning")) : queue.length ? icon("clock") : null,
      mentions ? h("span", { class: "mention" }, icon("at")) : null,
      unread > 0 ? h("span", { class: isMuted ? "badge muted" : "badge" }, t.badge(unread))
        : channel.isMarkedUnread ? h("span", { class: isMuted ? "badge muted dot" : "badge dot" }) : null,
    );
    set(this.opener, { "aria-current": isSelected ? "true" : null });
    this.more.setAttribute("aria-label", t("group.actionsFor", { name: channel.name }));
    this.updateTime();
  }

  /** Shows the time of the last message as it is called now. */
  updateTime() {
    const { channel } = this;
    const t = this.#t;
    const sentAt = channel.lastMessage?.sentAt;
    this.#time.hidden = !sentAt;
    if (sentAt) {
      setText(this.#time, this.#times.listDateText(sentAt, this.#client.serverTime));
      set(this.#time, { datetime: this.#times.isoText(sentAt), title: this.#times.fullText(sentAt) });
    }
    const { unread, mentions } = this.#counts;
    this.opener.setAttribute("aria-label", [
      this.#name.textContent,
      channel.kind === "group" && t("count.members", { count: channel.memberCount }),
      this.#preview.textContent,
      sentAt && this.#time.textContent,
      unread > 0 ? t("list.unread", { count: unread }) : channel.isMarkedUnread && t("list.markedUnread"),
      mentions && t("list.mentions", { count: mentions }),
      this.#unsent && t(this.#unsent === "failed" ? "state.failed" : "state.sending"),
      channel.preference?.isMuted && t("list.muted"),
    ].filter(Boolean).join(", "));
  }

  /** What is unread; nothing of a conversation at whose end one reads. */
  get #counts() {
    const { unread = 0, mentions = 0 } = this.#client.attended === this.id ? {} : this.channel;
    return { unread, mentions };
  }

  /** @param {string} text */
  #showPreview(text) {
    if (text === this.#previewText) return;
    this.#previewText = text;
    // Words that run the other way than what is before them end where they are cut off only in a box of their own.
    const [, before, words] = /^(.+)\u2068([^\u2068]*)\u2069$/s.exec(text) ?? [];
    this.#preview.classList.toggle("apart", Boolean(words));
    refill(this.#preview, words ? [h("span", null, before), h("bdi", { class: "ellipsis" }, words)] : text);
  }

  /** @param {Parameters<typeof previewText>[0]} message */
  #textOf(message) {
    const { kind } = this.channel;
    const me = this.#client.user.userID;
    if (kind !== "single" && this.#client.blocked.has(message?.senderID ?? "")) return this.#t("message.blocked");
    // In a 1-on-1 it is clear who writes.
    const text = previewText(message, this.#t, me, { withSender: kind === "group" || kind === "open" });
    if (!text && kind === "open") return this.#t("count.here", { count: this.channel.memberCount });
    return text || this.#t("list.noMessages");
  }
}
