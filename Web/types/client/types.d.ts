/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type User = {
    userID: string;
    name: string;
    imageURL?: string;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type ChannelKind = "single" | "group" | "open" | "self" | "publicNews" | "corporateNews";
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Role = "outcast" | "invited" | "participant" | "moderator" | "admin" | "none";
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Member = User & {
    role: Role;
    readSeq: number;
    readAt: number;
    hasNickname?: boolean;
    joinedAt?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Mention = {
    userID: string;
    start?: number;
    length?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type FileReference = {
    fileID: string;
    name?: string;
    contentType?: string;
    size?: number;
    width?: number;
    height?: number;
    durationMs?: number;
    blurHash?: string;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Location = {
    latitude: number;
    longitude: number;
    address?: string;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Reaction = {
    emoji: string;
    count: number;
    isMine: boolean;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Recall = {
    isSilent: boolean;
    at: number;
    byUserID?: string;
    byName: string;
    byRole?: "moderator" | "operator";
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type ReplySnapshot = {
    messageID: string;
    seq: number;
    senderID?: string;
    senderName?: string;
    type: string;
    sentAt: number;
    text: string;
    mentions?: Mention[];
    file?: FileReference;
    thumbnail?: FileReference;
    location?: Location;
    isRecalled?: boolean;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Content = {
    type?: string;
    text?: string;
    mentions?: Mention[];
    file?: FileReference;
    thumbnail?: FileReference;
    location?: Location;
    extras?: Record<string, string>;
    category?: string;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Vote = {
    options: Content[];
    choices?: number;
    isSecret?: boolean;
    results?: "live" | "atEnd" | string;
    canChange?: boolean;
    opensAt?: number;
    closesAt?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type VoteTally = {
    counts?: number[];
    voters: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type VoteState = {
    event: Event;
    phase: "upcoming" | "open" | "closed" | string;
    revision: number;
    tally: VoteTally;
    ownOptions: number[];
    closedAt?: number;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Schedule = {
    scheduleID: string;
    messages: Content[];
    channels: string[];
    sendAt: number;
    subject?: string;
    vote?: Vote;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Event = {
    event: string;
    channel?: string;
    seq?: number;
    userSeq?: number;
    senderID?: string;
    transID?: string;
    sentAt?: number;
    body: any;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type Preference = {
    isMuted: boolean;
    ringtone?: string;
};
/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 */
export type WireChannel = {
    channel: string;
    kind: ChannelKind;
    title?: string;
    memberCount: number;
    members: Member[];
    seq: number;
    count: number;
    unread?: number;
    mentions?: number;
    readSeq?: number;
    role?: Role;
    lastMessage?: Event;
    lastActivityAt: number;
    profile?: any;
    preference?: Preference;
    isMarkedUnread?: boolean;
    createdBy?: string;
    createdAt?: number;
    isHidden?: boolean;
};
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
export type Limits = {
    [name: string]: number;
    textLength: number;
    fileBytes: number;
    frameBytes: number;
    members: number;
    mentions: number;
    recallWindowMs: number;
    scheduleMinMs: number;
    scheduleMaxMs: number;
};
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
    call?: any;
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
    event: Event;
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
    error?: RoostError;
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
 * a message that has no row yet; `command` is the body of `message.send`
 */
export type QueuedMessage = {
    transID: string;
    channel: string;
    order: number;
    madeAt: number;
    command: any;
    message: Message;
    state: "waiting" | "sent" | "failed";
    error?: any;
    file?: Blob;
    fileName?: string;
    fileID?: string;
    progress?: number;
};
