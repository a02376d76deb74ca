/**
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./texts.js").Key} Key
 * @typedef {import("../client/types.js").Row | import("../client/types.js").OwnRow} Row
 * @typedef {import("../client/protocol.js").RowBodies} Bodies
 * @typedef {(userID: string) => string | null | undefined} NameOf gives the name to show, if it is known
 */
/**
 * The text of a server line, without a full stop: who joined, left, has another role, or changed a setting.
 *
 * @param {Row} event
 * @param {Texts} t
 * @param {string} ownUserID
 * @param {NameOf} [nameOf] for the users of whom the event has only the id; without it, the id is shown
 * @returns {string | null} null for messages, reactions, typing and whatever else is no line
 */
export function lineText(event: Row, t: Texts, ownUserID: string, nameOf?: NameOf | undefined): string | null;
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
 * The line about who is typing.
 *
 * @param {readonly {name: string}[]} users
 * @param {Texts} t
 * @returns {string} empty if nobody types
 */
export function typingText(users: readonly {
    name: string;
}[], t: Texts): string;
export type Texts = import("./texts.js").Texts;
export type Key = import("./texts.js").Key;
export type Row = import("../client/types.js").Row | import("../client/types.js").OwnRow;
export type Bodies = import("../client/protocol.js").RowBodies;
/**
 * gives the name to show, if it is known
 */
export type NameOf = (userID: string) => string | null | undefined;
