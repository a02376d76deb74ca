import { RoostError } from "./errors.js";

/** A link is asked for again this long before it expires, in ms. */
const margin = 30_000;

/** Links to files, read together and kept until they expire. */
export class FileLinks {
  /** @param {import("./client.js").Client} client */
  constructor(client) {
    this.client = client;
    /** @type {Map<string, {url: Promise<string>, until: number}>} */
    this.links = new Map();
    /** @type {Map<string, {resolve: (url: string) => void, reject: (error: unknown) => void}>} */
    this.wanted = new Map();
  }

  /**
   * @param {string} fileID
   * @returns {Promise<string>}
   */
  url(fileID) {
    const known = this.links.get(fileID);
    if (known && known.until > this.client.sync.serverTime + margin) return known.url;
    const url = new Promise((/** @type {(url: string) => void} */ resolve, reject) => {
      if (!this.wanted.size) queueMicrotask(() => this.load());
      this.wanted.set(fileID, { resolve, reject });
    });
    // While it is under way, nobody asks again.
    this.links.set(fileID, { url, until: Infinity });
    return url;
  }

  async load() {
    const wanted = [...this.wanted];
    this.wanted.clear();
    for (let start = 0; start < wanted.length; start += 100) {
      const part = new Map(wanted.slice(start, start + 100));
      /** @type {unknown} */
      let reason = new RoostError({ code: 0, name: "fileNotFound", message: "There is no such file." });
      try {
        const { files } = await this.client.read("file.get", { fileIDs: [...part.keys()] });
        for (const { file, link, linkExpiresAt } of files) {
          const known = this.links.get(file.fileID);
          if (known) known.until = linkExpiresAt;
          part.get(file.fileID)?.resolve(this.client.server + link);
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
