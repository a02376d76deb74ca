/**
 * Checks an address for the `href` of a link.
 *
 * @param {unknown} address
 * @returns {string | null} the address in its normal form; null unless it is `http:`, `https:` with a host, `mailto:`
 *   with one address, or `tel:` with a number, at most 2,048 UTF-16 units and without white space, control and
 *   invisible characters
 */
export function safeURL(address: unknown): string | null;
/**
 * Divides the text of a message into text, mentions and links, in order; together they are the whole text. Time and
 * memory grow with the length of the text only.
 *
 * @param {string} text
 * @param {readonly Mention[] | null} [mentions] ranges in UTF-16 units; a range that is not in the text, cuts a
 *   character or overlaps an earlier one is ignored
 * @returns {TextSegment[]} empty for an empty text
 */
export function splitText(text: string, mentions?: readonly Mention[] | null | undefined): TextSegment[];
export type TextPart = {
    kind: "text";
    text: string;
};
/**
 * the whole text, if it is one to three emoji and nothing else
 */
export type EmojiPart = {
    kind: "emoji";
    text: string;
};
/**
 * `host` is the real host, to show behind
 *  the link; present only if the text of the link does not show it
 */
export type LinkPart = {
    kind: "link";
    text: string;
    href: string;
    host?: string;
};
export type MentionPart = {
    kind: "mention";
    text: string;
    userID: string;
};
export type TextSegment = TextPart | EmojiPart | LinkPart | MentionPart;
export type Mention = {
    userID: string;
    start?: number;
    length?: number;
};
