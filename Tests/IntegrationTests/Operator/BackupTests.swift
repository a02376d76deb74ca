import Foundation
import RoostClient
import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire
import Synchronization
import Testing

/// Backups of real servers with `roost backup` and `roost restore`.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(4))) final class BackupTests: BackupStage {
    // MARK: While it runs

    @Test(arguments: Engine.available)
    private func `a backup of a server at work has all that was acknowledged before it, and no gap`(
        _ engine: Engine
    ) async throws {
        let options = try engine.options()
        let server = try await start("a", options)
        try makeChannel(server)
        let sent = Mutex(0)
        let isOver = Mutex(false)
        let port = server.port
        let sender = Thread {
            let http = HTTPClient(port: port)
            while !isOver.withLock({ $0 }) {
                let next = sent.withLock { $0 } + 1
                let caller = HTTPClient.Caller.guest(Cast.ann)
                guard (try? http.perform(SendMessage(channel: Cast.club, text: "\(next)"), from: caller)) != nil else {
                    return
                }
                sent.withLock { $0 = next }
            }
        }
        sender.start()
        var rounds: [(name: String, least: Int, most: Int)] = []
        for round in 1...5 {
            try await until { sent.withLock { $0 } >= round * 100 }
            let least = sent.withLock { $0 }
            let report = try await backUp("a", options)
            // One that was being sent may be in it.
            let most = sent.withLock { $0 } + 1
            #expect((report["faults"] as? [String])?.isEmpty == true)
            rounds.append((try #require(report["name"] as? String), least, most))
        }
        isOver.withLock { $0 = true }
        #expect(server.stop() == 0)
        for round in rounds {
            let target = try engine.options()
            let data = "b-\(round.name)"
            let restored = try await restore(data, ["--backup", round.name] + target)
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(try await roost(["check", "--data", path(data)] + target).status == 0)
            let server = try await start(data, target)
            let texts = try texts(server)
            #expect(texts == (1...max(1, texts.count)).map(String.init))
            #expect(texts.count >= round.least && texts.count <= round.most, "\(round)")
            #expect(server.stop() == 0)
        }
    }

    @Test(arguments: Engine.available)
    private func `files come back, a second backup stores only what is new, and each can be restored`(
        _ engine: Engine
    ) async throws {
        let options = try engine.options()
        let server = try await start("a", options)
        try makeChannel(server)
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        try bytes.write(to: URL(fileURLWithPath: path("plan.bin")))
        func sendFile(_ text: String) async throws {
            let done = try await roost(
                ["send", "--as", "ann", "--channel", "club", "--file", path("plan.bin"), text], server: server.url)
            #expect(done.status == 0, "\(done.errors)")
        }
        try await sendFile("first")
        let first = try await backUp("a", options)
        #expect(first["files"] as? Int == 1 && first["newFiles"] as? Int == 1)
        // The same bytes again are another file, and in the backup they are there.
        try await sendFile("second")
        let second = try await backUp("a", options)
        #expect(second["newFiles"] as? Int == 0)
        #expect(try #require(second["newBytes"] as? Int) < 300_000)
        let third = try await backUp("a", options)
        #expect(third["newFiles"] as? Int == 0)
        #expect(server.stop() == 0)
        let listed = try await roost(["backup", "list", "--from", place, "--json"]).objects()
        #expect(
            listed.compactMap { $0["name"] as? String } == [first, second, third].compactMap { $0["name"] as? String })
        let target = try engine.options()
        #expect(try await restore("b", target).status == 0)
        #expect(try await roost(["check", "--data", path("b"), "--files"] + target).status == 0)
        let again = try await start("b", target)
        let events = try HTTPClient(again).perform(ListMessages(channel: Cast.club), from: ann).events
        #expect(events.compactMap(\.text) == ["first", "second"])
        for event in events where event.text != nil {
            guard case .channel(.messageSent(let message)) = event.body else { continue }
            let file = try #require(message.content.file).fileID
            let done = try await roost(
                ["file", "get", "--as", "ann", file.rawValue, path("got.bin")], server: again.url)
            #expect(done.status == 0, "\(done.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path("got.bin"))) == bytes)
            try FileManager.default.removeItem(atPath: path("got.bin"))
        }
        #expect(again.stop() == 0)
    }

    @Test(.needsPostgres)
    func `a backup of SQLite is restored into PostgreSQL and back, and all rows are the same`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...50, to: server)
        let http = HTTPClient(server)
        let message = try http.perform(SendMessage(channel: Cast.club, text: "é 😀 \u{1} '; --"), from: bob)
        let id = try #require(message.messageID)
        try http.perform(AddReaction(channel: Cast.club, messageID: id, emoji: "👍"), from: ann)
        try http.perform(SetReadMark(channel: Cast.club, seq: 20), from: bob)
        #expect(server.stop() == 0)
        _ = try await backUp("a")
        let postgres = ["--database", try Postgres.makeSchema()]
        #expect(try await restore("b", postgres).status == 0)
        _ = try await backUp("b", postgres)
        #expect(try await restore("c").status == 0)
        _ = try await backUp("c")
        let found = try manifests().map(parts)
        #expect(found.count == 3)
        for (name, hashes) in try #require(found.first) where name != "meta" {
            #expect(found[1][name] == hashes, "\(name) in PostgreSQL")
            #expect(found[2][name] == hashes, "\(name) back in SQLite")
        }
        let epochs = try manifests().compactMap { try manifest($0)["epoch"] as? String }
        #expect(Set(epochs).count == 3)
    }

    @Test func `a backup in an object store is as good as one in a folder`() async throws {
        let objects = try await S3Server.start()
        let server = try await start("a")
        try makeChannel(server)
        try send(1...20, to: server)
        let environment = ["ROOST_S3_ACCESS_KEY_ID": "test", "ROOST_S3_SECRET_ACCESS_KEY": "test-secret"]
        func roost(_ arguments: [String]) async throws -> Child.Result {
            try await Child.roost(arguments, environment: environment, in: folder).result()
        }
        for _ in 1...2 {
            let done = try await roost(["backup", "create", "--data", path("a"), "--to", objects.url, "--keep", "1"])
            #expect(done.status == 0, "\(done.errors)")
        }
        #expect(server.stop() == 0)
        #expect(try await roost(["backup", "list", "--from", objects.url]).output.count == 1)
        #expect(try await roost(["backup", "check", "--from", objects.url]).status == 0)
        let restored = try await roost(["restore", "--from", objects.url, "--data", path("b")])
        #expect(restored.status == 0, "\(restored.errors)")
        let again = try await start("b")
        #expect(try texts(again) == (1...20).map(String.init))
        #expect(again.stop() == 0)
    }

    // MARK: After a restore

    @Test(arguments: Engine.available)
    private func `a client loads anew what it has, and sends what it had not sent`(_ engine: Engine) async throws {
        let options = try engine.options()
        var server = try await start("a", options)
        let port = server.port
        try makeChannel(server)
        let client = try await StoreClient(
            Cast.ann, url: server.url, direct: server.url, store: LocalStore.open(path("ann.sqlite")))
        try await client.client.connect()
        try await client.client.channel(Cast.club).send("kept")
        _ = try await backUp("a", options)
        try await client.client.channel(Cast.club).send("acknowledged after the backup")
        try await client.settle()
        server.kill()
        let unsent = Task { try await client.client.channel(Cast.club).send("not sent yet") }
        try await until { try await !client.store.queue().isEmpty }
        let target = try engine == .file ? ["--replace"] : engine.options()
        let restored = try await restore("a", target)
        #expect(restored.status == 0, "\(restored.errors)")
        server = try await ServerProcess.start(
            data: path("a"), port: port, arguments: engine == .file ? [] : target)
        _ = try await unsent.value
        #expect(try texts(server) == ["kept", "not sent yet"])
        try await until {
            let events = try? await client.client.channel(Cast.club).history(limit: 100).events
            return events?.compactMap(\.text) == ["kept", "not sent yet"]
        }
        #expect(try await client.store.queue().isEmpty)
        await client.stop()
        #expect(server.stop() == 0)
    }

    private enum Source: CaseIterable {
        case newerBackup, replacedDatabase, both
    }

    @Test(arguments: Source.allCases)
    private func `a user who was deleted after the backup is deleted again, with all messages if they were`(
        _ source: Source
    ) async throws {
        let server = try await start("a")
        try makeChannel(server)
        let http = HTTPClient(server)
        try http.perform(SendMessage(channel: Cast.club, text: "PlantedByBob"), from: bob)
        try http.perform(SendMessage(channel: Cast.club, text: "by ann"), from: ann)
        let before = try await backUp("a")
        let token = try await roost(["token", "--operator", "--user", "op", "--data", path("a")]).output.first
        let chief = HTTPClient.Caller.token(try #require(token))
        try http.perform(DeleteUser(userID: Cast.bob.userID, deletesMessages: true), from: chief)
        if source != .replacedDatabase { _ = try await backUp("a") }
        #expect(server.stop() == 0)
        if source == .newerBackup {
            // The machine is lost.
            try FileManager.default.removeItem(atPath: path("a"))
        }
        let restored = try await restore(
            "a",
            ["--backup", try #require(before["name"] as? String), "--deleted-user-name", "Gone"]
                + (source == .newerBackup ? [] : ["--replace"]))
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.output.contains { $0.contains("deleted again: 1") }, "\(restored.output)")
        // Not even the file has it.
        let stored = try Data(contentsOf: URL(fileURLWithPath: path("a/roost.sqlite")))
        #expect(stored.range(of: Data("by ann".utf8)) != nil)
        #expect(stored.range(of: Data("PlantedByBob".utf8)) == nil)
        let again = try await start("a")
        #expect(try texts(again) == ["by ann"])
        let users = try HTTPClient(again).perform(GetUsers(userIDs: [Cast.bob.userID]), from: ann).users
        #expect(users.first?.name == "Gone")
        #expect(try HTTPClient(again).refusal(ListChannels(), from: bob) != nil)
        #expect(again.stop() == 0)
    }

    @Test func `encrypted content stays encrypted in a backup, and who was deleted needs the key`() async throws {
        let key = path("key")
        try Data((String(repeating: "ab", count: 32) + "\n").utf8).write(to: URL(fileURLWithPath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let options = ["--encryption-key", key]
        let server = try await start("a", options)
        try makeChannel(server)
        let http = HTTPClient(server)
        try http.perform(SendMessage(channel: Cast.club, text: "PlantedWord"), from: ann)
        let before = try await backUp("a")
        for file in try objects() {
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("PlantedWord".utf8)) == nil)
        }
        let token = try await roost(["token", "--operator", "--user", "op", "--data", path("a")]).output.first
        try http.perform(DeleteUser(userID: Cast.bob.userID), from: .token(try #require(token)))
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        let name = try #require(before["name"] as? String)
        let refused = try await restore("b", ["--backup", name])
        #expect(refused.status == 1 && refused.errors.contains("--encryption-key"), "\(refused.errors)")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path("b"))) == ["lock"])
        let restored = try await restore("b", ["--backup", name] + options)
        #expect(restored.status == 0, "\(restored.errors)")
        let again = try await start("b", options)
        #expect(try texts(again) == ["PlantedWord"])
        #expect(again.stop() == 0)
    }

    @Test(arguments: [true, false])
    func `what was taken away after the backup does not come back`(isReplaced: Bool) async throws {
        let server = try await start("a", ["--keep-logins", "30"])
        try makeChannel(server)
        let http = HTTPClient(server)
        func token(_ words: [String]) async throws -> String {
            try #require(try await roost(["token", "--data", path("a")] + words).output.first)
        }
        let operatorToken = try await token(["--operator", "--user", "op"])
        let chief = HTTPClient.Caller.token(operatorToken)
        let dee = HTTPClient.Caller.token(try await token(["--user", "dee"]))
        try http.perform(CreateChannel(kind: .group, channel: "dees"), from: dee)
        let made = try await roost(
            ["key", "create", "--token", operatorToken, "backend", "--scope", "operator"], server: server.url)
        let key = try #require(made.output.first)
        #expect(try http.refusal(ListChannels(), from: .token(key)) == nil)
        let accounts = [NewAccount(loginName: "eve", password: "the first password", name: "Eve")]
        let eve = try #require(
            try http.perform(RegisterAccounts(accounts: accounts), from: chief).results.first?.userID)
        func mayLogIn(_ password: String, _ server: ServerProcess) throws -> Bool {
            try HTTPClient(server).refusal(LogIn(loginName: "eve", password: password), from: .nobody) == nil
        }
        #expect(try mayLogIn("the first password", server))
        let before = try await backUp("a")
        try http.perform(RevokeKey(key: "backend"), from: chief)
        try http.perform(EndLogins(userID: "dee"), from: chief)
        try http.perform(SetAccount(userID: eve, password: "the second password"), from: chief)
        #expect(try http.refusal(ListChannels(), from: dee) != nil)
        #expect(try http.refusal(ListChannels(), from: .token(key)) != nil)
        if !isReplaced { _ = try await backUp("a") }
        #expect(server.stop() == 0)
        if !isReplaced {
            // The machine is lost, but for the secret.
            for name in try FileManager.default.contentsOfDirectory(atPath: path("a")) where name != "secret" {
                try FileManager.default.removeItem(atPath: path("a/" + name))
            }
        }
        let name = try #require(before["name"] as? String)
        let restored = try await restore("a", ["--backup", name] + (isReplaced ? ["--replace"] : []))
        #expect(restored.status == 0, "\(restored.errors)")
        let again = try await start("a")
        #expect(try HTTPClient(again).refusal(ListChannels(), from: dee) != nil)
        #expect(try HTTPClient(again).refusal(ListChannels(), from: .token(key)) != nil)
        #expect(try !mayLogIn("the first password", again))
        #expect(try mayLogIn("the second password", again))
        #expect(again.stop() == 0)
    }

    @Test func `a database that is another one takes nothing from the backup, and gives nothing to it`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        try send(1...3, to: server)
        _ = try await backUp("a")
        #expect(server.stop() == 0)
        // The machine was lost, and a server was started with an empty database before the restore.
        try FileManager.default.removeItem(atPath: path("a"))
        let other = try await start("a")
        try makeChannel(other)
        let refused = try await roost(["backup", "create", "--data", path("a"), "--to", place])
        #expect(refused.status == 1 && refused.errors.contains("another database"), "\(refused.errors)")
        try HTTPClient(other).perform(DeleteUser(), from: ann)
        #expect(other.stop() == 0)
        let restored = try await restore("a", ["--replace"])
        #expect(restored.status == 0 && restored.errors.contains("another one"), "\(restored.errors)")
        let again = try await start("a")
        #expect(try texts(again) == ["1", "2", "3"])
        #expect(again.stop() == 0)
        // From now on its backups belong there.
        _ = try await backUp("a")
    }

    @Test func `what was due since is sent by the server, not by the restore`() async throws {
        let server = try await start("a")
        try makeChannel(server)
        let http = HTTPClient(server)
        try http.perform(
            CreateSchedule(
                messages: [MessageContent(text: "due")], channels: [Cast.club],
                sendAt: Date(timeIntervalSinceNow: 3_600)), from: ann)
        #expect(server.stop() == 0)
        let database = try SQLiteDatabase(directory: path("a"))
        try database.write { try $0.execute("UPDATE schedules SET send_at = 1000") }
        try database.close()
        let before = try await backUp("a")
        let later = try await start("a")
        let token = try await roost(["token", "--operator", "--user", "op", "--data", path("a")]).output.first
        try HTTPClient(later).perform(DeleteUser(userID: Cast.bob.userID), from: .token(try #require(token)))
        _ = try await backUp("a")
        #expect(later.stop() == 0)
        let restored = try await restore("b", ["--backup", try #require(before["name"] as? String)])
        #expect(restored.status == 0 && restored.output.contains { $0.contains("deleted again: 1") })
        _ = try await backUp("b")
        let newest = try #require(try manifests().last)
        #expect(try parts(newest)["schedules"] == parts(oldest())["schedules"])
        let again = try await start("b")
        try await until { try texts(again) == ["due"] }
        #expect(again.stop() == 0)
    }
}
