/**
 * The title to show: the channel's own, else the names of the other members.
 * @param {WireChannel} channel
 * @param {string} me
 */
export function channelName(channel: WireChannel, me: string): string;
/**
 * The channel of a `channel.joined` of the user's own log.
 * @param {Event} event
 * @param {string} me
 * @returns {Channel}
 */
export function joinedChannel({ body, sentAt }: Event, me: string): Channel;
/**
 * The members after a row of the channel's log.
 * @param {Member[]} members ordered by user id
 * @param {Event} event
 * @param {number} limit how many to keep
 * @returns {Member[]} the same array if nothing changed
 */
export function membersAfter(members: Member[], { event, seq, body }: Event, limit?: number): Member[];
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
}): import("./types.js").Member[];
/**
 * The channel after the next row of its log.
 * @param {Channel} channel
 * @param {Event} event a row that the channel does not include yet
 * @param {string} me
 * @returns {{channel: Channel, isUnclear: boolean}} `isUnclear` if the channel has to be read again
 */
export function channelAfter(channel: Channel, event: Event, me: string): {
    channel: Channel;
    isUnclear: boolean;
};
/**
 * A row after its message was recalled.
 * @param {Event} row
 * @param {Event} event the `message.recalled`
 * @returns {Event}
 */
export function recalledRow(row: Event, event: Event): Event;
/**
 * A row after a message that it answers was recalled.
 * @param {Event} row
 * @returns {Event}
 */
export function withoutSnapshot(row: Event): Event;
/**
 * A row after a `reaction.added` or `reaction.removed`; the same row if it includes that already.
 * @param {Event} row
 * @param {Event} event
 * @param {string} me
 * @returns {Event}
 */
export function reactedRow(row: Event, event: Event, me: string): Event;
export function named(channel: WireChannel, me: string): Channel;
export function byActivity(a: WireChannel, b: WireChannel): number;
export type Event = import("./types.js").Event;
export type Channel = import("./types.js").Channel;
export type WireChannel = import("./types.js").WireChannel;
export type Member = import("./types.js").Member;
export type User = import("./types.js").User;
