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
    nameOf?: import("./lines.js").NameOf | undefined;
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
 * @param {{byUserID?: string, byName: string, byRole?: "moderator" | "operator"}} recall
 * @param {Texts} t
 * @param {string} ownUserID
 * @returns {string}
 */
export function recalledText(recall: {
    byUserID?: string;
    byName: string;
    byRole?: "moderator" | "operator";
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
export type Texts = import("./texts.js").Texts;
export type Key = import("./texts.js").Key;
export type Content = import("../client/types.js").Content;
export type NameOf = import("./lines.js").NameOf;
