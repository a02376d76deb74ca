/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type User = import("./protocol.js").User;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type ChannelKind = import("./protocol.js").ChannelKind;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Role = import("./protocol.js").Role;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Member = import("./protocol.js").Member;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Mention = import("./protocol.js").Mention;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type FileReference = import("./protocol.js").FileReference;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Location = import("./protocol.js").Location;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Reaction = import("./protocol.js").Reaction;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Recall = import("./protocol.js").Recall;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type ReplySnapshot = import("./protocol.js").ReplySnapshot;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Content = import("./protocol.js").MessageContent;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Vote = import("./protocol.js").Vote;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type VoteTally = import("./protocol.js").VoteTally;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type VoteState = import("./protocol.js").VoteState;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Schedule = import("./protocol.js").Schedule;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Event = import("./protocol.js").Event;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Row = import("./protocol.js").Row;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type OwnRow = import("./protocol.js").OwnRow;
/**
 * the row of a message; that of an announcement has a part of
 * the fields
 */
export type MessageRow = import("./protocol.js").MessageRow;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Preference = import("./protocol.js").ChannelPreference;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type WireChannel = import("./protocol.js").Channel;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type RecallRow = Extract<Row, {
    event: "message.recalled";
}>;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type ReactionRow = Extract<Row, {
    event: "reaction.added" | "reaction.removed";
}>;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type PurgeRow = Extract<Row, {
    event: "channel.purged";
}>;
/**
 * a channel with the title to show, and the row up
 * to which the user has hidden it, as far as an event has said so
 */
export type Channel = WireChannel & {
    name: string;
    hiddenTo?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Limits = import("./protocol.js").Limits;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Message = {
    channel: string;
    type: string;
    text: string;
    senderName?: string;
    senderImageURL?: string;
    senderID?: string;
    sentAt: number;
    transID?: string;
    seq?: number;
    messageID?: string;
    count?: number;
    mentions?: Mention[];
    replyTo?: ReplySnapshot;
    file?: FileReference;
    thumbnail?: FileReference;
    location?: Location;
    extras?: Record<string, string>;
    category?: string;
    call?: import("./protocol.js").CallNotice;
    vote?: Vote;
    validUntil?: number;
    isForwarded?: boolean;
    recall?: Recall;
    reactions?: {
        head: number;
        kinds: Reaction[];
    };
    isAnnouncement?: boolean;
    localURL?: string;
};
/**
 * to a group
 */
export type Invitation = {
    channel: string;
    title?: string;
    byUserID?: string;
    byName?: string;
};
/**
 * a file that is to be sent with
 * what is being written; the type is that of its message, guessed if absent
 */
export type DraftFile = {
    file: Blob;
    name?: string;
    type?: string;
    durationMs?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Draft = {
    text: string;
    mentions: Mention[];
    replyTo: Message | null;
    files: DraftFile[];
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type TextContent = {
    text: string;
    mentions?: Mention[];
    replyTo?: Message;
};
/**
 * the type of message is guessed from the media type if absent
 */
export type FileContent = {
    name?: string;
    type?: string;
    text?: string;
    mentions?: Mention[];
    width?: number;
    height?: number;
    durationMs?: number;
    replyTo?: Message;
};
/**
 * times in ms since 1970
 */
export type NewVote = {
    question: string;
    options: string[];
    choices?: number;
    isSecret?: boolean;
    canChange?: boolean;
    closesAt?: number;
};
/**
 * who has pinned a message, and when
 */
export type PinnedMessage = import("./protocol.js").Pin & {
    message: Message;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type MessageState = "uploading" | "sending" | "sent" | "failed";
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type RoostError = import("./errors.js").RoostError;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type DayItem = {
    kind: "day";
    key: string;
    day: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type UnreadItem = {
    kind: "unread";
    key: string;
    count: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type LineItem = {
    kind: "line";
    key: string;
    sentAt: number;
    event: Row;
};
/**
 * `parts` are the messages of an album, which the chat shows as one row, and `height`
 * is what it takes
 */
export type MessageItem = {
    kind: "message";
    key: string;
    message: Message;
    isOwn: boolean;
    isGrouped: boolean;
    state: MessageState;
    progress?: number;
    error?: ToldError;
    unreadBy?: number;
    vote?: VoteState;
    parts?: readonly MessageItem[];
    height?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Item = DayItem | UnreadItem | LineItem | MessageItem;
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type SendBody = import("./protocol.js").Commands["message.send"]["body"];
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type ToldError = Pick<RoostError, "code" | "name" | "field" | "retryable" | "message">;
/**
 * a message that has no row yet; `command` is the body of `message.send`
 */
export type QueuedMessage = {
    transID: string;
    channel: string;
    order: number;
    madeAt: number;
    command: SendBody;
    message: Message;
    state: "waiting" | "sent" | "failed";
    error?: ToldError;
    file?: Blob;
    fileName?: string;
    fileID?: string;
    progress?: number;
};
