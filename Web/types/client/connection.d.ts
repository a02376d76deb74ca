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
    /**
     * Sends a command. If the connection ends before its answer, neither function is called.
     * @param {string} id the transID of a command that writes
     * @param {string} command
     * @param {any} body
     * @param {Answer} answer
     */
    send(id: string, command: string, body: any, answer: Answer): void;
    /** Finds out whether the connection is alive, and ends it if no answer comes within ten seconds. */
    check(): void;
    /**
     * Ends the connection, and tells it.
     * @param {number} code
     * @param {number} [waitMs] how long the server says to wait before the next one
     */
    end(code: number, waitMs?: number | undefined): void;
    #private;
}
/**
 * called at once
 */
export type Answer = {
    resolve: (result: any) => void;
    reject: (error: RoostError) => void;
};
import { RoostError } from "./errors.js";
