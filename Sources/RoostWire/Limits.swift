/// The limits of a server: configuration with safe defaults, sent to each client in `welcome`.
public struct Limits: Codable, Hashable, Sendable {
    /// The longest text of a message, in UTF-16 units.
    public var textLength: Int
    /// The longest text of a message, in bytes of UTF-8.
    public var textBytes: Int
    /// The largest frame after `welcome`, in bytes; before it 8 KiB.
    public var frameBytes: Int
    /// The most rows of a page of `message.list` and `message.query`.
    public var pageRows: Int
    /// The most members of a channel.
    public var members: Int
    /// The most mentions of a message.
    public var mentions: Int
    /// The most connections of one user at a time.
    public var connectionsPerUser: Int
    /// The most groups and 1-on-1 channels of one user, and the most open invitations of one user.
    public var channelsPerUser: Int
    /// How many percent of `channelsPerUser` may be channels to which others have added the user, and where the user has
    /// written nothing since; 1 to 100. Operators and API keys may add users to more.
    public var channelsFromOthersPercent: Int
    /// The most groups into which one user may bring another: open invitations, and memberships of a user who has written
    /// nothing there since. Operators and API keys may bring users into more.
    public var channelsPerInviter: Int
    /// The most open channels that one connection has joined at a time.
    public var openChannelsPerConnection: Int
    /// The most rows that `resume` replays per channel before it says `tooFar`.
    public var resumeRows: Int
    /// The most ids of messages or users that one command names.
    public var idsPerCommand: Int
    /// The most messages of one command that sends or schedules several.
    public var messagesPerCommand: Int
    /// The most channels to which one command sends or schedules.
    public var channelsPerCommand: Int
    /// The most schedules of one user that are not sent yet.
    public var schedules: Int
    /// A scheduled time must be more than this far ahead, in ms.
    public var scheduleMinMs: Int
    /// How far ahead a scheduled time may be, in ms.
    public var scheduleMaxMs: Int
    /// The most strings in the `extras` of a message.
    public var extras: Int
    /// The most bytes of these strings and their names together.
    public var extrasBytes: Int
    /// The most users that are invited to a group and have not answered.
    public var invitations: Int
    /// The most users that are banned from a group.
    public var bans: Int
    /// The most users that one user has blocked.
    public var blockedUsers: Int
    /// How long after sending a message its sender may recall it, in ms; 0 for no limit.
    public var recallWindowMs: Int
    /// The most members of a group in which the number of connected members is announced.
    public var activeCountMembers: Int
    /// How many messages a user may send per second in the long run; 0 for no limit.
    public var sendsPerSecond: Int
    /// How many messages a user may send at once.
    public var sendBurst: Int
    /// How many messages a user may send per second into one channel in the long run; 0 for no limit.
    public var channelSendsPerSecond: Int
    /// How many messages a user may send at once into one channel.
    public var channelSendBurst: Int
    /// How many other commands a device may send per second in the long run; 0 for no limit.
    ///
    /// All devices of a user together may send `connectionsPerUser` times as many.
    public var commandsPerSecond: Int
    /// How many other commands a device may send at once.
    public var commandBurst: Int
    /// The most broadcasts that are neither done nor cancelled, of all operators together.
    public var broadcasts: Int
    /// The most different emoji among the reactions to a message.
    public var reactionKinds: Int
    /// The most pinned messages of a channel.
    public var pins: Int
    /// The most bytes of a file.
    public var fileBytes: Int64
    /// The most bytes of all files of a user together.
    public var fileBytesPerUser: Int64
    /// The most unfinished uploads of a user.
    public var uploads: Int
    /// The most devices of a user that have an address for push notifications or settings for them.
    public var devices: Int
    /// The most reports of one user in 24 hours.
    public var reportsPerDay: Int

    /// Creates limits; without arguments, the defaults.
    public init(
        textLength: Int = 8_000, textBytes: Int = 32 * 1024, frameBytes: Int = 64 * 1024, pageRows: Int = 100,
        members: Int = 500, mentions: Int = 50, connectionsPerUser: Int = 20, channelsPerUser: Int = 10_000,
        channelsFromOthersPercent: Int = 90, channelsPerInviter: Int = 1_000,
        openChannelsPerConnection: Int = 1_000, resumeRows: Int = 10_000, idsPerCommand: Int = 100,
        messagesPerCommand: Int = 20, channelsPerCommand: Int = 100, schedules: Int = 100,
        scheduleMinMs: Int = 60_000, scheduleMaxMs: Int = 2_592_000_000, extras: Int = 32,
        extrasBytes: Int = 4 * 1024, invitations: Int = 500, bans: Int = 10_000, blockedUsers: Int = 10_000,
        recallWindowMs: Int = 0, activeCountMembers: Int = 100, sendsPerSecond: Int = 10, sendBurst: Int = 30,
        channelSendsPerSecond: Int = 5, channelSendBurst: Int = 15, commandsPerSecond: Int = 50,
        commandBurst: Int = 200, broadcasts: Int = 100, reactionKinds: Int = 20, pins: Int = 50,
        fileBytes: Int64 = 104_857_600, fileBytesPerUser: Int64 = 10_737_418_240, uploads: Int = 100,
        devices: Int = 20, reportsPerDay: Int = 20
    ) {
        self.textLength = textLength
        self.textBytes = textBytes
        self.frameBytes = frameBytes
        self.pageRows = pageRows
        self.members = members
        self.mentions = mentions
        self.connectionsPerUser = connectionsPerUser
        self.channelsPerUser = channelsPerUser
        self.channelsFromOthersPercent = channelsFromOthersPercent
        self.channelsPerInviter = channelsPerInviter
        self.openChannelsPerConnection = openChannelsPerConnection
        self.resumeRows = resumeRows
        self.idsPerCommand = idsPerCommand
        self.messagesPerCommand = messagesPerCommand
        self.channelsPerCommand = channelsPerCommand
        self.schedules = schedules
        self.scheduleMinMs = scheduleMinMs
        self.scheduleMaxMs = scheduleMaxMs
        self.extras = extras
        self.extrasBytes = extrasBytes
        self.invitations = invitations
        self.bans = bans
        self.blockedUsers = blockedUsers
        self.recallWindowMs = recallWindowMs
        self.activeCountMembers = activeCountMembers
        self.sendsPerSecond = sendsPerSecond
        self.sendBurst = sendBurst
        self.channelSendsPerSecond = channelSendsPerSecond
        self.channelSendBurst = channelSendBurst
        self.commandsPerSecond = commandsPerSecond
        self.commandBurst = commandBurst
        self.broadcasts = broadcasts
        self.reactionKinds = reactionKinds
        self.pins = pins
        self.fileBytes = fileBytes
        self.fileBytesPerUser = fileBytesPerUser
        self.uploads = uploads
        self.devices = devices
        self.reportsPerDay = reportsPerDay
    }

    /// Reads limits; one that an older server does not send has its default value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        func read<Limit: Decodable>(_ key: CodingKeys, _ limit: inout Limit) throws {
            limit = try container.decodeIfPresent(Limit.self, forKey: key) ?? limit
        }
        try read(.textLength, &textLength)
        try read(.textBytes, &textBytes)
        try read(.frameBytes, &frameBytes)
        try read(.pageRows, &pageRows)
        try read(.members, &members)
        try read(.mentions, &mentions)
        try read(.connectionsPerUser, &connectionsPerUser)
        try read(.channelsPerUser, &channelsPerUser)
        try read(.channelsFromOthersPercent, &channelsFromOthersPercent)
        try read(.channelsPerInviter, &channelsPerInviter)
        try read(.openChannelsPerConnection, &openChannelsPerConnection)
        try read(.resumeRows, &resumeRows)
        try read(.idsPerCommand, &idsPerCommand)
        try read(.messagesPerCommand, &messagesPerCommand)
        try read(.channelsPerCommand, &channelsPerCommand)
        try read(.schedules, &schedules)
        try read(.scheduleMinMs, &scheduleMinMs)
        try read(.scheduleMaxMs, &scheduleMaxMs)
        try read(.extras, &extras)
        try read(.extrasBytes, &extrasBytes)
        try read(.invitations, &invitations)
        try read(.bans, &bans)
        try read(.blockedUsers, &blockedUsers)
        try read(.recallWindowMs, &recallWindowMs)
        try read(.activeCountMembers, &activeCountMembers)
        try read(.sendsPerSecond, &sendsPerSecond)
        try read(.sendBurst, &sendBurst)
        try read(.channelSendsPerSecond, &channelSendsPerSecond)
        try read(.channelSendBurst, &channelSendBurst)
        try read(.commandsPerSecond, &commandsPerSecond)
        try read(.commandBurst, &commandBurst)
        try read(.broadcasts, &broadcasts)
        try read(.reactionKinds, &reactionKinds)
        try read(.pins, &pins)
        try read(.fileBytes, &fileBytes)
        try read(.fileBytesPerUser, &fileBytesPerUser)
        try read(.uploads, &uploads)
        try read(.devices, &devices)
        try read(.reportsPerDay, &reportsPerDay)
    }
}
