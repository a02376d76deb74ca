import Logging
import RoostWire

/// Watches how long the writer's thread has been busy with the same commands.
///
/// A driver has to be patient, because a statement may take seconds. A person who sends is not: when the database has
/// not answered for 4 s, the commands that wait for it are refused, whatever becomes of their batch, and clients send
/// them again. If the batch is committed after all, their keys show it.
struct BatchWatch {
    /// The number of looks, one every 500 ms, after which the commands are refused.
    static let patience = 8

    /// The commands that are not answered yet; nil if the thread waits for commands.
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

    /// The commands are tried next: those that were refused are not refused again.
    mutating func note(_ jobs: [Job]) { self.jobs = jobs.filter { !hasRefused($0) } }

    /// The commands are about to be answered.
    mutating func settle() { jobs = [] }

    mutating func end() { (jobs, looks, refused) = (nil, 0, []) }

    /// Counts a look.
    /// - Returns: the commands to refuse although their batch has begun; nil if it is not overdue.
    mutating func look() -> [Job]? {
        guard let jobs else { return nil }
        looks += 1
        guard isOverdue else { return nil }
        // The work of the server itself is not repeated by anybody.
        let commands = jobs.filter { if case .command = $0 { true } else { false } }
        refused.formUnion(commands.compactMap(Command.init))
        settle()
        return commands
    }

    func hasRefused(_ job: Job) -> Bool { !refused.isEmpty && Command(job).map(refused.contains) ?? false }

    func hasRefused(_ session: SessionID, id: String) -> Bool {
        !refused.isEmpty && refused.contains(Command(session: session, id: id))
    }
}

extension Writer {
    /// Refuses the commands that wait for a database that does not answer. To be called every 500 ms.
    func refuseOverdue() {
        let overdue: [Job]? = condition.withLock {
            guard let begun = watch.look() else { return nil }
            defer { arrived.removeAll { !$0.isDetaching } }
            return begun + arrived.filter { !$0.isDetaching }
        }
        guard let overdue else { return }
        note(Self.silence)
        guard !overdue.isEmpty else { return }
        logger.error("database does not answer", metadata: ["commands": "\(overdue.count)"])
        for job in overdue { refuse(job, Self.refusal(for: Self.silence)) }
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
    }

    /// The commands of the batch are about to be answered.
    private func settleWatch() -> BatchWatch {
        condition.withLock {
            watch.settle()
            return watch
        }
    }

    /// Refuses the commands that have waited for the same database without being part of a batch.
    func refuseWaiting() {
        guard condition.withLock({ watch.isOverdue }) else { return }
        let jobs = waiting.removeAll()
        waiting.append(jobs.filter(\.isDetaching))
        for job in jobs where !job.isDetaching { refuse(job, Self.refusal(for: Self.silence)) }
    }

    private static let silence = DatabaseFailure(.unavailable, "The database does not answer.")
}
