import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The contract of the command line: names, fields and exit codes.
@Suite(.serialized, .timeLimit(.minutes(1))) struct CommandLineTests {
    /// Runs a command of a guest against a harness and waits for its end.
    private func roost(_ harness: ServerHarness, _ arguments: String...) async throws -> Child.Result {
        try await Child.roost(arguments, server: harness.url, in: harness.folder).result()
    }

    // MARK: serve

    @Test(.firstPassOnly)
    func `serve prints where it listens, picks a port for 0, and ends cleanly on SIGTERM`() async throws {
        let folder = try TemporaryFolder()
        let server = try Child.roost(["serve", "--data", folder.path + "/data", "--port", "0", "--dev"], in: folder)
        let line = try #require(await server.line())
        let url = try #require(URL(string: String(line.trimmingPrefix("ready "))))
        #expect(line.hasPrefix("ready http://127.0.0.1:"))
        #expect(url.port ?? 0 > 0)
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test(.firstPassOnly) func `dev mode refuses an address that others reach`() async throws {
        let folder = try TemporaryFolder()
        let refused = try await Child.roost(
            ["serve", "--data", folder.path + "/data", "--host", "0.0.0.0", "--port", "0", "--dev"], in: folder
        ).result()
        #expect(refused.status == 2)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("--insecure-dev"))
        let meant = try Child.roost(
            ["serve", "--data", folder.path + "/data", "--host", "0.0.0.0", "--port", "0", "--dev", "--insecure-dev"],
            in: folder)
        #expect(await meant.line()?.hasPrefix("ready http://0.0.0.0:") == true)
        meant.signal(SIGTERM)
        #expect(await meant.result().status == 0)
    }

    @Test func `serve refuses a folder that is open elsewhere, a used port, and data of a newer version`() async throws
    {
        let harness = try await ServerHarness(isFile: true)
        let open = try await roost(harness, "serve", "--data", harness.data, "--port", "0", "--dev")
        #expect(open.status == 1)
        #expect(open.errors.contains("open in another process"))
        let port = try await roost(
            harness, "serve", "--data", harness.folder.path + "/b", "--port", "\(harness.server.port)")
        #expect(port.status == 1)
        #expect(port.errors.contains("--port"))
        #expect(harness.stop() == 0)
        try NewerDatabase.mark(harness.data)
        let newer = try await roost(harness, "serve", "--data", harness.data, "--port", "0", "--dev")
        #expect(newer.status == 1)
        #expect(newer.output.isEmpty)
        #expect(newer.errors.contains("newer version"))
    }

    // MARK: token

    @Test(.firstPassOnly) func `a token of the data folder's secret logs in, and a wrong one does not`() async throws {
        let harness = try await ServerHarness(isDevelopment: false)
        let secret = try FileManager.default.attributesOfItem(atPath: harness.data + "/secret")
        #expect((secret[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let made = try await roost(harness, "token", "--data", harness.data, "--user", "ann", "--name", "Ann")
        #expect(made.status == 0)
        let token = try #require(made.output.first)
        #expect(made.output.count == 1)
        let operatorToken = try #require(
            try await roost(harness, "token", "--data", harness.data, "--user", "op", "--operator").output.first)

        let early = try await roost(harness, "send", "--token", token, "--channel", "lobby", "hi")
        #expect(early.status == 1, "outside dev mode an operator makes open channels")
        let boss = try RecordingClient(harness.url, .token { operatorToken }, device: "op", positions: nil)
        try await boss.connect()
        _ = try await boss.client.createOpenChannel(Cast.lobby)
        let sent = try await roost(harness, "send", "--token", token, "--channel", "lobby", "hi")
        #expect(sent.status == 0, "\(sent.errors)")
        #expect(try await boss.channel(Cast.lobby).history().events.first?.senderID == Cast.ann.userID)

        let line = ["message", "announce", "--channel", "lobby", "We close at eight.", "--token"]
        let announced = try await Child.roost(
            line + [operatorToken], server: harness.url, in: harness.folder
        ).result()
        #expect(announced.status == 0, "\(announced.errors)")
        let last = try await boss.channel(Cast.lobby).history().events.last
        #expect(last?.senderID == nil && last?.text == "We close at eight.")
        let notAnOperator = try await Child.roost(line + [token], server: harness.url, in: harness.folder).result()
        #expect(notAnOperator.status == 1)
        #expect(notAnOperator.errors.contains("operator"))

        let guest = try await roost(harness, "send", "--as", "ann", "--channel", "lobby", "hi")
        #expect(guest.status == 1)
        #expect(guest.errors.contains("token"))
        let forged = try await roost(harness, "send", "--token", token + "x", "--channel", "lobby", "hi")
        #expect(forged.status == 1)
        let none = try await roost(harness, "token", "--data", harness.folder.path + "/none", "--user", "ann")
        #expect(none.status == 1)
        #expect(none.errors.contains("roost serve"))
    }

    // MARK: send

    @Test func `send prints channel, seq, messageID, transID and sentAt, and a transID sends once`() async throws {
        let harness = try await ServerHarness()
        _ = try await harness.guest(Cast.bob)
        var answers: [[String: Any]] = []
        for _ in 0..<2 {
            let sent = try await roost(
                harness, "send", "--as", "ann", "--to", "bob", "--trans-id", "key-1", "--json", "Hello,", "Bob")
            #expect(sent.status == 0, "\(sent.errors)")
            answers += try sent.objects()
        }
        #expect(answers.count == 2)
        for answer in answers {
            #expect(Set(answer.keys) == ["channel", "seq", "messageID", "transID", "sentAt"])
            #expect(answer["channel"] as? String == "ann:bob")
            #expect(answer["seq"] as? Int == 1)
            #expect(answer["transID"] as? String == "key-1")
            #expect(answer["messageID"] as? String == answers[0]["messageID"] as? String)
            #expect(answer["sentAt"] as? Int == answers[0]["sentAt"] as? Int)
        }
        let rows = try await roost(harness, "history", "--as", "bob", "--to", "ann", "--json").objects()
        #expect(rows.map { $0["text"] as? String } == ["Hello, Bob"])
    }

    @Test func `send - keeps the order of the lines through kill -9 and a restart`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        let sending = try Child.roost(
            ["send", "--as", "bob", "--channel", "lobby", "--json", "-"], server: harness.url, in: harness.folder)
        let lines = (1...300).map { "line \($0)" }
        try sending.write(lines[..<150].joined(separator: "\n") + "\n")
        var acknowledged: [String] = []
        while acknowledged.count < 20 { acknowledged.append(try #require(await sending.line())) }
        harness.kill()
        try sending.write(lines[150...].joined(separator: "\n") + "\n")
        try sending.closeInput()
        try await harness.start()
        let result = await sending.result()
        #expect(result.status == 0, "\(result.errors)")
        acknowledged += result.output
        let seqs = try acknowledged.map { try Child.object($0)["seq"] as? Int }
        #expect(seqs == Array(1...300))

        try await ann.client.connect()
        var log: [Event] = []
        repeat {
            let page = try await ann.channel(Cast.lobby).history(after: log.last?.seq ?? 0, limit: 100)
            log += page.events
            if page.events.isEmpty { break }
        } while log.count < 300
        #expect(log.compactMap(\.text) == lines)
    }

    // MARK: tail, history, channels

    @Test func `tail and history print every field of a row, and the limits end with 0 or 4`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        for number in 1...5 { try await bob.channel(Cast.lobby).send("\(number)") }
        let fields: Set = [
            "event", "channel", "seq", "messageID", "transID", "senderID", "type", "text", "file", "thumbnail",
            "sentAt",
        ]
        let tail = try await roost(
            harness, "tail", "--as", "ann", "--channel", "lobby", "--after", "2", "--limit", "3", "--timeout", "30",
            "--json")
        #expect(tail.status == 0)
        let rows = try tail.objects()
        #expect(rows.map { $0["seq"] as? Int } == [3, 4, 5])
        for row in rows {
            #expect(Set(row.keys) == fields)
            #expect(row["event"] as? String == "message.sent")
            #expect(row["type"] as? String == "text")
            #expect(row["senderID"] as? String == "bob")
        }
        let late = try await roost(
            harness, "tail", "--as", "ann", "--channel", "lobby", "--after", "4", "--limit", "2", "--timeout", "5",
            "--json")
        #expect(late.status == 4)
        #expect(try late.objects().map { $0["seq"] as? Int } == [5])
        let patient = try await roost(harness, "tail", "--as", "ann", "--channel", "lobby", "--timeout", "0.2")
        #expect(patient.status == 0)

        let newest = try await roost(harness, "history", "--as", "ann", "--channel", "lobby", "--limit", "2", "--json")
        #expect(try newest.objects().map { $0["text"] as? String } == ["4", "5"])
        #expect(try newest.objects().allSatisfy { Set($0.keys) == fields })
        let before = try await roost(harness, "history", "--as", "ann", "--channel", "lobby", "--before", "3", "--json")
        #expect(try before.objects().map { $0["text"] as? String } == ["1", "2"])
        let after = try await roost(
            harness, "history", "--as", "ann", "--channel", "lobby", "--after", "1", "--limit", "2", "--json")
        #expect(try after.objects().map { $0["text"] as? String } == ["2", "3"])
    }

    @Test func `tail continues by itself after a restart`() async throws {
        let harness = try await ServerHarness()
        let tail = try Child.roost(
            ["tail", "--as", "ann", "--channel", "lobby", "--after", "0", "--limit", "3", "--json"],
            server: harness.url, in: harness.folder)
        let bob = try await harness.guest(Cast.bob)
        try await bob.channel(Cast.lobby).send("one")
        #expect(try Child.object(try #require(await tail.line()))["text"] as? String == "one")
        harness.kill()
        let two = bob.channel(Cast.lobby).enqueue("two")
        try await harness.start()
        _ = try await two.sent
        try await bob.channel(Cast.lobby).send("three")
        let rest = await tail.result()
        #expect(rest.status == 0)
        #expect(try rest.objects().map { $0["text"] as? String } == ["two", "three"])
    }

    @Test(.needsBus) func `tail --all shows the events in the user's channels`() async throws {
        let harness = try await ServerHarness()
        _ = try await harness.guest(Cast.ann)
        let bob = try await harness.guest(Cast.bob)
        let channel = try await bob.start(with: Cast.ann)
        let tail = try Child.roost(
            ["tail", "--as", "ann", "--all", "--limit", "1", "--json"], server: harness.url, in: harness.folder)
        // The output does not show when following starts, so typing is repeated until it appears.
        let typing = Task {
            while !Task.isCancelled {
                try await channel.typing(true)
                await Task.yield()
            }
        }
        let first = try Child.object(try #require(await tail.line()))
        typing.cancel()
        #expect(first["event"] as? String == "typing.started")
        #expect(first["text"] is NSNull)
        try await channel.send("for Ann")
        let rest = await tail.result()
        #expect(rest.status == 0)
        #expect(try rest.objects().last?["text"] as? String == "for Ann")
    }

    @Test func `channels prints one object per conversation, and open ones by keyword`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        _ = try await bob.client.createGroup(title: "Club", channel: Cast.club, members: [Cast.ann.userID])
        try await bob.start(with: Cast.ann).send("yo")
        try await bob.channel(Cast.lobby).send("all")
        try await ann.message("yo")
        let rows = try await roost(harness, "channels", "--as", "ann", "--name", "Ann", "--json").objects()
        #expect(rows.map { $0["channel"] as? String } == ["ann:bob", "club"])
        let row = try #require(rows.first)
        #expect(Set(row.keys) == ["channel", "kind", "title", "memberCount", "unread", "lastMessage", "lastSeq"])
        #expect(row["kind"] as? String == "single")
        #expect(row["title"] as? String == "Bob")
        #expect(row["memberCount"] as? Int == 2)
        #expect(row["unread"] as? Int == 1)
        #expect(row["lastMessage"] as? String == "yo")
        #expect(row["lastSeq"] as? Int == 1)
        #expect(rows.last?["kind"] as? String == "group")
        #expect(rows.last?["lastMessage"] is NSNull)
        let open = try await roost(harness, "channels", "--as", "ann", "--open", "LOB", "--json").objects()
        #expect(open.map { $0["channel"] as? String } == ["lobby"])
        #expect(try await roost(harness, "channels", "--as", "ann", "--open", "nothing", "--json").output.isEmpty)
    }

    // MARK: Failures

    @Test(.firstPassOnly) func `a refusal exits with 1, invalid usage with 2, an unreachable server with 3`()
        async throws
    {
        let harness = try await ServerHarness(isRecorded: false)
        let refused = try await roost(harness, "send", "--as", "ann", "--to", "nobody", "--json", "hi")
        #expect(refused.status == 1)
        let error = try Child.object(refused.errors)
        #expect(error["code"] as? Int == ErrorCode.userMissing.code)
        #expect(error["name"] as? String == "userMissing")
        #expect(error["retryable"] as? Bool == false)
        #expect((error["message"] as? String)?.isEmpty == false)
        let wrong = try await roost(harness, "send", "--as", "ann", "hi")
        #expect(wrong.status == 2, "\(wrong.errors)")
        #expect(!wrong.errors.isEmpty)
        harness.kill()
        let nobody = try await roost(harness, "send", "--as", "ann", "--channel", "lobby", "hi")
        #expect(nobody.status == 3)
        #expect(!nobody.errors.isEmpty)
    }

    @Test(.firstPassOnly) func `control characters of others never reach the terminal`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(User(userID: Cast.bob.userID, name: "Bob \u{2066}evil\u{2069}"))
        let nasty = "red \u{1B}[31m signal \u{07} back \u{08} csi \u{9B}2J title \u{1B}]0;x\u{07} line\nfeed \u{202E}"
        try await bob.channel(Cast.lobby).send(nasty)
        _ = try await harness.guest(Cast.ann)
        try await bob.start(with: Cast.ann).send(nasty)
        let chat = try Child.roost(
            ["chat", "--as", "ann", "--channel", "lobby"], server: harness.url, in: harness.folder)
        try chat.write("/list\n/dm bob\n/who\n/quit\n")
        let outputs = [
            try await roost(harness, "history", "--as", "ann", "--channel", "lobby"),
            try await roost(harness, "history", "--as", "ann", "--channel", "lobby", "--json"),
            try await roost(harness, "tail", "--as", "ann", "--channel", "lobby", "--after", "0", "--limit", "1"),
            try await roost(harness, "channels", "--as", "ann"),
            await chat.result(),
        ]
        for result in outputs {
            #expect(result.status == 0)
            #expect(result.output.joined().contains("red"))
            for scalar in result.output.joined().unicodeScalars {
                let isControl = scalar.value < 0x20 || scalar.value == 0x7F || (0x80..<0xA0).contains(scalar.value)
                #expect(!isControl, "U+\(String(scalar.value, radix: 16)) in \(result.output)")
            }
        }
        #expect(!outputs[0].output.joined().unicodeScalars.contains("\u{202E}"))
        #expect(outputs[0].output.count == 1, "a line feed in a text does not begin a line of its own")
    }

    @Test(.firstPassOnly) func `a reader that closes the pipe does not cause a crash`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        for number in 1...100 {
            try await ann.client.channel(Cast.lobby).send("\(number) " + String(repeating: "x", count: 2_000))
        }
        let binary = try ServerProcess.binary()
        let pipeline = Process()
        pipeline.executableURL = URL(fileURLWithPath: "/bin/bash")
        let history = "\(binary) history --server \(harness.url) --as bob --channel lobby --limit 100"
        pipeline.arguments = ["-c", history + " | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}"]
        pipeline.environment = ["HOME": harness.folder.path, "PATH": "/usr/bin:/bin"]
        try pipeline.run()
        pipeline.waitUntilExit()
        #expect(pipeline.terminationReason == .exit)
        #expect([0, 141].contains(pipeline.terminationStatus))
    }

    @Test(.firstPassOnly) func `a piped chat shows the past, sends its lines and leaves`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        try await bob.channel(Cast.lobby).join()
        try await bob.channel(Cast.lobby).send("hello")
        let chat = try Child.roost(
            ["chat", "--as", "ann", "--name", "Ann", "--channel", "lobby"], server: harness.url, in: harness.folder)
        try chat.write("hi Bob\n/quit\n")
        let result = await chat.result()
        #expect(result.status == 0)
        #expect(result.output.contains { $0.hasSuffix("Bob: hello") })
        try await bob.message("hi Bob")
    }

    @Test(.firstPassOnly) func `the device's id stays under the state folder`() async throws {
        let harness = try await ServerHarness()
        for _ in 0..<2 { _ = try await roost(harness, "send", "--as", "ann", "--channel", "lobby", "hi") }
        let text = try String(contentsOfFile: harness.folder.path + "/profile/device", encoding: .utf8)
        #expect(DeviceID(rawValue: text.trimmingCharacters(in: .newlines)) != nil)
        let other = harness.folder.path + "/other"
        _ = try await roost(harness, "send", "--as", "ann", "--channel", "lobby", "--profile", other, "hi")
        #expect(try String(contentsOfFile: other + "/device", encoding: .utf8) != text)
    }
}
