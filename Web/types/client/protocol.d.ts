/**
 * What travels on the wire.
 *
 * @typedef {"registered" | "token"} AccountSource
 * @typedef {"everybody" | "members" | "users"} BroadcastSegmentKind
 * @typedef {"running" | "paused" | "done" | "cancelled"} BroadcastState
 * @typedef {"voice" | "video"} CallKind
 * @typedef {"answered" | "missed" | "declined" | "cancelled" | "failed"} CallResult
 * @typedef {"created" | "invited" | "accepted" | "joined"} ChannelJoinedReason
 * @typedef {"single" | "group" | "open" | "self" | "publicNews" | "corporateNews"} ChannelKind
 * @typedef {"messages" | "channel" | "everything"} DeletionScope
 * @typedef {"left" | "kicked" | "banned" | "declined" | "dismissed"} DepartureReason
 * @typedef {"all" | "sinceJoin" | "last"} HistoryVisibility
 * @typedef {"everybody" | "contacts" | "nobody"} InvitesFrom
 * @typedef {"normal" | "userCode" | "moderatorPhone" | "userSearch" | "moderatorCode"} JoinMethod
 * @typedef {"accounts" | "messages" | "operator" | "visitors"} KeyScope
 * @typedef {"participants" | "moderators"} Pinners
 * @typedef {"participants" | "moderators"} ProfileEditors
 * @typedef {"apns" | "fcm" | "web" | "webhook"} PushGateway
 * @typedef {"alert" | "voip" | "withdrawal"} PushKind
 * @typedef {"user" | "address" | "service" | "connection" | "settings" | "queue"} PushTestStepCheck
 * @typedef {"moderator" | "operator"} RecallRole
 * @typedef {"epoch" | "ahead" | "tooFar" | "gone"} ResetReason
 * @typedef {"none" | "outcast" | "invited" | "participant" | "moderator" | "admin"} Role
 * @typedef {"after" | "before"} TimeDirection
 * @typedef {"waiting" | "open" | "closed"} VotePhase
 * @typedef {"live" | "atEnd"} VoteResults
 * @typedef {{name: string, userID: string, scopes: KeyScope[], createdAt: number, revokedAt?: number}} APIKey
 * @typedef {{userID: string, loginName?: string, phone?: string, email?: string, corpID?: string, source:
 *   AccountSource, deviceID?: string, canChat: boolean, canCall: boolean}} Account
 * @typedef {{channel?: string, seq?: number, seqs?: number[], messageID?: string, transID: string, sentAt: number}}
 *   Acknowledgement
 * @typedef {{userID: string, name: string, options?: number[], castAt: number}} Ballot
 * @typedef {{user: User, at: number}} BlockedUser
 * @typedef {{broadcastID: string, state: BroadcastState, createdBy: string, senderID: string, segment:
 *   BroadcastSegment, messages: MessageContent[], createdAt: number, finishedAt?: number, users: number, done: number,
 *   sent: number, refusals: BroadcastRefusal[]}} Broadcast
 * @typedef {{transID: string, sentAt: number, broadcast: Broadcast}} BroadcastAnswer
 * @typedef {{code: number, count: number}} BroadcastRefusal
 * @typedef {{kind: BroadcastSegmentKind, channel?: string, userIDs?: string[]}} BroadcastSegment
 * @typedef {{callID: string, kind: CallKind, result?: CallResult, durationMs?: number}} CallNotice
 * @typedef {{channel: string, kind: ChannelKind, title?: string, memberCount: number, members: Member[], seq: number,
 *   count: number, unread?: number, readSeq?: number, role?: Role, lastMessage?: MessageRow, lastActivityAt: number,
 *   profile?: ChannelProfile, preference?: ChannelPreference, mentions?: number, isMarkedUnread?: boolean, createdAt?:
 *   number, createdBy?: string, joinedAt?: number, invitedBy?: string, updatedAt?: number, purgedTo?: number,
 *   isHidden?: boolean}} Channel
 * @typedef {{channels: Channel[], gone: GoneChannel[], batch: number, batchTotal: number, next?: string, asOf:
 *   number}} ChannelBatch
 * @typedef {{channel: string, seq: number}} ChannelPosition
 * @typedef {{isMuted: boolean, ringtone?: string, nickname?: string, imageURL?: string}} ChannelPreference
 * @typedef {{title?: string, customAttributes?: number, avatar?: string, background?: string, canJoin?: boolean,
 *   editors?: ProfileEditors, history?: HistoryVisibility, historyRows?: number, minMembers?: number, maxMembers?:
 *   number, moderatorsMayRecall?: boolean, noticesForwards?: boolean, pinners?: Pinners}} ChannelProfile
 * @typedef {{channel: string, kind: ChannelKind, seq: number, sentAt: number, readAt: number}} ChannelRead
 * @typedef {{channel: string, unread: number, mentions?: number, isMuted?: boolean, isMarkedUnread?: boolean, count?:
 *   number}} ChannelUnread
 * @typedef {{messageID: string, seq: number}} DeletedMessage
 * @typedef {{deviceID: string, address?: PushAddress, settings: DeviceSettings}} Device
 * @typedef {{hidesSender: boolean, hidesContent: boolean, sound?: string, voipSound?: string, mutesAll: boolean,
 *   mutedUntil?: number, mentionsOnly: boolean, quietHours?: QuietHours}} DeviceSettings
 * @typedef {{}} Done
 * @typedef {{fileID: string, name?: string, contentType?: string, size?: number, width?: number, height?: number,
 *   durationMs?: number, blurHash?: string, customField?: string}} FileReference
 * @typedef {{transID: string, fileID: string, path: string, expiresAt: number, file: FileReference}} FileUpload
 * @typedef {{channel: string, messageID: string, senderID?: string, senderName?: string, sentAt: number}}
 *   ForwardOrigin
 * @typedef {{userID: string, name: string, imageURL?: string, loginName?: string, phone?: string, email?: string,
 *   brand: string, corpID: string, canChat: boolean, canCall: boolean}} FoundUser
 * @typedef {{channel: string, reason: DepartureReason, at: number}} GoneChannel
 * @typedef {{userID: string, name?: string, imageURL?: string}} Guest
 * @typedef {{textLength: number, textBytes: number, frameBytes: number, pageRows: number, members: number, mentions:
 *   number, connectionsPerUser: number, channelsPerUser: number, channelsFromOthersPercent: number, channelsPerInviter:
 *   number, openChannelsPerConnection: number, resumeRows: number, idsPerCommand: number, messagesPerCommand: number,
 *   channelsPerCommand: number, schedules: number, scheduleMinMs: number, scheduleMaxMs: number, extras: number,
 *   extrasBytes: number, invitations: number, bans: number, blockedUsers: number, recallWindowMs: number,
 *   activeCountMembers: number, sendsPerSecond: number, sendBurst: number, channelSendsPerSecond: number,
 *   channelSendBurst: number, commandsPerSecond: number, commandBurst: number, broadcasts: number, reactionKinds:
 *   number, pins: number, fileBytes: number, fileBytesPerUser: number, uploads: number, devices: number, reportsPerDay:
 *   number}} Limits
 * @typedef {{latitude: number, longitude: number, address?: string}} Location
 * @typedef {{deviceID: string, connectedAt: number, expiresAt: number}} Login
 * @typedef {{userID: string, loginName: string, token: string, expiresAt: number}} LoginAnswer
 * @typedef {{userID: string, name: string, imageURL?: string, role: Role, readSeq: number, readAt: number,
 *   hasNickname?: boolean, hasChannelImage?: boolean, joinedAt?: number, joinMethod?: JoinMethod, byUserID?: string,
 *   bannedUntil?: number}} Member
 * @typedef {{userID: string, seq: number, sentAt: number, readAt: number}} MemberRead
 * @typedef {{userID: string, name: string, role: Role}} MemberRole
 * @typedef {{userID: string, start?: number, length?: number}} Mention
 * @typedef {{type?: string, text?: string, mentions?: Mention[], file?: FileReference, thumbnail?: FileReference,
 *   location?: Location, extras?: Record<string, string>, category?: string, attributes?: number, call?: CallNotice}}
 *   MessageContent
 * @typedef {{head: number, kinds: Reaction[]}} MessageReactions
 * @typedef {{messageID: string, code: number}} MessageResult
 * @typedef {{acknowledgement: Acknowledgement, results: MessageResult[]}} MessageResults
 * @typedef {{loginName: string, password: string, userID?: string, name?: string, phone?: string, email?: string,
 *   corpID?: string}} NewAccount
 * @typedef {string | {userID: string, role?: Role, nickname?: string, imageURL?: string}} NewMember
 * @typedef {{channel: string, kind: ChannelKind, title: string, profile?: ChannelProfile, subscriberCount: number,
 *   isSubscribed: boolean, lastActivityAt: number}} NewsChannel
 * @typedef {{channel: string, seq: number, unread: number, mentions?: number, isMarkedUnread?: boolean, count?:
 *   number}} OwnMark
 * @typedef {{channel: string, index: number, code: number, seq?: number, messageID?: string}} PairResult
 * @typedef {{transID: string, sentAt: number, results: PairResult[]}} PairResults
 * @typedef {{messageID: string, userID: string, name: string, pinnedAt: number}} Pin
 * @typedef {{gateway: PushGateway, token?: string, voipToken?: string, topic?: string, isSandbox?: boolean,
 *   publicKey?: string, authSecret?: string}} PushAddress
 * @typedef {{pushID: string, kind: PushKind, userID: string, event: string, type?: string, channel?: string,
 *   channelKind?: ChannelKind, channelTitle?: string, messageID?: string, seq?: number, sentAt: number, senderID?:
 *   string, senderName?: string, imageURL?: string, text?: string, category?: string, attributes?: number, extras?:
 *   Record<string, string>, call?: CallNotice, isEncrypted?: boolean, isMention?: boolean, unread?: number, badge:
 *   number, sound?: string, title?: string, body: string, locKey: string, locArgs: string[]}} PushPayload
 * @typedef {{deviceID: string, gateway?: PushGateway, isNotified: boolean, steps: PushTestStep[], payload?:
 *   PushPayload, result?: string}} PushTestDevice
 * @typedef {{check: PushTestStepCheck, passed: boolean, detail: string}} PushTestStep
 * @typedef {{timeZone: string, ranges: QuietHoursRange[]}} QuietHours
 * @typedef {{start: number, end: number, days?: number[]}} QuietHoursRange
 * @typedef {{emoji: string, count: number, isMine: boolean}} Reaction
 * @typedef {{messageID: string, readBy: number, unreadBy: number}} ReadCount
 * @typedef {{userID: string, seq: number, count: number, readAt: number}} ReadMark
 * @typedef {{userID: string, readAt: number}} Reader
 * @typedef {{isSilent: boolean, at: number, byUserID?: string, byName: string, byRole?: RecallRole}} Recall
 * @typedef {{messageID: string, seq: number, senderID?: string, wasCounted: boolean}} RecalledMessage
 * @typedef {{loginName: string, userID?: string, error?: WireError}} RegisterAccountsResult
 * @typedef {{messageID: string, seq: number, senderID?: string, senderName?: string, type: string, sentAt: number,
 *   text: string, mentions?: Mention[], extras?: Record<string, string>, file?: FileReference, thumbnail?:
 *   FileReference, location?: Location, isRecalled?: boolean}} ReplySnapshot
 * @typedef {{reportID: string, at: number, byUser: User, user?: User, channel?: string, message?: MessageRow,
 *   before?: Row[], category?: string, text?: string, closedAt?: number, closedBy?: string, note?: string}} Report
 * @typedef {{channel?: string, seq: number, reason: ResetReason}} Reset
 * @typedef {{scheduleID: string, messages: MessageContent[], channels: string[], sendAt: number, subject?: string,
 *   vote?: Vote}} Schedule
 * @typedef {{transID: string, sentAt: number, schedule: Schedule}} ScheduleAnswer
 * @typedef {{file: FileReference, link: string, linkExpiresAt: number}} StoredFile
 * @typedef {{total: number, channels: ChannelUnread[], muted?: number, mentions?: number}} UnreadCounts
 * @typedef {{channel: string, unread: number, count: number, readCount: number, readSeq: number, own: number,
 *   recalled: number, deleted: number, mentions: number, isMuted: boolean, isMarkedUnread: boolean, words: string}}
 *   UnreadExplanation
 * @typedef {{userID: string, name: string, imageURL?: string}} User
 * @typedef {{name?: string, imageURL?: string}} UserProfile
 * @typedef {{userID: string, name: string, emoji: string, reactedAt: number}} UserReaction
 * @typedef {{invitesFrom: InvitesFrom}} UserSettings
 * @typedef {{options: MessageContent[], choices?: number, isSecret?: boolean, results?: VoteResults, canChange?:
 *   boolean, opensAt?: number, closesAt?: number}} Vote
 * @typedef {{event: MessageRow, phase: VotePhase, revision: number, tally: VoteTally, ownOptions: number[],
 *   closedAt?: number}} VoteState
 * @typedef {{counts?: number[], voters: number}} VoteTally
 * @typedef {{user: User, isOperator: boolean, serverTime: number, epoch: string, heartbeat: number, limits: Limits,
 *   userSeq: number, expiresAt?: number, imageOrigins?: string[]}} Welcome
 * @typedef {{code: number, name: string, message: string, field?: string, retryable: boolean, retryAfterMs?: number}}
 *   WireError
 * @typedef {{"message.sent": {messageID: string, type: string, text: string, senderName: string, senderImageURL?:
 *   string, mentions?: Mention[], count: number, replyTo?: ReplySnapshot, file?: FileReference, thumbnail?:
 *   FileReference, location?: Location, extras?: Record<string, string>, category?: string, attributes?: number, call?:
 *   CallNotice, vote?: Vote, validUntil?: number, isForwarded?: boolean, isEncrypted?: boolean, recall?: Recall,
 *   reactions?: MessageReactions, isRead?: boolean}, "message.announced": {messageID: string, text: string, count:
 *   number, isEncrypted?: boolean, recall?: Recall, reactions?: MessageReactions}, "message.recalled": {messages:
 *   RecalledMessage[], isSilent: boolean, byName: string, byRole?: RecallRole}, "vote.cast": {messageID: string, seq:
 *   number, revision: number, tally: VoteTally, voterName?: string, options?: number[]}, "vote.closed": {messageID:
 *   string, seq: number, revision: number, tally: VoteTally, byName?: string}, "reaction.added": {messageID: string,
 *   seq: number, emoji: string, count: number, byName: string}, "reaction.removed": {messageID: string, seq: number,
 *   emoji: string, count: number, byName: string}, "pin.added": {messageID: string, seq: number, byName: string},
 *   "pin.removed": {messageID: string, seq: number, byName: string}, "news.created": {kind: ChannelKind, title:
 *   string}, "row.removed": {count?: number}, "channel.purged": {upTo: number, count: number}, "member.invited":
 *   {members: User[], memberCount: number, roles?: MemberRole[], invited?: User[], joinMethod?: JoinMethod},
 *   "member.joined": {member: User, memberCount: number, isAnswer: boolean, joinMethod?: JoinMethod, byUserID?:
 *   string}, "member.left": {userID: string, name: string, memberCount: number, successor?: string}, "member.kicked":
 *   {members: User[], memberCount: number, reason: number, bannedUntil?: number}, "member.banned": {members: User[],
 *   memberCount: number, reason: number, bannedUntil?: number}, "member.roleChanged": {members: MemberRole[],
 *   memberCount: number}, "member.profileChanged": {member: User, hasNickname: boolean, hasChannelImage: boolean},
 *   "channel.profileChanged": {profile: ChannelProfile}}} RowBodies
 * @typedef {{[Name in keyof RowBodies]: {event: Name, channel: string, seq: number, userSeq?: undefined, senderID?:
 *   string, transID?: string, sentAt: number, body: RowBodies[Name]}}[keyof RowBodies]} Row
 * @typedef {{"channel.joined": {channel: string, kind: ChannelKind, title?: string, role: Role, members: User[],
 *   memberCount: number, fromSeq: number, count: number, isHidden: boolean, reason?: ChannelJoinedReason, profile?:
 *   ChannelProfile}, "channel.invited": {channel: string, title?: string, members: User[], memberCount: number, byName:
 *   string, joinMethod?: JoinMethod}, "channel.left": {channel: string, reason?: DepartureReason, code?: number,
 *   bannedUntil?: number}, "channel.dismissed": {channel: string, byName: string}, "channel.hidden": {channels:
 *   ChannelPosition[], isAll: boolean}, "channel.ended": {channels: ChannelPosition[], isAll: boolean},
 *   "channel.cleared": {channels: ChannelPosition[], isAll: boolean}, "message.deleted": {channel: string, messages:
 *   DeletedMessage[], unread: number}, "channel.preferenceChanged": {channel: string, preference: ChannelPreference},
 *   "channel.unreadMarked": {channel: string, isMarkedUnread: boolean}, "user.blocked": {user: User}, "user.unblocked":
 *   {user: User}, "user.profileChanged": {userID: string, profile: UserProfile}, "user.settingsChanged": UserSettings,
 *   "schedule.created": Schedule, "schedule.changed": Schedule, "schedule.cancelled": {scheduleID: string},
 *   "schedule.sent": {scheduleID: string, sendAt: number, results: PairResult[], isVote?: boolean}}} OwnRowBodies
 * @typedef {{[Name in keyof OwnRowBodies]: {event: Name, userSeq: number, channel?: undefined, seq?: undefined,
 *   senderID?: string, transID?: string, sentAt: number, body: OwnRowBodies[Name]}}[keyof OwnRowBodies]} OwnRow
 * @typedef {{"message.relayed": {messageID: string, type: string, text: string, senderName: string, senderImageURL?:
 *   string, mentions?: Mention[], count: number, replyTo?: ReplySnapshot, file?: FileReference, thumbnail?:
 *   FileReference, location?: Location, extras?: Record<string, string>, category?: string, attributes?: number, call?:
 *   CallNotice, vote?: Vote, validUntil?: number, isForwarded?: boolean, isEncrypted?: boolean, recall?: Recall,
 *   reactions?: MessageReactions, isRead?: boolean}, "typing.started": {userID: string, name: string, at: number},
 *   "typing.ended": {userID: string, name: string, at: number}, "readMark.moved": {marks: ReadMark[], moved: number},
 *   "channel.activeCountChanged": {active: number, memberCount: number}, "session.expiring": {expiresAt: number},
 *   "positions": {userSeq: number, channels: ChannelPosition[]}, "goaway": {reconnectInMs: number}}} SignalBodies
 * @typedef {{[Name in keyof SignalBodies]: {event: Name, channel?: string, seq?: undefined, userSeq?: undefined,
 *   senderID?: string, sentAt?: number, body: SignalBodies[Name]}}[keyof SignalBodies]} Signal
 * @typedef {Row | OwnRow | Signal} Event
 * @typedef {Omit<Extract<Row, {event: "message.sent"}>, "event"> & {event: "message.sent" | "message.announced"}}
 *   MessageRow
 * @typedef {{"hello": {body: {version: number, token?: string, guest?: Guest, deviceID: string}, answer: Welcome},
 *   "session.renew": {body: {token: string}, answer: {expiresAt: number}}, "resume": {body: {epoch?: string, userSeq?:
 *   number, channels: ChannelPosition[], onlyNamed?: boolean}, answer: {epoch: string, events: (Row | OwnRow)[],
 *   hasMore: boolean, userSeq: number, channels: ChannelPosition[], marks: OwnMark[], resets: Reset[]}}, "user.get":
 *   {body: {userIDs: string[]}, answer: {users: User[]}}, "user.block": {body: {userID: string}, answer:
 *   Acknowledgement}, "user.unblock": {body: {userID: string}, answer: Acknowledgement}, "user.setProfile": {body:
 *   {profile: UserProfile}, answer: {acknowledgement: Acknowledgement, profile: UserProfile}}, "user.setSettings":
 *   {body: {invitesFrom?: InvitesFrom}, answer: Acknowledgement}, "user.getSettings": {body: {}, answer: UserSettings},
 *   "user.listBlocked": {body: {limit?: number, cursor?: string}, answer: {users: BlockedUser[], next?: string}},
 *   "channel.create": {body: {kind: ChannelKind, channel?: string, title?: string, members?: NewMember[], profile?:
 *   ChannelProfile}, answer: Acknowledgement}, "channel.get": {body: {channel: string, withMembers?: boolean}, answer:
 *   Channel}, "channel.list": {body: {limit?: number, cursor?: string}, answer: {channels: Channel[], next?: string,
 *   totalUnread: number}}, "channel.query": {body: {kinds?: ChannelKind[], roles?: Role[], changedSince?: number,
 *   limit?: number, cursor?: string, withMembers?: boolean}, answer: ChannelBatch}, "channel.listOpen": {body:
 *   {keyword?: string, limit?: number, cursor?: string}, answer: {channels: Channel[], next?: string}}, "channel.join":
 *   {body: {channel: string}, answer: Channel}, "channel.leave": {body: {channel: string, successor?: string}, answer:
 *   Acknowledgement}, "channel.hide": {body: {channel?: string}, answer: Acknowledgement}, "channel.end": {body:
 *   {channel?: string}, answer: Acknowledgement}, "channel.setProfile": {body: {channel: string, profile:
 *   ChannelProfile}, answer: {acknowledgement: Acknowledgement, profile: ChannelProfile}}, "channel.setPreference":
 *   {body: {channel: string, isMuted?: boolean, ringtone?: string, nickname?: string, imageURL?: string}, answer:
 *   {acknowledgement: Acknowledgement, preference: ChannelPreference}}, "channel.dismiss": {body: {channel: string},
 *   answer: Acknowledgement}, "member.invite": {body: {channel: string, members: NewMember[], joinMethod?: JoinMethod},
 *   answer: Acknowledgement}, "member.answer": {body: {channel: string, isAccepted: boolean}, answer: Acknowledgement},
 *   "member.join": {body: {channel: string, joinMethod?: JoinMethod, byUserID?: string}, answer: Acknowledgement},
 *   "member.list": {body: {channel: string, limit?: number, cursor?: string, roles?: Role[]}, answer: {members:
 *   Member[], memberCount: number, next?: string}}, "member.listReads": {body: {channel: string, limit?: number,
 *   cursor?: string}, answer: {members: MemberRead[], next?: string}}, "member.setRole": {body: {channel: string,
 *   userID: string, role: Role}, answer: Acknowledgement}, "member.kick": {body: {channel: string, members: string[],
 *   reason?: number}, answer: Acknowledgement}, "member.ban": {body: {channel: string, members: string[], reason?:
 *   number, bannedUntil?: number}, answer: Acknowledgement}, "member.unban": {body: {channel: string, members:
 *   string[]}, answer: Acknowledgement}, "message.send": {body: {channel: string, type?: string, text?: string,
 *   mentions?: Mention[], after?: string, kind?: ChannelKind, replyTo?: string, file?: FileReference, thumbnail?:
 *   FileReference, location?: Location, extras?: Record<string, string>, category?: string, attributes?: number, call?:
 *   CallNotice}, answer: Acknowledgement}, "message.sendMany": {body: {messages: MessageContent[], channels: string[]},
 *   answer: PairResults}, "message.announce": {body: {channel: string, text: string}, answer: Acknowledgement},
 *   "message.recall": {body: {channel: string, messageIDs: string[], isSilent?: boolean}, answer: MessageResults},
 *   "message.delete": {body: {scope: DeletionScope, channel?: string, messageIDs?: string[]}, answer: MessageResults},
 *   "message.forward": {body: {channel: string, messageIDs: string[], channels: string[]}, answer: PairResults},
 *   "message.origin": {body: {channel: string, messageID: string}, answer: ForwardOrigin}, "vote.create": {body:
 *   {channel: string, subject: string, vote: Vote}, answer: Acknowledgement}, "vote.cast": {body: {channel: string,
 *   messageID: string, options: number[]}, answer: Acknowledgement}, "vote.close": {body: {channel: string, messageID:
 *   string}, answer: Acknowledgement}, "vote.list": {body: {channel: string, limit?: number, cursor?: string}, answer:
 *   {votes: VoteState[], next?: string}}, "vote.get": {body: {channel: string, messageIDs: string[]}, answer: {votes:
 *   VoteState[]}}, "vote.listBallots": {body: {channel: string, messageID: string, option?: number, limit?: number,
 *   cursor?: string}, answer: {ballots: Ballot[], next?: string}}, "pin.add": {body: {channel: string, messageID:
 *   string}, answer: Acknowledgement}, "pin.remove": {body: {channel: string, messageID: string}, answer:
 *   Acknowledgement}, "pin.list": {body: {channel: string}, answer: {head: number, pins: Pin[]}}, "reaction.add":
 *   {body: {channel: string, messageID: string, emoji: string}, answer: Acknowledgement}, "reaction.remove": {body:
 *   {channel: string, messageID: string, emoji: string}, answer: Acknowledgement}, "reaction.list": {body: {channel:
 *   string, messageID: string, emoji?: string, limit?: number, cursor?: string}, answer: {reactions: UserReaction[],
 *   next?: string}}, "news.publish": {body: {channel: string, text?: string, file?: FileReference, thumbnail?:
 *   FileReference, extras?: Record<string, string>, category?: string, validUntil?: number}, answer: Acknowledgement},
 *   "news.list": {body: {limit?: number, cursor?: string}, answer: {channels: NewsChannel[], next?: string}},
 *   "file.create": {body: {name: string, size: number, contentType?: string, width?: number, height?: number,
 *   durationMs?: number, blurHash?: string, customField?: string}, answer: FileUpload}, "file.get": {body: {fileIDs:
 *   string[]}, answer: {files: StoredFile[]}}, "file.delete": {body: {fileID: string}, answer: Acknowledgement},
 *   "device.setAddress": {body: {address: PushAddress, removesOthers?: boolean}, answer: Acknowledgement},
 *   "device.setSettings": {body: {hidesSender?: boolean, hidesContent?: boolean, sound?: string, voipSound?: string,
 *   mutesAll?: boolean, mutedUntil?: number, mentionsOnly?: boolean, quietHours?: QuietHours}, answer:
 *   Acknowledgement}, "device.get": {body: {}, answer: Device}, "device.list": {body: {}, answer: {devices: Device[]}},
 *   "device.remove": {body: {deviceID?: string}, answer: Acknowledgement}, "login.list": {body: {}, answer: {logins:
 *   Login[]}}, "login.end": {body: {deviceID?: string, userID?: string}, answer: Acknowledgement}, "user.setAccess":
 *   {body: {userID: string, canChat?: boolean, canCall?: boolean}, answer: Acknowledgement}, "user.delete": {body:
 *   {userID?: string, deletesMessages?: boolean}, answer: Acknowledgement}, "push.test": {body: {userID: string,
 *   deviceID?: string, sends?: boolean}, answer: {devices: PushTestDevice[]}}, "account.register": {body: {accounts:
 *   NewAccount[]}, answer: {results: RegisterAccountsResult[]}}, "account.authenticate": {body: {loginName: string,
 *   password: string, ttl?: number, address?: string}, answer: LoginAnswer}, "account.logIn": {body: {loginName?:
 *   string, password?: string, code?: string}, answer: LoginAnswer}, "account.signUp": {body: {loginName: string,
 *   password: string, name?: string}, answer: LoginAnswer}, "visitor.start": {body: {key: string, name?: string,
 *   token?: string}, answer: {userID: string, host: string, channel: string, token: string, expiresAt: number}},
 *   "account.set": {body: {userID?: string, password?: string, oldPassword?: string, phone?: string, email?: string,
 *   corpID?: string}, answer: Acknowledgement}, "account.get": {body: {userID?: string}, answer: Account}, "user.find":
 *   {body: {userIDs?: string[], loginNames?: string[], phones?: string[]}, answer: {users: FoundUser[]}}, "key.create":
 *   {body: {key: string, hash: string, scopes: KeyScope[], userID?: string}, answer: Acknowledgement}, "key.list":
 *   {body: {}, answer: {keys: APIKey[]}}, "key.revoke": {body: {key: string}, answer: Acknowledgement},
 *   "schedule.create": {body: {messages?: MessageContent[], channels: string[], sendAt: number, subject?: string,
 *   vote?: Vote}, answer: ScheduleAnswer}, "schedule.change": {body: {scheduleID: string, messages?: MessageContent[],
 *   channels?: string[], sendAt?: number, subject?: string, vote?: Vote}, answer: ScheduleAnswer}, "schedule.cancel":
 *   {body: {scheduleID: string}, answer: Acknowledgement}, "schedule.list": {body: {limit?: number, cursor?: string},
 *   answer: {schedules: Schedule[], next?: string}}, "broadcast.create": {body: {senderID: string, messages:
 *   MessageContent[], segment: BroadcastSegment}, answer: BroadcastAnswer}, "broadcast.pause": {body: {broadcastID:
 *   string}, answer: BroadcastAnswer}, "broadcast.resume": {body: {broadcastID: string}, answer: BroadcastAnswer},
 *   "broadcast.cancel": {body: {broadcastID: string}, answer: BroadcastAnswer}, "broadcast.get": {body: {broadcastID:
 *   string}, answer: Broadcast}, "broadcast.list": {body: {limit?: number, cursor?: string}, answer: {broadcasts:
 *   Broadcast[], next?: string}}, "report.create": {body: {channel?: string, messageID?: string, userID?: string,
 *   category?: string, text?: string}, answer: Acknowledgement}, "report.list": {body: {isClosed?: boolean, limit?:
 *   number, cursor?: string}, answer: {reports: Report[], next?: string}}, "report.close": {body: {reportID: string,
 *   note?: string}, answer: Acknowledgement}, "message.list": {body: {channel: string, before?: number, after?: number,
 *   around?: number, aroundMessage?: string, limit?: number, onlyShown?: boolean}, answer: {events: Row[], hasBefore:
 *   boolean, hasAfter: boolean, seq: number, from: number, to: number}}, "message.query": {body: {channel?: string,
 *   time: number, direction: TimeDirection, category?: string, limit?: number, cursor?: string, onlyShown?: boolean},
 *   answer: {events: Row[], next?: string}}, "message.get": {body: {channel: string, messageIDs: string[]}, answer:
 *   {events: Row[]}}, "message.listReaders": {body: {channel: string, messageID: string, limit?: number, cursor?:
 *   string}, answer: {readers: Reader[], next?: string}}, "message.countReads": {body: {channel: string, messageIDs:
 *   string[]}, answer: {messages: ReadCount[]}}, "readMark.set": {body: {channel: string, seq?: number, messageID?:
 *   string, time?: number}, answer: {channel: string, mark: ReadMark, unread: number}}, "readMark.setAll": {body: {},
 *   answer: {moved: number}}, "readMark.unset": {body: {channel: string}, answer: Acknowledgement}, "readMark.list":
 *   {body: {channel?: string, limit?: number, cursor?: string}, answer: {channels: ChannelRead[], next?: string}},
 *   "unread.get": {body: {}, answer: UnreadCounts}, "unread.explain": {body: {channel?: string, limit?: number,
 *   cursor?: string}, answer: {total: number, muted: number, mentions: number, channels: UnreadExplanation[], next?:
 *   string}}, "typing.start": {body: {channel: string}, answer: Done}, "typing.end": {body: {channel: string}, answer:
 *   Done}}} Commands
 * @typedef {"wrongCredentials" | "unknownOperation" | "accountDatabase" | "internalFault" | "wrongEndpoint" |
 *   "dataFormat" | "functionUnavailable" | "numberFormat" | "wrongPassword" | "noAccount" | "accountExists" |
 *   "passwordRequired" | "accountLimitReached" | "unknown" | "invalidContent" | "commandNotSupported" |
 *   "databaseAccess" | "tooManyRequests" | "scheduleTime" | "channelIDFormat" | "channelIDExists" |
 *   "channelTypeNotSupported" | "channelTypeMismatch" | "channelNotFound" | "userMissing" | "noPrivilege" |
 *   "tooFewMembers" | "nobodyToKick" | "nobodyToBan" | "noPreferenceToSet" | "noProfileToSet" | "messageNotOwned" |
 *   "notAllMembers" | "tooManyMembers" | "notInvited" | "notMember" | "messageNotFound" | "duplicateTransID" |
 *   "noRoleToSet" | "timeExpired" | "tooManyVotes" | "notCurrentUser" | "notAuthenticated" | "tokenExpired" | "blocked"
 *   | "orderBroken" | "tooLarge" | "positionUnknown" | "storageFull" | "draining" | "protocolVersion" | "alreadyOpen" |
 *   "userNotFound" | "broadcastNotFound" | "scheduleNotFound" | "notAVote" | "voteNotOpen" | "broadcastFinished" |
 *   "notBanned" | "limitReached" | "tooManyChannels" | "tooManyConnections" | "alreadyLoggedIn" | "uploadIncomplete" |
 *   "fileTypeRefused" | "fileStoreUnavailable" | "uploadOffset" | "userBanned" | "userDeleted" | "reportNotFound" |
 *   "deviceNotFound"} ErrorName
 */
/** The close codes of a server after which a client does not come back by itself. */
export const finalCloseCodes: number[];
/** The rows of a channel's log that show in a conversation. */
export const shownEvents: string[];
/**
 * What travels on the wire.
 */
export type AccountSource = "registered" | "token";
/**
 * What travels on the wire.
 */
export type BroadcastSegmentKind = "everybody" | "members" | "users";
/**
 * What travels on the wire.
 */
export type BroadcastState = "running" | "paused" | "done" | "cancelled";
/**
 * What travels on the wire.
 */
export type CallKind = "voice" | "video";
/**
 * What travels on the wire.
 */
export type CallResult = "answered" | "missed" | "declined" | "cancelled" | "failed";
/**
 * What travels on the wire.
 */
export type ChannelJoinedReason = "created" | "invited" | "accepted" | "joined";
/**
 * What travels on the wire.
 */
export type ChannelKind = "single" | "group" | "open" | "self" | "publicNews" | "corporateNews";
/**
 * What travels on the wire.
 */
export type DeletionScope = "messages" | "channel" | "everything";
/**
 * What travels on the wire.
 */
export type DepartureReason = "left" | "kicked" | "banned" | "declined" | "dismissed";
/**
 * What travels on the wire.
 */
export type HistoryVisibility = "all" | "sinceJoin" | "last";
/**
 * What travels on the wire.
 */
export type InvitesFrom = "everybody" | "contacts" | "nobody";
/**
 * What travels on the wire.
 */
export type JoinMethod = "normal" | "userCode" | "moderatorPhone" | "userSearch" | "moderatorCode";
/**
 * What travels on the wire.
 */
export type KeyScope = "accounts" | "messages" | "operator" | "visitors";
/**
 * What travels on the wire.
 */
export type Pinners = "participants" | "moderators";
/**
 * What travels on the wire.
 */
export type ProfileEditors = "participants" | "moderators";
/**
 * What travels on the wire.
 */
export type PushGateway = "apns" | "fcm" | "web" | "webhook";
/**
 * What travels on the wire.
 */
export type PushKind = "alert" | "voip" | "withdrawal";
/**
 * What travels on the wire.
 */
export type PushTestStepCheck = "user" | "address" | "service" | "connection" | "settings" | "queue";
/**
 * What travels on the wire.
 */
export type RecallRole = "moderator" | "operator";
/**
 * What travels on the wire.
 */
export type ResetReason = "epoch" | "ahead" | "tooFar" | "gone";
/**
 * What travels on the wire.
 */
export type Role = "none" | "outcast" | "invited" | "participant" | "moderator" | "admin";
/**
 * What travels on the wire.
 */
export type TimeDirection = "after" | "before";
/**
 * What travels on the wire.
 */
export type VotePhase = "waiting" | "open" | "closed";
/**
 * What travels on the wire.
 */
export type VoteResults = "live" | "atEnd";
/**
 * What travels on the wire.
 */
export type APIKey = {
    name: string;
    userID: string;
    scopes: KeyScope[];
    createdAt: number;
    revokedAt?: number;
};
/**
 * What travels on the wire.
 */
export type Account = {
    userID: string;
    loginName?: string;
    phone?: string;
    email?: string;
    corpID?: string;
    source: AccountSource;
    deviceID?: string;
    canChat: boolean;
    canCall: boolean;
};
/**
 * What travels on the wire.
 */
export type Acknowledgement = {
    channel?: string;
    seq?: number;
    seqs?: number[];
    messageID?: string;
    transID: string;
    sentAt: number;
};
/**
 * What travels on the wire.
 */
export type Ballot = {
    userID: string;
    name: string;
    options?: number[];
    castAt: number;
};
/**
 * What travels on the wire.
 */
export type BlockedUser = {
    user: User;
    at: number;
};
/**
 * What travels on the wire.
 */
export type Broadcast = {
    broadcastID: string;
    state: BroadcastState;
    createdBy: string;
    senderID: string;
    segment: BroadcastSegment;
    messages: MessageContent[];
    createdAt: number;
    finishedAt?: number;
    users: number;
    done: number;
    sent: number;
    refusals: BroadcastRefusal[];
};
/**
 * What travels on the wire.
 */
export type BroadcastAnswer = {
    transID: string;
    sentAt: number;
    broadcast: Broadcast;
};
/**
 * What travels on the wire.
 */
export type BroadcastRefusal = {
    code: number;
    count: number;
};
/**
 * What travels on the wire.
 */
export type BroadcastSegment = {
    kind: BroadcastSegmentKind;
    channel?: string;
    userIDs?: string[];
};
/**
 * What travels on the wire.
 */
export type CallNotice = {
    callID: string;
    kind: CallKind;
    result?: CallResult;
    durationMs?: number;
};
/**
 * What travels on the wire.
 */
export type Channel = {
    channel: string;
    kind: ChannelKind;
    title?: string;
    memberCount: number;
    members: Member[];
    seq: number;
    count: number;
    unread?: number;
    readSeq?: number;
    role?: Role;
    lastMessage?: MessageRow;
    lastActivityAt: number;
    profile?: ChannelProfile;
    preference?: ChannelPreference;
    mentions?: number;
    isMarkedUnread?: boolean;
    createdAt?: number;
    createdBy?: string;
    joinedAt?: number;
    invitedBy?: string;
    updatedAt?: number;
    purgedTo?: number;
    isHidden?: boolean;
};
/**
 * What travels on the wire.
 */
export type ChannelBatch = {
    channels: Channel[];
    gone: GoneChannel[];
    batch: number;
    batchTotal: number;
    next?: string;
    asOf: number;
};
/**
 * What travels on the wire.
 */
export type ChannelPosition = {
    channel: string;
    seq: number;
};
/**
 * What travels on the wire.
 */
export type ChannelPreference = {
    isMuted: boolean;
    ringtone?: string;
    nickname?: string;
    imageURL?: string;
};
/**
 * What travels on the wire.
 */
export type ChannelProfile = {
    title?: string;
    customAttributes?: number;
    avatar?: string;
    background?: string;
    canJoin?: boolean;
    editors?: ProfileEditors;
    history?: HistoryVisibility;
    historyRows?: number;
    minMembers?: number;
    maxMembers?: number;
    moderatorsMayRecall?: boolean;
    noticesForwards?: boolean;
    pinners?: Pinners;
};
/**
 * What travels on the wire.
 */
export type ChannelRead = {
    channel: string;
    kind: ChannelKind;
    seq: number;
    sentAt: number;
    readAt: number;
};
/**
 * What travels on the wire.
 */
export type ChannelUnread = {
    channel: string;
    unread: number;
    mentions?: number;
    isMuted?: boolean;
    isMarkedUnread?: boolean;
    count?: number;
};
/**
 * What travels on the wire.
 */
export type DeletedMessage = {
    messageID: string;
    seq: number;
};
/**
 * What travels on the wire.
 */
export type Device = {
    deviceID: string;
    address?: PushAddress;
    settings: DeviceSettings;
};
/**
 * What travels on the wire.
 */
export type DeviceSettings = {
    hidesSender: boolean;
    hidesContent: boolean;
    sound?: string;
    voipSound?: string;
    mutesAll: boolean;
    mutedUntil?: number;
    mentionsOnly: boolean;
    quietHours?: QuietHours;
};
/**
 * What travels on the wire.
 */
export type Done = {};
/**
 * What travels on the wire.
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
    customField?: string;
};
/**
 * What travels on the wire.
 */
export type FileUpload = {
    transID: string;
    fileID: string;
    path: string;
    expiresAt: number;
    file: FileReference;
};
/**
 * What travels on the wire.
 */
export type ForwardOrigin = {
    channel: string;
    messageID: string;
    senderID?: string;
    senderName?: string;
    sentAt: number;
};
/**
 * What travels on the wire.
 */
export type FoundUser = {
    userID: string;
    name: string;
    imageURL?: string;
    loginName?: string;
    phone?: string;
    email?: string;
    brand: string;
    corpID: string;
    canChat: boolean;
    canCall: boolean;
};
/**
 * What travels on the wire.
 */
export type GoneChannel = {
    channel: string;
    reason: DepartureReason;
    at: number;
};
/**
 * What travels on the wire.
 */
export type Guest = {
    userID: string;
    name?: string;
    imageURL?: string;
};
/**
 * What travels on the wire.
 */
export type Limits = {
    textLength: number;
    textBytes: number;
    frameBytes: number;
    pageRows: number;
    members: number;
    mentions: number;
    connectionsPerUser: number;
    channelsPerUser: number;
    channelsFromOthersPercent: number;
    channelsPerInviter: number;
    openChannelsPerConnection: number;
    resumeRows: number;
    idsPerCommand: number;
    messagesPerCommand: number;
    channelsPerCommand: number;
    schedules: number;
    scheduleMinMs: number;
    scheduleMaxMs: number;
    extras: number;
    extrasBytes: number;
    invitations: number;
    bans: number;
    blockedUsers: number;
    recallWindowMs: number;
    activeCountMembers: number;
    sendsPerSecond: number;
    sendBurst: number;
    channelSendsPerSecond: number;
    channelSendBurst: number;
    commandsPerSecond: number;
    commandBurst: number;
    broadcasts: number;
    reactionKinds: number;
    pins: number;
    fileBytes: number;
    fileBytesPerUser: number;
    uploads: number;
    devices: number;
    reportsPerDay: number;
};
/**
 * What travels on the wire.
 */
export type Location = {
    latitude: number;
    longitude: number;
    address?: string;
};
/**
 * What travels on the wire.
 */
export type Login = {
    deviceID: string;
    connectedAt: number;
    expiresAt: number;
};
/**
 * What travels on the wire.
 */
export type LoginAnswer = {
    userID: string;
    loginName: string;
    token: string;
    expiresAt: number;
};
/**
 * What travels on the wire.
 */
export type Member = {
    userID: string;
    name: string;
    imageURL?: string;
    role: Role;
    readSeq: number;
    readAt: number;
    hasNickname?: boolean;
    hasChannelImage?: boolean;
    joinedAt?: number;
    joinMethod?: JoinMethod;
    byUserID?: string;
    bannedUntil?: number;
};
/**
 * What travels on the wire.
 */
export type MemberRead = {
    userID: string;
    seq: number;
    sentAt: number;
    readAt: number;
};
/**
 * What travels on the wire.
 */
export type MemberRole = {
    userID: string;
    name: string;
    role: Role;
};
/**
 * What travels on the wire.
 */
export type Mention = {
    userID: string;
    start?: number;
    length?: number;
};
/**
 * What travels on the wire.
 */
export type MessageContent = {
    type?: string;
    text?: string;
    mentions?: Mention[];
    file?: FileReference;
    thumbnail?: FileReference;
    location?: Location;
    extras?: Record<string, string>;
    category?: string;
    attributes?: number;
    call?: CallNotice;
};
/**
 * What travels on the wire.
 */
export type MessageReactions = {
    head: number;
    kinds: Reaction[];
};
/**
 * What travels on the wire.
 */
export type MessageResult = {
    messageID: string;
    code: number;
};
/**
 * What travels on the wire.
 */
export type MessageResults = {
    acknowledgement: Acknowledgement;
    results: MessageResult[];
};
/**
 * What travels on the wire.
 */
export type NewAccount = {
    loginName: string;
    password: string;
    userID?: string;
    name?: string;
    phone?: string;
    email?: string;
    corpID?: string;
};
/**
 * What travels on the wire.
 */
export type NewMember = string | {
    userID: string;
    role?: Role;
    nickname?: string;
    imageURL?: string;
};
/**
 * What travels on the wire.
 */
export type NewsChannel = {
    channel: string;
    kind: ChannelKind;
    title: string;
    profile?: ChannelProfile;
    subscriberCount: number;
    isSubscribed: boolean;
    lastActivityAt: number;
};
/**
 * What travels on the wire.
 */
export type OwnMark = {
    channel: string;
    seq: number;
    unread: number;
    mentions?: number;
    isMarkedUnread?: boolean;
    count?: number;
};
/**
 * What travels on the wire.
 */
export type PairResult = {
    channel: string;
    index: number;
    code: number;
    seq?: number;
    messageID?: string;
};
/**
 * What travels on the wire.
 */
export type PairResults = {
    transID: string;
    sentAt: number;
    results: PairResult[];
};
/**
 * What travels on the wire.
 */
export type Pin = {
    messageID: string;
    userID: string;
    name: string;
    pinnedAt: number;
};
/**
 * What travels on the wire.
 */
export type PushAddress = {
    gateway: PushGateway;
    token?: string;
    voipToken?: string;
    topic?: string;
    isSandbox?: boolean;
    publicKey?: string;
    authSecret?: string;
};
/**
 * What travels on the wire.
 */
export type PushPayload = {
    pushID: string;
    kind: PushKind;
    userID: string;
    event: string;
    type?: string;
    channel?: string;
    channelKind?: ChannelKind;
    channelTitle?: string;
    messageID?: string;
    seq?: number;
    sentAt: number;
    senderID?: string;
    senderName?: string;
    imageURL?: string;
    text?: string;
    category?: string;
    attributes?: number;
    extras?: Record<string, string>;
    call?: CallNotice;
    isEncrypted?: boolean;
    isMention?: boolean;
    unread?: number;
    badge: number;
    sound?: string;
    title?: string;
    body: string;
    locKey: string;
    locArgs: string[];
};
/**
 * What travels on the wire.
 */
export type PushTestDevice = {
    deviceID: string;
    gateway?: PushGateway;
    isNotified: boolean;
    steps: PushTestStep[];
    payload?: PushPayload;
    result?: string;
};
/**
 * What travels on the wire.
 */
export type PushTestStep = {
    check: PushTestStepCheck;
    passed: boolean;
    detail: string;
};
/**
 * What travels on the wire.
 */
export type QuietHours = {
    timeZone: string;
    ranges: QuietHoursRange[];
};
/**
 * What travels on the wire.
 */
export type QuietHoursRange = {
    start: number;
    end: number;
    days?: number[];
};
/**
 * What travels on the wire.
 */
export type Reaction = {
    emoji: string;
    count: number;
    isMine: boolean;
};
/**
 * What travels on the wire.
 */
export type ReadCount = {
    messageID: string;
    readBy: number;
    unreadBy: number;
};
/**
 * What travels on the wire.
 */
export type ReadMark = {
    userID: string;
    seq: number;
    count: number;
    readAt: number;
};
/**
 * What travels on the wire.
 */
export type Reader = {
    userID: string;
    readAt: number;
};
/**
 * What travels on the wire.
 */
export type Recall = {
    isSilent: boolean;
    at: number;
    byUserID?: string;
    byName: string;
    byRole?: RecallRole;
};
/**
 * What travels on the wire.
 */
export type RecalledMessage = {
    messageID: string;
    seq: number;
    senderID?: string;
    wasCounted: boolean;
};
/**
 * What travels on the wire.
 */
export type RegisterAccountsResult = {
    loginName: string;
    userID?: string;
    error?: WireError;
};
/**
 * What travels on the wire.
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
    extras?: Record<string, string>;
    file?: FileReference;
    thumbnail?: FileReference;
    location?: Location;
    isRecalled?: boolean;
};
/**
 * What travels on the wire.
 */
export type Report = {
    reportID: string;
    at: number;
    byUser: User;
    user?: User;
    channel?: string;
    message?: MessageRow;
    before?: Row[];
    category?: string;
    text?: string;
    closedAt?: number;
    closedBy?: string;
    note?: string;
};
/**
 * What travels on the wire.
 */
export type Reset = {
    channel?: string;
    seq: number;
    reason: ResetReason;
};
/**
 * What travels on the wire.
 */
export type Schedule = {
    scheduleID: string;
    messages: MessageContent[];
    channels: string[];
    sendAt: number;
    subject?: string;
    vote?: Vote;
};
/**
 * What travels on the wire.
 */
export type ScheduleAnswer = {
    transID: string;
    sentAt: number;
    schedule: Schedule;
};
/**
 * What travels on the wire.
 */
export type StoredFile = {
    file: FileReference;
    link: string;
    linkExpiresAt: number;
};
/**
 * What travels on the wire.
 */
export type UnreadCounts = {
    total: number;
    channels: ChannelUnread[];
    muted?: number;
    mentions?: number;
};
/**
 * What travels on the wire.
 */
export type UnreadExplanation = {
    channel: string;
    unread: number;
    count: number;
    readCount: number;
    readSeq: number;
    own: number;
    recalled: number;
    deleted: number;
    mentions: number;
    isMuted: boolean;
    isMarkedUnread: boolean;
    words: string;
};
/**
 * What travels on the wire.
 */
export type User = {
    userID: string;
    name: string;
    imageURL?: string;
};
/**
 * What travels on the wire.
 */
export type UserProfile = {
    name?: string;
    imageURL?: string;
};
/**
 * What travels on the wire.
 */
export type UserReaction = {
    userID: string;
    name: string;
    emoji: string;
    reactedAt: number;
};
/**
 * What travels on the wire.
 */
export type UserSettings = {
    invitesFrom: InvitesFrom;
};
/**
 * What travels on the wire.
 */
export type Vote = {
    options: MessageContent[];
    choices?: number;
    isSecret?: boolean;
    results?: VoteResults;
    canChange?: boolean;
    opensAt?: number;
    closesAt?: number;
};
/**
 * What travels on the wire.
 */
export type VoteState = {
    event: MessageRow;
    phase: VotePhase;
    revision: number;
    tally: VoteTally;
    ownOptions: number[];
    closedAt?: number;
};
/**
 * What travels on the wire.
 */
export type VoteTally = {
    counts?: number[];
    voters: number;
};
/**
 * What travels on the wire.
 */
export type Welcome = {
    user: User;
    isOperator: boolean;
    serverTime: number;
    epoch: string;
    heartbeat: number;
    limits: Limits;
    userSeq: number;
    expiresAt?: number;
    imageOrigins?: string[];
};
/**
 * What travels on the wire.
 */
export type WireError = {
    code: number;
    name: string;
    message: string;
    field?: string;
    retryable: boolean;
    retryAfterMs?: number;
};
/**
 * What travels on the wire.
 */
export type RowBodies = {
    "message.sent": {
        messageID: string;
        type: string;
        text: string;
        senderName: string;
        senderImageURL?: string;
        mentions?: Mention[];
        count: number;
        replyTo?: ReplySnapshot;
        file?: FileReference;
        thumbnail?: FileReference;
        location?: Location;
        extras?: Record<string, string>;
        category?: string;
        attributes?: number;
        call?: CallNotice;
        vote?: Vote;
        validUntil?: number;
        isForwarded?: boolean;
        isEncrypted?: boolean;
        recall?: Recall;
        reactions?: MessageReactions;
        isRead?: boolean;
    };
    "message.announced": {
        messageID: string;
        text: string;
        count: number;
        isEncrypted?: boolean;
        recall?: Recall;
        reactions?: MessageReactions;
    };
    "message.recalled": {
        messages: RecalledMessage[];
        isSilent: boolean;
        byName: string;
        byRole?: RecallRole;
    };
    "vote.cast": {
        messageID: string;
        seq: number;
        revision: number;
        tally: VoteTally;
        voterName?: string;
        options?: number[];
    };
    "vote.closed": {
        messageID: string;
        seq: number;
        revision: number;
        tally: VoteTally;
        byName?: string;
    };
    "reaction.added": {
        messageID: string;
        seq: number;
        emoji: string;
        count: number;
        byName: string;
    };
    "reaction.removed": {
        messageID: string;
        seq: number;
        emoji: string;
        count: number;
        byName: string;
    };
    "pin.added": {
        messageID: string;
        seq: number;
        byName: string;
    };
    "pin.removed": {
        messageID: string;
        seq: number;
        byName: string;
    };
    "news.created": {
        kind: ChannelKind;
        title: string;
    };
    "row.removed": {
        count?: number;
    };
    "channel.purged": {
        upTo: number;
        count: number;
    };
    "member.invited": {
        members: User[];
        memberCount: number;
        roles?: MemberRole[];
        invited?: User[];
        joinMethod?: JoinMethod;
    };
    "member.joined": {
        member: User;
        memberCount: number;
        isAnswer: boolean;
        joinMethod?: JoinMethod;
        byUserID?: string;
    };
    "member.left": {
        userID: string;
        name: string;
        memberCount: number;
        successor?: string;
    };
    "member.kicked": {
        members: User[];
        memberCount: number;
        reason: number;
        bannedUntil?: number;
    };
    "member.banned": {
        members: User[];
        memberCount: number;
        reason: number;
        bannedUntil?: number;
    };
    "member.roleChanged": {
        members: MemberRole[];
        memberCount: number;
    };
    "member.profileChanged": {
        member: User;
        hasNickname: boolean;
        hasChannelImage: boolean;
    };
    "channel.profileChanged": {
        profile: ChannelProfile;
    };
};
/**
 * What travels on the wire.
 */
export type Row = {
    event: "message.sent";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        type: string;
        text: string;
        senderName: string;
        senderImageURL?: string | undefined;
        mentions?: Mention[] | undefined;
        count: number;
        replyTo?: ReplySnapshot | undefined;
        file?: FileReference | undefined;
        thumbnail?: FileReference | undefined;
        location?: Location | undefined;
        extras?: Record<string, string> | undefined;
        category?: string | undefined;
        attributes?: number | undefined;
        call?: CallNotice | undefined;
        vote?: Vote | undefined;
        validUntil?: number | undefined;
        isForwarded?: boolean | undefined;
        isEncrypted?: boolean | undefined;
        recall?: Recall | undefined;
        reactions?: MessageReactions | undefined;
        isRead?: boolean | undefined;
    };
} | {
    event: "message.announced";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        text: string;
        count: number;
        isEncrypted?: boolean | undefined;
        recall?: Recall | undefined;
        reactions?: MessageReactions | undefined;
    };
} | {
    event: "message.recalled";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messages: RecalledMessage[];
        isSilent: boolean;
        byName: string;
        byRole?: RecallRole | undefined;
    };
} | {
    event: "vote.cast";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        seq: number;
        revision: number;
        tally: VoteTally;
        voterName?: string | undefined;
        options?: number[] | undefined;
    };
} | {
    event: "vote.closed";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        seq: number;
        revision: number;
        tally: VoteTally;
        byName?: string | undefined;
    };
} | {
    event: "reaction.added";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        seq: number;
        emoji: string;
        count: number;
        byName: string;
    };
} | {
    event: "reaction.removed";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        seq: number;
        emoji: string;
        count: number;
        byName: string;
    };
} | {
    event: "pin.added";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        seq: number;
        byName: string;
    };
} | {
    event: "pin.removed";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        messageID: string;
        seq: number;
        byName: string;
    };
} | {
    event: "news.created";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        kind: ChannelKind;
        title: string;
    };
} | {
    event: "row.removed";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        count?: number | undefined;
    };
} | {
    event: "channel.purged";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        upTo: number;
        count: number;
    };
} | {
    event: "member.invited";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        members: User[];
        memberCount: number;
        roles?: MemberRole[] | undefined;
        invited?: User[] | undefined;
        joinMethod?: JoinMethod | undefined;
    };
} | {
    event: "member.joined";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        member: User;
        memberCount: number;
        isAnswer: boolean;
        joinMethod?: JoinMethod | undefined;
        byUserID?: string | undefined;
    };
} | {
    event: "member.left";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        userID: string;
        name: string;
        memberCount: number;
        successor?: string | undefined;
    };
} | {
    event: "member.kicked";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        members: User[];
        memberCount: number;
        reason: number;
        bannedUntil?: number | undefined;
    };
} | {
    event: "member.banned";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        members: User[];
        memberCount: number;
        reason: number;
        bannedUntil?: number | undefined;
    };
} | {
    event: "member.roleChanged";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        members: MemberRole[];
        memberCount: number;
    };
} | {
    event: "member.profileChanged";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        member: User;
        hasNickname: boolean;
        hasChannelImage: boolean;
    };
} | {
    event: "channel.profileChanged";
    channel: string;
    seq: number;
    userSeq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        profile: ChannelProfile;
    };
};
/**
 * What travels on the wire.
 */
export type OwnRowBodies = {
    "channel.joined": {
        channel: string;
        kind: ChannelKind;
        title?: string;
        role: Role;
        members: User[];
        memberCount: number;
        fromSeq: number;
        count: number;
        isHidden: boolean;
        reason?: ChannelJoinedReason;
        profile?: ChannelProfile;
    };
    "channel.invited": {
        channel: string;
        title?: string;
        members: User[];
        memberCount: number;
        byName: string;
        joinMethod?: JoinMethod;
    };
    "channel.left": {
        channel: string;
        reason?: DepartureReason;
        code?: number;
        bannedUntil?: number;
    };
    "channel.dismissed": {
        channel: string;
        byName: string;
    };
    "channel.hidden": {
        channels: ChannelPosition[];
        isAll: boolean;
    };
    "channel.ended": {
        channels: ChannelPosition[];
        isAll: boolean;
    };
    "channel.cleared": {
        channels: ChannelPosition[];
        isAll: boolean;
    };
    "message.deleted": {
        channel: string;
        messages: DeletedMessage[];
        unread: number;
    };
    "channel.preferenceChanged": {
        channel: string;
        preference: ChannelPreference;
    };
    "channel.unreadMarked": {
        channel: string;
        isMarkedUnread: boolean;
    };
    "user.blocked": {
        user: User;
    };
    "user.unblocked": {
        user: User;
    };
    "user.profileChanged": {
        userID: string;
        profile: UserProfile;
    };
    "user.settingsChanged": UserSettings;
    "schedule.created": Schedule;
    "schedule.changed": Schedule;
    "schedule.cancelled": {
        scheduleID: string;
    };
    "schedule.sent": {
        scheduleID: string;
        sendAt: number;
        results: PairResult[];
        isVote?: boolean;
    };
};
/**
 * What travels on the wire.
 */
export type OwnRow = {
    event: "channel.joined";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        kind: ChannelKind;
        title?: string | undefined;
        role: Role;
        members: User[];
        memberCount: number;
        fromSeq: number;
        count: number;
        isHidden: boolean;
        reason?: ChannelJoinedReason | undefined;
        profile?: ChannelProfile | undefined;
    };
} | {
    event: "channel.invited";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        title?: string | undefined;
        members: User[];
        memberCount: number;
        byName: string;
        joinMethod?: JoinMethod | undefined;
    };
} | {
    event: "channel.left";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        reason?: DepartureReason | undefined;
        code?: number | undefined;
        bannedUntil?: number | undefined;
    };
} | {
    event: "channel.dismissed";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        byName: string;
    };
} | {
    event: "channel.hidden";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channels: ChannelPosition[];
        isAll: boolean;
    };
} | {
    event: "channel.ended";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channels: ChannelPosition[];
        isAll: boolean;
    };
} | {
    event: "channel.cleared";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channels: ChannelPosition[];
        isAll: boolean;
    };
} | {
    event: "message.deleted";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        messages: DeletedMessage[];
        unread: number;
    };
} | {
    event: "channel.preferenceChanged";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        preference: ChannelPreference;
    };
} | {
    event: "channel.unreadMarked";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        channel: string;
        isMarkedUnread: boolean;
    };
} | {
    event: "user.blocked";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        user: User;
    };
} | {
    event: "user.unblocked";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        user: User;
    };
} | {
    event: "user.profileChanged";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        userID: string;
        profile: UserProfile;
    };
} | {
    event: "user.settingsChanged";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: UserSettings;
} | {
    event: "schedule.created";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: Schedule;
} | {
    event: "schedule.changed";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: Schedule;
} | {
    event: "schedule.cancelled";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        scheduleID: string;
    };
} | {
    event: "schedule.sent";
    userSeq: number;
    channel?: undefined;
    seq?: undefined;
    senderID?: string | undefined;
    transID?: string | undefined;
    sentAt: number;
    body: {
        scheduleID: string;
        sendAt: number;
        results: PairResult[];
        isVote?: boolean | undefined;
    };
};
/**
 * What travels on the wire.
 */
export type SignalBodies = {
    "message.relayed": {
        messageID: string;
        type: string;
        text: string;
        senderName: string;
        senderImageURL?: string;
        mentions?: Mention[];
        count: number;
        replyTo?: ReplySnapshot;
        file?: FileReference;
        thumbnail?: FileReference;
        location?: Location;
        extras?: Record<string, string>;
        category?: string;
        attributes?: number;
        call?: CallNotice;
        vote?: Vote;
        validUntil?: number;
        isForwarded?: boolean;
        isEncrypted?: boolean;
        recall?: Recall;
        reactions?: MessageReactions;
        isRead?: boolean;
    };
    "typing.started": {
        userID: string;
        name: string;
        at: number;
    };
    "typing.ended": {
        userID: string;
        name: string;
        at: number;
    };
    "readMark.moved": {
        marks: ReadMark[];
        moved: number;
    };
    "channel.activeCountChanged": {
        active: number;
        memberCount: number;
    };
    "session.expiring": {
        expiresAt: number;
    };
    "positions": {
        userSeq: number;
        channels: ChannelPosition[];
    };
    "goaway": {
        reconnectInMs: number;
    };
};
/**
 * What travels on the wire.
 */
export type Signal = {
    event: "message.relayed";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        messageID: string;
        type: string;
        text: string;
        senderName: string;
        senderImageURL?: string | undefined;
        mentions?: Mention[] | undefined;
        count: number;
        replyTo?: ReplySnapshot | undefined;
        file?: FileReference | undefined;
        thumbnail?: FileReference | undefined;
        location?: Location | undefined;
        extras?: Record<string, string> | undefined;
        category?: string | undefined;
        attributes?: number | undefined;
        call?: CallNotice | undefined;
        vote?: Vote | undefined;
        validUntil?: number | undefined;
        isForwarded?: boolean | undefined;
        isEncrypted?: boolean | undefined;
        recall?: Recall | undefined;
        reactions?: MessageReactions | undefined;
        isRead?: boolean | undefined;
    };
} | {
    event: "typing.started";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        userID: string;
        name: string;
        at: number;
    };
} | {
    event: "typing.ended";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        userID: string;
        name: string;
        at: number;
    };
} | {
    event: "readMark.moved";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        marks: ReadMark[];
        moved: number;
    };
} | {
    event: "channel.activeCountChanged";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        active: number;
        memberCount: number;
    };
} | {
    event: "session.expiring";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        expiresAt: number;
    };
} | {
    event: "positions";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        userSeq: number;
        channels: ChannelPosition[];
    };
} | {
    event: "goaway";
    channel?: string | undefined;
    seq?: undefined;
    userSeq?: undefined;
    senderID?: string | undefined;
    sentAt?: number | undefined;
    body: {
        reconnectInMs: number;
    };
};
/**
 * What travels on the wire.
 */
export type Event = Row | OwnRow | Signal;
/**
 * What travels on the wire.
 */
export type MessageRow = Omit<Extract<Row, {
    event: "message.sent";
}>, "event"> & {
    event: "message.sent" | "message.announced";
};
/**
 * What travels on the wire.
 */
export type Commands = {
    "hello": {
        body: {
            version: number;
            token?: string;
            guest?: Guest;
            deviceID: string;
        };
        answer: Welcome;
    };
    "session.renew": {
        body: {
            token: string;
        };
        answer: {
            expiresAt: number;
        };
    };
    "resume": {
        body: {
            epoch?: string;
            userSeq?: number;
            channels: ChannelPosition[];
            onlyNamed?: boolean;
        };
        answer: {
            epoch: string;
            events: (Row | OwnRow)[];
            hasMore: boolean;
            userSeq: number;
            channels: ChannelPosition[];
            marks: OwnMark[];
            resets: Reset[];
        };
    };
    "user.get": {
        body: {
            userIDs: string[];
        };
        answer: {
            users: User[];
        };
    };
    "user.block": {
        body: {
            userID: string;
        };
        answer: Acknowledgement;
    };
    "user.unblock": {
        body: {
            userID: string;
        };
        answer: Acknowledgement;
    };
    "user.setProfile": {
        body: {
            profile: UserProfile;
        };
        answer: {
            acknowledgement: Acknowledgement;
            profile: UserProfile;
        };
    };
    "user.setSettings": {
        body: {
            invitesFrom?: InvitesFrom;
        };
        answer: Acknowledgement;
    };
    "user.getSettings": {
        body: {};
        answer: UserSettings;
    };
    "user.listBlocked": {
        body: {
            limit?: number;
            cursor?: string;
        };
        answer: {
            users: BlockedUser[];
            next?: string;
        };
    };
    "channel.create": {
        body: {
            kind: ChannelKind;
            channel?: string;
            title?: string;
            members?: NewMember[];
            profile?: ChannelProfile;
        };
        answer: Acknowledgement;
    };
    "channel.get": {
        body: {
            channel: string;
            withMembers?: boolean;
        };
        answer: Channel;
    };
    "channel.list": {
        body: {
            limit?: number;
            cursor?: string;
        };
        answer: {
            channels: Channel[];
            next?: string;
            totalUnread: number;
        };
    };
    "channel.query": {
        body: {
            kinds?: ChannelKind[];
            roles?: Role[];
            changedSince?: number;
            limit?: number;
            cursor?: string;
            withMembers?: boolean;
        };
        answer: ChannelBatch;
    };
    "channel.listOpen": {
        body: {
            keyword?: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            channels: Channel[];
            next?: string;
        };
    };
    "channel.join": {
        body: {
            channel: string;
        };
        answer: Channel;
    };
    "channel.leave": {
        body: {
            channel: string;
            successor?: string;
        };
        answer: Acknowledgement;
    };
    "channel.hide": {
        body: {
            channel?: string;
        };
        answer: Acknowledgement;
    };
    "channel.end": {
        body: {
            channel?: string;
        };
        answer: Acknowledgement;
    };
    "channel.setProfile": {
        body: {
            channel: string;
            profile: ChannelProfile;
        };
        answer: {
            acknowledgement: Acknowledgement;
            profile: ChannelProfile;
        };
    };
    "channel.setPreference": {
        body: {
            channel: string;
            isMuted?: boolean;
            ringtone?: string;
            nickname?: string;
            imageURL?: string;
        };
        answer: {
            acknowledgement: Acknowledgement;
            preference: ChannelPreference;
        };
    };
    "channel.dismiss": {
        body: {
            channel: string;
        };
        answer: Acknowledgement;
    };
    "member.invite": {
        body: {
            channel: string;
            members: NewMember[];
            joinMethod?: JoinMethod;
        };
        answer: Acknowledgement;
    };
    "member.answer": {
        body: {
            channel: string;
            isAccepted: boolean;
        };
        answer: Acknowledgement;
    };
    "member.join": {
        body: {
            channel: string;
            joinMethod?: JoinMethod;
            byUserID?: string;
        };
        answer: Acknowledgement;
    };
    "member.list": {
        body: {
            channel: string;
            limit?: number;
            cursor?: string;
            roles?: Role[];
        };
        answer: {
            members: Member[];
            memberCount: number;
            next?: string;
        };
    };
    "member.listReads": {
        body: {
            channel: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            members: MemberRead[];
            next?: string;
        };
    };
    "member.setRole": {
        body: {
            channel: string;
            userID: string;
            role: Role;
        };
        answer: Acknowledgement;
    };
    "member.kick": {
        body: {
            channel: string;
            members: string[];
            reason?: number;
        };
        answer: Acknowledgement;
    };
    "member.ban": {
        body: {
            channel: string;
            members: string[];
            reason?: number;
            bannedUntil?: number;
        };
        answer: Acknowledgement;
    };
    "member.unban": {
        body: {
            channel: string;
            members: string[];
        };
        answer: Acknowledgement;
    };
    "message.send": {
        body: {
            channel: string;
            type?: string;
            text?: string;
            mentions?: Mention[];
            after?: string;
            kind?: ChannelKind;
            replyTo?: string;
            file?: FileReference;
            thumbnail?: FileReference;
            location?: Location;
            extras?: Record<string, string>;
            category?: string;
            attributes?: number;
            call?: CallNotice;
        };
        answer: Acknowledgement;
    };
    "message.sendMany": {
        body: {
            messages: MessageContent[];
            channels: string[];
        };
        answer: PairResults;
    };
    "message.announce": {
        body: {
            channel: string;
            text: string;
        };
        answer: Acknowledgement;
    };
    "message.recall": {
        body: {
            channel: string;
            messageIDs: string[];
            isSilent?: boolean;
        };
        answer: MessageResults;
    };
    "message.delete": {
        body: {
            scope: DeletionScope;
            channel?: string;
            messageIDs?: string[];
        };
        answer: MessageResults;
    };
    "message.forward": {
        body: {
            channel: string;
            messageIDs: string[];
            channels: string[];
        };
        answer: PairResults;
    };
    "message.origin": {
        body: {
            channel: string;
            messageID: string;
        };
        answer: ForwardOrigin;
    };
    "vote.create": {
        body: {
            channel: string;
            subject: string;
            vote: Vote;
        };
        answer: Acknowledgement;
    };
    "vote.cast": {
        body: {
            channel: string;
            messageID: string;
            options: number[];
        };
        answer: Acknowledgement;
    };
    "vote.close": {
        body: {
            channel: string;
            messageID: string;
        };
        answer: Acknowledgement;
    };
    "vote.list": {
        body: {
            channel: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            votes: VoteState[];
            next?: string;
        };
    };
    "vote.get": {
        body: {
            channel: string;
            messageIDs: string[];
        };
        answer: {
            votes: VoteState[];
        };
    };
    "vote.listBallots": {
        body: {
            channel: string;
            messageID: string;
            option?: number;
            limit?: number;
            cursor?: string;
        };
        answer: {
            ballots: Ballot[];
            next?: string;
        };
    };
    "pin.add": {
        body: {
            channel: string;
            messageID: string;
        };
        answer: Acknowledgement;
    };
    "pin.remove": {
        body: {
            channel: string;
            messageID: string;
        };
        answer: Acknowledgement;
    };
    "pin.list": {
        body: {
            channel: string;
        };
        answer: {
            head: number;
            pins: Pin[];
        };
    };
    "reaction.add": {
        body: {
            channel: string;
            messageID: string;
            emoji: string;
        };
        answer: Acknowledgement;
    };
    "reaction.remove": {
        body: {
            channel: string;
            messageID: string;
            emoji: string;
        };
        answer: Acknowledgement;
    };
    "reaction.list": {
        body: {
            channel: string;
            messageID: string;
            emoji?: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            reactions: UserReaction[];
            next?: string;
        };
    };
    "news.publish": {
        body: {
            channel: string;
            text?: string;
            file?: FileReference;
            thumbnail?: FileReference;
            extras?: Record<string, string>;
            category?: string;
            validUntil?: number;
        };
        answer: Acknowledgement;
    };
    "news.list": {
        body: {
            limit?: number;
            cursor?: string;
        };
        answer: {
            channels: NewsChannel[];
            next?: string;
        };
    };
    "file.create": {
        body: {
            name: string;
            size: number;
            contentType?: string;
            width?: number;
            height?: number;
            durationMs?: number;
            blurHash?: string;
            customField?: string;
        };
        answer: FileUpload;
    };
    "file.get": {
        body: {
            fileIDs: string[];
        };
        answer: {
            files: StoredFile[];
        };
    };
    "file.delete": {
        body: {
            fileID: string;
        };
        answer: Acknowledgement;
    };
    "device.setAddress": {
        body: {
            address: PushAddress;
            removesOthers?: boolean;
        };
        answer: Acknowledgement;
    };
    "device.setSettings": {
        body: {
            hidesSender?: boolean;
            hidesContent?: boolean;
            sound?: string;
            voipSound?: string;
            mutesAll?: boolean;
            mutedUntil?: number;
            mentionsOnly?: boolean;
            quietHours?: QuietHours;
        };
        answer: Acknowledgement;
    };
    "device.get": {
        body: {};
        answer: Device;
    };
    "device.list": {
        body: {};
        answer: {
            devices: Device[];
        };
    };
    "device.remove": {
        body: {
            deviceID?: string;
        };
        answer: Acknowledgement;
    };
    "login.list": {
        body: {};
        answer: {
            logins: Login[];
        };
    };
    "login.end": {
        body: {
            deviceID?: string;
            userID?: string;
        };
        answer: Acknowledgement;
    };
    "user.setAccess": {
        body: {
            userID: string;
            canChat?: boolean;
            canCall?: boolean;
        };
        answer: Acknowledgement;
    };
    "user.delete": {
        body: {
            userID?: string;
            deletesMessages?: boolean;
        };
        answer: Acknowledgement;
    };
    "push.test": {
        body: {
            userID: string;
            deviceID?: string;
            sends?: boolean;
        };
        answer: {
            devices: PushTestDevice[];
        };
    };
    "account.register": {
        body: {
            accounts: NewAccount[];
        };
        answer: {
            results: RegisterAccountsResult[];
        };
    };
    "account.authenticate": {
        body: {
            loginName: string;
            password: string;
            ttl?: number;
            address?: string;
        };
        answer: LoginAnswer;
    };
    "account.logIn": {
        body: {
            loginName?: string;
            password?: string;
            code?: string;
        };
        answer: LoginAnswer;
    };
    "account.signUp": {
        body: {
            loginName: string;
            password: string;
            name?: string;
        };
        answer: LoginAnswer;
    };
    "visitor.start": {
        body: {
            key: string;
            name?: string;
            token?: string;
        };
        answer: {
            userID: string;
            host: string;
            channel: string;
            token: string;
            expiresAt: number;
        };
    };
    "account.set": {
        body: {
            userID?: string;
            password?: string;
            oldPassword?: string;
            phone?: string;
            email?: string;
            corpID?: string;
        };
        answer: Acknowledgement;
    };
    "account.get": {
        body: {
            userID?: string;
        };
        answer: Account;
    };
    "user.find": {
        body: {
            userIDs?: string[];
            loginNames?: string[];
            phones?: string[];
        };
        answer: {
            users: FoundUser[];
        };
    };
    "key.create": {
        body: {
            key: string;
            hash: string;
            scopes: KeyScope[];
            userID?: string;
        };
        answer: Acknowledgement;
    };
    "key.list": {
        body: {};
        answer: {
            keys: APIKey[];
        };
    };
    "key.revoke": {
        body: {
            key: string;
        };
        answer: Acknowledgement;
    };
    "schedule.create": {
        body: {
            messages?: MessageContent[];
            channels: string[];
            sendAt: number;
            subject?: string;
            vote?: Vote;
        };
        answer: ScheduleAnswer;
    };
    "schedule.change": {
        body: {
            scheduleID: string;
            messages?: MessageContent[];
            channels?: string[];
            sendAt?: number;
            subject?: string;
            vote?: Vote;
        };
        answer: ScheduleAnswer;
    };
    "schedule.cancel": {
        body: {
            scheduleID: string;
        };
        answer: Acknowledgement;
    };
    "schedule.list": {
        body: {
            limit?: number;
            cursor?: string;
        };
        answer: {
            schedules: Schedule[];
            next?: string;
        };
    };
    "broadcast.create": {
        body: {
            senderID: string;
            messages: MessageContent[];
            segment: BroadcastSegment;
        };
        answer: BroadcastAnswer;
    };
    "broadcast.pause": {
        body: {
            broadcastID: string;
        };
        answer: BroadcastAnswer;
    };
    "broadcast.resume": {
        body: {
            broadcastID: string;
        };
        answer: BroadcastAnswer;
    };
    "broadcast.cancel": {
        body: {
            broadcastID: string;
        };
        answer: BroadcastAnswer;
    };
    "broadcast.get": {
        body: {
            broadcastID: string;
        };
        answer: Broadcast;
    };
    "broadcast.list": {
        body: {
            limit?: number;
            cursor?: string;
        };
        answer: {
            broadcasts: Broadcast[];
            next?: string;
        };
    };
    "report.create": {
        body: {
            channel?: string;
            messageID?: string;
            userID?: string;
            category?: string;
            text?: string;
        };
        answer: Acknowledgement;
    };
    "report.list": {
        body: {
            isClosed?: boolean;
            limit?: number;
            cursor?: string;
        };
        answer: {
            reports: Report[];
            next?: string;
        };
    };
    "report.close": {
        body: {
            reportID: string;
            note?: string;
        };
        answer: Acknowledgement;
    };
    "message.list": {
        body: {
            channel: string;
            before?: number;
            after?: number;
            around?: number;
            aroundMessage?: string;
            limit?: number;
            onlyShown?: boolean;
        };
        answer: {
            events: Row[];
            hasBefore: boolean;
            hasAfter: boolean;
            seq: number;
            from: number;
            to: number;
        };
    };
    "message.query": {
        body: {
            channel?: string;
            time: number;
            direction: TimeDirection;
            category?: string;
            limit?: number;
            cursor?: string;
            onlyShown?: boolean;
        };
        answer: {
            events: Row[];
            next?: string;
        };
    };
    "message.get": {
        body: {
            channel: string;
            messageIDs: string[];
        };
        answer: {
            events: Row[];
        };
    };
    "message.listReaders": {
        body: {
            channel: string;
            messageID: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            readers: Reader[];
            next?: string;
        };
    };
    "message.countReads": {
        body: {
            channel: string;
            messageIDs: string[];
        };
        answer: {
            messages: ReadCount[];
        };
    };
    "readMark.set": {
        body: {
            channel: string;
            seq?: number;
            messageID?: string;
            time?: number;
        };
        answer: {
            channel: string;
            mark: ReadMark;
            unread: number;
        };
    };
    "readMark.setAll": {
        body: {};
        answer: {
            moved: number;
        };
    };
    "readMark.unset": {
        body: {
            channel: string;
        };
        answer: Acknowledgement;
    };
    "readMark.list": {
        body: {
            channel?: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            channels: ChannelRead[];
            next?: string;
        };
    };
    "unread.get": {
        body: {};
        answer: UnreadCounts;
    };
    "unread.explain": {
        body: {
            channel?: string;
            limit?: number;
            cursor?: string;
        };
        answer: {
            total: number;
            muted: number;
            mentions: number;
            channels: UnreadExplanation[];
            next?: string;
        };
    };
    "typing.start": {
        body: {
            channel: string;
        };
        answer: Done;
    };
    "typing.end": {
        body: {
            channel: string;
        };
        answer: Done;
    };
};
/**
 * What travels on the wire.
 */
export type ErrorName = "wrongCredentials" | "unknownOperation" | "accountDatabase" | "internalFault" | "wrongEndpoint" | "dataFormat" | "functionUnavailable" | "numberFormat" | "wrongPassword" | "noAccount" | "accountExists" | "passwordRequired" | "accountLimitReached" | "unknown" | "invalidContent" | "commandNotSupported" | "databaseAccess" | "tooManyRequests" | "scheduleTime" | "channelIDFormat" | "channelIDExists" | "channelTypeNotSupported" | "channelTypeMismatch" | "channelNotFound" | "userMissing" | "noPrivilege" | "tooFewMembers" | "nobodyToKick" | "nobodyToBan" | "noPreferenceToSet" | "noProfileToSet" | "messageNotOwned" | "notAllMembers" | "tooManyMembers" | "notInvited" | "notMember" | "messageNotFound" | "duplicateTransID" | "noRoleToSet" | "timeExpired" | "tooManyVotes" | "notCurrentUser" | "notAuthenticated" | "tokenExpired" | "blocked" | "orderBroken" | "tooLarge" | "positionUnknown" | "storageFull" | "draining" | "protocolVersion" | "alreadyOpen" | "userNotFound" | "broadcastNotFound" | "scheduleNotFound" | "notAVote" | "voteNotOpen" | "broadcastFinished" | "notBanned" | "limitReached" | "tooManyChannels" | "tooManyConnections" | "alreadyLoggedIn" | "uploadIncomplete" | "fileTypeRefused" | "fileStoreUnavailable" | "uploadOffset" | "userBanned" | "userDeleted" | "reportNotFound" | "deviceNotFound";
