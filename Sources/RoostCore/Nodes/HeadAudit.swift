import RoostWire

/// A slow look whether what other servers write really arrives: the heads of all followed logs are compared with the
/// database. It finds nothing, unless there is a mistake in the journal or in a lane.
package struct HeadAudit: Sendable {
    /// The most logs that are compared at once.
    private static let logsAtOnce = 500

    private let core: Core

    package init(_ core: Core) { self.core = core }

    /// Looks for rows that have not arrived, and has them delivered.
    /// - Parameters:
    ///   - heads: the newest row of each log that a lane has delivered.
    ///   - pause: the time that rows may take.
    /// - Returns: the number of logs whose rows have not arrived within that time; 0 if the journal could not be read
    ///   meanwhile, so that nothing is known.
    package func repair(
        _ heads: @Sendable () async throws -> [LogID: Int64], pause: Duration
    ) async throws -> Int {
        let known = Array(try await heads())
        var behind: [LogID: Int64] = [:]
        for first in stride(from: 0, to: known.count, by: Self.logsAtOnce) {
            let some = known[first..<min(known.count, first + Self.logsAtOnce)]
            behind.merge(try await newer(than: Dictionary(some.map { ($0.key, $0.value) }) { max($0, $1) })) {
                max($0, $1)
            }
        }
        guard !behind.isEmpty else { return 0 }
        let read = core.beginReading()
        try await Task.sleep(for: pause)
        guard core.hasRead(read) else { return 0 }
        let now = try await heads()
        let missed = behind.filter { now[$0.key] ?? .max < $0.value }
        if !missed.isEmpty { core.announce(missed) }
        return missed.count
    }

    /// The logs among these that have newer rows, with their newest rows.
    private func newer(than heads: [LogID: Int64]) async throws -> [LogID: Int64] {
        var (channels, users) = ([[SQLValue]](), [[SQLValue]]())
        for log in heads.keys {
            switch log {
            case .channel(let id): channels.append([.text(id.rawValue)])
            case .user(let id): users.append([.text(id.rawValue)])
            }
        }
        let stored = try await core.readAll { [channels, users] connection in
            var stored: [(LogID, Int64)] = []
            if !channels.isEmpty {
                stored += try connection.rows(
                    "WITH k (id) AS (\(keys: channels)) SELECT c.id, c.seq FROM k JOIN channels c ON c.id = k.id"
                ) { (.channel(try $0.id(0)), try $0.int(1)) }
            }
            if !users.isEmpty {
                stored += try connection.rows(
                    "WITH k (id) AS (\(keys: users)) SELECT u.id, u.seq FROM k JOIN users u ON u.id = k.id"
                ) { (.user(try $0.id(0)), try $0.int(1)) }
            }
            return stored
        }
        return Dictionary(stored.filter { $1 > heads[$0] ?? .max }) { max($0, $1) }
    }
}
