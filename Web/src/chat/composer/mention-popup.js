import "../../texts/more.js";
import { h, refill, set } from "../../ui/dom.js";
import { avatar } from "../../ui/avatar.js";
import { adopt, css } from "../../ui/styles.js";
import { beginsWith } from "../../client/conversation-members.js";
import { completeEmoji, completeMention, emojiName, emojiQuery, mentionQuery, withWritten } from "./mention-search.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").Mention} Mention */
/** @typedef {{userID: string, name: string, imageURL?: string}} Person */
/** @typedef {Person | import("./emoji-search.js").Emoji} Candidate */

const styles = css(`
.suggestions { position: absolute; inset: auto 0 calc(100% + 8px); z-index: 4; max-height: 260px; overflow: auto;
  padding: 6px; border-radius: 14px; background: var(--roost-surface); box-shadow: var(--roost-shadow); }
.suggestions .item { cursor: pointer; }
.suggestions .sign-of-emoji { width: 28px; font-size: 22px; text-align: center; }
.suggestions [aria-selected="true"] { background: var(--roost-hover); box-shadow: inset 0 0 0 2px var(--roost-accent); }
`);

const maxShown = 8;
let count = 0;

/**
 * The list that opens above the field while a name is typed: of members after an `@`, of emoji after a `:`. The focus
 * stays in the field, which names the active option; Enter and Tab choose it. The name of an emoji between two colons
 * becomes the emoji.
 */
export class MentionPopup {
  /**
   * @param {Context} context
   * @param {HTMLTextAreaElement} field
   * @param {(completed: {text: string, mentions: Mention[], cursor: number}) => void} oncomplete
   */
  constructor(context, field, oncomplete) {
    this.#context = context;
    this.#field = field;
    this.#oncomplete = oncomplete;
    this.#id = `roost-mentions-${(count += 1)}`;
    this.element = h("ul", {
      class: "suggestions", role: "listbox", id: this.#id, hidden: true,
      // It scrolls, so it has to be reachable; a press beside an option leaves the focus in the field.
      tabindex: "0", onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
    });
    adopt(context.root, styles);
    set(field, { "aria-autocomplete": "list", "aria-haspopup": "listbox" });
  }

  #context;
  #field;
  #oncomplete;
  #id;
  /** @type {Candidate[]} */
  #candidates = [];
  #active = 0;
  /** @type {import("./mention-search.js").MentionQuery | null} */
  #query = null;
  /** @type {Mention[]} */
  #mentions = [];
  #text = "";
  /** The `@` or `:` whose list the user has closed. */
  #closedAt = -1;
  /** @type {typeof import("./emoji-search.js") | null} */
  #search = null;
  /** @type {import("./emoji-search.js").Collection | null} */
  #emoji = null;

  /**
   * Shows the members or the emoji that match the text before the cursor.
   *
   * @param {string} text
   * @param {Mention[]} mentions
   */
  update(text, mentions) {
    const { selectionStart: start, selectionEnd: end } = this.#field;
    const name = start === end && text !== this.#text ? emojiName(text, start) : null;
    this.#text = text;
    this.#mentions = mentions;
    const query = start !== end ? null : emojiQuery(text, start) ?? mentionQuery(text, start);
    if (!name && query?.start === this.#query?.start && query?.prefix === this.#query?.prefix) return;
    const isMention = mentions.some((mention) => mention.start === query?.start);
    if (query?.start !== this.#closedAt) this.#closedAt = -1;
    this.#query = query;
    if (name) this.#replaceName(name);
    const isOpen = query && !isMention && this.#closedAt < 0;
    if (isOpen && text[query.start] === ":") this.#showEmoji(query);
    else this.#show(isOpen ? this.#find(query.prefix).slice(0, maxShown) : []);
  }

  async #loadEmoji() {
    if (this.#emoji) return this.#emoji;
    this.#search = await import("./emoji-search.js");
    return (this.#emoji = await this.#search.loadEmoji(this.#context.t.language));
  }

  /** @param {import("./mention-search.js").MentionQuery} query */
  async #showEmoji(query) {
    const emoji = await this.#loadEmoji().catch(() => null);
    if (this.#query === query) this.#show(emoji?.find(query.prefix).slice(0, maxShown) ?? []);
  }

  /** @param {import("./mention-search.js").MentionQuery} query */
  async #replaceName(query) {
    const text = this.#text;
    const emoji = (await this.#loadEmoji().catch(() => null))?.exact(query.prefix);
    if (emoji && this.#text === text && this.#field.value === text) this.#complete(query, emoji);
  }

  /** Closes the list. */
  close() {
    this.#query = null;
    this.#show([]);
  }

  /**
   * Takes a key that is for the list.
   *
   * @param {KeyboardEvent} event
   * @returns {boolean} whether it was
   */
  keyPressed({ key }) {
    const last = this.#candidates.length - 1;
    if (last < 0) return false;
    if (key === "ArrowDown") this.#activate(this.#active < last ? this.#active + 1 : 0);
    else if (key === "ArrowUp") this.#activate(this.#active > 0 ? this.#active - 1 : last);
    else if (key === "Enter" || key === "Tab") this.#choose(this.#active);
    else if (key === "Escape") {
      this.#closedAt = this.#query?.start ?? -1;
      this.#show([]);
    } else return false;
    return true;
  }

  /**
   * The mentions of a text, with those that were written out in full.
   *
   * @param {string} text
   * @param {Mention[]} mentions those that were chosen
   */
  written(text, mentions) {
    const { conversation, client } = this.#context;
    // Without their order, which takes long in a large group.
    const people = conversation.channel?.kind === "open" ? this.#find("") :
      conversation.members.filter(({ userID }) => userID !== client.user.userID);
    return withWritten(text, mentions, people, client.limits?.mentions ?? 50);
  }

  /**
   * @param {string} prefix
   * @returns {Person[]}
   */
  #find(prefix) {
    const { conversation, client } = this.#context;
    if (conversation.channel?.kind !== "open") return conversation.mentionCandidates(prefix);
    // Nobody has the list of those in an open channel: offer who wrote last.
    /** @type {Map<string, Person>} */
    const known = new Map();
    const wanted = prefix.toLowerCase();
    for (const item of conversation.items.slice(-200).reverse()) {
      if (item.kind !== "message" || item.isOwn) continue;
      const { senderID, senderName = "", senderImageURL } = item.message;
      if (!senderID || senderID === client.user.userID) continue;
      const person = { userID: senderID, name: senderName || senderID, imageURL: senderImageURL };
      if (beginsWith(person, wanted)) known.set(senderID, person);
    }
    return [...known.values()];
  }

  /** @param {Candidate[]} candidates */
  #show(candidates) {
    if (!candidates.length && !this.#candidates.length) return;
    const { t, client, live } = this.#context;
    const wasOpen = this.#candidates.length > 0;
    this.#candidates = candidates;
    const isEmoji = candidates.some((each) => "emoji" in each);
    this.element.setAttribute("aria-label", t(isEmoji ? "emoji.title" : "composer.mentions"));
    refill(this.element, candidates.map((each, index) => h(
      "li", {
        role: "option", id: `${this.#id}-${index}`, class: "item", "aria-selected": "false",
        onclick: () => this.#choose(index),
      },
      "emoji" in each ? [
        h("span", { class: "sign-of-emoji", "aria-hidden": "true" }, this.#search?.toned(each)),
        h("span", { class: "ellipsis" }, each.name),
      ] : [
        avatar({ id: each.userID, ...each }, { size: 28, resolve: (url) => client.imageURL(url) }),
        h("bdi", { class: "ellipsis" }, each.name),
        h("bdi", { class: "hint ellipsis" }, each.userID),
      ],
    )));
    this.element.hidden = !candidates.length;
    set(this.#field, { "aria-controls": candidates.length ? this.#id : null, "aria-activedescendant": null });
    if (!candidates.length) return;
    this.#activate(0);
    if (!wasOpen) live.note(t("announce.suggestions", { count: candidates.length }));
  }

  /** @param {number} index */
  #activate(index) {
    this.#active = index;
    for (const [at, option] of [...this.element.children].entries()) {
      set(option, { "aria-selected": `${at === index}` });
      if (at === index) option.scrollIntoView({ block: "nearest" });
    }
    set(this.#field, { "aria-activedescendant": `${this.#id}-${index}` });
  }

  /** @param {number} index */
  #choose(index) {
    const candidate = this.#candidates[index];
    const query = this.#query;
    if (candidate && query) this.#complete(query, candidate);
  }

  /**
   * @param {import("./mention-search.js").MentionQuery} query
   * @param {Candidate} candidate
   */
  #complete(query, candidate) {
    this.#show([]);
    this.#query = null;
    const [text, mentions] = [this.#text, this.#mentions];
    this.#oncomplete("emoji" in candidate
      ? completeEmoji(query, this.#search?.toned(candidate) ?? candidate.emoji, text, mentions)
      : completeMention(query, candidate, text, mentions));
    this.#field.focus({ preventScroll: true });
  }
}
