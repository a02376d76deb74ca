import ArgumentParser
import Foundation
import Logging
import RoostCore
import RoostPostgres
import RoostSQLite

/// Makes a database that was restored the one that a server uses.
struct RestoredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restored",
        abstract: "Say that the database is a backup that was restored on purpose.",
        discussion: """
            Clients may have seen messages that the backup does not have. So the database gets a new epoch, and every client loads \
            anew what it has. The server must be stopped. See docs/backup.md.

              roost restored --data ./roost-data
            """)

    @Option(help: "The server's data folder, with the restored database in it.")
    var data = "./roost-data"

    @Option(help: DatabaseURL.help)
    var database: String?

    func run() async throws {
        do {
            try restore()
        } catch let error as DatabaseFailure {
            Terminal.printError(error.description)
            throw ExitCode(ExitStatus.refused)
        }
        Terminal.printLine("The database has a new epoch: clients load anew what they have. Start the server now.")
    }

    private func restore() throws {
        let known = KnownDatabase(directory: data)
        let engine: any SQLDatabase
        if let url = try DatabaseURL.given(database) {
            let logger = Logger(label: "roost", factory: { _ in SwiftLogNoOpLogHandler() })
            engine = try PostgresDatabase(
                url: url, checksSessions: true, random: Effects.systemRandom(), logger: logger)
        } else {
            try known.checkReplaced()
            guard SQLiteDatabase.emptiness(inDirectory: data) == nil else {
                throw DatabaseFailure(
                    .unavailable, "There is no database in \(data). Copy the backup there first, as roost.sqlite.")
            }
            engine = try SQLiteDatabase(directory: data)
        }
        let epoch = Result {
            try Migrator.checkRestored(engine)
            return try Self.renewEpoch(of: engine)
        }
        if case .success(let epoch) = epoch {
            do {
                try known.note(epoch: epoch)
                if let engine = engine as? SQLiteDatabase { try known.follow(engine) }
            } catch {
                try? engine.close()
                throw DatabaseFailure(
                    .unavailable,
                    "The files in \(data) cannot be written (\(error)). Make them writable, and try again.")
            }
        }
        try engine.close()
        _ = try epoch.get()
    }

    private static func renewEpoch(of engine: any SQLDatabase) throws -> String {
        guard engine is PostgresDatabase else {
            return try Migrator.renewEpoch(of: engine, random: Effects.systemRandom)
        }
        guard try !Migrator.isNew(engine) else {
            throw DatabaseFailure(.unavailable, "The database is empty: restore its backup.")
        }
        let admission = NodeAdmission(
            to: engine, effects: Effects(now: Clock.now, random: Effects.systemRandom),
            logger: Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) }))
        return try admission.whenAlone { try Migrator.renewEpoch($0, random: Effects.systemRandom) }
    }
}
