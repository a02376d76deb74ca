/**
 * Keeps one user connected and all logs complete and in order: a value without clock, socket, timer or randomness.
 *
 * 1. Every log has a position (`LogBook`). A row is delivered exactly if it follows the position; an early one is held
 *    until what is missing has been read.
 * 2. After each `welcome` it reads what was missed, page by page, before anything else is sent. Live rows come at the
 *    same time; the same rule applies to both.
 * 3. If the very last row of a log is lost, no later row tells it: the `positions` of each heartbeat do.
 * 4. Commands are sent again after a lost connection or a temporary refusal, with the same ids.
 *
 * It knows nothing of what rows mean, except of those that begin or end a log.
 */
export class SyncMachine {
    /** @param {boolean} canRenew whether there may be another token after one that is refused or ends */
    constructor(canRenew: boolean);
    /** How many tokens were refused since the last login. */
    refusals: number;
    /** The positions. */
    get book(): import("./log-book.js").LogBook;
    /**
     * Takes what has happened.
     * @param {Input} input
     * @param {number} now in ms, of a clock that only goes forward
     * @param {number} random from 0 to 1
     * @returns {Action[]} what is to be done, in this order
     */
    handle(input: Input, now: number, random: number): Action[];
    #private;
}
export type Row = import("./types.js").Row | import("./types.js").OwnRow;
export type RoostError = import("./errors.js").RoostError;
/**
 * `end` is the end of a connection, or of an attempt;
 *   `wake` a sign that the network may have changed, `lose` that it is gone; `joined` the answer of `channel.join`
 */
export type Input = {
    type: "start";
} | {
    type: "close";
} | {
    type: "wake";
} | {
    type: "lose";
} | {
    type: "tick";
} | {
    type: "welcome";
    welcome: import("./protocol.js").Welcome;
} | {
    type: "event";
    event: import("./types.js").Event;
} | {
    type: "answer";
    id: string;
    result: any;
} | {
    type: "refusal";
    id: string;
    error: RoostError;
} | {
    type: "end";
    code: number;
    isFinal: boolean;
    error: RoostError;
    waitMs?: number;
} | {
    type: "command";
    id: string;
    command: string;
    body: any;
} | {
    type: "token";
    token: string;
} | {
    type: "joined";
    channel: string;
    seq: number;
};
/**
 * `check` whether the connection is alive; `renew`: ask the app for a
 *   token; `settle` a command; a `position` without a channel is that of the user's own log
 */
export type Action = {
    type: "connect";
} | {
    type: "disconnect";
    waitMs?: number;
} | {
    type: "check";
} | {
    type: "renew";
} | {
    type: "timer";
    ms: number | null;
} | {
    type: "send";
    id: string;
    command: string;
    body: any;
} | {
    type: "settle";
    id: string;
    result?: any;
    error?: RoostError;
} | {
    type: "state";
    state: "connecting" | "live" | "offline" | "refused" | "closed";
    error: RoostError | null;
} | {
    type: "welcome";
    welcome: import("./protocol.js").Welcome;
    isNewEpoch: boolean;
} | {
    type: "row";
    event: Row;
    isLive: boolean;
} | {
    type: "signal";
    event: import("./protocol.js").Signal;
} | {
    type: "reset";
    reset: import("./protocol.js").Reset;
} | {
    type: "marks";
    page: import("./protocol.js").Commands["resume"]["answer"];
} | {
    type: "position";
    channel?: string;
    seq: number | null;
} | {
    type: "fault";
    error: unknown;
};
