/**
 * The words of a message: text, emoji, mentions and safe links. Nothing in it is markup.
 *
 * @param {Context} context
 * @param {{text: string, mentions?: import("../client/types.js").Mention[]}} message
 * @returns {HTMLElement}
 */
export function wordsView(context: Context, { text, mentions }: {
    text: string;
    mentions?: import("../client/types.js").Mention[];
}): HTMLElement;
/**
 * The quote of a message: its sender and the beginning of what it says, or what kind of message it is.
 *
 * @param {Context} context
 * @param {Message | ReplySnapshot} message
 * @param {boolean} isOwn
 * @returns {HTMLElement}
 */
export function quoteView({ t }: Context, message: Message | ReplySnapshot, isOwn: boolean): HTMLElement;
export type Context = import("./context.js").Context;
export type Message = import("../client/types.js").Message;
export type ReplySnapshot = import("../client/types.js").ReplySnapshot;
