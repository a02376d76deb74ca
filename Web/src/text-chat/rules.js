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
export const usualMaxLength = 1_000;

/** The highest limit of a text to send, in UTF-16 units: that of a server. */
export const maxLengthLimit = 8_000;

/** A message less than this after the previous one, in ms, belongs to its group. */
export const groupPause = 120_000;

/**
 * The limit that a value stands for: a whole number from 1 to 8,000; 1,000 if it is no number.
 *
 * @param {unknown} value
 * @returns {number}
 */
export function limitOf(value) {
  const number = value === null || value === "" ? NaN : Math.trunc(Number(value));
  return Number.isNaN(number) ? usualMaxLength : Math.min(Math.max(number, 1), maxLengthLimit);
}

/**
 * How much can still be typed, in UTF-16 units; never below 0.
 *
 * @param {string} text
 * @param {number} maxLength
 * @returns {number}
 */
export const remaining = (text, maxLength) => Math.max(0, maxLength - text.length);

/**
 * Whether an edit is allowed, by the length after and before it. A text that became too long because the limit was
 * lowered may still become shorter.
 *
 * @param {number} length
 * @param {number} old
 * @param {number} maxLength
 * @returns {boolean}
 */
export const fits = (length, old, maxLength) => length <= maxLength || length < old;

/**
 * Whether there is nothing to send: no character other than white space.
 *
 * @param {string} text
 * @returns {boolean}
 */
export const isBlank = (text) => !/\P{White_Space}/u.test(text);

/**
 * Whether a row is drawn without a divider, name and time of its own: it is of the same sender as the row before it,
 * and less than two minutes later.
 *
 * @param {{message: ChatMessage, isSent: boolean}} row
 * @param {{message: ChatMessage, isSent: boolean} | undefined} previous
 * @returns {boolean}
 */
export function isGrouped(row, previous) {
  return previous !== undefined && row.isSent === previous.isSent
    && row.message.senderID === previous.message.senderID && row.message.alias === previous.message.alias
    && row.message.sentAt.getTime() - previous.message.sentAt.getTime() < groupPause;
}

/**
 * A message with every field. Halves of surrogate pairs are replaced, as no transport carries them. Throws a TypeError
 * if a field has a wrong type or the time is none.
 *
 * @param {GivenMessage} given
 * @param {() => number} [now] the time, in ms, if none is given
 * @returns {ChatMessage}
 */
export function chatMessage(given, now = Date.now) {
  const { senderID = null, alias = "", text, sentAt } = given;
  if (typeof text !== "string") throw new TypeError("The text of a message must be a string.");
  if (senderID !== null && typeof senderID !== "string") throw new TypeError("A senderID must be a string or null.");
  if (alias !== null && typeof alias !== "string") throw new TypeError("An alias must be a string.");
  const time = new Date(sentAt ?? now());
  if (Number.isNaN(time.getTime())) throw new TypeError("sentAt must be a time.");
  return { senderID, alias: wellFormed(alias ?? ""), text: wellFormed(text), sentAt: time };
}

/**
 * A copy that shares nothing with the message.
 *
 * @param {ChatMessage} message
 * @returns {ChatMessage}
 */
export const copyOf = (message) => ({ ...message, sentAt: new Date(message.sentAt) });

/** @param {string} text */
const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, "\uFFFD");
