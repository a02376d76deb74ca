import { uploadBytes } from "./uploads.js";

/** @typedef {import("./types.js").RoostError} RoostError */

/**
 * @typedef {{sync: import("./sync.js").Sync, server: string, headers: () => Promise<Record<string, string>>}} Uploader
 */

/** How often a server that answers with failures is asked again. */
const maxAttempts = 8;

/**
 * Uploads the file of a message, as often as it takes; goes on where an earlier upload has stopped.
 * @param {Uploader} uploader
 * @param {import("./types.js").QueuedMessage} message
 * @param {AbortSignal} signal
 * @param {(fraction: number) => void} onProgress
 * @returns {Promise<string | null>} the id of the file; null if it was aborted; rejects with a `RoostError`
 */
export async function sendFile({ sync, server, headers }, { transID, file, fileName, message }, signal, onProgress) {
  const blob = /** @type {Blob} */ (file);
  const { width, height, durationMs } = message.file ?? {};
  for (let attempts = 0; ; attempts++) {
    try {
      const { path, fileID } = await sync.ask(
        "file.create",
        {
          name: fileName || "file",
          size: blob.size,
          ...(blob.type && { contentType: blob.type.split(";")[0] }),
          ...(width && height && { width, height }),
          ...(durationMs && { durationMs }),
        },
        `${transID}.f`,
      );
      if (signal.aborted) return null;
      await uploadBytes(server + path, blob, { headers, signal, onProgress });
      return signal.aborted ? null : fileID;
    } catch (error) {
      if (signal.aborted) return null;
      const { retryable, name, retryAfterMs } = /** @type {RoostError} */ (error);
      // Without a network the client waits for it; a server that answers with failures is asked eight times.
      if (!retryable || (name !== "connectionLost" && attempts >= maxAttempts)) throw error;
      await sync.live();
      const wait = retryAfterMs ?? Math.min(1_000 * 2 ** attempts, 30_000);
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (signal.aborted) return null;
    }
  }
}
