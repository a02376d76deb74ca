import { RoostError } from "./client.js";

/** How many bytes one request carries: small enough for a moving progress sign. */
const pieceBytes = 256 * 1024;

/**
 * The headers that say who asks.
 * @typedef {Record<string, string>} Headers
 */

/** @param {Response} response */
async function refusal(response) {
  try {
    return new RoostError((await response.json()).error);
  } catch {
    return new RoostError({
      code: 0,
      name: "uploadFailed",
      message: `The upload failed (${response.status}).`,
      retryable: response.status >= 500,
    });
  }
}

/**
 * Sends the bytes of a file with tus 1.0.0, beginning where an earlier upload has stopped.
 *
 * @param {string} url the path of the file on its server
 * @param {Blob} blob
 * @param {{headers: () => Promise<Headers>, onProgress: (fraction: number) => void, signal: AbortSignal}} options
 * @returns {Promise<void>} rejects with a `RoostError`, or with an `AbortError`; retryable if the network failed
 */
export async function uploadBytes(url, blob, { headers, onProgress, signal }) {
  /**
   * @param {string} method
   * @param {Headers} [more]
   * @param {Blob} [body]
   */
  const send = async (method, more, body) => {
    let response;
    try {
      response = await fetch(url, {
        method,
        headers: { ...(await headers()), "Tus-Resumable": "1.0.0", ...more },
        body,
        signal,
        cache: "no-store",
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new RoostError({ code: 0, name: "connectionLost", message: "The connection was lost.", retryable: true });
    }
    return response;
  };
  const status = await send("HEAD");
  // The answer to HEAD has no body, and that to GET is about a file that is complete.
  if (!status.ok) throw await refusal(status.status < 500 ? await send("GET") : status);
  let offset = Number(status.headers.get("Upload-Offset"));
  do {
    const piece = blob.slice(offset, offset + pieceBytes);
    const response = await send(
      "PATCH",
      { "Content-Type": "application/offset+octet-stream", "Upload-Offset": `${offset}` },
      piece,
    );
    if (!response.ok) throw await refusal(response);
    offset = Number(response.headers.get("Upload-Offset"));
    onProgress(blob.size ? offset / blob.size : 1);
  } while (offset < blob.size);
}
