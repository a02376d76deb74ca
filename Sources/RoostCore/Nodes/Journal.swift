import Logging
import RoostWire
import Synchronization

/// Reads from the database what the lanes of this server lack: what other servers have committed, if there are any,
/// and rows of logs that a lane asks for.
///
/// Both are read from one snapshot, so a row never arrives without the end of a subscription that lies before it. What
/// comes over a bus spares the reading, if it is the next commit of its writer and all that lies before it is known.
final class Journal: Sendable {
    struct State {
        /// The name under which this server writes itself.
        var own: String?
        /// The last row of its own that was handed over to the lanes.
        var published: Int64 = 0
        /// The last row that was read of each other writer.
        var read: [String: Int64] = [:]
        /// When a writer has last written anything, in µs of `Effects.uptime`.
        var movedAt: [String: Int64] = [:]
        /// When everything that was committed had been read, in µs of `Effects.uptime`.
        var completeAt: Int64
        var missing: [LogID: LogRange] = [:]
        /// What was delivered since the writer's transaction has begun; nil if none is running.
        var duringBatch: [Delivery]?
        /// The number of reads that were begun.
        var reads: Int64 = 0
        /// The last read that has found all there was.
        var finished: Int64 = 0
        /// Channels that others may have changed in a way that the lanes do not know, and the read that tells them.
        var unheard: [ChannelID: Int64] = [:]
        /// What waits for that, in its order.
        var delayed: [(read: Int64, deliveries: [Delivery])] = []
        /// Events of others that are in no log, until all that was committed before them is read.
        var events: [Delivery] = []
        var isReading = false
        var isFailing = false
        /// Whether the last read has left rows of the journal for the next one.
        var isPartial = false
        /// What was read when the writer's transaction began: every snapshot with its commit has that.
        var readBefore: [String: Int64] = [:]
        /// Whether it is to be read again after this time.
        var isDue = false
        var isStopped = false
        var doorbells = Doorbells()

        /// Drops everything that waits for a read if there was none for too long.
        /// - Returns: how long ago everything had been read, in ms; nil if it is not too long.
        mutating func giveUp(_ uptime: Int64) -> Int64? {
            guard own != nil, uptime - completeAt > patience else { return nil }
            let gap = (uptime - completeAt) / 1_000
            completeAt = uptime
            // What may not be known stays unknown.
            (missing, delayed, events) = ([:], [], [])
            doorbells.dropOwn()
            return gap
        }

        /// Keeps what this server has committed until a read has ended.
        mutating func delay(_ delivery: Delivery, until read: Int64) {
            if let last = delayed.indices.last, delayed[last].read == read {
                delayed[last].deliveries.append(delivery)
            } else {
                delayed.append((read, [delivery]))
            }
        }

        /// The writers that have written nothing for long.
        func silent(_ uptime: Int64) -> [String] { movedAt.filter { uptime - $0.value > silence }.map(\.key) }

        mutating func add(_ ranges: [LogRange]) {
            for range in ranges {
                guard let known = missing[range.log] else {
                    missing[range.log] = range
                    continue
                }
                missing[range.log] = LogRange(
                    range.log, after: min(known.after, range.after), through: max(known.through, range.through))
            }
        }
    }

    let state: Mutex<State>
    /// Held by whoever hands over what others have committed, so that the order stays that in which it is noted.
    let turn = Mutex(())
    let database: any SQLDatabase
    let bus: (any Bus)?
    let effects: Effects
    let logger: Logger
    let meters: Meters
    let onRecord: @Sendable (CommitRecord) -> Void
    let onGap: @Sendable (_ ms: Int64) -> Void
    private let deliver: @Sendable ([Delivery]) -> Void

    /// After this time without a look, rows may have been removed that were not read, in µs.
    static let patience = JournalEnd.kept - 120_000_000
    /// After this time a writer that has written nothing has no rows any more, in µs.
    private static let silence = 2 * JournalEnd.kept

    /// - Parameters:
    ///   - own: the name under which this server writes; nil if no other one uses the database.
    ///   - bus: carries what is committed to others and from them; nil if only the database does.
    ///   - onRecord: called with what another server has committed, after its deliveries.
    ///   - onGap: called when it cannot be known any more what others have committed since so many ms.
    /// - Throws: `DatabaseFailure`.
    init(
        database: any SQLDatabase, own: String?, bus: (any Bus)? = nil, effects: Effects, logger: Logger,
        meters: Meters = Meters(), deliver: @escaping @Sendable ([Delivery]) -> Void,
        onRecord: @escaping @Sendable (CommitRecord) -> Void,
        onGap: @escaping @Sendable (_ ms: Int64) -> Void
    ) throws {
        self.database = database
        self.bus = own == nil ? nil : bus
        self.effects = effects
        self.logger = logger
        self.meters = meters
        self.deliver = deliver
        self.onRecord = onRecord
        self.onGap = onGap
        let now = effects.uptime()
        var state = State(own: own, completeAt: now)
        state.doorbells.node = own ?? ""
        if own != nil {
            // Sessions that are attached later see everything up to here.
            state.read = try database.write { connection in
                Dictionary(
                    uniqueKeysWithValues: try Self.writers(connection).map { writer in
                        let last = try connection.rows("SELECT MAX(number) FROM commits WHERE writer = \(writer)") {
                            $0.isNull(0) ? 0 : try $0.int(0)
                        }
                        return (writer, last.first ?? 0)
                    })
            }
            state.movedAt = state.read.mapValues { _ in now }
        }
        self.state = Mutex(state)
    }

    /// Whether other servers may use the database.
    var hasOthers: Bool { state.withLock { $0.own != nil } }

    /// How long ago all that was committed had been read, in ms.
    var delay: Int64 { max(0, effects.uptime() - state.withLock { $0.completeAt }) / 1_000 }

    /// The last row that was read of each writer.
    var numbers: [String: Int64] { state.withLock { $0.read } }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Looks what other servers have committed.
    func read() {
        state.withLock { $0.isDue = true }
        readNext()
    }

    /// The same.
    /// - Returns: the place among all reads of the first one that finds all there is now.
    func beginReading() -> Int64 {
        let number = state.withLock { $0.reads + 1 }
        read()
        return number
    }

    /// Whether all that there was when a read began is handed over.
    func hasRead(_ number: Int64) -> Bool { state.withLock { $0.finished >= number } }

    /// Reads rows that a lane lacks.
    /// - Returns: the place of the read among all reads.
    @discardableResult
    func read(_ ranges: [LogRange]) -> Int64 {
        let number = state.withLock { state in
            state.add(ranges)
            return state.reads + 1
        }
        readNext()
        return number
    }

    /// From now on, this server writes under another name, as it is not known whether its last row was committed.
    func rename(_ new: String, lastNumber: Int64) {
        state.withLock { state in
            guard let old = state.own else { return }
            state.own = new
            state.published = 0
            state.doorbells.rung = 0
            state.read[old] = lastNumber
            state.movedAt[old] = effects.uptime()
        }
    }

    /// Writers that have written nothing for so long that their rows can be removed, up to these numbers.
    var silentWriters: [(writer: String, number: Int64)] {
        state.withLock { state in state.silent(effects.uptime()).map { ($0, state.read[$0] ?? 0) } }
    }

    // MARK: Beside the writer

    /// Takes note of channels that others have changed before this server has locked them.
    ///
    /// Most of what others do shows by a gap in the log of the channel, but the end of a subscription to news need not.
    /// - Parameter channels: the versions that others have made.
    func noteUnheard(_ channels: [ChannelID: Int64]) {
        guard !channels.isEmpty else { return }
        let isDue = state.withLock { state in
            guard state.own != nil else { return false }
            let unheard = channels.filter { state.doorbells.version(of: $0) < $1 }
            for channel in unheard.keys { state.unheard[channel] = state.reads + 1 }
            if !unheard.isEmpty { state.isDue = true }
            return !unheard.isEmpty
        }
        guard isDue else { return }
        logger.debug(
            "others have changed channels: the journal is read first", metadata: ["channels": "\(channels.count)"])
        readNext()
    }

    /// Hands what this server has committed over to the lanes, or later, if they do not know yet who gets it.
    /// - Parameter doorbell: the same for other servers.
    func publish(_ deliveries: [Delivery], _ doorbell: Doorbell? = nil) {
        let (known, read): ([Delivery], Int64?) = state.withLock { state in
            if state.unheard.isEmpty { return (deliveries, nil) }
            let reads = deliveries.map { delivery in delivery.channel.flatMap { state.unheard[$0] } }
            for (delivery, read) in zip(deliveries, reads) { if let read { state.delay(delivery, until: read) } }
            // Others take the versions for a proof that nothing is missing, whatever else there is to deliver.
            let versions = doorbell?.versions.keys.compactMap { state.unheard[$0] } ?? []
            return (
                zip(deliveries, reads).filter { $1 == nil }.map(\.0), (reads.compactMap(\.self) + versions).max()
            )
        }
        if !known.isEmpty { deliver(known) }
        if let doorbell { ring(doorbell, afterRead: read) }
    }

    /// A transaction of the writer begins: sessions that it attaches may not know what is delivered from now on.
    func beginBatch() {
        state.withLock { state in
            guard state.own != nil else { return }
            state.duringBatch = []
            state.readBefore = state.read
        }
    }

    /// Its deliveries are handed over.
    /// - Parameter number: the last row of this server in the journal; nil if nothing was committed.
    /// - Returns: what is to be delivered once more to the sessions that it has attached.
    func endBatch(published number: Int64?) -> [Delivery] {
        state.withLock { state in
            if let number { state.published = number }
            defer { state.duringBatch = nil }
            return state.duringBatch ?? []
        }
    }

    /// Hands over what others have committed.
    func handOver(_ deliveries: [Delivery]) {
        guard !deliveries.isEmpty else { return }
        state.withLock { state in
            guard state.duringBatch != nil else { return }
            // An event that is in no log cannot be told from another one.
            state.duringBatch?.append(
                contentsOf: deliveries.filter { if case .event = $0 { false } else { true } })
        }
        deliver(deliveries)
    }
}
