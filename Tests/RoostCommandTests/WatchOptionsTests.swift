import Foundation
import Logging
import Synchronization
import Testing

@testable import roost

/// The log as JSON, and when backups are due.
@Suite struct WatchOptionsTests {
    private func line(_ logs: (inout Logger) -> Void) throws -> [String: Any] {
        let lines = Mutex<[[UInt8]]>([])
        var logger = Logger(label: "test") { _ in JSONLogHandler { bytes in lines.withLock { $0.append(bytes) } } }
        logs(&logger)
        let found = lines.withLock { $0 }
        #expect(found.count == 1 && found.first?.last == 0x0A && found.first?.filter { $0 == 0x0A }.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(try #require(found.first)))
        return try #require(object as? [String: Any])
    }

    @Test func `an entry of the log is one line, whatever is in it`() throws {
        let entry = try line { logger in
            logger[metadataKey: "node"] = "one"
            logger.warning(
                "a \"b\"\nc",
                metadata: [
                    "user": "é\u{0}\u{1B}[31m", "time": "now", "list": ["1", .dictionary(["x": "y"])],
                    "count": .stringConvertible(7), "a\"b": "c",
                ])
        }
        #expect(entry["level"] as? String == "warning" && entry["message"] as? String == "a \"b\"\nc")
        #expect(entry["node"] as? String == "one" && entry["user"] as? String == "é\u{0}\u{1B}[31m")
        #expect(
            entry["time_"] as? String == "now" && entry["count"] as? String == "7" && entry["a\"b"] as? String == "c")
        let list = try #require(entry["list"] as? [Any])
        #expect(list[0] as? String == "1" && list[1] as? [String: String] == ["x": "y"])
        let time = try #require(entry["time"] as? String)
        #expect(time.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z/) != nil)
    }

    @Test func `the text of an error is in its entry`() throws {
        struct Fault: Error, CustomStringConvertible { let description = "the disk" }
        #expect(
            try line { $0.error("cannot write", metadata: ["error": "\(Fault())"]) }["error"] as? String == "the disk")
    }

    // MARK: Backups

    /// A time in New York, where the clock is set forward on 2026-03-08 at 2.
    private static func time(_ text: String) throws -> Date {
        let formatter = DateFormatter()
        formatter.calendar = try calendar()
        formatter.timeZone = formatter.calendar.timeZone
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return try #require(formatter.date(from: text))
    }

    private static func calendar() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        return calendar
    }

    @Test(arguments: [
        // The newest one, now, the time of the day, and when the next one is due.
        ("2026-06-01 03:00", "2026-06-01 12:00", "03:00", "2026-06-02 03:00"),
        ("2026-06-01 02:59", "2026-06-01 02:59", "03:00", "2026-06-01 03:00"),
        // One that was missed is due since then.
        ("2026-05-30 03:00", "2026-06-01 12:00", "03:00", "2026-05-31 03:00"),
        // One that was made by hand counts.
        ("2026-06-01 11:00", "2026-06-01 12:00", "03:00", "2026-06-02 03:00"),
        ("2026-06-01 23:59", "2026-06-01 23:59", "0:00", "2026-06-02 00:00"),
        // There is no such time on that day.
        ("2026-03-07 02:30", "2026-03-07 12:00", "02:30", "2026-03-08 03:00"),
        // The clock was set back since.
        ("2027-01-01 03:00", "2026-06-01 12:00", "03:00", "2026-06-02 03:00"),
    ])
    func `a backup is due at the next such time after the newest one`(
        newest: String, now: String, at time: String, due: String
    ) throws {
        var options = BackupOptions()
        options.backupAt = time
        let found = BackupOptions.due(
            after: try Self.time(newest), at: try #require(options.time), now: try Self.time(now),
            calendar: try Self.calendar())
        #expect(found == (try Self.time(due)))
    }

    @Test func `the first backup is due at once`() throws {
        let now = try Self.time("2026-06-01 12:00")
        #expect(BackupOptions.due(after: nil, at: DateComponents(hour: 3, minute: 0), now: now) == now)
    }
}
