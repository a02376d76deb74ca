export { RoostError };
/** @typedef {import("./protocol.js").Commands} Commands */
/**
 * @typedef {Object} Options
 * @property {string} [server] such as `https://chat.example.com`; the page's own origin if absent
 * @property {string | ((wasRefused: boolean) => string | Promise<string>)} [token] a function is asked again when the
 *   token ends; `wasRefused` if the server has refused the one before
 * @property {string} [userID] whose token it is: the store is opened at once, also without a connection
 * @property {{userID: string, name?: string, imageURL?: string}} [guest] only if the server runs with `--dev`
 * @property {boolean} [isVisitor] whether the token is one of `visitor.start`, which is good for one conversation only
 * @property {boolean} [store] false keeps nothing in this browser; true if absent
 */
/**
 * One user of one server: connects, keeps up to date, and sends.
 *
 * Events: `state`, `unread` (detail `{total}`), `message` (detail `{channel, message, isOwn}`, each live message once),
 * `error` (detail: a `RoostError`), `invitations`, `blocked`, `schedules`, `typing` (detail `{channel}`: others there),
 * `queue` (detail `{channel}`: what is to be sent there).
 */
export class Client extends EventTarget {
    /** @param {Options} options */
    constructor(options: Options);
    /** The user's conversations, as a list shows them. */
    list: import("./channel-list.js").ChannelList;
    /** Resolves when there is something to show: what the store has, or what the server has answered. */
    ready: Promise<unknown>;
    /** The address of the server, without a slash at its end. */
    get server(): string;
    /** How far the connection is; `refused`: the server does not let the user in, as `error` tells. */
    get state(): "closed" | "connecting" | "offline" | "live" | "refused";
    /** Why the server refuses the user; null if it does not. */
    get error(): RoostError | null;
    /** The user; the name and the picture change. */
    get user(): import("./protocol.js").User;
    /** What the server allows; null until it has told it. */
    get limits(): import("./protocol.js").Limits | null;
    /** Whether the user may do what operators do. */
    get isOperator(): boolean;
    /** What it was connected with. */
    get options(): Options;
    /** The id of this device. */
    get deviceID(): string;
    /** The server's clock, in ms since 1970. */
    get serverTime(): number;
    /** Whether this tab is the one of this user that sends; where tabs do not know each other, each does. */
    get isLeader(): boolean;
    /**
     * The channels that are loaded, by their ids; also those that `list` does not show.
     * @returns {ReadonlyMap<string, import("./types.js").Channel>}
     */
    get channels(): ReadonlyMap<string, import("./types.js").Channel>;
    /** The unread messages of all conversations, without muted ones. */
    get totalUnread(): number;
    /** The unread messages to show: without those of the conversation at whose end the user reads. */
    get shownUnread(): number;
    /** Open invitations to groups. */
    get invitations(): import("./types.js").Invitation[];
    /**
     * The ids of those whom the user has blocked; replaced with each change.
     * @returns {ReadonlySet<string>}
     */
    get blocked(): ReadonlySet<string>;
    /** All messages of this user that have no row yet. */
    get queue(): import("./types.js").QueuedMessage[];
    /** The channel at whose end the user reads: what comes there is read already. */
    get attended(): string | null;
    /**
     * The user begins or ends to read at the end of a channel.
     * @param {string} channel
     * @param {boolean} isAttended
     */
    attend(channel: string, isAttended: boolean): void;
    /**
     * What a list shows with a channel, without making its conversation: what was being written, who is typing, and what
     * is not sent yet.
     * @param {string} channel
     */
    preview(channel: string): {
        draft: import("./types.js").Draft;
        typing: {
            userID: string;
            name: string;
        }[];
        queue: import("./types.js").QueuedMessage[];
    };
    /**
     * Carries out a command that reads or only moves something forward; waits for the connection.
     * @template {keyof Commands} Name
     * @param {Name} command
     * @param {Commands[Name]["body"]} [body]
     * @returns {Promise<Commands[Name]["answer"]>} rejects with a `RoostError`
     */
    read<Name extends keyof import("./protocol.js").Commands>(command: Name, body?: import("./protocol.js").Commands[Name]["body"] | undefined): Promise<import("./protocol.js").Commands[Name]["answer"]>;
    /**
     * Carries out a command that writes, once, however often it has to be sent.
     * @template {keyof Commands} Name
     * @param {Name} command
     * @param {Commands[Name]["body"]} [body]
     * @returns {Promise<Commands[Name]["answer"]>} rejects with a `RoostError`
     */
    perform<Name_1 extends keyof import("./protocol.js").Commands>(command: Name_1, body?: import("./protocol.js").Commands[Name_1]["body"] | undefined): Promise<import("./protocol.js").Commands[Name_1]["answer"]>;
    /**
     * The conversation of a channel: always the same object.
     * @param {string} channel
     */
    conversation(channel: string): import("./conversation.js").Conversation;
    /**
     * Makes or finds the 1-on-1 with a user.
     * @param {string} userID
     * @returns {Promise<string>} the channel
     */
    startConversation(userID: string): Promise<string>;
    /**
     * Makes a group.
     * @param {{title?: string, members: string[]}} group
     * @returns {Promise<string>} the channel
     */
    createGroup({ title, members }: {
        title?: string;
        members: string[];
    }): Promise<string>;
    /**
     * Answers an invitation.
     * @param {string} channel
     * @param {boolean} isAccepted
     */
    answerInvitation(channel: string, isAccepted: boolean): Promise<void>;
    /**
     * Leaves an open channel, and forgets what is shown of it.
     * @param {string} channel
     */
    leaveOpenChannel(channel: string): void;
    /**
     * Changes this user's own name or picture.
     * @param {{name?: string, picture?: Blob | null}} profile null removes the picture
     */
    setProfile({ name, picture }: {
        name?: string;
        picture?: Blob | null;
    }): Promise<void>;
    /**
     * Uploads a file that is not a message, such as a picture of a user.
     * @param {Blob} blob
     * @param {string} name
     * @param {{onProgress?: (fraction: number) => void, signal?: AbortSignal}} [options]
     * @returns {Promise<{fileID: string}>}
     */
    upload(blob: Blob, name: string, options?: {
        onProgress?: ((fraction: number) => void) | undefined;
        signal?: AbortSignal | undefined;
    } | undefined): Promise<{
        fileID: string;
    }>;
    /**
     * A link to a file that works without a token until it expires.
     * @param {string} fileID
     * @returns {Promise<string>} rejects with a `RoostError` if the user may not read it
     */
    fileURL(fileID: string): Promise<string>;
    /**
     * The address of a picture of a user or a channel.
     * @param {string} [imageURL]
     * @returns {Promise<string | null>} null if there is none that may be shown
     */
    imageURL(imageURL?: string | undefined): Promise<string | null>;
    /** Loads the module for files, which otherwise is loaded when it is used. */
    loadFiles(): Promise<void>;
    /** The headers of an HTTP request of this user. */
    httpHeaders(): Promise<Record<string, string>>;
    /** Tries to connect at once, or looks whether the connection is alive; a change of the network does it, too. */
    wake(): void;
    /** Writes what is kept in this browser; by itself it does so 50 ms after each change. */
    flush(): Promise<void>;
    /** Ends the connection; what waits to be sent stays in the store. */
    close(): Promise<void>;
    /** Logs this device out, and deletes everything that this browser has of the user. */
    logOut(): Promise<void>;
}
export function connect(options: Options): Client;
export type Commands = import("./protocol.js").Commands;
export type Options = {
    /**
     * such as `https://chat.example.com`; the page's own origin if absent
     */
    server?: string | undefined;
    /**
     * a function is asked again when the
     * token ends; `wasRefused` if the server has refused the one before
     */
    token?: string | ((wasRefused: boolean) => string | Promise<string>) | undefined;
    /**
     * whose token it is: the store is opened at once, also without a connection
     */
    userID?: string | undefined;
    /**
     * only if the server runs with `--dev`
     */
    guest?: {
        userID: string;
        name?: string | undefined;
        imageURL?: string | undefined;
    } | undefined;
    /**
     * whether the token is one of `visitor.start`, which is good for one conversation only
     */
    isVisitor?: boolean | undefined;
    /**
     * false keeps nothing in this browser; true if absent
     */
    store?: boolean | undefined;
};
import { RoostError } from "./errors.js";
