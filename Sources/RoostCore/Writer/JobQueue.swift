import RoostWire

/// A command that changes something, or may.
enum Change: Sendable {
    case write(WritingCommand)
    case move(MovingCommand)

    var value: any Command {
        switch self {
        case .write(let command): command.value
        case .move(let command): command.value
        }
    }

    /// How many channels have to be looked up for it, roughly, before anything is decided.
    fileprivate var weight: Int {
        if case .write(.sendMessage) = self { return 1 }
        return max(1, min(value.changedChannels.count, 100))
    }
}

/// One thing for the writer to do.
enum Job: Sendable {
    /// The last value is there when some turns of the command are done.
    case command(Change, id: String, Actor, ReplyTarget, CommandProgress?)
    case attach(SessionID, id: String, Actor)
    case detach(SessionID, UserID)
    case participate(SessionID, UserID, [ChannelID], then: @Sendable (Reply) -> Void)

    /// In how many channels one turn has a session take part.
    static let channelsAtOnce = 100

    /// Whose it is.
    var user: UserID {
        switch self {
        case .command(_, _, let actor, _, _), .attach(_, _, let actor): actor.user.userID
        case .detach(_, let user), .participate(_, let user, _, _): user
        }
    }

    /// How many channels have to be looked up for it, roughly, before anything is decided.
    var weight: Int {
        switch self {
        case .command(let command, _, _, _, _): command.weight
        case .participate(_, _, let ids, _): 1 + ids.prefix(Self.channelsAtOnce).count / 8
        case .attach, .detach: 1
        }
    }

    /// Whether a connection comes or goes.
    fileprivate var isConnection: Bool {
        switch self {
        case .attach, .detach: true
        case .command, .participate: false
        }
    }

    /// Whether some turns of it are done and others are not.
    var isUnderWay: Bool {
        switch self {
        case .command(_, _, _, _, let progress): progress != nil
        case .participate, .attach, .detach: false
        }
    }

    /// Whether it is one of several turns: it gets a batch of its own, and batches of the others go between.
    var needsOwnBatch: Bool {
        if case .participate(_, _, let ids, _) = self { return ids.count > Self.channelsAtOnce }
        return isUnderWay
    }
}

/// What waits, in its order.
struct FIFOQueue<Element> {
    /// The next ones, the first of them last.
    private var front: [Element] = []
    /// Those behind them, in their order.
    private var back: [Element] = []

    var isEmpty: Bool { front.isEmpty && back.isEmpty }

    var count: Int { front.count + back.count }

    var first: Element? { front.last ?? back.first }

    mutating func append(_ element: Element) { back.append(element) }

    mutating func prepend(_ element: Element) { front.append(element) }

    mutating func popFirst() -> Element? {
        if front.isEmpty {
            if back.count == 1 { return back.popLast() }
            front = back.reversed()
            back.removeAll(keepingCapacity: true)
        }
        return front.popLast()
    }
}

/// What waits for the writer, and who has the next turn.
///
/// As long as all that waits fits one batch, it stays in the order in which it came, and nobody's line is looked at.
/// Else there is a line per user, in the order of that user, and users take turns, a job each. Connections that come and
/// go are in front of their user's line: a new one does not wait for what the others have asked for, and one that is gone
/// takes no place. A job of several turns gets a batch of its own; after it there is one for the others.
struct JobQueue {
    /// The jobs of one user.
    private struct UserQueue {
        private var connections = FIFOQueue<Job>()
        private var others = FIFOQueue<Job>()

        var first: Job? { connections.first ?? others.first }

        mutating func append(_ job: Job) {
            if job.isConnection { connections.append(job) } else { others.append(job) }
        }

        mutating func prepend(_ job: Job) {
            if job.isConnection { connections.prepend(job) } else { others.prepend(job) }
        }

        mutating func popFirst() -> Job? { connections.popFirst() ?? others.popFirst() }
    }

    /// What has come since the last batch.
    private var arrived: [Job] = []
    /// No queue is empty, and each user with a queue is in exactly one of `users` and `exclusive`.
    private var queues: [UserID: UserQueue] = [:]
    /// Who has the next turns, in this order.
    private var users: [UserID] = []
    /// Those of whom the first job gets a batch of its own, in the order of their turns.
    private var exclusive: [UserID] = []
    private var wasExclusive = false

    var isEmpty: Bool { arrived.isEmpty && queues.isEmpty }

    /// Adds what has come.
    mutating func append(_ jobs: [Job]) {
        if arrived.isEmpty { arrived = jobs } else { arrived += jobs }
    }

    /// Puts back what a batch has left undone, in its order; it comes before all that waits of the same users.
    mutating func requeue(_ jobs: [Job]) {
        for job in jobs.reversed() {
            let user = job.user
            if queues[user] == nil { users.insert(user, at: 0) }
            queues[user, default: UserQueue()].prepend(job)
        }
    }

    /// Takes the next batch: at most so many jobs, and of a weight of no more than that unless it is one job.
    mutating func next(most: Int) -> [Job] {
        if queues.isEmpty, arrived.fits(most) {
            wasExclusive = false
            defer { arrived = [] }
            return arrived
        }
        for job in arrived {
            let user = job.user
            if queues[user] == nil { users.append(user) }
            queues[user, default: UserQueue()].append(job)
        }
        arrived = []
        if !wasExclusive, let job = nextExclusive() { return [job] }
        wasExclusive = false
        let batch = nextRound(most)
        return batch.isEmpty ? nextExclusive().map { [$0] } ?? [] : batch
    }

    private mutating func nextRound(_ most: Int) -> [Job] {
        var batch: [Job] = []
        var weight = 0
        var turn = 0
        while turn < users.count, batch.count < most {
            let user = users[turn]
            guard let job = queues[user]?.first else { break }
            if job.needsOwnBatch {
                exclusive.append(user)
            } else {
                weight += job.weight
                guard weight <= most || batch.isEmpty else { break }
                batch.append(job)
                if popFirst(of: user) { users.append(user) }
            }
            turn += 1
        }
        users.removeFirst(turn)
        return batch
    }

    private mutating func nextExclusive() -> Job? {
        guard let user = exclusive.first, let job = queues[user]?.first else { return nil }
        exclusive.removeFirst()
        if popFirst(of: user) { users.append(user) }
        wasExclusive = true
        return job
    }

    /// Takes a user's first job away.
    /// - Returns: whether there are more.
    private mutating func popFirst(of user: UserID) -> Bool {
        _ = queues[user]?.popFirst()
        if queues[user]?.first != nil { return true }
        queues[user] = nil
        return false
    }
}

extension [Job] {
    /// Whether all of them can be one batch.
    fileprivate func fits(_ most: Int) -> Bool {
        guard count <= most else { return false }
        var weight = 0
        for job in self {
            weight += job.weight
            if job.needsOwnBatch || weight > most { return false }
        }
        return true
    }
}
