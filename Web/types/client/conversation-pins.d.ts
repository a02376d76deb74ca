/** The pinned messages of a conversation, kept up to date while it is shown. */
export class ConversationPins {
    /** All that this user may read, the one that was pinned last first. */
    get all(): import("./types.js").PinnedMessage[];
    /** Whether this user may pin messages here, and take them down. */
    get mayPin(): boolean;
    /** @param {string} [messageID] */
    isPinned(messageID?: string | undefined): boolean;
    /** @param {string} messageID is pinned for everybody */
    pin(messageID: string): Promise<void>;
    /** @param {string} messageID is taken down for everybody, whoever has pinned it */
    unpin(messageID: string): Promise<void>;
    #private;
}
export type PinnedMessage = import("./types.js").PinnedMessage;
