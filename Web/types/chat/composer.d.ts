/**
 * The field below the messages: text with a kept draft, mentions, an answer, files, emoji, voice messages, votes and
 * scheduled messages. Enter sends, Shift+Enter begins a new line; Escape closes a popup, then the reply.
 */
export class Composer {
    /**
     * @param {Context} context
     * @param {{onsend: () => void, onleave: () => void}} options `onsend` after anything was sent; `onleave` for ArrowUp
     *   in an empty field
     */
    constructor(context: Context, { onsend, onleave }: {
        onsend: () => void;
        onleave: () => void;
    });
    field: HTMLTextAreaElement;
    element: HTMLDivElement;
    /** Moves the focus into the field, if there is one. */
    focus(): void;
    /** Shows what has changed in the conversation. */
    update(): void;
    /**
     * Answers a message with the next one; null ends that.
     *
     * @param {Message | null} message
     */
    reply(message: Message | null): void;
    /** Sends what is there: files with the text as their caption, or the text. Nothing if there is nothing. */
    send(): void;
    /**
     * Adds files to what is sent next.
     *
     * @param {File[]} files
     */
    addFiles(files: File[]): Promise<void>;
    #private;
}
export type Context = import("./context.js").Context;
export type Message = import("../client/types.js").Message;
