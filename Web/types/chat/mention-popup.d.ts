/**
 * The list of members that opens above the field while a name is typed after an `@`. The focus stays in the field,
 * which names the active option; Enter and Tab choose it.
 */
export class MentionPopup {
    /**
     * @param {Context} context
     * @param {HTMLTextAreaElement} field
     * @param {(completed: {text: string, mentions: Mention[], cursor: number}) => void} oncomplete
     */
    constructor(context: Context, field: HTMLTextAreaElement, oncomplete: (completed: {
        text: string;
        mentions: Mention[];
        cursor: number;
    }) => void);
    element: HTMLUListElement;
    /**
     * Shows the members that match the text before the cursor.
     *
     * @param {string} text
     * @param {Mention[]} mentions
     */
    update(text: string, mentions: Mention[]): void;
    /** Closes the list. */
    close(): void;
    /**
     * Takes a key that is for the list.
     *
     * @param {KeyboardEvent} event
     * @returns {boolean} whether it was
     */
    keyPressed({ key }: KeyboardEvent): boolean;
    #private;
}
export type Context = import("./context.js").Context;
export type Mention = import("../client/types.js").Mention;
export type Candidate = {
    userID: string;
    name: string;
    imageURL?: string;
};
