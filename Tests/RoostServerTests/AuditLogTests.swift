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

    private func stranger(_ event: String, code: Int, from address: String? = "192.0.2.1") -> AuditEntry {
        AuditEntry(time: clock.now, event: event, address: address, code: code)
    }

    private func user(_ id: UserID, _ event: String, code: Int = 0, targets: [String] = []) -> AuditEntry {
        AuditEntry(
            time: clock.now, event: event, sender: .user, user: id, address: "192.0.2.1", code: code, targets: targets)
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
        for number in 0..<10_000 { log.add(stranger("login", code: 1, from: "192.0.2.\(number % 50)")) }
        log.add(entry("user.delete", targets: ["bob"]))
        await log.flush()
        #expect(try lines(.acts).map { $0["targets"] as? [String] } == [["ann"], ["bob"]])
        let refusals = try lines(.refusals)
        #expect(refusals.count == AuditBudget.maxRefusals + 1)
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
        #expect(
            users.count { $0["event"] as? String == "member.ban" && $0["user"] as? String == "eve" }
                == AuditBudget.maxActs)
        #expect(users.contains { $0["user"] as? String == "bob" })
        #expect(users.last?["event"] as? String == "acts.omitted" && users.last?["user"] as? String == "eve")
        #expect(users.last?["events"] as? [String] == ["member.ban=\(10_000 - AuditBudget.maxActs)"])
        #expect(users.last?["count"] as? Int == 10_000 - AuditBudget.maxActs)
    }

    @Test func `a flood of one kind of refusal hides no other`() async throws {
        let log = log()
        for number in 0..<1_000 { log.add(stranger("origin", code: 1_107, from: "192.0.2.\(number % 250)")) }
        log.add(stranger("login", code: 1))
        log.add(entry("user.setAccess", code: 1_107))
        await log.flush()
        let events = try lines(.refusals).compactMap { $0["event"] as? String }
        #expect(events.contains("login") && events.contains("user.setAccess"))
    }

    @Test func `one network or user that is refused hides nobody else`() async throws {
        let log = log()
        // Addresses of one network.
        for number in 0..<1_000 { log.add(stranger("body", code: 7_005, from: "2001:db8::\(number % 100)")) }
        log.add(stranger("body", code: 7_005, from: "198.51.100.7"))
        log.add(stranger("body", code: 7_005, from: nil))
        for _ in 0..<1_000 { log.add(user("eve", "unread.get", code: 1_004)) }
        log.add(user("bob", "user.setAccess", code: 1_107))
        var key = AuditEntry(time: clock.now, event: "key.revoke", sender: .key("backend"), user: "op", code: 1_107)
        for _ in 0..<1_000 { log.add(key) }
        key.sender = .key("other")
        log.add(key)
        log.add(entry("key.create", code: 1_004))
        await log.flush()
        let lines = try lines(.refusals)
        func count(_ field: String, _ value: String) -> Int { lines.count { $0[field] as? String == value } }
        #expect(count("event", "body") == AuditBudget.maxRefusalsOfSource + 2)
        #expect(count("user", "eve") == AuditBudget.maxRefusalsOfSource)
        #expect(count("user", "bob") == 1)
        #expect(count("key", "backend") == AuditBudget.maxRefusalsOfSource)
        #expect(count("key", "other") == 1 && count("actor", "operator") == 1)
        let omitted = 3 * (1_000 - AuditBudget.maxRefusalsOfSource)
        #expect(lines.last?["event"] as? String == "refusals.omitted" && lines.last?["count"] as? Int == omitted)
    }

    @Test func `refusals of many strangers hide none of a user`() async throws {
        let log = log()
        for number in 0..<1_000 { log.add(stranger("body", code: 7_005, from: "192.0.2.\(number % 250)")) }
        log.add(user("bob", "user.setAccess", code: 1_107))
        log.add(entry("user.setAccess", code: 1_107))
        await log.flush()
        let lines = try lines(.refusals)
        #expect(lines.count { $0["event"] as? String == "user.setAccess" } == 2)
        #expect(lines.count { $0["event"] as? String == "body" } == AuditBudget.maxRefusals)
    }

    @Test func `long lists of a user's acts are cut, and the files hold more than a day of them`() async throws {
        let log = log()
        func id(_ number: Int) -> String { "\(number)" + String(repeating: "x", count: 60) }
        let group = String(repeating: "g", count: 64)
        for number in 0..<100 {
            let event = number % 2 == 0 ? "member.ban" : "member.unban"
            log.add(user("eve", event, targets: [group] + (100..<200).map(id)))
        }
        log.add(user("eve", "channel.dismiss", targets: [group]))
        log.add(user("bob", "member.ban", targets: [group] + (100..<200).map(id)))
        await log.flush()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + AuditLog.Kind.users.rawValue)).count
        #expect(bytes < 40_000)
        #expect(AuditBudget.maxActBytes * 60 * 24 < AuditLog.maxFiles * Int(AuditLog.maxBytes))
        let lines = try lines(.users)
        let eves = lines.filter { $0["user"] as? String == "eve" }
        #expect((eves.first?["targets"] as? [String])?.count == AuditLog.maxTargets)
        let ban = try #require(eves.last { $0["event"] as? String == "member.ban" })
        #expect((ban["targets"] as? [String]) == [group, id(100)] && ban["moreTargets"] as? Int == 99)
        // The first act of each kind is written, whatever was done before.
        #expect(eves.contains { $0["event"] as? String == "channel.dismiss" })
        #expect(lines.contains { $0["user"] as? String == "bob" && ($0["targets"] as? [String])?.count == 100 })
        let last = try #require(lines.last)
        let written = eves.count { ($0["event"] as? String)?.hasPrefix("member.") == true }
        #expect(last["event"] as? String == "acts.omitted" && last["user"] as? String == "eve")
        #expect(last["count"] as? Int == 100 - written)
        let events = try #require(last["events"] as? [String])
        #expect(events.map { $0.prefix { $0 != "=" } } == ["member.ban", "member.unban"])
    }

    @Test func `of many users who do too much a hundred are named`() throws {
        var budget = AuditBudget()
        for number in 0..<150 {
            let id = try #require(UserID(rawValue: "u\(number)"))
            for _ in 0...AuditBudget.maxActs { _ = budget.line(of: user(id, "member.kick", targets: ["club"])) }
        }
        let omissions = try budget.omissions(at: clock.now).map { omission in
            try #require(try JSONSerialization.jsonObject(with: Data(omission.line)) as? [String: Any])
        }
        #expect(omissions.count == AuditBudget.maxNamed + 1)
        #expect(omissions.count { $0["user"] != nil } == AuditBudget.maxNamed)
        #expect(omissions.last?["user"] == nil && omissions.last?["count"] as? Int == 150 - AuditBudget.maxNamed)
    }

    @Test func `each minute has room for refusals, and begins with how many were left out of the last one`()
        async throws
    {
        let log = log()
        for number in 0..<150 { log.add(stranger("login", code: 1, from: "192.0.2.\(number % 50)")) }
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
            LogFile(path: folder.path + "/" + name, maxBytes: 1 << 20, maxFiles: 2) {
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
            LogFile(path: folder.path + "/" + name, maxBytes: 100 << 20, maxFiles: 2) {
                bytes, offset, descriptor, path throws(FileStoreError) in
                gate.wait()
                defer { gate.signal() }
                try LocalFile.write(bytes, at: offset, descriptor, path)
            }
        }
        let count = 3 * AuditLog.maxWaiting
        for number in 0..<count { log.add(entry("user.delete", targets: ["u\(number)"])) }
        gate.signal()
        await log.flush()
        log.add(entry("user.delete", targets: ["last"]))
        await log.flush()
        let lines = try lines(.acts)
        let lost = lines.compactMap { $0["count"] as? Int }.reduce(0, +)
        #expect(lost >= count - 2 * AuditLog.maxWaiting)
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
