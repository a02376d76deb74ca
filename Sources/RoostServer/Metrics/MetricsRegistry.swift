package import CoreMetrics
import RoostCore
import Synchronization

/// Keeps what is counted and measured in memory, and writes it in the text format of Prometheus.
///
/// Format: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
package final class MetricsRegistry: MetricsFactory {
    /// The values of a name, by its labels as they are written.
    private typealias Family = [String: any MetricValue]

    private let families = Mutex<[String: Family]>([:])
    private static let metrics = Dictionary(uniqueKeysWithValues: Metric.all.map { ($0.name, $0) })

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        value(label, dimensions) { CounterValue() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        value(label, dimensions) { GaugeValue() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        value(label, dimensions) { HistogramValue(bounds: Self.bounds(label)) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        value(label, dimensions) { HistogramValue(bounds: Self.bounds(label)) }
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private static func bounds(_ label: String) -> [Double] {
        guard case .histogram(let bounds) = metrics[label]?.kind else { return [] }
        return bounds
    }

    /// The value with this name and these labels, made if there is none. One of another kind stays, and the new one is
    /// not shown.
    private func value<Value: MetricValue>(
        _ name: String, _ dimensions: [(String, String)], _ make: () -> Value
    ) -> Value {
        let labels = dimensions.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        return families.withLock { families in
            if let known = families[name]?[labels] { return known as? Value ?? make() }
            let value = make()
            families[name, default: [:]][labels] = value
            return value
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// All values as text: those of ``Metric/all`` in that order, then the others by name.
    package func text() -> String {
        let families = families.withLock { $0 }
        var text = ""
        let others = families.keys.filter { Self.metrics[$0] == nil }.sorted()
        for name in Metric.all.map(\.name) + others {
            guard let family = families[name], let first = family.values.first else { continue }
            if let help = Self.metrics[name]?.help { text += "# HELP \(name) \(help)\n" }
            text += "# TYPE \(name) \(Self.metrics[name]?.kind.word ?? first.word)\n"
            for (labels, value) in family.sorted(by: { $0.key < $1.key }) { value.write(to: &text, name, labels) }
        }
        return text
    }

    /// A number as Prometheus reads it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}

extension Metric.Kind {
    fileprivate var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}

/// What is kept of a metric.
private protocol MetricValue: Sendable {
    /// The word for its type.
    var word: String { get }
    func write(to text: inout String, _ name: String, _ labels: String)
}

private func line(_ name: String, _ labels: String, _ value: String) -> String {
    labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
}

private final class CounterValue: CounterHandler, MetricValue {
    private let count = Atomic<Int64>(0)
    let word = "counter"

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }

    func write(to text: inout String, _ name: String, _ labels: String) {
        text += line(name, labels, String(count.load(ordering: .relaxed)))
    }
}

private final class GaugeValue: MeterHandler, MetricValue {
    private let value = Mutex(0.0)
    let word = "gauge"

    func set(_ new: Int64) { value.withLock { $0 = Double(new) } }
    func set(_ new: Double) { value.withLock { $0 = new } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func write(to text: inout String, _ name: String, _ labels: String) {
        text += line(name, labels, MetricsRegistry.number(value.withLock { $0 }))
    }
}

/// How often values were at most each of some bounds. Times are kept in seconds.
private final class HistogramValue: RecorderHandler, TimerHandler, MetricValue {
    private struct State {
        /// How many values are in each bucket alone; the last one has what is beyond all bounds.
        var counts: [Int64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>
    let word = "histogram"

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

    func write(to text: inout String, _ name: String, _ labels: String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let before = labels.isEmpty ? "" : labels + ","
        var count: Int64 = 0
        for (bound, more) in zip(bounds + [.infinity], counts) {
            count += more
            text += line(name + "_bucket", before + "le=\"\(MetricsRegistry.number(bound))\"", String(count))
        }
        text += line(name + "_sum", labels, MetricsRegistry.number(sum))
        text += line(name + "_count", labels, String(count))
    }
}
