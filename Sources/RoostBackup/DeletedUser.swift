package import Logging
package import RoostCore
import RoostWire

/// A user who was deleted, and stays so in a database that is restored from an earlier backup.
package struct DeletedUser: Hashable, Sendable {
    package var id: String
    package var deletesMessages: Bool

    package init(id: String, deletesMessages: Bool) {
        self.id = id
        self.deletesMessages = deletesMessages
    }

    /// Deletes those of the users who are in a database, and waits until their data is erased.
    /// - Parameters:
    ///   - database: as the core uses it: decrypted.
    ///   - name: what deleted users are called.
    /// - Returns: how many were deleted.
    /// - Throws: `DatabaseFailure`, or the error of the command.
    package static func delete(
        _ users: some Sequence<DeletedUser>, from database: any SQLDatabase, name: String, effects: Effects,
        logger: Logger
    ) async throws -> Int {
        let known = try await database.read { connection in
            Set(try connection.rows("SELECT id FROM users WHERE deleted_at IS NULL") { try $0.text(0) })
        }
        let users = users.filter { known.contains($0.id) }
        guard !users.isEmpty else { return 0 }
        var configuration = CoreConfiguration()
        configuration.deletedUserName = name
        configuration.onlyErases = true
        let core = try Core(database: database, configuration: configuration, effects: effects, logger: logger)
        let result = await Result {
            for user in users { try await delete(user, called: name, core) }
            while try await isErasing(database) { try await Task.sleep(for: .milliseconds(20)) }
        }
        await core.stop()
        try result.get()
        return users.count
    }

    private static func delete(_ user: DeletedUser, called name: String, _ core: Core) async throws {
        guard let id = UserID(rawValue: user.id), let device = DeviceID(rawValue: "restore") else {
            throw DatabaseFailure(.corrupt, "A user has an id that cannot be.")
        }
        let delete = DeleteUser(userID: id, deletesMessages: user.deletesMessages)
        let command = try AnyCommand(name: DeleteUser.name, body: try WireCodec.encode(delete))
        // The user is the sender, so that nobody else is noted in the database.
        var actor = Actor(user: User(userID: id, name: name), deviceID: device, isOperator: false)
        actor.scopes = [.operator, .accounts]
        if case .refused(let error) = await core.handle(command, id: "restore-\(core.epoch)", from: actor) {
            throw error
        }
    }

    private static func isErasing(_ database: any SQLDatabase) async throws -> Bool {
        try await database.read { connection in
            try !connection.rows("SELECT 1 FROM user_deletions LIMIT 1") { try $0.int(0) }.isEmpty
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
