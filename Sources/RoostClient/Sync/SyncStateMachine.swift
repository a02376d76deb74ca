import RoostWire

/// An input of the state machine, from the app, the socket or the clock.
enum SyncInput: Sendable {
    case connect(Promise<Void>)
    case disconnect(Promise<Void>?)
    /// The socket of this connection is open; with the token that was fetched for it.
    case opened(Int, token: String?)
    /// The app's token for this connection, which continues with it; nil if the app's closure failed.
    case token(Int, String?)
    /// This connection was lost, or could not be made.
    case lost(Int, LossReason)
    /// Frames of this connection; empty for a ping.
    case received(Int, [ServerFrame])
    case perform(AnyCommand, id: String, Promise<[UInt8]>)
    case send(SendMessage, TransID, Promise<SentMessage>)
    /// A send whose file is uploaded first: it waits for `release`, as do the sends behind it.
    case hold(SendMessage, TransID, Promise<SentMessage>)
    /// The file of a held send is uploaded, and the message refers to it.
    case release(TransID, SendMessage)
    /// The upload of the file of a held send failed.
    case giveUp(TransID, RoostError)
    /// Cancels a send that is not in flight; the answer says whether it was cancelled.
    case cancel(TransID, Promise<Void>)
    /// The user has read up to this row.
    case mark(ChannelID, Int64)
    /// The user is typing in this channel.
    case keystroke(ChannelID)
    /// The user has stopped typing in this channel.
    case stopTyping(ChannelID)
    /// Channels that the store wants to read again.
    case want(Set<ChannelID>)
    /// The store failed to store the delivered rows: return to its positions.
    case rewind(SyncPositions?, RoostError)
    /// The store is empty now, and has no owner.
    case forget(Promise<Void>)
    /// The network became available or unavailable.
    case network(isUsable: Bool)
    /// The app is in the background: stay disconnected until it is in the foreground.
    case suspend
    case awake
    case tick
}

/// An action for the shell.
enum SyncAction: Sendable {
    case open(Int)
    case close(Int, CloseCode?)
    case write([UInt8])
    /// Ask the app for a new token for this connection.
    case provideToken(Int)
    case emit(ClientEvent)
    case state(ConnectionState)
    case answer(Promise<[UInt8]>, Result<[UInt8], RoostError>)
    case acknowledge(Promise<SentMessage>, Result<SentMessage, RoostError>)
    case finish(Promise<Void>, Result<Void, RoostError>)
    /// An input for the store only.
    case store(StoreInput)
}

/// Keeps a client in step with its server: a value without clock, socket or randomness of its own.
///
/// Connections are lost at any moment, with unanswered commands and unseen events, and yet
/// nothing may be lost, repeated or reordered.
///
/// 1. Every log has a position (``LogBook``). A row is delivered exactly if
///    it follows the position. An early row is held, the missing range is read
///    from the log, and then the held rows follow.
/// 2. After `welcome` the server sends live rows at once, while `resume` still
///    delivers the missed ones. The same rule applies to both.
/// 3. If the very last row of a log is lost, no later row reveals it: the
///    `positions` of each heartbeat do.
/// 4. Commands are sent again after a reconnect with the same ids, once the
///    missed rows are delivered. Sends keep their order (``SendLanes``).
/// 5. An answer of `resume` and of `message.list` is complete for its range. A
///    row that is missing there is not visible to this user.
///
/// Inputs of an old connection have no effect: every
/// connection has a number, and inputs with another number are ignored.
struct SyncStateMachine {
    struct Settings: Sendable {
        var deviceID: DeviceID
        var guest: Guest?
        var connectTimeout: Int64 = 10_000
        var commandTimeout: Int64 = 30_000
        var sendTimeout: Int64?
        var keepsTryingToConnect = false
        var maximumPending = 100_000
        /// Whether there is a local store: sends and read marks then wait without a limit.
        var hasStore = false
        /// The owner of the store.
        var owner: UserID?
    }

    enum Phase: Equatable {
        case offline
        /// Whether the app is in the background.
        case suspended
        case waiting(until: Int64)
        case opening
        case authenticating
        case catchingUp
        case live
    }

    var settings: Settings
    var phase = Phase.offline
    /// The number of the current connection.
    var connection = 0
    var user: User?
    var limits = Limits()
    var isOperator = false
    var logs: LogBook
    var lanes = SendLanes()
    var requests: [String: Request] = [:]
    /// Channels whose `channel.join` is not answered yet.
    var joining: Set<ChannelID> = []
    var catchUp = CatchUp()
    /// Logs with missing rows.
    var gapped: Set<LogKey> = []
    /// Channels of which rows came, but not the row with the first position.
    var unknownChannels: Set<ChannelID> = []
    var gapTries: [LogKey: Int] = [:]
    var gapRetryAt: Int64?
    var maintenance = Maintenance()
    var renewal = Renewal()
    /// The channels in which this user is typing.
    var typing: [ChannelID: OwnTyping] = [:]
    /// The token of the connection, or of the last one.
    var token: String?
    var actions: [SyncAction] = []

    private var backoff: Backoff
    private var waiters: [Promise<Void>] = []
    /// The deadline of the first connect; nil once the client was live.
    private var connectDeadline: Int64?
    private var hasBeenLive = false
    private var attemptDeadline: Int64 = 0
    private var lastAttemptAt: Int64?
    private var liveSince: Int64 = 0
    private var lastHeard: Int64 = 0
    /// Since when an answer is due without anything received from the server.
    private var unansweredSince: Int64?
    private var now: Int64 = 0
    /// The server's clock at `welcome`, in ms since 1970, and this machine's clock at that moment.
    private var welcomedAt: (server: Int64, own: Int64)?
    /// When the store last failed to keep what came, and how.
    var storeFailure: (at: Int64, error: RoostError)?
    private var heartbeat: Int64 = 25_000
    private var notBefore: Int64?
    private var refusedTokens: [String] = []
    private var lastState = ConnectionState.offline
    private(set) var orders = 0
    private(set) var earliestDeadline = Int64.max

    init(settings: Settings, positions: SyncPositions? = nil, seed: UInt64) {
        self.settings = settings
        logs = LogBook(positions, notesMoves: settings.hasStore)
        backoff = Backoff(random: RandomSource(seed: seed))
    }

    /// Restores what a store kept: sends and read marks that the server has not confirmed.
    mutating func restore(
        sends: [(TransID, SendMessage)], held: Set<TransID> = [], triedAt: [TransID: Int64] = [:],
        marks: [ChannelID: Int64]
    ) {
        for (transID, message) in sends {
            var entry = SendLanes.Entry(
                transID: transID, command: message, order: nextOrder(), deadline: nil, promises: [])
            entry.isHeld = held.contains(transID)
            entry.triedAt = triedAt[transID]
            lanes.append(entry)
        }
        maintenance.marks = marks
    }

    /// The connection state.
    var state: ConnectionState {
        switch phase {
        case .offline, .suspended: .offline
        case .waiting, .opening, .authenticating: .connecting
        case .catchingUp: .catchingUp
        case .live: .live
        }
    }

    /// The time by the server's clock, in ms since 1970, while there is a connection that sends now or soon.
    func serverTime(at now: Int64) -> Int64? {
        guard phase == .catchingUp || phase == .live, let welcomedAt else { return nil }
        return welcomedAt.server + max(0, now - welcomedAt.own)
    }

    /// Whether there is a connection, or one is being made.
    var isActive: Bool {
        switch phase {
        case .offline, .suspended, .waiting: false
        case .opening, .authenticating, .catchingUp, .live: true
        }
    }

    mutating func handle(_ input: SyncInput, now: Int64) {
        self.now = now
        switch input {
        case .connect(let promise): connect(promise, now: now)
        case .disconnect(let promise): disconnect(promise)
        case .opened(let number, let token):
            guard number == connection, phase == .opening else { break }
            opened(token: token, now: now)
        case .token(let number, let token):
            guard number == connection, isActive else { break }
            provided(token, now: now)
        case .lost(let number, let reason):
            guard number == connection, isActive else { break }
            lost(reason, now: now)
        case .received(let number, let frames): received(frames, number: number, now: now)
        case .perform(let command, let id, let promise): perform(command, id: id, promise, now: now)
        case .send(let command, let transID, let promise): send(command, transID: transID, promise, now: now)
        case .hold(let command, let transID, let promise):
            send(command, transID: transID, promise, isHeld: true, now: now)
        case .release(let transID, let message): release(transID, message, now: now)
        case .giveUp(let transID, let error): giveUp(transID, error, now: now)
        case .cancel(let transID, let promise): cancel(transID, promise, now: now)
        case .mark(let channel, let seq): mark(channel, upTo: seq, now: now)
        case .keystroke(let channel): keystroke(in: channel, now: now)
        case .stopTyping(let channel): stopTyping(in: channel, now: now)
        case .want(let channels): want(channels, now: now)
        case .rewind(let positions, let error): rewind(to: positions, error, now: now)
        case .forget(let promise): forget(promise)
        case .network(let isUsable): networkChanged(isUsable, now: now)
        case .suspend: suspend()
        case .awake:
            if phase == .suspended { startAttempt(now: now) }
        case .tick: tick(now: now)
        }
        if state != lastState {
            lastState = state
            actions.append(.state(state))
        }
    }

    /// Removes and returns the actions since the last call.
    mutating func drainActions() -> [SyncAction] {
        var taken: [SyncAction] = []
        swap(&taken, &actions)
        return taken
    }

    /// The latest time for the next `tick`.
    var wakeAt: Int64? {
        var time = min(lanes.wakeAt ?? .max, gapRetryAt ?? .max, maintenance.retryAt ?? .max, renewal.retryAt ?? .max)
        if !requests.isEmpty || lanes.count > 0 { time = min(time, earliestDeadline) }
        switch phase {
        case .offline, .suspended: break
        case .waiting(let until): time = min(time, until)
        case .opening, .authenticating: time = min(time, attemptDeadline)
        case .catchingUp: time = min(time, silentUntil, catchUp.retry?.at ?? .max)
        case .live: time = min(time, silentUntil, typingEndsAt ?? .max)
        }
        return time == .max ? nil : time
    }

    /// A server that sends nothing for a heartbeat and ten seconds is lost; for ten seconds if it owes an answer.
    private var silentUntil: Int64 {
        min(lastHeard + heartbeat, unansweredSince ?? .max - Self.patience) + Self.patience
    }

    private static let patience: Int64 = 10_000

    /// Notes that a frame is sent which the server will answer.
    mutating func expectAnswer() { if unansweredSince == nil { unansweredSince = now } }

    mutating func nextOrder() -> Int {
        orders += 1
        return orders
    }

    mutating func expect(deadline: Int64?) {
        guard let deadline else { return }
        earliestDeadline = requests.count + lanes.count <= 1 ? deadline : min(earliestDeadline, deadline)
    }

    mutating func emit(_ event: ClientEvent) { actions.append(.emit(event)) }
}

// Connections.
extension SyncStateMachine {
    private mutating func connect(_ promise: Promise<Void>, now: Int64) {
        switch phase {
        case .live: actions.append(.finish(promise, .success(())))
        case .offline where isForeign(settings.guest?.userID):
            actions.append(.finish(promise, .failure(RoostError(wire: WireError(.notCurrentUser)))))
        case .offline, .suspended:
            waiters.append(promise)
            hasBeenLive = false
            refusedTokens = []
            connectDeadline = settings.keepsTryingToConnect ? nil : now + settings.connectTimeout
            startAttempt(now: now)
        case .waiting, .opening, .authenticating, .catchingUp: waiters.append(promise)
        }
    }

    /// Whether the store belongs to another user.
    private func isForeign(_ user: UserID?) -> Bool {
        guard let owner = settings.owner, let user else { return false }
        return owner != user
    }

    private mutating func startAttempt(now: Int64) {
        connection += 1
        phase = .opening
        lastAttemptAt = now
        notBefore = nil
        attemptDeadline = now + settings.connectTimeout
        actions.append(.open(connection))
    }

    private mutating func opened(token: String?, now: Int64) {
        if let token, refusedTokens.contains(token) {
            let error = RoostError(wire: WireError(.tokenExpired), code: .refused)
            actions.append(.close(connection, .normal))
            if hasBeenLive { emit(.disconnected(error)) }
            return giveUp(error)
        }
        self.token = token
        phase = .authenticating
        lastHeard = now
        let hello = Hello(token: token, guest: settings.guest, deviceID: settings.deviceID)
        write(ClientFrame(id: Request.hello, command: .hello(hello)))
    }

    mutating func welcomed(_ body: [UInt8], now: Int64) {
        guard phase == .authenticating, let welcome = try? WireCodec.decode(Welcome.self, from: body) else {
            drop(.interrupted("The server's welcome cannot be read."), now: now)
            return
        }
        if isForeign(welcome.user.userID) {
            drop(.refused(WireError(.notCurrentUser)), now: now)
            return
        }
        if let user, user.userID != welcome.user.userID {
            logs = LogBook(notesMoves: settings.hasStore)
        }
        user = welcome.user
        if settings.hasStore {
            settings.owner = welcome.user.userID
            actions.append(.store(.user(welcome.user)))
        }
        limits = welcome.limits
        isOperator = welcome.isOperator
        heartbeat = Int64(min(max(welcome.heartbeat, 1_000), 600_000))
        refusedTokens = []
        phase = .catchingUp
        // An invalid time must not overflow.
        let time = min(max(welcome.$serverTime, 0), 1 << 52)
        welcomedAt = (time, now)
        giveBackForgotten(at: time)
        if settings.hasStore { actions.append(.store(.tried(at: time))) }
        catchUp = CatchUp()
        sendResume(now: now)
    }

    mutating func refusedHello(_ error: WireError, now: Int64) {
        drop(.refused(error), now: now)
    }

    /// Everything missed was delivered.
    mutating func becomeLive(now: Int64) {
        phase = .live
        liveSince = now
        hasBeenLive = true
        connectDeadline = nil
        for kind in BacklogKind.allCases {
            if let count = catchUp.counts[kind] { emit(.backlogDelivered(kind, count: count)) }
        }
        if !catchUp.marks.isEmpty { emit(.readMarks(catchUp.marks)) }
        catchUp = CatchUp()
        if let user { emit(.connected(user)) }
        for waiter in waiters { actions.append(.finish(waiter, .success(()))) }
        waiters = []
        sendWaiting(now: now)
        maintenance.disconnected()
        runMaintenance(now: now)
        for (id, log) in logs.channels {
            gapped.insert(.channel(id))
            if log.seq == nil, !joining.contains(id) { unknownChannels.insert(id) }
        }
        gapped.insert(.user)
        fetchGaps(now: now)
    }

    /// Ends a connection that is not usable.
    mutating func drop(_ reason: LossReason, now: Int64) {
        actions.append(.close(connection, reason.closeCode))
        lost(reason, now: now)
    }

    mutating func lost(_ reason: LossReason, now: Int64) {
        let liveFor = phase == .live ? now - liveSince : nil
        let wasWelcome = phase == .live || phase == .catchingUp
        connection += 1
        forgetConnection()
        var reason = reason
        // One that was made in the second of a logout counts as older than it: a second later another one does not.
        if reason.asksForToken, let token, refusedTokens.count < 3 {
            refusedTokens.append(token)
            reason = .interrupted("The token is no longer valid.")
        }
        let error = reason.error(hasBeenLive: hasBeenLive)
        if reason.isTerminal {
            if hasBeenLive { emit(.disconnected(error)) }
            giveUp(error)
            return
        }
        if wasWelcome, hasBeenLive { emit(.disconnected(error)) }
        let delay = backoff.delay(wasLiveFor: liveFor)
        if reason.retryAfter > 0 { notBefore = max(notBefore ?? 0, now + reason.retryAfter) }
        let until = max(max(now, notBefore ?? 0) + delay, (lastAttemptAt ?? now) + Backoff.spacing)
        if let connectDeadline, reason.isHopeless || until > connectDeadline {
            giveUp(error)
            return
        }
        phase = .waiting(until: until)
    }

    /// Resets the state of the lost connection.
    private mutating func forgetConnection() {
        for (id, request) in requests {
            switch request.purpose {
            case .caller: requests[id]?.isInFlight = false
            case .gap, .userGap, .resume, .mark, .snapshot, .renewal: requests[id] = nil
            }
            if request.command.isTyping {
                requests[id] = nil
                fail(request, RoostError(.disconnected, "The connection was lost.", isRetryable: true))
            }
        }
        unansweredSince = nil
        lanes.disconnected()
        logs.disconnected()
        gapped = []
        unknownChannels = []
        gapTries = [:]
        gapRetryAt = nil
        catchUp = CatchUp()
        renewal = Renewal()
        typing = [:]
    }

    private mutating func disconnect(_ promise: Promise<Void>?) {
        if phase != .offline {
            if isActive { actions.append(.close(connection, .normal)) }
            let wasWelcome = phase == .live || phase == .catchingUp
            connection += 1
            forgetConnection()
            if wasWelcome { emit(.disconnected(nil)) }
            giveUp(RoostError(.disconnected, "The client was disconnected before the answer came."))
        }
        if let promise { actions.append(.finish(promise, .success(()))) }
    }

    /// Goes offline: all waiting calls fail.
    private mutating func giveUp(_ error: RoostError) {
        phase = .offline
        connectDeadline = nil
        for waiter in waiters { actions.append(.finish(waiter, .failure(error))) }
        waiters = []
        let pending = requests.values.sorted { $0.order < $1.order }
        maintenance.disconnected()
        requests = [:]
        joining = []
        earliestDeadline = .max
        for request in pending { fail(request, error) }
        if settings.hasStore {
            // The queue stays in the store; only the waiting ends.
            for promise in lanes.removePromises() { actions.append(.acknowledge(promise, .failure(error))) }
        } else {
            for entry in lanes.removeExpired(now: nil) { fail(entry, error) }
        }
    }

    private mutating func networkChanged(_ isUsable: Bool, now: Int64) {
        if !isUsable {
            if isActive { drop(.interrupted("The network is gone."), now: now) }
            return
        }
        // An attempt over the old network may never end by itself.
        let isOpening = phase == .opening || phase == .authenticating
        if isOpening, let lastAttemptAt, now >= lastAttemptAt + Backoff.urgentSpacing {
            drop(.interrupted("The network has changed."), now: now)
        }
        hurry(spacing: Backoff.spacing, now: now)
    }

    /// The user acts, so a long wait for the next attempt would be noticed.
    mutating func hurry(now: Int64) { hurry(spacing: Backoff.urgentSpacing, now: now) }

    private mutating func hurry(spacing: Int64, now: Int64) {
        guard case .waiting(let until) = phase else { return }
        let soon = max(max(now, notBefore ?? 0) + backoff.jitter(1_000), (lastAttemptAt ?? now) + spacing)
        phase = .waiting(until: min(until, soon))
    }

    private mutating func suspend() {
        guard phase != .offline, phase != .suspended else { return }
        if isActive { actions.append(.close(connection, .normal)) }
        let wasWelcome = phase == .live || phase == .catchingUp
        connection += 1
        forgetConnection()
        if wasWelcome { emit(.disconnected(nil)) }
        phase = .suspended
    }
}

// Frames and the clock.
extension SyncStateMachine {
    private mutating func received(_ frames: [ServerFrame], number: Int, now: Int64) {
        guard number == connection else { return }
        lastHeard = now
        for frame in frames {
            guard number == connection, isActive else { return }
            switch frame {
            case .event(let event): receive(event, now: now)
            case .result(let id, let body): accepted(id, body, now: now)
            case .failure(let id?, let error): refused(id, error, now: now)
            case .failure(nil, _): break
            }
        }
        let owesAnswer = lanes.areFlying || requests.values.contains { $0.isInFlight }
        unansweredSince = owesAnswer ? now : nil
        if phase == .live, !gapped.isEmpty { fetchGaps(now: now) }
    }

    mutating func goAway(in milliseconds: Int, now: Int64) {
        notBefore = now + Int64(min(max(milliseconds, 0), 600_000))
    }

    private mutating func tick(now: Int64) {
        switch phase {
        case .offline, .suspended: break
        case .waiting(let until):
            if now >= until { startAttempt(now: now) }
        case .opening, .authenticating:
            if now >= attemptDeadline { drop(.timedOut, now: now) }
        case .catchingUp, .live:
            if now >= silentUntil { drop(.silence, now: now) }
        }
        if now >= earliestDeadline { expire(now: now) }
        if let retry = renewal.retryAt, now >= retry { askForToken() }
        retryResume(now: now)
        if phase == .live {
            endTyping(now: now)
            if let retry = gapRetryAt, now >= retry {
                gapRetryAt = nil
                fetchGaps(now: now)
            }
            if let retry = maintenance.retryAt, now >= retry {
                maintenance.retryAt = nil
                runMaintenance(now: now)
            }
            if let wake = lanes.wakeAt, now >= wake {
                for lane in lanes.waiting { pump(lane.channel, now: now) }
            }
        }
    }

    private mutating func expire(now: Int64) {
        earliestDeadline = .max
        var expired: [Request] = []
        for (id, request) in requests {
            guard let deadline = request.deadline else { continue }
            if deadline <= now {
                expired.append(request)
                requests[id] = nil
            } else {
                earliestDeadline = min(earliestDeadline, deadline)
            }
        }
        for request in expired.sorted(by: { $0.order < $1.order }) { timedOut(request, now: now) }
        guard settings.sendTimeout != nil else { return }
        for entry in lanes.removeExpired(now: now) { fail(entry, Request.timeout) }
        if let next = lanes.earliestDeadline { earliestDeadline = min(earliestDeadline, next) }
        for lane in lanes.waiting { pump(lane.channel, now: now) }
    }
}
