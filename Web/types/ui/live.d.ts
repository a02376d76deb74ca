/**
 * What screen readers read aloud: one polite live region fed by a queue, and one for failures. Bursts of messages
 * become one sentence, and typing is read at most every ten seconds. History and own messages are never given to it.
 */
export class LiveRegion {
    /**
     * @param {{summary: (count: number) => string, burst?: number, wait?: number}} options `summary` is the sentence for
     *   several messages; more than `burst` (2) within `wait` ms (800) are summarised
     */
    constructor({ summary, burst, wait }: {
        summary: (count: number) => string;
        burst?: number | undefined;
        wait?: number | undefined;
    });
    /** The element to put into the page; it is not visible. */
    element: HTMLDivElement;
    /**
     * Reads a message of somebody else.
     *
     * @param {string} sentence
     */
    message(sentence: string): void;
    /**
     * Reads a sentence about the state of something, such as the connection or a recording.
     *
     * @param {string} sentence
     */
    note(sentence: string): void;
    /**
     * Reads who is typing, unless that was read within the last ten seconds or messages wait.
     *
     * @param {string} sentence empty if nobody is typing
     */
    typing(sentence: string): void;
    /**
     * Reads a failure at once.
     *
     * @param {string} sentence
     */
    failure(sentence: string): void;
    /** Forgets what waits to be read. */
    clear(): void;
    #private;
}
