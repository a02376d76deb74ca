import Foundation
import Logging
import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// Accounts that people make themselves.
@Suite(.timeLimit(.minutes(1))) struct SignUpTests {
    private static let password = "correct horse battery"

    private static func signUp(
        _ loginName: String, _ password: String = password, name: String? = nil, from address: String = "192.0.2.1",
        on server: LiveServer
    ) async throws -> RawAnswer {
        let body = try WireCodec.encode(SignUp(loginName: loginName, password: password, name: name))
        return try await server.ask(
            "/v1/account.signUp", ["X-Forwarded-For: \(address)"], method: "POST",
            body: String(decoding: body, as: UTF8.self))
    }

    private static func failure(_ answer: RawAnswer) throws -> WireError {
        try #require(answer.error)
    }

    private static func login(_ answer: RawAnswer) throws -> LoginAnswer {
        try #require(answer.status == 200, "\(answer.text)")
        return try WireCodec.decode(LoginAnswer.self, from: answer.body)
    }

    private static func run(
        clock: TestClock = TestClock(now: LiveServer.now), audit: AuditLog? = nil, allows: Bool = true,
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await LiveServer.run(clock: clock, audit: audit) {
            $0.isDevelopment = false
            $0.isBehindProxy = true
            $0.allowsSignUp = allows
        } _: { server in
            try await body(server)
        }
    }

    @Test func `somebody without a token makes an account, and is in`() async throws {
        try await Self.run { server in
            #expect(try await server.ask("/", []).text.contains(#""passwords":true,"signUp":true"#))
            let login = try Self.login(try await Self.signUp(" Ann.Lee ", name: "Ann", on: server))
            #expect(login.loginName == "Ann.Lee" && login.userID.rawValue.hasPrefix("u-"))
            let answer = try await server.ask(
                "/v1/account.get", ["Authorization: Bearer \(login.token)"], method: "POST", body: "{}")
            let account = try WireCodec.decode(Account.self, from: answer.body)
            #expect(account.source == .registered && account.loginName == "Ann.Lee")
            // Nobody is an operator by it.
            let keys = try await server.ask(
                "/v1/key.list", ["Authorization: Bearer \(login.token)"], method: "POST", body: "{}")
            #expect(keys.status == 403)
        }
    }

    @Test func `the same command again logs in, and with another password it is refused`() async throws {
        try await Self.run { server in
            let first = try Self.login(try await Self.signUp("ann", on: server))
            let second = try Self.login(try await Self.signUp("ANN", on: server))
            #expect(first.userID == second.userID)
            let refused = try Self.failure(try await Self.signUp("Ann", "another horse battery", on: server))
            #expect(refused.entry == .accountExists && refused.field == "loginName")
            // The id of a user stands for the user, too.
            let taken = try Self.failure(
                try await Self.signUp(first.userID.rawValue, "another horse battery", on: server))
            #expect(taken.entry == .accountExists)
        }
    }

    @Test func `eight at once with one login name make one account`() async throws {
        try await Self.run { server in
            let answers = try await withThrowingTaskGroup(of: RawAnswer.self) { group in
                for number in 0..<8 {
                    group.addTask { try await Self.signUp("ann", from: "192.0.2.\(number)", on: server) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let ids = Set(try answers.map { try Self.login($0).userID })
            #expect(ids.count == 1)
        }
    }

    @Test(
        arguments: [
            ("", password, 6, "loginName"), ("ann lee", password, 6, "loginName"),
            ("ann@example.com", password, 6, "loginName"), ("+491701234567", password, 6, "loginName"),
            ("a\u{200B}nn", password, 6, "loginName"), (String(repeating: "a", count: 255), password, 6, "loginName"),
            ("ann", "", 604, "password"), ("ann", "short", 6, "password"), ("ann", "password1", 6, "password"),
            ("correct.horse", "Correct.Horse", 6, "password"),
            ("ann", String(repeating: "p", count: 201), 6, "password"),
        ])
    func `what no account may have is named`(loginName: String, password: String, code: Int, field: String) async throws
    {
        try await Self.run { server in
            let failure = try Self.failure(try await Self.signUp(loginName, password, on: server))
            #expect(failure.code == code && failure.field == field)
            #expect(try Self.failure(try await Self.signUp("bob", name: "\u{0007}", on: server)).field == "name")
        }
    }

    @Test func `a network makes ten accounts in a quarter of an hour, and all of them two hundred`() async throws {
        let clock = TestClock(now: LiveServer.now)
        try await Self.run(clock: clock) { server in
            for number in 0..<10 { _ = try Self.login(try await Self.signUp("user\(number)", on: server)) }
            #expect(try Self.failure(try await Self.signUp("more", on: server)).entry == .tooManyRequests)
            // Nor can it learn which login names exist.
            #expect(
                try Self.failure(try await Self.signUp("user1", "another horse battery", on: server)).entry
                    == .tooManyRequests)
            for number in 10..<200 {
                _ = try Self.login(
                    try await Self.signUp("user\(number)", from: "198.51.100.\(number)", on: server))
            }
            #expect(
                try Self.failure(try await Self.signUp("more", from: "203.0.113.1", on: server)).entry
                    == .tooManyRequests)
            clock.advance(by: LoginAttempts.length)
            _ = try Self.login(try await Self.signUp("more", on: server))
        }
    }

    @Test func `a server that does not allow it says so`() async throws {
        try await Self.run(allows: false) { server in
            let info = try await server.ask("/", [])
            #expect(info.text.contains(#""signUp":false"#))
            #expect(try Self.failure(try await Self.signUp("ann", on: server)).entry == .functionUnavailable)
        }
    }

    @Test func `a new account is in the audit log, without its names`() async throws {
        let folder = try TemporaryFolder()
        let audit = AuditLog(folder: folder.path, now: { LiveServer.now }, logger: .init(label: "test"))
        try await Self.run(audit: audit) { server in
            let login = try Self.login(try await Self.signUp("ann.lee", name: "Ann Lee", on: server))
            let deadline = ContinuousClock.now + .seconds(20)
            var text = ""
            while !text.contains("account.signUp"), ContinuousClock.now < deadline {
                text = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    .compactMap { try? String(contentsOfFile: folder.path + "/" + $0, encoding: .utf8) }.joined()
                await Task.yield()
            }
            #expect(text.contains("account.signUp") && text.contains(login.userID.rawValue))
            #expect(text.contains("192.0.2.1") && !text.contains("ann.lee") && !text.contains("Ann Lee"))
        }
    }
}
