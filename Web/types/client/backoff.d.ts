/**
 * When to connect again: at random, so that the clients of a restarted server do not all come at once. Times are in ms.
 */
export class Backoff {
    failures: number;
    triedAt: number;
    liveAt: number;
    /** @param {number} now an attempt begins */
    tries(now: number): void;
    /** @param {number} now everything that was missed is there */
    lives(now: number): void;
    /**
     * How long to wait after an attempt or a connection has ended.
     * @param {number} now
     * @param {number} [asked] how long the server says
     */
    wait(now: number, asked?: number | undefined): number;
    /**
     * How long to wait if there is a reason to try at once.
     * @param {number} now
     */
    soon(now: number): number;
}
