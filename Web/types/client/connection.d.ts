/**
 * One connection, from the WebSocket's start to its end.
 *
 * Answers go to those who asked, events to `onEvent` in their order. Browsers hide the server's pings, so if nothing
 * has been heard for a heartbeat, a small command is the sign of life.
 */
export class Connection {
    /**
     * @param {string} url the address of `/v1/connect`
     * @param {any} hello the body of `hello`
     * @param {{onWelcome: (welcome: import("./protocol.js").Welcome) => void,
     *   onEvent: (event: import("./types.js").Event) => void,
     *   onEnd: (end: {code: number, isFinal: boolean, error: RoostError, waitMs?: number}) => void}} handlers
     */
    constructor(url: string, hello: any, handlers: {
        onWelcome: (welcome: import("./protocol.js").Welcome) => void;
        onEvent: (event: import("./types.js").Event) => void;
        onEnd: (end: {
            code: number;
            isFinal: boolean;
            error: RoostError;
            waitMs?: number;
        }) => void;
    });
    handlers: {
        onWelcome: (welcome: import("./protocol.js").Welcome) => void;
        onEvent: (event: import("./types.js").Event) => void;
        onEnd: (end: {
            code: number;
            isFinal: boolean;
            error: RoostError;
            waitMs?: number;
        }) => void;
    };
    /** @type {Map<string, {resolve: (result: any) => void, reject: (error: RoostError) => void}>} */
    waiting: Map<string, {
        resolve: (result: any) => void;
        reject: (error: RoostError) => void;
    }>;
    counter: number;
    hasEnded: boolean;
    lastHeard: number;
    heartbeat: number;
    /** @type {RoostError | null} */
    refusal: RoostError | null;
    /** @type {number | undefined} */
    goAwayMs: number | undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    timer: ReturnType<typeof setTimeout> | undefined;
    socket: WebSocket;
    /**
     * Whether the server lets no page of this origin connect. A browser does not tell why there is no WebSocket; the
     * server answers the same question over HTTP.
     * @param {string} url
     */
    isRefused(url: string): Promise<boolean>;
    /**
     * Sends a command and returns its result.
     * @param {string} command
     * @param {any} body
     * @param {string} [id] the transID of a command that writes
     * @returns {Promise<any>} rejects with a `RoostError`; `connectionLost` if no answer came
     */
    ask(command: string, body: any, id?: string | undefined): Promise<any>;
    /** @param {string} text */
    hear(text: string): void;
    watch(): void;
    /** Finds out whether the connection is alive, and ends it if no answer comes within ten seconds. */
    check(): void;
    /** @param {number} code */
    end(code: number): void;
    /** Closes the connection; `onEnd` is called as for any other end. */
    close(): void;
}
import { RoostError } from "./errors.js";
