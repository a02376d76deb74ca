import Logging
import RoostWire

/// Watches how long the writer's thread has been waiting for the database.
///
/// A driver has to be patient, because a statement may take seconds. A person who sends is not: when the database has
/// not answered for some 4 s, the commands that wait for it are refused, whatever becomes of their batch, and clients
/// send them again. If the batch is committed after all, their keys show it.
struct BatchWatch {
    /// The number of looks, one every 500 ms, after which commands are refused. A server that was cut off may hold locks
    /// for 4 s.
    static let patience = 9

    /// The jobs that are not answered yet; nil if the thread waits for some.
    private var jobs: [Job]?
    private var looks = 0
    /// The commands of sessions that were refused although their batch had begun.
    private var refused: Set<Command> = []

    private struct Command: Hashable {
        var session: SessionID
        var id: String

        init?(_ job: Job) {
            guard case .command(_, _, _, .session(let session, let id), _) = job else { return nil }
            (self.session, self.id) = (session, id)
        }

        init(session: SessionID, id: String) { (self.session, self.id) = (session, id) }
    }

    /// Whether the commands that wait are to be refused.
    var isOverdue: Bool { looks >= Self.patience }

    mutating func begin(_ jobs: [Job]) { (self.jobs, looks) = (jobs, 0) }

    /// These jobs are tried now, or one after the other.
    mutating func note(_ jobs: some Sequence<Job>) { self.jobs = jobs.filter { !hasRefused($0) } }

    /// The database has answered, and the jobs of the batch are about to be answered.
    mutating func settle() {
        guard jobs != nil else { return }
        jobs = []
        if !isOverdue { looks = 0 }
    }

    mutating func end() { (jobs, looks, refused) = (nil, 0, []) }

    /// Counts a look.
    /// - Returns: the commands to refuse although their batch has begun; nil if the database is not overdue.
    mutating func look() -> [Job]? {
        guard let jobs else { return nil }
        looks += 1
        guard isOverdue else { return nil }
        let commands = jobs.filter { if case .command = $0 { true } else { false } }
        refused.formUnion(commands.compactMap(Command.init))
        self.jobs = []
        return commands
    }

    /// Whether a command was refused although its batch had begun.
    func hasRefused(_ job: Job) -> Bool { !refused.isEmpty && Command(job).map(refused.contains) ?? false }

    /// The same for that of a session with this id.
    func hasRefused(_ session: SessionID, id: String) -> Bool {
        !refused.isEmpty && refused.contains(Command(session: session, id: id))
    }
}

extension Writer {
    /// Refuses the commands that wait for a database that does not answer. To be called every 500 ms.
    func refuseOverdue() {
        let failure = DatabaseFailure(.unavailable, "The database does not answer.")
        let overdue: [Job]? = condition.withLock {
            guard let begun = watch.look() else { return nil }
            note(failure)
            let all = waiting.removeAll() + arrived
            waiting.append(all.filter { !$0.isRepeated })
            arrived = []
            return begun + all.filter(\.isRepeated)
        }
        guard let overdue, !overdue.isEmpty else { return }
        logger.error("database does not answer", metadata: ["commands": "\(overdue.count)"])
        for job in overdue { refuse(job, Self.refusal(for: failure)) }
    }

    /// Refuses jobs whose turn had begun, unless that was done before.
    func refuse(_ jobs: [Job], _ error: WireError) {
        let watch = settleWatch()
        for job in jobs where !watch.hasRefused(job) { refuse(job, error) }
    }

    /// Removes the answers to commands that were refused while the batch was on its way.
    func dropRefused(from batch: inout Batch) {
        let watch = settleWatch()
        guard watch.isOverdue else { return }
        batch.deliveries.removeAll {
            if case .reply(let session, let id, _) = $0 { watch.hasRefused(session, id: id) } else { false }
        }
        batch.commands.removeAll { command in
            command.session.map { watch.hasRefused($0, id: command.id) } ?? false
        }
    }

    private func settleWatch() -> BatchWatch {
        condition.withLock {
            watch.settle()
            return watch
        }
    }
}
