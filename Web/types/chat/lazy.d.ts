/**
 * See `voteView` of message-vote.js. It is empty until that is loaded.
 *
 * @param {Context} context
 * @param {import("../client/types.js").MessageItem} item
 * @param {HTMLElement} meta
 * @returns {HTMLElement}
 */
export function voteView(context: Context, item: import("../client/types.js").MessageItem, meta: HTMLElement): HTMLElement;
/** Loads all of them, so that they open at once later, and without a connection too. */
export function preload(): void;
/**
 * See `openActions` of message-actions.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").MessageItem} item
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null}} place
 */
export function openActions(context: Context, item: import("../client/types.js").MessageItem, place: {
    anchor?: Element | null;
    point?: {
        x: number;
        y: number;
    };
    returnTo?: HTMLElement | null;
}): void;
/**
 * See `openStartSheet` of message-actions.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message} message
 */
export function openStartSheet(context: Context, message: import("../client/types.js").Message): void;
/**
 * See `openEmojiPicker` of emoji-picker.js.
 *
 * @param {Context} context
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
 *   onpick: (emoji: string) => void}} options
 */
export function openEmojiPicker(context: Context, options: {
    anchor?: Element | null | undefined;
    point?: {
        x: number;
        y: number;
    } | undefined;
    returnTo?: HTMLElement | null | undefined;
    onpick: (emoji: string) => void;
}): void;
/**
 * See `openComposerMenu` of composer-dialogs.js.
 *
 * @param {Context} context
 * @param {Parameters<typeof import("./composer-dialogs.js").openComposerMenu>[1]} options
 */
export function openComposerMenu(context: Context, options: [import("./context.js").Context, {
    anchor: Element;
    returnTo: HTMLElement;
    text: string;
    pick: (accept?: string | undefined) => void;
    onsend: () => void;
    onscheduled: () => void;
}][1]): void;
/**
 * See `record` of voice-recorder.js.
 *
 * @param {Context} context
 * @param {Parameters<typeof import("./voice-recorder.js").record>[1]} options
 */
export function record(context: Context, options: [import("./context.js").Context, {
    bar: HTMLElement;
    signal: AbortSignal;
    onstart: () => void;
    /**
     * See `openEmojiPicker` of emoji-picker.js.
     *
     * @param {Context} context
     * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null,
     *   onpick: (emoji: string) => void}} options
     */
    onend: (recorded: import("./voice-recorder.js").Recorded | null) => void;
}][1]): void;
/**
 * See `askToCloseVote` of message-actions.js.
 *
 * @param {Context} context
 * @param {string} messageID
 */
export function askToCloseVote(context: Context, messageID: string): void;
/**
 * See `openLightbox` of lightbox.js.
 *
 * @param {Context} context
 * @param {import("../client/types.js").Message[]} messages
 * @param {number} index
 */
export function openLightbox(context: Context, messages: import("../client/types.js").Message[], index: number): void;
export function loadAttachments(): Promise<typeof import("./attachments.js")>;
export function loadMentionPopup(): Promise<typeof import("./mention-popup.js")>;
export type Context = import("./context.js").Context;
