import DequeModule
import RoostWire

/// A command that may change data.
enum Change: Sendable {
    case write(WritingCommand)
    case move(MovingCommand)

    var value: any Command {
        switch self {
        case .write(let command): command.value
        case .move(let command): command.value
        }
    }
}

/// A job for the writer.
enum Job: Sendable {
    /// The last value is the progress of a command that has already had some turns.
    case command(Change, id: String, Actor, ReplyTarget, CommandProgress?)
    case attach(SessionID, id: String, Actor)
    /// The last value is the time, in ms since 1970, from which on it is not known that the device was reached; nil if it
    /// was reached by everything.
    case detach(SessionID, UserID, unreachedSince: Int64?)
    /// The answer contains all open channels that the session has joined then.
    case participate(SessionID, UserID, [ChannelID], then: @Sendable (Reply) -> Void)
    /// Work of the server itself on behalf of a user; it may run again after a conflict.
    case work(UserID, @Sendable (inout Transaction) throws -> [UInt8], then: @Sendable (Reply) -> Void)

    /// The number of channels that a session joins per turn.
    static let channelsAtOnce = 100

    /// The user that the job belongs to.
    var user: UserID {
        switch self {
        case .command(_, _, let actor, _, _), .attach(_, _, let actor): actor.user.userID
        case .detach(_, let user, _), .participate(_, let user, _, _), .work(let user, _, _): user
        }
    }

    /// The approximate number of channels to look up.
    var weight: Int {
        switch self {
        case .command(let command, _, _, _, _): command.weight
        case .participate(_, _, let ids, _): 1 + ids.prefix(Self.channelsAtOnce).count / 8
        case .attach, .detach, .work: 1
        }
    }

    /// Whether the job attaches or detaches a session.
    fileprivate var isConnection: Bool {
        switch self {
        case .attach, .detach: true
        case .command, .participate, .work: false
        }
    }

    /// Whether whoever wants it tries again if it is refused. The end of a session cannot be refused.
    var isRepeated: Bool {
        switch self {
        case .command, .attach, .participate: true
        case .detach, .work: false
        }
    }

    /// Whether some turns of the job are done and others are not.
    var isUnderWay: Bool {
        switch self {
        case .command(_, _, _, _, let progress): progress != nil
        case .participate, .attach, .detach, .work: false
        }
    }

    /// Whether it is carried out although the disk is full.
    var makesRoom: Bool {
        guard case .command(let command, _, _, _, _) = self else { return false }
        return command.makesRoom
    }

    /// Whether it is refused while the room for the others is used.
    var needsRoom: Bool {
        guard case .command(let command, _, _, _, _) = self else { return false }
        return command.isStored && !command.makesRoom
    }

    /// Whether the job takes several turns, or locks rows that no other job does: each turn gets its own batch, and batches
    /// of other users run in between.
    var needsOwnBatch: Bool {
        if case .work(Core.counting, _, _) = self { return true }
        if case .participate(_, _, let ids, _) = self { return ids.count > Self.channelsAtOnce }
        return isUnderWay
    }
}

/// The queue of jobs for the writer, with fair scheduling between users.
///
/// As long as all waiting jobs fit into one batch, they are processed in order of arrival. Otherwise each user has a
/// queue, and users take turns with one job each. Jobs that attach or detach sessions are at the front of their
/// user's queue: a new connection does not wait for other jobs, and a closed one is released early. A job of several
/// turns gets its own batch, followed by a batch for the others.
struct JobQueue {
    /// The queue of one user.
    private struct UserQueue {
        private var connections = Deque<Job>()
        private var others = Deque<Job>()

        var first: Job? { connections.first ?? others.first }

        mutating func append(_ job: Job) {
            if job.isConnection { connections.append(job) } else { others.append(job) }
        }

        mutating func prepend(_ job: Job) {
            if job.isConnection { connections.prepend(job) } else { others.prepend(job) }
        }

        mutating func popFirst() -> Job? { connections.popFirst() ?? others.popFirst() }

        /// All jobs in order.
        var all: [Job] { Array(connections) + Array(others) }

        var count: Int { connections.count + others.count }
    }

    /// The jobs that arrived since the last batch.
    private var arrived: [Job] = []
    /// No queue is empty, and each user with a queue is in exactly one of `users` and `exclusive`.
    private var queues: [UserID: UserQueue] = [:]
    /// The users with the next turns, in order.
    private var users: [UserID] = []
    /// The users whose first job needs its own batch, in order.
    private var exclusive: [UserID] = []
    private var wasExclusive = false

    var isEmpty: Bool { arrived.isEmpty && queues.isEmpty }

    /// The number of jobs; it takes a step for each user with one.
    var count: Int { queues.values.reduce(arrived.count) { $0 + $1.count } }

    /// Adds arrived jobs.
    mutating func append(_ jobs: [Job]) {
        if arrived.isEmpty { arrived = jobs } else { arrived += jobs }
    }

    /// Puts back the unfinished jobs of a batch, in order, ahead of all other jobs of the same users.
    mutating func requeue(_ jobs: [Job]) {
        for job in jobs.reversed() {
            let user = job.user
            if queues[user] == nil { users.insert(user, at: 0) }
            queues[user, default: UserQueue()].prepend(job)
        }
    }

    /// Removes and returns the next batch: at most `most` jobs with a total weight of at most `most`, or a single
    /// heavier job.
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

    /// Removes and returns all jobs, those of each user in order.
    mutating func removeAll() -> [Job] {
        defer { self = JobQueue() }
        return queues.values.flatMap(\.all) + arrived
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

    /// Removes a user's first job.
    /// - Returns: whether the user has more jobs.
    private mutating func popFirst(of user: UserID) -> Bool {
        _ = queues[user]?.popFirst()
        if queues[user]?.first != nil { return true }
        queues[user] = nil
        return false
    }
}

extension [Job] {
    /// Whether all jobs fit into one batch.
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
