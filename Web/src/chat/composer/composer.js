import { focused, h, on, set, setText } from "../../ui/dom.js";
import { composerButton } from "./composer-button.js";
import { movedMentions } from "./composer-mentions.js";
import { ComposerReply } from "./composer-reply.js";
import {
  loadAttachments, loadMentionPopup, openComposerMenu, openEmojiPicker, showNote, showSchedules,
} from "../lazy.js";
import { VoiceButton, mayRecord } from "./voice-button.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").Message} Message */
/** @typedef {import("../../client/types.js").DraftFile} DraftFile */

/** From so few characters that are left, the counter shows. */
const counterFrom = 200;

/**
 * The field below the messages: text with a kept draft, mentions, an answer, files, emoji, voice messages, votes and
 * scheduled messages. Enter sends, Shift+Enter begins a new line; Escape closes a popup, then the reply.
 */
export class Composer {
  /**
   * @param {Context} context
   * @param {{onsend: () => void, onleave: () => void}} options `onsend` after anything was sent; `onleave` for ArrowUp
   *   in an empty field
   */
  constructor(context, { onsend, onleave }) {
    const { t, signal } = context;
    this.#context = context;
    this.#onsend = onsend;
    this.#onleave = onleave;
    this.field = h("textarea", {
      class: "field-text", rows: "1", part: "field", "aria-label": t("composer.label"),
      enterkeyhint: "send", autocapitalize: "sentences", autocomplete: "off",
    });
    this.#grow = h("div", { class: "grow-field" }, this.field);
    this.#counter = h("span", { class: "counter", hidden: true });
    this.#attach = composerButton(context, "composer.more", "add", () => this.#openMore());
    this.#emoji = composerButton(context, "composer.emoji", "emoji", () => this.#openEmoji());
    this.#emoji.classList.add("emoji-button");
    this.#send = composerButton(context, "composer.send", "send", () => this.send());
    this.#send.classList.add("primary");
    this.#reply = new ComposerReply(context, () => this.reply(null));
    this.#scheduled = h("div", { class: "scheduled", hidden: true });
    this.#line = h("div", { class: "line" }, this.#attach, this.#grow, this.#emoji);
    this.#voice = new VoiceButton(context, this.#line, {
      onpart: () => this.#keep(), onend: (recorded) => this.#sendVoice(recorded),
    });
    this.#line.append(this.#voice.element, this.#send);
    this.#note = h("p", { class: "note", hidden: true });
    this.#bar = h(
      "div", { class: "bar" }, this.#scheduled, this.#reply.element, this.#line, this.#voice.bar, this.#counter,
    );
    this.element = h("div", { class: "composer", part: "composer" }, this.#bar, this.#note);
    on(this.field, "input", () => this.#edited(), signal);
    on(this.field, "keydown", (event) => this.#keyPressed(event), signal);
    on(this.field, "paste", (event) => this.#pasted(event), signal);
    on(this.field, "select click keyup", () => this.#popup?.update(this.#text, this.#mentions), signal);
    on(this.field, "blur", () => this.#popup?.close(), signal);
    on(signal, "abort", () => this.#files?.end());
    this.update();
    const { text, mentions, replyTo, files } = context.conversation.draft;
    this.#mentions = mentions;
    this.#waiting = files;
    this.#reply.show(replyTo);
    this.#setText(text);
    if (files.length) this.#attachments();
  }

  #context;
  #onsend;
  #onleave;
  #grow;
  #counter;
  #attach;
  #emoji;
  #send;
  #voice;
  #reply;
  #scheduled;
  /** @type {import("./mention-popup.js").MentionPopup | null} */
  #popup = null;
  /** @type {import("./attachments.js").Attachments | null} */
  #files = null;
  /** The files of the draft until they are shown. */
  #waiting = /** @type {DraftFile[]} */ ([]);
  #line;
  #note;
  #bar;
  #text = "";
  /** @type {import("../../client/types.js").Mention[]} */
  #mentions = [];
  /**
   * What was shown last, so that a change of something else draws nothing here.
   * @type {any}
   */
  #shown = {};

  /** Moves the focus into the field, if there is one. */
  focus() {
    if (!this.#bar.hidden) this.field.focus({ preventScroll: true });
  }

  /** Shows what has changed in the conversation. */
  update() {
    const { conversation, t } = this.#context;
    const { isGone, channel, schedules, canWrite } = conversation;
    if (this.#shown.canWrite !== canWrite || this.#shown.isGone !== isGone) {
      const hadFocus = this.element.contains(focused());
      this.#bar.hidden = !canWrite;
      this.#note.hidden = true;
      if (!canWrite) showNote(this.#context, this.#note);
      if (hadFocus && !canWrite) this.#onleave();
    }
    if (this.#shown.name !== channel?.name) {
      this.field.placeholder = channel?.kind === "single" ?
        t("composer.placeholderTo", { name: channel.name }) : t("composer.placeholder");
    }
    if (this.#shown.schedules !== schedules && (schedules.length || this.#shown.schedules?.length)) {
      showSchedules(this.#context, this.#scheduled);
    }
    this.#shown = { canWrite, isGone, name: channel?.name, schedules };
  }

  /**
   * Answers a message with the next one; null ends that.
   *
   * @param {Message | null} message
   */
  reply(message) {
    this.#reply.show(message);
    this.#keep();
    this.focus();
  }

  /** Keeps what is there as the draft. */
  #keep() {
    const files = [...this.#files?.files ?? this.#waiting, ...this.#voice.files];
    const replyTo = this.#reply.message;
    this.#context.conversation.setDraft({ text: this.#text, mentions: this.#mentions, replyTo, files });
  }

  /** Sends what is there: files with the text as their caption, or the text. Nothing if there is nothing. */
  async send() {
    const { conversation } = this.#context;
    // Both are there unless they are still being loaded.
    if (this.#text.includes("@") && !this.#popup) await this.#showCandidates().catch(() => {});
    if (this.#waiting.length && !(await this.#attachments())) return;
    const text = this.#text;
    const replyTo = this.#reply.message ?? undefined;
    const hasText = /\S/.test(text);
    if (!conversation.canWrite || this.#left < 0 || !(hasText || this.#fileCount)) return;
    const mentions = hasText ? this.#popup?.written(text, this.#mentions) ?? this.#mentions : [];
    if (this.#fileCount) this.#files?.send({ text: hasText ? text : "", mentions, replyTo });
    else conversation.send({ text, mentions, replyTo });
    this.#mentions = [];
    this.#setText("");
    this.#edited();
    this.reply(null);
    this.#onsend();
  }

  /**
   * Adds files to what is sent next.
   *
   * @param {File[]} files
   */
  async addFiles(files) {
    (await this.#attachments())?.add(files);
  }

  async #attachments() {
    try {
      const { Attachments } = await loadAttachments();
      if (!this.#files) {
        this.#files = new Attachments(this.#context, () => {
          this.#refresh();
          this.#keep();
        });
        this.#line.before(this.#files.element);
        this.#files.restore(this.#waiting);
        this.#waiting = [];
      }
    } catch (error) {
      this.#context.fail(error);
    }
    return this.#files;
  }

  get #fileCount() {
    return this.#files?.count ?? this.#waiting.length;
  }

  /** Shows who can be mentioned, and which emoji have the name that is being typed. */
  async #showCandidates() {
    if (!this.#popup && !/[@:]/.test(this.#text)) return;
    if (!this.#popup) {
      const { MentionPopup } = await loadMentionPopup();
      this.#popup ??= new MentionPopup(this.#context, this.field, (completed) => {
        this.#mentions = completed.mentions;
        this.#setText(completed.text, completed.cursor);
        this.#edited();
      });
      this.#bar.prepend(this.#popup.element);
    }
    this.#popup.update(this.#text, this.#mentions);
  }

  get #left() {
    return (this.#context.client.limits?.textLength ?? 8000) - this.#text.length;
  }

  /**
   * @param {string} text
   * @param {number} [cursor]
   */
  #setText(text, cursor = text.length) {
    this.field.value = text;
    this.field.setSelectionRange(cursor, cursor);
    this.#text = text;
    this.#refresh();
  }

  #edited() {
    const { conversation } = this.#context;
    const text = this.field.value;
    this.#mentions = movedMentions(this.#mentions, this.#text, text);
    this.#text = text;
    this.#keep();
    if (text) conversation.userIsTyping();
    else conversation.userStoppedTyping();
    this.#refresh();
    this.#showCandidates().catch(() => {});
  }

  #refresh() {
    const { t } = this.#context;
    // The copy of the text behind the field gives the field its height, without measuring anything.
    this.#grow.dataset.text = this.#text;
    // With "auto" the hint of an empty field is on the left. A style that changes that makes Firefox draw none.
    this.field.dir = this.#text ? "auto" : t.dir;
    const left = this.#left;
    const hasContent = /\S/.test(this.#text) || this.#fileCount > 0;
    this.#send.disabled = !hasContent || left < 0;
    this.#voice.element.hidden = hasContent || !mayRecord;
    this.#send.hidden = !this.#voice.element.hidden;
    const isCounted = left <= counterFrom;
    this.#counter.hidden = !isCounted;
    if (!isCounted) return;
    setText(this.#counter, left < 0 ? t("composer.tooLong", { count: -left }) :
      t("composer.charactersLeft", { count: left }));
    this.#counter.classList.toggle("is-near", left <= 10);
    set(this.field, { "aria-invalid": left < 0 ? "true" : null });
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    // 229: a key of an input method that has no composition events.
    if (event.isComposing || event.keyCode === 229) return;
    if (this.#popup?.keyPressed(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape" && this.#reply.message) {
      event.preventDefault();
      event.stopPropagation();
      this.reply(null);
    } else if (event.key === "ArrowUp" && !this.#text && !event.shiftKey) {
      event.preventDefault();
      this.#onleave();
    }
  }

  /** @param {ClipboardEvent} event */
  #pasted(event) {
    const files = [...event.clipboardData?.files ?? []];
    // A text from an office program comes with a picture of itself.
    if (!files.length || event.clipboardData?.types.includes("text/plain")) return;
    event.preventDefault();
    this.addFiles(files);
  }

  #openMore() {
    openComposerMenu(this.#context, {
      anchor: this.#attach,
      returnTo: this.field,
      text: this.#left < 0 || this.#fileCount ? "" : this.#text,
      mentions: () => this.#popup?.written(this.#text, this.#mentions) ?? this.#mentions,
      pick: async (accept) => (await this.#attachments())?.pick(accept),
      onsend: this.#onsend,
      onscheduled: () => {
        this.#mentions = [];
        this.#setText("");
        this.#edited();
      },
    });
  }

  #openEmoji() {
    // When the focus comes back, the cursor may be at the beginning.
    const { selectionStart: start, selectionEnd: end } = this.field;
    openEmojiPicker(this.#context, { anchor: this.#emoji, returnTo: this.field, onpick: (emoji) => {
      this.field.setRangeText(emoji, start, end, "end");
      this.#edited();
    } });
  }

  /** @param {DraftFile | null} recorded null if the user has discarded it */
  #sendVoice(recorded) {
    this.focus();
    if (!recorded) return;
    const { file, ...about } = recorded;
    this.#context.conversation.sendFile(file, { ...about, replyTo: this.#reply.message ?? undefined });
    this.reply(null);
    this.#onsend();
  }
}
