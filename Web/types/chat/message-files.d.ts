/**
 * The size in which a picture or film is drawn, in CSS pixels; it is reserved before its bytes are there.
 *
 * @param {{width?: number, height?: number} | undefined} file
 * @returns {{width: number, height: number}}
 */
export function mediaSize(file: {
    width?: number | undefined;
    height?: number | undefined;
} | undefined): {
    width: number;
    height: number;
};
/**
 * Saves the file of a message.
 *
 * @param {Context} context
 * @param {Message} message
 */
export function download({ client, toasts, t }: Context, message: Message): Promise<void>;
/**
 * Draws the file of a message: a picture, a film, a voice message, or a document.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @returns {HTMLElement}
 */
export function fileView(context: Context, item: MessageItem): HTMLElement;
/**
 * Shows how far the upload of a drawn file is, and takes the sign away afterwards.
 *
 * @param {Context} context
 * @param {HTMLElement} view made by `fileView`
 * @param {MessageItem} item
 */
export function showProgress({ conversation, t }: Context, view: HTMLElement, item: MessageItem): void;
/** Stops the voice message that is playing. */
export function stopPlaying(): void;
export type Context = import("./context.js").Context;
export type MessageItem = import("../client/types.js").MessageItem;
export type Message = import("../client/types.js").Message;
