/**
 * One channel as a screen shows it: history, live messages, own sends, typing, members and read marks.
 *
 * `open` it while it is on a screen and `close` it after that. Fires `change` after each change, at most once per turn
 * of the event loop; what it gives is replaced, never changed. Each command is carried out once.
 */
export class Conversation extends EventTarget {
    /** The id of the channel. */
    id: string;
    /** The channel; null until it is known. */
    get channel(): import("./types.js").Channel | null;
    /** The messages and lines, from the oldest to the newest. @returns {import("./types.js").Item[]} */
    get items(): import("./types.js").Item[];
    /** Whether there may be older messages. */
    get hasBefore(): boolean;
    /** Whether there are newer messages than the last item. */
    get hasAfter(): boolean;
    /** Whether there is something to show. */
    get hasLoaded(): boolean;
    /** Whether the first messages are being loaded. */
    get isLoading(): boolean;
    /** What the server has refused last. */
    get error(): import("./errors.js").RoostError | null;
    /** All members, with their read marks. */
    get members(): import("./protocol.js").Member[];
    /** The newest row that is here without a gap, shown or not; 0 before the first page. */
    get lastSeq(): number;
    /** Messages after this row are new to the user; null if there is no separator. */
    get separator(): number | null;
    /** What the server will send later for this user. */
    get schedules(): import("./protocol.js").Schedule[];
    /** Those who are typing, without oneself and those whom the user has blocked. */
    get typing(): {
        userID: string;
        name: string;
    }[];
    /** Whether the channel does not exist for this user any more. */
    get isGone(): boolean;
    /** Whether that is because the user is banned from it. */
    get isBanned(): boolean;
    /** The event of the user's own log that has ended it for this user, if one did. */
    get ending(): import("./protocol.js").OwnRow | null;
    /** The other member of a 1-on-1 if the user has blocked that person; else undefined. */
    get blockedPeer(): import("./protocol.js").Member | undefined;
    /** Whether the other member of a 1-on-1 was deleted, as far as it is known. */
    get isPeerDeleted(): boolean;
    /** Whether this user may send: not to news, not after having left, not to who was deleted or is blocked. */
    get canWrite(): boolean;
    /** Reads the pinned messages; while the conversation is shown, they are kept up to date from then on. */
    loadPins(): Promise<import("./conversation-pins.js").ConversationPins>;
    /** What was being written, also before a reload. */
    get draft(): import("./types.js").Draft;
    /** @param {Partial<import("./types.js").Draft>} draft what is being written; nothing, when it was sent */
    setDraft(draft: Partial<import("./types.js").Draft>): void;
    /** Shows the conversation: loads its newest messages, joins an open channel. Call `close` as often as `open`. */
    open(): Promise<void>;
    /** The conversation is not shown any more. */
    close(): void;
    /** Brings everything up to date; by itself it does so after `open` and after each connect. */
    refresh(): Promise<void>;
    /** Loads the newest messages in place of what is there. */
    loadNewest(): Promise<void>;
    /** Loads what shows before the first item. */
    loadBefore(): Promise<void>;
    /** Loads what shows after the last item. */
    loadAfter(): Promise<void>;
    /**
     * Loads the messages around one, if it is not there.
     * @param {string} messageID
     * @param {() => boolean} [isWanted] whether the page is still to be shown when it has come; always if absent
     * @returns {Promise<void>} rejects with `messageNotFound` if it does not exist or may not be read
     */
    loadAround(messageID: string, isWanted?: (() => boolean) | undefined): Promise<void>;
    /**
     * Sends a text. It appears at once as being sent, and keeps its place.
     * @param {import("./types.js").TextContent} content
     * @returns {string} the transID
     */
    send(content: import("./types.js").TextContent): string;
    /**
     * Sends a file: it is uploaded first, also after a reload. The sends behind it wait for it.
     * @param {Blob} file
     * @param {import("./types.js").FileContent} [about]
     * @returns {string} the transID
     */
    sendFile(file: Blob, about?: import("./types.js").FileContent | undefined): string;
    /** @param {string} transID of a failed message */
    retry(transID: string): void;
    /** @param {string} transID of a message that is not sent; an upload is cancelled */
    discard(transID: string): void;
    /** @param {string[]} messageIDs are recalled for everybody */
    recall(messageIDs: string[]): Promise<void>;
    /** @param {string[]} messageIDs are deleted from this user's own view */
    deleteForMe(messageIDs: string[]): Promise<void>;
    /**
     * Adds a reaction, or removes it if it is there.
     * @param {string} messageID
     * @param {string} emoji
     */
    react(messageID: string, emoji: string): Promise<void>;
    /**
     * Forwards messages to other channels.
     * @param {string[]} messageIDs
     * @param {string[]} channels
     */
    forward(messageIDs: string[], channels: string[]): Promise<void>;
    /** Tells the others that this user is typing; call it for each change of the text. */
    userIsTyping(): void;
    /** Tells the others that this user has stopped typing. */
    userStoppedTyping(): void;
    /** @param {number} [seq] everything up to this row is read; up to the newest if absent */
    markRead(seq?: number | undefined): void;
    /**
     * Sets this user's ballot.
     * @param {string} messageID
     * @param {number[]} options the indexes of the options
     */
    vote(messageID: string, options: number[]): Promise<void>;
    /** @param {string} messageID */
    closeVote(messageID: string): Promise<void>;
    /** @param {import("./types.js").NewVote} vote */
    createVote(vote: import("./types.js").NewVote): Promise<void>;
    /**
     * Has the server send a text later.
     * @param {{text: string, mentions?: import("./types.js").Mention[], at: number}} schedule `at` in ms since 1970
     */
    schedule({ text, mentions, at }: {
        text: string;
        mentions?: import("./types.js").Mention[];
        at: number;
    }): Promise<void>;
    /** @param {string} scheduleID */
    cancelSchedule(scheduleID: string): Promise<void>;
    /** @param {string} prefix the members whose name, a word of it, or id begins with it, without oneself, are found */
    mentionCandidates(prefix: string): import("./protocol.js").Member[];
    /** @param {string[]} userIDs */
    invite(userIDs: string[]): Promise<void>;
    /** @param {string[]} userIDs */
    kick(userIDs: string[]): Promise<void>;
    /** @param {string[]} userIDs */
    ban(userIDs: string[]): Promise<void>;
    /**
     * @param {string} userID
     * @param {import("./types.js").Role} role
     */
    setRole(userID: string, role: import("./types.js").Role): Promise<void>;
    /** @param {string} [successor] who becomes admin in this user's place */
    leave(successor?: string | undefined): Promise<void>;
    /** Ends the group for everybody. */
    dismiss(): Promise<void>;
    /** @param {string} title */
    rename(title: string): Promise<void>;
    /** @param {Blob} file the picture of the group */
    setPicture(file: Blob): Promise<void>;
    /** @param {boolean} isMuted */
    mute(isMuted: boolean): Promise<void>;
    /** Hides the conversation until its next message. */
    hide(): Promise<void>;
    /** Marks the conversation as unread, for this user only. */
    markUnread(): Promise<void>;
    /** Removes the conversation from this user's list, with its history. */
    end(): Promise<void>;
    #private;
}
