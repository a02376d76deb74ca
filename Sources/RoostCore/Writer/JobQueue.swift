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
    case command(Change, id: String, Actor, ReplyTarget, Walk?)
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
        case .command(_, _, _, _, let walk): walk != nil
        case .participate, .attach, .detach: false
        }
    }

    /// Whether it is one of several turns: it gets a batch of its own, and batches of the others go between.
    var goesAlone: Bool {
        if case .participate(_, _, let ids, _) = self { return ids.count > Self.channelsAtOnce }
        return isUnderWay
    }
}

/// What waits, in its order.
struct Line<Element> {
    /// The next ones, the first of them last.
    private var front: [Element] = []
    /// Those behind them, in their order.
    private var back: [Element] = []

    var isEmpty: Bool { front.isEmpty && back.isEmpty }

    var count: Int { front.count + back.count }

    var first: Element? { front.last ?? back.first }

    mutating func append(_ element: Element) { back.append(element) }

    mutating func putBack(_ element: Element) { front.append(element) }

    mutating func takeFirst() -> Element? {
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
    private struct UserLine {
        private var connections = Line<Job>()
        private var others = Line<Job>()

        var first: Job? { connections.first ?? others.first }

        mutating func append(_ job: Job) {
            if job.isConnection { connections.append(job) } else { others.append(job) }
        }

        mutating func putBack(_ job: Job) {
            if job.isConnection { connections.putBack(job) } else { others.putBack(job) }
        }

        mutating func takeFirst() -> Job? { connections.takeFirst() ?? others.takeFirst() }
    }

    /// What has come since the last batch.
    private var arrived: [Job] = []
    /// No line is empty, and each user with a line stands either in `users` or in `alone`, once.
    private var lines: [UserID: UserLine] = [:]
    /// Who has the next turns, in this order.
    private var users: [UserID] = []
    /// Those of whom the first job gets a batch of its own, in the order of their turns.
    private var alone: [UserID] = []
    private var wasAlone = false

    var isEmpty: Bool { arrived.isEmpty && lines.isEmpty }

    /// Adds what has come.
    mutating func append(_ jobs: [Job]) {
        if arrived.isEmpty { arrived = jobs } else { arrived += jobs }
    }

    /// Puts back what a batch has left undone, in its order; it comes before all that waits of the same users.
    mutating func putBack(_ jobs: [Job]) {
        for job in jobs.reversed() {
            let user = job.user
            if lines[user] == nil { users.insert(user, at: 0) }
            lines[user, default: UserLine()].putBack(job)
        }
    }

    /// Takes the next batch: at most so many jobs, and of a weight of no more than that unless it is one job.
    mutating func next(most: Int) -> [Job] {
        if lines.isEmpty, arrived.fits(most) {
            wasAlone = false
            defer { arrived = [] }
            return arrived
        }
        for job in arrived {
            let user = job.user
            if lines[user] == nil { users.append(user) }
            lines[user, default: UserLine()].append(job)
        }
        arrived = []
        if !wasAlone, let job = takeAlone() { return [job] }
        wasAlone = false
        let batch = takeTurns(most)
        return batch.isEmpty ? takeAlone().map { [$0] } ?? [] : batch
    }

    private mutating func takeTurns(_ most: Int) -> [Job] {
        var batch: [Job] = []
        var weight = 0
        var turn = 0
        while turn < users.count, batch.count < most {
            let user = users[turn]
            guard let job = lines[user]?.first else { break }
            if job.goesAlone {
                alone.append(user)
            } else {
                weight += job.weight
                guard weight <= most || batch.isEmpty else { break }
                batch.append(job)
                if takeFirst(of: user) { users.append(user) }
            }
            turn += 1
        }
        users.removeFirst(turn)
        return batch
    }

    private mutating func takeAlone() -> Job? {
        guard let user = alone.first, let job = lines[user]?.first else { return nil }
        alone.removeFirst()
        if takeFirst(of: user) { users.append(user) }
        wasAlone = true
        return job
    }

    /// Takes a user's first job away.
    /// - Returns: whether there are more.
    private mutating func takeFirst(of user: UserID) -> Bool {
        _ = lines[user]?.takeFirst()
        if lines[user]?.first != nil { return true }
        lines[user] = nil
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
            if job.goesAlone || weight > most { return false }
        }
        return true
    }
}
