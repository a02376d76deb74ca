import CoreMetrics
import Foundation
import RoostCore
import RoostServer
import Testing

@Suite struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    private func lines(_ name: String) -> [String] {
        registry.text().split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && $0.hasPrefix(name) }
    }

    @Test func `a counter has its values by label, and its help and type once`() {
        let meters = Meters(registry)
        meters.add(to: .logins, "accepted")
        meters.add(2, to: .logins, "refused")
        meters.add(to: .logins, "refused")
        #expect(
            lines("roost_logins") == [
                #"roost_logins_total{result="accepted"} 1"#, #"roost_logins_total{result="refused"} 3"#,
            ])
        let text = registry.text()
        #expect(text.ranges(of: "# TYPE roost_logins_total counter\n").count == 1)
        #expect(text.ranges(of: "# HELP roost_logins_total ").count == 1)
    }

    @Test func `counters without labels are there before they count anything`() {
        _ = Meters(registry)
        #expect(lines("roost_deliveries_total") == ["roost_deliveries_total 0"])
        #expect(lines("roost_bus_missed_total") == ["roost_bus_missed_total 0"])
    }

    @Test(arguments: [
        (0, "0"), (1.5, "1.5"), (-2, "-2"), (1e-7, "1e-07"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        (1e300, "1e+300"), (12_345_678_901_234, "12345678901234"),
    ])
    func `a gauge is a number as Prometheus reads it`(value: Double, text: String) {
        Meters(registry).set(.databaseBytes, to: value)
        #expect(lines("roost_database_bytes") == ["roost_database_bytes " + text])
    }

    @Test func `a label may have any characters`() {
        Meters(registry).set(.dueLagSeconds, to: 1, "a\"b\\c\nd é")
        #expect(lines("roost_due_lag") == [#"roost_due_lag_seconds{task="a\"b\\c\nd é"} 1"#])
    }

    @Test func `the buckets of a histogram include those before, and the last one has all`() {
        let meters = Meters(registry)
        for time: Int64 in [400, 500, 501, 20_000_000] { meters.noteCommand("message.send", code: 0, time: time) }
        let found = lines("roost_command_seconds")
        #expect(found[0] == #"roost_command_seconds_bucket{name="message.send",le="0.0005"} 2"#)
        #expect(found[1] == #"roost_command_seconds_bucket{name="message.send",le="0.001"} 3"#)
        #expect(found.suffix(4).first == #"roost_command_seconds_bucket{name="message.send",le="10"} 3"#)
        #expect(
            found.suffix(3) == [
                #"roost_command_seconds_bucket{name="message.send",le="+Inf"} 4"#,
                #"roost_command_seconds_sum{name="message.send"} 20.001401"#,
                #"roost_command_seconds_count{name="message.send"} 4"#,
            ])
        #expect(lines("roost_commands_total") == [#"roost_commands_total{name="message.send",code="0"} 4"#])
    }

    @Test func `metrics of other packages are shown behind those of the server`() {
        _ = Meters(registry)
        Counter(label: "other_total", factory: registry).increment()
        CoreMetrics.Timer(label: "other_seconds", factory: registry).recordSeconds(2)
        // One of another kind with the same name is not shown.
        Meter(label: "other_total", factory: registry).set(7)
        #expect(lines("other_total") == ["other_total 1"])
        #expect(
            lines("other_seconds") == [
                #"other_seconds_bucket{le="+Inf"} 1"#, "other_seconds_sum 2", "other_seconds_count 1",
            ])
        #expect(registry.text().hasSuffix("other_total 1\n"))
    }

    @Test func `each metric has a name of its own by the rules of Prometheus`() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
        for metric in Metric.all {
            #expect(metric.name.wholeMatch(of: /(roost|process)_[a-z_]+[a-z]/) != nil)
            #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
            #expect(metric.help.hasSuffix(".") && !metric.help.contains("\n"), "\(metric.name)")
        }
    }

    @Test func `the documents list each metric`() throws {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../../../docs/metrics.md").standardizedFileURL
        let rows = try String(contentsOf: root, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("| `roost_") || $0.hasPrefix("| `process_")
        }
        #expect(
            rows.map(String.init)
                == Metric.all.map { metric in
                    let kind =
                        switch metric.kind {
                        case .counter: "counter"
                        case .gauge: "gauge"
                        case .histogram: "histogram"
                        }
                    let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
                    return "| `\(metric.name)` | \(kind) | \(labels) | \(metric.help) |"
                })
    }
}
