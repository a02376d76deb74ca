/// The limits of a server: configuration with safe defaults, told to each client in `welcome`.
public struct Limits: Codable, Hashable, Sendable {
    /// The longest text of a message, in UTF-16 units.
    public var textLength: Int
    /// The longest text of a message, in bytes of UTF-8.
    public var textBytes: Int
    /// The largest frame after `welcome`, in bytes; before it 8 KiB.
    public var frameBytes: Int
    /// The most rows of a page of `message.list`.
    public var pageRows: Int
    /// The most members of a channel.
    public var members: Int
    /// The most mentions of a message.
    public var mentions: Int
    /// The most connections of one user at a time.
    public var connectionsPerUser: Int
    /// The most groups and 1-on-1 channels of one user.
    public var channelsPerUser: Int
    /// The most open channels that one connection takes part in at a time.
    public var openChannelsPerConnection: Int
    /// The most rows that `resume` replays per channel before it says `tooFar`.
    public var resumeRows: Int

    /// Makes limits; without arguments, the defaults.
    public init(
        textLength: Int = 8_000, textBytes: Int = 32 * 1024, frameBytes: Int = 64 * 1024, pageRows: Int = 100,
        members: Int = 500, mentions: Int = 50, connectionsPerUser: Int = 20, channelsPerUser: Int = 10_000,
        openChannelsPerConnection: Int = 1_000, resumeRows: Int = 10_000
    ) {
        self.textLength = textLength
        self.textBytes = textBytes
        self.frameBytes = frameBytes
        self.pageRows = pageRows
        self.members = members
        self.mentions = mentions
        self.connectionsPerUser = connectionsPerUser
        self.channelsPerUser = channelsPerUser
        self.openChannelsPerConnection = openChannelsPerConnection
        self.resumeRows = resumeRows
    }
}
