/**
 * Guesses the height of a row before it is drawn, in pixels.
 *
 * @param {Item} item
 * @returns {number}
 */
export function estimateHeight(item: Item): number;
/**
 * Whether a text of somebody else may be selected with a plain press to start a conversation with its sender.
 *
 * @param {MessageItem} item
 * @returns {boolean}
 */
export function offersStart({ message, isOwn }: MessageItem): boolean;
/**
 * Makes the row of an item of a conversation.
 *
 * @param {Context} context
 * @param {Item} item
 * @returns {HTMLElement}
 */
export function makeRow(context: Context, item: Item): HTMLElement;
/**
 * Shows another state of an item in its row.
 *
 * @param {Context} context
 * @param {HTMLElement} row
 * @param {Item} item
 * @param {Item} [old] the item that the row shows now
 */
export function updateRow(context: Context, row: HTMLElement, item: Item, old?: import("../client/types.js").Item | undefined): void;
/**
 * Copies a text, and says so.
 *
 * @param {Context} context
 * @param {string} text
 */
export function copyText({ toasts, t }: Context, text: string): Promise<void>;
export type Context = import("./context.js").Context;
export type Item = import("../client/types.js").Item;
export type MessageItem = import("../client/types.js").MessageItem;
export type Message = import("../client/types.js").Message;
