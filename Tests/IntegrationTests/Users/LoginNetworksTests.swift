import Crypto
import Foundation
import RoostClient
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Strangers who guess passwords, and owners who log in meanwhile; backends with keys, and operators.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(3))) struct LoginNetworksTests {
    private static let ann = NewAccount(loginName: "ann", password: "correct horse")

    private static func token(_ harness: ServerHarness, _ user: String) async throws -> HTTPClient.Caller {
        let made = try await Child.roost(
            ["token", "--data", harness.data, "--user", user, "--operator"], in: harness.folder
        ).result()
        return .token(try #require(made.output.first))
    }

    @Test func `a backend that names addresses keeps owners in while strangers guess from everywhere`() async throws {
        let server = try await TestServer.start()
        let http = HTTPClient(port: try #require(Int(server.url.split(separator: ":").last ?? "")))
        let chief = HTTPClient.Caller.token(
            try await server.token(of: try makeUser("op"), lasting: 3_600_000, isOperator: true))
        try http.perform(RegisterAccounts(accounts: [Self.ann]), from: chief)
        func code(_ name: String, _ password: String, from address: String?) throws -> ErrorCode? {
            let command = Authenticate(loginName: name, password: password, address: address)
            return try http.refusal(command, from: chief)?.entry
        }
        for wrong in ["", "nowhere", "192.0.2", "192.0.2.256", "192.0.2.1:80", "[2001:db8::1]"] {
            let error = try http.refusal(
                Authenticate(loginName: "ann", password: "x", address: wrong), from: chief)
            #expect(error?.entry == .dataFormat && error?.field == "address", "\(wrong)")
        }
        #expect(try code("ann", "correct horse", from: "2001:db8:0:1::1") == nil)
        // One guess from each of eleven networks, and nobody is locked out.
        for number in 0..<11 { #expect(try code("ann", "wrong", from: "198.51.100.\(number)") == .wrongPassword) }
        #expect(try code("ann", "correct horse", from: "203.0.113.1") == nil)
        // An account that is there and one that is not are locked alike, for networks that they do not know.
        for name in ["ann", "nobody"] {
            for network in 20..<30 {
                for _ in 0..<10 { _ = try code(name, "wrong", from: "198.51.100.\(network)") }
            }
            #expect(try code(name, "correct horse", from: "203.0.113.2") == .tooManyRequests)
        }
        for known in ["2001:0DB8:0:1:0:0:0:2", "203.0.113.1"] {
            #expect(try code("ann", "correct horse", from: known) == nil, "\(known)")
        }
        #expect(try code("ann", "correct horse", from: nil) == nil)
        // What is stored is not the address.
        let stored = try await server.database.read {
            try $0.rows("SELECT network FROM login_networks") { try $0.text(0) }
        }
        #expect(stored.count == 2 && stored.allSatisfy { $0.count == 32 && !$0.contains(".") && !$0.contains(":") })
        await server.stop()
    }

    @Test func `a banned user's right password makes no network known`() async throws {
        let server = try await TestServer.start()
        let http = HTTPClient(port: try #require(Int(server.url.split(separator: ":").last ?? "")))
        let chief = HTTPClient.Caller.token(
            try await server.token(of: try makeUser("op"), lasting: 3_600_000, isOperator: true))
        let results = try http.perform(RegisterAccounts(accounts: [Self.ann]), from: chief).results
        let id = try #require(results.first?.userID)
        try http.perform(SetUserAccess(userID: id, canChat: false), from: chief)
        let command = Authenticate(loginName: "ann", password: "correct horse", address: "192.0.2.1")
        #expect(try http.refusal(command, from: chief)?.entry == .userBanned)
        let count = try await server.database.read {
            try $0.rows("SELECT COUNT(*) FROM login_networks") { try $0.int(0) }
        }
        #expect(count == [0])
        await server.stop()
    }

    @Test func `after a kill the owner gets in from a known network, whatever strangers there have guessed`()
        async throws
    {
        let harness = try await ServerHarness(
            isDevelopment: false, options: ["--behind-proxy"], isRecorded: false)
        let home = HTTPClient.Caller(headers: ["X-Forwarded-For": "192.0.2.1"])
        let logIn = LogIn(loginName: "ann", password: "correct horse")
        let http = HTTPClient(harness)
        try http.perform(RegisterAccounts(accounts: [Self.ann]), from: try await Self.token(harness, "op"))
        try http.perform(logIn, from: home)
        harness.kill()
        try await harness.start()
        let again = HTTPClient(harness)
        for number in 0..<50 {
            let guess = LogIn(loginName: "nobody\(number)", password: "wrong")
            #expect(try again.refusal(guess, from: home)?.entry == .wrongCredentials)
        }
        let guess = LogIn(loginName: "somebody", password: "wrong")
        #expect(try again.refusal(guess, from: home)?.entry == .tooManyRequests)
        #expect(try again.refusal(logIn, from: home) == nil)
    }

    @Test func `after a kill a key has no power over operators who were there before`() async throws {
        let harness = try await ServerHarness()
        let (boss, chief) = (try await Self.token(harness, "boss"), try await Self.token(harness, "chief"))
        let http = HTTPClient(harness)
        try http.perform(ListKeys(), from: chief)
        let text = APIKey.prefix + String(repeating: "a", count: APIKey.digits)
        let hash = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
        try http.perform(CreateKey(key: "backend", hash: hash, scopes: [.accounts]), from: boss)
        harness.kill()
        try await harness.start()
        let (again, key) = (HTTPClient(harness), HTTPClient.Caller.token(text))
        for id in ["boss", "chief"] as [UserID] {
            let refusals = [
                try again.refusal(SetUserAccess(userID: id, canChat: false), from: key),
                try again.refusal(EndLogins(userID: id), from: key),
                try again.refusal(EndLogins(deviceID: "http", userID: id), from: key),
                try again.refusal(SetAccount(userID: id, email: "a@example.com"), from: key),
            ]
            for error in refusals {
                #expect(
                    error?.entry == .noPrivilege && error?.message.contains("use an operator's token") == true, "\(id)")
            }
        }
        // The key belongs to the operator, and has no power over its own user either.
        #expect(try again.refusal(EndLogins(), from: key)?.entry == .noPrivilege)
        let account = NewAccount(loginName: "boss-logs-in", password: "correct horse", userID: "boss")
        let result = try again.perform(RegisterAccounts(accounts: [account]), from: key).results.first
        #expect(result?.error?.entry == .noPrivilege && result?.error?.field == "userID" && result?.userID == nil)
        #expect(try again.refusal(SetUserAccess(userID: "bob", canChat: false), from: key) == nil)
        for caller in [boss, chief] { #expect(try again.refusal(ListKeys(), from: caller) == nil) }
        #expect(try again.refusal(SetUserAccess(userID: "chief", canChat: false), from: boss) == nil)
    }
}
