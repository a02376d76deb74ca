import "../../texts/more.js";
import { avatar } from "../../ui/avatar.js";
import { openDialog } from "../../ui/dialog.js";
import { h, on, reconcile, refill } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { pictureOf } from "../../client/for-views.js";
import { adoptListStyles } from "../styles/list-styles.js";
import { changes, endings } from "./details-actions.js";
import { DetailsMembers } from "./details-members.js";

/**
 * @typedef {import("../../texts/texts.js").Key} Key
 * @typedef {Pick<import("../context.js").Context, "client" | "conversation" | "t" | "root" | "fail" | "start" |
 *   "toasts"> & {open?: (channel: string) => void, leave?: () => void}} DetailsContext `open` shows another channel,
 *   `leave` the list alone
 * @typedef {import("./details-actions.js").Action} Action
 */

/**
 * Opens the details of a conversation: what it is, who is in it, and what the user may change or end. It follows the
 * conversation while it is open, and closes when the user does not have it any more.
 *
 * @param {DetailsContext} context
 * @returns {import("../../ui/dialog.js").Dialog}
 */
export function openDetails(context) {
  return new DetailsView(context).dialog;
}

class DetailsView {
  /** @param {DetailsContext} context */
  constructor(context) {
    this.#context = context;
    const { t, root, conversation, client } = context;
    adoptListStyles(root);
    this.#top = h("div", { class: "details-top" });
    this.#actions = h("div", { class: "details-actions" });
    this.#ends = h("div", { class: "details-actions" });
    const { signal } = this.#end;
    this.#members = new DetailsMembers(context, { close: () => this.dialog.close(), signal });
    /** The open dialog. */
    this.dialog = openDialog(root, {
      title: t("group.details"), closeLabel: t("close"), class: "tall",
      body: [this.#top, this.#actions, ...this.#members.elements, this.#ends],
    });
    on(conversation, "change", () => this.#draw(), signal);
    on(client, "state blocked", () => this.#draw(), signal);
    this.dialog.closed.then(() => this.#end.abort());
    this.#draw();
    this.#members.readOthers();
  }

  #context;
  #end = new AbortController();
  #top;
  #actions;
  /** What cannot be undone, and what takes the conversation away: below the members. */
  #ends;
  #members;
  #shown = "";
  /** @type {Map<string, () => unknown>} */
  #runs = new Map();

  get #channel() {
    return this.#context.conversation.channel;
  }

  /** The other user of a 1-on-1. */
  get #other() {
    const { client } = this.#context;
    const other = this.#channel?.members.find(({ userID }) => userID !== client.user.userID);
    return this.#channel?.kind === "single" ? other : undefined;
  }

  #draw() {
    const { conversation } = this.#context;
    const channel = this.#channel;
    if (!channel || conversation.isGone) return this.dialog.close();
    this.#drawTop(channel);
    this.#drawActions(channel);
    this.#members.draw();
  }

  /** @param {import("../../client/types.js").Channel} channel */
  #drawTop(channel) {
    const { client, t } = this.#context;
    const picture = pictureOf(client, channel);
    const about = channel.kind.endsWith("News") ? t("count.subscribers", { count: channel.memberCount })
      : channel.kind === "open" ? t("count.here", { count: channel.memberCount })
      : channel.kind === "group" ? t("count.members", { count: channel.memberCount }) : this.#other?.userID ?? "";
    const key = JSON.stringify([picture, about]);
    if (key === this.#shown) return;
    this.#shown = key;
    refill(
      this.#top, avatar(picture, { size: 88, resolve: (url) => client.imageURL(url) }),
      h("h3", { dir: "auto" }, channel.kind === "self" ? t("kind.self") : channel.name),
      h("p", { class: "hint" }, channel.kind === "self" ? "" : t(/** @type {Key} */ (`kind.${channel.kind}`))),
      h("p", { class: "hint" }, h("bdi", null, about)),
    );
  }

  /** @param {import("../../client/types.js").Channel} channel */
  #drawActions(channel) {
    const options = { other: this.#other, close: () => this.dialog.close() };
    const parts = [changes(this.#context, channel, options), endings(this.#context, channel, options)];
    this.#runs = new Map(parts.flat().map((action) => [action.label, action.run]));
    /**
     * @param {HTMLElement} place
     * @param {Action[]} actions
     */
    const fill = (place, actions) => reconcile(
      place, actions, ({ label }) => label, (action) => this.#makeAction(action), (button, { isOn }) => {
        if (isOn !== undefined) button.setAttribute("aria-checked", String(isOn));
      });
    fill(this.#actions, parts[0]);
    fill(this.#ends, parts[1]);
  }

  /** @param {Action} action */
  #makeAction({ label, hint, icon: name, isDanger, isOn }) {
    const run = async () => {
      try {
        await this.#runs.get(label)?.();
      } catch (error) {
        this.#context.fail(error);
      }
    };
    return h(
      "button",
      { type: "button", class: isDanger ? "item danger" : "item", onclick: run,
        ...(isOn !== undefined && { role: "switch", "aria-checked": String(isOn) }) },
      icon(name), h("span", { class: "grow" }, label, hint && h("span", { class: "hint" }, hint)),
      isOn !== undefined && h("span", { class: "switch" }),
    );
  }
}
