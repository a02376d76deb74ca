import Crypto
import Foundation
import RoostTesting
import RoostWire
import Testing

/// The audit log of a real server.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(1))) struct AuditLogTests {
    /// A server that its operator can ask, and its two files.
    private struct Desk {
        let harness: ServerHarness
        let http: HTTPClient
        let chief: HTTPClient.Caller

        init(options: [String] = []) async throws {
            harness = try await ServerHarness(isDevelopment: false, isFile: true, options: options, isRecorded: false)
            http = HTTPClient(harness)
            chief = .token(try await Self.token(harness))
        }

        static func token(_ harness: ServerHarness) async throws -> String {
            let arguments = ["token", "--data", harness.data, "--user", "op", "--operator"]
            return try #require(try await Child.roost(arguments, in: harness.folder).result().output.first)
        }

        func text(_ name: String) -> String {
            (try? String(contentsOfFile: harness.data + "/" + name, encoding: .utf8)) ?? ""
        }

        func lines(_ name: String) throws -> [[String: Any]] {
            try text(name).split(separator: "\n").map { try Child.object(String($0)) }
        }
    }

    private static let acts = "audit.jsonl"
    private static let refusals = "audit-refused.jsonl"
    private static let users = "audit-users.jsonl"

    /// What stands in a line besides its time and address.
    private static func summary(_ line: [String: Any]) -> String {
        let words = ["event", "actor", "key", "user", "origin"].compactMap { name in
            (line[name] as? String).map { "\(name)=\($0)" }
        }
        let lists = ["targets", "changes"].compactMap { name in
            (line[name] as? [String]).map { "\(name)=\($0.joined(separator: ","))" }
        }
        return (words + ["code=\(line["code"] as? Int ?? -1)"] + lists).joined(separator: " ")
    }

    @Test func `each kind of act and refusal is in its file, and no name, text, password or token`() async throws {
        let desk = try await Desk(options: ["--limit", "commandsPerSecond=1", "--limit", "commandBurst=60"])
        let (http, chief) = (desk.http, desk.chief)
        let (name, login) = ("Zaphod Beeblebrox", "zaphod.login@example.com")
        let (first, second) = ("a first passphrase", "a second passphrase")
        let text = "a text that is nobody's business"

        // Accounts and passwords.
        let account = NewAccount(loginName: login, password: first, userID: "zed", name: name)
        try http.perform(RegisterAccounts(accounts: [account]), from: chief)
        #expect(
            try http.refusal(LogIn(loginName: login, password: "a wrong passphrase"), from: .nobody)?.entry
                == .wrongCredentials)
        let old = try http.perform(LogIn(loginName: login, password: first), from: .nobody).token
        try http.perform(SetAccount(password: second, oldPassword: first), from: .token(old))
        #expect(try http.refusal(GetUnread(), from: .token(old))?.entry == .tokenExpired)
        #expect(try http.refusal(GetUnread(), from: .token("a.b.c"))?.entry == .wrongCredentials)
        let zed = try http.perform(LogIn(loginName: login, password: second), from: .nobody).token
        #expect(try http.refusal(SetUserAccess(userID: "op", canChat: false), from: .token(zed))?.entry == .noPrivilege)

        // A key.
        let key = APIKey.prefix + String(repeating: "5", count: 64)
        let hash = SHA256.hash(data: Data(key.utf8)).map { String(format: "%02x", $0) }.joined()
        try http.perform(CreateKey(key: "backend", hash: hash, scopes: [.accounts, .messages]), from: chief)
        let backend = HTTPClient.Caller.token(key)
        try http.perform(SetUserAccess(userID: "zed", canCall: false), from: backend)
        try http.perform(CreateChannel(kind: .group, channel: "room", title: text), from: backend)
        for _ in 0..<3 { try http.perform(SendMessage(channel: "room", text: text), from: backend) }
        #expect(try http.refusal(RevokeKey(key: "backend"), from: backend)?.entry == .noPrivilege)
        try http.perform(RevokeKey(key: "backend"), from: chief)
        #expect(try http.refusal(GetUnread(), from: backend)?.entry == .wrongCredentials)

        // Limits and origins.
        while try http.refusal(GetUnread(), from: .token(zed))?.entry != .tooManyRequests {}
        let foreign = ["Origin": "https://evil.example", "Idempotency-Key": "foreign-1"]
        #expect(try http.request("POST", "/v1/account.logIn", "{}", foreign).status == 403)
        let large = String(repeating: " ", count: 70_000)
        let large413 = try HTTPClient(desk.harness).post("unread.get", large, from: chief)
        #expect(large413.status == 413)
        let upload = try http.perform(CreateFile(name: "\(name).bin", size: 3), from: chief)
        let part = chief.headers.merging(
            ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"], uniquingKeysWith: { $1 })
        let more = try HTTPClient(desk.harness).exchange("PATCH", upload.path, [1, 2, 3, 4], part)
        #expect(more.status == 413)

        // Sockets.
        #expect(try RawSession(desk.harness).hello(.token("a.b.c"))?.entry == .wrongCredentials)
        let socket = try RawSession(desk.harness)
        #expect(try socket.hello(chief) == nil)
        #expect(try socket.perform("user.delete", #"{"userID":"nobody"}"#)?.entry == .userNotFound)
        #expect(try socket.perform("member.kick", #"{"channel":"other","members":["zed"]}"#) != nil)
        for _ in 0..<3 { try socket.send(text) }
        #expect(throws: ExpectationFailure.self) { while true { _ = try socket.next() } }

        // The end of a user, and of a secret.
        try http.perform(DeleteUser(userID: "zed"), from: chief)
        #expect(
            try await Child.roost(["secret", "rotate", "--data", desk.harness.data], in: desk.harness.folder)
                .result().status == 0)
        try await until { desk.text(Self.acts).contains("secret.change") }
        desk.harness.stop()

        let acts = try desk.lines(Self.acts).map(Self.summary).filter { !$0.contains("secret.change") }
        #expect(
            acts == [
                "event=server.start actor=server code=0",
                "event=account.register actor=operator user=op code=0 targets=zed",
                "event=key.create actor=operator user=op code=0 targets=backend,op changes=scope=accounts,scope=messages",
                "event=user.setAccess actor=key key=backend user=op code=0 targets=zed changes=canCall=false",
                "event=channel.create actor=key key=backend user=op code=0 targets=room",
                "event=message.send actor=key key=backend user=op code=0",
                "event=key.revoke actor=operator user=op code=0 targets=backend",
                "event=file.create actor=operator user=op code=0",
                "event=user.delete actor=operator user=op code=0 targets=zed",
            ])
        #expect(
            try desk.lines(Self.users).map(Self.summary) == [
                "event=account.set actor=user user=zed code=0 targets=zed changes=password"
            ])
        let refusals = try desk.lines(Self.refusals).map(Self.summary)
        for expected in [
            "event=login actor=stranger code=1 targets=zed", "event=unread.get actor=user user=zed code=7002",
            "event=login actor=stranger code=1", "event=user.setAccess actor=user user=zed code=1107",
            "event=key.revoke actor=key key=backend user=op code=1107",
            "event=unread.get actor=user user=zed code=1004",
            "event=origin actor=stranger origin=https://evil.example code=1107", "event=body actor=stranger code=7005",
            "event=file.upload actor=operator user=op code=7005 targets=\(upload.fileID)",
            "event=hello actor=stranger code=1", "event=socket.close actor=operator user=op code=1008",
        ] {
            #expect(refusals.contains(expected), "\(expected) in \(refusals)")
        }
        for line in try desk.lines(Self.acts) + desk.lines(Self.refusals) where line["actor"] as? String != "server" {
            #expect(line["address"] as? String == "127.0.0.1", "\(line)")
        }
        let bytes = desk.text(Self.acts) + desk.text(Self.refusals) + desk.text(Self.users)
        for secret in [
            name, "Zaphod", login, "zaphod", first, second, "passphrase", text, old, zed, key, hash, "a.b.c",
        ] {
            #expect(!bytes.contains(secret), "\(secret)")
        }
        for file in [Self.acts, Self.refusals, Self.users] {
            let attributes = try FileManager.default.attributesOfItem(atPath: desk.harness.data + "/" + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a flood of wrong tokens leaves what was done, and is counted at the end`() async throws {
        let desk = try await Desk()
        for _ in 0..<250 { _ = try desk.http.refusal(GetUnread(), from: .token("a.b.c")) }
        try desk.http.perform(CreateChannel(kind: .group, channel: "room"), from: desk.chief)
        desk.harness.stop()
        let refusals = try desk.lines(Self.refusals)
        let omitted = refusals.compactMap { $0["count"] as? Int }.reduce(0, +)
        let written = refusals.count { $0["event"] as? String == "login" }
        #expect(written + omitted == 250 && written <= 200)
        #expect(try desk.lines(Self.acts).contains { $0["event"] as? String == "channel.create" })
    }

    @Test func `after a kill the files go on, line by line`() async throws {
        let desk = try await Desk()
        try desk.http.perform(CreateChannel(kind: .group, channel: "one"), from: desk.chief)
        try await until { desk.text(Self.acts).contains(#""one""#) }
        desk.harness.kill()
        // What a kill in the middle of a line leaves.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: desk.harness.data + "/" + Self.acts))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"time":1"#.utf8))
        try file.close()
        try await desk.harness.start()
        try HTTPClient(desk.harness).perform(CreateChannel(kind: .group, channel: "two"), from: desk.chief)
        desk.harness.stop()
        let lines = desk.text(Self.acts).split(separator: "\n")
        #expect(lines.count == 5)
        let whole = try lines.filter { $0.hasSuffix("}") }.map { try Child.object(String($0)) }
        #expect(
            whole.map { ($0["targets"] as? [String])?.first ?? $0["event"] as? String } == [
                "server.start", "one", "server.start", "two",
            ])
    }

    @Test func `a log that cannot be written fails no command`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        for name in [Self.acts, Self.refusals] {
            try FileManager.default.createDirectory(
                atPath: data + "/" + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let server = try await ServerProcess.start(data: data)
        let http = HTTPClient(server)
        try http.perform(CreateChannel(kind: .group, channel: "room"), from: .guest(Cast.ann))
        #expect(try http.refusal(GetUnread(), from: .token("a.b.c"))?.entry == .wrongCredentials)
        #expect(server.stop() == 0)
    }

    @Test func `without an audit log there are no files`() async throws {
        let desk = try await Desk(options: ["--no-audit-log"])
        try desk.http.perform(CreateChannel(kind: .group, channel: "room"), from: desk.chief)
        #expect(try desk.http.refusal(GetUnread(), from: .token("a.b.c"))?.entry == .wrongCredentials)
        desk.harness.stop()
        let names = try FileManager.default.contentsOfDirectory(atPath: desk.harness.data)
        #expect(!names.contains { $0.hasPrefix("audit") })
    }
}
