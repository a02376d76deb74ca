public import RoostWire

/// What a ``ChatClient`` needs to know; everything has a default except where and who.
public struct ClientConfiguration: Sendable {
    /// The server's address: `http://host:port`, or `https://host` with TLS.
    public var server: String
    /// Who the client says that it is.
    public var credentials: Credentials
    /// The id of this installation: chosen once, kept for good.
    public var deviceID: DeviceID
    /// How long one attempt to connect may take, and `connect()` as a whole, unless it keeps trying; 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// How long a command waits for its answer, reconnects included; 30 s. Sends have their own limit.
    public var commandTimeout: Duration = .seconds(30)
    /// How long a send waits for its acknowledgement, reconnects included; nil, the default, means for as long as it takes.
    public var sendTimeout: Duration?
    /// Whether the first `connect()` goes on until the server can be reached, as every later reconnect does.
    public var keepsTryingToConnect = false
    /// How many commands and sends may wait for their answers; one more is refused with `tooManyPending`.
    public var maximumPending = 100_000
    /// Where to go on from, as ``ChatClient/positions`` gave it; nil begins at the newest state.
    public var positions: SyncPositions?
    /// What the user has on this device; nil, the default, keeps nothing.
    ///
    /// With a store its own positions count instead of `positions`. One store is
    /// for one client at a time.
    public var store: LocalStore?
    /// Uploads a file of this device and answers what a message names it by; for `enqueue(uploading:)`.
    ///
    /// One at a time, while there is a connection. After a loss or a kill it may be
    /// called again for the same file, though that was uploaded.
    public var upload: (@Sendable (LocalFile) async throws -> FileReference)?
    /// How many threads serve the connections of this process; nil, the default, shares NIO's own.
    ///
    /// Clients with the same number share one set of threads, which lasts as long
    /// as the process.
    public var eventLoopThreads: Int?

    /// Creates a configuration; the other values have defaults that can be changed afterwards.
    public init(server: String, credentials: Credentials, deviceID: DeviceID) {
        self.server = server
        self.credentials = credentials
        self.deviceID = deviceID
    }
}

/// How far a client has come in each log: enough to go on from there without a gap.
///
/// A value of one epoch means nothing in another; the server then says so, and
/// the client starts from the newest state.
public struct SyncPositions: Codable, Hashable, Sendable {
    /// The lineage of the server's database.
    public var epoch: String
    /// The newest row of the user's log that was handed over.
    public var userSeq: Int64
    /// The newest row per channel that was handed over, ordered by channel.
    public var channels: [ChannelPosition]
    /// The open channels that the client takes part in, ordered by id.
    public var openChannels: [ChannelID]

    /// Makes positions.
    public init(epoch: String, userSeq: Int64, channels: [ChannelPosition], openChannels: [ChannelID] = []) {
        self.epoch = epoch
        self.userSeq = userSeq
        self.channels = channels
        self.openChannels = openChannels
    }
}
