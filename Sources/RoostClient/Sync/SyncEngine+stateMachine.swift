import RoostWire

/// What happens to a client, from its app, its socket and its clock.
enum SyncInput: Sendable {
    case connect(Promise<Void>)
    case disconnect(Promise<Void>?)
    /// The socket of this connection is open; with the token that was fetched for it.
    case opened(Int, token: String?)
    /// This connection is gone, or could not be made.
    case lost(Int, LossReason)
    /// Frames of this connection; none when only a ping was heard.
    case received(Int, [ServerFrame])
    case perform(AnyCommand, id: String, Promise<[UInt8]>)
    case send(SendMessage, TransID, Promise<Acknowledgement>)
    case tick
}

/// What a client has to do.
enum SyncAction: Sendable {
    case open(Int)
    case close(Int, CloseCode?)
    case write([UInt8])
    case emit(ClientEvent)
    case state(ConnectionState)
    case answer(Promise<[UInt8]>, Result<[UInt8], RoostError>)
    case acknowledge(Promise<Acknowledgement>, Result<Acknowledgement, RoostError>)
    case finish(Promise<Void>, Result<Void, RoostError>)
}

/// Keeps a client in step with its server: a value without clock, socket or randomness of its own.
///
/// The problem: connections die at any moment, with commands on their way and
/// events unseen, and nothing may be lost, doubled or put in another order.
///
/// 1. Every log has a position (``LogBook``). A row is handed over exactly when
///    it follows the position. An early row is held, the missing range is read
///    from the log, and the held rows follow.
/// 2. After `welcome` the server sends live rows at once, while `resume` still
///    hands over the missed ones. Both meet in the same rule.
/// 3. The last row of all could be lost without a successor to reveal it: the
///    `positions` of each heartbeat do.
/// 4. Commands are sent again after a reconnect under the same ids, when the
///    missed rows are in. Sends keep their order (``SendLanes``).
/// 5. An answer of `resume` and of `message.list` is complete for its range. A
///    row that is missing there is not to be seen by this user.
///
/// It cannot happen that an input of an old connection has an effect: every
/// connection has a number, and only the current one is listened to.
struct SyncStateMachine {
    struct Settings: Sendable {
        var deviceID: DeviceID
        var guest: Guest?
        var connectTimeout: Int64 = 10_000
        var commandTimeout: Int64 = 30_000
        var sendTimeout: Int64?
        var keepsTryingToConnect = false
        var maximumPending = 100_000
    }

    enum Phase: Equatable {
        case offline
        case waiting(until: Int64)
        case opening
        case authenticating
        case catchingUp
        case live
    }

    let settings: Settings
    var phase = Phase.offline
    /// The number of the current connection.
    var connection = 0
    var user: User?
    var limits = Limits()
    var logs: LogBook
    var lanes = SendLanes()
    var requests: [String: Request] = [:]
    /// Channels whose `channel.join` is not answered yet.
    var joining: Set<ChannelID> = []
    var catchUp = CatchUp()
    /// Logs with rows known to be missing.
    var gapped: Set<LogKey> = []
    /// Channels of which rows came, but not the row that says where to start.
    var strangers: Set<ChannelID> = []
    var gapTries: [LogKey: Int] = [:]
    var gapRetryAt: Int64?
    var actions: [SyncAction] = []

    private var backoff: Backoff
    private var waiters: [Promise<Void>] = []
    /// Until when the first connect may take; nothing once it was live.
    private var connectDeadline: Int64?
    private var hasBeenLive = false
    private var attemptDeadline: Int64 = 0
    private var lastAttemptAt: Int64?
    private var liveSince: Int64 = 0
    private var lastHeard: Int64 = 0
    private var heartbeat: Int64 = 25_000
    private var notBefore: Int64?
    private var token: String?
    private var refusedToken: String?
    private var lastState = ConnectionState.offline
    private(set) var orders = 0
    private(set) var earliestDeadline = Int64.max

    init(settings: Settings, positions: SyncPositions? = nil, seed: UInt64) {
        self.settings = settings
        logs = LogBook(positions)
        backoff = Backoff(random: RandomSource(seed: seed))
    }

    /// How the client stands.
    var state: ConnectionState {
        switch phase {
        case .offline: .offline
        case .waiting, .opening, .authenticating: .connecting
        case .catchingUp: .catchingUp
        case .live: .live
        }
    }

    /// Whether there is a connection, or one is being made.
    private var isActive: Bool {
        switch phase {
        case .offline, .waiting: false
        case .opening, .authenticating, .catchingUp, .live: true
        }
    }

    mutating func handle(_ input: SyncInput, now: Int64) {
        switch input {
        case .connect(let promise): connect(promise, now: now)
        case .disconnect(let promise): disconnect(promise)
        case .opened(let number, let token):
            guard number == connection, phase == .opening else { break }
            opened(token: token, now: now)
        case .lost(let number, let reason):
            guard number == connection, isActive else { break }
            lost(reason, now: now)
        case .received(let number, let frames): received(frames, number: number, now: now)
        case .perform(let command, let id, let promise): perform(command, id: id, promise, now: now)
        case .send(let command, let transID, let promise): send(command, transID: transID, promise, now: now)
        case .tick: tick(now: now)
        }
        if state != lastState {
            lastState = state
            actions.append(.state(state))
        }
    }

    /// What is to be done since the last time.
    mutating func takeActions() -> [SyncAction] {
        var taken: [SyncAction] = []
        swap(&taken, &actions)
        return taken
    }

    /// When `tick` is due at the latest.
    var wakeAt: Int64? {
        var time = min(lanes.wakeAt ?? .max, gapRetryAt ?? .max)
        if !requests.isEmpty || lanes.count > 0 { time = min(time, earliestDeadline) }
        switch phase {
        case .offline: break
        case .waiting(let until): time = min(time, until)
        case .opening, .authenticating: time = min(time, attemptDeadline)
        case .catchingUp, .live: time = min(time, lastHeard + silenceLimit)
        }
        return time == .max ? nil : time
    }

    /// A server that says nothing for a heartbeat and ten seconds is gone.
    private var silenceLimit: Int64 { heartbeat + 10_000 }

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
        case .offline:
            waiters.append(promise)
            hasBeenLive = false
            refusedToken = nil
            connectDeadline = settings.keepsTryingToConnect ? nil : now + settings.connectTimeout
            startAttempt(now: now)
        case .waiting, .opening, .authenticating, .catchingUp: waiters.append(promise)
        }
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
        if let token, token == refusedToken {
            let error = RoostError(wire: WireError(.tokenExpired), code: .refused)
            actions.append(.close(connection, .normal))
            giveUp(error)
            return
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
        if let user, user.userID != welcome.user.userID {
            logs = LogBook()
            lanes.forgetAccepted()
        }
        user = welcome.user
        limits = welcome.limits
        heartbeat = Int64(min(max(welcome.heartbeat, 1_000), 600_000))
        refusedToken = nil
        phase = .catchingUp
        catchUp = CatchUp()
        sendResume(now: now)
    }

    mutating func refusedHello(_ error: WireError, now: Int64) {
        drop(.refused(error), now: now)
    }

    /// Everything missed is in.
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
        for (id, log) in logs.channels {
            gapped.insert(.channel(id))
            if log.seq == nil, !joining.contains(id) { strangers.insert(id) }
        }
        gapped.insert(.user)
        fetchGaps(now: now)
    }

    /// Ends a connection that is of no more use.
    mutating func drop(_ reason: LossReason, now: Int64) {
        actions.append(.close(connection, reason.closeCode))
        lost(reason, now: now)
    }

    private mutating func lost(_ reason: LossReason, now: Int64) {
        let liveFor = phase == .live ? now - liveSince : nil
        let wasWelcome = phase == .live || phase == .catchingUp
        connection += 1
        forgetConnection()
        var reason = reason
        if reason.asksForToken, token != nil, refusedToken == nil {
            refusedToken = token
            reason = .interrupted("The token is no longer valid.")
        }
        let error = reason.error(hasBeenLive: hasBeenLive)
        if reason.isTerminal {
            if hasBeenLive { emit(.disconnected(error)) }
            giveUp(error)
            return
        }
        if wasWelcome, hasBeenLive { emit(.disconnected(error)) }
        let delay = backoff.delay(wasLiveFor: liveFor, least: reason.retryAfter)
        let until = max(now + delay, (lastAttemptAt ?? now) + Backoff.spacing, notBefore ?? 0)
        if let connectDeadline, reason.isHopeless || until > connectDeadline {
            giveUp(error)
            return
        }
        phase = .waiting(until: until)
    }

    /// What belonged to the connection that is gone.
    private mutating func forgetConnection() {
        for (id, request) in requests {
            switch request.purpose {
            case .caller: requests[id]?.isInFlight = false
            case .gap, .userGap, .resume: requests[id] = nil
            }
            if request.command.isTyping {
                requests[id] = nil
                fail(request, RoostError(.disconnected, "The connection was lost.", isRetryable: true))
            }
        }
        lanes.disconnected()
        logs.disconnected()
        gapped = []
        strangers = []
        gapTries = [:]
        gapRetryAt = nil
        catchUp = CatchUp()
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

    /// Goes offline: nobody waits any longer.
    private mutating func giveUp(_ error: RoostError) {
        phase = .offline
        connectDeadline = nil
        for waiter in waiters { actions.append(.finish(waiter, .failure(error))) }
        waiters = []
        let pending = requests.values.sorted { $0.order < $1.order }
        requests = [:]
        joining = []
        earliestDeadline = .max
        for request in pending { fail(request, error) }
        for entry in lanes.takeExpired(now: nil) { fail(entry, error) }
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
        if phase == .live, !gapped.isEmpty { fetchGaps(now: now) }
    }

    mutating func goAway(in milliseconds: Int, now: Int64) {
        notBefore = now + Int64(min(max(milliseconds, 0), 600_000))
    }

    private mutating func tick(now: Int64) {
        switch phase {
        case .offline: break
        case .waiting(let until):
            if now >= until { startAttempt(now: now) }
        case .opening, .authenticating:
            if now >= attemptDeadline { drop(.timedOut, now: now) }
        case .catchingUp, .live:
            if now >= lastHeard + silenceLimit { drop(.silence, now: now) }
        }
        if now >= earliestDeadline { expire(now: now) }
        if phase == .live {
            if let retry = gapRetryAt, now >= retry {
                gapRetryAt = nil
                fetchGaps(now: now)
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
        for entry in lanes.takeExpired(now: now) { fail(entry, Request.timeout) }
        if let next = lanes.earliestDeadline { earliestDeadline = min(earliestDeadline, next) }
        if phase == .live {
            for lane in lanes.waiting { pump(lane.channel, now: now) }
        }
    }
}
