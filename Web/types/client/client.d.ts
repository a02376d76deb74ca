export { RoostError };
export { messageOf } from "./timeline.js";
/**
 * One user of one server: connects, keeps up to date, and sends.
 *
 * Events: `state`, `unread` (detail `{total}`), `message` (detail `{channel, message, isOwn}`, each live message once),
 * `error` (detail: a `RoostError`), `invitations`, `blocked`, `schedules`, `typing` (detail `{channel}`: others there),
 * `queue` (detail `{channel}`: what is to be sent there).
 */
export class Client extends ClientEvents {
    /** @param {Options} options */
    constructor(options: Options);
    options: Options;
    /** The address of the server, without a slash at its end. */
    server: string;
    /** @type {Promise<import("./files.js").Files> | undefined} */
    loadingFiles: Promise<import("./files.js").Files> | undefined;
    /** Resolves when there is something to show: what the store has, or what the server has answered. */
    ready: Promise<unknown>;
    isReady: (value?: unknown) => void;
    wake: () => void;
    lose: () => void;
    hide: () => void;
    begin(): Promise<void>;
    firstToken: string | undefined;
    get isShared(): boolean;
    /** @param {string} userID */
    openStore(userID: string): Promise<void>;
    startTabs(): void;
    /** This tab leads from now on: it sends what waits, and writes what it knows into the store. */
    lead(): Promise<void>;
    /** @returns {Promise<string>} */
    token(): Promise<string>;
    hello(): Promise<{
        guest: {
            userID: string;
            name?: string | undefined;
            imageURL?: string | undefined;
        };
        token?: undefined;
        version: number;
        deviceID: string;
    } | {
        token: string;
        guest?: undefined;
        version: number;
        deviceID: string;
    }>;
    /** The headers of a request of this user. */
    httpHeaders(): Promise<Record<string, string>>;
    /**
     * @param {"connecting" | "live" | "offline" | "refused" | "closed"} state
     * @param {RoostError | null} error
     */
    setState(state: "connecting" | "live" | "offline" | "refused" | "closed", error: RoostError | null): void;
    /**
     * @param {import("./protocol.js").Welcome} welcome
     * @param {boolean} isNewEpoch
     */
    welcomed(welcome: import("./protocol.js").Welcome, isNewEpoch: boolean): void;
    caughtUp(): Promise<void>;
    readInvitations(): Promise<void>;
    /** @returns {Promise<void>} */
    readBlocked(): Promise<void>;
    /**
     * Carries out a command that reads or only moves something forward; waits for the connection.
     * @template {keyof import("./protocol.js").Commands} Name
     * @param {Name} command
     * @param {import("./protocol.js").Commands[Name]["body"]} [body]
     * @returns {Promise<import("./protocol.js").Commands[Name]["answer"]>} rejects with a `RoostError`
     */
    read<Name extends keyof import("./protocol.js").Commands>(command: Name, body?: import("./protocol.js").Commands[Name]["body"] | undefined): Promise<import("./protocol.js").Commands[Name]["answer"]>;
    /**
     * Carries out a command that writes, once, however often it has to be sent.
     * @template {keyof import("./protocol.js").Commands} Name
     * @param {Name} command
     * @param {import("./protocol.js").Commands[Name]["body"]} [body]
     * @returns {Promise<import("./protocol.js").Commands[Name]["answer"]>} rejects with a `RoostError`
     */
    perform<Name_1 extends keyof import("./protocol.js").Commands>(command: Name_1, body?: import("./protocol.js").Commands[Name_1]["body"] | undefined): Promise<import("./protocol.js").Commands[Name_1]["answer"]>;
    /**
     * The conversation of a channel: always the same object.
     * @param {string} channel
     */
    conversation(channel: string): Conversation;
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
     * @param {{onProgress?: (fraction: number) => void, signal?: AbortSignal}} options
     * @returns {Promise<{fileID: string}>}
     */
    upload(blob: Blob, name: string, { onProgress, signal }?: {
        onProgress?: ((fraction: number) => void) | undefined;
        signal?: AbortSignal | undefined;
    }): Promise<{
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
    /** @returns {Promise<import("./files.js").Files>} what is loaded when it is used */
    files(): Promise<import("./files.js").Files>;
    /** Ends the connection; what waits to be sent stays in the store. */
    close(): Promise<void>;
    /** Logs this device out, and deletes everything that this browser has of the user. */
    logOut(): Promise<void>;
}
export function connect(options: Options): Client;
export type User = import("./types.js").User;
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
import { ClientEvents } from "./client-events.js";
import { Conversation } from "./conversation.js";
export { byActivity, isMessage, pictureOf } from "./channels.js";
export { isChannelID, isUserID } from "./ids.js";
