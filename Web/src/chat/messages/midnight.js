import { on } from "../../ui/dom.js";

/**
 * Draws “Today” and “Yesterday” again when it is another day.
 *
 * @param {import("../context.js").Context} context
 * @param {import("./timeline-view.js").TimelineView} timeline
 */
export function watchMidnight({ client, times, openedAt, signal }, timeline) {
  let timer = 0;
  // Rows that were drawn since then may have another day.
  let shown = times.dayKey(openedAt);
  const check = () => {
    const now = client.serverTime;
    const today = times.dayKey(now);
    clearTimeout(timer);
    if (today !== shown) timeline.refresh();
    shown = today;
    // Timers have an upper bound, and stop while a device sleeps.
    timer = setTimeout(check, Math.min(times.nextMidnight(now) - now + 50, 3_600_000));
  };
  check();
  // From now on the server's clock is known.
  on(client, "state", () => client.state === "live" && check(), signal);
  on(document, "visibilitychange", () => document.visibilityState === "visible" && check(), signal);
  on(signal, "abort", () => clearTimeout(timer));
}
