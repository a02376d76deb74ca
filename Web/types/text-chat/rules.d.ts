/**
 * The limit that a value stands for: a whole number from 1 to 8,000; 1,000 if it is no number.
 *
 * @param {unknown} value
 * @returns {number}
 */
export function limitOf(value: unknown): number;
/**
 * Whether a row is drawn without a divider, name and time of its own: it is of the same sender as the row before it,
 * and less than two minutes later.
 *
 * @param {{message: ChatMessage, isSent: boolean}} row
 * @param {{message: ChatMessage, isSent: boolean} | undefined} previous
 * @returns {boolean}
 */
export function isGrouped(row: {
    message: ChatMessage;
    isSent: boolean;
}, previous: {
    message: ChatMessage;
    isSent: boolean;
} | undefined): boolean;
/**
 * A message with every field. Halves of surrogate pairs are replaced, as no transport carries them. Throws a TypeError
 * if a field has a wrong type or the time is none.
 *
 * @param {GivenMessage} given
 * @param {() => number} [now] the time, in ms, if none is given
 * @returns {ChatMessage}
 */
export function chatMessage(given: GivenMessage, now?: (() => number) | undefined): ChatMessage;
/**
 * A message of the text chat. `senderID` is null if none was set; `sentAt` is the time to show and does not decide the
 * order.
 *
 * @typedef {{senderID: string | null, alias: string, text: string, sentAt: Date}} ChatMessage
 */
/**
 * A message as it comes from outside: the time may be a Date, a number of ms or a text that Date understands.
 *
 * @typedef {{senderID?: string | null, alias?: string | null, text: string, sentAt?: Date | number | string | null}}
 *   GivenMessage
 */
/**
 * A row of the list: `isSent` draws it as sent, else as received; `isGrouped` leaves out divider, name and time;
 * `isSending` lasts while the host decides.
 *
 * @typedef {{message: ChatMessage, isSent: boolean, isGrouped: boolean, isSending: boolean}} Row
 */
/** The limit of a text to send, if none is set, in UTF-16 units. */
export const usualMaxLength: 1000;
/** The highest limit of a text to send, in UTF-16 units: that of a server. */
export const maxLengthLimit: 8000;
/** A message less than this after the previous one, in ms, belongs to its group. */
export const groupPause: 120000;
export function remaining(text: string, maxLength: number): number;
export function fits(length: number, old: number, maxLength: number): boolean;
export function isBlank(text: string): boolean;
export function copyOf(message: ChatMessage): ChatMessage;
/**
 * A message of the text chat. `senderID` is null if none was set; `sentAt` is the time to show and does not decide the
 * order.
 */
export type ChatMessage = {
    senderID: string | null;
    alias: string;
    text: string;
    sentAt: Date;
};
/**
 * A message as it comes from outside: the time may be a Date, a number of ms or a text that Date understands.
 */
export type GivenMessage = {
    senderID?: string | null;
    alias?: string | null;
    text: string;
    sentAt?: Date | number | string | null;
};
/**
 * A row of the list: `isSent` draws it as sent, else as received; `isGrouped` leaves out divider, name and time;
 * `isSending` lasts while the host decides.
 */
export type Row = {
    message: ChatMessage;
    isSent: boolean;
    isGrouped: boolean;
    isSending: boolean;
};
