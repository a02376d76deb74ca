@_exported public import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A connection of one user on one device to a Roost server.
///
/// ```swift
/// let client = ChatClient(
///     server: "http://127.0.0.1:7878", credentials: .guest("ann"), deviceID: "anns-phone")
/// try await client.connect()
/// let lobby = client.channel("lobby")
/// try await lobby.join()
/// try await lobby.send("Hello, all!")
/// for await case .event(let event, isPast: _) in client.events() {
///     if case .channel(.messageSent(let message)) = event.body { print(message.senderName, message.text) }
/// }
/// ```
///
/// After `connect()` the client stays connected by itself: after a loss it reconnects,
/// reads the missed rows, joins its open channels again,
/// and then sends again what was not acknowledged, under the same transIDs. Nothing is
/// lost, repeated or reordered within a channel.
///
/// All methods may be called from any task. Cancelling a task ends its wait, not
/// the command. Dropping the last reference disconnects and ends the sequences.
public final class ChatClient: Sendable {
    let engine: SyncEngine
    let fileCache: FileCache
    let backgroundState = BackgroundState()
    /// The local store; nil for a client without one.
    public let store: LocalStore?
    private let isStoreTaken: Bool

    /// Creates a client that is not connected yet.
    ///
    /// With a store it begins to read the stored data and the messages that wait to be sent;
    /// all calls wait for that. If another client uses the store,
    /// `connect()` throws `storeInUse`. If it cannot be read,
    /// `connect()` throws `storeFailed`, and the next `connect()` reads it again.
    public init(configuration: ClientConfiguration) {
        var configuration = configuration
        isStoreTaken = configuration.store.map { !$0.attach() } ?? false
        if isStoreTaken { configuration.store = nil }
        store = configuration.store
        var system = SystemRandomNumberGenerator()
        engine = SyncEngine(configuration: configuration, seed: system.next())
        fileCache = FileCache(configuration.fileCache ?? .usual(for: configuration))
    }

    /// Creates a client with the defaults of ``ClientConfiguration`` that is not connected yet.
    public convenience init(server: String, credentials: Credentials, deviceID: DeviceID, store: LocalStore? = nil) {
        var configuration = ClientConfiguration(server: server, credentials: credentials, deviceID: deviceID)
        configuration.store = store
        self.init(configuration: configuration)
    }

    deinit {
        engine.endUploads()
        engine.submit(.disconnect(nil))
        store?.detach()
    }

    /// Connects, authenticates, and delivers the missed rows; returns when the client is live.
    ///
    /// The first connect throws if the server cannot be reached, if it refuses the
    /// credentials, or if it takes longer than `connectTimeout`; with
    /// `keepsTryingToConnect` only a refusal ends it. From then on the client
    /// reconnects by itself, until `disconnect()` or a permanent refusal. Calling
    /// it while connected returns at once.
    /// - Throws: `unreachable`, `refused`, `invalidConfiguration`, `storeInUse`, `storeFailed`, `disconnected` or
    ///   `cancelled`.
    public func connect() async throws(RoostError) {
        if isStoreTaken {
            throw RoostError(.storeInUse, "Another client has this store. Give each client its own.")
        }
        let promise = Promise<Void>()
        engine.submit(.connect(promise))
        try await promise.value
    }

    /// Disconnects and does not reconnect; everything that waits for an answer fails with `disconnected`.
    ///
    /// Positions are kept: a later `connect()` continues from there.
    public func disconnect() async {
        let promise = Promise<Void>()
        engine.submit(.disconnect(promise))
        _ = try? await promise.value
    }

    /// The connected user; nil before the first connect.
    public var user: User? { get async { engine.user } }

    /// The connection state.
    public var state: ConnectionState { get async { engine.state } }

    /// The current connection state, then every change of it. The sequence ends with the task that reads it.
    public var states: ConnectionStates {
        ConnectionStates(subscription: engine.states.subscribe(startingWith: [engine.state]))
    }

    /// The position in each log: save it, and pass it to the configuration of the next client to continue from there.
    ///
    /// Read it after the events up to then are saved, or rows may be missed.
    /// It is nil before the first connect.
    public var positions: SyncPositions? {
        get async {
            await engine.restored()
            return engine.positions
        }
    }

    /// The joined open channels, also while the client is reconnecting, ordered by id.
    public var openChannels: [ChannelID] { get async { engine.openChannels.sorted() } }

    /// The limits of the last `welcome`; the defaults before.
    package var limits: Limits { engine.limits }

    /// Whether the last `welcome` said that this user is an operator; false before.
    package var isOperator: Bool { engine.isOperator }

    /// The time by the server's clock, in ms since 1970; nil without a connection.
    package var serverTime: Int64? { engine.serverTime }

    /// All events from now on, of all channels.
    ///
    /// Each call is a separate subscription, buffered from the
    /// call on. If more than 100,000 events wait, the sequence ends with `lagged`.
    /// The sequence ends with the task that reads it. With `ignoringOwn` the rows
    /// that this client's last 10,000 commands have caused are left out; rows of the
    /// user's other devices are still included.
    public func events(ignoringOwn: Bool = false) -> ClientEvents {
        guard ignoringOwn else { return ClientEvents(subscription: engine.events.subscribe()) }
        return ClientEvents(
            subscription: engine.events.subscribe { [engine] in !engine.own.contains($0, of: engine.user?.userID) })
    }

    /// A handle with the methods of one channel. It is cheap and has no side effect.
    public func channel(_ id: ChannelID) -> ChannelHandle { ChannelHandle(client: self, id: id) }

    /// A new transID for a command: the time and 64 random bits.
    public func makeTransID() -> TransID {
        var system = SystemRandomNumberGenerator()
        return TransID(now: Self.now, random: system.next())
    }

    /// Executes any command of the protocol and returns its answer.
    ///
    /// A command that changes something gets a transID and is repeated after
    /// reconnects without being executed twice; commands that only read are
    /// repeated too. A command fails after `commandTimeout`, except sends of
    /// messages, which keep their order per channel and have `sendTimeout`.
    /// - Throws: a refusal of the server as `.server(…)`, or `timedOut`, `notConnected`, `disconnected`.
    public func perform<C: Command>(_ command: C) async throws(RoostError) -> C.Answer {
        try await perform(command, transID: makeTransID())
    }

    /// Executes any command with the caller's transID.
    ///
    /// The same command with the same transID is executed once and gets the same answer,
    /// even in another run of the app; the server remembers a transID for at least seven
    /// days. Commands that only read ignore it.
    /// - Throws: as `perform(_:)`; 1119 if the transID was used for another command.
    public func perform<C: Command>(_ command: C, transID: TransID) async throws(RoostError) -> C.Answer {
        do {
            return try await carryOut(command, transID: transID)
        } catch {
            throw error.naming(C.name)
        }
    }

    private func carryOut<C: Command>(_ command: C, transID: TransID) async throws(RoostError) -> C.Answer {
        guard C.reach != .client else {
            throw RoostError(.invalidConfiguration, "\(C.name) is not a command of an app: the client gives it itself.")
        }
        if C.reach == .request { return try await engine.request(command, transID) }
        let any = command.any
        if case .write(.sendMessage(let send)) = any {
            let message = try await enqueue(send, transID: transID).sent
            guard let answer = Acknowledgement(message) as? C.Answer else {
                throw RoostError(.invalidAnswer, "The server's answer to \(C.name) cannot be read.")
            }
            return answer
        }
        let promise = Promise<[UInt8]>()
        let id = any.effect == .writes ? transID.rawValue : "r" + transID.rawValue
        // Noted before the request: a row that arrives before the answer may not be included in it.
        await engine.restored()
        let since = engine.userSeq
        engine.submit(.perform(any, id: id, promise))
        let body = try await promise.value
        let answer: C.Answer
        do {
            answer = try WireCodec.decode(C.Answer.self, from: body)
        } catch {
            throw RoostError(.invalidAnswer, "The server's answer to \(C.name) cannot be read.")
        }
        if let writer = engine.writer, let keep = StoredAnswer(any, answer, since: since) {
            // If the answer cannot be stored, it is read again when it is needed.
            _ = try? await writer.edit { try keep.put(into: $0) }
        }
        return answer
    }

    /// Executes a command with the caller's transID, or a new one.
    package func perform<C: Command>(_ command: C, under transID: TransID?) async throws(RoostError) -> C.Answer {
        try await perform(command, transID: transID ?? makeTransID())
    }

    func enqueue(_ send: SendMessage, transID: TransID, uploading file: LocalFile? = nil) -> PendingMessage {
        let pending = PendingMessage(transID: transID, channel: send.channel)
        let promise = pending.promise
        guard let writer = engine.writer else {
            pending.kept.complete(.failure(Self.noStore))
            if file == nil {
                engine.submit(.send(send, transID, promise))
            } else {
                promise.complete(.failure(Self.noStore))
            }
            return pending
        }
        let now = Self.now
        let engine = engine
        // Stored on the device first: from here on the message survives the end of the process.
        let add: @Sendable (LocalTransaction) throws -> Void = { transaction in
            try transaction.enqueue(send, transID, at: now, uploading: file, serverTime: engine.serverTime)
        }
        writer.edit(add) { result in
            pending.kept.complete(result)
            switch result {
            case .success:
                if let file {
                    engine.hold(send, Uploads.Job(transID: transID, file: file), promise)
                } else {
                    engine.submit(.send(send, transID, promise))
                }
            case .failure(let error):
                // With a transID that is in the queue already, that message has not failed.
                if error.code == .storeFailed {
                    engine.events.yield([.sendFailed(FailedSend(transID: transID, message: send, error: error))])
                }
                promise.complete(.failure(error))
            }
        }
        return pending
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// The events of a client, from ``ChatClient/events(ignoringOwn:)``. For one reader.
public struct ClientEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ClientEvent
    /// It never throws.
    public typealias Failure = Never
    let subscription: Subscription<ClientEvent>

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Reads the events in their order.
    public struct Iterator: AsyncIteratorProtocol {
        /// An event.
        public typealias Element = ClientEvent
        /// It never throws.
        public typealias Failure = Never
        private var batch: Batch<ClientEvent>

        init(subscription: Subscription<ClientEvent>) { batch = Batch(subscription: subscription) }

        /// The next event; nil if the task was cancelled, or after `lagged`.
        public mutating func next() async -> ClientEvent? { await batch.next() }
    }
}

/// The connection states, from ``ChatClient/states``. For one reader.
public struct ConnectionStates: AsyncSequence, Sendable {
    /// A state.
    public typealias Element = ConnectionState
    /// It never throws.
    public typealias Failure = Never
    let subscription: Subscription<ConnectionState>

    /// Starts to read.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Reads the states in their order.
    public struct Iterator: AsyncIteratorProtocol {
        /// A state.
        public typealias Element = ConnectionState
        /// It never throws.
        public typealias Failure = Never
        private var batch: Batch<ConnectionState>

        init(subscription: Subscription<ConnectionState>) { batch = Batch(subscription: subscription) }

        /// The next state; nil if the task was cancelled.
        public mutating func next() async -> ConnectionState? { await batch.next() }
    }
}

/// Reads a subscription one batch at a time.
struct Batch<Element: Sendable> {
    let subscription: Subscription<Element>
    private var taken: [Element] = []
    private var index = 0

    init(subscription: Subscription<Element>) { self.subscription = subscription }

    mutating func next() async -> Element? {
        if index >= taken.count {
            guard let more = await subscription.buffer.nextBatch() else { return nil }
            taken = more
            index = 0
        }
        defer { index += 1 }
        return taken[index]
    }
}
