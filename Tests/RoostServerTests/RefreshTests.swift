import Foundation
import RoostTesting
import RoostWire
import Testing

@testable import RoostServer

/// Browsers that stay signed in: a cookie that no script can read gets tokens for minutes.
@Suite(.timeLimit(.minutes(1))) struct RefreshTests {
    private static let origin = "Origin: \(LiveServer.scheme)://localhost"
    private static let password = "correct horse battery"
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    private struct Answer: Decodable {
        var userID: String
        var token: String
        var expiresAt: Int64
        var loginExpiresAt: Int64
    }

    /// A browser: it keeps the cookies, and knows the path of no other.
    private final class Browser {
        let server: LiveServer
        var cookies: [String: String] = [:]
        var last: RawAnswer?

        init(_ server: LiveServer) { self.server = server }

        var header: String { "Cookie: theme=dark; " + cookies.map { "\($0)=\($1)" }.joined(separator: "; ") }

        func post(_ name: String, _ body: String, _ headers: [String] = [RefreshTests.origin]) async throws -> RawAnswer
        {
            let answer = try await server.ask(
                "/v1/refresh/\(name)", headers + [header, "Content-Type: application/json"], method: "POST", body: body)
            last = answer
            for line in answer.headers["set-cookie"] ?? [] {
                let pair = line.prefix { $0 != ";" }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if line.contains("Max-Age=0;") {
                    cookies[String(pair[0])] = nil
                } else {
                    cookies[String(pair[0])] = String(pair[1])
                }
            }
            return answer
        }

        func start(_ body: String) async throws -> Answer {
            let answer = try await post("start", body)
            try #require(answer.status == 200, "\(answer.text)")
            return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
        }

        func start(as user: String = "ann") async throws -> Answer {
            try await start(#"{"loginName":"\#(user)","password":"\#(RefreshTests.password)"}"#)
        }

        /// A new token, or the code of the error.
        func token(of user: String = "ann") async throws -> (token: String?, error: ErrorCode?) {
            let answer = try await post("token", #"{"userID":"\#(user)"}"#)
            guard answer.status == 200 else { return (nil, try #require(answer.error?.entry)) }
            return (try JSONDecoder().decode(Answer.self, from: Data(answer.body)).token, nil)
        }
    }

    private static func issue(
        _ user: String, isOperator: Bool = false, ttl: Int64 = 3_600, at now: Int64 = LiveServer.now
    ) async throws -> String {
        try await TokenIssuer(secret: LiveServer.secret).issue(
            userID: UserID(rawValue: user) ?? "", isOperator: isOperator, ttl: ttl, now: now)
    }

    private static func command(
        _ name: String, _ body: String, token: String, id: String = "1", on server: LiveServer
    ) async throws -> RawAnswer {
        try await server.ask(
            "/v1/\(name)", ["Authorization: Bearer \(token)", "Idempotency-Key: \(id)"], method: "POST", body: body)
    }

    private static func run(
        _ adjust: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer, TestClock) async throws -> Void
    ) async throws {
        let clock = TestClock(now: LiveServer.now)
        try await LiveServer.run(clock: clock) {
            $0.isDevelopment = false
            adjust(&$0)
        } _: { server in
            let boss = try await issue("boss", isOperator: true)
            let accounts = ["ann", "bob"].map { #"{"loginName":"\#($0)","userID":"\#($0)","password":"\#(password)"}"# }
            let answer = try await command(
                "account.register", #"{"accounts":[\#(accounts.joined(separator: ","))]}"#, token: boss, on: server)
            try #require(answer.status == 200)
            try await body(server, clock)
        }
    }

    private static func isGood(_ token: String, on server: LiveServer) async throws -> Bool {
        try await command("unread.get", "{}", token: token, on: server).status == 200
    }

    @Test func `a password gives a token for ten minutes, and a cookie that no script reads and no other site sends`()
        async throws
    {
        try await Self.run { server, clock in
            let browser = Browser(server)
            let answer = try await browser.start()
            #expect(answer.userID == "ann" && answer.expiresAt == clock.now + 10 * Self.minute)
            #expect(answer.loginExpiresAt == clock.now + 30 * Self.day)
            #expect(try await Self.isGood(answer.token, on: server))
            let set = try #require(browser.last?["set-cookie"])
            let parts = set.split(separator: "; ").map(String.init)
            let secure = LiveServer.scheme == "https" ? ["Secure"] : []
            #expect(Array(parts.dropFirst()) == ["Max-Age=2592000", "HttpOnly", "SameSite=Strict"] + secure)
            #expect(parts[0].wholeMatch(of: /roost-refresh-[0-9a-f]{16}=[0-9a-f]{32}\.1\.[A-Za-z0-9_-]{43}/) != nil)
            #expect(browser.last?["cache-control"] == "no-store")
            // The cookie is good for tokens only.
            let cookie = try #require(browser.cookies.values.first)
            for text in [cookie, String(cookie.split(separator: ".")[0])] {
                #expect(try await Self.command("unread.get", "{}", token: text, on: server).status == 401)
            }
            #expect(try await server.ask("/v1/unread.get", [browser.header], method: "POST", body: "{}").status == 401)
        }
    }

    @Test func `behind TLS the cookie is sent over TLS only`() async throws {
        try await Self.run {
            $0.isBehindProxy = true
        } _: { server, _ in
            let answer = try await server.ask(
                "/v1/refresh/start", ["Origin: https://chat.example.com", "X-Forwarded-Host: chat.example.com"],
                method: "POST", body: #"{"loginName":"ann","password":"\#(Self.password)"}"#)
            #expect(answer["set-cookie"]?.hasSuffix("; HttpOnly; SameSite=Strict; Secure") == true)
        }
    }

    @Test func `each use after a minute replaces the cookie, and the one before is good until its successor is used`()
        async throws
    {
        try await Self.run { server, clock in
            let browser = Browser(server)
            let first = try await browser.start()
            // Tabs that start together.
            let before = browser.cookies
            for _ in 0..<3 { #expect(try await browser.token().error == nil) }
            #expect(browser.cookies == before)
            clock.advance(by: Self.minute)
            #expect(try await browser.token().error == nil)
            let second = browser.cookies
            #expect(second != before)
            // The answer was lost.
            browser.cookies = before
            #expect(try await browser.token().error == nil)
            #expect(browser.cookies == second)
            clock.advance(by: 9 * Self.minute)
            let token = try await browser.token().token
            #expect(try await Self.isGood(try #require(token), on: server))
            // The first token has expired, after its leeway.
            clock.advance(by: 2 * Self.minute)
            #expect(try await !Self.isGood(first.token, on: server))
        }
    }

    @Test func `a copied cookie that was replaced twice ends the login for both, and its tokens`() async throws {
        try await Self.run { server, clock in
            let (browser, thief) = (Browser(server), Browser(server))
            _ = try await browser.start()
            let other = Browser(server)
            _ = try await other.start()
            thief.cookies = browser.cookies
            for _ in 0..<2 {
                clock.advance(by: Self.minute)
                #expect(try await browser.token().error == nil)
            }
            let token = try #require(try await browser.token().token)
            #expect(try await thief.token().error == .tokenExpired)
            #expect(thief.cookies.isEmpty)
            #expect(try await browser.token().error == .notAuthenticated)
            #expect(try await !Self.isGood(token, on: server))
            // Another browser of the same user goes on.
            #expect(try await other.token().error == nil)
        }
    }

    @Test func `a thief who is ahead is found out by the owner`() async throws {
        try await Self.run { server, clock in
            let (browser, thief) = (Browser(server), Browser(server))
            _ = try await browser.start()
            thief.cookies = browser.cookies
            for _ in 0..<2 {
                clock.advance(by: Self.minute)
                #expect(try await thief.token().error == nil)
            }
            let token = try #require(try await thief.token().token)
            #expect(try await browser.token().error == .tokenExpired)
            #expect(try await thief.token().error == .notAuthenticated)
            #expect(try await !Self.isGood(token, on: server))
        }
    }

    @Test func `pages of other origins, and requests without one, get nothing`() async throws {
        try await Self.run {
            $0.allowedOrigins = ["https://app.example.com"]
        } _: { server, _ in
            let browser = Browser(server)
            _ = try await browser.start()
            let cookies = browser.cookies
            let foreign = [
                [], ["Origin: null"], ["Origin: https://evil.example"], ["Origin: https://app.example.com"],
                ["Origin: \(LiveServer.scheme)://localhost.evil.example"],
                ["Origin: \(LiveServer.scheme)://localhost:81"],
                ["Origin: \(LiveServer.scheme)://localhost", "Origin: \(LiveServer.scheme)://localhost"],
                ["Origin: \(LiveServer.scheme)://localhost", "Sec-Fetch-Site: cross-site"],
                ["Origin: \(LiveServer.scheme)://localhost", "Sec-Fetch-Site: same-site"],
                ["Origin: https://evil.example", "Sec-Fetch-Site: none"],
            ]
            for headers in foreign {
                for (name, body) in [
                    ("start", #"{"loginName":"ann","password":"\#(Self.password)"}"#), ("token", #"{"userID":"ann"}"#),
                    ("end", #"{"userID":"ann"}"#),
                ] {
                    let answer = try await browser.post(name, body, headers)
                    #expect(answer.status == 403 && answer["set-cookie"] == nil, "\(headers) \(name)")
                }
            }
            #expect(browser.cookies == cookies)
            #expect(try await browser.token().error == nil)
            // GET does nothing.
            #expect(try await server.ask("/v1/refresh/token", [Self.origin, browser.header]).status == 404)
        }
    }

    @Test func `cookies that are wrong, of others or set by others are no login`() async throws {
        try await Self.run { server, _ in
            let (browser, eve) = (Browser(server), Browser(server))
            _ = try await browser.start()
            _ = try await eve.start(as: "bob")
            let (name, value) = try #require(browser.cookies.first)
            let parts = value.split(separator: ".").map(String.init)
            let bob = try #require(eve.cookies.values.first)
            let wrong = [
                "", ".", "..", "x", "\(parts[0]).2.\(parts[2])", "\(parts[0]).1.\(String(repeating: "A", count: 43))",
                "\(parts[0]).1", "\(parts[0]).1.\(parts[2]).", "\(parts[0]).01.\(parts[2])",
                "\(parts[0]).-1.\(parts[2])",
                "\(parts[0].uppercased()).1.\(parts[2])", "\(parts[0]).99999999999999999999.\(parts[2])", bob,
                String(repeating: "1", count: 5_000),
            ]
            for value in wrong {
                browser.cookies = [name: value]
                #expect(try await browser.token().error == .notAuthenticated, "\(value.prefix(60))")
            }
            // A page of a sibling domain has added its own cookie of the same name.
            browser.cookies = [:]
            let answer = try await browser.post(
                "token", #"{"userID":"ann"}"#, [Self.origin, "Cookie: \(name)=\(bob); \(name)=\(value)"])
            #expect(answer.status == 200)
            // A login makes a new cookie, whatever the browser had.
            browser.cookies = [name: value]
            _ = try await browser.start()
            #expect(browser.cookies[name] != nil && browser.cookies[name] != value)
        }
    }

    @Test func `logging out, a logout elsewhere, a new password and a ban end it`() async throws {
        try await Self.run { server, clock in
            let boss = try await Self.issue("boss", isOperator: true)
            // Its own button; twice is as once.
            let browser = Browser(server)
            let token = try await browser.start().token
            for _ in 0..<2 { #expect(try await browser.post("end", #"{"userID":"ann"}"#).status == 200) }
            #expect(browser.cookies.isEmpty)
            #expect(try await !Self.isGood(token, on: server))
            // Another device logs out this one, which it knows by its connection.
            for all in [false, true] {
                clock.advance(by: Self.minute)
                let phone = Browser(server)
                let first = try await phone.start().token
                let socket = try await RawClient.webSocket(server.port)
                #expect(try await !socket.hello(token: first).contains("error"))
                clock.advance(by: 20 * Self.minute)
                let second = try #require(try await phone.token().token)
                let list = try await Self.command("login.list", "{}", token: second, on: server).text
                #expect(
                    list.contains(#""deviceID":"d""#) && list.contains(#""expiresAt":\#(clock.now + 30 * Self.day)"#))
                let body = all ? "{}" : #"{"deviceID":"d"}"#
                #expect(
                    try await Self.command("login.end", body, token: second, id: "e\(all)", on: server).status == 200)
                #expect(try await socket.closeCode() == 4401)
                #expect(try await phone.token().error == .notAuthenticated)
                #expect(try await !Self.isGood(second, on: server))
            }
            clock.advance(by: Self.minute)
            let desk = Browser(server)
            _ = try await desk.start()
            let ban = { (canChat: Bool) in
                try await Self.command(
                    "user.setAccess", #"{"userID":"ann","canChat":\#(canChat)}"#, token: boss, id: "b\(canChat)",
                    on: server)
            }
            #expect(try await ban(false).status == 200)
            #expect(try await desk.token().error == .userBanned)
            #expect(try await ban(true).status == 200)
            #expect(try await desk.token().error == nil)
            let set = try await Self.command(
                "account.set", #"{"userID":"ann","password":"another long one"}"#, token: boss, id: "p", on: server)
            #expect(set.status == 200)
            #expect(try await desk.token().error == .notAuthenticated)
        }
    }

    @Test func `30 days without use end it, and a token that others made ends it when it expires`() async throws {
        try await Self.run { server, clock in
            let (browser, other, boss) = (Browser(server), Browser(server), Browser(server))
            _ = try await browser.start()
            let hours = try await other.start(#"{"token":"\#(try await Self.issue("cat", ttl: 7_200))"}"#)
            #expect(hours.loginExpiresAt == clock.now + 7_260_000)
            let operatorToken = try await Self.issue("boss", isOperator: true, ttl: 864_000)
            #expect(try await boss.start(#"{"token":"\#(operatorToken)"}"#).loginExpiresAt == clock.now + Self.day / 2)
            clock.advance(by: 7_000_000)
            #expect(try await other.token(of: "cat").error == nil)
            clock.advance(by: 261_000)
            #expect(try await other.token(of: "cat").error == .notAuthenticated)
            clock.advance(by: Self.day / 2)
            #expect(try await boss.token(of: "boss").error == .notAuthenticated)
            for _ in 0..<3 {
                clock.advance(by: 29 * Self.day)
                #expect(try await browser.token().error == nil)
            }
            clock.advance(by: 30 * Self.day)
            #expect(try await browser.token().error == .notAuthenticated)
        }
    }

    @Test func `a token of such a login starts no other one, and bad logins start none`() async throws {
        try await Self.run { server, _ in
            let browser = Browser(server)
            let token = try await browser.start().token
            let bad = [
                (#"{"token":"\#(token)"}"#, 1107), (#"{"token":"x"}"#, 1),
                (#"{"token":"\#(try await Self.issue("cat", ttl: 60))"}"#, 7), ("{}", 6), ("[]", 6), ("", 6), ("{", 6),
                (#"{"loginName":"ann","password":"wrong"}"#, 1), (#"{"loginName":"ann"}"#, 6),
                (#"{"loginName":"ann","password":"wrong","token":"x"}"#, 6), (#"{"code":"x"}"#, 1),
            ]
            for (body, code) in bad {
                let thief = Browser(server)
                let answer = try await thief.post("start", body)
                #expect(answer.error?.code == code && thief.cookies.isEmpty, "\(body)")
            }
            for body in [#"{"userID":""}"#, #"{"userID":7}"#, "{}", #"{"userID":"a b"}"#] {
                #expect(try await browser.post("token", body).status == 400)
            }
        }
    }

    @Test func `several users are signed in beside each other`() async throws {
        try await Self.run { server, _ in
            let browser = Browser(server)
            _ = try await browser.start()
            _ = try await browser.start(as: "bob")
            #expect(browser.cookies.count == 2)
            for user in ["ann", "bob"] { #expect(try await browser.token(of: user).error == nil) }
            _ = try await browser.post("end", #"{"userID":"ann"}"#)
            #expect(try await browser.token().error == .notAuthenticated)
            #expect(try await browser.token(of: "bob").error == nil)
            #expect(try await browser.token(of: "cat").error == .notAuthenticated)
        }
    }

    @Test func `51 logins of a user are one too many, and the one that was used longest ago goes`() async throws {
        try await Self.run { server, clock in
            var browsers: [Browser] = []
            for _ in 0..<51 {
                clock.advance(by: 7_000)
                browsers.append(Browser(server))
                _ = try await browsers[browsers.count - 1].start()
            }
            #expect(try await browsers[0].token().error == .notAuthenticated)
            for browser in browsers[1...] { #expect(try await browser.token().error == nil) }
        }
    }

    @Test func `ten logins of a user in a minute are enough`() async throws {
        try await Self.run { server, clock in
            for _ in 0..<10 { _ = try await Browser(server).start() }
            let token = try await Self.issue("ann")
            let answer = try await Browser(server).post("start", #"{"token":"\#(token)"}"#)
            #expect(answer.status == 429 && answer["retry-after"] == "60")
            _ = try await Browser(server).start(as: "bob")
            clock.advance(by: Self.minute)
            _ = try await Browser(server).start()
        }
    }

    @Test func `a login in a browser that has one already replaces it`() async throws {
        try await Self.run { server, clock in
            let (browser, thief) = (Browser(server), Browser(server))
            let first = try await browser.start().token
            thief.cookies = browser.cookies
            let second = try await browser.start().token
            #expect(try await thief.token().error == .notAuthenticated)
            #expect(try await !Self.isGood(first, on: server))
            #expect(try await Self.isGood(second, on: server))
            #expect(try await browser.token().error == nil)
        }
    }

    @Test func `what a secret has vouched for ends with it`() async throws {
        try await Self.run { server, _ in
            let foreign = [UInt8](repeating: 8, count: 32)
            _ = try await server.roost.keys.replace(with: [LiveServer.secret, foreign])
            let token = try await TokenIssuer(secret: foreign).issue(userID: "cat", ttl: 3_600, now: LiveServer.now)
            let (browser, other) = (Browser(server), Browser(server))
            _ = try await browser.start(#"{"token":"\#(token)"}"#)
            _ = try await other.start()
            for each in [(browser, "cat"), (other, "ann")] { #expect(try await each.0.token(of: each.1).error == nil) }
            _ = try await server.roost.keys.replace(with: [LiveServer.secret])
            #expect(try await browser.token(of: "cat").error == .notAuthenticated)
            #expect(try await other.token().error == nil)
        }
    }

    @Test func `a server can keep nobody signed in`() async throws {
        try await Self.run {
            $0.keptLoginMs = 0
        } _: { server, _ in
            let answer = try await Browser(server).post("start", #"{"loginName":"ann","password":"\#(Self.password)"}"#)
            #expect(answer.error?.entry == .functionUnavailable && answer["set-cookie"] == nil)
        }
    }
}
