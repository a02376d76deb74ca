/**
 * Mentions in a text that is being typed: pure rules. Positions are in UTF-16 units, as on the wire.
 *
 * @typedef {import("../client/types.js").Mention} Mention
 * @typedef {{prefix: string, start: number, end: number}} MentionQuery the text after the `@`, the position of the
 *   `@`, and that of the cursor
 */
/**
 * The name that is being typed after an `@` before the cursor; null if there is none. The `@` is at the beginning of
 * the text or follows white space, and a name has no white space before it is completed.
 *
 * @param {string} text
 * @param {number} cursor
 * @returns {MentionQuery | null}
 */
export function mentionQuery(text: string, cursor: number): MentionQuery | null;
/**
 * Replaces the typed beginning by a name.
 *
 * @param {MentionQuery} query
 * @param {{userID: string, name: string}} member
 * @param {string} text
 * @param {Mention[]} mentions those that the text has already
 * @returns {{text: string, mentions: Mention[], cursor: number}}
 */
export function completeMention(query: MentionQuery, member: {
    userID: string;
    name: string;
}, text: string, mentions: Mention[]): {
    text: string;
    mentions: Mention[];
    cursor: number;
};
/**
 * The mentions after an edit: those after it move with the text, and those that it changed are removed.
 *
 * @param {Mention[]} mentions
 * @param {string} before
 * @param {string} after
 * @returns {Mention[]}
 */
export function movedMentions(mentions: Mention[], before: string, after: string): Mention[];
/**
 * Mentions in a text that is being typed: pure rules. Positions are in UTF-16 units, as on the wire.
 */
export type Mention = import("../client/types.js").Mention;
/**
 * the text after the `@`, the position of the
 *  `@`, and that of the cursor
 */
export type MentionQuery = {
    prefix: string;
    start: number;
    end: number;
};
