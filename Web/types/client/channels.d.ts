/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").MessageRow} MessageRow */
/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").WireChannel} WireChannel */
/** @typedef {import("./types.js").Member} Member */
/** @typedef {import("./types.js").User} User */
/**
 * The title to show: the channel's own, else the names of the other members.
 * @param {WireChannel} channel
 * @param {string} me
 */
export function channelName(channel: WireChannel, me: string): string;
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
export function byActivity(a: WireChannel, b: WireChannel): number;
export type Row = import("./types.js").Row;
export type MessageRow = import("./types.js").MessageRow;
export type Channel = import("./types.js").Channel;
export type WireChannel = import("./types.js").WireChannel;
export type Member = import("./types.js").Member;
export type User = import("./types.js").User;
