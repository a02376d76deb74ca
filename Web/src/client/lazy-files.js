/** The files of the server; the module that deals with them is loaded when it is used. */
export class LazyFiles {
  #core;
  /** @type {Promise<import("./files.js").Files> | undefined} */
  #loading;

  /** @param {import("./core.js").Core} core */
  constructor(core) {
    this.#core = core;
  }

  /** @returns {Promise<import("./files.js").Files>} */
  load() {
    this.#loading ??= import("./files.js").then(({ Files }) => new Files(this.#core)).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /**
   * Uploads a file that is not a message.
   * @param {Blob} blob
   * @param {string} name
   * @param {{onProgress?: (fraction: number) => void, signal?: AbortSignal}} options
   */
  async upload(blob, name, { onProgress = () => {}, signal = new AbortController().signal } = {}) {
    return (await this.load()).upload(blob, name, { onProgress, signal });
  }
}
