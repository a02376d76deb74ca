import "../../texts/more.js";
import { h, set } from "../../ui/dom.js";
import { adopt, css } from "../../ui/styles.js";
import { askToCloseVote } from "../lazy.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */

const styles = css(`
.vote { display: grid; gap: 4px; width: 280px; max-width: 100%; margin: 6px 0 0; padding: 0; border: 0; }
.option { position: relative; display: flex; align-items: center; gap: 10px; min-height: 44px; padding: 6px 12px;
  border-radius: 10px; cursor: pointer; overflow: hidden; isolation: isolate; background:
  color-mix(in srgb, var(--roost-text) 5%, transparent); }
.option::before { content: ""; position: absolute; inset-block: 0; inset-inline-start: 0; z-index: -1;
  width: var(--share); background: color-mix(in srgb, var(--roost-accent) 22%, transparent);
  transition: width 240ms var(--roost-ease); }
.option input { width: 18px; height: 18px; margin: 0; flex: none; accent-color: var(--roost-accent); cursor: inherit; }
.option:has(:disabled) { cursor: default; }
.option.is-own { font-weight: 600; }
.option:has(:focus-visible) { outline: 2px solid var(--roost-accent); outline-offset: -2px; }
.result { font-size: var(--roost-size-1); font-variant-numeric: tabular-nums; }
.vote-buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.vote .hint { display: flex; align-items: end; justify-content: space-between; gap: 8px; }
.vote .meta { float: none; margin: 0; margin-inline: auto -2px; }
.vote-buttons:not(:has(:not([hidden]))) { display: none; }
@media (forced-colors: active) { .option { border: 1px solid CanvasText; } }
`);

/**
 * Draws a vote: its question is the text of the message; here are the options with their results, and what one may do.
 * One choice of a vote that can be changed is sent at once; otherwise a button sends the choices.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {HTMLElement} meta time and state of the message
 * @returns {HTMLElement}
 */
export function voteView(context, item, meta) {
  adopt(context.root, styles);
  const { t, conversation, fail, client } = context;
  const { message, vote: state } = item;
  const rules = message.vote ?? { options: [] };
  const { choices = 1, canChange = false } = rules;
  const own = new Set(state?.ownOptions ?? []);
  const isOpen = state?.phase === "open" && conversation.canWrite;
  const mayChoose = isOpen && (canChange || !own.size);
  const { counts, voters = 0 } = state?.tally ?? { counts: undefined };
  const sendsAtOnce = canChange && choices === 1;
  const messageID = message.messageID ?? "";

  /** @param {number[]} options */
  const cast = async (options) => {
    form.setAttribute("aria-busy", "true");
    try {
      await conversation.vote(messageID, options);
    } catch (error) {
      fail(error);
      inputs.forEach((input, index) => (input.checked = own.has(index)));
      changed();
    }
    form.removeAttribute("aria-busy");
  };

  const inputs = rules.options.map((_, index) => h("input", {
    type: choices > 1 ? "checkbox" : "radio", name: `vote-${messageID}`, checked: own.has(index), disabled: !mayChoose,
    onchange: () => (sendsAtOnce ? cast([index]) : changed()),
  }));
  const options = rules.options.map((option, index) => optionView(context, inputs[index], {
    text: option.text || t("vote.option", { number: index + 1 }), isOwn: own.has(index), count: counts?.[index] ?? 0,
    share: !counts ? null : voters ? (counts[index] ?? 0) / voters : 0,
  }));
  const send = h("button", {
    type: "button", class: "button primary", hidden: true,
    onclick: () => cast(inputs.flatMap((input, index) => (input.checked ? [index] : []))),
  }, t(own.size ? "vote.change" : "vote.cast"));
  const changed = () => {
    const chosen = inputs.filter((input) => input.checked).length;
    const isSame = inputs.every((input, index) => input.checked === own.has(index));
    send.hidden = !mayChoose || isSame;
    send.disabled = chosen > choices || (!chosen && !canChange);
  };

  const role = conversation.channel?.role;
  const mayClose = isOpen && (message.senderID === client.user.userID || role === "admin" || role === "moderator");
  const form = h(
    "fieldset", { class: "vote" },
    h("legend", { class: "visually-hidden" }, t("vote.label")),
    options,
    h("p", { class: "hint" }, h("span", null, statusText(context, item, mayChoose)), meta),
    h("span", { class: "vote-buttons" }, send, mayClose && h("button", {
      type: "button", class: "button quiet",
      onclick: () => askToCloseVote(context, messageID),
    }, t("vote.close"))),
  );
  set(form, { "aria-label": message.text || t("vote.label") });
  return form;
}

/**
 * An option with its result.
 *
 * @param {Context} context
 * @param {HTMLInputElement} input
 * @param {{text: string, isOwn: boolean, count: number, share: number | null}} option `share` is null while the results
 *   are not known
 */
function optionView({ t }, input, { text, isOwn, count, share }) {
  return h(
    "label", { class: `option ${isOwn ? "is-own" : ""}`, css: { "--share": `${(share ?? 0) * 100}%` } },
    input, h("span", { class: "grow", dir: "auto" }, text),
    share !== null && h("span", {
      class: "result", title: t("vote.result", { option: text, count, percent: t.percent(share) }),
    }, t.percent(share), h("span", { class: "visually-hidden" }, `, ${t("count.votes", { count })}`)),
  );
}

/**
 * The state of a vote in words.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {boolean} mayChoose
 */
function statusText({ t, times, client }, { message, vote: state }, mayChoose) {
  const { closesAt, opensAt, isSecret, choices = 1 } = message.vote ?? { options: [] };
  const { counts, voters = 0 } = state?.tally ?? { counts: undefined };
  return [
    state?.phase === "closed" ? t("vote.closed") :
      closesAt ? t("vote.closes", { time: times.momentText(closesAt, client.serverTime) }) :
        state?.phase === "waiting" && opensAt ?
          t("vote.opens", { time: times.momentText(opensAt, client.serverTime) }) : "",
    state && (voters ? t("count.voters", { count: voters }) : t("vote.noVotes")),
    isSecret ? t("vote.secret") : "",
    state && !counts && state.phase !== "closed" ? t("vote.hidden") : "",
    mayChoose && choices > 1 ? t("vote.chooseUpTo", { count: choices }) : "",
  ].filter(Boolean).join(" · ");
}
