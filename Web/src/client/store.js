import { shows } from "./timeline.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").QueuedMessage} QueuedMessage */

/**
 * One change of the store.
 * @typedef {{in: "meta" | "channels" | "rows" | "queue" | "drafts", put?: any, key?: any, delete?: any}
 *   | {in: "rows", edit: (event: Row) => Row | null, key: [string, number]}} Change
 */

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A browser whose database has not answered in this time, in ms, keeps nothing. */
const patience = 5_000;

/**
 * @template T
 * @param {Promise<T>} answer
 * @returns {Promise<T>} rejects if the database does not answer
 */
const inTime = (answer) => new Promise((resolve, reject) => {
  const timer = setTimeout(reject, patience);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
});

/** The databases of this browser, if it has any: where the user has blocked them, to ask throws. */
export function databases() {
  try {
    return globalThis.indexedDB;
  } catch {
    return undefined;
  }
}

/**
 * The range of the rows of a channel.
 * @param {string} channel
 * @param {number} [from] the first row
 * @param {number} [to] the last row
 */
export const rowRange = (channel, from = 0, to = Infinity) => IDBKeyRange.bound([channel, from], [channel, to]);

/**
 * What one user has in this browser: channels, the newest rows of each, positions, drafts, and messages to be sent.
 *
 * All changes of one `write` happen or none does, so a position never says more than the rows that are there.
 */
export class Store {
  #database;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database;
    // Another version of the page wants to change the database, or somebody deletes it.
    database.onversionchange = () => database.close();
  }

  /**
   * Opens the store of a name.
   * @param {string} name
   * @returns {Promise<Store | null>} null if this browser has none, as in some private windows
   */
  static async open(name) {
    try {
      const request = /** @type {IDBFactory} */ (databases()).open(name, 1);
      request.onupgradeneeded = () => {
        const database = request.result;
        database.createObjectStore("meta");
        database.createObjectStore("channels", { keyPath: "channel" });
        database.createObjectStore("rows");
        database.createObjectStore("queue", { keyPath: "transID" });
        database.createObjectStore("drafts");
      };
      const opened = done(request).then((database) => new Store(database));
      return await inTime(opened).catch(() => {
        // It came too late.
        opened.then((store) => store.close(), () => {});
        return null;
      });
    } catch {
      return null;
    }
  }

  /**
   * Reads everything but the rows.
   * @returns {Promise<import("./cache.js").Stored & {queue: QueuedMessage[], drafts: Map<string, any>}>}
   */
  load() {
    return inTime(this.#readAll());
  }

  async #readAll() {
    const transaction = this.#database.transaction(["meta", "channels", "queue", "drafts"]);
    /** @param {string} name */
    const entries = async (name) => {
      const store = transaction.objectStore(name);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      return new Map(keys.map((key, index) => [/** @type {string} */ (key), values[index]]));
    };
    const [meta, channels, queue, drafts] = await Promise.all([
      entries("meta"),
      done(transaction.objectStore("channels").getAll()),
      done(transaction.objectStore("queue").getAll()),
      entries("drafts"),
    ]);
    queue.sort((a, b) => a.order - b.order);
    return { meta, channels, queue, drafts };
  }

  /**
   * Carries out changes in their order, all or none.
   * @param {Change[]} changes
   * @returns {Promise<void>}
   */
  write(changes) {
    return inTime(new Promise((resolve, reject) => {
      const transaction = this.#database.transaction([...new Set(changes.map((change) => change.in))], "readwrite");
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      for (const change of changes) {
        const store = transaction.objectStore(change.in);
        if ("edit" in change) {
          const request = store.get(change.key);
          request.onsuccess = () => {
            const edited = request.result && change.edit(request.result);
            if (edited) store.put(edited, change.key);
            else store.delete(change.key);
          };
        } else if (change.delete !== undefined) {
          store.delete(change.delete);
        } else if (store.keyPath) {
          store.put(change.put);
        } else {
          store.put(change.put, change.key);
        }
      }
      // Without this the page itself commits, when it hears of the last request: one that ends before aborts it all.
      if (!changes.some((change) => "edit" in change)) transaction.commit();
    }));
  }

  /**
   * Reads the newest rows of a channel that show, in a range, ascending.
   * @param {string} channel
   * @param {number} from the first row
   * @param {number} to the last row
   * @param {number} limit
   * @returns {Promise<Row[]>}
   */
  rows(channel, from, to, limit) {
    return inTime(new Promise((resolve, reject) => {
      if (from > to) return resolve([]);
      /** @type {Row[]} */
      const rows = [];
      const request = this.#database
        .transaction("rows")
        .objectStore("rows")
        .openCursor(rowRange(channel, from, to), "prev");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || rows.length >= limit) return resolve(rows.reverse());
        if (shows(cursor.value)) rows.push(cursor.value);
        cursor.continue();
      };
    }));
  }

  /** Closes the store. */
  close() {
    this.#database.close();
  }

  /**
   * Deletes a store with everything in it.
   * @param {string} name
   */
  static async destroy(name) {
    try {
      const request = databases()?.deleteDatabase(name);
      if (!request) return;
      const deleted = done(request);
      // The browser deletes it when the last page that holds it is closed.
      const blocked = new Promise((resolve) => (request.onblocked = resolve));
      await inTime(Promise.race([deleted, blocked]));
    } catch {
      // Where the user has blocked it, Firefox has databases, and throws when one of them is meant.
    }
  }
}
