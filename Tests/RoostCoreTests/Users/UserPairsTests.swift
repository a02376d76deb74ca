import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// What a pair of commands is about: names and numbers that no other pair uses.
private struct PairNames: Sendable {
    let user: User
    let other: User
    let login: String
    let phone: String
    let key: String

    init(_ number: Int) throws {
        user = try RoostCoreTests.user("v\(number)")
        other = try RoostCoreTests.user("w\(number)")
        login = "login-\(number)"
        phone = "+4917055\(10_000 + number)"
        key = "key-\(number)"
    }

    /// The hash of a key.
    func hash(_ digit: String) -> String {
        let text = key.utf8.map { "\($0 % 10)" }.joined() + digit
        return String(repeating: "0", count: 64 - text.count) + text
    }
}

/// A command that changes an account, a key, a device or the access of a user.
private struct UserMove: Sendable {
    enum Call: Sendable {
        case command(AnyCommand)
        case register(NewAccount)
        case setAccount(SetAccount, password: String?)
    }

    var name: String
    var isOperator = true
    var call: @Sendable (PairNames) -> Call
}

private let phone = PushAddress(gateway: .fcm, token: "shared")

private let moves: [UserMove] = [
    UserMove(name: RegisterAccounts.name) {
        .register(NewAccount(loginName: $0.login, password: "unused", userID: $0.user.userID, phone: $0.phone))
    },
    UserMove(name: RegisterAccounts.name) {
        .register(NewAccount(loginName: $0.login, password: "unused", userID: $0.other.userID))
    },
    UserMove(name: SetAccount.name) { .setAccount(SetAccount(userID: $0.user.userID, phone: $0.phone), password: nil) },
    UserMove(name: SetAccount.name) {
        .setAccount(SetAccount(userID: $0.other.userID, phone: $0.phone), password: nil)
    },
    UserMove(name: SetAccount.name) { .setAccount(SetAccount(userID: $0.user.userID), password: "new hash") },
    UserMove(name: CreateKey.name) {
        .command(
            .write(
                .createKey(CreateKey(key: $0.key, hash: $0.hash("1"), scopes: [.messages], userID: $0.user.userID))))
    },
    UserMove(name: CreateKey.name) {
        .command(
            .write(
                .createKey(CreateKey(key: $0.key, hash: $0.hash("2"), scopes: [.messages], userID: $0.other.userID))))
    },
    UserMove(name: RevokeKey.name) { .command(.write(.revokeKey(RevokeKey(key: $0.key)))) },
    UserMove(name: SetDeviceAddress.name, isOperator: false) { _ in
        .command(.write(.setDeviceAddress(SetDeviceAddress(address: phone, removesOthers: true))))
    },
    UserMove(name: SetDeviceSettings.name, isOperator: false) { _ in
        .command(.write(.setDeviceSettings(SetDeviceSettings(mutesAll: true))))
    },
    UserMove(name: RemoveDevice.name, isOperator: false) { _ in .command(.write(.removeDevice(RemoveDevice()))) },
    UserMove(name: EndLogins.name) { .command(.write(.endLogins(EndLogins(userID: $0.user.userID)))) },
    UserMove(name: EndLogins.name) {
        .command(.write(.endLogins(EndLogins(deviceID: "phone", userID: $0.user.userID))))
    },
    UserMove(name: SetUserAccess.name) {
        .command(.write(.setUserAccess(SetUserAccess(userID: $0.user.userID, canChat: false))))
    },
    UserMove(name: SetUserAccess.name) {
        .command(.write(.setUserAccess(SetUserAccess(userID: $0.user.userID, canCall: false))))
    },
    UserMove(name: SetUserProfile.name, isOperator: false) { _ in
        .command(.write(.setUserProfile(SetUserProfile(profile: UserProfile(name: "Renamed")))))
    },
    UserMove(name: SetUserSettings.name, isOperator: false) { _ in
        .command(.write(.setUserSettings(SetUserSettings(invitesFrom: .nobody))))
    },
    UserMove(name: CreateFile.name, isOperator: false) { _ in
        .command(.write(.createFile(CreateFile(name: "a", size: 1))))
    },
    UserMove(name: DeleteUser.name) { .command(.write(.deleteUser(DeleteUser(userID: $0.user.userID)))) },
]

/// Every pair of commands about accounts, keys, devices and access, at the same time.
@Suite(.timeLimit(.minutes(10))) struct UserPairsTests {
    /// What the database holds of a pair.
    private struct State {
        var isDeleted = false
        var isBanned = false
        /// How many rows belong to the user, by table.
        var rows: [String: Int64] = [:]
        var accountsWithLogin: Int64 = 0
        var accountsWithPhone: Int64 = 0
        var validKeys: Int64 = 0
    }

    private func state(_ names: PairNames, in database: any SQLDatabase) async throws -> State {
        try await database.read { connection in
            func count(_ query: Query) throws -> Int64 { try connection.rows(query) { try $0.int(0) }.first ?? 0 }
            let id = names.user.userID
            var state = State()
            state.isDeleted = try count("SELECT COUNT(*) FROM users WHERE id = \(id) AND deleted_at IS NOT NULL") == 1
            state.isBanned = try Restrictions.rows(of: [[.text(id.rawValue)]], in: connection)[id]?.cannotChat ?? false
            for table in ["accounts", "api_keys", "devices", "logins"] {
                state.rows[table] = try count(
                    "SELECT COUNT(*) FROM \(Query(stringLiteral: table)) WHERE user_id = \(id)")
            }
            state.accountsWithLogin = try count("SELECT COUNT(*) FROM accounts WHERE login_name = \(names.login)")
            state.accountsWithPhone = try count("SELECT COUNT(*) FROM accounts WHERE phone = \(names.phone)")
            state.validKeys = try count(
                "SELECT COUNT(*) FROM api_keys WHERE name = \(names.key) AND revoked_at IS NULL")
            return state
        }
    }

    private static func perform(
        _ move: UserMove, _ names: PairNames, on roost: TestCore, id: String
    ) async throws -> Int? {
        let chief = Actor(user: try user("chief"), deviceID: "desk", isOperator: true)
        let actor = move.isOperator ? chief : Actor(user: names.user, deviceID: "phone", isOperator: false)
        let key = try transID(id)
        do throws(WireError) {
            switch move.call(names) {
            case .command(let command):
                if case .refused(let error) = await roost.core.handle(command, id: id, from: actor) { throw error }
            case .register(let account):
                let bytes = try await roost.core.register(
                    [(account, .success("hash"))], id: key, hash: 1, as: actor)
                let answer = try? WireCodec.decode(RegisterAccounts.Answer.self, from: bytes)
                return answer?.results.first?.error?.code
            case .setAccount(let set, let password):
                _ = try await roost.core.setAccount(set, password: password, id: key, hash: 1, as: actor)
            }
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: Backend.essential)
    func `pairs of commands about one user at the same time leave what one after the other would`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, resource: resource, isPaced: false)
        try await play(database, roost, roost)
        await roost.core.stop()
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `pairs of commands about one user at two servers leave what one after the other would`() async throws {
        let url = try Postgres.makeSchema()
        let database = try Postgres.open(url)
        let one = try TestCore(database: database, isPaced: false)
        let two = try TestCore(database: Postgres.open(url), clock: one.clock, isPaced: false)
        try await play(database, one, two)
        for core in [one, two] { await core.core.stop() }
    }

    private func play(_ database: any SQLDatabase, _ one: TestCore, _ two: TestCore) async throws {
        _ = try await one.session(user("chief"), device: "desk", isOperator: true)
        var number = 0
        for (left, first) in moves.enumerated() {
            for second in moves[left...] {
                number += 1
                let names = try PairNames(number)
                // Both are known, the user with a device and a key.
                for user in [names.user, names.other] {
                    let session = try await one.session(user, device: "phone")
                    try await session.perform(SetDeviceSettings(sound: "bell"))
                    one.disconnect(session)
                }
                let keys = ["\(number)-a", "\(number)-b"]
                async let a = Self.perform(first, names, on: one, id: keys[0])
                async let b = Self.perform(second, names, on: two, id: keys[1])
                let codes = try await [a, b]
                for core in one === two ? [one] : [one, two] { await core.settle() }
                let what = "\(first.name) and \(second.name) answered \(codes)"
                for code in codes { #expect(code == nil || !([4, 1_000, 1_003] as Set).contains(code), "\(what)") }
                try await check(names, [first, second], codes, try await state(names, in: database), what)
            }
        }
    }

    private func check(
        _ names: PairNames, _ pair: [UserMove], _ codes: [Int?], _ state: State, _ what: String
    ) async throws {
        #expect(state.accountsWithLogin <= 1 && state.accountsWithPhone <= 1 && state.validKeys <= 1, "\(what)")
        let accepted = zip(pair, codes).filter { $0.1 == nil }.map(\.0.name)
        #expect(state.isDeleted == accepted.contains(DeleteUser.name), "\(what)")
        if state.isDeleted {
            // Whatever came at the same moment: nothing of the user is left.
            #expect(state.rows.allSatisfy { $0.value == 0 }, "\(what): \(state.rows)")
        }
        // The same thing twice: one of them is refused, or both have the same effect.
        if pair.allSatisfy({ $0.name == RegisterAccounts.name }) {
            #expect(state.accountsWithLogin == 1 && accepted.count == 1, "\(what)")
        }
        if pair.allSatisfy({ $0.name == CreateKey.name }) {
            #expect(state.validKeys == 1 && accepted.count == 1, "\(what)")
        }
    }
}
