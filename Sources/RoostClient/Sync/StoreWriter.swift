import GRDB
import RoostWire
import Synchronization

/// Writes what a client received into its store, one commit at a time, and then sends the events to the app.
///
/// Everything waits in one queue, so that events have one order. Everything that
/// arrives during a commit is part of the next one.
final class StoreWriter: Sendable {
    /// The contents of a store from an earlier process.
    struct Kept {
        var owner: UserID?
        var positions: SyncPositions?
        var sends: [(TransID, SendMessage)] = []
        /// When they were first sent, by the server's clock.
        var triedAt: [TransID: Int64] = [:]
        var marks: [ChannelID: Int64] = [:]
        var stale: [ChannelID] = []
        /// Files to upload before their messages are sent, in the order of the sends.
        var uploads: [Uploads.Job] = []
    }

    private enum Job {
        case inputs([StoreInput])
        /// A change by the app: it succeeds or fails separately.
        case edit(
            @Sendable (LocalTransaction) throws -> Void, then: @Sendable (Result<Void, RoostError>) -> Void)
    }

    private struct Mailbox {
        var jobs: [Job] = []
        var isScheduled = false
    }

    /// The most inputs of one commit, so that readers see progress.
    private static let maxInputs = 2_000

    let store: LocalStore
    let changes = Multicast<LocalChange>(limit: 100_000, lagged: nil)
    private let events: Multicast<ClientEvent>
    private let states: Multicast<ConnectionState>
    private let mailbox = Mutex(Mailbox())
    private let engine = Mutex<(@Sendable (SyncInput) -> Void)?>(nil)

    init(_ store: LocalStore, events: Multicast<ClientEvent>, states: Multicast<ConnectionState>) {
        self.store = store
        self.events = events
        self.states = states
    }

    /// Receives the inputs that the store creates.
    var submit: (@Sendable (SyncInput) -> Void)? {
        get { engine.withLock { $0 } }
        set { engine.withLock { $0 = newValue } }
    }

    /// Reads the stored contents on the store's queue: after earlier writes and before later ones.
    func read(_ body: @escaping @Sendable (Result<Kept, RoostError>) -> Void) {
        let store = store
        store.database.asyncWriteWithoutTransaction { db in
            do {
                body(.success(try LocalStore.kept(db)))
            } catch {
                store.noteDamage(error)
                body(.failure(LocalStore.failure(error)))
            }
        }
    }

    /// Calls back after everything that is in the queue now.
    func whenIdle(_ body: @escaping @Sendable () -> Void) {
        store.database.asyncWriteWithoutTransaction { _ in body() }
    }

    func put(_ inputs: [StoreInput]) {
        if !inputs.isEmpty { put(.inputs(inputs)) }
    }

    /// Makes a change in its own savepoint, and returns when it is on disk.
    func edit<T: Sendable>(_ body: @escaping @Sendable (LocalTransaction) throws -> T) async throws(RoostError) -> T {
        let promise = Promise<T>()
        let made = Mutex<T?>(nil)
        put(
            .edit({ transaction in
                let value = try body(transaction)
                made.withLock { $0 = value }
            }) { result in
                promise.complete(
                    result.flatMap { _ in
                        made.withLock { $0 }.map { .success($0) } ?? .failure(LocalStore.failure(CancellationError()))
                    })
            })
        return try await promise.value
    }

    /// As `edit`, for a change whose result is passed to a callback.
    func edit(
        _ body: @escaping @Sendable (LocalTransaction) throws -> Void,
        then: @escaping @Sendable (Result<Void, RoostError>) -> Void
    ) { put(.edit(body, then: then)) }

    private func put(_ job: Job) {
        let mustSchedule = mailbox.withLock { mailbox in
            mailbox.jobs.append(job)
            defer { mailbox.isScheduled = true }
            return !mailbox.isScheduled
        }
        if mustSchedule { schedule() }
    }

    private func schedule() {
        store.database.asyncWriteWithoutTransaction { db in self.processJobs(db) }
    }

    private func dequeueJobs() -> [Job] {
        mailbox.withLock { mailbox in
            var count = 0
            let end =
                mailbox.jobs.firstIndex { job in
                    if case .inputs(let inputs) = job { count += inputs.count } else { count += 1 }
                    return count > Self.maxInputs
                } ?? mailbox.jobs.endIndex
            let dequeued = Array(mailbox.jobs.prefix(max(1, end)))
            mailbox.jobs.removeFirst(dequeued.count)
            mailbox.isScheduled = !mailbox.jobs.isEmpty
            return dequeued
        }
    }

    private func processJobs(_ db: Database) {
        let jobs = dequeueJobs()
        // The previous call may have processed these jobs already.
        guard !jobs.isEmpty else { return }
        var finished: [@Sendable () -> Void] = []
        do {
            var change = LocalChange()
            var wanted: Set<ChannelID> = []
            var states: [ConnectionState] = []
            try db.inTransaction {
                let transaction = try LocalTransaction(db)
                for job in jobs { try run(job, transaction, &states, &finished) }
                change = try transaction.finish()
                wanted = transaction.wanted
                return .commit
            }
            changes.yield([change])
            events.yield(change.events)
            self.states.yield(states)
            if !wanted.isEmpty { submit?(.want(wanted)) }
        } catch {
            handleFailure(jobs, error, db, &finished)
        }
        for finish in finished { finish() }
        if mailbox.withLock({ $0.isScheduled }) { schedule() }
    }

    private func run(
        _ job: Job, _ transaction: LocalTransaction, _ states: inout [ConnectionState],
        _ finished: inout [@Sendable () -> Void]
    ) throws {
        switch job {
        case .inputs(let inputs):
            for input in inputs {
                try transaction.apply(input)
                if case .state(let state) = input { states.append(state) }
                if case .finish(let finish) = input { finished.append(finish) }
            }
        case .edit(let body, let then):
            var result: Result<Void, RoostError> = .success(())
            do {
                try transaction.edit(body)
            } catch let error as DatabaseError where error.isFatal {
                throw error
            } catch {
                result = .failure(LocalStore.failure(error))
            }
            let outcome = result
            finished.append { then(outcome) }
        }
    }

    /// None of the jobs was stored: the client returns to the store's positions and gets the rows again.
    private func handleFailure(
        _ jobs: [Job], _ error: any Error, _ db: Database, _ finished: inout [@Sendable () -> Void]
    ) {
        store.noteDamage(error)
        let failure = LocalStore.failure(error)
        finished = []
        for job in jobs {
            switch job {
            case .inputs(let inputs):
                // The server has executed the command in any case.
                for case .finish(let finish) in inputs { finished.append(finish) }
            case .edit(_, let then): finished.append { then(.failure(failure)) }
            }
        }
        let isOver = jobs.contains { if case .inputs = $0 { true } else { false } }
        guard isOver else { return }
        do {
            submit?(.rewind(try LocalStore.kept(db).positions, failure))
        } catch {
            store.noteDamage(error)
            submit?(.rewind(nil, LocalStore.failure(error)))
        }
    }
}

extension LocalTransaction {
    /// Makes a change in a savepoint: if it fails, nothing of it is stored.
    fileprivate func edit(_ body: (LocalTransaction) throws -> Void) throws {
        let before = snapshot()
        do {
            try db.inSavepoint {
                try body(self)
                return .commit
            }
        } catch {
            restore(before)
            throw error
        }
    }
}

extension DatabaseError {
    /// Whether the error ends the whole transaction.
    fileprivate var isFatal: Bool {
        switch resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_NOMEM, .SQLITE_READONLY: true
        default: false
        }
    }
}

extension LocalStore {
    /// The stored contents from an earlier process.
    static func kept(_ db: Database) throws -> StoreWriter.Kept {
        var kept = StoreWriter.Kept()
        kept.owner = try Info.owner.read(db).flatMap(UserID.init(rawValue:))
        var channels: [ChannelPosition] = []
        let cursor = try Row.fetchCursor(db, sql: "SELECT channel, position, record FROM channels ORDER BY channel")
        while let row = try cursor.next() {
            guard let id = ChannelID(rawValue: row[0]) else { continue }
            let json: String = row[2]
            let record = try WireCodec.decode(ChannelRecord.self, from: Array(json.utf8))
            if let pending = record.pendingMark { kept.marks[id] = pending }
            if record.isStale { kept.stale.append(id) }
            // Open channels are joined until the process ends.
            if let position: Int64 = row[1], record.snapshot?.kind != .open {
                channels.append(ChannelPosition(channel: id, seq: position))
            }
        }
        if let epoch = try Info.epoch.read(db), let userSeq = try Info.userSeq.read(db).flatMap(Int64.init) {
            kept.positions = SyncPositions(epoch: epoch, userSeq: userSeq, channels: channels)
        }
        for queued in try queue(in: nil, db) where queued.state == .sending {
            kept.sends.append((queued.transID, queued.message))
            if let file = queued.upload { kept.uploads.append(Uploads.Job(transID: queued.transID, file: file)) }
        }
        kept.triedAt = try triedAt(db)
        return kept
    }
}
