/** @typedef {import("./types.js").Draft} Draft */
/** @typedef {import("./types.js").DraftFile} DraftFile */

/** @type {Draft} */
const empty = { text: "", mentions: [], replyTo: null, files: [] };
/** The key of the files: they are written when they change, not with each letter. */
const filesKey = (/** @type {string} */ channel) => `${channel} files`;

/** What is being written in each conversation, also after a reload. */
export class Drafts {
  #cache;
  /** @type {Map<string, Draft>} */
  #all = new Map();

  /** @param {import("./cache.js").Cache} cache */
  constructor(cache) {
    this.#cache = cache;
  }

  /**
   * Takes what the store holds.
   * @param {Map<string, any>} stored
   */
  load(stored) {
    for (const [key, value] of stored) {
      const channel = key.split(" ")[0];
      // Before there was more than a text.
      const part = channel !== key ? { files: value } : typeof value === "string" ? { text: value } : value;
      this.#all.set(channel, { ...this.get(channel), ...part });
    }
  }

  /** @param {string} channel */
  get(channel) {
    return this.#all.get(channel) ?? empty;
  }

  /**
   * @param {string} channel
   * @param {Partial<Draft>} draft what is absent is empty
   */
  set(channel, draft) {
    const old = this.get(channel);
    const { text, mentions, replyTo, files } = { ...empty, ...draft };
    const hasWords = text || replyTo;
    if (hasWords || files.length) this.#all.set(channel, { text, mentions, replyTo, files });
    else this.#all.delete(channel);
    if (text !== old.text || replyTo !== old.replyTo || mentions.length !== old.mentions.length) {
      this.#cache.write([hasWords ? { in: "drafts", put: { text, mentions, replyTo }, key: channel } :
        { in: "drafts", delete: channel }]);
    }
    if (files.length !== old.files.length || files.some(({ file }, index) => file !== old.files[index].file)) {
      this.#keepFiles(filesKey(channel), files);
    }
  }

  /**
   * @param {string} key
   * @param {DraftFile[]} files
   */
  async #keepFiles(key, files) {
    const { store } = this.#cache;
    const gone = { in: /** @type {const} */ ("drafts"), delete: key };
    try {
      await store?.write([files.length ? { in: "drafts", put: files, key } : gone]);
    } catch {
      // Too large for this browser: the page has them until it is closed, and the store has no others.
      store?.write([gone]).catch(() => {});
    }
  }
}
