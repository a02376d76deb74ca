import Crypto
import Foundation
import RoostClient
import RoostCore
import RoostTesting
import RoostWire
import Testing

/// Accounts with a password, over HTTP and the SDK. Passwords are hashed cheaply here.
@Suite(.serialized, .firstPassOnly, .timeLimit(.minutes(2))) struct AccountsTests {
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

        @discardableResult
        func register(_ accounts: NewAccount..., key: String? = nil) throws -> [RegisterAccounts.Result] {
            try http.perform(RegisterAccounts(accounts: accounts), from: chief, key: key).results
        }

        /// The code with which a login is refused; nil if it is not.
        func logInCode(_ loginName: String, _ password: String) throws -> ErrorCode? {
            try http.refusal(LogIn(loginName: loginName, password: password), from: .nobody)?.entry
        }

        func client(_ loginName: String, _ password: String) throws -> ChatClient {
            try server.disconnectedClient(
                try makeUser("nobody"), credentials: .password(password, of: loginName))
        }
    }

    private static let number = "+491701234567"
    /// A login name of 254 bytes.
    private static let longest = String(repeating: "a", count: 242) + "@example.com"

    @Test func `an account is registered and authenticated, with the agreed code for each refusal [L-1 C-L38 XC-2]`()
        async throws
    {
        let desk = try await Desk()
        let ann = NewAccount(loginName: "user001", password: "correct horse", name: "Ann")
        let first = try desk.register(ann, key: "register-1")
        let id = try #require(first.first?.userID)
        #expect(try desk.register(ann, key: "register-1") == first)
        #expect(
            try desk.http.refusal(RegisterAccounts(accounts: [ann, ann]), from: desk.chief, key: "register-1")?.code
                == 1119)
        let answer = try desk.http.perform(
            Authenticate(loginName: "USER001", password: "correct horse", ttl: 60), from: desk.chief)
        #expect(answer.userID == id && answer.loginName == "user001")
        #expect(try desk.http.refusal(GetUnread(), from: .token(answer.token)) == nil)
        // Each account for itself.
        let results = try desk.register(
            NewAccount(loginName: "User001", password: "another one"),
            NewAccount(loginName: "bob", password: ""), NewAccount(loginName: "bob", password: "short"),
            NewAccount(loginName: "b b", password: "long enough"),
            NewAccount(loginName: "+49170", password: "long enough"),
            NewAccount(loginName: "bob", password: "long enough", phone: "0170 1234567"),
            NewAccount(loginName: "bob", password: "long enough", email: "bob"),
            NewAccount(loginName: "bob", password: "long enough", userID: id),
            NewAccount(loginName: Self.number, password: "long enough"),
            NewAccount(loginName: "cid", password: "long enough", phone: Self.number),
            NewAccount(loginName: "dee", password: "long enough", userID: "dee-1"),
            NewAccount(loginName: "Dee", password: "long enough"))
        #expect(results.map { $0.error?.code } == [603, 604, 6, 6, 8, 8, 6, 603, nil, 603, nil, 603])
        #expect(results.map { $0.userID == nil } == results.map { $0.error != nil })
        #expect(results[10].userID == "dee-1")
        func code(_ name: String, _ password: String) throws -> ErrorCode? {
            try desk.http.refusal(Authenticate(loginName: name, password: password), from: desk.chief)?.entry
        }
        #expect(try code("user001", "wrong password") == .wrongPassword)
        #expect(try code("nobody", "correct horse") == .noAccount)
        #expect(try code("user001", "") == .passwordRequired)
        #expect(try code(id.rawValue, "correct horse") == nil)
        #expect(
            try desk.http.refusal(Authenticate(loginName: "a", password: "b", ttl: 59), from: desk.chief)?.field
                == "ttl")
        for count in [0, 101] {
            let accounts = Array(repeating: ann, count: count)
            #expect(try desk.http.refusal(RegisterAccounts(accounts: accounts), from: desk.chief)?.entry == .dataFormat)
        }
        // Neither a user nor a stranger does any of this.
        for caller in [HTTPClient.Caller.guest(Cast.ann), .token(answer.token)] {
            #expect(try desk.http.refusal(RegisterAccounts(accounts: [ann]), from: caller)?.entry == .noPrivilege)
            #expect(
                try desk.http.refusal(Authenticate(loginName: "a", password: "b"), from: caller)?.entry == .noPrivilege)
        }
        #expect(try desk.http.refusal(RegisterAccounts(accounts: [ann]), from: .nobody)?.entry == .notAuthenticated)
        // Nor does an operator whose token was revoked.
        try desk.http.perform(EndLogins(), from: desk.chief)
        #expect(try desk.http.refusal(RegisterAccounts(accounts: [ann]), from: desk.chief)?.entry == .tokenExpired)
        #expect(try code("user001", "correct horse") == .tokenExpired)
        #expect(try desk.http.refusal(SetAccount(userID: id, email: "a@b.c"), from: desk.chief)?.entry == .tokenExpired)
        await desk.server.stop()
    }

    @Test func `a user reads the own account, an operator every one [L-6 LO-1]`() async throws {
        let desk = try await Desk()
        let results = try desk.register(
            NewAccount(
                loginName: "Ann@work", password: "correct horse", phone: Self.number, email: "ann@example.com",
                corpID: "example-kk"))
        let id = try #require(results.first?.userID)
        let token = try desk.http.perform(LogIn(loginName: "ann@work", password: "correct horse"), from: .nobody).token
        let expected = Account(
            userID: id, loginName: "Ann@work", phone: Self.number, email: "ann@example.com",
            corpID: "example-kk", source: .registered)
        let own = try desk.http.perform(GetAccount(), from: .token(token))
        var here = expected
        here.deviceID = "http"
        #expect(own == here)
        #expect(try desk.http.perform(GetAccount(userID: id), from: desk.chief) == expected)
        let ann = try await desk.server.client(Cast.ann)
        #expect(try await ann.account().source == .token)
        #expect(try await ann.account().userID == Cast.ann.userID)
        #expect(await code { try await ann.perform(GetAccount(userID: id)) } == .server(.noPrivilege))
        #expect(try desk.http.refusal(GetAccount(userID: "nobody"), from: desk.chief)?.entry == .userNotFound)
        await desk.server.stop()
    }

    @Test
    func
        `people are found by id, login name and phone, with the same profile; unknown ones are left out [L-7 L-98 L-X4 LO-2 LR-29]`()
        async throws
    {
        let desk = try await Desk()
        let results = try desk.register(
            NewAccount(
                loginName: "Bob@work", password: "correct horse", name: "Bob", phone: Self.number,
                email: "bob@example.com", corpID: "example-kk"),
            NewAccount(loginName: "cid", password: "correct horse", phone: "+886912345678"))
        let (bob, cid) = (try #require(results[0].userID), try #require(results[1].userID))
        try desk.http.perform(SetUserAccess(userID: cid, canChat: false, canCall: false), from: desk.chief)
        let ann = try await desk.server.client(Cast.ann)
        var found = FoundUser(
            userID: bob, name: "Bob", brand: "roost", corpID: "example-kk", canChat: true, canCall: true)
        #expect(try await ann.findUsers([bob, "unknown"]) == [found])
        found.loginName = "Bob@work"
        #expect(try await ann.findUsers(loginNames: ["BOB@WORK", "unknown"]) == [found])
        found.loginName = nil
        found.phone = Self.number
        #expect(try await ann.findUsers(phones: [Self.number, "+491700000000"]) == [found])
        let banned = try await ann.findUsers(phones: ["+886912345678"])
        #expect(banned.map(\.userID) == [cid] && banned.first?.canChat == false && banned.first?.canCall == false)
        // Somebody without an organisation has an empty one.
        #expect(banned.first?.corpID == "")
        // An operator sees everything, and finds the number of a user.
        found.loginName = "Bob@work"
        found.email = "bob@example.com"
        #expect(try desk.http.perform(FindUsers(userIDs: [bob]), from: desk.chief).users == [found])
        try desk.http.perform(SetAccount(userID: bob, corpID: "other"), from: desk.chief)
        #expect(try await ann.findUsers([bob]).first?.corpID == "other")
        try desk.http.perform(SetAccount(userID: bob, corpID: ""), from: desk.chief)
        #expect(try await ann.findUsers([bob]).first?.corpID == "")
        #expect(try desk.http.perform(GetAccount(userID: bob), from: desk.chief).corpID == nil)
        for corpID in [String(repeating: "a", count: 129), "a\u{7}b"] {
            let error = try desk.http.refusal(SetAccount(userID: bob, corpID: corpID), from: desk.chief)
            #expect(error?.entry == .dataFormat && error?.field == "corpID")
        }
        #expect(await code { try await ann.perform(SetAccount(corpID: "mine")) } == .server(.noPrivilege))
        // By all ways at once, everybody is there once.
        let all = try await ann.findUsers([bob, bob], loginNames: ["bob@work", "cid"], phones: [Self.number])
        #expect(all.map(\.userID) == [bob, cid].sorted())
        await desk.server.stop()
    }

    @Test func `a lookup that is wrong is refused by a code, and numbers cannot be tried without end [LE-8]`()
        async throws
    {
        let desk = try await Desk()
        let ann = HTTPClient.Caller.guest(Cast.ann)
        for phone in [
            "491701234567", "+0491701234567", "+49 170 1234567", "+123456", "+1234567890123456", "+49170123456a", "",
        ] {
            let error = try desk.http.refusal(FindUsers(phones: [Self.number, phone]), from: ann)
            #expect(error?.entry == .numberFormat && error?.field == "phones[1]", "\(phone)")
        }
        #expect(try desk.http.refusal(FindUsers(), from: ann)?.entry == .dataFormat)
        let many = (0..<100).map { "+4917000\(10_000 + $0)" }
        #expect(try desk.http.refusal(FindUsers(phones: many + [Self.number]), from: ann)?.entry == .dataFormat)
        let bob = HTTPClient.Caller.guest(Cast.bob)
        for _ in 0..<5 { #expect(try desk.http.refusal(FindUsers(phones: many), from: bob) == nil) }
        let refused = try desk.http.refusal(FindUsers(phones: [Self.number]), from: bob)
        #expect(refused?.entry == .tooManyRequests && refused?.retryAfterMs != nil)
        for _ in 0..<7 { #expect(try desk.http.refusal(FindUsers(phones: many), from: desk.chief) == nil) }
        desk.server.clock.advance(by: 2_000)
        #expect(try desk.http.refusal(FindUsers(phones: [Self.number]), from: bob) == nil)
        await desk.server.stop()
    }

    @Test
    func `the SDK starts with an address, a login name and a password; what is wrong has a code [L-4 LO-16 LE-1]`()
        async throws
    {
        let desk = try await Desk()
        let id = try #require(
            desk.register(NewAccount(loginName: "ann", password: "correct horse", name: "Ann")).first?.userID)
        for (name, password) in [
            ("ann", "wrong"), ("ann", ""), ("nobody", "correct horse"), ("", "correct horse"), ("a b", "x"),
        ] {
            let client = try desk.client(name, password)
            do throws(RoostError) {
                try await client.connect()
                Issue.record("connected as \(name)")
            } catch {
                #expect(error.wire?.entry == .wrongCredentials && !error.isRetryable, "\(name) \(password)")
            }
            #expect(try desk.logInCode(name, password) == .wrongCredentials)
        }
        for server in ["", "nowhere", "http://", "ftp://127.0.0.1"] {
            #expect(
                await code { try await ChatClient.logIn(to: server, loginName: "ann", password: "x") }
                    == .invalidConfiguration)
            let client = ChatClient(
                configuration: ClientConfiguration(
                    server: server, credentials: .password("correct horse", of: "ann"), deviceID: "d"))
            #expect(await code { try await client.connect() } == .invalidConfiguration)
        }
        #expect(
            await code { try await ChatClient.logIn(to: "http://127.0.0.1:1", loginName: "ann", password: "x") }
                == .unreachable)
        let ann = try desk.client("ANN", "correct horse")
        let bob = try await desk.server.client(Cast.bob)
        try await ann.connect()
        #expect(await ann.user?.userID == id)
        let chat = ann.channel(try await ann.startMessaging(with: Cast.bob.userID).channel)
        try await chat.send("hello")
        #expect(try await bob.channel(chat.id).history(from: .server).events.compactMap(\.text) == ["hello"])
        // Two accounts in one process do not disturb each other.
        try desk.register(NewAccount(loginName: "cid", password: "correct horse"))
        let cid = try desk.client("cid", "correct horse")
        try await cid.connect()
        #expect(await cid.user?.userID != id)
        for client in [ann, bob, cid] { await client.disconnect() }
        await desk.server.stop()
    }

    @Test func `a new password logs out every device, and only the user with the old one, or an operator, sets it`()
        async throws
    {
        let desk = try await Desk()
        let id = try #require(desk.register(NewAccount(loginName: "ann", password: "old password")).first?.userID)
        let ann = try desk.client("ann", "old password")
        try await ann.connect()
        let (phone, states) = (try desk.client("ann", "old password"), ann.states)
        try await phone.connect()
        let token = try desk.http.perform(LogIn(loginName: "ann", password: "old password"), from: .nobody).token
        #expect(
            await code { try await ann.setPassword("new password", replacing: "wrong") } == .server(.wrongPassword))
        #expect(await code { try await ann.setPassword("short", replacing: "old password") } == .server(.dataFormat))
        #expect(await code { try await ann.perform(SetAccount(phone: Self.number)) } == .server(.noPrivilege))
        #expect(await code { try await ann.perform(SetAccount()) } == .server(.dataFormat))
        #expect(
            await code { try await ann.perform(SetAccount(userID: Cast.bob.userID, password: "12345678")) }
                == .server(.noPrivilege))
        try await ann.setPassword("new password", replacing: "old password")
        for await state in states where state == .offline { break }
        #expect(try desk.http.refusal(GetUnread(), from: .token(token))?.entry == .tokenExpired)
        #expect(try desk.logInCode("ann", "old password") == .wrongCredentials)
        // In the same second already.
        let fresh = try desk.http.perform(LogIn(loginName: "ann", password: "new password"), from: .nobody).token
        #expect(try desk.http.refusal(GetUnread(), from: .token(fresh)) == nil)
        // The operator needs no old password.
        let set = SetAccount(userID: id, password: "another password", phone: Self.number)
        let first = try desk.http.perform(set, from: desk.chief, key: "set-1")
        #expect(try desk.http.perform(set, from: desk.chief, key: "set-1") == first)
        #expect(try desk.logInCode("ann", "another password") == nil)
        #expect(
            try desk.http.refusal(SetAccount(userID: "nobody", email: "a@b.c"), from: desk.chief)?.entry
                == .userNotFound)
        let bob = try await desk.server.client(Cast.bob)
        #expect(
            try desk.http.refusal(SetAccount(userID: Cast.bob.userID, password: "12345678"), from: desk.chief)?.code
                == 602)
        #expect(
            try desk.http.refusal(SetAccount(userID: Cast.bob.userID, phone: Self.number), from: desk.chief)?.code
                == 603)
        try desk.http.perform(SetAccount(userID: Cast.bob.userID, phone: "+886912345678"), from: desk.chief)
        #expect(try await bob.account().phone == "+886912345678")
        try desk.http.perform(SetAccount(userID: Cast.bob.userID, phone: ""), from: desk.chief)
        #expect(try await bob.account().phone == nil)
        await desk.server.stop()
    }

    @Test func `a user id that differs from an existing one by case only is refused at registration`() async throws {
        let desk = try await Desk()
        _ = try await desk.server.client(Cast.bob)
        func code(_ loginName: String, _ id: UserID) throws -> ErrorCode? {
            try desk.register(NewAccount(loginName: loginName, password: "correct horse", userID: id)).first?.error?
                .entry
        }
        #expect(try code("one", "BOB") == .accountExists)
        #expect(try code("two", "Dora") == nil)
        #expect(try code("three", "dora") == .accountExists)
        #expect(try code("four", "dora2") == nil)
        // The user who is there gets an account as before.
        #expect(try code("bob", Cast.bob.userID) == nil)
    }

    @Test func `a password that is guessed first is refused, at registration and later`() async throws {
        let desk = try await Desk()
        let blanks = [String(repeating: " ", count: 8), String(repeating: "\u{0}", count: 8)]
        for password in ["password", "12345678", "IloveYou!", "ann.miller", "Ann-Number-1"] + blanks {
            let account = NewAccount(loginName: "ann.miller", password: password, userID: "ann-number-1")
            let error = try desk.register(account).first?.error
            #expect(error?.entry == .dataFormat && error?.field == "password", "\(password)")
        }
        let account = NewAccount(loginName: "ann.miller", password: "correct horse")
        let id = try #require(desk.register(account).first?.userID)
        let token = try desk.http.perform(LogIn(loginName: "ann.miller", password: "correct horse"), from: .nobody)
            .token
        for password in ["qwertyuiop", "ANN.MILLER", id.rawValue] {
            for set in [
                (SetAccount(password: password, oldPassword: "correct horse"), HTTPClient.Caller.token(token)),
                (SetAccount(userID: id, password: password), desk.chief),
            ] {
                let error = try desk.http.refusal(set.0, from: set.1)
                #expect(error?.entry == .dataFormat && error?.field == "password", "\(password)")
            }
        }
        #expect(try desk.logInCode("ann.miller", "correct horse") == nil)
        await desk.server.stop()
    }

    @Test func `passwords cannot be tried without end, neither for a login name nor from an address`() async throws {
        let desk = try await Desk()
        try desk.register(NewAccount(loginName: "ann", password: "correct horse"))
        for _ in 0..<9 { #expect(try desk.logInCode("ann", "wrong password") == .wrongCredentials) }
        #expect(try desk.logInCode("ann", "correct horse") == nil)
        for _ in 0..<10 { #expect(try desk.logInCode("Ann", "wrong password") == .wrongCredentials) }
        let refused = try desk.http.refusal(LogIn(loginName: "ann", password: "correct horse"), from: .nobody)
        #expect(refused?.entry == .tooManyRequests && refused?.retryAfterMs == 900_000)
        // Backends count for themselves.
        let authenticate = Authenticate(loginName: "ann", password: "correct horse")
        #expect(try desk.http.refusal(authenticate, from: desk.chief) == nil)
        // Nine attempts were wrong before Ann had ever logged in from this address: 41 others fit.
        for number in 0..<41 { #expect(try desk.logInCode("user\(number)", "wrong password") == .wrongCredentials) }
        #expect(try desk.logInCode("user41", "wrong password") == .tooManyRequests)
        desk.server.clock.advance(by: 900_000)
        #expect(try desk.logInCode("ann", "correct horse") == nil)
        await desk.server.stop()
    }

    @Test func `an account is one, whether it is named by its login name or its user id, and no name is too long`()
        async throws
    {
        let desk = try await Desk()
        let id = try #require(desk.register(NewAccount(loginName: "ann", password: "correct horse")).first?.userID)
        for name in ["ann", id.rawValue] {
            for _ in 0..<5 { #expect(try desk.logInCode(name, "wrong password") == .wrongCredentials) }
        }
        for name in ["ann", id.rawValue] { #expect(try desk.logInCode(name, "correct horse") == .tooManyRequests) }
        // What nobody can have is not counted.
        let long = String(repeating: "a", count: 255)
        for _ in 0..<60 { #expect(try desk.logInCode(long, "wrong password") == .wrongCredentials) }
        await desk.server.stop()
    }

    @Test
    func `whoever registers a login for a user keeps the user's phone number and address, unless it gives others`()
        async throws
    {
        let desk = try await Desk()
        let bob = try await desk.server.client(Cast.bob)
        let user = Cast.bob.userID
        try desk.http.perform(SetAccount(userID: user, phone: Self.number, email: "bob@example.org"), from: desk.chief)
        let results = try desk.register(
            NewAccount(loginName: "bob", password: "correct horse", userID: user, phone: Self.number))
        #expect(results.map(\.userID) == [user])
        let account = try await bob.account()
        #expect(account.phone == Self.number && account.email == "bob@example.org" && account.loginName == "bob")
        #expect(
            try desk.register(NewAccount(loginName: "cid", password: "correct horse", phone: Self.number)).first?.error?
                .code == 603
        )
        // A deleted user cannot be found.
        try desk.http.perform(DeleteUser(userID: user), from: desk.chief)
        #expect(
            try desk.http.perform(FindUsers(userIDs: [user], phones: [Self.number]), from: desk.chief).users.isEmpty)
        #expect(try desk.http.refusal(GetAccount(userID: user), from: desk.chief)?.entry == .userNotFound)
        #expect(try desk.http.refusal(TestPush(userID: user), from: desk.chief)?.entry == .userNotFound)
        await desk.server.stop()
    }

    @Test func `a banned user with a password gets no token, and no client [L-13]`() async throws {
        let desk = try await Desk()
        let id = try #require(desk.register(NewAccount(loginName: "ann", password: "correct horse")).first?.userID)
        let ann = try desk.client("ann", "correct horse")
        try await ann.connect()
        // Everything is in this one object.
        #expect(try await ann.account().userID == id)
        #expect(try await ann.device().deviceID == (try await ann.account()).deviceID)
        try desk.http.perform(SetUserAccess(userID: id, canChat: false), from: desk.chief)
        for await state in ann.states where state == .offline { break }
        do throws(RoostError) {
            try await ann.connect()
            Issue.record("connected")
        } catch {
            #expect(error.wire?.entry == .userBanned && !error.isRetryable)
        }
        #expect(try desk.logInCode("ann", "correct horse") == .userBanned)
        #expect(try desk.logInCode("ann", "wrong password") == .wrongCredentials)
        #expect(await code { try await ann.account() } != nil)
        await desk.server.stop()
    }

    @Test func `if the account store fails, logins fail with its code, and messages do not [LE-3]`() async throws {
        let desk = try await Desk()
        try desk.register(NewAccount(loginName: "ann", password: "correct horse"))
        try desk.server.database.write { try $0.execute("ALTER TABLE accounts RENAME TO lost") }
        let refused = try desk.http.post(
            "account.logIn", #"{"loginName":"ann","password":"correct horse"}"#, from: .nobody)
        #expect(refused.status == 503 && refused.error?.entry == .accountDatabase && refused.error?.retryable == true)
        let account = NewAccount(loginName: "bob", password: "correct horse", userID: "bob")
        let register = RegisterAccounts(accounts: [account])
        #expect(try desk.http.refusal(register, from: desk.chief, key: "register")?.entry == .accountDatabase)
        let bob = try await desk.server.client(Cast.bob)
        try await bob.channel(try await bob.startMessaging(with: Cast.bob.userID).channel).send("note")
        try desk.server.database.write { try $0.execute("ALTER TABLE lost RENAME TO accounts") }
        #expect(try desk.logInCode("ann", "correct horse") == nil)
        #expect(try desk.http.perform(register, from: desk.chief, key: "register").results.first?.error == nil)
        await desk.server.stop()
    }

    @Test func `a key does what its scopes allow, in the name of its user, until it is revoked`() async throws {
        let desk = try await Desk()
        let ann = try await desk.server.client(Cast.ann)
        func key(_ name: String, _ digit: String, _ scopes: [KeyScope]) throws -> HTTPClient.Caller {
            let text = APIKey.prefix + String(repeating: digit, count: 64)
            let hash = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
            let create = CreateKey(key: name, hash: hash, scopes: scopes, userID: Cast.ann.userID)
            let first = try desk.http.perform(create, from: desk.chief, key: "create-\(name)")
            #expect(try desk.http.perform(create, from: desk.chief, key: "create-\(name)") == first)
            return .token(text)
        }
        let accounts = try key("accounts", "a", [.accounts])
        let messages = try key("messages", "b", [.messages])
        let all = try key("all", "c", [.operator])
        let register = RegisterAccounts(accounts: [NewAccount(loginName: "ann", password: "correct horse")])
        let ban = SetUserAccess(userID: "somebody", canCall: false)
        let send = CreateChannel(kind: .group, title: "x")
        let news = ListBroadcasts()
        let table: [(HTTPClient.Caller, [Int?])] = [
            (accounts, [nil, nil, 1107, 1107, 1107]), (messages, [1107, 1107, nil, 1107, 1107]),
            (all, [nil, nil, nil, nil, nil]),
        ]
        for (caller, codes) in table {
            let answers = [
                try desk.http.refusal(register, from: caller)?.code, try desk.http.refusal(ban, from: caller)?.code,
                try desk.http.refusal(send, from: caller)?.code, try desk.http.refusal(news, from: caller)?.code,
                try desk.http.refusal(ListKeys(), from: caller)?.code,
            ]
            #expect(answers == codes)
        }
        #expect(try desk.http.request("POST", "/v1/files", "", accounts.headers).status != 201)
        // Deleting somebody for good is more than managing accounts.
        for caller in [accounts, messages] {
            for user in [UserID?.none, "somebody"] {
                #expect(try desk.http.refusal(DeleteUser(userID: user), from: caller)?.entry == .noPrivilege)
            }
        }
        let channels = try await ann.perform(ListChannels()).channels
        #expect(channels.count == 2)
        // Only an operator manages keys, and sees them, but never what gives access.
        #expect(await code { try await ann.perform(ListKeys()) } == .server(.noPrivilege))
        let wrong = [
            CreateKey(key: "all", hash: String(repeating: "d", count: 64), scopes: [.accounts]),
            CreateKey(key: "a b", hash: String(repeating: "d", count: 64), scopes: [.accounts]),
            CreateKey(key: "new", hash: "d", scopes: [.accounts]),
            CreateKey(key: "new", hash: String(repeating: "d", count: 64), scopes: []),
        ]
        for create in wrong { #expect(try desk.http.refusal(create, from: desk.chief)?.entry == .dataFormat) }
        try desk.http.perform(RevokeKey(key: "accounts"), from: desk.chief)
        #expect(try desk.http.refusal(ban, from: accounts)?.entry == .wrongCredentials)
        #expect(try desk.http.refusal(GetUnread(), from: messages) == nil)
        let listed = try desk.http.perform(ListKeys(), from: desk.chief).keys
        #expect(listed.map(\.name) == ["accounts", "all", "messages"])
        #expect(listed.map { $0.revokedAt != nil } == [true, false, false])
        #expect(listed.allSatisfy { $0.userID == Cast.ann.userID })
        // Not over a WebSocket, and not with one digit less.
        let caller = APIKey.prefix + String(repeating: "c", count: 64)
        let client = try desk.server.disconnectedClient(Cast.ann, credentials: .token { caller })
        #expect(await code { try await client.connect() } == .refused)
        #expect(try desk.http.refusal(GetUnread(), from: .token(String(caller.dropLast())))?.entry == .wrongCredentials)
        await desk.server.stop()
    }

    @Test func `a login name may be any e-mail address or word, with spaces around it, however accents are written`()
        async throws
    {
        let desk = try await Desk()
        let (composed, decomposed) = ("J\u{FC}rgen", "ju\u{308}rgen")
        let names = [
            (" o'brien@example.com\n", ["O'Brien@Example.com", "\to'brien@example.com "], "o'brien@example.com"),
            (decomposed, [composed, decomposed, "J\u{DC}RGEN "], "j\u{FC}rgen"),
            ("ann+chat@example.com", ["ann+chat@example.com"], "ann+chat@example.com"),
            ("+tag@example.com", ["+TAG@example.com"], "+tag@example.com"),
            ("!#$%&'*/=?^_`{|}~-@example.com", ["!#$%&'*/=?^_`{|}~-@example.com"], "!#$%&'*/=?^_`{|}~-@example.com"),
            ("山田太郎", ["山田太郎"], "山田太郎"), ("अनीता", ["अनीता"], "अनीता"),
            (Self.longest, [], Self.longest),
        ]
        for (name, others, stored) in names {
            let result = try desk.register(NewAccount(loginName: name, password: "gru\u{308}\u{DF}e ann")).first
            #expect(result?.error == nil && result?.userID != nil, "\(name)")
            #expect(result.map { Array($0.loginName.utf8) } == Array(stored.utf8), "\(name)")
            for other in [name] + others {
                #expect(try desk.logInCode(other, "gr\u{FC}\u{DF}e ann") == nil, "\(other)")
                let refused = try desk.register(NewAccount(loginName: other, password: "another one")).first?.error
                #expect(refused?.entry == .accountExists, "\(other)")
            }
        }
        let found = try desk.http.perform(FindUsers(loginNames: [decomposed + " "]), from: desk.chief).users
        #expect(found.count == 1 && found.first?.loginName == "j\u{FC}rgen")
        for wrong in [
            "", " ", "a b", "a\u{0}b", "a\u{200B}b", "a\u{202E}b", "a,b", "a\nb", "(a)", "a" + Self.longest,
        ] {
            let refused = try desk.register(NewAccount(loginName: wrong, password: "long enough")).first?.error
            #expect(refused?.field == "loginName", "\(wrong)")
        }
    }
}
