import Foundation
import Testing

@testable import roost

/// What `roost top` makes of two looks at the metrics.
@Suite struct TopTests {
    /// Metrics as the server writes them.
    private static func text(sends: Int, refused: Int, slow: Int, start: Int = 1_000) -> String {
        """
        # HELP roost_commands_total Commands.
        # TYPE roost_commands_total counter
        roost_build_info{version="0.1.0",commit="0123456789",schema="31",protocol="1"} 1
        roost_ready 1
        roost_sessions 1234
        roost_database_bytes 1073741824
        roost_backup_newest_timestamp_seconds 0
        process_start_time_seconds \(start)
        roost_commands_total{name="message.send",code="0"} \(sends)
        roost_commands_total{name="message.send",code="1102"} \(refused)
        roost_commands_total{name="channel.list",code="0"} 7
        roost_command_seconds_bucket{name="message.send",le="0.001"} \(sends - slow)
        roost_command_seconds_bucket{name="message.send",le="0.01"} \(sends)
        roost_command_seconds_bucket{name="message.send",le="+Inf"} \(sends)
        """
    }

    private func screen(_ before: String, _ after: String, seconds: Double) -> TopScreen {
        let change = MetricsChange(
            before: MetricsSample(before, time: 5), after: MetricsSample(after, time: 5 + seconds))
        return TopScreen(change, now: 1_000 + 93_784)
    }

    @Test func `rates and times are of what happened between two looks`() throws {
        let shown = screen(
            Self.text(sends: 100, refused: 1, slow: 50), Self.text(sends: 300, refused: 5, slow: 60), seconds: 2)
        #expect(shown.rates["roost_commands_total"] == 102)
        #expect(shown.rates["refusedCommands"] == 2)
        #expect(shown.commands.map(\.name) == ["message.send"], "what did not happen is not shown")
        let send = try #require(shown.commands.first)
        #expect(send.perSecond == 102 && send.errorsPerSecond == 2)
        // Of 200 answers 190 were faster than 1 ms, and 10 took up to 10 ms.
        #expect(send.half == MetricsBound(seconds: 0.001, isMore: false))
        #expect(send.most == MetricsBound(seconds: 0.01, isMore: false))
        #expect(shown.errors.map(\.code) == [1102] && shown.errors.first?.perSecond == 2)
        let lines = shown.lines(rows: 40, clock: "12:00:00", now: 1_000 + 93_784)
        #expect(lines.first == "roost 0.1.0 (01234567), schema 31, up 1 d 2 h, ready   12:00:00")
        #expect(lines.contains { $0.contains("1,234 sessions") })
        #expect(lines.contains { $0.contains("1.0 GiB in the database") && $0.contains("NO BACKUP") })
        #expect(lines.contains { $0.hasPrefix("message.send") && $0.contains("102.0") && $0.contains("10.0 ms") })
    }

    @Test func `a server that was started again counts from nothing, and one without commands shows none`() {
        let again = screen(
            Self.text(sends: 10, refused: 9, slow: 0), Self.text(sends: 20, refused: 0, slow: 20, start: 2_000),
            seconds: 1)
        #expect(again.commands.map(\.name) == ["message.send", "channel.list"])
        #expect(again.commands.first?.perSecond == 20)
        #expect(again.commands.first?.half == MetricsBound(seconds: 0.01, isMore: false))
        let still = Self.text(sends: 1, refused: 0, slow: 0)
        let quiet = screen(still, still, seconds: 1)
        #expect(quiet.commands.isEmpty && quiet.errors.isEmpty)
        #expect(quiet.lines(rows: 40, clock: "", now: 0).last == "no commands")
        #expect(screen("", "", seconds: 1).lines(rows: 3, clock: "", now: 0).first == "roost ?, schema ?, NOT READY   ")
    }

    @Test func `what is beyond all bounds, no number or no text is shown as such`() {
        let metrics = """
            roost_build_info{version="0.1.0\u{1B}[31m",commit="",schema="31",protocol="1"} 1
            roost_database_bytes +Inf
            roost_disk_free_bytes 1e300
            roost_backup_newest_timestamp_seconds NaN
            roost_commands_total{name="file.upload",code="0"} 5
            roost_command_seconds_bucket{name="file.upload",le="10"} 1
            roost_command_seconds_bucket{name="file.upload",le="+Inf"} 5
            """
        let lines = screen("", metrics, seconds: 1).lines(rows: 40, clock: "", now: 0)
        #expect(lines.contains { $0.hasPrefix("file.upload") && $0.contains("> 10,000 ms") }, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        #expect(lines.contains { $0.contains("– in the database") })
    }

    @Test func `a small terminal gets the busiest commands, and no more lines than it has`() {
        func metrics(_ count: Int) -> String {
            (0..<50).map { "roost_commands_total{name=\"command.\($0)\",code=\"0\"} \(count * $0)" }
                .joined(separator: "\n")
        }
        let shown = screen(metrics(1), metrics(2), seconds: 1)
        let lines = shown.lines(rows: 24, clock: "", now: 0)
        #expect(lines.count == 24)
        #expect(lines.contains { $0.hasPrefix("command.49 ") } && !lines.contains { $0.hasPrefix("command.1 ") })
    }
}
