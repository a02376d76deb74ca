import ArgumentParser
import Foundation
import Logging
import RoostBackup
import RoostCore
import RoostFiles
import RoostPostgres
import RoostSQLite
import RoostServer
import RoostWire

/// Makes, lists, checks and deletes backups.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database and the files, while the server runs.",
        discussion: """
            Backups in one place share what has not changed, so each one is whole and only the first one is large. An interrupted one \
            leaves no half backup, and the next one goes on from what is there. Secret and keys are not in it: see docs/backup.md.

              roost backup create --data /var/lib/roost --to /backup --keep 14
              roost backup list --from /backup
              roost backup check --from /backup
              roost restore --from /backup --data /var/lib/roost

            A bucket is named as in --files of the server: s3://bucket/prefix?endpoint=URL&region=NAME.
            """,
        subcommands: [Create.self, List.self, Check.self, Prune.self, Delete.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Make a backup.",
            discussion: """
                It is of one moment, that of its begin. It ends with 0 if it has everything, and with 1 if something is missing \
                or damaged, which is named then; it has everything else.
                """)

        @Option(help: ArgumentHelp("The folder or bucket for backups.", valueName: "place"))
        var to: String

        @OptionGroup var stored: StoredOptions

        @Option(help: ArgumentHelp("Then delete all backups but the newest ones.", valueName: "count"))
        var keep: Int?

        @Flag(help: "Print one JSON object.")
        var json = false

        func validate() throws {
            if let keep, keep < 1 { throw ValidationError("--keep needs a number from 1 on.") }
        }

        func run() async throws {
            // The server goes first. Threads that are made from now on have the same priority.
            if !BackupProgram.isOfServer { _ = nice(10) }
            try await BackupCommand.reporting {
                let threads = FileThreads()
                let place = try StoragePlace.backups(to, threads)
                try StoragePlace.checkApart(to, from: stored.filesIn, data: stored.data)
                let files = try stored.fileStore(threads)
                let engine = try stored.reading()
                defer { try? engine.close() }
                try StoragePlace.lock(to)
                try await place.prepare()
                defer { place.close() }
                let report = try await Backup(
                    engine, files: files, to: place, version: Build.version, now: Clock.now,
                    progress: { Terminal.writeProgress($0 + "\n") }
                ).run()
                try print(report)
                // Earlier ones may have what this one lacks.
                guard report.faults.isEmpty else { throw ExitCode(ExitStatus.refused) }
                do {
                    if let keep { _ = try await place.prune(keeping: keep, storedBefore: StoragePlace.prunable(to)) }
                } catch {
                    throw BackupError("The backup was made, but older ones were not deleted. \(error)")
                }
            }
        }

        private func print(_ report: Backup.Report) throws {
            if json { return try Terminal.printLine(json: report) }
            for fault in report.faults { Terminal.printLine(fault) }
            Terminal.printLine(
                "backup \(report.name): \(report.rows) rows, \(report.files) files; "
                    + "\(report.newBytes) bytes are new, \(report.newFiles) files among them")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the backups of a place, the oldest first.")

        @Option(name: .customLong("from"), help: ArgumentHelp("The folder or bucket with backups.", valueName: "place"))
        var place: String

        @Flag(help: "Print one JSON object per line.")
        var json = false

        private struct Line: Encodable {
            var name: String
            var createdAt: Int64
            var version: String
            var schema: Int
            var epoch: String
            var rows: Int
            var files: Int
            var databaseBytes: Int64
            var faults: [String]
        }

        func run() async throws {
            try await BackupCommand.reporting {
                let place = try StoragePlace.backups(self.place, FileThreads())
                let names = try await place.names()
                guard !names.isEmpty else { throw BackupError("There is no backup in \(self.place).") }
                var isDamaged = false
                for name in names {
                    do {
                        try print(try await place.manifest(named: name))
                    } catch let error as BackupError {
                        Terminal.printError(error.description)
                        isDamaged = true
                    }
                }
                if isDamaged { throw ExitCode(ExitStatus.refused) }
            }
        }

        private func print(_ found: BackupManifest) throws {
            if json {
                return try Terminal.printLine(
                    json: Line(
                        name: found.name, createdAt: found.createdAt, version: found.version, schema: found.schema,
                        epoch: found.epoch, rows: found.rowCount, files: found.fileCount,
                        databaseBytes: found.databaseBytes, faults: found.faults))
            }
            let faults = found.faults.isEmpty ? "" : "  \(found.faults.count) damaged or missing"
            Terminal.printLine(
                "\(found.name)  roost \(found.version)  \(found.rowCount) rows  \(found.fileCount) files\(faults)")
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read a whole backup, and say whether it can be restored.",
            discussion: """
                It ends with 0 if it is whole, and with 1 if something is missing or damaged, a line each, or was so when it \
                was made.
                """)

        @Option(name: .customLong("from"), help: ArgumentHelp("The folder or bucket with backups.", valueName: "place"))
        var place: String

        @Option(help: ArgumentHelp("The name of the backup; the newest if omitted.", valueName: "name"))
        var backup: String?

        @Flag(help: "Delete parts and files that have changed, so that the next backup stores them again.")
        var deleteDamaged = false

        func run() async throws {
            let (faults, name) = try await BackupCommand.reporting {
                let place = try StoragePlace.backups(self.place, FileThreads())
                let manifest = try await place.manifest(named: backup)
                let restore = Restore(manifest, from: place) { Terminal.writeProgress($0 + "\n") }
                if deleteDamaged { try StoragePlace.lock(self.place) }
                let faults = try await restore.faults(isWhole: true, deletesDamaged: deleteDamaged)
                return (manifest.faults.map { "when it was made: \($0)" } + faults, manifest.name)
            }
            for fault in faults { Terminal.printLine(fault) }
            guard faults.isEmpty else { throw ExitCode(ExitStatus.refused) }
            Terminal.printLine("backup \(name): whole")
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Delete all backups but the newest ones, and what only they have.",
            discussion: "No backup may be made in the same place meanwhile.")

        @Option(name: .customLong("from"), help: ArgumentHelp("The folder or bucket with backups.", valueName: "place"))
        var place: String

        @Option(help: ArgumentHelp("How many are kept.", valueName: "count"))
        var keep: Int

        func validate() throws {
            if keep < 1 { throw ValidationError("--keep needs a number from 1 on.") }
        }

        func run() async throws {
            try await BackupCommand.reporting {
                let backups = try StoragePlace.backups(place, FileThreads())
                // Otherwise a wrong name would make a folder.
                guard try await !backups.names().isEmpty else { throw BackupError("There is no backup in \(place).") }
                try StoragePlace.lock(place)
                for name in try await backups.prune(keeping: keep, storedBefore: StoragePlace.prunable(place)) {
                    Terminal.printLine("deleted \(name)")
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a backup, such as one whose manifest is damaged.",
            discussion: "What only this one has is deleted by the next prune.")

        @Option(help: ArgumentHelp("The folder or bucket with backups.", valueName: "place"))
        var from: String

        @Argument(help: "The name of the backup.")
        var name: String

        func run() async throws {
            try await BackupCommand.reporting {
                let place = try StoragePlace.backups(from, FileThreads())
                guard try await place.names().contains(name) else {
                    throw BackupError("There is no backup \(name) in \(from). See roost backup list.")
                }
                try StoragePlace.lock(from)
                try await place.delete(name)
                Terminal.printLine("deleted \(name)")
            }
        }
    }

    /// Runs a part of a command, and prints why it fails.
    static func reporting<T>(_ body: () async throws -> T) async throws -> T {
        BackupProgram.endWithInput()
        let message: String
        do {
            return try await body()
        } catch let error as DatabaseFailure {
            message = error.description
        } catch let error as FileStoreError {
            message = error.description
        } catch let error as BackupError {
            message = error.description
        } catch let error as SecretError {
            message = error.description
        } catch let error as WireError {
            message = error.message
        } catch let error as ExitCode {
            throw error
        } catch let error as CocoaError {
            message = error.localizedDescription
        } catch {
            message = "\(error)"
        }
        Terminal.printError(message)
        throw ExitCode(ExitStatus.refused)
    }
}

/// The options that say where a server stores its database and its files.
struct StoredOptions: ParsableArguments {
    @Option(help: "The server's data folder.")
    var data = "./roost-data"

    @Option(help: DatabaseURL.help)
    var database: String?

    @Option(
        help: ArgumentHelp(
            "The place of the files, as in --files of the server; the folder files in --data if omitted.",
            valueName: "place"))
    var filesIn: String?

    func fileStore(_ threads: FileThreads) throws -> any FileStore {
        try StoragePlace.files(filesIn, data: data, threads)
    }

    /// Opens the database to read it, also while a server uses it.
    /// - Throws: `DatabaseFailure`.
    func reading() throws -> any SQLDatabase {
        guard let url = try DatabaseURL.given(database) else {
            if SQLiteDatabase.emptiness(inDirectory: data) == .withoutTables {
                throw DatabaseFailure(
                    .corrupt, "The database in \(data) has no tables, as a copy without its roost.sqlite-wal.")
            }
            return try SQLiteInspection(directory: data)
        }
        let logger = Logger(label: "roost", factory: { _ in SwiftLogNoOpLogHandler() })
        return try PostgresDatabase(
            url: url, readers: 1, onlyReads: true, random: Effects.systemRandom(), logger: logger)
    }
}
