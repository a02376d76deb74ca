import { on, swallowClick } from "../../ui/dom.js";
import { openActions, openStartSheet } from "../lazy.js";
import { offersStart } from "./message-row.js";

/** @typedef {import("../context.js").Context} Context */
/** @typedef {import("../../client/types.js").MessageItem} MessageItem */
/** @typedef {import("./timeline-view.js").TimelineView} TimelineView */

const pressTime = 450;
/** So far, in pixels, a finger or pointer may move until it is no press any more. */
const stillness = 8;

/**
 * @param {Context} context
 * @param {TimelineView} timeline
 * @param {any} target
 * @returns {MessageItem | null}
 */
function messageAt(context, timeline, target) {
  const item = timeline.itemAt(target);
  return item?.kind !== "message" ? null : context.extras?.partAt(target, item) ?? item;
}

/** @param {any} target @returns {HTMLElement} */
const rowAt = (target) => target.closest("[data-key]");

/**
 * Pointer and keys on the rows of a conversation: a plain press of somebody's text in an open channel offers to start a
 * conversation; a long press, the other mouse button, and the button of a row open its actions.
 *
 * @param {Context} context
 * @param {TimelineView} timeline
 */
export function watchRows(context, timeline) {
  watchPresses(context, timeline);
  on(timeline.rows, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      context.focusComposer();
    } else if (event.key === "r" && event.target === rowAt(event.target)) {
      const item = messageAt(context, timeline, event.target);
      if (!item?.message.messageID || item.message.recall || !context.conversation.canWrite) return;
      event.preventDefault();
      context.reply(item.message);
    }
  }, context.signal);
}

/**
 * @param {Context} context
 * @param {TimelineView} timeline
 */
function watchPresses(context, timeline) {
  const { signal, conversation } = context;
  const { rows } = timeline;
  const isControl = (/** @type {Element} */ element) =>
    element.closest("a, button, input, label, video, .media, .avatar-column");
  let pressTimer = 0;
  let [x, y] = [0, 0];
  let isMoved = false;
  let wasLong = false;

  on(rows, "pointerdown", (event) => {
    [x, y, isMoved, wasLong] = [event.clientX, event.clientY, false, false];
    clearTimeout(pressTimer);
    const item = messageAt(context, timeline, event.target);
    if (event.pointerType === "mouse" || !item || event.target.closest("input, .progress")) return;
    pressTimer = setTimeout(() => {
      wasLong = true;
      swallowClick();
      openActions(context, item, { point: { x, y }, returnTo: rowAt(event.target) });
    }, pressTime);
  }, signal);
  on(rows, "pointermove", (event) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) < stillness) return;
    isMoved = true;
    clearTimeout(pressTimer);
  }, signal, { passive: true });
  on(rows, "pointerup pointercancel pointerleave", () => clearTimeout(pressTimer), signal);

  on(rows, "click", (event) => {
    const item = messageAt(context, timeline, event.target);
    if (!item) return;
    const more = event.target.closest("[data-more]");
    if (more) openActions(context, item, { anchor: more, returnTo: event.detail ? rowAt(more) : more });
    else if (conversation.channel?.kind === "open" && !isMoved && !isControl(event.target) && offersStart(item)) {
      openStartSheet(context, item.message);
    }
  }, signal);
  on(rows, "contextmenu", (event) => {
    const item = messageAt(context, timeline, event.target);
    const selection = getSelection();
    const hasSelection = selection && !selection.isCollapsed && event.button === 2;
    if (!item || hasSelection || event.target.closest("a, video")) return;
    event.preventDefault();
    clearTimeout(pressTimer);
    if (wasLong) return;
    const row = rowAt(event.target);
    const isByKey = event.button !== 2 && event.pointerType !== "touch";
    const place = isByKey ? { anchor: row.querySelector(".bubble") } : {
      point: { x: event.clientX, y: event.clientY } };
    openActions(context, item, { ...place, returnTo: row });
  }, signal);
}
