import Logging
import RoostTesting
import RoostWire
import Synchronization

@testable import RoostCore

/// The clock of a server, and what it has heard.
private final class Notes: Sendable {
    let uptime = Mutex<Int64>(0)
    let records = Mutex<[CommitRecord]>([])
    let gaps = Mutex(0)
}

/// What one server reads of the journal of others, and hears of them.
final class JournalReader {
    let database: any SQLDatabase
    let faults: FaultyDatabase
    let journal: Journal
    private let resource: (any Sendable)?
    private let deliveries: AsyncStream<[Delivery]>
    private let notes = Notes()

    init(_ backend: Backend = .memory, own: String? = "me", bus: (any Bus)? = nil) throws {
        let (database, resource) = try backend.makeDatabase()
        _ = try Migrator.run(on: database, random: { 1 })
        faults = FaultyDatabase(database)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        (self.database, self.resource) = (ChecksummedDatabase(faults, DamageLog(logger)), resource)
        let (deliveries, continuation) = AsyncStream.makeStream(of: [Delivery].self)
        self.deliveries = deliveries
        let notes = notes
        journal = try Journal(
            database: self.database, own: own, bus: bus,
            effects: Effects(now: { 0 }, random: { 1 }, uptime: { notes.uptime.withLock { $0 } }),
            logger: logger,
            deliver: { continuation.yield($0) }, onRecord: { record in notes.records.withLock { $0.append(record) } },
            onGap: { _ in notes.gaps.withLock { $0 += 1 } })
    }

    var records: [CommitRecord] { notes.records.withLock { $0 } }
    var gaps: Int { notes.gaps.withLock { $0 } }

    func advance(seconds: Int64) { notes.uptime.withLock { $0 += seconds * 1_000_000 } }

    /// The next deliveries, in short.
    func next() async throws -> [String] {
        for await deliveries in deliveries { return deliveries.map(Self.short) }
        throw CancellationError()
    }

    private static func short(_ delivery: Delivery) -> String {
        switch delivery {
        case .moved(.channel(let id), let seq): "\(id) \(seq)"
        case .moved(.user(let id), let seq): "\(id) \(seq)"
        case .subscribe(let user, let channel, let place): "\(user) in \(channel) \(place.seq)"
        case .unsubscribe(let user, let channel, let place): "\(user) out of \(channel) \(place.seq)"
        case .event(let bytes, _, let after): "\(String(decoding: bytes, as: UTF8.self)) after \(after)"
        case .filled(let range, let rows, _): "filled \(range.after)-\(range.through) \(rows.keys.sorted())"
        default: "other"
        }
    }

    /// What is delivered until two reads have ended: events follow the first one.
    func readAll() async throws -> [String] {
        var found: [String] = []
        for through in Int64(8)...9 {
            journal.read()
            journal.read([LogRange(.channel(Cast.lobby), after: 7, through: through)])
            while !found.contains("filled 7-\(through) []") { found += try await next() }
        }
        return found.filter { !$0.hasPrefix("filled 7-") }
    }

    func rows(of writer: String) throws -> [Int64] {
        try database.write {
            try $0.rows("SELECT number FROM commits WHERE writer = \(writer) ORDER BY number") { try $0.int(0) }
        }
    }
}

/// The journal of another server.
final class OtherServer {
    let database: any SQLDatabase
    var end: JournalEnd

    init(_ name: String, _ database: any SQLDatabase) {
        self.database = database
        end = JournalEnd(writer: name)
    }

    func commit(_ change: (inout CommitRecord) -> Void) throws {
        var record = CommitRecord()
        change(&record)
        try database.write { try end.append(record, $0) }
    }

    /// Appends a row to the log of the club, and says so.
    func send(_ seq: Int64) throws {
        var record = CommitRecord()
        record.channels = [ChannelPosition(channel: Cast.club, seq: seq)]
        try database.write { connection in
            try connection.execute(
                """
                INSERT INTO channel_log (channel, seq, sent_at, count, behind, flags, frame)
                VALUES (\(Cast.club), \(seq), 0, 0, 0, 0, \(content: Array("\(seq)".utf8)))
                """)
            try end.append(record, connection)
        }
    }

    func prune(uptime: Int64) throws { try database.write { try end.prune($0, uptime: uptime) } }
}
