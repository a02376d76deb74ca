import CoreFoundation  // which defines `timespec` where it is imported first
import Foundation
import RoostClient
import RoostWire
import Synchronization

/// A counter that is safe to share between tasks.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Collects latencies and counts delivered messages.
final class Latencies: Sendable {
    private let values = Mutex<[Double]>([])

    /// A text of 100 bytes that starts with the current time.
    static func stamp() -> String {
        let now = "\(nanoseconds()) "
        return now + String(repeating: "x", count: max(0, 100 - now.utf8.count))
    }

    private static func nanoseconds() -> UInt64 { monotonicNanoseconds() }

    func add(_ duration: Duration) { values.withLock { $0.append(duration / .milliseconds(1)) } }

    /// Counts messages up to the wanted number; times every 16th.
    func count(_ events: some AsyncSequence<ClientEvent, Never> & Sendable, until wanted: Int) async {
        var seen = 0
        for await event in events {
            guard case .event(let event, _) = event, let message = event.message else { continue }
            seen += 1
            if seen % 16 == 0, let sent = message.text.split(separator: " ").first.flatMap({ UInt64($0) }) {
                let now = Self.nanoseconds()
                values.withLock { $0.append(Double(now - min(now, sent)) / 1_000_000) }
            }
            if seen >= wanted { return }
        }
    }

    /// How many there are.
    var number: Int { values.withLock(\.count) }

    /// A percentile in ms.
    func percentile(_ share: Double) -> Double? {
        values.withLock { values in
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        }
    }
}

/// The wall clock, in ms since 1970.
func millisecondsNow() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

/// The monotonic clock in ns.
private func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Prints a value as one line of JSON.
func printJSON(_ value: some Encodable) throws { print(String(decoding: try WireCodec.encode(value), as: UTF8.self)) }

/// An error that ends a run.
struct BenchFailure: Error, CustomStringConvertible {
    var description: String
}

/// The result of a run.
struct BenchResult: Encodable {
    var scenario: String
    var settings: [String: Int] = [:]
    var seconds: Double?
    var messages: Int?
    var delivered: Int?
    var deliveredPerSecond: Double?
    var cpuSeconds: Double?
    var cpuSecondsPerMillionDelivered: Double?
    /// The CPU usage while idle, in percent of one core.
    var cpuPercent: Double?
    var p50Milliseconds: Double?
    var p99Milliseconds: Double?
    var idleP50Milliseconds: Double?
    var idleP99Milliseconds: Double?
    var lateP50Milliseconds: Double?
    var lateP99Milliseconds: Double?
    var lateMostMilliseconds: Double?
    var databaseCPUSeconds: Double?
    var databaseCPUSecondsPerMillionDelivered: Double?
    var roundTripsPerMessage: Double?
    var applySeconds: Double?
    var applyCPUSeconds: Double?
    var openStoreMilliseconds: Double?
    var wakeUpsPerMinute: Double?
    var modelRows: Int?
    var modelBytes: Double?
    var rssBytes: Double?
    var rssAtRestBytes: Double?
    var rssBytesPerConnection: Double?
    var machine: String?
    var date: String?
    var command: String?

    init(scenario: String) { self.scenario = scenario }

    mutating func finish(messages: Int, delivered: Int, _ latencies: Latencies) {
        self.messages = messages
        self.delivered = delivered
        if let seconds { deliveredPerSecond = Double(delivered) / seconds }
        if let cpuSeconds { cpuSecondsPerMillionDelivered = cpuSeconds / Double(delivered) * 1_000_000 }
        databaseCPUSecondsPerMillionDelivered = databaseCPUSeconds.map { $0 / Double(delivered) * 1_000_000 }
        p50Milliseconds = latencies.percentile(0.5)
        p99Milliseconds = latencies.percentile(0.99)
    }

    func show() {
        func number(_ value: Double?, _ unit: String, digits: Int = 1) -> String {
            guard let value else { return "–" }
            let scale = [1, 10, 100, 1_000][digits]
            let rounded = (value * Double(scale)).rounded() / Double(scale)
            return (digits == 0 ? "\(Int(rounded))" : "\(rounded)") + " " + unit
        }
        let settings = settings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("\(scenario) (\(settings))")
        if let seconds, let delivered {
            let rate = number(deliveredPerSecond, "per s", digits: 0)
            print("  delivered        \(rate)  (\(delivered) in \(number(seconds, "s", digits: 2)))")
            print("  server CPU       \(number(cpuSecondsPerMillionDelivered, "s per million delivered"))")
        }
        if let databaseCPUSecondsPerMillionDelivered {
            print(
                "  PostgreSQL CPU   \(number(databaseCPUSecondsPerMillionDelivered, "s per million delivered"))")
        }
        if let roundTripsPerMessage {
            print("  round trips      \(number(roundTripsPerMessage, "per message", digits: 3))")
        }
        if let applySeconds {
            let cpu = number(applyCPUSeconds, "s", digits: 2)
            print("  missed applied   in \(number(applySeconds, "s", digits: 2)), CPU \(cpu)")
            print("  store opened     in \(number(openStoreMilliseconds, "ms", digits: 2))")
            print("  idle             \(number(wakeUpsPerMinute, "wake-ups per minute"))")
            let size = number((modelBytes ?? 0) / 1_048_576, "MiB")
            print("  model            \(size) for \(modelRows ?? 0) rows")
        }
        if p50Milliseconds != nil {
            let p99 = number(p99Milliseconds, "ms", digits: 2)
            print("  latency          p50 \(number(p50Milliseconds, "ms", digits: 2)), p99 \(p99)")
        }
        if idleP50Milliseconds != nil {
            let p99 = number(idleP99Milliseconds, "ms", digits: 2)
            print("  with nothing due p50 \(number(idleP50Milliseconds, "ms", digits: 2)), p99 \(p99)")
        }
        if lateP50Milliseconds != nil {
            let late = [lateP50Milliseconds, lateP99Milliseconds, lateMostMilliseconds].map { number($0, "ms") }
            print("  late             p50 \(late[0]), p99 \(late[1]), most \(late[2])")
        }
        if let cpuPercent { print("  quiet            \(number(cpuPercent, "% of a core", digits: 2))") }
        if let rssBytesPerConnection {
            let rest = number((rssAtRestBytes ?? 0) / 1_048_576, "MiB")
            print(
                "  memory           \(number(rssBytesPerConnection / 1_024, "KiB per connection")), at rest \(rest)")
        } else {
            print("  memory           \(number((rssBytes ?? 0) / 1_048_576, "MiB"))")
        }
        if let machine, let date, let command {
            print("  machine          \(machine)")
            print("  date             \(date)")
            print("  command          \(command)")
        }
    }
}
