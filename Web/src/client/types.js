/**
 * What travels on the wire, as Protocol/catalogue.md describes it, and what the models give to a user interface.
 *
 * @typedef {import("./protocol.js").User} User
 * @typedef {import("./protocol.js").ChannelKind} ChannelKind
 * @typedef {import("./protocol.js").Role} Role
 * @typedef {import("./protocol.js").Member} Member
 * @typedef {import("./protocol.js").Mention} Mention
 * @typedef {import("./protocol.js").FileReference} FileReference
 * @typedef {import("./protocol.js").Location} Location
 * @typedef {import("./protocol.js").Reaction} Reaction
 * @typedef {import("./protocol.js").Recall} Recall
 * @typedef {import("./protocol.js").ReplySnapshot} ReplySnapshot
 * @typedef {import("./protocol.js").MessageContent} Content
 * @typedef {import("./protocol.js").Vote} Vote
 * @typedef {import("./protocol.js").VoteTally} VoteTally
 * @typedef {import("./protocol.js").VoteState} VoteState
 * @typedef {import("./protocol.js").Schedule} Schedule
 * @typedef {import("./protocol.js").Event} Event
 * @typedef {import("./protocol.js").Row} Row
 * @typedef {import("./protocol.js").OwnRow} OwnRow
 * @typedef {import("./protocol.js").MessageRow} MessageRow the row of a message; that of an announcement has a part of
 *   the fields
 * @typedef {import("./protocol.js").ChannelPreference} Preference
 * @typedef {import("./protocol.js").Channel} WireChannel
 * @typedef {Extract<Row, {event: "message.recalled"}>} RecallRow
 * @typedef {Extract<Row, {event: "reaction.added" | "reaction.removed"}>} ReactionRow
 * @typedef {Extract<Row, {event: "channel.purged"}>} PurgeRow
 * @typedef {WireChannel & {name: string, hiddenTo?: number}} Channel a channel with the title to show, and the row up
 *   to which the user has hidden it, as far as an event has said so
 * @typedef {import("./protocol.js").Limits} Limits
 * @typedef {{channel: string, type: string, text: string, senderName?: string, senderImageURL?: string,
 *   senderID?: string, sentAt: number, transID?: string, seq?: number, messageID?: string, count?: number,
 *   mentions?: Mention[], replyTo?: ReplySnapshot, file?: FileReference, thumbnail?: FileReference,
 *   location?: Location, extras?: Record<string, string>, category?: string,
 *   call?: import("./protocol.js").CallNotice, vote?: Vote,
 *   validUntil?: number, isForwarded?: boolean, recall?: Recall,
 *   reactions?: {head: number, kinds: Reaction[]}, isAnnouncement?: boolean, localURL?: string}} Message
 * @typedef {{channel: string, title?: string, byUserID?: string, byName?: string}} Invitation to a group
 * @typedef {{file: Blob, name?: string, type?: string, durationMs?: number}} DraftFile a file that is to be sent with
 *   what is being written; the type is that of its message, guessed if absent
 * @typedef {{text: string, mentions: Mention[], replyTo: Message | null, files: DraftFile[]}} Draft
 * @typedef {{text: string, mentions?: Mention[], replyTo?: Message}} TextContent
 * @typedef {{name?: string, type?: string, text?: string, mentions?: Mention[], width?: number, height?: number,
 *   durationMs?: number, replyTo?: Message}} FileContent the type of message is guessed from the media type if absent
 * @typedef {{question: string, options: string[], choices?: number, isSecret?: boolean, canChange?: boolean,
 *   closesAt?: number}} NewVote times in ms since 1970
 * @typedef {import("./protocol.js").Pin & {message: Message}} PinnedMessage who has pinned a message, and when
 * @typedef {"uploading" | "sending" | "sent" | "failed"} MessageState
 * @typedef {import("./errors.js").RoostError} RoostError
 * @typedef {{kind: "day", key: string, day: number}} DayItem
 * @typedef {{kind: "unread", key: string, count: number}} UnreadItem
 * @typedef {{kind: "line", key: string, sentAt: number, event: Row}} LineItem
 * @typedef {{kind: "message", key: string, message: Message, isOwn: boolean, isGrouped: boolean, state: MessageState,
 *   progress?: number, error?: ToldError, unreadBy?: number, vote?: VoteState, parts?: readonly MessageItem[],
 *   height?: number}} MessageItem `parts` are the messages of an album, which the chat shows as one row, and `height`
 *   is what it takes
 * @typedef {DayItem | UnreadItem | LineItem | MessageItem} Item
 * @typedef {import("./protocol.js").Commands["message.send"]["body"]} SendBody
 * @typedef {Pick<RoostError, "code" | "name" | "field" | "retryable" | "message">} ToldError
 * @typedef {{transID: string, channel: string, order: number, madeAt: number, command: SendBody, message: Message,
 *   state: "waiting" | "sent" | "failed", error?: ToldError, file?: Blob, fileName?: string, fileID?: string,
 *   progress?: number}} QueuedMessage a message that has no row yet; `command` is the body of `message.send`
 */

export {};
