/**
 * Pointer and keys on the rows of a conversation: a plain press of somebody's text in an open channel offers to start a
 * conversation; a long press, the other mouse button, and the buttons of a row open its actions.
 *
 * @param {Context} context
 * @param {import("./timeline-view.js").TimelineView} timeline
 */
export function watchRows(context: Context, timeline: import("./timeline-view.js").TimelineView): void;
export type Context = import("./context.js").Context;
export type MessageItem = import("../client/types.js").MessageItem;
