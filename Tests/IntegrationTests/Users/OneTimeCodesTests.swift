import Foundation
import RoostClient
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// One-time codes, which are exchanged for tokens, over HTTP, the SDK and the command line.
@Suite(.serialized, .timeLimit(.minutes(3))) struct OneTimeCodesTests {
    /// What `roost token` prints.
    private static func make(_ folder: TemporaryFolder, _ data: String, _ options: String...) async throws -> String {
        let made = try await Child.roost(["token", "--data", data, "--user", "ann"] + options, in: folder).result()
        return try #require(made.output.first, "\(made.errors)")
    }

    /// Exchanges a code many times at the same time, each time on a thread, with a connection and an
    /// address of its own.
    /// - Returns: for each exchange 0 if it succeeded, the code of its error, or -1 if there was no answer.
    private static func exchange(
        _ code: String, times: Int, at ports: [Int], afterFirst: @Sendable () -> Void = {}
    ) async -> [Int] {
        let (answers, continuation) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<times {
            let port = ports[number % ports.count]
            Thread {
                let caller = HTTPClient.Caller(headers: ["X-Forwarded-For": "192.0.2.\(number)"])
                let answer = try? HTTPClient(port: port).post("account.logIn", "{\"code\":\"\(code)\"}", from: caller)
                continuation.yield(answer.map { $0.error?.code ?? 0 } ?? -1)
            }.start()
        }
        var codes: [Int] = []
        for await code in answers {
            codes.append(code)
            if codes.count == 1 { afterFirst() }
            if codes.count == times { break }
        }
        return codes
    }

    /// Whether one exchange has succeeded, and all others were refused: as wrong, or after ten tries as one too many.
    private static func isOnce(_ codes: [Int]) -> Bool {
        codes.count { $0 == 0 } == 1 && codes.allSatisfy { [0, 1, 1004].contains($0) }
    }

    @Test func `a code becomes a token once, also when the server is killed in between`() async throws {
        let harness = try await ServerHarness(isDevelopment: false)
        let (first, second) = (
            try await Self.make(harness.folder, harness.data, "--code", "--name", "Ann Lee"),
            try await Self.make(harness.folder, harness.data, "--code", "--operator")
        )
        let http = HTTPClient(harness)
        let answer = try http.perform(LogIn(code: first), from: .nobody)
        #expect(answer.userID == Cast.ann.userID && answer.loginName == "ann")
        let ann = try RecordingClient(harness.url, .token { answer.token }, device: "phone", positions: nil)
        try await ann.connect()
        #expect(await ann.client.user?.name == "Ann Lee")
        #expect(try http.refusal(ListBroadcasts(), from: .token(answer.token))?.entry == .noPrivilege)
        let refused = try http.post("account.logIn", "{\"code\":\"\(first)\"}", from: .nobody)
        #expect(refused.status == 401 && refused.error?.entry == .wrongCredentials)
        #expect(refused.error?.message.contains("Ask for a new link.") == true)
        harness.kill()
        try await harness.start()
        let again = HTTPClient(harness)
        #expect(try again.refusal(LogIn(code: first), from: .nobody)?.entry == .wrongCredentials)
        let chief = try again.perform(LogIn(code: second), from: .nobody).token
        #expect(try again.refusal(ListBroadcasts(), from: .token(chief)) == nil)
        #expect(try again.refusal(LogIn(code: second), from: .nobody)?.entry == .wrongCredentials)
        // The token of the first code is as good as before.
        #expect(try again.refusal(GetUnread(), from: .token(answer.token)) == nil)
    }

    @Test(.firstPassOnly) func `the command line prints a code, or a link to the page with it`() async throws {
        let harness = try await ServerHarness(isDevelopment: false, isFile: true)
        let http = HTTPClient(harness)
        for address in ["https://chat.example.com", "https://chat.example.com/", "http://localhost:7878/chat"] {
            let link = try await Self.make(harness.folder, harness.data, "--code", "--link", address)
            let parts = link.split(separator: "#code=").map(String.init)
            #expect(parts.first == (address.hasSuffix("/") ? address : address + "/"))
            #expect(try http.perform(LogIn(code: try #require(parts.last)), from: .nobody).userID == Cast.ann.userID)
        }
        let short = try await Self.make(harness.folder, harness.data, "--code", "--ttl", "1s")
        let long = try await Self.make(harness.folder, harness.data, "--code", "--ttl", "10m")
        let second = Int(Date().timeIntervalSince1970)
        try await until { Int(Date().timeIntervalSince1970) > second + 1 }
        #expect(try http.refusal(LogIn(code: short), from: .nobody)?.entry == .wrongCredentials)
        #expect(try http.refusal(LogIn(code: long), from: .nobody) == nil)
        let longer = try await Child.roost(
            ["token", "--data", harness.data, "--user", "ann", "--code", "--ttl", "601s"], in: harness.folder
        ).result()
        #expect(longer.status == 2 && longer.errors.contains("10m"))
    }

    @Test func `of 20 exchanges at the same time one succeeds`() async throws {
        let harness = try await ServerHarness(isDevelopment: false, options: ["--behind-proxy"], isRecorded: false)
        for _ in 0..<5 {
            let code = try await Self.make(harness.folder, harness.data, "--code")
            let codes = await Self.exchange(code, times: 20, at: [harness.port])
            #expect(Self.isOnce(codes), "\(codes)")
        }
    }

    @Test func `of exchanges before and after kill -9 at most one succeeds`() async throws {
        let harness = try await ServerHarness(isDevelopment: false, options: ["--behind-proxy"], isRecorded: false)
        for _ in 0..<TestLength.rounds(3, long: 30) {
            let code = try await Self.make(harness.folder, harness.data, "--code")
            let before = await Self.exchange(code, times: 20, at: [harness.port]) { harness.kill() }
            try await harness.start()
            let after = await Self.exchange(code, times: 5, at: [harness.port])
            #expect(before.allSatisfy { [0, 1, 1004, -1].contains($0) } && after.allSatisfy { [0, 1].contains($0) })
            // The answer to the one that counted may be lost.
            #expect((before + after).count { $0 == 0 } <= 1, "\(before) \(after)")
        }
    }

    @Test(.needsPostgres, .firstPassOnly) func `of 20 exchanges at two servers of one database one succeeds`()
        async throws
    {
        let pair = try await ServerPair(options: ["--behind-proxy"])
        for _ in 0..<5 {
            let code = try await Self.make(pair.folder, pair.servers[0].data, "--code")
            let codes = await Self.exchange(code, times: 20, at: pair.servers.map(\.port))
            #expect(Self.isOnce(codes), "\(codes)")
        }
        for server in pair.servers { #expect(server.stop() == 0) }
    }

    // MARK: With a clock of its own

    /// A server with an operator.
    private struct Desk {
        let server: TestServer
        let http: HTTPClient
        let chief: HTTPClient.Caller

        init() async throws {
            server = try await TestServer.start()
            http = HTTPClient(port: try #require(Int(server.url.split(separator: ":").last ?? "")))
            chief = .token(try await server.token(of: try makeUser("op"), lasting: 3_600_000, isOperator: true))
        }

        /// The code of the refusal of an exchange; nil if it succeeds.
        func refusal(_ code: String) throws -> ErrorCode? { try http.refusal(LogIn(code: code), from: .nobody)?.entry }
    }

    @Test(.firstPassOnly) func `a code is exchanged within its minute, and no longer`() async throws {
        let desk = try await Desk()
        let (early, late) = (try await desk.server.code(of: Cast.ann), try await desk.server.code(of: Cast.bob))
        desk.server.clock.advance(by: 58_000)
        let answer = try desk.http.perform(LogIn(code: early), from: .nobody)
        #expect(answer.userID == Cast.ann.userID && answer.loginName == Cast.ann.userID.rawValue)
        #expect(try desk.http.refusal(GetUnread(), from: .token(answer.token)) == nil)
        desk.server.clock.advance(by: 2_000)
        #expect(try desk.refusal(late) == .wrongCredentials)
        // The used one is remembered for a minute longer than it is valid, as the clock of another server may be behind.
        let ends = try desk.server.database.write { connection in
            try connection.rows("SELECT expires_at FROM restrictions") { try $0.int(0) }
        }
        #expect(ends.count == 1)
        #expect(ends.allSatisfy { (59_000...60_000).contains($0 - desk.server.clock.now) }, "\(ends)")
        #expect(try desk.refusal(early) == .wrongCredentials)
        await desk.server.stop()
    }

    @Test(.firstPassOnly) func `a code opens no session, and a token is no code`() async throws {
        let desk = try await Desk()
        let code = try await desk.server.code(of: Cast.ann)
        let token = try await desk.server.token(of: Cast.ann, lasting: 3_600_000)
        #expect(try desk.refusal(token) == .wrongCredentials)
        #expect(try desk.http.refusal(GetUnread(), from: .token(code))?.entry == .wrongCredentials)
        let client = try desk.server.disconnectedClient(Cast.ann, credentials: .token { code })
        do throws(RoostError) {
            try await client.connect()
            Issue.record("connected with a code")
        } catch {
            #expect(error.wire?.entry == .wrongCredentials && !error.isRetryable)
        }
        // Neither was used up.
        #expect(try desk.http.refusal(GetUnread(), from: .token(token)) == nil)
        let answer = try await ChatClient.logIn(to: desk.server.url, code: code)
        #expect(
            await refusal { () throws(RoostError) in try await ChatClient.logIn(to: desk.server.url, code: code) }
                == .server(.wrongCredentials))
        let ann = try desk.server.disconnectedClient(Cast.ann, credentials: .token { answer.token })
        try await ann.connect()
        #expect(await ann.user?.userID == Cast.ann.userID)
        await ann.disconnect()
        await desk.server.stop()
    }

    @Test(.firstPassOnly) func `wrong strings are refused as a wrong password is, and other bodies name the field`()
        async throws
    {
        let desk = try await Desk()
        let code = try await desk.server.code(of: Cast.ann)
        let parts = code.split(separator: ".").map(String.init)
        let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"  // {"alg":"none","typ":"JWT"}
        let other = try await TestServer.start()
        let wrong = [
            "", " ", ".", "..", "a.b.c", "null", "\0", "code \(code)", " \(code)", "\(code) ", "\(code)\n", "\(code)=",
            "\(code)A", String(code.dropLast()), "\(parts[0]).\(parts[1]).", "\(none).\(parts[1]).",
            "\(none).\(parts[1]).\(parts[2])", "\(parts[1]).\(parts[0]).\(parts[2])", "' OR 1=1 --", "../../secret",
            "\u{202E}\(code)", "👩‍👩‍👧‍👦", String(repeating: "a", count: 5_000),
            try await other.code(of: Cast.ann),
        ]
        for text in wrong { #expect(try desk.refusal(text) == .wrongCredentials, "\(text)") }
        await other.stop()
        for (body, field) in [
            ("{}", "loginName"), (#"{"code":null}"#, "loginName"), (#"{"code":7}"#, "code"),
            (#"{"code":["a"]}"#, "code"), (#"{"loginName":"ann"}"#, "password"), (#"{"password":"x"}"#, "loginName"),
            ("{\"code\":\"\(code)\",\"password\":\"x\"}", "code"),
            ("{\"code\":\"\(code)\",\"loginName\":\"a\"}", "code"),
        ] {
            let error = try desk.http.post("account.logIn", body, from: .nobody).error
            #expect(error?.entry == .dataFormat && error?.field == field, "\(body)")
        }
        #expect(try desk.refusal(code) == nil)
        await desk.server.stop()
    }

    @Test(.firstPassOnly) func `wrong codes of an address are limited, and keep nobody there from logging in`()
        async throws
    {
        let desk = try await Desk()
        for number in 0..<50 { #expect(try desk.refusal("wrong \(number)") == .wrongCredentials) }
        let refused = try desk.http.refusal(LogIn(code: "wrong"), from: .nobody)
        #expect(refused?.entry == .tooManyRequests && refused?.retryAfterMs != nil)
        let code = try await desk.server.code(of: Cast.ann)
        #expect(try desk.refusal(code) == nil)
        // A used code is wrong ten times, and then not looked at.
        #expect(
            try (0..<10).map { _ in try desk.refusal(code) } == [ErrorCode?](repeating: .wrongCredentials, count: 9) + [
                .tooManyRequests
            ])
        #expect(try desk.refusal(try await desk.server.code(of: Cast.ann)) == nil)
        let login = LogIn(loginName: "nobody", password: "wrong password")
        #expect(try desk.http.refusal(login, from: .nobody)?.entry == .wrongCredentials)
        desk.server.clock.advance(by: 900_000)
        #expect(try desk.refusal("wrong") == .wrongCredentials)
        await desk.server.stop()
    }

    @Test(.firstPassOnly) func `a code gives nothing to a user who was logged out, banned or deleted`() async throws {
        let desk = try await Desk()
        let first = try desk.http.perform(LogIn(code: try await desk.server.code(of: Cast.ann)), from: .nobody).token
        // Her first command makes her a user.
        try desk.http.perform(CreateChannel(kind: .group, channel: Cast.club), from: .token(first))
        let before = try await desk.server.code(of: Cast.ann)
        try desk.http.perform(EndLogins(userID: Cast.ann.userID), from: desk.chief)
        #expect(try desk.refusal(before) == .wrongCredentials)
        desk.server.clock.advance(by: 1_000)
        let code = try await desk.server.code(of: Cast.ann)
        try desk.http.perform(SetUserAccess(userID: Cast.ann.userID, canChat: false), from: desk.chief)
        #expect(try desk.refusal(code) == .userBanned)
        try desk.http.perform(SetUserAccess(userID: Cast.ann.userID, canChat: true), from: desk.chief)
        let token = try desk.http.perform(LogIn(code: code), from: .nobody).token
        #expect(try desk.http.refusal(GetUnread(), from: .token(token)) == nil)
        let last = try await desk.server.code(of: Cast.ann)
        try desk.http.perform(DeleteUser(userID: Cast.ann.userID), from: desk.chief)
        #expect(try desk.refusal(last) == .userDeleted)
        await desk.server.stop()
    }
}
