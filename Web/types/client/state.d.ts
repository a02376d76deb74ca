/** @typedef {import("./types.js").Channel} Channel */
/** @typedef {import("./types.js").User} User */
/** @typedef {import("./types.js").Invitation} Invitation */
/**
 * Who is told of changes: `channel` of one that is loaded or dropped, `user` of what is stored about the user, `unread`
 * of the number to show, `want` of a channel that has to be read.
 * @typedef {{channel: (id: string) => void, user: () => void, unread: (total: number) => void,
 *   blocked: (changed: string[]) => void, invitations: () => void, want: (id: string) => void}} Listeners
 */
/** What one tab knows of a user: the channels that are loaded, unread messages, invitations, who is blocked. */
export class State {
    /** @param {Listeners} listeners */
    constructor(listeners: Listeners);
    /** @type {User} */
    user: User;
    /** @type {import("./types.js").Limits | null} */
    limits: import("./types.js").Limits | null;
    /** @type {string[]} */
    imageOrigins: string[];
    isOperator: boolean;
    /** How many rows of the user's own log, and own read marks, have changed channels. */
    ownChanges: number;
    /** @type {Invitation[]} */
    invitations: Invitation[];
    /**
     * Replaced with each change.
     * @type {Set<string>}
     */
    blocked: Set<string>;
    /** @type {Map<string, Channel>} */
    channels: Map<string, Channel>;
    unread: Unread;
    /** What the store keeps about the user. */
    get meta(): {
        user: import("./protocol.js").User;
        limits: import("./protocol.js").Limits | null;
        imageOrigins: string[];
        totalUnread: number;
        blocked: Set<string>;
    };
    /**
     * Takes what the store holds.
     * @param {import("./cache.js").Stored} stored
     */
    restore({ meta, channels }: import("./cache.js").Stored): void;
    /**
     * @param {import("./protocol.js").Welcome} welcome
     * @param {boolean} isNewEpoch whether the server has begun anew
     */
    welcomed({ user, limits, imageOrigins, isOperator }: import("./protocol.js").Welcome, isNewEpoch: boolean): void;
    /** @param {Channel} channel */
    put(channel: Channel): void;
    /**
     * Changes a channel. One that is not loaded, such as a hidden one, is read, as it counts in the total, too.
     * @param {string} id
     * @param {Partial<Channel>} change
     */
    change(id: string, change: Partial<Channel>): void;
    /**
     * Takes a channel as the server gives it.
     * @param {import("./types.js").WireChannel} channel
     * @returns {boolean} false if it is older than rows that are known, so that something may be missing
     */
    set(channel: import("./types.js").WireChannel): boolean;
    /** @param {string} id of a channel that the user does not have any more */
    drop(id: string): void;
    /**
     * Somebody begins or ends to read at the end of a channel.
     * @param {string} channel
     * @param {boolean} isAttended
     */
    attend(channel: string, isAttended: boolean): void;
    /** @param {Invitation[]} invitations */
    setInvitations(invitations: Invitation[]): void;
    /** @param {Iterable<string>} userIDs those who are blocked */
    setBlocked(userIDs: Iterable<string>): void;
    #private;
}
export type Channel = import("./types.js").Channel;
export type User = import("./types.js").User;
export type Invitation = import("./types.js").Invitation;
/**
 * Who is told of changes: `channel` of one that is loaded or dropped, `user` of what is stored about the user, `unread`
 * of the number to show, `want` of a channel that has to be read.
 */
export type Listeners = {
    channel: (id: string) => void;
    user: () => void;
    unread: (total: number) => void;
    blocked: (changed: string[]) => void;
    invitations: () => void;
    want: (id: string) => void;
};
import { Unread } from "./unread.js";
