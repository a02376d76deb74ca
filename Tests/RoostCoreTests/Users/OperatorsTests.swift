import RoostSQLite
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Keys with the scope `accounts`, and users over whom they have no power: operators, and users who exist already.
@Suite struct OperatorsTests {
    /// How somebody acts as an operator.
    private enum Way: CaseIterable {
        case connection, reading, writing, transport, key
    }

    private static let boss = Cast.dee
    /// What `codes` returns if a key has no power over a user, and if it has.
    private static let refused = [ErrorCode?](repeating: .noPrivilege, count: 6)
    private static let accepted = [ErrorCode?](repeating: nil, count: 6)

    /// A backend with a key of this user.
    private static func key(of user: User = Cast.cid, _ scope: KeyScope = .accounts) -> Actor {
        var actor = Actor(user: user, deviceID: "http", isOperator: scope == .operator)
        actor.scopes = [scope]
        return actor
    }

    private static func chief(_ user: User = boss) -> Actor { Actor(user: user, deviceID: "http", isOperator: true) }

    /// Acts as an operator, once.
    private static func act(_ way: Way, _ roost: TestCore) async throws {
        switch way {
        case .connection: roost.disconnect(try await roost.session(boss, isOperator: true))
        case .reading: #expect(await code(.read(.listKeys(ListKeys())), as: chief(), roost) == nil)
        case .writing:
            let send = CreateChannel(kind: .group, title: "Desk")
            #expect(await code(.write(.createChannel(send)), as: chief(), roost) == nil)
        case .transport: try await roost.core.checkAccess(of: chief())
        case .key: #expect(await code(.read(.listKeys(ListKeys())), as: key(of: boss, .operator), roost) == nil)
        }
    }

    /// The code with which a command is refused; nil if it is not.
    private static func code(_ command: AnyCommand, as actor: Actor, _ roost: TestCore) async -> ErrorCode? {
        guard case .refused(let error) = await roost.core.handle(command, id: roost.transID(), from: actor) else {
            return nil
        }
        return error.entry
    }

    /// The code with which an account is not changed.
    private static func code(
        _ set: SetAccount, password: String? = nil, as actor: Actor, _ roost: TestCore
    ) async throws -> ErrorCode? {
        let id = try transID(roost.transID())
        do throws(WireError) {
            _ = try await roost.core.setAccount(set, password: password, id: id, hash: 1, as: actor)
            return nil
        } catch {
            return error.entry
        }
    }

    /// Registers an account.
    private static func register(_ account: NewAccount, as actor: Actor, _ roost: TestCore) async throws -> WireError? {
        let id = try transID(roost.transID())
        let bytes = try await roost.core.register([(account, .success("hash"))], id: id, hash: 1, as: actor)
        return try WireCodec.decode(RegisterAccounts.Answer.self, from: bytes).results.first?.error
    }

    /// The codes of everything by which a key has power over a user.
    private static func codes(over user: User, as actor: Actor, _ roost: TestCore) async throws -> [ErrorCode?] {
        let id = user.userID
        return [
            await code(.write(.setUserAccess(SetUserAccess(userID: id, canCall: false))), as: actor, roost),
            await code(.write(.endLogins(EndLogins(deviceID: "phone", userID: id))), as: actor, roost),
            await code(.write(.endLogins(EndLogins(userID: id))), as: actor, roost),
            try await code(SetAccount(userID: id, email: "a@example.com"), as: actor, roost),
            try await code(SetAccount(userID: id), password: "hash", as: actor, roost),
            await code(.write(.setUserAccess(SetUserAccess(userID: id, canChat: false))), as: actor, roost),
        ]
    }

    /// Connects a phone of a user, and registers an account for the user.
    private static func prepare(_ user: User, _ roost: TestCore) async throws {
        let phone = try await roost.session(user, device: "phone")
        try await phone.perform(SetDeviceSettings(mutesAll: true))
        roost.disconnect(phone)
        let account = NewAccount(loginName: "login-of-\(user.userID)", password: "unused", userID: user.userID)
        #expect(try await register(account, as: chief(try Self.user("chief")), roost) == nil)
    }

    private static func user(_ id: String) throws -> User { try RoostCoreTests.user(id) }

    @Test(arguments: Backend.available)
    func `a key has no power over a user who has acted as an operator in any way, after a restart neither`(
        backend: Backend
    ) async throws {
        for way in Way.allCases {
            let (database, resource) = try backend.makeDatabase()
            let roost = try TestCore(database: database)
            try await Self.prepare(Self.boss, roost)
            try await Self.act(way, roost)
            #expect(try await Self.codes(over: Self.boss, as: Self.key(), roost) == Self.refused)
            await roost.core.stop()
            let later = try TestCore(database: database)
            #expect(try await Self.codes(over: Self.boss, as: Self.key(), later) == Self.refused)
            // Operators have it, and a key that is one's own gives no more.
            let own = Self.key(of: Self.boss)
            #expect(try await Self.codes(over: Self.boss, as: own, later) == Self.refused)
            #expect(await Self.code(.write(.endLogins(EndLogins())), as: own, later) == .noPrivilege)
            #expect(
                try await Self.codes(over: Self.boss, as: Self.chief(try Self.user("chief")), later)
                    == Self.accepted)
            await later.core.stop()
            withExtendedLifetime(resource) {}
        }
    }

    @Test(arguments: Backend.available)
    func `a key has power over all other users`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        try await Self.prepare(Cast.bob, roost)
        #expect(try await Self.codes(over: Cast.bob, as: Self.key(), roost) == Self.accepted)
    }

    @Test(arguments: Backend.available)
    func `who owns an operator's key is protected until it is revoked, used or not`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let chief = Self.chief(try Self.user("chief"))
        try await Self.prepare(Self.boss, roost)
        let create = CreateKey(
            key: "desk", hash: String(repeating: "0", count: 64), scopes: [.messages, .operator],
            userID: Self.boss.userID)
        #expect(await Self.code(.write(.createKey(create)), as: chief, roost) == nil)
        #expect(try await Self.codes(over: Self.boss, as: Self.key(), roost) == Self.refused)
        #expect(await Self.code(.write(.revokeKey(RevokeKey(key: "desk"))), as: chief, roost) == nil)
        #expect(try await Self.codes(over: Self.boss, as: Self.key(), roost) == Self.accepted)
    }

    @Test(arguments: Backend.available)
    func `an existing user without an account gets one by an operator only`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        for user in [Cast.bob, Cast.cid] { roost.disconnect(try await roost.session(user)) }
        func account(_ user: User) -> NewAccount {
            NewAccount(loginName: "login-of-\(user.userID)", password: "unused", userID: user.userID)
        }
        // Neither that of somebody else nor that of its own user.
        for user in [Cast.bob, Cast.cid] {
            let error = try await Self.register(account(user), as: Self.key(), roost)
            #expect(error?.entry == .noPrivilege && error?.field == "userID")
            #expect(try await roost.core.account(named: user.userID.rawValue) == nil)
        }
        #expect(try await Self.register(account(Cast.ann), as: Self.key(), roost) == nil)
        // Whoever was registered by the key is there already, and keeps the password.
        let again = NewAccount(loginName: "another", password: "unused", userID: Cast.ann.userID)
        #expect(try await Self.register(again, as: Self.key(), roost)?.entry == .accountExists)
        #expect(try await Self.register(account(Cast.bob), as: Self.key(of: Cast.cid, .operator), roost) == nil)
        #expect(try await Self.register(account(Cast.cid), as: Self.chief(), roost) == nil)
    }

    @Test(arguments: Backend.available)
    func `who has only read as an operator gets an account by an operator only`(backend: Backend) async throws {
        let account = NewAccount(loginName: "login-of-boss", password: "unused", userID: Self.boss.userID)
        for way in [Way.reading, .transport, .key] {
            let roost = try TestCore(backend)
            try await Self.act(way, roost)
            #expect(try await Self.register(account, as: Self.key(), roost)?.entry == .noPrivilege)
            #expect(try await roost.core.account(named: account.loginName) == nil)
            #expect(try await Self.register(account, as: Self.chief(try Self.user("chief")), roost) == nil)
            await roost.core.stop()
        }
    }

    @Test(arguments: Backend.available)
    func `an operator who is deleted is forgotten, also if the token is still in use`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database)
        func operators() async throws -> [String] {
            try await database.read { try $0.rows("SELECT user_id FROM operators ORDER BY user_id") { try $0.text(0) } }
        }
        _ = try await roost.session(Self.boss, isOperator: true)
        _ = try await roost.session(try Self.user("chief"), isOperator: true)
        _ = try await roost.session(Cast.ann)
        #expect(try await operators() == ["chief", "dee"])
        let delete = AnyCommand.write(.deleteUser(DeleteUser(userID: Self.boss.userID)))
        #expect(await Self.code(delete, as: Self.chief(try Self.user("chief")), roost) == nil)
        #expect(try await operators() == ["chief"])
        await roost.settle()
        await roost.core.stop()
        let later = try TestCore(database: database)
        #expect(await Self.code(.read(.listKeys(ListKeys())), as: Self.chief(), later) == .userDeleted)
        await later.settle()
        #expect(try await operators() == ["chief"])
        await later.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test func `an operator whose note could not be stored is noted with the next command`() async throws {
        let database = FaultyDatabase(try SQLiteDatabase())
        let roost = try TestCore(database: database)
        try await Self.prepare(Self.boss, roost)
        database.poison(statement: "INSERT INTO operators")
        #expect(await Self.code(.read(.listKeys(ListKeys())), as: Self.chief(), roost) == nil)
        await roost.settle()
        database.poison(statement: nil)
        #expect(await Self.code(.read(.listKeys(ListKeys())), as: Self.chief(), roost) == nil)
        #expect(try await Self.codes(over: Self.boss, as: Self.key(), roost) == Self.refused)
    }

    @Test func `operators who have left a trace before they were noted are known after the migration`() async throws {
        let database = try SQLiteDatabase()
        let count = try #require(
            Migrations.all.firstIndex { $0.statements.contains { "\($0.pieces)".contains("CREATE TABLE operators") } })
        _ = try Migrator.run(on: database, upTo: count, random: { 7 })
        try database.write { connection in
            for user in ["boss", "gone"] {
                try connection.execute(
                    """
                    INSERT INTO users (id, name, seq, last_sent_at, deleted_at)
                    VALUES (\(user), 'x', 0, 0, \(user == "gone" ? 1 : nil as Int64?))
                    """)
                for id in ["first-of-\(user)", "second-of-\(user)"] {
                    try connection.execute(
                        """
                        INSERT INTO broadcasts (id, state, created_by, sender, created_at, finished_at, user_count, done, sent,
                            refusals, last_user, content)
                        VALUES (\(id), 'done', \(user), 'ann', 0, 0, 0, 0, 0, \(blob: []), '', \(blob: []))
                        """)
                }
            }
        }
        let roost = try TestCore(database: database)
        let ban = SetUserAccess(userID: "boss", canCall: false)
        #expect(await Self.code(.write(.setUserAccess(ban)), as: Self.key(), roost) == .noPrivilege)
        let known = try await database.read { try $0.rows("SELECT user_id FROM operators") { try $0.text(0) } }
        #expect(known == ["boss"])
    }
}
