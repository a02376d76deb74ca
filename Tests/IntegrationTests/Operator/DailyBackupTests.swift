import Foundation
import RoostTesting
import RoostWire
import Testing

/// Backups that a server makes itself.
@Suite(.firstPassOnly, .timeLimit(.minutes(2))) final class DailyBackupTests: BackupStage {
    private func serve(_ data: String, _ options: [String]) async throws -> ServerProcess {
        // Not at a time that comes while the test runs.
        let later = try #require(Calendar.current.date(byAdding: .hour, value: 12, to: Date()))
        let time = Calendar.current.dateComponents([.hour, .minute], from: later)
        let minute = String(format: "%02d", time.minute ?? 0)
        return try await ServerProcess.start(
            data: path(data),
            arguments: ["--backup-to", place, "--backup-at", "\(time.hour ?? 0):\(minute)"] + options,
            readsLog: true)
    }

    /// Reads the log until one of these texts.
    private func line(_ server: ServerProcess, with texts: String...) async throws -> String {
        while let line = await server.line() {
            if texts.contains(where: line.contains) { return line }
        }
        throw POSIXError(.EPIPE)
    }

    /// What has become of a backup.
    private func outcome(_ server: ServerProcess) async throws -> String {
        try await line(server, with: "the backup was made", "the backup failed", "no backup can be made")
    }

    /// Gives the only backup another time.
    private func move(by seconds: TimeInterval) throws {
        let path = try #require(try manifests().first)
        var text = try String(contentsOfFile: path, encoding: .utf8)
        let stamp = try #require(text.firstMatch(of: /"createdAt":([0-9]+)/))
        let name = try #require(text.firstMatch(of: /"name":"([^"]+)"/)).1
        let created = try #require(Int64(stamp.1)) + Int64(seconds * 1_000)
        let time = Date(timeIntervalSince1970: Double(created) / 1_000).formatted(.iso8601)
        let other = time.replacing(":", with: "-") + "-" + name.suffix(4)
        text = text.replacing(stamp.0, with: "\"createdAt\":\(created)").replacing(name, with: other)
        try FileManager.default.removeItem(atPath: path)
        let moved = path.replacing(name, with: other)
        try Data(text.utf8).write(to: URL(fileURLWithPath: moved))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: moved)
    }

    private func names() async throws -> [String] {
        try await roost(["backup", "list", "--from", place, "--json"]).objects().compactMap { $0["name"] as? String }
    }

    @Test(arguments: Engine.available)
    func `the first backup is made at the start, is checked, and can be restored`(engine: Engine) async throws {
        let stored = try engine.options()
        // It has something in it.
        let first = try await start("a", stored)
        try makeChannel(first)
        try send(1...5, to: first)
        #expect(first.stop() == 0)
        let server = try await serve("a", stored)
        let line = try await outcome(server)
        #expect(line.contains("the backup was made, and is whole"), "\(line)")
        let names = try await names()
        #expect(names.count == 1 && line.contains("name=\(names[0])"), "\(line)")
        #expect(server.stop() == 0)
        let audit = try String(contentsOfFile: path("a/audit.jsonl"), encoding: .utf8)
        #expect(audit.contains(#""event":"backup","actor":"server","code":0,"targets":["\#(names[0])"]"#), "\(audit)")
        #expect(try await restore("b").status == 0)
        let restored = try await start("b")
        #expect(try texts(restored) == (1...5).map(String.init))
        #expect(restored.stop() == 0)
    }

    @Test func `a server that is started again makes none before the next is due`() async throws {
        let server = try await serve("a", [])
        #expect(try await outcome(server).contains("is whole"))
        #expect(server.stop() == 0)
        let made = try await names()
        let again = try await serve("a", ["--admin-port", "0"])
        let first = try await line(again, with: "the next backup is due", "a backup begins")
        #expect(first.contains("the next backup is due"))
        #expect(again.stop() == 0)
        #expect(try await names() == made && made.count == 1)
    }

    @Test func `a backup that was missed is made at the start, and then older ones are deleted`() async throws {
        let first = try await start("a")
        _ = try await backUp("a")
        #expect(first.stop() == 0)
        try move(by: -2 * 86_400)
        let old = try await names()
        let server = try await serve("a", ["--backup-keep", "1"])
        #expect(try await outcome(server).contains("is whole"))
        // It has ended what it does when the next one is due.
        _ = try await line(server, with: "the next backup is due")
        let new = try await names()
        #expect(old.count == 1 && new.count == 1 && new != old)
        #expect(server.stop() == 0)
    }

    @Test func `a place with a backup of a later time is an error`() async throws {
        let first = try await start("a")
        _ = try await backUp("a")
        #expect(first.stop() == 0)
        try move(by: 400 * 86_400)
        let server = try await serve("a", [])
        let line = try await outcome(server)
        #expect(line.contains("no backup can be made") && line.contains("of a later time than now"), "\(line)")
        #expect(server.stop() == 0)
    }

    @Test func `a place that has lost its backups is not taken for a new one`() async throws {
        let server = try await serve("a", [])
        #expect(try await outcome(server).contains("is whole"))
        #expect(server.stop() == 0)
        try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
        let again = try await serve("a", [])
        let line = try await outcome(again)
        #expect(line.contains("no backup can be made") && line.contains("Is it mounted?"), "\(line)")
        #expect(again.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: place))
        try FileManager.default.removeItem(atPath: path("a/last-backup"))
        let anew = try await serve("a", [])
        #expect(try await outcome(anew).contains("is whole"))
        #expect(anew.stop() == 0)
    }

    @Test func `a part that has changed on the disk is stored again at once`() async throws {
        let first = try await start("a")
        try makeChannel(first)
        try send(1...3, to: first)
        _ = try await backUp("a")
        #expect(first.stop() == 0)
        try move(by: -2 * 86_400)
        let (_, part) = try part(of: "channel_log")
        var changed = try Data(contentsOf: part)
        changed[changed.count - 3] ^= 1
        try changed.write(to: part)
        let server = try await serve("a", [])
        let damaged = try await line(server, with: "the backup is damaged", "is whole")
        #expect(damaged.contains("the backup is damaged") && damaged.contains("has changed"), "\(damaged)")
        #expect(try await outcome(server).contains("is whole"))
        #expect(server.stop() == 0)
        #expect(try await roost(["backup", "check", "--from", place]).status == 0)
    }

    @Test(arguments: [false, true])
    func `a server that stops or dies ends the backup that it makes`(isKilled: Bool) async throws {
        let server = try await serve("a", [])
        _ = try await line(server, with: "a backup begins")
        if isKilled { server.kill() } else { #expect(server.stop() == 0) }
        // At most one of them holds the lock of the place, until it ends.
        while true {
            let made = try await roost(["backup", "create", "--data", path("a"), "--to", place])
            if made.errors.contains("is at work") { continue }
            #expect(made.status == 0, "\(made.errors)")
            break
        }
    }

    @Test func `a backup that lacks a file is an error in the log, and older ones stay`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try Data("the plan".utf8).write(to: URL(fileURLWithPath: path("plan.txt")))
        #expect(
            try await roost(
                ["send", "--as", "ann", "--channel", "club", "--file", path("plan.txt")], server: server.url
            )
            .status == 0)
        #expect(server.stop() == 0)
        try FileManager.default.removeItem(atPath: path("a/files/bytes"))
        let broken = try await serve("a", ["--backup-keep", "1"])
        let line = try await outcome(broken)
        #expect(line.contains("error") && line.contains("something is damaged or missing"), "\(line)")
        #expect(line.contains("faults=1"), "\(line)")
        #expect(broken.stop() == 0)
        #expect(try await names().count == 1)
    }

    @Test func `a backup that fails is an error in the log, and the server goes on`() async throws {
        // There are backups of another database.
        let other = try await start("other")
        _ = try await backUp("other")
        #expect(other.stop() == 0)
        let newest = try #require(try manifests().last)
        // A manifest that cannot be read does not show its time, so that a backup is due.
        try Data("{".utf8).write(to: URL(fileURLWithPath: newest))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: newest)
        try FileManager.default.removeItem(atPath: place + "/bytes")
        try Data().write(to: URL(fileURLWithPath: place + "/bytes"))
        let server = try await serve("a", [])
        let line = try await outcome(server)
        #expect(line.contains("error") && !line.contains("the backup was made"), "\(line)")
        try makeChannel(server)
        #expect(server.stop() == 0)
        let audit = try String(contentsOfFile: path("a/audit-refused.jsonl"), encoding: .utf8)
        #expect(audit.contains(#""event":"backup","actor":"server","code":4"#), "\(audit)")
    }

    @Test func `a server is not started with backups in its data folder or in a file`() async throws {
        try Data().write(to: URL(fileURLWithPath: path("file")))
        for (place, reason) in [
            (path("a/backups"), "Backups need a place of their own"), (path("file"), "is a file"),
            ("s3://bucket/x", "region is missing"),
        ] {
            let refused = try await roost(["serve", "--data", path("a"), "--port", "0", "--backup-to", place])
            #expect(refused.status == 1 && refused.errors.contains(reason), "\(place): \(refused.errors)")
        }
    }
}
