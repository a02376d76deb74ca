import Logging
import NIOCore
import RoostWire
import Synchronization

/// The shell around ``SyncStateMachine``: it owns the socket, the timer and the event loop, and makes no decisions.
///
/// All inputs are processed on one event loop, so that the app gets events in
/// one order. The app's calls only add an input to a queue; all inputs that
/// have gathered until the loop processes them cause one flush.
final class SyncEngine: Sendable {
    private struct Inbox {
        var inputs: [SyncInput] = []
        /// Whether the inputs are going to be processed: by the event loop, or after the store was read.
        var isScheduled = false
        var isWorking = false
        /// Why the store could not be read; the next connect reads it again.
        var failure: RoostError?
        /// Whether the contents of the store were read.
        var isRestored = false
    }

    private struct Shell {
        var transport: NIOTransport?
        var timer: Scheduled<Void>?
        var timerAt = Int64.max
        var random: RandomSource
    }

    let events: Multicast<ClientEvent>
    let states: Multicast<ConnectionState>
    let own = OwnCommands()
    /// Writes to the store before the app is told; nil without a store.
    let writer: StoreWriter?
    let configuration: ClientConfiguration
    /// Nothing when the configuration has no address.
    let http: HTTPClient?
    /// The token that was provided last, for requests over HTTP.
    let token = Mutex<String?>(nil)
    private let address: ServerAddress?
    private let loop: any EventLoop
    private let logger = Logger(label: "roost.client")
    private let machine: Mutex<SyncStateMachine>
    private let inbox = Mutex(Inbox())
    private let uploads = Mutex<Uploads?>(nil)
    /// Used on the event loop only; the lock proves that to the compiler.
    private let shell: Mutex<Shell>

    init(configuration: ClientConfiguration, seed: UInt64) {
        address = ServerAddress(configuration.server)
        let loop = EventLoops.next(threads: configuration.eventLoopThreads)
        self.loop = loop
        let http = address.map { HTTPClient(address: $0, loop: loop) }
        self.http = http
        var configuration = configuration
        configuration.credentials = configuration.credentials.resolved(http)
        self.configuration = configuration
        var random = RandomSource(seed: seed)
        let events = Multicast<ClientEvent>(limit: 100_000, lagged: .lagged)
        let states = Multicast<ConnectionState>(limit: 100, lagged: nil)
        self.events = events
        self.states = states
        writer = configuration.store.map { StoreWriter($0, events: events, states: states) }
        let machine = SyncStateMachine(
            settings: SyncStateMachine.Settings(configuration),
            positions: writer == nil ? configuration.positions : nil, seed: random.next())
        self.machine = Mutex(machine)
        shell = Mutex(Shell(random: RandomSource(seed: random.next())))
        writer?.submit = { [weak self] in self?.submit($0) }
        if let writer {
            uploads.withLock { $0 = Uploads(self, writer) }
            inbox.withLock { $0.isScheduled = true }
            read(writer)
        }
    }

    /// Restores what the store kept. No input is processed before.
    private func read(_ writer: StoreWriter) {
        writer.read { result in
            self.loop.execute {
                switch result {
                case .success(let kept): self.restore(kept)
                case .failure(let error): self.refuse(error)
                }
            }
        }
    }

    private func restore(_ kept: StoreWriter.Kept) {
        for (transID, _) in kept.sends { own.note(transID.rawValue) }
        var settings = SyncStateMachine.Settings(configuration)
        settings.owner = kept.owner
        let seed = shell.withLock { $0.random.next() }
        var machine = SyncStateMachine(settings: settings, positions: kept.positions, seed: seed)
        machine.restore(
            sends: kept.sends, held: Set(kept.uploads.map(\.transID)), triedAt: kept.triedAt, marks: kept.marks)
        machine.maintenance.wanted = kept.stale
        let restored = machine
        self.machine.withLock { $0 = restored }
        let uploads = uploads.withLock { $0 }
        for job in kept.uploads { uploads?.put(job) }
        inbox.withLock { $0.isRestored = true }
        processInputs()
    }

    /// Waits until the store was read, or failed to be read.
    func restored() async {
        guard let writer, !inbox.withLock({ $0.isRestored }) else { return }
        await withCheckedContinuation { continuation in
            writer.whenIdle { self.loop.execute { continuation.resume() } }
        }
    }

    /// The store cannot be read: all waiting calls fail.
    private func refuse(_ error: RoostError) {
        let inputs = inbox.withLock { inbox in
            inbox.failure = error
            inbox.isScheduled = false
            defer { inbox.inputs = [] }
            return inbox.inputs
        }
        for input in inputs { input.fail(error) }
    }

    var user: User? { machine.withLock { $0.user } }
    var state: ConnectionState { machine.withLock { $0.state } }
    var positions: SyncPositions? { machine.withLock { $0.logs.positions } }
    /// The limits of the last `welcome`; the defaults before.
    var limits: Limits { machine.withLock { $0.limits } }
    /// Whether the last `welcome` said that the user is an operator.
    var isOperator: Bool { machine.withLock { $0.isOperator } }
    /// The time by the server's clock, in ms since 1970; nil without a connection.
    var serverTime: Int64? { machine.withLock { $0.serverTime(at: Self.now) } }
    var userSeq: Int64 { machine.withLock { $0.logs.user.seq ?? 0 } }
    var openChannels: Set<ChannelID> { machine.withLock { $0.logs.open } }

    /// The connection states from now on, beginning with the current one.
    func liveStates() -> Subscription<ConnectionState> { states.subscribe(startingWith: [state]) }

    /// Adds a send whose file is uploaded first.
    func hold(_ send: SendMessage, _ job: Uploads.Job, _ promise: Promise<SentMessage>) {
        submit(.hold(send, job.transID, promise))
        uploads.withLock { $0 }?.put(job)
    }

    /// The upload of a message ends: the message is discarded.
    func cancelUpload(_ transID: TransID) { uploads.withLock { $0 }?.cancel(transID) }

    /// The client is gone: uploads end, and are continued by the next client.
    func endUploads() { uploads.withLock { $0.take() }?.end() }

    /// The progress of the upload for a message, from now on.
    func uploadProgress(of transID: TransID) -> AsyncStream<TransferProgress>? {
        uploads.withLock { $0 }?.progress(of: transID)
    }

    /// Ends the sequences of the progress of an upload.
    func endUploadProgress(of transID: TransID) { uploads.withLock { $0 }?.finishProgress(of: transID) }

    /// Adds an input from any thread.
    func submit(_ input: SyncInput) {
        own.note(input)
        let (mustSchedule, failure) = inbox.withLock { inbox in
            if let failure = inbox.failure, !input.isConnect { return (false, failure as RoostError?) }
            inbox.inputs.append(input)
            defer { inbox.isScheduled = true }
            return (!inbox.isScheduled, inbox.failure.take())
        }
        switch (mustSchedule, failure) {
        case (false, let failure?): input.fail(failure)
        case (true, nil): loop.execute { self.processInputs() }
        case (true, _?): if let writer { read(writer) }
        case (false, nil): break
        }
    }

    private func processInputs() {
        let inputs = inbox.withLock { inbox in
            defer { inbox.inputs.removeAll(keepingCapacity: inbox.inputs.count <= 256) }
            inbox.isScheduled = false
            return inbox.inputs
        }
        work(inputs)
    }

    /// Frames arrive on the loop: they need no queue, unless they arrive while actions are performed.
    private func received(_ frames: [ServerFrame], on connection: Int) {
        let input = SyncInput.received(connection, frames)
        if inbox.withLock({ $0.isWorking || !$0.inputs.isEmpty }) { submit(input) } else { work([input]) }
    }

    private func work(_ inputs: [SyncInput]) {
        inbox.withLock { $0.isWorking = true }
        let now = Self.now
        let (actions, moves, wakeAt) = machine.withLock { machine in
            for input in inputs { machine.handle(input, now: now) }
            return (machine.drainActions(), machine.logs.drainMoves(), machine.wakeAt)
        }
        if let writer {
            writer.put(store(actions) + moves.map { .move($0, $1) })
        } else {
            perform(actions)
        }
        schedule(wakeAt, now: now)
        inbox.withLock { $0.isWorking = false }
    }

    /// Performs socket actions at once; the others go through the store first.
    private func store(_ actions: [SyncAction]) -> [StoreInput] {
        var inputs: [StoreInput] = []
        var others: [SyncAction] = []
        for action in actions {
            switch action {
            case .emit(let event): inputs.append(.event(event))
            case .state(let state): inputs.append(.state(state))
            case .store(let input): inputs.append(input)
            case .answer(let promise, let result): inputs.append(.finish { promise.complete(result) })
            case .acknowledge(let promise, let result): inputs.append(.finish { promise.complete(result) })
            case .finish(let promise, let result): inputs.append(.finish { promise.complete(result) })
            case .open, .close, .write, .provideToken: others.append(action)
            }
        }
        perform(others)
        return inputs
    }

    private func perform(_ actions: [SyncAction]) {
        var news: [ClientEvent] = []
        let transport = shell.withLock { $0.transport }
        var mustFlush = false
        for action in actions {
            switch action {
            case .write(let bytes):
                transport?.write(bytes)
                mustFlush = true
            case .emit(let event): news.append(event)
            case .state(let state): states.yield([state])
            case .answer(let promise, let result): promise.complete(result)
            case .acknowledge(let promise, let result): promise.complete(result)
            case .finish(let promise, let result):
                // When `connect()` returns, the sequences contain everything before it.
                events.yield(news)
                news = []
                promise.complete(result)
            case .close(let connection, let code):
                logger.debug("closing", metadata: ["connection": "\(connection)"])
                if mustFlush { transport?.flush() }
                shell.withLock { $0.transport.take() }?.close(code)
            case .open(let connection): open(connection)
            case .provideToken(let connection): provideToken(connection)
            case .store: break
            }
        }
        if mustFlush { transport?.flush() }
        events.yield(news)
    }

    private func open(_ connection: Int) {
        guard let address else {
            let message =
                "\"\(configuration.server)\" is not a server's address. Write http://HOST:PORT or https://HOST."
            return submit(.lost(connection, .invalid(message)))
        }
        logger.debug("connecting", metadata: ["connection": "\(connection)"])
        let transport = shell.withLock { shell in
            let transport = NIOTransport(
                seed: shell.random.next(), received: { [weak self] in self?.received($0, on: connection) },
                lost: { [weak self] in self?.submit(.lost(connection, $0)) })
            shell.transport?.close(nil)
            shell.transport = transport
            return transport
        }
        switch configuration.credentials.kind {
        // Without an address no connection is opened, so a password is always resolved.
        case .guest, .password: open(transport, address, connection, token: nil)
        case .token(let provide):
            Task {
                do {
                    let token = try await provide()
                    self.open(transport, address, connection, token: token)
                } catch {
                    let refusal = (error as? RoostError)?.wire.map(LossReason.refused)
                    self.submit(
                        .lost(
                            connection,
                            refusal ?? .interrupted("There is no token: the closure that provides it failed.")))
                }
            }
        }
    }

    private func provideToken(_ connection: Int) {
        guard case .token(let provide) = configuration.credentials.kind else { return }
        Task { [weak self] in
            let token = try? await provide()
            self?.submit(.token(connection, token))
        }
    }

    private func open(_ transport: NIOTransport, _ address: ServerAddress, _ connection: Int, token: String?) {
        transport.open(address, on: loop) { [weak self] in self?.submit(.opened(connection, token: token)) }
    }

    /// Keeps one timer: it is only moved to an earlier time, and one that fires too early is set again.
    private func schedule(_ wakeAt: Int64?, now: Int64) {
        guard let wakeAt else { return }
        let task = loop
        shell.withLock { shell in
            guard wakeAt < shell.timerAt || shell.timer == nil else { return }
            shell.timer?.cancel()
            shell.timerAt = wakeAt
            shell.timer = task.scheduleTask(in: .milliseconds(max(1, wakeAt - now))) { [weak self] in self?.wake() }
        }
    }

    private func wake() {
        shell.withLock { shell in
            shell.timer = nil
            shell.timerAt = .max
        }
        work([.tick])
    }

    private static var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }
}

extension SyncInput {
    fileprivate var isConnect: Bool {
        if case .connect = self { true } else { false }
    }

    /// Fails the caller that waits for it; `disconnect` and `forget` succeed.
    fileprivate func fail(_ error: RoostError) {
        switch self {
        case .connect(let promise), .cancel(_, let promise): promise.complete(.failure(error))
        case .perform(_, _, let promise): promise.complete(.failure(error))
        case .send(_, _, let promise), .hold(_, _, let promise): promise.complete(.failure(error))
        case .disconnect(let promise): promise?.complete(.success(()))
        case .forget(let promise): promise.complete(.success(()))
        case .opened, .token, .lost, .received, .release, .giveUp, .mark, .keystroke, .stopTyping, .want, .rewind,
            .network, .suspend, .awake, .tick:
            break
        }
    }
}

extension SyncStateMachine.Settings {
    init(_ configuration: ClientConfiguration) {
        deviceID = configuration.deviceID
        if case .guest(let guest) = configuration.credentials.kind { self.guest = guest }
        connectTimeout = configuration.connectTimeout.milliseconds
        commandTimeout = configuration.commandTimeout.milliseconds
        sendTimeout = configuration.sendTimeout?.milliseconds
        keepsTryingToConnect = configuration.keepsTryingToConnect
        maximumPending = configuration.maximumPending
        hasStore = configuration.store != nil
    }
}

extension Duration {
    /// Whole ms, at least one and at most a day.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let day: Int64 = 86_400
        return max(1, min(max(seconds, 0), day) * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
