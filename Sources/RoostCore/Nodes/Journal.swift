import Logging
import RoostWire
import Synchronization

/// Reads from the database what the lanes of this server lack: what other servers have committed, if there are any,
/// and rows of logs that a lane asks for.
///
/// Both are read from one snapshot, so a row never arrives without the end of a subscription that lies before it.
final class Journal: Sendable {
    private struct State {
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
        /// Channels that others may have changed in a way that the lanes do not know, and the read that tells them.
        var unheard: [ChannelID: Int64] = [:]
        /// What waits for that, in its order.
        var delayed: [(read: Int64, deliveries: [Delivery])] = []
        /// Events of others that are in no log, until all that was committed before them is read.
        var events: [Delivery] = []
        var isReading = false
        var isFailing = false
        /// Whether it is to be read again after this time.
        var isDue = false
        var isStopped = false

        /// Drops everything that waits for a read if there was none for too long.
        mutating func giveUp(_ uptime: Int64) -> Bool {
            guard own != nil, uptime - completeAt > patience else { return false }
            completeAt = uptime
            (missing, unheard, delayed, events) = ([:], [:], [], [])
            return true
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

    private let state: Mutex<State>
    private let database: any SQLDatabase
    private let effects: Effects
    private let logger: Logger
    private let deliver: @Sendable ([Delivery]) -> Void
    private let onRecord: @Sendable (CommitRecord) -> Void
    private let onGap: @Sendable () -> Void

    /// The most rows of the journal that are read at once.
    private static let recordsAtOnce = 200
    /// The most rows that are read of one log at once, and the most logs.
    private static let rowsAtOnce: Int64 = 200
    private static let logsAtOnce = 50
    /// After this time without a look, rows may have been removed that were not read, in µs.
    private static let patience = JournalEnd.kept - 120_000_000
    /// After this time a writer that has written nothing has no rows any more, in µs.
    private static let silence = 2 * JournalEnd.kept

    /// - Parameters:
    ///   - own: the name under which this server writes; nil if no other one uses the database.
    ///   - onRecord: called with what another server has committed, after its deliveries.
    ///   - onGap: called when it cannot be known any more what others have committed.
    /// - Throws: `DatabaseFailure`.
    init(
        database: any SQLDatabase, own: String?, effects: Effects, logger: Logger,
        deliver: @escaping @Sendable ([Delivery]) -> Void, onRecord: @escaping @Sendable (CommitRecord) -> Void,
        onGap: @escaping @Sendable () -> Void
    ) throws {
        self.database = database
        self.effects = effects
        self.logger = logger
        self.deliver = deliver
        self.onRecord = onRecord
        self.onGap = onGap
        let now = effects.uptime()
        var state = State(own: own, completeAt: now)
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

    /// The last row that was read of each writer.
    var numbers: [String: Int64] { state.withLock { $0.read } }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Looks what other servers have committed.
    func read() {
        state.withLock { $0.isDue = true }
        readNext()
    }

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
    func noteUnheard(_ channels: Set<ChannelID>) {
        guard !channels.isEmpty else { return }
        state.withLock { state in
            guard state.own != nil else { return }
            for channel in channels { state.unheard[channel] = state.reads + 1 }
            state.isDue = true
        }
        readNext()
    }

    /// Hands what this server has committed over to the lanes, or later, if they do not know yet who gets it.
    func publish(_ deliveries: [Delivery]) {
        let known = state.withLock { state in
            if state.unheard.isEmpty { return deliveries }
            let reads = deliveries.map { delivery in delivery.channel.flatMap { state.unheard[$0] } }
            for (delivery, read) in zip(deliveries, reads) { if let read { state.delay(delivery, until: read) } }
            return zip(deliveries, reads).filter { $1 == nil }.map(\.0)
        }
        if !known.isEmpty { deliver(known) }
    }

    /// A transaction of the writer begins: sessions that it attaches may not know what is delivered from now on.
    func beginBatch() { state.withLock { if $0.own != nil { $0.duringBatch = [] } } }

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

    private func handOver(_ deliveries: [Delivery]) {
        guard !deliveries.isEmpty else { return }
        state.withLock { state in
            guard state.duringBatch != nil else { return }
            // An event that is in no log cannot be told from another one.
            state.duringBatch?.append(
                contentsOf: deliveries.filter { if case .event = $0 { false } else { true } })
        }
        deliver(deliveries)
    }

    // MARK: Reading

    private struct Request: Sendable {
        /// Its place among all reads.
        var number: Int64
        /// What was read of each writer; nil if no other server uses the database.
        var read: [String: Int64]?
        var own: String?
        var published: Int64
        var ranges: [LogRange]
        var startedAt: Int64
    }

    private struct Answer: Sendable {
        /// Those that have rows.
        var writers: Set<String> = []
        /// Nil for a damaged row.
        var records: [(writer: String, number: Int64, record: CommitRecord?)] = []
        var filled: [Delivery] = []
        /// What of the ranges is still to be read.
        var left: [LogRange] = []
        var isComplete = true
    }

    private func readNext() {
        let request: Request? = state.withLock { state in
            guard !state.isReading, !state.isStopped, state.isDue || !state.missing.isEmpty else { return nil }
            state.isReading = true
            state.isDue = false
            state.reads += 1
            let ranges = Array(state.missing.values.prefix(Self.logsAtOnce))
            for range in ranges { state.missing[range.log] = nil }
            return Request(
                number: state.reads, read: state.own == nil ? nil : state.read, own: state.own,
                published: state.published, ranges: ranges,
                startedAt: effects.uptime())
        }
        guard let request else { return }
        database.read({ try Self.answer(request, $0) }, then: { self.finish(request, $0) })
    }

    private func finish(_ request: Request, _ result: Result<Answer, any Error>) {
        switch result {
        case .success(let answer):
            let others = answer.records.filter { $0.writer != request.own }
            if note(others, answer, of: request) { onGap() }
            let records = others.compactMap(\.record)
            // Among them are those of its own commits that the lanes have not got yet: rows that lie behind them may have
            // been read.
            let changes = answer.records.flatMap { $0.record?.subscriptionChanges ?? [] }
            handOver(changes + records.flatMap(\.moves) + answer.filled)
            // Ends of subscriptions may be among the records that were not read.
            state.withLock { $0.events += records.flatMap(\.events) }
            if answer.isComplete { handOver(takeEvents() + takeDelayed(until: request.number)) }
            for record in records where record.concernsWriters { onRecord(record) }
            state.withLock { state in
                state.isReading = false
                state.add(answer.left)
                if !answer.isComplete { state.isDue = true }
            }
            readNext()
        case .failure(let error):
            let (isFirst, isHopeless) = state.withLock { state in
                state.add(request.ranges)
                state.isDue = true
                defer { state.isFailing = true }
                return (!state.isFailing, state.giveUp(effects.uptime()))
            }
            if isFirst { logger.warning("what sessions lack cannot be read", metadata: ["error": "\(error)"]) }
            if isHopeless { onGap() }
            Task {
                try? await Task.sleep(for: .milliseconds(250))
                self.state.withLock { $0.isReading = false }
                self.readNext()
            }
        }
    }

    private func takeEvents() -> [Delivery] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// What has waited for a read or an earlier one.
    private func takeDelayed(until read: Int64) -> [Delivery] {
        state.withLock { state in
            state.unheard = state.unheard.filter { $0.value > read }
            let due = state.delayed.filter { $0.read <= read }.flatMap(\.deliveries)
            state.delayed.removeAll { $0.read <= read }
            return due
        }
    }

    /// Takes note of what was read.
    /// - Returns: whether something may be missing that cannot be read any more.
    private func note(
        _ records: [(writer: String, number: Int64, record: CommitRecord?)], _ answer: Answer, of request: Request
    ) -> Bool {
        state.withLock { state in
            state.isFailing = false
            guard request.read != nil else { return false }
            let now = effects.uptime()
            var hasGap = request.startedAt - state.completeAt > Self.patience
            for (writer, number, record) in records {
                if let last = state.read[writer], number != last + 1 { hasGap = true }
                if record == nil { hasGap = true }
                state.read[writer] = number
                state.movedAt[writer] = now
            }
            // After a gap everybody begins anew.
            if answer.isComplete || hasGap { state.completeAt = request.startedAt }
            for writer in state.silent(now) where !answer.writers.contains(writer) {
                state.read[writer] = nil
                state.movedAt[writer] = nil
            }
            return hasGap
        }
    }

    private static func answer(_ request: Request, _ connection: any SQLConnection) throws -> Answer {
        var answer = Answer()
        if let read = request.read {
            let writers = try writers(connection)
            answer.writers = Set(writers)
            let places = writers.map { writer in
                [SQLValue.text(writer), .int(writer == request.own ? request.published : read[writer] ?? 0)]
            }
            if !places.isEmpty {
                answer.records = try connection.rows(
                    """
                    WITH k (writer, number) AS (\(keys: places))
                    SELECT c.writer, c.number, c.body FROM (SELECT DISTINCT writer, number FROM k) k
                    JOIN commits c ON c.writer = k.writer AND c.number > k.number
                    ORDER BY c.writer, c.number LIMIT \(recordsAtOnce)
                    """
                ) { row in
                    let body = try undamaged { try row.content(2) }
                    let record = body.flatMap { try? WireCodec.decode(CommitRecord.self, from: $0) }
                    return (try row.text(0), try row.int(1), record)
                }
            }
            answer.isComplete = answer.records.count < recordsAtOnce
        }
        // Ends of subscriptions may be among the records that were not read.
        guard answer.isComplete else {
            answer.left = request.ranges
            return answer
        }
        for range in request.ranges {
            let (filled, left) = try fill(range, request.number, connection)
            answer.filled.append(filled)
            if let left { answer.left.append(left) }
        }
        return answer
    }

    /// Reads the first rows of a range.
    private static func fill(
        _ range: LogRange, _ read: Int64, _ connection: any SQLConnection
    ) throws -> (filled: Delivery, left: LogRange?) {
        let query: Query =
            switch range.log {
            case .channel(let id):
                """
                SELECT seq, frame FROM channel_log WHERE channel = \(id) AND seq > \(range.after)
                AND seq <= \(range.through) ORDER BY seq LIMIT \(rowsAtOnce)
                """
            case .user(let id):
                """
                SELECT seq, frame FROM user_log WHERE user_id = \(id) AND seq > \(range.after)
                AND seq <= \(range.through) ORDER BY seq LIMIT \(rowsAtOnce)
                """
            }
        // A damaged row is passed over, as one that does not exist any more.
        let rows = try connection.rows(query) { row in (try row.int(0), try undamaged { try row.content(1) }) }
        let frames = Dictionary(rows.compactMap { seq, frame in frame.map { (seq, $0) } }) { $1 }
        var filled = range
        let last = rows.last?.0 ?? range.after
        if rows.count == rowsAtOnce, last < range.through {
            filled.through = last
            return (.filled(filled, frames, read: read), LogRange(range.log, after: last, through: range.through))
        }
        if range.through == LogRange.end { filled.through = last }
        return (.filled(filled, frames, read: read), nil)
    }

    /// - Returns: nil if the content is not what was written.
    private static func undamaged(_ read: () throws -> [UInt8]) throws -> [UInt8]? {
        do { return try read() } catch let failure as DatabaseFailure where failure.kind == .corrupt { return nil }
    }

    /// The names of all writers with rows, found without reading all rows.
    private static func writers(_ connection: any SQLConnection) throws -> [String] {
        try connection.rows(
            """
            WITH RECURSIVE w (id) AS (
                SELECT MIN(writer) FROM commits
                UNION ALL
                SELECT (SELECT MIN(c.writer) FROM commits c WHERE c.writer > w.id) FROM w WHERE w.id IS NOT NULL)
            SELECT id FROM w WHERE id IS NOT NULL
            """
        ) { try $0.text(0) }
    }
}
