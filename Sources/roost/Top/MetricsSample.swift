import Foundation
import RoostTerminal

/// The metrics of a server at one time, as Prometheus reads them.
struct MetricsSample {
    private struct Key: Hashable {
        var name: String
        var labels: [String: String]
    }

    /// When it was read, in s since an arbitrary time.
    var time: Double
    private var values: [Key: Double] = [:]

    /// - Parameter text: what `/metrics` answers.
    init(_ text: String, time: Double) {
        self.time = time
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let end = line.lastIndex(of: " "), let value = Double(line[line.index(after: end)...]), value.isFinite
            else { continue }
            values[Self.key(line[..<end])] = value
        }
    }

    /// A name with labels, `name{label="value"}`. The values of Roost have no quotes in them.
    private static func key(_ text: Substring) -> Key {
        guard let brace = text.firstIndex(of: "{") else { return Key(name: String(text), labels: [:]) }
        let matches = text[brace...].matches(of: /([a-z_]+)="([^"]*)"/)
        // They go to a terminal.
        let labels = matches.map { (String($0.1), Printable.safe(String($0.2))) }
        return Key(name: String(text[..<brace]), labels: Dictionary(labels, uniquingKeysWith: { $1 }))
    }

    /// A value without labels; nil if the server does not have it.
    func value(_ name: String) -> Double? { values[Key(name: name, labels: [:])] }

    /// The labels of `roost_build_info`.
    var build: [String: String] { values.keys.first { $0.name == "roost_build_info" }?.labels ?? [:] }

    /// The sum of the values of a name whose labels are as they should be.
    func sum(_ name: String, where isIncluded: ([String: String]) -> Bool = { _ in true }) -> Double {
        values.reduce(0) { $1.key.name == name && isIncluded($1.key.labels) ? $0 + $1.value : $0 }
    }

    /// All values that a label has.
    func labels(_ label: String, of name: String) -> Set<String> {
        Set(values.keys.filter { $0.name == name }.compactMap { $0.labels[label] })
    }

    /// The bounds of a histogram with the counts up to them, in their order.
    fileprivate func buckets(_ name: String, command: String?) -> [(bound: Double, count: Double)] {
        var counts: [Double: Double] = [:]
        for (key, value) in values
        where key.name == name + "_bucket" && (command == nil || key.labels["name"] == command) {
            guard let text = key.labels["le"], let bound = text == "+Inf" ? .infinity : Double(text) else { continue }
            counts[bound, default: 0] += value
        }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// What happened between two samples.
struct MetricsChange {
    private let before: MetricsSample
    let after: MetricsSample

    init(before: MetricsSample, after: MetricsSample) {
        let start = "process_start_time_seconds"
        // A server that was started again counts from 0.
        let isSame = before.value(start) == after.value(start)
        self.before = isSame ? before : MetricsSample("", time: before.time)
        self.after = after
    }

    private var seconds: Double { max(after.time - before.time, 0.001) }

    /// How often something was counted per second.
    func rate(_ name: String, where isIncluded: ([String: String]) -> Bool = { _ in true }) -> Double {
        max(0, after.sum(name, where: isIncluded) - before.sum(name, where: isIncluded)) / seconds
    }

    /// What a part of the values of a histogram were at most; nil if there were none.
    /// - Parameter command: counts only what has this `name`.
    func quantile(_ part: Double, of name: String, command: String? = nil) -> MetricsBound? {
        let old = Dictionary(
            before.buckets(name, command: command).map { ($0.bound, $0.count) }, uniquingKeysWith: { first, _ in first }
        )
        let counts = after.buckets(name, command: command).map { bucket in
            (bound: bucket.bound, count: bucket.count - (old[bucket.bound] ?? 0))
        }
        guard let all = counts.last?.count, all > 0 else { return nil }
        let found = counts.first { $0.count >= all * part }?.bound ?? .infinity
        if found.isFinite { return MetricsBound(seconds: found, isMore: false) }
        return MetricsBound(seconds: counts.last { $0.bound.isFinite }?.bound ?? 0, isMore: true)
    }
}

/// A bound of a histogram.
struct MetricsBound: Encodable, Equatable {
    var seconds: Double
    /// Whether the value is more than that, because there is no larger bound.
    var isMore: Bool
}
