import "../../texts/more.js";
import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openMenu } from "../../ui/menu.js";
import { openForm } from "../form-dialog.js";

/** @typedef {import("../context.js").Context} Context */

const minute = 60_000;
const maxOptions = 20;

/**
 * Asks when to send a text, and has the server send it then.
 *
 * @param {Context} context
 * @param {{text: string, mentions: () => import("../../client/types.js").Mention[]}} content
 * @param {() => void} ondone
 */
function openScheduleDialog(context, { text, mentions }, ondone) {
  const { t, times, conversation, client, toasts } = context;
  const now = client.serverTime;
  const { scheduleMinMs = minute, scheduleMaxMs = 30 * 24 * 60 * minute } = client.limits ?? {};
  /** @param {number} days @returns {number} nine o'clock on that day */
  const morning = (days) => times.inputTime(`${times.inputText(now + days * 24 * 60 * minute).slice(0, 10)}T09:00`);
  const weekday = new Date(Date.parse(`${times.inputText(now).slice(0, 10)}T12:00Z`)).getUTCDay();
  const field = h("input", {
    class: "input", type: "datetime-local", required: true, value: times.inputText(now + 60 * minute),
    min: times.inputText(now + scheduleMinMs), max: times.inputText(now + scheduleMaxMs),
  });
  /** @type {[import("../../texts/texts.js").Key, number][]} */
  const presets = [
    ["schedule.inOneHour", now + 60 * minute],
    ["schedule.tomorrow", morning(1)],
    ["schedule.monday", morning(((8 - weekday) % 7) || 7)],
  ];
  openForm(context, {
    title: t("schedule.title"),
    action: t("schedule.submit"),
    fields: [
      h("blockquote", { class: "excerpt", dir: "auto" }, text.length > 200 ? `${text.slice(0, 199)}…` : text),
      h("div", { class: "presets" }, presets.map(([key, at]) => h("button", {
        type: "button", class: "button", onclick: () => (field.value = times.inputText(at)),
      }, t(key)))),
      h("label", { class: "field" }, h("span", null, t("schedule.at")), field),
    ],
    submit: async () => {
      const at = times.inputTime(field.value);
      if (!(at - client.serverTime > scheduleMinMs)) {
        throw t("schedule.tooSoon", { duration: times.durationLabel(scheduleMinMs) });
      }
      if (at - client.serverTime > scheduleMaxMs) {
        throw t("schedule.tooLate", { duration: times.durationLabel(scheduleMaxMs) });
      }
      await conversation.schedule({ text, mentions: mentions(), at });
      toasts.show(t("schedule.done", { time: times.momentText(at, client.serverTime) }));
      ondone();
    },
  });
}

/**
 * Asks for a question with options, and creates the vote.
 *
 * @param {Context} context
 * @param {() => void} ondone
 */
function openVoteDialog(context, ondone) {
  const { t, times, conversation } = context;
  /** @param {{autofocus?: boolean}} [more] */
  const textField = (more) => {
    // With "auto" an empty field begins on the left.
    const input = h("input", { class: "input", maxlength: "1000", dir: t.dir, ...more,
      oninput: () => (input.dir = input.value ? "auto" : t.dir) });
    return input;
  };
  const question = textField({ autofocus: true });
  const list = h("div", { class: "options" });
  const choices = h("input", { class: "input", type: "number", min: "1", max: `${maxOptions}`, value: "1",
    inputmode: "numeric" });
  const closesAt = h("input", { class: "input", type: "datetime-local" });
  const isSecret = h("input", { type: "checkbox" });
  const canChange = h("input", { type: "checkbox", checked: true });
  const inputs = () => [...list.querySelectorAll("input")];
  const renumber = () => inputs().forEach((input, index) => {
    input.setAttribute("aria-label", t("vote.option", { number: index + 1 }));
    input.placeholder = t("vote.option", { number: index + 1 });
    const remove = /** @type {HTMLButtonElement} */ (input.nextElementSibling);
    remove.setAttribute("aria-label", t("vote.removeOption", { number: index + 1 }));
    remove.disabled = inputs().length <= 2;
    add.disabled = inputs().length >= maxOptions;
  });
  const addOption = () => {
    const input = textField();
    const remove = () => {
      row.remove();
      renumber();
      inputs()[0].focus();
    };
    const row = h("div", { class: "option-row" }, input,
      h("button", { type: "button", class: "icon-button", onclick: remove }, icon("close")));
    list.append(row);
    renumber();
    return input;
  };
  const add = h("button", { type: "button", class: "button quiet", onclick: () => addOption().focus() },
    icon("add"), t("vote.addOption"));
  addOption();
  addOption();
  /** @param {HTMLElement} input @param {string} label @param {string} [hint] */
  const check = (input, label, hint) => h("label", { class: "check" }, input,
    h("span", null, label, hint && h("span", { class: "hint" }, hint)));
  openForm(context, {
    title: t("vote.new"),
    action: t("vote.submit"),
    fields: [
      h("label", { class: "field" }, h("span", null, t("vote.question")), question),
      list, add,
      h("label", { class: "field" }, h("span", null, t("vote.choices")), choices),
      check(isSecret, t("vote.secret"), t("vote.secretHint")),
      check(canChange, t("vote.canChange")),
      h("label", { class: "field" }, h("span", null, `${t("vote.closesAt")} (${t("optional")})`), closesAt),
    ],
    submit: async () => {
      const options = [...new Set(inputs().map((input) => input.value.trim()).filter(Boolean))];
      if (!question.value.trim()) {
        question.focus();
        throw t("vote.noQuestion");
      }
      if (options.length < 2) {
        inputs().find((input) => !input.value.trim())?.focus();
        throw t("vote.fewOptions");
      }
      const at = times.inputTime(closesAt.value);
      await conversation.createVote({
        question: question.value.trim(),
        options,
        choices: Math.max(1, Math.min(options.length, Number(choices.value) || 1)),
        canChange: canChange.checked,
        ...(isSecret.checked && { isSecret: true }),
        ...(closesAt.value && { closesAt: at }),
      });
      ondone();
    },
  });
}

/**
 * Opens what else can be sent: files, a vote, and the text at another time.
 *
 * @param {Context} context
 * @param {{anchor: Element, returnTo: HTMLElement, text: string,
 *   mentions: () => import("../../client/types.js").Mention[], pick: (accept?: string) => void, onsend: () => void,
 *   onscheduled: () => void}} options `text` is the one to send later; empty if it cannot be
 */
export function openComposerMenu(context, { anchor, returnTo, text, mentions, pick, onsend, onscheduled }) {
  const { t, root, client } = context;
  openMenu(root, {
    label: t("composer.more"),
    anchor,
    returnTo,
    items: [
      { label: t.list([t("preview.picture"), t("preview.film")], "disjunction"), icon: "image",
        action: () => pick("image/*,video/*,.mov") },
      { label: t("composer.attach"), icon: "file", action: () => pick() },
      ...client.options.isVisitor ? [] : /** @type {import("../../ui/menu.js").MenuItem[]} */ ([
        { label: t("composer.vote"), icon: "vote", action: () => openVoteDialog(context, onsend) },
        { label: t("composer.schedule"), icon: "clock", isDisabled: !/\S/.test(text),
          action: () => openScheduleDialog(context, { text, mentions }, onscheduled) },
      ]),
    ],
  });
}
