import Foundation
import RoostTesting
import RoostWire
import Testing

/// A server whose settings are changed while it runs.
@Suite(.firstPassOnly, .timeLimit(.minutes(1))) final class SettingsReloadTests {
    private let folder: TemporaryFolder
    private let file: String
    private let ann = HTTPClient.Caller.guest(Cast.ann)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.path + "/roost.yaml"
    }

    private func write(_ text: String) throws {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    private func start(_ options: [String] = []) throws -> Child {
        try Child.roost(
            ["serve", "--config", file, "--dev", "--data", folder.path + "/data", "--port", "0"] + options, in: folder)
    }

    private func port(_ server: Child) async throws -> Int {
        let line = try #require(await server.line())
        return try #require(Int(line.split(separator: ":").last ?? ""))
    }

    /// The next lines of the log, up to one that has a text.
    private func log(_ server: Child, until text: String) async throws -> [String] {
        var lines: [String] = []
        while let line = await server.errorLine() {
            lines.append(line)
            if line.contains(text) { return lines }
        }
        throw POSIXError(.EPIPE)
    }

    private func send(_ length: Int, to port: Int, origin: String? = nil) throws -> HTTPClient.Answer {
        let text = String(repeating: "x", count: length)
        let caller = HTTPClient.Caller(headers: ann.headers.merging(origin.map { ["Origin": $0] } ?? [:]) { $1 })
        return try HTTPClient(port: port).post(
            "message.send", #"{"channel":"club","text":"\#(text)"}"#, from: caller)
    }

    @Test func `limits, origins and the level of the log are taken without a restart`() async throws {
        try write("limit:\n  textBytes: 100\nallow-origin: https://old.example\n")
        let server = try start()
        let port = try await port(server)
        try HTTPClient(port: port).perform(
            CreateChannel(kind: .group, channel: Cast.club), from: ann)
        let limited = try #require(try send(200, to: port).error)
        #expect(limited.message.contains("the limit is 100"), "\(limited.message)")
        #expect(try send(1, to: port, origin: "https://new.example").status == 403)
        #expect(try send(1, to: port, origin: "https://old.example").status == 200)
        try write("limit:\n  textBytes: 300\nallow-origin: https://new.example\nlog-level: debug\n")
        server.signal(SIGHUP)
        let lines = try await log(server, until: "the settings were read again")
        #expect(lines.last?.contains("changed=allow-origin limit log-level") == true, "\(lines)")
        #expect(try send(200, to: port).error == nil)
        #expect(try #require(try send(400, to: port).error).message.contains("the limit is 300"))
        #expect(try send(1, to: port, origin: "https://new.example").status == 200)
        #expect(try send(1, to: port, origin: "https://old.example").status == 403)
        #expect(try await log(server, until: " command").last?.contains("name=message.send") == true)
        // And back, with the level of notices only.
        try write("log-level: notice\n")
        server.signal(SIGHUP)
        _ = try await log(server, until: "the settings were read again")
        #expect(try send(5_000, to: port).error == nil)
        try write("log-level: warning\nbrand: other\nport: 1\n")
        server.signal(SIGHUP)
        let later = try await log(server, until: "need a restart")
        #expect(
            later.contains { $0.contains("settings=brand") } && !later.contains { $0.contains(" command") }, "\(later)")
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
        let audit = try String(contentsOfFile: folder.path + "/data/audit.jsonl", encoding: .utf8)
        #expect(
            audit.contains(
                #""event":"settings.reload","actor":"server","code":0,"changes":["allow-origin","limit","log-level"]"#),
            "\(audit)")
    }

    @Test func `settings that cannot be used change nothing`() async throws {
        try write("limit:\n  textBytes: 100\n")
        let server = try start()
        let port = try await port(server)
        try HTTPClient(port: port).perform(
            CreateChannel(kind: .group, channel: Cast.club), from: ann)
        for (text, problem) in [
            ("limit:\n  textBytes: 300\nlimt: 5\n", "Did you mean"), ("limit:\n  textBytes: many\n", "textBytes"),
            ("retain:\n  party: 90d\n", "--retain"), ("port: [", "roost.yaml"),
        ] {
            try write(text)
            server.signal(SIGHUP)
            let lines = try await log(server, until: "the old ones stay")
            #expect(lines.last?.contains(problem) == true, "\(lines)")
            #expect(try #require(try send(200, to: port).error).message.contains("the limit is 100"))
        }
        try FileManager.default.removeItem(atPath: file)
        server.signal(SIGHUP)
        #expect(try await log(server, until: "the old ones stay").last?.contains("There is no file") == true)
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test func `without a file the signal ends the server, as when a terminal is closed`() async throws {
        let server = try Child.roost(
            ["serve", "--dev", "--data", folder.path + "/data", "--port", "0"], in: folder)
        _ = try await port(server)
        server.signal(SIGHUP)
        #expect(await server.result().status == -SIGHUP)
    }
}
