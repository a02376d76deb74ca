import Foundation
import Logging
import RoostCore
import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostFiles
@testable import RoostServer

/// The files of the audit log.
@Suite(.timeLimit(.minutes(1))) struct AuditLogTests {
    private static let now: Int64 = 1_780_000_020_000

    private let folder: TemporaryFolder
    private let clock = TestClock(now: now)
    private let counter = Counter()

    init() throws { folder = try TemporaryFolder() }

    /// Counts log messages.
    private final class Counter: Sendable {
        let count = Mutex(0)

        var logger: Logger { Logger(label: "test", factory: { _ in Handler(counter: self) }) }

        private struct Handler: LogHandler {
            let counter: Counter
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.info

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) { counter.count.withLock { $0 += 1 } }
        }
    }

    private func log() -> AuditLog {
        AuditLog(folder: folder.path, now: { [clock] in clock.now }, logger: counter.logger)
    }

    private func lines(_ kind: AuditLog.Kind) throws -> [[String: Any]] {
        let path = folder.path + "/" + kind.rawValue
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func entry(_ event: String, code: Int = 0, targets: [String] = []) -> AuditEntry {
        AuditEntry(
            time: clock.now, event: event, sender: .operator, user: "op", address: "192.0.2.1",
            origin: "https://chat.example.com", code: code, targets: targets)
    }

    @Test func `an entry is one line of JSON`() throws {
        var entry = entry("user.setAccess", targets: ["bob"])
        entry.changes = ["canChat=false"]
        #expect(
            String(decoding: AuditLog.line(entry), as: UTF8.self) == """
                {"time":1780000020000,"event":"user.setAccess","actor":"operator","user":"op","address":"192.0.2.1",\
                "origin":"https://chat.example.com","code":0,"targets":["bob"],"changes":["canChat=false"]}

                """)
        let key = AuditEntry(time: 1, event: "e", sender: .key("backend"))
        #expect(
            String(decoding: AuditLog.line(key), as: UTF8.self) == """
                {"time":1,"event":"e","actor":"key","key":"backend","code":0}

                """)
    }

    @Test func `what no id can have is replaced, and everything is cut`() throws {
        let long = String(repeating: "x", count: 10_000)
        var entry = entry("e\"\n{}", targets: ["a\u{1B}[31m\u{202E}b", long] + (0..<500).map { "t\($0)" })
        entry.origin = "https://\r\n" + long
        let line = AuditLog.line(entry)
        #expect(line.count < 4_000)
        #expect(line.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) } && line.count { $0 == 0x0A } == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        #expect(object["event"] as? String == "e????")
        #expect((object["targets"] as? [String])?.first == "a?[31m???b")
        #expect((object["targets"] as? [String])?.count == 100 && object["moreTargets"] as? Int == 402)
    }

    @Test func `a flood of refusals is counted, and displaces nothing that was done`() async throws {
        let log = log()
        log.add(entry("user.delete", targets: ["ann"]))
        for _ in 0..<10_000 { log.add(entry("login", code: 1)) }
        log.add(entry("user.delete", targets: ["bob"]))
        await log.flush()
        #expect(try lines(.acts).map { $0["targets"] as? [String] } == [["ann"], ["bob"]])
        let refusals = try lines(.refusals)
        #expect(refusals.count == AuditLog.mostRefusals + 1)
        #expect(refusals.last?["event"] as? String == "refusals.omitted" && refusals.last?["count"] as? Int == 9_900)
    }

    @Test func `a flood of what a user does is counted, and displaces nothing of operators and of other users`()
        async throws
    {
        let log = log()
        func ban(_ user: UserID) -> AuditEntry {
            AuditEntry(time: clock.now, event: "member.ban", sender: .user, user: user, targets: ["club", "bob"])
        }
        log.add(entry("user.delete", targets: ["ann"]))
        for _ in 0..<10_000 { log.add(ban("eve")) }
        log.add(ban("bob"))
        log.add(entry("user.delete", targets: ["bob"]))
        await log.flush()
        #expect(try lines(.acts).map { $0["targets"] as? [String] } == [["ann"], ["bob"]])
        let users = try lines(.users)
        #expect(users.count { $0["user"] as? String == "eve" } == AuditLog.mostActs)
        #expect(users.contains { $0["user"] as? String == "bob" })
        #expect(users.last?["event"] as? String == "acts.omitted")
        #expect(users.last?["count"] as? Int == 10_000 - AuditLog.mostActs)
    }

    @Test func `a flood of one kind of refusal hides no other`() async throws {
        let log = log()
        for _ in 0..<1_000 { log.add(entry("origin", code: 1_107)) }
        log.add(entry("login", code: 1))
        log.add(entry("user.setAccess", code: 1_107))
        await log.flush()
        let events = try lines(.refusals).compactMap { $0["event"] as? String }
        #expect(events.contains("login") && events.contains("user.setAccess"))
    }

    @Test func `each minute has room for refusals, and begins with how many were left out of the last one`()
        async throws
    {
        let log = log()
        for _ in 0..<150 { log.add(entry("login", code: 1)) }
        clock.advance(by: 60_000)
        log.add(entry("hello", code: 7_002))
        await log.flush()
        let last = try lines(.refusals).suffix(2)
        #expect(last.map { $0["event"] as? String } == ["refusals.omitted", "hello"])
        #expect(last.first?["count"] as? Int == 50)
    }

    @Test func `of the messages of a key one a minute is written`() async throws {
        let log = log()
        var send = AuditEntry(time: clock.now, event: "message.send", sender: .key("bot"), user: "bot")
        send.isTraffic = true
        for _ in 0..<50 { log.add(send) }
        send.event = "message.recall"
        log.add(send)
        send.time += 60_000
        log.add(send)
        await log.flush()
        #expect(
            try lines(.acts).map { $0["event"] as? String } == ["message.send", "message.recall", "message.recall"])
    }

    @Test func `a disk that is full is logged once, and the lines that it cost are counted when there is room`()
        async throws
    {
        let disk = Disk()
        let log = AuditLog(now: { [clock] in clock.now }, logger: counter.logger) { [folder] name in
            LogFile(path: folder.path + "/" + name, mostBytes: 1 << 20, mostFiles: 2) {
                bytes, offset, descriptor, path throws(FileStoreError) in
                if disk.isFull { throw FileStoreError(.full, "There is no room.") }
                try LocalFile.write(bytes, at: offset, descriptor, path)
            }
        }
        for number in 0..<3 {
            log.add(entry("user.delete", targets: ["u\(number)"]))
            await log.flush()
        }
        #expect(counter.count.withLock { $0 } == 1)
        disk.isFull = false
        log.add(entry("user.delete", targets: ["u3"]))
        await log.flush()
        let lines = try lines(.acts)
        #expect(lines.map { $0["event"] as? String } == ["lines.lost", "user.delete"])
        #expect(lines.first?["count"] as? Int == 3)
    }

    @Test func `a disk that hangs holds up nobody, and only so many lines wait`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let log = AuditLog(now: { [clock] in clock.now }, logger: counter.logger) { [folder] name in
            LogFile(path: folder.path + "/" + name, mostBytes: 100 << 20, mostFiles: 2) {
                bytes, offset, descriptor, path throws(FileStoreError) in
                gate.wait()
                defer { gate.signal() }
                try LocalFile.write(bytes, at: offset, descriptor, path)
            }
        }
        let count = 3 * AuditLog.mostWaiting
        for number in 0..<count { log.add(entry("user.delete", targets: ["u\(number)"])) }
        gate.signal()
        await log.flush()
        log.add(entry("user.delete", targets: ["last"]))
        await log.flush()
        let lines = try lines(.acts)
        let lost = lines.compactMap { $0["count"] as? Int }.reduce(0, +)
        #expect(lost >= count - 2 * AuditLog.mostWaiting)
        #expect(lines.count { $0["event"] as? String == "user.delete" } + lost == count + 1)
    }

    private final class Disk: Sendable {
        private let state = Mutex(true)

        var isFull: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }
}
