/** @typedef {import("./context.js").Context} Context */
/** @typedef {import("../client/types.js").MessageItem} MessageItem */
/** @typedef {import("../client/types.js").Message} Message */
/** @typedef {import("../ui/menu.js").MenuItem} MenuItem */
/**
 * The sheet for a pressed message of somebody else: start a conversation with its sender, or cancel.
 *
 * @param {Context} context
 * @param {Message} message
 */
export function openStartSheet({ root, t, start }: Context, { senderID, senderName }: Message): void;
/**
 * Opens all that one can do with a message.
 *
 * @param {Context} context
 * @param {MessageItem} item
 * @param {{anchor?: Element | null, point?: {x: number, y: number}, returnTo?: HTMLElement | null}} place
 */
export function openActions(context: Context, item: MessageItem, place: {
    anchor?: Element | null;
    point?: {
        x: number;
        y: number;
    };
    returnTo?: HTMLElement | null;
}): void;
/**
 * Closes a vote, if the user is sure.
 *
 * @param {Context} context
 * @param {string} messageID
 */
export function askToCloseVote(context: Context, messageID: string): void;
export type Context = import("./context.js").Context;
export type MessageItem = import("../client/types.js").MessageItem;
export type Message = import("../client/types.js").Message;
export type MenuItem = import("../ui/menu.js").MenuItem;
