/**
 * Short notes over the content. A note goes away after six seconds, but not while the pointer or the focus is on it,
 * and not if it reports a failure.
 */
export class Toasts {
    /** @param {{closeLabel: string, live?: import("./live.js").LiveRegion}} options `live` reads the notes aloud */
    constructor({ closeLabel, live }: {
        closeLabel: string;
        live?: import("./live.js").LiveRegion;
    });
    /** The element to put into a positioned container. */
    element: HTMLDivElement;
    /**
     * Shows a note; the same text is not shown twice at a time.
     *
     * @param {string} text
     * @param {{isFailure?: boolean, action?: {label: string, run: () => void}}} options
     * @returns {() => void} takes it away
     */
    show(text: string, { isFailure, action }?: {
        isFailure?: boolean;
        action?: {
            label: string;
            run: () => void;
        };
    }): () => void;
    #private;
}
