/** What a user can do in a conversation. Each command is carried out once, however often it has to be sent. */
export class ConversationActions extends EventTarget {
    /**
     * @param {import("./core.js").Core} core
     * @param {string} id
     */
    constructor(core: import("./core.js").Core, id: string);
    core: import("./core.js").Core;
    /** The id of the channel. */
    id: string;
    typingSentAt: number;
    markSent: number;
    isTelling: boolean;
    /** Tells that something has changed. */
    changed(): void;
    /**
     * Sends a text. It appears at once as being sent, and keeps its place.
     * @param {{text: string, mentions?: import("./types.js").Mention[], replyTo?: Message}} content
     * @returns {string} the transID
     */
    send({ text, mentions, replyTo }: {
        text: string;
        mentions?: import("./types.js").Mention[];
        replyTo?: Message;
    }): string;
    /**
     * Sends a file: it is uploaded first, also after a reload. The sends behind it wait for it.
     * @param {Blob} file
     * @param {{name?: string, type?: string, text?: string, mentions?: import("./types.js").Mention[],
     *   width?: number, height?: number, durationMs?: number, replyTo?: Message}} about the type of message is guessed
     *   from the media type
     * @returns {string} the transID
     */
    sendFile(file: Blob, { name, type, text, mentions, width, height, durationMs, replyTo }?: {
        name?: string;
        type?: string;
        text?: string;
        mentions?: import("./types.js").Mention[];
        width?: number;
        height?: number;
        durationMs?: number;
        replyTo?: Message;
    }): string;
    /** @param {string} transID of a failed message */
    retry(transID: string): void;
    /** @param {string} transID of a message that is not sent; an upload is cancelled */
    discard(transID: string): void;
    /**
     * Recalls messages for everybody.
     * @param {string[]} messageIDs
     */
    recall(messageIDs: string[]): Promise<void>;
    /**
     * Deletes messages from this user's own view.
     * @param {string[]} messageIDs
     */
    deleteForMe(messageIDs: string[]): Promise<void>;
    /**
     * Adds a reaction, or removes it if it is there.
     * @param {string} messageID
     * @param {string} emoji
     */
    react(messageID: string, emoji: string): Promise<void>;
    /**
     * @param {string} messageID
     * @returns {Message | undefined}
     */
    timelineMessage(messageID: string): Message | undefined;
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
    /**
     * Marks everything up to a row as read.
     * @param {number} [seq] the newest row if absent
     */
    markRead(seq?: number | undefined): void;
    /**
     * Sets this user's ballot.
     * @param {string} messageID
     * @param {number[]} options the indexes of the options
     */
    vote(messageID: string, options: number[]): Promise<void>;
    /** @param {string} messageID */
    closeVote(messageID: string): Promise<void>;
    /** @param {string} messageID */
    readVote(messageID: string): Promise<void>;
    /**
     * Creates a vote.
     * @param {{question: string, options: string[], choices?: number, isSecret?: boolean, canChange?: boolean,
     *   closesAt?: number}} vote times in ms since 1970
     */
    createVote({ question, options, ...rules }: {
        question: string;
        options: string[];
        choices?: number;
        isSecret?: boolean;
        canChange?: boolean;
        closesAt?: number;
    }): Promise<void>;
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
    /**
     * The members whose name or id begins with a text, without oneself.
     * @param {string} prefix
     * @returns {Member[]}
     */
    mentionCandidates(prefix: string): Member[];
    /** @param {string[]} userIDs */
    invite(userIDs: string[]): Promise<void>;
    /** @param {string[]} userIDs */
    kick(userIDs: string[]): Promise<void>;
    /** @param {string[]} userIDs */
    ban(userIDs: string[]): Promise<void>;
    /**
     * @param {string} userID
     * @param {Role} role
     */
    setRole(userID: string, role: Role): Promise<void>;
    /** @param {string} [successor] who becomes admin in this user's place */
    leave(successor?: string | undefined): Promise<void>;
    /** Ends the group for everybody. */
    dismiss(): Promise<void>;
    /** @param {string} title */
    rename(title: string): Promise<void>;
    /**
     * Sets the picture of the group.
     * @param {Blob} file
     */
    setPicture(file: Blob): Promise<void>;
    /** @param {boolean} isMuted */
    mute(isMuted: boolean): Promise<void>;
    /** Hides the conversation until its next message. */
    hide(): Promise<void>;
    /** Marks the conversation as unread, for this user only. */
    markUnread(): Promise<void>;
    /** Removes the conversation from this user's list, with its history. */
    end(): Promise<void>;
    /**
     * @template {keyof Commands} Name
     * @param {Name} command
     * @param {Omit<Commands[Name]["body"], "channel">} body
     */
    perform<Name extends keyof import("./protocol.js").Commands>(command: Name, body: Omit<import("./protocol.js").Commands[Name]["body"], "channel">): Promise<import("./protocol.js").Commands[Name]["answer"]>;
}
export type Commands = import("./protocol.js").Commands;
export type Message = import("./types.js").Message;
export type Member = import("./types.js").Member;
export type Role = import("./types.js").Role;
