import Logging
import RoostWire
import Synchronization

/// Reading from the database, one snapshot after the other.
extension Journal {
    /// The most rows of the journal that are read at once.
    private static let recordsAtOnce = 200
    /// The most rows that are read of one log at once, and the most logs.
    private static let rowsAtOnce: Int64 = 200
    private static let logsAtOnce = 50

    struct Request: Sendable {
        /// Its place among all reads.
        var number: Int64
        /// What was read of each writer; nil if no other server uses the database.
        var read: [String: Int64]?
        var own: String?
        var published: Int64
        var ranges: [LogRange]
        var startedAt: Int64
    }

    struct Answer: Sendable {
        /// Those that have rows.
        var writers: Set<String> = []
        /// Nil for a damaged row.
        var records: [(writer: String, number: Int64, record: CommitRecord?)] = []
        var filled: [Delivery] = []
        /// How many rows are in them.
        var filledRows: Int {
            filled.reduce(0) { count, delivery in
                if case .filled(_, let rows, _) = delivery { count + rows.count } else { count }
            }
        }
        /// What of the ranges is still to be read.
        var left: [LogRange] = []
        var isComplete = true
    }

    func readNext() {
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
            turn.withLock { _ in apply(answer, to: request) }
            state.withLock { state in
                state.isReading = false
                state.add(answer.left)
                if !answer.isComplete { state.isDue = true }
            }
            readNext()
        case .failure(let error):
            let (isFirst, gap) = state.withLock { state in
                state.add(request.ranges)
                state.isDue = true
                defer { state.isFailing = true }
                return (!state.isFailing, state.giveUp(effects.uptime()))
            }
            if isFirst { logger.warning("what sessions lack cannot be read", metadata: ["error": "\(error)"]) }
            if let gap { onGap(gap) }
            Task {
                try? await Task.sleep(for: .milliseconds(250))
                self.state.withLock { $0.isReading = false }
                self.readNext()
            }
        }
    }

    /// Hands over what was read.
    private func apply(_ answer: Answer, to request: Request) {
        let (others, gap) = note(answer.records.filter { $0.writer != request.own }, answer, of: request)
        if let gap { onGap(gap) }
        if !answer.filled.isEmpty { meters.add(answer.filledRows, to: .busFilledRows) }
        let own = answer.records.filter { $0.writer == request.own }
        // Among them are those of its own commits that the lanes have not got yet: rows that lie behind them may have
        // been read.
        let changes = (own.compactMap(\.record) + others).flatMap(\.subscriptionChanges)
        handOver(changes + others.flatMap(\.moves) + answer.filled)
        // Ends of subscriptions may be among the records that were not read.
        state.withLock { $0.events += others.flatMap(\.events) }
        if answer.isComplete { handOver(takeEvents() + takeDelayed(until: request.number)) }
        for record in others where record.concernsWriters { onRecord(record) }
        ringDue()
        applyEarly(afterRead: answer.isComplete ? request.number : 0)
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
            state.finished = read
            return due
        }
    }

    /// Takes note of what was read.
    /// - Returns: what of it has not come over the bus meanwhile, and since how many ms something may be missing that cannot
    ///   be read any more; nil if all is there.
    private func note(
        _ records: [(writer: String, number: Int64, record: CommitRecord?)], _ answer: Answer, of request: Request
    ) -> (new: [CommitRecord], gap: Int64?) {
        state.withLock { state in
            state.isFailing = false
            guard request.read != nil else { return ([], nil) }
            let now = effects.uptime()
            let age = max(0, now - state.completeAt) / 1_000
            var hasGap = request.startedAt - state.completeAt > Self.patience
            var new: [CommitRecord] = []
            for (writer, number, record) in records {
                let last = state.read[writer]
                if let last, number <= last { continue }
                if let last, number != last + 1 { hasGap = true }
                if let record { new.append(record) } else { hasGap = true }
                state.read[writer] = number
                state.movedAt[writer] = now
            }
            state.isPartial = !answer.isComplete
            // After a gap everybody begins anew.
            if answer.isComplete || hasGap { state.completeAt = request.startedAt }
            for writer in state.silent(now) where !answer.writers.contains(writer) {
                state.read[writer] = nil
                state.movedAt[writer] = nil
            }
            return (new, hasGap ? age : nil)
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
    static func writers(_ connection: any SQLConnection) throws -> [String] {
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
