/**
 * The title to show: the channel's own, else the names of the other members.
 * @param {WireChannel} channel
 * @param {string} me
 */
export function channelName(channel: WireChannel, me: string): string;
/**
 * The channel of a `channel.joined` of the user's own log.
 * @param {Extract<import("./types.js").OwnRow, {event: "channel.joined"}>} event
 * @param {string} me
 * @returns {Channel}
 */
export function joinedChannel({ body, sentAt }: Extract<import("./types.js").OwnRow, {
    event: "channel.joined";
}>, me: string): Channel;
/**
 * The members after a row of the channel's log.
 * @param {Member[]} members ordered by user id
 * @param {Row} row
 * @param {number} limit how many to keep
 * @returns {Member[]} the same array if nothing changed
 */
export function membersAfter(members: Member[], row: Row, limit?: number): Member[];
/**
 * The members after a user has another name or picture.
 * @param {Member[]} members
 * @param {{userID: string, profile: {name?: string, imageURL?: string}}} change
 */
export function membersAfterProfile(members: Member[], { userID, profile }: {
    userID: string;
    profile: {
        name?: string;
        imageURL?: string;
    };
}): import("./protocol.js").Member[];
/**
 * The channel after the next row of its log.
 * @param {Channel} channel
 * @param {Row} row a row that the channel does not include yet
 * @param {string} me
 * @returns {{channel: Channel, isUnclear: boolean}} `isUnclear` if the channel has to be read again
 */
export function channelAfter(channel: Channel, row: Row, me: string): {
    channel: Channel;
    isUnclear: boolean;
};
/**
 * A row after its message was recalled.
 * @param {MessageRow} row
 * @param {import("./types.js").RecallRow} event
 * @returns {MessageRow}
 */
export function recalledRow(row: MessageRow, event: import("./types.js").RecallRow): MessageRow;
/**
 * A row after a message that it answers was recalled.
 * @param {MessageRow} row
 * @returns {MessageRow}
 */
export function withoutSnapshot(row: MessageRow): MessageRow;
/**
 * A row after a `reaction.added` or `reaction.removed`; the same row if it includes that already.
 * @param {MessageRow} row
 * @param {import("./types.js").ReactionRow} event
 * @param {string} me
 * @returns {MessageRow}
 */
export function reactedRow(row: MessageRow, event: import("./types.js").ReactionRow, me: string): MessageRow;
/**
 * The picture of a channel: its own, or that of the other member of a 1-on-1.
 *
 * @param {import("./client.js").Client} client
 * @param {Channel} channel
 * @returns {{id: string, name: string, imageURL?: string}}
 */
export function pictureOf(client: import("./client.js").Client, channel: Channel): {
    id: string;
    name: string;
    imageURL?: string | undefined;
};
export function named(channel: WireChannel, me: string): Channel;
export function countedUnread(channel?: {
    unread?: number | undefined;
    preference?: {
        isMuted?: boolean | undefined;
    } | undefined;
} | null | undefined): number;
export function sum(numbers: number[]): number;
export function isMessage(row: Row): row is import("./protocol.js").MessageRow;
export function plainEmoji(emoji: string): string;
export function byActivity(a: WireChannel, b: WireChannel): number;
export type Row = import("./types.js").Row;
export type MessageRow = import("./types.js").MessageRow;
export type Channel = import("./types.js").Channel;
export type WireChannel = import("./types.js").WireChannel;
export type Member = import("./types.js").Member;
export type User = import("./types.js").User;
