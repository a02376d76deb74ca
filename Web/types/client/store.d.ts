/** The databases of this browser, if it has any: where the user has blocked them, to ask throws. */
export function databases(): IDBFactory | undefined;
export function rowRange(channel: string, from?: number | undefined, to?: number | undefined): IDBKeyRange;
/**
 * What one user has in this browser: channels, the newest rows of each, positions, drafts, and messages to be sent.
 *
 * All changes of one `write` happen or none does, so a position never says more than the rows that are there.
 */
export class Store {
    /**
     * Opens the store of a name.
     * @param {string} name
     * @returns {Promise<Store | null>} null if this browser has none, as in some private windows
     */
    static open(name: string): Promise<Store | null>;
    /**
     * Deletes a store with everything in it.
     * @param {string} name
     */
    static destroy(name: string): Promise<void>;
    /** @param {IDBDatabase} database */
    constructor(database: IDBDatabase);
    database: IDBDatabase;
    /**
     * Reads everything but the rows.
     * @returns {Promise<{meta: Map<string, any>, channels: any[], queue: QueuedMessage[], drafts: Map<string, any>}>}
     */
    load(): Promise<{
        meta: Map<string, any>;
        channels: any[];
        queue: QueuedMessage[];
        drafts: Map<string, any>;
    }>;
    readAll(): Promise<{
        meta: Map<string, any>;
        channels: any[];
        queue: any[];
        drafts: Map<string, any>;
    }>;
    /**
     * Carries out changes in their order, all or none.
     * @param {Change[]} changes
     * @returns {Promise<void>}
     */
    write(changes: Change[]): Promise<void>;
    /**
     * Reads the newest rows of a channel that show, in a range, ascending.
     * @param {string} channel
     * @param {number} from the first row
     * @param {number} to the last row
     * @param {number} limit
     * @returns {Promise<Row[]>}
     */
    rows(channel: string, from: number, to: number, limit: number): Promise<Row[]>;
    /** Closes the store. */
    close(): void;
}
export type Row = import("./types.js").Row;
export type QueuedMessage = import("./types.js").QueuedMessage;
/**
 * One change of the store.
 */
export type Change = {
    in: "meta" | "channels" | "rows" | "queue" | "drafts";
    put?: any;
    key?: any;
    delete?: any;
} | {
    in: "rows";
    edit: (event: Row) => Row | null;
    key: [string, number];
};
