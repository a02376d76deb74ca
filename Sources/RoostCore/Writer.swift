import Foundation
import Logging
import RoostWire
import Synchronization

/// Where an answer goes.
enum ReplyTarget: Sendable {
    case session(SessionID, id: String)
    case closure(@Sendable (Reply) -> Void)
}

/// One thing for the writer to do.
enum Job: Sendable {
    case command(AnyCommand, id: String, Actor, ReplyTarget)
    case attach(SessionID, id: String, User, isOperator: Bool)
    case detach(SessionID, UserID)
    case participate(SessionID, [ChannelID], then: @Sendable (Reply) -> Void)
}

/// The one thread that changes anything.
///
/// It takes all jobs that wait, decides them one after the other on values,
/// writes the outcome set by set in one transaction, waits for the disk, and only
/// then answers and publishes. While it commits, the next batch gathers by
/// itself: nobody needs a timer. Its caches change after the commit, never
/// before, so a failed batch leaves no trace; it is then tried again job by job,
/// so that one bad command does not take the others with it.
///
/// `@unchecked Sendable`: `queue`, `isStopping` and `hasEnded` are touched only
/// with `condition` locked; everything below `state` only by the writer's thread,
/// which `start` makes once.
final class Writer: @unchecked Sendable {
    private let condition = NSCondition()
    private var queue: [Job] = []
    private var isStopping = false
    private var hasEnded = false
    /// The time of the batch that is being committed.
    private let runningSince = Mutex<Int64?>(nil)
    private var onEnd: [@Sendable () -> Void] = []

    let database: any SQLDatabase
    let configuration: CoreConfiguration
    let effects: Effects
    let epoch: String
    let logger: Logger
    let publish: @Sendable ([Delivery]) -> Void

    // state
    var channels: [ChannelID: ChannelState] = [:]
    var users: [UserID: UserState] = [:]
    var lastSend: [UserID: TransID] = [:]
    let sessions: LiveSessions
    var announcements = MarkAnnouncements()
    var activeCounts: ActiveCounts
    var sweep = Sweep(
        [
            ("schedules", { try $0.sendDueSchedules(in: &$1, $2) }), ("votes", { try $0.closeDueVotes(in: &$1, $2) }),
            ("news", { try $0.expireNews(in: &$1, $2) }),
        ],
        background: [
            ("broadcasts", { try $0.sendBroadcasts(in: &$1, $2) }),
            ("subscriptions", { try $0.walkNews(in: &$1, $2) }),
        ])
    var retention: RetentionWalk
    var batchNumber: UInt64 = 0
    private var cachedWeight = 0

    init(
        database: any SQLDatabase, configuration: CoreConfiguration, effects: Effects, epoch: String, logger: Logger,
        participants: Participants, publish: @escaping @Sendable ([Delivery]) -> Void
    ) {
        self.database = database
        self.configuration = configuration
        self.effects = effects
        self.epoch = epoch
        self.logger = logger
        sessions = LiveSessions(participants: participants)
        self.publish = publish
        retention = RetentionWalk(nextAt: effects.now())
        if !configuration.retention.isEmpty {
            sweep.add("retention", at: retention.nextAt) { try $0.purge(in: &$1, $2) }
        }
        activeCounts = ActiveCounts(now: effects.now(), interval: configuration.activeCountInterval)
    }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "roost-writer"
        thread.stackSize = 4 << 20
        thread.start()
    }

    /// Gives the writer something to do.
    /// - Returns: whether it was taken; false once the writer is stopping.
    func submit(_ job: Job) -> Bool {
        condition.withLock {
            guard !isStopping else { return false }
            queue.append(job)
            if queue.count == 1 { condition.signal() }
            return true
        }
    }

    /// Finishes what was taken, takes nothing more, and calls `end` when the thread is done.
    func stop(_ end: @escaping @Sendable () -> Void) {
        let isOver = condition.withLock {
            isStopping = true
            if !hasEnded { onEnd.append(end) }
            condition.signal()
            return hasEnded
        }
        if isOver { end() }
    }

    /// Whether the last sweep found something to do.
    let hasFoundWork = Atomic(true)

    /// Whether the thread is done.
    var isOver: Bool { condition.withLock { hasEnded } }

    private func run() {
        while let jobs = nextJobs() {
            var start = 0
            while start < jobs.count {
                let end = min(start + configuration.batchSize, jobs.count)
                process(jobs[start..<end])
                start = end
            }
            announceMarks(isLast: false)
            announceActiveCounts()
            sweepOnce()
        }
        announceMarks(isLast: true)
        let end = condition.withLock {
            hasEnded = true
            return onEnd
        }
        for done in end { done() }
    }

    /// Waits for jobs, but not beyond the next announcement; nothing when it is time to end.
    private func nextJobs() -> [Job]? {
        condition.lock()
        defer { condition.unlock() }
        while queue.isEmpty {
            if isStopping { return nil }
            let now = effects.now()
            let nextLook = sweep.nextLook(now: now, uptime: effects.uptime())
            if let due = [announcements.nextDue, activeCounts.nextDue, nextLook].compactMap({ $0 }).min() {
                // Not longer, because the clock may be set.
                let wait = Double(max(0, min(due, now + Sweep.interval) - now)) / 1_000
                if wait <= 0 || !condition.wait(until: Date(timeIntervalSinceNow: wait)) { return [] }
            } else {
                condition.wait()
            }
        }
        var jobs: [Job] = []
        swap(&jobs, &queue)
        return jobs
    }

    /// The time that a batch stands under.
    private func begin() -> Int64 {
        runningSince.withLock { since in
            let now = effects.now()
            since = now
            return now
        }
    }

    /// A time such that whatever is not committed yet is stored with this one or a later one, by this process.
    func settledAt() -> Int64 { runningSince.withLock { min($0 ?? .max, effects.now()) } }

    private func process(_ jobs: ArraySlice<Job>) {
        do {
            try commit { batch, connection in
                try preload(jobs, into: &batch, connection)
                for job in jobs { try run(job, in: &batch, connection) }
            }
        } catch {
            // The transaction is rolled back as a whole and the caches are as before it.
            switch (error as? DatabaseFailure)?.kind {
            case .unavailable, .busy:
                // No command is to blame, and one by one they would only wait longer.
                logger.error("database out of reach", metadata: ["error": "\(error)", "commands": "\(jobs.count)"])
                for job in jobs { refuse(job, Self.refusal(for: error)) }
                return
            default: break
            }
            if jobs.count > 1 {
                logger.warning("batch failed, trying its commands one by one", metadata: ["error": "\(error)"])
                for index in jobs.indices { process(jobs[index...index]) }
            } else if let job = jobs.first {
                logger.error("commit failed", metadata: ["error": "\(error)"])
                refuse(job, Self.refusal(for: error))
            }
        }
    }

    /// Decides a batch, writes it, and carries out what follows from it.
    /// - Throws: why nothing of it has happened.
    func commit<T>(_ decide: (inout Batch, any SQLConnection) throws -> T) throws -> T {
        batchNumber += 1
        defer { runningSince.withLock { $0 = nil } }
        let (batch, value) = try database.write { connection in
            var batch = Batch(now: begin(), sessions: sessions)
            let value = try decide(&batch, connection)
            try batch.flush(to: connection)
            return (batch, value)
        }
        // Whoever is told of it below may ask at once what has changed since.
        runningSince.withLock { $0 = nil }
        committed(batch)
        return value
    }

    private func committed(_ batch: Batch) {
        sessions.apply(batch.sessions)
        for user in batch.sessions.cameOrWent { activeCounts.note(user) }
        for (id, var channel) in batch.channels {
            channel.usedIn = batchNumber
            if channel.kind.isNews { channel.members = [:] }
            let old = channels.updateValue(channel, forKey: id)
            cachedWeight += channel.members.count - (old?.members.count ?? -1)
        }
        users.merge(batch.users) { _, new in new }
        lastSend.merge(batch.lastSend) { _, new in new }
        announcements.add(batch.movedMarks)
        if let due = batch.nextDue { sweep.note(due) }
        if let walk = batch.retention { take(walk) }
        evict()
        if !batch.deliveries.isEmpty { publish(batch.deliveries) }
        for answered in batch.answered {
            if case .closure(let closure) = answered.target { closure(answered.reply) }
        }
    }

    /// Forgets what was not used for longest when the caches outgrow their bound.
    private func evict() {
        if cachedWeight > configuration.cachedMembers {
            let oldest = channels.values.map(\.usedIn).sorted()
            let limit = oldest[oldest.count / 2]
            channels = channels.filter { $0.value.usedIn > limit || announcements.isWaiting($0.key) }
            cachedWeight = channels.values.reduce(0) { $0 + $1.members.count + 1 }
        }
        if users.count > configuration.cachedMembers { users.removeAll() }
        if lastSend.count > configuration.cachedMembers { lastSend.removeAll() }
    }

    private func refuse(_ job: Job, _ error: WireError) {
        switch job {
        case .command(_, _, _, let target):
            switch target {
            case .closure(let closure): closure(.refused(error))
            case .session(let session, let id): publish([.reply(session, id: id, .refused(error))])
            }
        case .attach(let session, let id, _, _): publish([.reply(session, id: id, .refused(error))])
        case .detach(let session, let user):
            // The connection is gone, whatever the database says: this is no wish that could be refused.
            var batch = Batch(now: effects.now(), sessions: sessions)
            do {
                try detach(session, of: user, in: &batch)
            } catch {
                logger.error("typing could not be ended", metadata: ["error": "\(error)"])
            }
            committed(batch)
        case .participate(_, _, let then): then(.refused(error))
        }
    }

    static func refusal(for error: any Error) -> WireError {
        switch (error as? DatabaseFailure)?.kind {
        case .full:
            WireError(.storageFull, "The server's disk is full. Try again later.", retryAfterMs: 5_000)
        default:
            WireError(.databaseAccess, "The server could not store this. Try again.", retryAfterMs: 1_000)
        }
    }

    private func run(_ job: Job, in batch: inout Batch, _ connection: any SQLConnection) throws {
        switch job {
        case .command(let command, let id, let actor, let target):
            let reply = try answer(command, id: id, actor, in: &batch, connection)
            switch target {
            case .session(let session, let id): batch.deliveries.append(.reply(session, id: id, reply))
            case .closure: batch.answered.append(Batch.Answered(target: target, reply: reply))
            }
        case .attach(let session, let id, let user, let isOperator):
            try attach(session, id: id, user: user, isOperator: isOperator, in: &batch, connection)
        case .detach(let session, let user):
            try detach(session, of: user, in: &batch)
        case .participate(let session, let ids, let then):
            for id in ids {
                if let channel = try channel(id, in: &batch, connection), channel.kind == .open {
                    participate(session, in: channel, &batch)
                }
            }
            batch.answered.append(Batch.Answered(target: .closure(then), reply: .accepted([])))
        }
    }

    /// Runs one command on the batch; a refusal leaves the batch as it was.
    private func answer(
        _ command: AnyCommand, id: String, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> Reply {
        do {
            // Who comes without a connection becomes known with the first command.
            var actor = actor
            if let session = actor.session {
                actor.user = batch.sessions[session]?.user ?? actor.user
            } else if let known = try user(actor.user.userID, in: &batch, connection) {
                actor.user = actor.user.keeping(known.user)
            } else {
                batch.add(UserState(user: actor.user))
                try subscribeToCorporateNews(actor.user.userID, isNew: true, in: &batch, connection)
            }
            if case .sendMessage(let send) = command {
                return .accepted(try sendOnce(send, command, id: id, actor, in: &batch, connection))
            }
            // These check everything before they change anything, so they need no undoing either.
            if command.effect == .moves { return .accepted(try move(command, actor, in: &batch, connection)) }
            let before = batch
            do {
                return .accepted(try once(command, id: id, actor, in: &batch, connection))
            } catch {
                let hasFlushed = batch.flushes != before.flushes
                batch = before
                // A command flushes before it decides, so what was written is what stood there before it.
                if hasFlushed { batch.forgetPending() }
                if error is WireError, let known = try doneMeanwhile(id, actor, in: &batch, connection) {
                    return .accepted(try known.answer(for: try command.bodyHash()))
                }
                throw error
            }
        } catch let error as WireError {
            return .refused(error)
        } catch let error as DatabaseFailure {
            throw error
        } catch {
            logger.error(
                "command failed", metadata: ["command": "\(type(of: command.value).name)", "error": "\(error)"])
            return .refused(WireError(.unknown))
        }
    }

    /// What a command came to that another process carried out while this one waited for its locks.
    ///
    /// Who loses the connection repeats a command wherever the next one leads.
    private func doneMeanwhile(
        _ id: String, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> KnownCommand? {
        guard database.isShared, let transID = TransID(rawValue: id) else { return nil }
        let key = CommandKey(user: actor.user.userID, transID: transID)
        guard batch.known[key] == nil else { return nil }
        try lookUp([[.text(key.user.rawValue), .text(transID.rawValue)]], into: &batch, connection)
        return batch.known[key]
    }

    /// Runs a command that takes a key: the second time it gets the first answer.
    private func once(
        _ command: AnyCommand, id: String, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> [UInt8] {
        guard let transID = TransID(rawValue: id) else {
            throw WireError(.dataFormat, "A command that changes something needs a transID as its id.")
        }
        let key = CommandKey(user: actor.user.userID, transID: transID)
        let hash = try command.bodyHash()
        if let known = batch.known[key] { return try known.answer(for: hash) }
        let outcome = try write(command, transID: transID, hash: hash, actor, in: &batch, connection)
        let answer = outcome.answer
        batch.known[key] = KnownCommand(hash: hash, answer: answer)
        if outcome.needsKeyRow {
            batch.keyRows.append([
                .text(key.user.rawValue), .text(transID.rawValue), .int(hash), .int(batch.now), .blob(answer),
            ])
        }
        return answer
    }

    private func sendOnce(
        _ send: SendMessage, _ command: AnyCommand, id: String, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> [UInt8] {
        guard let transID = TransID(rawValue: id) else {
            throw WireError(.dataFormat, "A send needs a transID as its id.")
        }
        let key = CommandKey(user: actor.user.userID, transID: transID)
        let hash = try command.bodyHash()
        if let known = batch.known[key] { return try known.answer(for: hash) }
        let answer = WireCodec.encode(
            try self.send(send, transID: transID, hash: hash, actor, in: &batch, connection))
        batch.known[key] = KnownCommand(hash: hash, answer: answer)
        batch.lastSend[key.user] = transID
        return answer
    }

    private func announceMarks(isLast: Bool) {
        let due = announcements.takeDue(now: effects.now(), interval: configuration.readMarkInterval, all: isLast)
        guard !due.isEmpty else { return }
        var batch = Batch(now: effects.now(), sessions: sessions)
        do {
            for (channel, marks) in due { try announce(marks, in: channel, &batch) }
        } catch {
            logger.error("read marks could not be announced", metadata: ["error": "\(error)"])
        }
        publish(batch.deliveries)
    }
}

extension KnownCommand {
    /// The first answer, if this is the same command.
    /// - Throws: `WireError` 1119 when it is another one.
    func answer(for hash: Int64) throws(WireError) -> [UInt8] {
        guard hash == self.hash else {
            throw WireError(
                .duplicateTransID, "This transID was used for another command. Make a new one for every command.")
        }
        return answer
    }
}

/// What a command with a key came to.
struct Outcome {
    var answer: [UInt8]
    /// Whether the answer has to be kept: no row of a channel's log carries the key, or that row does not tell all.
    var needsKeyRow: Bool

    init(acknowledgement: Acknowledgement, needsKeyRow: Bool) {
        answer = WireCodec.encode(acknowledgement)
        self.needsKeyRow = needsKeyRow
    }

    /// The acknowledgement of the one row of a channel's log that a command wrote; the row carries the key.
    init(_ row: (seq: Int64, sentAt: Int64), in channel: ChannelID, _ transID: TransID) {
        self.init(
            acknowledgement: Acknowledgement(channel: channel, seq: row.seq, transID: transID, sentAt: row.sentAt),
            needsKeyRow: false)
    }

    /// The acknowledgement of a command that wrote no row of a channel's log, or had nothing to do.
    init(in channel: ChannelID?, _ transID: TransID, at now: Int64) {
        self.init(
            acknowledgement: Acknowledgement(channel: channel, transID: transID, sentAt: now), needsKeyRow: true)
    }

    /// For an answer that says more than an acknowledgement.
    init(answer: some Encodable) throws {
        self.answer = try WireCodec.encode(answer)
        needsKeyRow = true
    }
}
