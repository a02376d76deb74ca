/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 *
 * @typedef {{userID: string, name: string, imageURL?: string}} User
 * @typedef {"single" | "group" | "open" | "self" | "publicNews" | "corporateNews"} ChannelKind
 * @typedef {"outcast" | "invited" | "participant" | "moderator" | "admin" | "none"} Role
 * @typedef {User & {role: Role, readSeq: number, readAt: number, hasNickname?: boolean, joinedAt?: number}} Member
 * @typedef {{userID: string, start?: number, length?: number}} Mention
 * @typedef {{fileID: string, name?: string, contentType?: string, size?: number, width?: number, height?: number,
 *   durationMs?: number, blurHash?: string}} FileReference
 * @typedef {{latitude: number, longitude: number, address?: string}} Location
 * @typedef {{emoji: string, count: number, isMine: boolean}} Reaction
 * @typedef {{isSilent: boolean, at: number, byUserID?: string, byName: string,
 *   byRole?: "moderator" | "operator"}} Recall
 * @typedef {{messageID: string, seq: number, senderID?: string, senderName?: string, type: string, sentAt: number,
 *   text: string, mentions?: Mention[], file?: FileReference, thumbnail?: FileReference, location?: Location,
 *   isRecalled?: boolean}} ReplySnapshot
 * @typedef {{type?: string, text?: string, mentions?: Mention[], file?: FileReference, thumbnail?: FileReference,
 *   location?: Location, extras?: Record<string, string>, category?: string}} Content
 * @typedef {{options: Content[], choices?: number, isSecret?: boolean, results?: "live" | "atEnd" | string,
 *   canChange?: boolean, opensAt?: number, closesAt?: number}} Vote
 * @typedef {{counts?: number[], voters: number}} VoteTally
 * @typedef {{event: Event, phase: "upcoming" | "open" | "closed" | string, revision: number, tally: VoteTally,
 *   ownOptions: number[], closedAt?: number}} VoteState
 * @typedef {{scheduleID: string, messages: Content[], channels: string[], sendAt: number, subject?: string,
 *   vote?: Vote}} Schedule
 * @typedef {{event: string, channel?: string, seq?: number, userSeq?: number, senderID?: string, transID?: string,
 *   sentAt?: number, body: any}} Event
 * @typedef {{isMuted: boolean, ringtone?: string}} Preference
 * @typedef {{channel: string, kind: ChannelKind, title?: string, memberCount: number, members: Member[], seq: number,
 *   count: number, unread?: number, mentions?: number, readSeq?: number, role?: Role, lastMessage?: Event,
 *   lastActivityAt: number, profile?: any, preference?: Preference, isMarkedUnread?: boolean, createdBy?: string,
 *   createdAt?: number, isHidden?: boolean}} WireChannel
 * @typedef {WireChannel & {name: string, hiddenTo?: number}} Channel a channel with the title to show, and the row up
 *   to which the user has hidden it, as far as an event has said so
 * @typedef {{textLength: number, fileBytes: number, frameBytes: number, members: number, mentions: number,
 *   recallWindowMs: number, scheduleMinMs: number, scheduleMaxMs: number, [name: string]: number}} Limits
 * @typedef {{channel: string, type: string, text: string, senderName?: string, senderImageURL?: string,
 *   senderID?: string, sentAt: number, transID?: string, seq?: number, messageID?: string, count?: number,
 *   mentions?: Mention[], replyTo?: ReplySnapshot, file?: FileReference, thumbnail?: FileReference,
 *   location?: Location, extras?: Record<string, string>, category?: string, call?: any, vote?: Vote,
 *   validUntil?: number, isForwarded?: boolean, recall?: Recall,
 *   reactions?: {head: number, kinds: Reaction[]}, isAnnouncement?: boolean, localURL?: string}} Message
 * @typedef {"uploading" | "sending" | "sent" | "failed"} MessageState
 * @typedef {import("./errors.js").RoostError} RoostError
 * @typedef {{kind: "day", key: string, day: number}} DayItem
 * @typedef {{kind: "unread", key: string, count: number}} UnreadItem
 * @typedef {{kind: "line", key: string, sentAt: number, event: Event}} LineItem
 * @typedef {{kind: "message", key: string, message: Message, isOwn: boolean, isGrouped: boolean, state: MessageState,
 *   progress?: number, error?: RoostError, unreadBy?: number, vote?: VoteState, parts?: readonly MessageItem[],
 *   height?: number}} MessageItem `parts` are the messages of an album, which the chat shows as one row, and `height`
 *   is what it takes
 * @typedef {DayItem | UnreadItem | LineItem | MessageItem} Item
 * @typedef {{transID: string, channel: string, order: number, madeAt: number, command: any, message: Message,
 *   state: "waiting" | "sent" | "failed", error?: any, file?: Blob, fileName?: string, fileID?: string,
 *   progress?: number}} QueuedMessage a message that has no row yet; `command` is the body of `message.send`
 */

export {};
