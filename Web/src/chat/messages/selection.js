import "../../texts/more.js";
import { h, on, setText } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openMenu } from "../../ui/menu.js";
import { openForward } from "./forward-dialog.js";
import { askFirst, mayForward, mayRecall } from "./message-actions.js";
import { shownText } from "./message-row.js";

/**
 * @typedef {import("../context.js").Context} Context
 * @typedef {import("../../client/types.js").Item} Item
 * @typedef {import("../../client/types.js").MessageItem} MessageItem
 * @typedef {import("../../client/types.js").Message} Message
 * @typedef {import("../../texts/texts.js").Key} Key
 */

/**
 * Messages that are selected, to forward or to delete them. While it lasts, a press on a row selects it, and a bar with
 * the commands is in the place of the field; Escape ends it.
 */
export class Selection {
  /**
   * @param {Context} context
   * @param {import("./timeline-view.js").TimelineView} timeline
   * @param {import("../extras.js").Extras} extras
   * @param {() => void} onend
   */
  constructor(context, timeline, extras, onend) {
    const { t, root, conversation } = context;
    this.#context = context;
    this.#timeline = timeline;
    this.#extras = extras;
    this.#onend = onend;
    this.#count = h("span", { class: "count ellipsis" });
    this.#forward = this.#button("message.forward", "forward", () => this.#openForward());
    this.#forward.hidden = Boolean(context.client.options.isVisitor);
    this.#delete = this.#button("delete", "trash", () => this.#openDelete());
    this.#bar = h("div", { class: "selection-bar", role: "toolbar", "aria-label": t("select.label") },
      h("button", { type: "button", class: "icon-button", "aria-label": t("cancel"), title: t("cancel"),
        onclick: () => this.end() }, icon("close")),
      this.#count, this.#forward, this.#delete);
    root.querySelector(".composer")?.append(this.#bar);
    root.classList.add("selecting");
    const { signal } = this.#end;
    on(context.signal, "abort", () => this.#end.abort(), signal);
    on(conversation, "change", () => this.#forget(), signal);
    // Before the rows hear of it, as they would open a menu or a picture.
    const options = { capture: true };
    on(timeline.element, "pointerdown", (event) => event.stopPropagation(), signal, options);
    on(timeline.element, "click", (event) => this.#pressed(event), signal, options);
    on(timeline.element, "contextmenu", (event) => this.#pressed(event), signal, options);
    on(root, "keydown", (event) => this.#keyPressed(event), signal, options);
  }

  #context;
  #timeline;
  #extras;
  #onend;
  #count;
  #forward;
  #delete;
  #bar;
  #end = new AbortController();
  /** @type {Set<string>} */
  #chosen = new Set();

  /** @param {Message} message */
  begin(message) {
    this.#toggle([message]);
    this.#timeline.refresh();
  }

  /** Ends it, with nothing done. */
  end() {
    const hadFocus = this.#bar.matches(":focus-within");
    this.#end.abort();
    this.#bar.remove();
    this.#context.root.classList.remove("selecting");
    this.#chosen.clear();
    for (const row of this.#timeline.rows.children) unmark(row);
    for (const cell of this.#timeline.rows.querySelectorAll(".is-chosen")) cell.classList.remove("is-chosen");
    this.#onend();
    if (hadFocus) this.#timeline.focus();
  }

  /**
   * Shows in a row whether it is selected.
   *
   * @param {HTMLElement} row
   * @param {Item} item
   */
  mark(row, item) {
    const messages = messagesOf(item);
    let choice = /** @type {HTMLInputElement | null} */ (row.querySelector(".choice"));
    if (!messages.length) return unmark(row);
    if (!choice) {
      const { t } = this.#context;
      choice = h("input", { type: "checkbox", class: "choice", tabindex: "-1",
        "aria-label": t("select.one", { text: shownText(this.#context, messages[0]) }) });
      row.prepend(choice);
    }
    const count = messages.filter(({ messageID = "" }) => this.#chosen.has(messageID)).length;
    choice.checked = count === messages.length;
    choice.indeterminate = count > 0 && !choice.checked;
    // The focus is on the row, not on its sign.
    const state = choice.nextElementSibling?.matches(".choice-state") ? choice.nextElementSibling :
      h("span", { class: "choice-state visually-hidden", id: `roost-choice-${item.key}` });
    setText(state, count ? this.#context.t("select.count", { count }) : "");
    choice.after(state);
    row.setAttribute("aria-describedby", state.id);
    if (item.kind !== "message") return;
    for (const { key, message } of item.parts ?? []) {
      row.querySelector(`[data-part="${CSS.escape(key)}"]`)?.classList
        .toggle("is-chosen", this.#chosen.has(message.messageID ?? ""));
    }
  }

  /**
   * @param {Key} key
   * @param {import("../../ui/icons.js").IconName} sign
   * @param {() => void} action
   */
  #button(key, sign, action) {
    const label = this.#context.t(key);
    return h("button", { type: "button", class: "button quiet", title: label, onclick: action },
      icon(sign), h("span", null, label));
  }

  /** The selected messages, the oldest first. */
  get #messages() {
    return this.#context.conversation.items.flatMap(messagesOf)
      .filter(({ messageID = "" }) => this.#chosen.has(messageID));
  }

  /**
   * Selects messages, or no longer if all of them are.
   *
   * @param {Message[]} messages
   */
  #toggle(messages) {
    const { t, client, live, toasts } = this.#context;
    const ids = messages.map(({ messageID = "" }) => messageID);
    const isMore = ids.some((id) => !this.#chosen.has(id));
    const most = client.limits?.messagesPerCommand ?? 20;
    if (isMore && new Set([...this.#chosen, ...ids]).size > most) {
      toasts.show(t("select.most", { count: most }));
      return;
    }
    for (const id of ids) {
      if (isMore) this.#chosen.add(id);
      else this.#chosen.delete(id);
    }
    this.#draw();
    live.note(this.#count.textContent ?? "");
  }

  #draw() {
    const count = this.#chosen.size;
    setText(this.#count, this.#context.t("select.count", { count }));
    for (const button of [this.#forward, this.#delete]) button.setAttribute("aria-disabled", `${!count}`);
  }

  /** Messages that are gone are selected no more. */
  #forget() {
    const { conversation } = this.#context;
    if (conversation.isGone) return this.end();
    const left = this.#messages.length;
    if (left === this.#chosen.size) return;
    this.#chosen = new Set(this.#messages.map(({ messageID = "" }) => messageID));
    this.#draw();
  }

  /** @param {MouseEvent} event */
  #pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest("[data-key]"));
    event.stopPropagation();
    const choice = target.matches(".choice") ? /** @type {HTMLInputElement} */ (target) : null;
    if (!choice) event.preventDefault();
    const item = row && this.#timeline.itemAt(row);
    if (!row || !item) return;
    const isPart = item.kind === "message" && target.closest("[data-part]");
    const messages = messagesOf(isPart ? this.#extras.partAt(target, item) : item);
    if (!messages.length) return;
    const before = this.#chosen.size;
    this.#toggle(messages);
    // A checkbox that was pressed would change by itself.
    if (this.#chosen.size === before) event.preventDefault();
    else this.mark(row, item);
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.end();
      return;
    }
    if (!target.matches("[data-key]")) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      const item = this.#timeline.itemAt(target);
      const messages = item ? messagesOf(item) : [];
      if (!item || !messages.length) return;
      this.#toggle(messages);
      this.mark(target, item);
    } else if (event.key.length === 1) {
      event.stopPropagation();
    }
  }

  #openForward() {
    const { t, toasts } = this.#context;
    const messages = this.#messages;
    if (!messages.length) return;
    if (messages.every(mayForward)) openForward(this.#context, messages, () => this.end());
    else toasts.show(t("select.notForwarded"));
  }

  #openDelete() {
    const { t, root, conversation, client, fail, toasts } = this.#context;
    const messages = this.#messages;
    const count = messages.length;
    if (!count) return;
    const ids = messages.map(({ messageID = "" }) => messageID);
    /** @param {Promise<unknown>} work */
    const done = (work) => work.then(() => this.end(), fail);
    const mayDelete = conversation.channel?.kind !== "open";
    const mayRecallAll = messages.every((message) =>
      !message.recall && mayRecall(this.#context, message, message.senderID === client.user.userID));
    const forMe = () => askFirst(this.#context, {
      title: t("deleteForMe.title", { count }), text: t("deleteForMe.text"), action: t("delete"),
    }, () => done(conversation.deleteForMe(ids)));
    const forAll = () => askFirst(this.#context, {
      title: t("recall.title", { count }), text: t("recall.text"), action: t("recall.confirm"),
    }, () => done(conversation.recall(ids)));
    if (mayDelete && mayRecallAll) {
      openMenu(root, { label: t("delete"), anchor: this.#delete, items: [
        { label: t("message.deleteForMe"), icon: "trash", isDanger: true, action: forMe },
        { label: t("message.recall"), icon: "recall", isDanger: true, action: forAll },
      ] });
    } else if (mayDelete) {
      forMe();
    } else if (mayRecallAll) {
      forAll();
    } else {
      toasts.show(t("select.notDeleted"));
    }
  }
}

/**
 * Takes from a row what shows whether it is selected.
 *
 * @param {Element} row
 */
function unmark(row) {
  const parts = row.querySelectorAll(".choice, .choice-state");
  if (!parts.length) return;
  for (const part of parts) part.remove();
  row.removeAttribute("aria-describedby");
}

/**
 * The messages of an item that the server knows.
 *
 * @param {Item} item
 * @returns {Message[]}
 */
function messagesOf(item) {
  if (item.kind !== "message") return [];
  return (item.parts ?? [item]).map(({ message }) => message).filter(({ messageID }) => messageID);
}
