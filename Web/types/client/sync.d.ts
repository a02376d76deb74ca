/**
 * Keeps one user connected and all logs complete and in order.
 *
 * After each connect it pulls what was missed, page by page, before anything is sent again. Each row of a log reaches
 * `onRow` once and in order; what is missing in between is asked for. It knows nothing of what the rows mean, except
 * those that begin or end a log.
 */
export class Sync {
    /**
     * @param {{url: string, hello: () => Promise<any>, renew: (() => Promise<string>) | null,
     *   onWelcome: (welcome: any, isNewEpoch: boolean) => void, onRow: (event: Row, isLive: boolean) => void,
     *   onEphemeral: (event: import("./protocol.js").Signal) => void, onReset: (reset: any) => void,
     *   onMarks: (marks: any[], heads: any[]) => void,
     *   onState: (state: "connecting" | "live" | "offline" | "refused" | "closed", error: RoostError | null) => void,
     *   onPosition: (channel: string | null, position: number | null) => void}} handlers
     */
    constructor(handlers: {
        url: string;
        hello: () => Promise<any>;
        renew: (() => Promise<string>) | null;
        onWelcome: (welcome: any, isNewEpoch: boolean) => void;
        onRow: (event: Row, isLive: boolean) => void;
        onEphemeral: (event: import("./protocol.js").Signal) => void;
        onReset: (reset: any) => void;
        onMarks: (marks: any[], heads: any[]) => void;
        onState: (state: "connecting" | "live" | "offline" | "refused" | "closed", error: RoostError | null) => void;
        onPosition: (channel: string | null, position: number | null) => void;
    });
    handlers: {
        url: string;
        hello: () => Promise<any>;
        renew: (() => Promise<string>) | null;
        onWelcome: (welcome: any, isNewEpoch: boolean) => void;
        onRow: (event: Row, isLive: boolean) => void;
        onEphemeral: (event: import("./protocol.js").Signal) => void;
        onReset: (reset: any) => void;
        onMarks: (marks: any[], heads: any[]) => void;
        onState: (state: "connecting" | "live" | "offline" | "refused" | "closed", error: RoostError | null) => void;
        onPosition: (channel: string | null, position: number | null) => void;
    };
    own: Log;
    /** @type {Map<string, Log>} */
    logs: Map<string, Log>;
    /** @type {string | null} */
    epoch: string | null;
    /**
     * The open channels that this connection takes part in.
     * @type {Set<string>}
     */
    open: Set<string>;
    /** @type {Connection | null} */
    connection: Connection | null;
    isLive: boolean;
    isClosed: boolean;
    backoff: Backoff;
    /** How many tokens were refused since the last login. */
    refusals: number;
    clockDifference: number;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    timer: ReturnType<typeof setTimeout> | undefined;
    /** @type {((error: RoostError | null) => void)[]} */
    liveWaiters: ((error: RoostError | null) => void)[];
    gaps: Gaps;
    /** Connects, and stays connected until `close`. */
    start(): void;
    /** Tries at once if it waits, or checks that the connection is alive: call it if the network may have changed. */
    wake(): void;
    /** The network is gone: nobody need wait until that is noticed. */
    lose(): void;
    /** Ends the connection for good. */
    close(): void;
    /** The server's clock, in ms since 1970. */
    get serverTime(): number;
    /** @param {import("./protocol.js").Welcome} welcome */
    welcomed(welcome: import("./protocol.js").Welcome): Promise<void>;
    /** @param {{code: number, isFinal: boolean, error: RoostError, waitMs?: number}} end */
    ended({ code, isFinal, error, waitMs }: {
        code: number;
        isFinal: boolean;
        error: RoostError;
        waitMs?: number;
    }): void;
    /** @param {number} wait in ms */
    startIn(wait: number): void;
    /** @param {RoostError | null} error */
    release(error: RoostError | null): void;
    /**
     * Waits until everything that was missed is there.
     * @returns {Promise<void>} rejects when the client is closed or refused
     */
    live(): Promise<void>;
    /**
     * Carries out a command; waits for the connection, and repeats it after a lost connection or a temporary refusal.
     * @param {string} command
     * @param {any} body
     * @param {string | null} transID of a command that writes, which makes it happen once
     * @returns {Promise<any>}
     */
    ask(command: string, body: any, transID: string | null): Promise<any>;
    /**
     * Carries out a command that writes, once, however often it has to be sent.
     * @param {string} command
     * @param {any} body
     */
    perform(command: string, body: any): Promise<any>;
    /**
     * Reads everything that was missed: in all logs, or in those that have a gap.
     * @param {Connection} connection
     * @param {string[] | null} only
     */
    resume(connection: Connection, only: string[] | null): Promise<void>;
    /**
     * @param {import("./protocol.js").Commands["resume"]["answer"]} page
     * @param {string[]} named the channels whose positions were sent
     * @returns {boolean} whether there was anything new
     */
    takePage(page: import("./protocol.js").Commands["resume"]["answer"], named: string[]): boolean;
    /**
     * Gives a log its first position, or moves it to where it is complete.
     * @param {string} channel
     * @param {number} seq
     */
    begin(channel: string, seq: number): void;
    /** @param {string} channel */
    forget(channel: string): void;
    /**
     * @param {import("./types.js").Event} event
     * @param {boolean} isLive
     */
    hear(event: import("./types.js").Event, isLive: boolean): void;
    /**
     * @param {Row[]} events
     * @param {boolean} isLive
     */
    deliver(events: Row[], isLive: boolean): void;
    /**
     * @param {Row} event
     * @param {boolean} isLive
     */
    deliverRow(event: Row, isLive: boolean): void;
    renew(): Promise<void>;
}
export type Row = import("./types.js").Row | import("./types.js").OwnRow;
import { RoostError } from "./errors.js";
import { Log } from "./logs.js";
import { Connection } from "./connection.js";
import { Backoff } from "./backoff.js";
import { Gaps } from "./gaps.js";
