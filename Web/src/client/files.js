import { RoostError } from "./client.js";
import { uploadBytes } from "./uploads.js";

/** A link is asked for again this long before it expires, in ms. */
const margin = 30_000;

/** Files on the server: their uploads, and links to them, read together and kept until they expire. */
export class Files {
  #core;
  /** @type {Map<string, {resolve: (url: string) => void, reject: (error: unknown) => void}>} */
  #wanted = new Map();

  /** @param {import("./core.js").Core} core */
  constructor(core) {
    this.#core = core;
    /** @type {Map<string, {url: Promise<string>, until: number}>} */
    this.links = new Map();
  }

  /**
   * @param {string} fileID
   * @returns {Promise<string>}
   */
  url(fileID) {
    const known = this.links.get(fileID);
    if (known && known.until > this.#core.sync.serverTime + margin) return known.url;
    const url = new Promise((/** @type {(url: string) => void} */ resolve, reject) => {
      if (!this.#wanted.size) queueMicrotask(() => this.#load());
      this.#wanted.set(fileID, { resolve, reject });
    });
    // While it is under way, nobody asks again.
    this.links.set(fileID, { url, until: Infinity });
    return url;
  }

  /**
   * @param {string} imageURL of a user or a channel
   * @returns {Promise<string | null>} null if it may not be shown; rejects if there is no link to it
   */
  async picture(imageURL) {
    if (imageURL.startsWith("file:")) return this.url(imageURL.slice(5));
    const { server, state: { imageOrigins } } = this.#core;
    // The host of a picture sees who looks at it; so the operator says which hosts may.
    const origin = originOf(imageURL);
    return origin && [server, ...imageOrigins].some((each) => originOf(each) === origin) ? imageURL : null;
  }

  /**
   * @param {Blob} blob
   * @param {string} name
   * @param {{onProgress: (fraction: number) => void, signal: AbortSignal}} options
   * @returns {Promise<{fileID: string}>}
   */
  async upload(blob, name, { onProgress, signal }) {
    const core = this.#core;
    const contentType = blob.type.split(";")[0];
    const { fileID, path } = await core.sync.perform("file.create", {
      name,
      size: blob.size,
      ...(contentType && { contentType }),
    });
    await uploadBytes(core.server + path, blob, { headers: () => core.credentials.headers(), onProgress, signal });
    return { fileID };
  }

  async #load() {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (let start = 0; start < wanted.length; start += 100) {
      const part = new Map(wanted.slice(start, start + 100));
      /** @type {unknown} */
      let reason = new RoostError({ code: 0, name: "fileNotFound", message: "There is no such file." });
      try {
        const { files } = await this.#core.sync.ask("file.get", { fileIDs: [...part.keys()] });
        for (const { file, link, linkExpiresAt } of files) {
          const known = this.links.get(file.fileID);
          if (known) known.until = linkExpiresAt;
          part.get(file.fileID)?.resolve(this.#core.server + link);
          part.delete(file.fileID);
        }
      } catch (error) {
        reason = error;
      }
      for (const [id, { reject }] of part) {
        this.links.delete(id);
        reject(reason);
      }
    }
  }
}

/**
 * The web origin of an address; null if it is none of the web.
 * @param {string} address
 */
function originOf(address) {
  try {
    const { origin, protocol } = new URL(address);
    return /^https?:$/.test(protocol) ? origin : null;
  } catch {
    return null;
  }
}
