import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { openForm } from "../form-dialog.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../texts/texts.js").Texts} Texts */

const maxOptions = 20;

/**
 * Asks for a question with options, and creates the vote.
 *
 * @param {Context} context
 * @param {() => void} ondone
 */
export function openVoteDialog(context, ondone) {
  const { t, times, conversation } = context;
  const question = textField(t, { autofocus: true });
  const options = new OptionFields(t);
  const choices = h("input", { class: "input", type: "number", min: "1", max: `${maxOptions}`, value: "1",
    inputmode: "numeric" });
  const closesAt = h("input", { class: "input", type: "datetime-local" });
  const isSecret = h("input", { type: "checkbox" });
  const canChange = h("input", { type: "checkbox", checked: true });
  /** @param {HTMLElement} input @param {string} label @param {string} [hint] */
  const check = (input, label, hint) => h("label", { class: "check" }, input,
    h("span", null, label, hint && h("span", { class: "hint" }, hint)));
  openForm(context, {
    title: t("vote.new"),
    action: t("vote.submit"),
    fields: [
      h("label", { class: "field" }, h("span", null, t("vote.question")), question),
      options.list, options.add,
      h("label", { class: "field" }, h("span", null, t("vote.choices")), choices),
      check(isSecret, t("vote.secret"), t("vote.secretHint")),
      check(canChange, t("vote.canChange")),
      h("label", { class: "field" }, h("span", null, `${t("vote.closesAt")} (${t("optional")})`), closesAt),
    ],
    submit: async () => {
      if (!question.value.trim()) {
        question.focus();
        throw t("vote.noQuestion");
      }
      const { values } = options;
      if (values.length < 2) {
        options.focusEmpty();
        throw t("vote.fewOptions");
      }
      const at = times.inputTime(closesAt.value);
      await conversation.createVote({
        question: question.value.trim(),
        options: values,
        choices: Math.max(1, Math.min(values.length, Number(choices.value) || 1)),
        canChange: canChange.checked,
        ...(isSecret.checked && { isSecret: true }),
        ...(closesAt.value && { closesAt: at }),
      });
      ondone();
    },
  });
}

/**
 * @param {Texts} t
 * @param {{autofocus?: boolean}} [more]
 */
function textField(t, more) {
  // With "auto" an empty field begins on the left.
  const input = h("input", { class: "input", maxlength: "1000", dir: t.dir, ...more,
    oninput: () => (input.dir = input.value ? "auto" : t.dir) });
  return input;
}

/** The fields for the options of a vote, two at first. */
class OptionFields {
  /** @param {Texts} t */
  constructor(t) {
    this.#t = t;
    this.add = h("button", { type: "button", class: "button quiet", onclick: () => this.#append().focus() },
      icon("add"), t("vote.addOption"));
    this.#append();
    this.#append();
  }

  #t;
  list = h("div", { class: "options" });

  /** What was entered, each text once. */
  get values() {
    return [...new Set(this.#inputs.map((input) => input.value.trim()).filter(Boolean))];
  }

  /** Moves the focus into the first field that is empty. */
  focusEmpty() {
    this.#inputs.find((input) => !input.value.trim())?.focus();
  }

  get #inputs() {
    return [...this.list.querySelectorAll("input")];
  }

  #append() {
    const input = textField(this.#t);
    const remove = () => {
      row.remove();
      this.#renumber();
      this.#inputs[0].focus();
    };
    const row = h("div", { class: "option-row" }, input,
      h("button", { type: "button", class: "icon-button", onclick: remove }, icon("close")));
    this.list.append(row);
    this.#renumber();
    return input;
  }

  #renumber() {
    const t = this.#t;
    const inputs = this.#inputs;
    inputs.forEach((input, index) => {
      input.setAttribute("aria-label", t("vote.option", { number: index + 1 }));
      input.placeholder = t("vote.option", { number: index + 1 });
      const remove = /** @type {HTMLButtonElement} */ (input.nextElementSibling);
      remove.setAttribute("aria-label", t("vote.removeOption", { number: index + 1 }));
      remove.disabled = inputs.length <= 2;
    });
    this.add.disabled = inputs.length >= maxOptions;
  }
}
