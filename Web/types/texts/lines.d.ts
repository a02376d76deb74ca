/**
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./texts.js").Key} Key
 * @typedef {import("../client/types.js").Event} Event
 * @typedef {import("../client/types.js").Content} Content
 * @typedef {(userID: string) => string | null | undefined} NameOf gives the name to show, if it is known
 */
/**
 * The text of a server line, without a full stop: who joined, left, has another role, or changed a setting.
 *
 * @param {Event} event
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {NameOf} [nameOf] for the users of whom the event has only the id; without it, the id is shown
 * @returns {string | null} null for messages, reactions, typing and whatever else is no line
 */
export function lineText(event: Event, t: Texts, ownUserID: string, nameOf?: NameOf | undefined): string | null;
/**
 * The counts of a vote in one line: `option 1: 2, option 2: 1 (3 voters)`.
 *
 * @param {{counts?: number[], voters: number}} tally
 * @param {Texts} t
 * @returns {string}
 */
export function tallyText(tally: {
    counts?: number[] | undefined;
    voters: number;
}, t: Texts): string;
/**
 * What a message says, in one line without its sender: the text, or a word for its type. For quotes, schedules, the
 * options of votes and notifications.
 *
 * @param {Content & {call?: any, vote?: any, isForwarded?: boolean, recall?: any, isRecalled?: boolean}} content the
 *   content of a message, or the snapshot of an answered one
 * @param {Texts} t
 * @returns {string} at most 300 UTF-16 units of what people wrote
 */
export function contentText(content: Content & {
    call?: any;
    vote?: any;
    isForwarded?: boolean;
    recall?: any;
    isRecalled?: boolean;
}, t: Texts): string;
/**
 * The preview of a channel's last message for the list: one's own begins with “You:”.
 *
 * @param {any} message a `Message`, or an event such as `lastMessage` of a channel
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {{withSender?: boolean, nameOf?: NameOf}} [options] `withSender`: whether the message of somebody else begins
 *   with a name, as in groups and open channels
 * @returns {string} one line; empty without a message
 */
export function previewText(message: any, t: Texts, ownUserID: string, options?: {
    withSender?: boolean | undefined;
    nameOf?: NameOf | undefined;
} | undefined): string;
/**
 * The line for a message that only says what somebody did: took a screenshot, copied, passed on or saved a message.
 *
 * @param {{type?: string, senderID?: string, senderName?: string}} message
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string | null} null for all other types
 */
export function noticeText(message: {
    type?: string | undefined;
    senderID?: string | undefined;
    senderName?: string | undefined;
}, t: Texts, ownUserID: string): string | null;
/**
 * What stands in the place of a recalled message.
 *
 * @param {{byUserID?: string, byName: string}} recall
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string}
 */
export function recalledText(recall: {
    byUserID?: string;
    byName: string;
}, t: Texts, ownUserID: string): string;
/**
 * A call in one line: its kind, and how it ended.
 *
 * @param {{kind: string, result?: string, durationMs?: number}} call
 * @param {Texts} t
 * @param {(ms: number) => string} [durationText] for the length of an answered call
 * @returns {string}
 */
export function callText(call: {
    kind: string;
    result?: string | undefined;
    durationMs?: number | undefined;
}, t: Texts, durationText?: ((ms: number) => string) | undefined): string;
/**
 * The line about who is typing.
 *
 * @param {readonly {name: string}[]} users
 * @param {Texts} t
 * @returns {string} empty if nobody types
 */
export function typingText(users: readonly {
    name: string;
}[], t: Texts): string;
/**
 * An error as a sentence for people, with the next thing to try.
 *
 * @param {any} error a `RoostError`, or anything else that was thrown
 * @param {Texts} t
 * @returns {string} the text of its code; if there is none, the server's own message, or a general sentence
 */
export function errorText(error: any, t: Texts): string;
export type Texts = import("./texts.js").Texts;
export type Key = import("./texts.js").Key;
export type Event = import("../client/types.js").Event;
export type Content = import("../client/types.js").Content;
/**
 * gives the name to show, if it is known
 */
export type NameOf = (userID: string) => string | null | undefined;
