/**
 * Uploads the file of a message, as often as it takes; goes on where an earlier upload has stopped.
 * @param {Uploader} uploader
 * @param {import("./types.js").QueuedMessage} message
 * @param {AbortSignal} signal
 * @param {(fraction: number) => void} onProgress
 * @returns {Promise<string | null>} the id of the file; null if it was aborted; rejects with a `RoostError`
 */
export function sendFile({ sync, server, headers }: Uploader, { transID, file, fileName, message }: import("./types.js").QueuedMessage, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<string | null>;
export type RoostError = import("./types.js").RoostError;
export type Uploader = {
    sync: import("./sync.js").Sync;
    server: string;
    headers: () => Promise<Record<string, string>>;
};
