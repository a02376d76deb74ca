import Foundation
import RoostWire

/// The row of a server in `nodes`.
struct NodeRow {
    var id: String
    var place: String?
    /// Where it can be found, for people.
    var address: String
    var version: String
    /// The number of migrations that the server knows.
    var schema: Int64
    /// Nil if a later version has written them otherwise.
    var settings: NodeSettings?
    var beat: Int64

    init(_ row: any SQLRow) throws {
        id = try row.text(0)
        place = row.isNull(1) ? nil : try row.text(1)
        address = try row.text(2)
        version = try row.text(3)
        schema = try row.int(4)
        settings = try? JSONDecoder().decode(NodeSettings.self, from: Data(row.text(5).utf8))
        beat = try row.int(6)
    }

    /// A sentence begins with it.
    var name: String { "Another server, \(address) (version \(version))," }

    /// All servers that are noted.
    static func all(_ connection: any SQLConnection) throws -> [NodeRow] {
        try connection.rows("SELECT id, place, address, version, schema, settings, beat FROM nodes ORDER BY id") {
            try NodeRow($0)
        }
    }

    /// Notes that the server has ended, unless it gives a sign of life at this moment; what it has left is removed later.
    /// - Parameter seenAt: its last sign of life, by the clock of this server; nil if only its own clock tells.
    /// - Returns: false if it is alive.
    @discardableResult
    func end(seenAt: Int64?, _ connection: any SQLConnection) throws -> Bool {
        let found = try connection.rows(
            "SELECT seen_at FROM nodes WHERE id = \(id) AND beat = \(beat) \(.forUpdateSkipLocked)"
        ) { try $0.int(0) }
        guard let own = found.first else { return false }
        try EndedNode.insert(id, endedAt: seenAt ?? own, connection)
        try connection.execute("DELETE FROM nodes WHERE id = \(id)")
        return true
    }
}

/// Judges by their beats which other servers are alive, with the monotonic clock of this process alone.
struct NodeWatch {
    /// How long a beat may stay the same before its server counts as dead, in µs.
    static let patience: Int64 = 12_000_000
    /// The longest time between two looks, in µs, after which the count goes on. After a longer one it begins anew: while
    /// this process was paused or could not read, others may have beaten or could not either.
    static let longestStep: Int64 = 4_000_000

    private struct Sighting {
        var beat: Int64
        /// How long it has been the same, in µs.
        var silence: Int64 = 0
        var hasMoved = false
        /// A time before its last sign of life, in ms since 1970; nil if that was before the first look.
        var seenAt: Int64?
    }

    private var sightings: [String: Sighting] = [:]
    private var lastLook: (uptime: Int64, now: Int64)?

    /// Notes what was read now.
    /// - Parameters:
    ///   - uptime: in µs of `Effects.uptime`.
    ///   - now: in ms since 1970; it decides nothing about life.
    mutating func look(_ rows: [NodeRow], at uptime: Int64, now: Int64) {
        let step = lastLook.map { max(0, uptime - $0.uptime) } ?? 0
        let before = lastLook?.now
        lastLook = (uptime, now)
        var found: [String: Sighting] = [:]
        for row in rows {
            guard var known = sightings[row.id] else {
                found[row.id] = Sighting(beat: row.beat)
                continue
            }
            if known.beat == row.beat {
                known.silence = step > Self.longestStep ? 0 : known.silence + step
            } else {
                known = Sighting(beat: row.beat, hasMoved: true, seenAt: before)
            }
            found[row.id] = known
        }
        sightings = found
    }

    /// Whether a server has given no sign of life for too long.
    func isDead(_ id: String) -> Bool { (sightings[id]?.silence ?? 0) >= Self.patience }

    /// A time before the last sign of life of a server, in ms since 1970; nil if it has given none while it was watched.
    func seenAt(_ id: String) -> Int64? { sightings[id]?.seenAt }

    /// Whether a server has given a sign of life while it was watched.
    func hasMoved(_ id: String) -> Bool { sightings[id]?.hasMoved ?? false }
}
