import { on } from "../../ui/dom.js";
import { adopt, css } from "../../ui/styles.js";

/** @typedef {import("../context.js").Context} Context */

/** On paper there is no window to scroll in: everything is as high as it needs to be, and can be broken. */
const printStyles = css(`
@media print {
  :host { position: static !important; height: auto !important; min-height: 0 !important; max-height: none !important;
    overflow: visible !important; contain: none !important; container-type: normal !important; }
  .frame, .panes, .conversation-pane, .conversation, .timeline, .scroller, .rows { display: block !important;
    position: static !important; height: auto !important; min-height: 0 !important; overflow: visible !important;
    contain: none !important; container-type: normal !important; padding-block: 0 !important; }
  .panes.is-open > .list-pane, .connection, .composer, .typing, .jump, .floating-date, .page-loading, .toasts, .drop,
  .more, .tools, .side-time, .choice, .selection-bar, .conversation-header > :not(.about), .failure-actions,
  dialog { display: none !important; }
  .row { padding-inline: 0 !important; break-inside: avoid; }
  .row:has(.fold), .row:has(.text) { break-inside: auto; }
  .day-row { break-after: avoid; }
  .bubble, .day, .avatar, .reaction { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .meta > time.visually-hidden { position: static !important; width: auto; height: auto; margin: 0; clip-path: none; }
  .media img, .media video { opacity: 1; }
}
`);

/**
 * Draws all rows of a conversation for paper, as far as they are loaded, if `print="page"` is set.
 * In a page of others it is printed as it stands there.
 *
 * @param {Context} context
 * @param {import("./timeline-view.js").TimelineView} timeline
 */
export function watchPrinting({ root, signal }, timeline) {
  if (/** @type {ShadowRoot} */ (root.getRootNode()).host.getAttribute("print") !== "page") return;
  adopt(root, printStyles);
  on(window, "beforeprint", () => timeline.drawWhole(true), signal);
  on(window, "afterprint", () => timeline.drawWhole(false), signal);
}
