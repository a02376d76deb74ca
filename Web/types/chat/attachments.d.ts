/** Picked files, shown above the field until they are sent or removed. Nothing is uploaded before that. */
export class Attachments {
    /**
     * @param {Context} context
     * @param {() => void} onchange
     */
    constructor(context: Context, onchange: () => void);
    element: HTMLUListElement;
    /** How many files there are. */
    get count(): number;
    /**
     * Opens the browser's picker of files.
     *
     * @param {string} [accept] the types to offer first; all if absent
     */
    pick(accept?: string | undefined): void;
    /**
     * Adds files; those that are empty or larger than the server's limit are refused with a note.
     *
     * @param {File[]} files
     */
    add(files: File[]): void;
    /**
     * Sends all files, each as a message of its own; the first one has the text and the answer.
     *
     * @param {{text: string, replyTo?: import("../client/types.js").Message}} content
     */
    send({ text, replyTo }: {
        text: string;
        replyTo?: import("../client/types.js").Message;
    }): void;
    /** Takes all files away. */
    clear(): void;
    #private;
}
export type Context = import("./context.js").Context;
export type Attachment = {
    file: File;
    element: HTMLElement;
    url: string;
    width?: number;
    height?: number;
    durationMs?: number;
};
