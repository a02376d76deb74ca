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
      const part = wanted.slice(start, start + 100);
      try {
        const { files } = await this.client.read("file.get", { fileIDs: part.map(([id]) => id) });
        for (const { file, link, linkExpiresAt } of files) {
          const known = this.links.get(file.fileID);
          if (known) known.until = linkExpiresAt;
          part.find(([id]) => id === file.fileID)?.[1].resolve(this.client.server + link);
        }
        throw new Error("There is no such file.");
      } catch (error) {
        for (const [id, { reject }] of part) {
          if (this.links.get(id)?.until === Infinity) this.links.delete(id);
          reject(error);
        }
      }
    }
  }
}
