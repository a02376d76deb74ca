/** Marks messages as read when they were on the screen of a visible tab for half a second. */
export class ReadMarker {
    /**
     * @param {import("./context.js").Context} context
     * @param {import("./timeline-view.js").TimelineView} timeline
     */
    constructor(context: import("./context.js").Context, timeline: import("./timeline-view.js").TimelineView);
    /** Looks whether there is something to mark; call it whenever the list, the tab or the connection has changed. */
    check(): void;
    #private;
}
