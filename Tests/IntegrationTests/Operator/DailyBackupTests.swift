import Foundation
import RoostTesting
import RoostWire
import Testing

/// Backups that a server makes itself.
@Suite(.firstPassOnly, .timeLimit(.minutes(2))) final class DailyBackupTests: BackupStage {
    private func serve(_ data: String, _ options: [String]) async throws -> ServerProcess {
        try await ServerProcess.start(
            data: path(data), arguments: ["--backup-to", place] + options, readsLog: true)
    }

    /// Reads the log until a line about a backup.
    private func outcome(_ server: ServerProcess) async throws -> String {
        while let line = await server.line() {
            if line.contains("backup"), !line.contains("a backup begins") { return line }
        }
        throw POSIXError(.EPIPE)
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

    @Test func `a server that is started again makes none before the next is due, and then deletes old ones`()
        async throws
    {
        let server = try await serve("a", [])
        #expect(try await outcome(server).contains("is whole"))
        #expect(server.stop() == 0)
        let old = try #require(try await names().first)
        let again = try await ServerProcess.start(
            data: path("a"), arguments: ["--backup-to", place, "--admin-port", "0"])
        let admin = try #require(await again.line()).dropFirst("admin http://127.0.0.1:".count)
        let http = HTTPClient(port: try #require(Int(admin)))
        // It has looked when it knows the time of the newest.
        var text = ""
        while !text.contains("roost_backup_newest_timestamp_seconds 1") {
            text = String(decoding: try http.exchange("GET", "/metrics", [], [:]).bytes, as: UTF8.self)
        }
        #expect(text.contains("\nroost_backup_failures_total 0\n"))
        #expect(again.stop() == 0)
        #expect(try await names() == [old])
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
        var line = try await outcome(server)
        while line.contains("cannot be read") { line = try await outcome(server) }
        #expect(line.contains("error") && line.contains("the backup failed"), "\(line)")
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
