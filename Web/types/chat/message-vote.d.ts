/**
 * Draws a vote: its question is the text of the message; here are the options with their results, and what one may do.
 * One choice of a vote that can be changed is sent at once; otherwise a button sends the choices.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {HTMLElement} meta time and state of the message
 * @returns {HTMLElement}
 */
export function voteView(context: Context, item: MessageItem, meta: HTMLElement): HTMLElement;
export type Context = import("./context.js").Context;
export type MessageItem = import("../client/types.js").MessageItem;
