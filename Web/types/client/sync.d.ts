/** @typedef {import("./sync-machine.js").Action} Action */
/** @typedef {import("./sync-machine.js").Input} Input */
/** @typedef {import("./protocol.js").Commands} Commands */
/**
 * @typedef {"state" | "welcome" | "row" | "signal" | "reset" | "marks" | "position"} News what is for the client
 * @typedef {{[Type in News]: (action: Extract<Action, {type: Type}>) => void} & {hello: () => Promise<any>,
 *   renew: (() => Promise<string>) | null}} Handlers `hello` gives the body of the command, and `renew` another token
 */
/** Does what a `SyncMachine` wants: has the connection, the timer and the promises of those who wait for answers. */
export class Sync {
    /**
     * @param {string} url the address of `/v1/connect`
     * @param {Handlers} handlers
     */
    constructor(url: string, handlers: Handlers);
    /** The positions; the client may not have got the rows up to them yet. */
    get book(): import("./log-book.js").LogBook;
    get refusals(): number;
    get isLive(): boolean;
    get isClosed(): boolean;
    /** The server's clock, in ms since 1970. */
    get serverTime(): number;
    /**
     * Tells what has happened.
     * @param {Input} input
     */
    tell(input: Input): void;
    /**
     * Waits until everything that was missed is there.
     * @returns {Promise<void>} rejects when the client is closed or refused
     */
    live(): Promise<void>;
    /**
     * Carries out a command; waits for the connection, and repeats it after a lost connection or a temporary refusal.
     * @template {keyof Commands} Name
     * @param {Name} command
     * @param {Commands[Name]["body"]} body
     * @param {string} [id] the transID of a command that writes, which makes it happen once
     * @returns {Promise<Commands[Name]["answer"]>} rejects with a `RoostError`
     */
    ask<Name extends keyof import("./protocol.js").Commands>(command: Name, body: import("./protocol.js").Commands[Name]["body"], id?: string | undefined): Promise<import("./protocol.js").Commands[Name]["answer"]>;
    /**
     * Carries out a command that writes, once, however often it has to be sent.
     * @template {keyof Commands} Name
     * @param {Name} command
     * @param {Commands[Name]["body"]} body
     */
    perform<Name_1 extends keyof import("./protocol.js").Commands>(command: Name_1, body: import("./protocol.js").Commands[Name_1]["body"]): Promise<import("./protocol.js").Commands[Name_1]["answer"]>;
    /**
     * Sends a message once; whoever sends it knows when to repeat it.
     * @param {string} transID
     * @param {any} body
     * @param {import("./connection.js").Answer} answer not called if the connection is lost
     */
    send(transID: string, body: any, answer: import("./connection.js").Answer): void;
    #private;
}
export type Action = import("./sync-machine.js").Action;
export type Input = import("./sync-machine.js").Input;
export type Commands = import("./protocol.js").Commands;
/**
 * what is for the client
 */
export type News = "state" | "welcome" | "row" | "signal" | "reset" | "marks" | "position";
/**
 * `hello` gives the body of the command, and `renew` another token
 */
export type Handlers = {
    signal: (action: {
        type: "signal";
        event: import("./protocol.js").Signal;
    }) => void;
    state: (action: {
        type: "state";
        state: "closed" | "connecting" | "offline" | "live" | "refused";
        error: import("./errors.js").RoostError | null;
    }) => void;
    position: (action: {
        type: "position";
        channel?: string | undefined;
        seq: number | null;
    }) => void;
    reset: (action: {
        type: "reset";
        reset: import("./protocol.js").Reset;
    }) => void;
    welcome: (action: {
        type: "welcome";
        welcome: import("./protocol.js").Welcome;
        isNewEpoch: boolean;
    }) => void;
    row: (action: {
        type: "row";
        event: import("./sync-machine.js").Row;
        isLive: boolean;
    }) => void;
    marks: (action: {
        type: "marks";
        page: {
            epoch: string;
            events: (import("./protocol.js").Row | import("./protocol.js").OwnRow)[];
            hasMore: boolean;
            userSeq: number;
            channels: import("./protocol.js").ChannelPosition[];
            marks: import("./protocol.js").OwnMark[];
            resets: import("./protocol.js").Reset[];
        };
    }) => void;
} & {
    hello: () => Promise<any>;
    renew: (() => Promise<string>) | null;
};
