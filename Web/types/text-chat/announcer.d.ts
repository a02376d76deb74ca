/**
 * What screen readers read aloud: one polite live region. Messages of half a second become one sentence if they are
 * more than two. What was read is removed after five seconds, so that nobody finds it twice.
 */
export class Announcer {
    /** @param {() => import("./texts.js").Texts} texts */
    constructor(texts: () => import("./texts.js").Texts);
    /** The element to put into the page; it is not visible. */
    element: HTMLDivElement;
    /** Begins to read. What comes before is not read. */
    start(): void;
    /** Stops reading, and forgets what was to be read. */
    stop(): void;
    /**
     * Reads a received message.
     *
     * @param {{alias: string, text: string}} message
     */
    message(message: {
        alias: string;
        text: string;
    }): void;
    /**
     * Reads a sentence; of several within half a second only the last.
     *
     * @param {string} sentence
     */
    note(sentence: string): void;
    #private;
}
