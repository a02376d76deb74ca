import { h, on, set, setText } from "../../ui/dom.js";

/** @typedef {import("../context.js").Context} Context */

/** So long, in ms, the date stays after the list has come to rest. */
const rest = 1200;

/**
 * Tells when a message was sent that does not show it itself, beside it, while the pointer or the focus is on it; and
 * above the list, while it moves, of which day its first message is.
 *
 * @param {Context} context
 * @param {import("./timeline-view.js").TimelineView} timeline
 */
export function watchTimes(context, timeline) {
  const { t, times, signal, client } = context;
  const side = h("time", { class: "side-time", "aria-hidden": "true", dir: t.dir });
  const date = h("div", { class: "floating-date", "aria-hidden": "true" }, h("span", null));
  timeline.element.before(date);
  let timer = 0;
  on(signal, "abort", () => clearTimeout(timer));

  /** @param {any} target */
  const showBeside = (target) => {
    const row = target.closest("[data-key]");
    const item = row && timeline.itemAt(row);
    if (item?.kind !== "message") return side.remove();
    const { sentAt } = item.message;
    const full = times.fullText(sentAt);
    if (!item.isGrouped) return side.remove();
    // Where there is no room beside it.
    row.querySelector(".bubble")?.setAttribute("title", full);
    if (side.parentElement === row && side.title === full) return;
    set(side, { datetime: times.isoText(sentAt), title: full });
    setText(side, times.timeText(sentAt));
    row.append(side);
  };
  on(timeline.rows, "pointerover", (event) => {
    if (event.pointerType === "mouse") showBeside(event.target);
  }, signal, { passive: true });
  on(timeline.rows, "pointerleave", () => side.remove(), signal);
  on(timeline.rows, "focusin", (event) => {
    if (event.target.matches(":focus-visible")) showBeside(event.target);
  }, signal);
  on(timeline.rows, "focusout", () => side.remove(), signal);

  on(timeline.element, "scroll", () => {
    const [first] = timeline.visible;
    const time = first?.kind === "message" ? first.message.sentAt : first?.kind === "line" ? first.sentAt :
      first?.kind === "day" ? first.day : NaN;
    const { top } = timeline.element.getBoundingClientRect();
    // A separator at this place says it already.
    const isThere = [...timeline.rows.querySelectorAll(".day-row")].some((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < top + 56;
    });
    const isShown = !timeline.isFollowing && !isThere && Number.isFinite(time);
    if (isShown) setText(/** @type {Node} */ (date.firstChild), times.dayText(time, client.serverTime));
    date.classList.toggle("is-shown", isShown);
    clearTimeout(timer);
    timer = setTimeout(() => date.classList.remove("is-shown"), rest);
  }, signal, { passive: true });
}
