import HTTPTypes
import Hummingbird
import RoostCore
import RoostWire

/// The answer of `/readyz`.
struct Readiness: Encodable {
    var ready: Bool
    /// Why no command can be taken; absent if they are taken.
    var reason: String?
    /// What of the database is damaged; absent if nothing that is known.
    var damage: String?
    /// How much the connections hold; absent if they hold at most half of what they may.
    var memory: String?
    /// Whether all other servers are heard over the bus; absent without one. A server is ready without it.
    var bus: String?
    /// The number of the schema of the database.
    var schema = Migrations.all.count
}

/// Looks whether the server can do its work.
final class ReadinessCheck: Sendable {
    /// How long the database may take to answer, in ms.
    static let patience: Int64 = 2_000
    /// How long an answer of the database counts, in ms.
    private static let period: Int64 = 1_000

    private let core: Core
    private let draining: Draining
    private let memory: ConnectionMemory
    private let reading: SharedReading<Bool>

    init(_ core: Core, _ draining: Draining, _ memory: ConnectionMemory) {
        self.core = core
        self.draining = draining
        self.memory = memory
        reading = SharedReading(uptime: core.effects.uptime) { (try? await core.checkReading()) != nil }
    }

    func readiness() async -> Readiness {
        var problem = draining.isOn ? "The server is stopping." : core.problem
        if problem == nil, !(await canRead()) {
            problem = "The database does not answer within \(Self.patience / 1_000) seconds."
        }
        return Readiness(
            ready: problem == nil, reason: problem, damage: core.damage, memory: memory.strain,
            bus: core.isBusUp.map { $0 ? "up" : "down" })
    }

    func response() async throws -> Response {
        let readiness = await readiness()
        return HTTPAnswer.response(
            try WireCodec.encode(readiness), status: readiness.ready ? .ok : .serviceUnavailable)
    }

    /// Whether the database can be read. However many ask, it is read once a second.
    private func canRead() async -> Bool {
        await reading.value(withinMs: Self.patience, notOlderThanMs: Self.period) ?? false
    }
}
