export function cappedWait(asked: number): number;
/** An error of the server, or of this client (code 0). */
export class RoostError extends Error {
    /**
     * @param {{code: number, name: string, message: string, field?: string, retryable?: boolean,
     *   retryAfterMs?: number}} error
     */
    constructor(error: {
        code: number;
        name: string;
        message: string;
        field?: string;
        retryable?: boolean;
        retryAfterMs?: number;
    });
    /** The stable code of the registry in Protocol/catalogue.md; 0 if the error is not from the server. */
    code: number;
    /**
     * The stable name of the code.
     * @type {import("./protocol.js").ErrorName | ClientErrorName}
     */
    name: import("./protocol.js").ErrorName | ClientErrorName;
    /** The path of the wrong field in the body of the command. */
    field: string | undefined;
    /** Whether the same command may succeed later. */
    retryable: boolean;
    /** How long to wait before that, in ms, at most a minute. */
    retryAfterMs: number | undefined;
}
export function connectionLost(): RoostError;
export function closed(): RoostError;
/**
 * The errors that are not from the server.
 */
export type ClientErrorName = "connectionLost" | "closed" | "tooOld" | "fileNotFound" | "origin";
