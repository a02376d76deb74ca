import Foundation
import RoostTesting
import RoostWire
import Testing

/// A data folder whose database lacks what was acknowledged: it is refused, until it is whole or known to be restored.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(2))) struct OldDatabaseTests {
    private let folder: TemporaryFolder
    private let ann = HTTPClient.Caller.guest(Cast.ann)

    init() throws { folder = try TemporaryFolder() }

    private var data: String { folder.path + "/data" }

    private func copy(_ name: String, from: String, to: String) throws {
        try? FileManager.default.removeItem(atPath: to + "/" + name)
        try FileManager.default.copyItem(atPath: from + "/" + name, toPath: to + "/" + name)
    }

    private func start(_ data: String? = nil) async throws -> ServerProcess {
        try await ServerProcess.start(data: data ?? self.data)
    }

    private func send(_ texts: ClosedRange<Int>, to server: ServerProcess) throws {
        let http = HTTPClient(server)
        for number in texts { _ = try http.perform(SendMessage(channel: Cast.club, text: "\(number)"), from: ann) }
    }

    private func texts(_ server: ServerProcess) throws -> [String] {
        try HTTPClient(server).perform(ListMessages(channel: Cast.club, limit: 100), from: ann).events.compactMap {
            event in
            guard case .channel(.messageSent(let message)) = event.body else { return nil }
            return message.content.text
        }
    }

    /// The data folder of a server that was stopped with ten messages, and a copy of it in `before`; then it was killed
    /// with thirty.
    private func kill(after before: String = "before") async throws {
        let first = try await start()
        _ = try HTTPClient(first).perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        try send(1...10, to: first)
        #expect(first.stop() == 0)
        try FileManager.default.copyItem(atPath: data, toPath: folder.path + "/" + before)
        let second = try await start()
        try send(11...30, to: second)
        second.kill()
    }

    private func epoch() throws -> String { try String(contentsOfFile: data + "/epoch", encoding: .utf8) }

    /// Checks that no server starts, and that a check finds the reason.
    private func expectRefusal() async throws {
        let refused = try await Child.roost(
            ["serve", "--dev", "--data", data, "--port", "0", "--log-level", "warning"], in: folder
        ).result()
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.errors.contains("Put back") && refused.errors.contains("roost.sqlite-wal"), "\(refused.errors)")
        #expect(refused.errors.contains("roost restored --data \(data)"), "\(refused.errors)")
        #expect(refused.errors.split(separator: "\n").count == 1)
        let check = try await Child.roost(["check", "--data", data], in: folder).result()
        #expect(
            check.status == 1 && check.output.contains { $0.hasPrefix("meta: not as the server left it") }, "\(check)")
    }

    @Test(arguments: ["gone", "cut"])
    func `without its WAL, or with half of it, a database is refused, and with it everything is there`(wal: String)
        async throws
    {
        try await kill()
        let path = data + "/roost.sqlite-wal"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        if wal == "cut" { try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path)) }
        try await expectRefusal()
        try await expectRefusal()
        try whole.write(to: URL(fileURLWithPath: path))
        let server = try await start()
        #expect(try texts(server) == (1...30).map(String.init))
        #expect(server.stop() == 0)
    }

    @Test func `an older database is refused, until it is said to be restored, and then has a new epoch`() async throws
    {
        try await kill()
        let before = try epoch()
        for name in ["roost.sqlite-wal", "roost.sqlite-shm"] {
            try FileManager.default.removeItem(atPath: data + "/" + name)
        }
        try copy("roost.sqlite", from: folder.path + "/before", to: data)
        try await expectRefusal()
        let restored = try await Child.roost(["restored", "--data", data], in: folder).result()
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try epoch() != before)
        let server = try await start()
        #expect(try texts(server) == (1...10).map(String.init))
        try send(11...12, to: server)
        let beside = try await Child.roost(["restored", "--data", data], in: folder).result()
        #expect(beside.status == 1 && beside.errors.contains("another process"), "\(beside.errors)")
        let check = try await Child.roost(["check", "--data", data], in: folder).result()
        #expect(check.status == 0, "\(check.output)")
        #expect(server.stop() == 0)
        // The database from before the restore belongs here no more.
        try copy("roost.sqlite", from: folder.path + "/before", to: data)
        let refused = try await Child.roost(["serve", "--dev", "--data", data, "--port", "0"], in: folder).result()
        #expect(refused.status == 1 && refused.errors.contains("epoch"), "\(refused.errors)")
    }

    @Test func `a backup is restored into an empty folder by the documented steps`() async throws {
        try await kill()
        let before = try epoch()
        let backup = folder.path + "/before"
        try FileManager.default.removeItem(atPath: data)
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let missing = try await Child.roost(["restored", "--data", data], in: folder).result()
        #expect(missing.status == 1 && missing.errors.contains("Copy the backup there"), "\(missing.errors)")
        for name in ["roost.sqlite", "secret"] { try copy(name, from: backup, to: data) }
        #expect(try await Child.roost(["restored", "--data", data], in: folder).result().status == 0)
        #expect(try epoch() != before)
        let server = try await start()
        #expect(try texts(server) == (1...10).map(String.init))
        #expect(server.stop() == 0)
    }

    @Test func `a server that is killed again and again, and a copy of its folder, always start with everything`()
        async throws
    {
        var random = SeededNumbers(for: "OldDatabaseTests kills")
        let first = try await start()
        _ = try HTTPClient(first).perform(CreateChannel(kind: .group, channel: Cast.club), from: ann)
        first.kill()
        var sent = 0
        for _ in 1...TestLength.rounds(20, long: 45) {
            let server = try await start()
            let count = Int.random(in: 0...2, using: &random)
            if count > 0 { try send(sent + 1...sent + count, to: server) }
            sent += count
            server.kill()
        }
        let copied = folder.path + "/copied"
        try FileManager.default.copyItem(atPath: data, toPath: copied)
        for data in [data, copied] {
            let server = try await start(data)
            #expect(try texts(server) == (0..<sent).map { "\($0 + 1)" })
            #expect(server.stop() == 0)
            #expect(try await start(data).stop() == 0)
        }
    }

    @Test(.needsPostgres)
    func `a restored database of PostgreSQL gets a new epoch, too`() async throws {
        let options = ["--database", try Postgres.makeSchema()]
        #expect(try await ServerProcess.start(data: data, arguments: options).stop() == 0)
        let before = try epoch()
        let restored = try await Child.roost(["restored", "--data", data] + options, in: folder).result()
        #expect(restored.status == 0, "\(restored.errors)")
        let renewed = try epoch()
        #expect(renewed != before)
        #expect(try await ServerProcess.start(data: data, arguments: options).stop() == 0)
        #expect(try epoch() == renewed)
        #expect(!FileManager.default.fileExists(atPath: data + "/last-commit"))
    }

    @Test func `a folder of an earlier version has no last commit, and gets one`() async throws {
        try await kill()
        let file = data + "/last-commit"
        for text in [nil, "", "nonsense", "a b c", "a -1"] {
            try FileManager.default.removeItem(atPath: file)
            if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
            #expect(try await start().stop() == 0)
            let line = try String(contentsOfFile: file, encoding: .utf8)
            #expect(line.hasPrefix(try epoch().trimmingCharacters(in: .newlines) + " 0"), "\(line)")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }
}
