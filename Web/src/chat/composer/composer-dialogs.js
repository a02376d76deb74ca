import "../../texts/more.js";
import { h } from "../../ui/dom.js";
import { openMenu } from "../../ui/menu.js";
import { openForm } from "../form-dialog.js";
import { openVoteDialog } from "./vote-dialog.js";

/** @typedef {import("../context.js").Context} Context */

const minute = 60_000;

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
      { label: t.list([t("preview.picture"), t("preview.video")], "disjunction"), icon: "image",
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
