package import CoreMetrics
import Logging
package import RoostWire
import Synchronization

/// What the server counts and measures while it runs, kept by a back end of swift-metrics.
///
/// Each value is made at its first use, except for those without labels, which are there from the start.
package final class Meters: Sendable {
    private struct Key: Hashable {
        var metric: Metric
        var values: [String]
    }

    /// What is kept for each name of a command.
    private struct CommandMeters {
        let seconds: CoreMetrics.Timer
        var counters: [Int: Counter] = [:]
    }

    private struct State {
        var counters: [Key: Counter] = [:]
        var gauges: [Key: Meter] = [:]
        var commands: [String: CommandMeters] = [:]
    }

    private let factory: any MetricsFactory
    private let state = Mutex(State())
    private let commitSeconds: CoreMetrics.Timer
    private let lockWaitSeconds: CoreMetrics.Timer
    private let batchCommands: Recorder

    /// - Parameter factory: the back end; by default nothing is kept.
    package init(_ factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.factory = factory
        commitSeconds = CoreMetrics.Timer(label: Metric.commitSeconds.name, factory: factory)
        lockWaitSeconds = CoreMetrics.Timer(label: Metric.lockWaitSeconds.name, factory: factory)
        batchCommands = Recorder(label: Metric.batchCommands.name, factory: factory)
        for metric in Metric.all
        // The system counts the time of the processors.
        where metric.labels.isEmpty && metric.kind == .counter && metric != .processSeconds {
            add(0, to: metric)
        }
        for result in ["accepted", "refused"] { add(0, to: .logins, result) }
    }

    /// Adds to a counter.
    /// - Parameter values: those of its labels, in their order.
    package func add(_ count: Int = 1, to metric: Metric, _ values: String...) {
        let counter = state.withLock { state in
            state.counters.value(for: Key(metric: metric, values: values)) {
                Counter(label: metric.name, dimensions: Self.dimensions(metric, values), factory: factory)
            }
        }
        counter.increment(by: count)
    }

    /// Sets a gauge, or a counter that something else counts.
    /// - Parameter values: those of its labels, in their order.
    package func set(_ metric: Metric, to value: Double, _ values: String...) {
        let gauge = state.withLock { state in
            state.gauges.value(for: Key(metric: metric, values: values)) {
                Meter(label: metric.name, dimensions: Self.dimensions(metric, values), factory: factory)
            }
        }
        gauge.set(value)
    }

    private static func dimensions(_ metric: Metric, _ values: [String]) -> [(String, String)] {
        Array(zip(metric.labels, values))
    }

    /// Notes that a command was answered.
    /// - Parameters:
    ///   - code: that of the error; 0 if it was accepted.
    ///   - time: how long that took, in µs.
    package func noteCommand(_ name: String, code: Int, time: Int64) {
        let (seconds, counter) = state.withLock { state in
            let entry = state.commands.value(for: name) {
                CommandMeters(
                    seconds: CoreMetrics.Timer(
                        label: Metric.commandSeconds.name, dimensions: [("name", name)], factory: factory))
            }
            if let counter = entry.counters[code] { return (entry.seconds, counter) }
            let counter = Counter(
                label: Metric.commands.name, dimensions: [("name", name), ("code", String(code))], factory: factory)
            state.commands[name]?.counters[code] = counter
            return (entry.seconds, counter)
        }
        counter.increment()
        seconds.recordMicroseconds(time)
    }

    /// Notes that a transaction is durable.
    /// - Parameter time: how long that took, in µs.
    func noteCommit(time: Int64) { commitSeconds.recordMicroseconds(time) }

    /// Notes that a transaction begins.
    /// - Parameters:
    ///   - jobs: how many commands and logins are in it.
    ///   - lockTime: how long it took to lock and read what they need, in µs; nil if nobody else uses the database.
    func noteBatch(jobs: Int, lockTime: Int64?) {
        batchCommands.record(jobs)
        if let lockTime { lockWaitSeconds.recordMicroseconds(lockTime) }
    }
}

extension Dictionary {
    /// The value of a key, which is made if there is none.
    fileprivate mutating func value(for key: Key, _ make: () -> Value) -> Value {
        if let value = self[key] { return value }
        let value = make()
        self[key] = value
        return value
    }
}

/// A command that was answered, until it is known that what it has done is durable.
struct AnsweredCommand {
    var name: String
    var id: String
    var user: UserID
    /// The session that has sent it.
    var session: SessionID?
    var code: Int
    /// In µs of `Effects.uptime`.
    var receivedAt: Int64

    init(_ name: String, id: String, _ reply: Reply, from actor: Actor) {
        self.name = name
        self.id = id
        user = actor.user.userID
        session = actor.session
        code = reply.code
        receivedAt = actor.receivedAt
    }
}

extension AnsweredCommand {
    /// The id for a log, where a client could write anything.
    var shownID: String { TransID(rawValue: id) == nil ? "" : id }
}

extension Reply {
    /// The code of its error; 0 if there is none.
    var code: Int {
        switch self {
        case .accepted: 0
        case .refused(let error): error.code
        }
    }
}

extension Meters {
    /// Counts a command, and logs it for those who look for one.
    func note(_ command: AnsweredCommand, uptime: Int64, _ logger: Logger) {
        let time = max(0, uptime - command.receivedAt)
        noteCommand(command.name, code: command.code, time: time)
        logger.debug(
            "command",
            metadata: [
                "name": "\(command.name)", "id": "\(command.shownID)", "user": "\(command.user)",
                "code": "\(command.code)",
                "us": "\(time)",
            ])
    }
}

extension Core {
    /// Counts a command that the transport carries out itself.
    package func measured<Value>(
        _ name: String, _ work: () async throws(WireError) -> Value
    ) async throws(WireError) -> Value {
        let start = effects.uptime()
        do throws(WireError) {
            let value = try await work()
            meters.noteCommand(name, code: 0, time: max(0, effects.uptime() - start))
            return value
        } catch {
            meters.noteCommand(name, code: error.code, time: max(0, effects.uptime() - start))
            throw error
        }
    }
}
