/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").Message} Message */
/**
 * Shows pictures and films over the whole page. Arrow keys go to the next and previous one, Escape closes it, and the
 * focus returns to where it was.
 *
 * @param {Context} context
 * @param {Message[]} messages those with a picture or film, in order
 * @param {number} index the first one to show
 */
export function openLightbox(context: Context, messages: Message[], index: number): void;
export type Context = import("./context.js").Context;
export type Message = import("../client/types.js").Message;
