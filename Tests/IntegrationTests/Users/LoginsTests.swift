import Crypto
import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Logging out and banning, with real servers, connections and the command line.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LoginsTests {
    private static func token(_ harness: ServerHarness, _ user: String, _ options: String...) async throws -> String {
        let result = try await Child.roost(
            ["token", "--data", harness.data, "--user", user] + options, in: harness.folder
        ).result()
        return try #require(result.output.first)
    }

    /// Waits until a client reports that it is offline for good.
    private static func end(_ person: RecordingClient) async throws -> RoostError {
        try await person.wait("the end") { event in
            if case .disconnected(let error?) = event { error.isRetryable == false } else { false }
        }
        for event in person.events.reversed() { if case .disconnected(let error?) = event { return error } }
        throw ExpectationFailure(description: "no error")
    }

    /// The code with which the server refuses a login; nil if it does not.
    private static func loginCode(_ person: RecordingClient) async -> ErrorCode? {
        do throws(RoostError) {
            try await person.client.connect()
            return nil
        } catch {
            return error.wire?.entry
        }
    }

    @Test func `a device that is logged out is cut off on all ways, and stays so after a restart`() async throws {
        let harness = try await ServerHarness(isDevelopment: false)
        let (phone, tablet) = (try await Self.token(harness, "ann"), try await Self.token(harness, "ann"))
        let ann = try RecordingClient(harness.url, .token { phone }, device: "phone", positions: nil)
        let other = try RecordingClient(harness.url, .token { tablet }, device: "tablet", positions: nil)
        for person in [ann, other] { try await person.connect() }
        let http = HTTPClient(harness)
        #expect(try http.refusal(GetUnread(), from: .token(phone)) == nil)
        #expect(try await other.client.logins().map(\.deviceID).sorted() == ["phone", "tablet"])
        let ended = try await Child.roost(
            ["login", "end", "--token", tablet, "--on-device", "phone"], server: harness.url,
            in: harness.folder
        ).result()
        #expect(ended.output == ["logged out phone"])
        // As long as it is connected to another server, it is known.
        let error = try await Self.end(ann)
        #expect(error.wire?.entry == .tokenExpired)
        let unknown = try await Child.roost(
            ["login", "end", "--token", tablet, "--on-device", "phone", "--json"], server: harness.url,
            in: harness.folder
        ).result()
        #expect(unknown.status == 1 && unknown.errors.contains(#""code":7029,"#))
        #expect(try http.refusal(GetUnread(), from: .token(phone))?.entry == .tokenExpired)
        #expect(try http.post("user.get", #"{"userIDs":["ann"]}"#, from: .token(phone)).status == 401)
        #expect(try http.refusal(GetUnread(), from: .token(tablet)) == nil)
        #expect(await Self.loginCode(ann) == .tokenExpired)
        harness.kill()
        try await harness.start()
        #expect(await Self.loginCode(ann) == .tokenExpired)
        let again = HTTPClient(harness)
        #expect(try again.refusal(GetUnread(), from: .token(phone))?.entry == .tokenExpired)
        #expect(try again.refusal(GetUnread(), from: .token(tablet)) == nil)
    }

    @Test func `the key that signs tokens is changed while the server runs, and nobody is logged out before the end`()
        async throws
    {
        // Others have to get the file of the new key.
        let harness = try await ServerHarness(isDevelopment: false, isAlone: true)
        let old = try await Self.token(harness, "ann")
        let ann = try RecordingClient(harness.url, .token { old }, device: "phone", positions: nil)
        try await ann.connect()
        func secret(_ verb: String) async throws -> Int32 {
            try await Child.roost(["secret", verb, "--data", harness.data], in: harness.folder).result().status
        }
        let http = HTTPClient(harness)
        #expect(try await secret("rotate") == 0)
        let new = try await Self.token(harness, "bob")
        try await until { try http.refusal(GetUnread(), from: .token(new)) == nil }
        #expect(try http.refusal(GetUnread(), from: .token(old)) == nil)
        #expect(try await ann.client.logins().map(\.deviceID) == ["phone"])
        #expect(try await secret("drop") == 0)
        _ = try await Self.end(ann)
        #expect(try http.refusal(GetUnread(), from: .token(old))?.entry == .wrongCredentials)
        #expect(try http.refusal(GetUnread(), from: .token(new)) == nil)
    }

    @Test func `tokens of an identity provider open sessions, with keys that the server fetches`() async throws {
        let folder = try TemporaryFolder()
        func base64(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let key = Curve25519.Signing.PrivateKey()
        let set =
            #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"\#(base64(key.publicKey.rawRepresentation))"}]}"#
        try set.write(toFile: folder.path + "/keys.json", atomically: true, encoding: .utf8)
        let web = try Child(
            ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path],
            environment: ["PATH": "/usr/bin:/bin"], binary: "/usr/bin/python3")
        defer { web.signal(SIGTERM) }
        // "Serving HTTP on 127.0.0.1 port 41234 (http://127.0.0.1:41234/) ..."
        let line = try #require(await web.line())
        let port = try #require(line.split(separator: " ").compactMap { Int($0) }.last)
        let harness = try await ServerHarness(
            isDevelopment: false,
            options: [
                "--identity-keys", "http://127.0.0.1:\(port)/keys.json", "--identity-issuer", "https://id.example.com",
                "--identity-audience", "chat",
            ])
        let now = Int(Date().timeIntervalSince1970)
        let payload =
            #"{"iss":"https://id.example.com","aud":["chat"],"sub":"ann","iat":\#(now),"exp":\#(now + 600),"jti":"j"}"#
        let signed = base64(#"{"alg":"EdDSA","kid":"k","typ":"JWT"}"#.utf8) + "." + base64(payload.utf8)
        let token = signed + "." + base64(try key.signature(for: Data(signed.utf8)))
        let ann = try RecordingClient(harness.url, .token { token }, device: "phone", positions: nil)
        try await ann.connect()
        #expect(await ann.client.user?.userID == Cast.ann.userID)
        let http = HTTPClient(harness)
        #expect(try http.refusal(GetUnread(), from: .token(token)) == nil)
        let forged = signed + "." + base64(try Curve25519.Signing.PrivateKey().signature(for: Data(signed.utf8)))
        #expect(try http.refusal(GetUnread(), from: .token(forged))?.entry == .wrongCredentials)
        // It is revoked like any other.
        try await ann.client.endLogins(on: "phone")
        _ = try await Self.end(ann)
        #expect(try http.refusal(GetUnread(), from: .token(token))?.entry == .tokenExpired)
    }

    @Test func `an account for oneself from the command line, where the server allows it`() async throws {
        let harness = try await ServerHarness(
            isDevelopment: false, options: ["--allow-sign-up", "--max-accounts", "1"])
        let (right, wrong) = (harness.folder.path + "/right", harness.folder.path + "/wrong")
        try "correct horse battery\n".write(toFile: right, atomically: true, encoding: .utf8)
        try "incorrect horse\n".write(toFile: wrong, atomically: true, encoding: .utf8)
        func signUp(_ login: String, _ file: String) async throws -> Child.Result {
            try await Child.roost(
                ["account", "sign-up", login, "--password-file", file, "--display-name", "Ann", "--json"],
                server: harness.url, in: harness.folder
            ).result()
        }
        let made = try await signUp("ann", right)
        let token = try #require(try made.objects().first?["token"] as? String)
        #expect(try HTTPClient(harness).perform(GetAccount(), from: .token(token)).loginName == "ann")
        #expect(try await signUp("ann", right).status == 0)
        for (login, file, code) in [("ann", wrong, 603), ("ann@example.com", right, 6), ("bob", right, 605)] {
            let refused = try await signUp(login, file)
            #expect(refused.status == 1 && refused.errors.contains(#""code":\#(code),"#), "\(refused.errors)")
        }
        let closed = try await ServerHarness(isDevelopment: false)
        let refused = try await Child.roost(
            ["account", "sign-up", "ann", "--password-file", right, "--json"], server: closed.url, in: closed.folder
        ).result()
        #expect(refused.status == 1 && refused.errors.contains(#""code":7,"#))
    }

    @Test func `accounts and keys from the command line, and no password or key is stored or logged`() async throws {
        let harness = try await ServerHarness(isDevelopment: false, isFile: true, options: ["--brand", "acme"])
        let chief = try await Self.token(harness, "op", "--operator")
        let (right, wrong) = (harness.folder.path + "/right", harness.folder.path + "/wrong")
        try "correct horse battery\n".write(toFile: right, atomically: true, encoding: .utf8)
        try "incorrect horse\n".write(toFile: wrong, atomically: true, encoding: .utf8)
        func roost(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(arguments, server: harness.url, in: harness.folder).result()
        }
        let register = [
            "account", "register", "--token", chief, "ann", "--password-file", right, "--user-id", "ann-1", "--phone",
            "+491701234567", "--display-name", "Ann",
        ]
        let made = try await Child.roost(register, server: harness.url, in: harness.folder).result()
        #expect(made.output == ["registered ann as ann-1"])
        let again = try await Child.roost(register, server: harness.url, in: harness.folder).result()
        #expect(again.status == 1 && again.errors.contains("has an account already"))
        let login = try await roost("account", "log-in", "ann", "--password-file", right)
        let token = try #require(login.output.first)
        let refused = try await roost("account", "log-in", "ann", "--password-file", wrong, "--json")
        #expect(refused.status == 1 && refused.errors.contains(#""code":1,"#))
        for (address, code) in [("192.0.2.1", 601), ("nowhere", 6)] {
            let checked = try await roost(
                "account", "check", "--token", chief, "ann", "--password-file", wrong, "--address", address, "--json")
            #expect(checked.status == 1 && checked.errors.contains(#""code":\#(code),"#))
        }
        let found = try await roost("account", "find", "--token", token, "--phone", "+491701234567", "--json")
        #expect(try found.objects().first?["brand"] as? String == "acme")
        let shown = try await roost("account", "show", "--token", token)
        #expect(shown.output == ["ann-1  login ann  +491701234567"])
        let key = try #require(
            try await roost("key", "create", "--token", chief, "backend", "--scope", "accounts").output.first)
        let http = HTTPClient(harness)
        #expect(try http.perform(FindUsers(loginNames: ["ann"]), from: .token(key)).users.count == 1)
        #expect(try http.refusal(GetUnread(), from: .token(key))?.entry == .noPrivilege)
        #expect(
            try await roost("key", "list", "--token", chief).output.first?.contains("backend  accounts  as op") == true)
        #expect(try await roost("key", "revoke", "--token", chief, "backend").output == ["revoked backend"])
        #expect(try http.refusal(FindUsers(loginNames: ["ann"]), from: .token(key))?.entry == .wrongCredentials)
        let changed = try await roost(
            "account", "set", "--token", token, "--password-file", wrong, "--old-password-file", right)
        #expect(changed.output == ["changed"])
        #expect(try await roost("account", "log-in", "ann", "--password-file", wrong).status == 0)
        #expect(try await roost("account", "show", "--token", token).status == 1)
        #expect(harness.stop() == 0)
        for path in try FileManager.default.subpathsOfDirectory(atPath: harness.data) {
            guard let bytes = FileManager.default.contents(atPath: harness.data + "/" + path) else { continue }
            for secret in ["correct horse", key, token] {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(path)")
            }
        }
    }

    @Test(.firstPassOnly)
    func `guessed passwords, guessed phone numbers and a revoked token fail, and are logged with user and address`()
        async throws
    {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let server = try Child.roost(["serve", "--data", data, "--port", "0", "--log-level", "info"], in: folder)
        let url = String(try #require(await server.line()).dropFirst("ready ".count))
        let http = HTTPClient(port: try #require(URL(string: url)?.port))
        func token(_ user: String, _ options: String...) async throws -> String {
            let made = try await Child.roost(["token", "--data", data, "--user", user] + options, in: folder).result()
            return try #require(made.output.first)
        }
        let (chief, bob) = (try await token("op", "--operator"), try await token("bob"))
        try http.perform(
            RegisterAccounts(accounts: [NewAccount(loginName: "ann", password: "correct horse")]), from: .token(chief))
        for _ in 0..<10 {
            #expect(
                try http.refusal(LogIn(loginName: "ann", password: "battery"), from: .nobody)?.entry
                    == .wrongCredentials)
        }
        // Only the first refusals of a second are logged.
        let second = Int(Date().timeIntervalSince1970)
        try await until { Int(Date().timeIntervalSince1970) > second }
        #expect(
            try http.refusal(LogIn(loginName: "ann", password: "correct horse"), from: .nobody)?.entry
                == .tooManyRequests)
        let codes = try (0..<6).map { batch in
            let phones = (0..<100).map { "+49170\(1_000_000 + batch * 100 + $0)" }
            return try http.refusal(FindUsers(phones: phones), from: .token(bob))?.code
        }
        #expect(codes.last == 1004)
        try http.perform(EndLogins(), from: .token(bob))
        #expect(try http.refusal(GetUnread(), from: .token(bob))?.entry == .tokenExpired)
        let client = try RecordingClient(url, .token { bob }, device: "bob", positions: nil)
        #expect(await Self.loginCode(client) == .tokenExpired)
        server.signal(SIGTERM)
        var lines: [String] = []
        while let line = await server.errorLine() { lines.append(line) }
        func hasLine(_ words: String...) -> Bool {
            lines.contains { line in words.allSatisfy { " \(line) ".contains(" \($0) ") } }
        }
        // Login names are not logged, but one sees which lines are about the same one.
        let mark = lines.compactMap { $0.firstMatch(of: /login=(#[0-9a-f]{8})/)?.1 }.first.map(String.init) ?? ""
        #expect(hasLine("login refused", "code=1", "login=\(mark)", "address=127.0.0.1"), "\(lines)")
        #expect(hasLine("login refused", "code=1004", "login=\(mark)", "address=127.0.0.1"))
        #expect(!lines.contains { $0.contains("login=ann") })
        #expect(hasLine("too many lookups", "user=bob", "address=127.0.0.1"))
        #expect(lines.count { $0.contains("code=7002") && $0.contains("user=bob") } >= 2)
        for secret in ["battery", "correct horse", "+49170", bob] { #expect(!lines.contains { $0.contains(secret) }) }
    }

    @Test func `an operator bans a user, whose connections end, and lifts the ban`() async throws {
        let harness = try await ServerHarness()
        let chief = try await harness.operatorRecordingClient()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let talk = try await ann.start(with: Cast.bob)
        let http = HTTPClient(harness)
        let user = Cast.bob.userID
        #expect(
            await refusal { () throws(RoostError) in try await ann.client.setAccess(of: user, canChat: false) }
                == .server(.noPrivilege))
        try await chief.client.setAccess(of: user, canChat: false)
        let error = try await Self.end(bob)
        #expect(error.message.contains("4403"))
        #expect(await Self.loginCode(bob) == .userBanned)
        let refused = try http.post("unread.get", "{}", from: .guest(Cast.bob))
        #expect(refused.status == 403 && refused.error?.entry == .userBanned)
        // Others write to the user meanwhile.
        try await talk.send("while you were away")
        let token = try await Self.token(harness, "op", "--operator")
        let unban = try await Child.roost(
            ["user", "unban", "--token", token, "bob", "--json"], server: harness.url, in: harness.folder
        ).result()
        #expect(unban.status == 0)
        try await bob.client.connect()
        _ = try await bob.message("while you were away")
    }
}
