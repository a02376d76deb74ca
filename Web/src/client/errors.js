/**
 * The errors that are not from the server.
 * @typedef {"connectionLost" | "closed" | "tooOld" | "fileNotFound" | "origin"} ClientErrorName
 */

/**
 * How long to wait if the server asks for it, in ms: more than a minute is an error or an attack.
 * @param {number} asked
 */
export const cappedWait = (asked) => Math.min(Math.max(asked || 0, 0), 60_000);

/** An error of the server, or of this client (code 0). */
export class RoostError extends Error {
  /**
   * @param {{code: number, name: string, message: string, field?: string, retryable?: boolean,
   *   retryAfterMs?: number}} error
   */
  constructor(error) {
    super(error.message);
    /** The stable code of the registry in Protocol/catalogue.md; 0 if the error is not from the server. */
    this.code = error.code;
    /**
     * The stable name of the code.
     * @type {import("./protocol.js").ErrorName | ClientErrorName}
     */
    this.name = /** @type {import("./protocol.js").ErrorName | ClientErrorName} */ (error.name);
    /** The path of the wrong field in the body of the command. */
    this.field = error.field;
    /** Whether the same command may succeed later. */
    this.retryable = error.retryable ?? false;
    /** How long to wait before that, in ms, at most a minute. */
    this.retryAfterMs = error.retryAfterMs === undefined ? undefined : cappedWait(error.retryAfterMs);
  }
}

/** The connection ended before an answer came: the command may have been carried out. */
export const connectionLost = () =>
  new RoostError({ code: 0, name: "connectionLost", message: "The connection was lost.", retryable: true });

/** The client was closed, or the server does not let the user in. */
export const closed = () => new RoostError({ code: 0, name: "closed", message: "There is no connection any more." });
