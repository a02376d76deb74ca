public import RoostWire

/// The settings of a ``ChatClient``; all but server, credentials and device id have defaults.
public struct ClientConfiguration: Sendable {
    /// The server's address: `http://host:port`, or `https://host` with TLS.
    ///
    /// With TLS, the certificates of the system are trusted; on Linux those of the file that the environment variable
    /// `SSL_CERT_FILE` names instead, if it is set.
    public var server: String
    /// The credentials of the user.
    public var credentials: Credentials
    /// The id of this installation: created once and kept.
    public var deviceID: DeviceID
    /// The time limit of one connection attempt, and of `connect()` as a whole unless it keeps trying; 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// How long a command waits for its answer, reconnects included; 30 s. Sends have their own limit.
    public var commandTimeout: Duration = .seconds(30)
    /// How long a send waits for its acknowledgement, reconnects included; nil, the default, for no limit.
    public var sendTimeout: Duration?
    /// Whether the first `connect()` keeps trying until the server can be reached, as every later reconnect does.
    public var keepsTryingToConnect = false
    /// How many commands and sends may wait for their answers; one more is refused with `tooManyPending`.
    public var maximumPending = 100_000
    /// The position from which to continue, from ``ChatClient/positions``; nil starts at the newest state.
    public var positions: SyncPositions?
    /// The local store; nil, the default, stores nothing.
    ///
    /// With a store, its positions are used instead of `positions`. One client at a time can
    /// use a store.
    public var store: LocalStore?
    /// Where downloaded files are kept, and how many bytes of them.
    ///
    /// If nil, the default, it is 200 MB in a folder beside the file of the store, with the same name and `.files` at its
    /// end, excluded from backups. Without a store on disk it is a folder in the temporary folder of this process, which
    /// the system may empty. Use a folder for one user only.
    public var fileCache: FileCacheConfiguration?
    /// Uploads a file for a message of the queue; nil for the upload of this package. Tests replace it.
    package var upload: (@Sendable (LocalFile) async throws -> FileReference)?
    /// The number of threads for the connections; nil, the default, uses NIO's shared threads.
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

/// The position of a client in each log, from which it can continue without a gap.
///
/// Positions are only valid in their epoch. If the server has another one, it says so, and
/// the client starts from the newest state.
public struct SyncPositions: Codable, Hashable, Sendable {
    /// Identifies the server's database. It changes when a backup is restored.
    public var epoch: String
    /// The newest row of the user's log that was delivered.
    public var userSeq: Int64
    /// The newest row per channel that was delivered, ordered by channel.
    public var channels: [ChannelPosition]
    /// The joined open channels, ordered by id.
    public var openChannels: [ChannelID]

    /// Creates positions.
    public init(epoch: String, userSeq: Int64, channels: [ChannelPosition], openChannels: [ChannelID] = []) {
        self.epoch = epoch
        self.userSeq = userSeq
        self.channels = channels
        self.openChannels = openChannels
    }
}
