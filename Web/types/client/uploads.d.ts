/**
 * Sends the bytes of a file with tus 1.0.0, beginning where an earlier upload has stopped.
 *
 * @param {string} url the path of the file on its server
 * @param {Blob} blob
 * @param {{headers: () => Promise<Headers>, onProgress: (fraction: number) => void, signal: AbortSignal}} options
 * @returns {Promise<void>} rejects with a `RoostError`, or with an `AbortError`; retryable if the network failed
 */
export function uploadBytes(url: string, blob: Blob, { headers, onProgress, signal }: {
    headers: () => Promise<Headers>;
    onProgress: (fraction: number) => void;
    signal: AbortSignal;
}): Promise<void>;
/**
 * The type of message for a file.
 * @param {string} contentType
 * @returns {"image" | "video" | "voice" | "document"}
 */
export function messageType(contentType: string): "image" | "video" | "voice" | "document";
/**
 * The headers that say who asks.
 */
export type Headers = Record<string, string>;
