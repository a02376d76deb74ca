import ArgumentParser
import Foundation
import Logging
import RoostBackup
import RoostCore
import RoostEncryption
import RoostFiles
import RoostPostgres
import RoostSQLite
import RoostServer

/// Restores a backup.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup of roost backup.",
        discussion: """
            The server must be stopped. First it checks that the backup is whole. Nothing is changed before everything is loaded: a \
            database in --data stays until then, and afterwards in a folder beside it. With --database, the database must be \
            empty; until it is loaded, no server starts with it. A backup of SQLite can be restored into PostgreSQL, and the \
            other way round.

            The database gets a new epoch: every client loads anew what it has, and sends what it has not sent yet. Users who \
            were deleted after the backup are deleted again, as far as newer backups or the replaced database know of them.

              roost restore --from /backup --data /var/lib/roost
              roost restore --from /backup --backup 2026-11-30T03-00-00Z --data /var/lib/roost --replace
              roost restore --from /backup --data /var/lib/roost --database postgres://roost@db/roost
            """)

    @Option(help: ArgumentHelp("The folder or bucket with backups.", valueName: "place"))
    var from: String

    @Option(help: ArgumentHelp("The name of the backup; the newest if omitted.", valueName: "name"))
    var backup: String?

    @OptionGroup var stored: StoredOptions

    @Option(
        help: ArgumentHelp(
            "The file of --encryption-key of the server.",
            discussion: "Needed only if content is encrypted and a user was deleted after the backup.",
            valueName: "file"))
    var encryptionKey: String?

    @Option(help: ArgumentHelp("What deleted users are called, as in the options of the server.", valueName: "name"))
    var deletedUserName = "Deleted user"

    @Flag(help: "Replace the database in --data, which is kept in a folder beside it.")
    var replace = false

    @Flag(
        help: ArgumentHelp(
            "Take nothing over from the replaced database.",
            discussion: "If it is too damaged to be read. Users that only it knows to be deleted are there again."))
    var ignoreReplaced = false

    func validate() throws {
        if replace, try DatabaseURL.given(stored.database) != nil {
            throw ValidationError("--replace is for a database in --data. For PostgreSQL, make an empty database.")
        }
        if ignoreReplaced, !replace { throw ValidationError("--ignore-replaced is for --replace.") }
    }

    func run() async throws {
        let lines = try await BackupCommand.reporting { try await restore() }
        for line in lines { Terminal.printLine(line) }
    }

    private func restore() async throws -> [String] {
        let place = try StoragePlace.backups(from, FileThreads())
        let manifest = try await place.manifest(named: backup)
        let restore = Restore(manifest, from: place) { Terminal.writeProgress($0 + "\n") }
        let faults = try await restore.faults(isWhole: false)
        guard faults.isEmpty else {
            for fault in faults { Terminal.printLine(fault) }
            throw BackupError("The backup \(manifest.name) is not whole. Restore another one: see roost backup list.")
        }
        let later = try await later(than: manifest, in: place)
        do {
            try FileManager.default.createDirectory(
                atPath: stored.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError("The folder \(stored.data) cannot be made: \(error.localizedDescription)")
        }
        let result =
            if let url = try DatabaseURL.given(stored.database) {
                try await load(restore, into: url, later)
            } else {
                try await load(restore, into: RestoredFolder(data: stored.data, manifest: manifest), later)
            }
        return lines(manifest, result)
    }

    /// The newest state that later backups know; nil if there is none.
    private func later(than manifest: BackupManifest, in place: BackupPlace) async throws -> LaterState? {
        for name in try await place.names().reversed() where name > manifest.name {
            do {
                let later = try await place.manifest(named: name)
                if later.origin == manifest.origin { return try await LaterState(of: later, in: place) }
            } catch let error as BackupError {
                Terminal.printError(
                    "What the backup \(name) knows of deleted users and of logins cannot be used. \(error.description)")
            }
        }
        return nil
    }

    private struct Result {
        var epoch: String
        /// How many files were copied, and how many users deleted again.
        var copied: Int
        var deleted: Int
    }

    /// Loads the database into an empty one of PostgreSQL.
    private func load(_ restore: Restore, into url: String, _ later: LaterState?) async throws -> Result {
        let logger = Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) })
        let engine = try PostgresDatabase(
            url: url, checksSessions: true, random: Effects.systemRandom(), logger: logger)
        defer { try? engine.close() }
        // A server that uses the folder with another database would lose its epoch.
        let lock = try DirectoryLock(directory: stored.data)
        defer { lock.release() }
        let admission = NodeAdmission(
            to: engine, effects: Effects(now: Clock.now, random: Effects.systemRandom), logger: logger)
        let result = try await load(restore, into: engine, [later].compactMap(\.self), whenAlone: admission.whenAlone)
        try KnownDatabase(directory: stored.data).note(epoch: result.epoch)
        return result
    }

    /// Loads the database into one beside that of the data folder, and then replaces that.
    private func load(
        _ restore: Restore, into folder: RestoredFolder, _ later: LaterState?
    ) async throws -> Result {
        // No server starts in the folder until the end.
        let lock = try folder.lock(replaces: replace)
        defer { lock.release() }
        let replaced = ignoreReplaced ? nil : try await folder.replacedState()
        let states = [later, replaced].compactMap(\.self).sorted { $1.isLater(than: $0) }
        do {
            let engine = try folder.make()
            let result = try await load(restore, into: engine, states, whenAlone: engine.write)
            let last = try engine.write { try LastCommit.stored(in: $0) }
            try engine.close()
            try folder.activate(epoch: result.epoch, last)
            return result
        } catch {
            folder.discard()
            throw error
        }
    }

    /// - Parameter later: what is known of later states, the newest last.
    private func load(
        _ restore: Restore, into engine: any SQLDatabase, _ later: [LaterState],
        whenAlone: ((any SQLConnection) throws -> Void) throws -> Void
    ) async throws -> Result {
        var deleted: [String: DeletedUser] = [:]
        for user in later.flatMap(\.deletedUsers) {
            let deletesMessages = user.deletesMessages || deleted[user.id]?.deletesMessages == true
            deleted[user.id] = DeletedUser(id: user.id, deletesMessages: deletesMessages)
        }
        if !deleted.isEmpty, encryptionKey == nil, try await restore.hasEncryption() {
            throw BackupError(
                "Users were deleted after this backup, whose content is encrypted. Add --encryption-key FILE, as for the server."
            )
        }
        let id = String(Effects.systemRandom(), radix: 16)
        try await restore.begin(id, into: engine, whenAlone: whenAlone)
        let copied = try await copyFiles(restore)
        let epoch = try await restore.load(id, into: engine, random: Effects.systemRandom)
        let count = try await delete(deleted.values.sorted { $0.id < $1.id }, from: engine)
        if let newest = later.last {
            _ = try Migrator.run(on: engine, random: Effects.systemRandom)
            try newest.apply(to: engine)
        }
        try Migrator.endRestore(into: engine, id: id)
        return Result(epoch: epoch, copied: copied, deleted: count)
    }

    private func copyFiles(_ restore: Restore) async throws -> Int {
        let store = try stored.fileStore(FileThreads())
        try await store.prepare()
        let isBucket = stored.filesIn.map(StoragePlace.isBucket) ?? false
        // Of the same file system as the files, if they are in a folder.
        let folder = isBucket ? stored.data : stored.filesIn ?? stored.data + "/files"
        let scratch = folder + "/restoring-files"
        try? FileManager.default.removeItem(atPath: scratch)
        try FileManager.default.createDirectory(
            atPath: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        // To read a file in a bucket takes as long as to copy it there.
        return try await restore.copyFiles(to: store, readsAll: !isBucket, through: scratch)
    }

    private func delete(_ users: [DeletedUser], from engine: any SQLDatabase) async throws -> Int {
        guard !users.isEmpty else { return 0 }
        _ = try Migrator.run(on: engine, random: Effects.systemRandom)
        let cipher = try encryptionKey.flatMap { try ContentCipher(secrets: KeyFile.encryptionKeys(inFile: $0)) }
        let database = try await engine.decrypted(with: cipher)
        return try await DeletedUser.delete(
            users, from: database, name: deletedUserName,
            effects: Effects(now: Clock.now, random: Effects.systemRandom),
            logger: Logger(label: "roost", factory: { StreamLogHandler.standardError(label: $0) }))
    }

    private func lines(_ manifest: BackupManifest, _ result: Result) -> [String] {
        var lines = [
            "restored \(manifest.name): \(manifest.rowCount) rows, \(manifest.fileCount) files, \(result.copied) of them copied"
        ]
        if result.deleted > 0 {
            lines.append(
                "deleted again: \(result.deleted) \(result.deleted == 1 ? "user who was" : "users who were") deleted since"
            )
        }
        if !manifest.faults.isEmpty {
            lines.append(
                "damaged or missing already when the backup was made: \(manifest.faults.count); see roost backup check")
        }
        if !FileManager.default.fileExists(atPath: stored.data + "/secret") {
            lines.append(
                "There is no secret in \(stored.data): put yours there, or all tokens are invalid and users log in again."
            )
        }
        return lines + ["The database has a new epoch: clients load anew what they have. Start the server now."]
    }
}

/// A data folder in which a database of SQLite is restored.
private struct RestoredFolder {
    let data: String
    let manifest: BackupManifest
    private static let files = ["roost.sqlite", "roost.sqlite-wal", "roost.sqlite-shm"]

    private var restoring: String { data + "/restoring" }

    /// What is being replaced; no server starts while it is there.
    private var replacing: String { data + "/" + KnownDatabase.replacing }

    /// Keeps others from using the folder, and takes back what a killed restore has begun to replace.
    /// - Throws: `DatabaseFailure`, `.openElsewhere` if a server uses it; also if there is a database that is not to be replaced.
    func lock(replaces: Bool) throws -> DirectoryLock {
        let lock = try DirectoryLock(directory: data)
        do {
            try takeBack()
            guard replaces || SQLiteDatabase.emptiness(inDirectory: data) != nil else {
                throw DatabaseFailure(
                    .unavailable,
                    "There is a database in \(data). Add --replace to keep it in a folder beside the restored one, or name another --data."
                )
            }
            return lock
        } catch {
            lock.release()
            throw error
        }
    }

    private func takeBack() throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: replacing) else { return }
        let isReplaced =
            manager.fileExists(atPath: replacing + "/roost.sqlite")
            && manager.fileExists(atPath: data + "/roost.sqlite")
        // Killed after the restored one was there: it is replaced once more.
        if isReplaced { return try keepReplaced() }
        for file in Self.files where manager.fileExists(atPath: replacing + "/" + file) {
            try manager.moveItem(atPath: replacing + "/" + file, toPath: data + "/" + file)
        }
        try manager.removeItem(atPath: replacing)
    }

    /// What the replaced database knows; nil if there is none, or it is not a later state of the one in the backup.
    /// - Throws: `DatabaseFailure` if it cannot be read.
    func replacedState() async throws -> LaterState? {
        guard SQLiteDatabase.emptiness(inDirectory: data) == nil else { return nil }
        let state: LaterState
        do {
            let inspection = try SQLiteInspection(directory: data)
            defer { try? inspection.close() }
            state = try await LaterState(of: inspection)
        } catch let failure as DatabaseFailure {
            throw DatabaseFailure(
                failure.kind,
                """
                What the replaced database knows of deleted users and ended logins cannot be read: \(failure.description) Add \
                --ignore-replaced to restore without it.
                """)
        }
        guard state.origin == manifest.origin else {
            // Who has an id there may be somebody else.
            Terminal.printError(
                "The replaced database is another one than that of the backup: nothing is taken over from it.")
            return nil
        }
        return state.isLater(than: manifest) ? state : nil
    }

    /// Makes an empty database.
    func make() throws -> SQLiteDatabase {
        discard()
        return try SQLiteDatabase(directory: restoring)
    }

    /// Removes what was loaded.
    func discard() { try? FileManager.default.removeItem(atPath: restoring) }

    /// Puts the restored database, which is closed, in its place.
    /// - Throws: the error of the file system; the replaced database is in its place then.
    func activate(epoch: String, _ last: LastCommit?) throws {
        let manager = FileManager.default
        let restored = restoring + "/roost.sqlite"
        guard manager.fileExists(atPath: restored) else {
            throw BackupError("\(restored) is gone. Nothing was replaced; run roost restore again.")
        }
        let old = Self.files.filter { manager.fileExists(atPath: data + "/" + $0) }
        try manager.createDirectory(
            atPath: replacing, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        do {
            // The WAL of another database must not stay beside the restored one.
            for file in old { try manager.moveItem(atPath: data + "/" + file, toPath: replacing + "/" + file) }
            try manager.moveItem(atPath: restored, toPath: data + "/roost.sqlite")
        } catch {
            try? takeBack()
            throw error
        }
        discard()
        try KnownDatabase(directory: data).note(epoch: epoch)
        if let last { _ = try LastCommitFile(directory: data, last) }
        if old.isEmpty {
            try manager.removeItem(atPath: replacing)
        } else {
            try keepReplaced()
        }
    }

    /// Gives the replaced database a name that stays.
    private func keepReplaced() throws {
        let manager = FileManager.default
        var folder = data + "/replaced-by-" + manifest.name
        var count = 1
        while manager.fileExists(atPath: folder) {
            count += 1
            folder = data + "/replaced-by-\(manifest.name)-\(count)"
        }
        try manager.moveItem(atPath: replacing, toPath: folder)
        Terminal.printLine(
            "The replaced database is in \(folder): delete it when you are sure that you do not need it.")
    }
}
