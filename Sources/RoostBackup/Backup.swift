import Dispatch
package import RoostCore
package import RoostFiles
import Synchronization

/// Makes a backup of a database and its files, while servers use them.
package struct Backup: Sendable {
    /// What was done.
    package struct Report: Encodable, Sendable {
        package var name: String
        package var rows: Int
        package var files: Int
        /// The bytes of the database in the backup.
        package var databaseBytes: Int64
        /// The bytes that were not there from earlier backups.
        package var newBytes: Int64
        package var newFiles: Int
        /// What is missing or damaged, a line each; the backup has everything else.
        package var faults: [String]
    }

    private let database: any SQLDatabase
    private let files: any FileStore
    private let place: BackupPlace
    private let version: String
    private let now: @Sendable () -> Int64
    private let progress: @Sendable (String) -> Void

    /// The rows that are read at once.
    private static let pageRows = 200
    /// How many faults are listed.
    private static let maxFaults = 1_000
    /// After how many rows or files the progress is told.
    private static let progressSteps = 50_000

    /// - Parameters:
    ///   - database: as it is stored: nothing is decrypted.
    ///   - files: the storage of the files.
    ///   - version: the version of roost.
    ///   - progress: called with a line from time to time.
    package init(
        _ database: any SQLDatabase, files: any FileStore, to place: BackupPlace, version: String,
        now: @escaping @Sendable () -> Int64, progress: @escaping @Sendable (String) -> Void
    ) {
        self.database = database
        self.files = files
        self.place = place
        self.version = version
        self.now = now
        self.progress = progress
    }

    private struct StoredFile: Sendable {
        var key: String
        var hash: String?
        var size: Int64
    }

    private struct Snapshot: Sendable {
        var epoch: String
        var commits: Int64
        var origin: String
        var tables: [BackupManifest.Rows] = []
        var files: [StoredFile] = []
        var faults: [String] = []
    }

    /// Makes a backup.
    ///
    /// What earlier backups have is not stored again. If it is interrupted, nothing is lost but its time: the next one goes on
    /// from what is there.
    /// - Throws: `DatabaseFailure`, `FileStoreError` or `BackupError`; there is no new backup then.
    package func run() async throws -> Report {
        var createdAt = now()
        let names = try await place.names()
        // The names are the order of the backups.
        while let newest = names.last, BackupManifest.name(at: createdAt, random: 0).prefix(20) <= newest.prefix(20) {
            guard BackupManifest.name(at: createdAt + 60_000, random: 0) > newest else {
                throw BackupError(
                    "The backup \(newest) there is of a later time than now. Set the clock right, or use another place."
                )
            }
            try await Task.sleep(for: .milliseconds(100))
            createdAt = now()
        }
        let name = BackupManifest.name(at: createdAt, random: UInt64.random(in: 0 ... .max))
        let schema = try await schema()
        try await checkOrigin(of: names)
        let tables = try await BackupTable.all(ofSchema: schema)
        let stored = StoredParts(place)
        let snapshot = try await read(tables, schema, into: stored)
        try stored.finish()

        var report = Report(
            name: name, rows: 0, files: 0, databaseBytes: 0, newBytes: 0, newFiles: 0, faults: snapshot.faults)
        let list = try await copyFiles(snapshot.files, &report)
        let manifest = BackupManifest(
            name: name, createdAt: createdAt, version: version, schema: schema, epoch: snapshot.epoch,
            commits: snapshot.commits,
            origin: snapshot.origin,
            tables: snapshot.tables, files: list, faults: report.faults)
        // Until here there is no backup of this name.
        try await place.put(manifest)
        report.rows = manifest.rowCount
        report.files = manifest.fileCount
        report.databaseBytes = manifest.databaseBytes
        report.newBytes += stored.newBytes
        return report
    }

    /// The schema of the database.
    /// - Throws: `DatabaseFailure` if this version does not know it.
    private func schema() async throws -> Int {
        let found = try await database.read { connection in
            try connection.rows("SELECT version FROM schema_version WHERE id = 1") { try $0.int(0) }.first
        }
        guard let found, found > 0 else { throw DatabaseFailure(.unavailable, "The database is empty.") }
        guard found <= Migrations.all.count else {
            throw DatabaseFailure(
                .newerVersion,
                "The database has the schema \(found), and this version knows \(Migrations.all.count): use the version that serves it."
            )
        }
        return Int(found)
    }

    /// Refuses a place with backups of another database: after the loss of one, the newest there must be of the right one.
    private func checkOrigin(of names: [String]) async throws {
        guard let newest = names.last else { return }
        let origin: String
        do {
            origin = try await place.manifest(named: newest).origin
        } catch _ as BackupError {
            // It is damaged, which must not keep this one from being made.
            return
        }
        let own = try await database.read { try Migrator.firstEpoch($0) }
        guard own == origin else {
            throw BackupError("The backup \(newest) there is of another database. Use a place of its own.")
        }
    }

    // MARK: The database

    /// Reads everything in one snapshot.
    private func read(
        _ tables: [BackupTable], _ schema: Int, into stored: StoredParts
    ) async throws -> Snapshot {
        try await database.read { [progress] connection in
            // The closure may run again.
            let found = try connection.rows("SELECT version FROM schema_version WHERE id = 1") { try $0.int(0) }.first
            guard found == Int64(schema) else {
                throw DatabaseFailure(.conflict, "The database was upgraded meanwhile. Begin the backup again.")
            }
            try Migrator.checkRestored(connection)
            let epochs = try connection.rows("SELECT value FROM meta WHERE name = 'epoch'") { try $0.text(0) }
            guard let epoch = epochs.first else { throw DatabaseFailure(.corrupt, "The database has no epoch.") }
            let commits = try LaterState.commits(connection)
            var snapshot = Snapshot(
                epoch: epoch, commits: commits, origin: try Migrator.firstEpoch(connection) ?? epoch)
            let isEncrypted = try !connection.rows("SELECT 1 FROM meta WHERE name LIKE 'encryption:%' LIMIT 1") {
                try $0.int(0)
            }.isEmpty
            var count = 0
            for table in tables {
                snapshot.tables.append(
                    BackupManifest.Rows(
                        table: table,
                        parts: try Self.parts(
                            of: table, connection, into: stored, isEncrypted: isEncrypted, &snapshot.faults
                        ) { rows in
                            if (count + rows) / Self.progressSteps > count / Self.progressSteps {
                                progress("saved \(count + rows) rows")
                            }
                            count += rows
                        }))
            }
            snapshot.files = try Self.storedFiles(connection)
            return snapshot
        }
    }

    private static func parts(
        of table: BackupTable, _ connection: any SQLConnection, into stored: StoredParts, isEncrypted: Bool,
        _ faults: inout [String],
        counting count: (Int) -> Void
    ) throws -> [BackupManifest.Part] {
        var cutter = BackupCutter(table)
        var numbers: [Int] = []
        var last: [SQLValue]?
        while true {
            let page: [(values: [SQLValue], fault: String?)]
            do {
                page = try connection.rows(table.page(after: last, limit: pageRows)) {
                    try table.read($0, isEncrypted: isEncrypted)
                }
            } catch let failure as DatabaseFailure where failure.kind == .corrupt {
                throw DatabaseFailure(
                    .corrupt,
                    """
                    The table \(table.name) cannot be read: \(failure.description). There is no new backup; keep the older ones, and \
                    see roost check and docs/backup.md.
                    """)
            }
            for row in page {
                let key = table.keyIndexes.map { row.values[$0] }
                last = key
                // It is kept as it is: a gap would be worse.
                if let fault = row.fault, faults.count < maxFaults { faults.append(table.line(key, fault)) }
                guard cutter.append(row.values) else { continue }
                numbers.append(try stored.put(cutter.bytes, rows: cutter.rows))
                cutter.beginNext()
            }
            count(page.count)
            if page.count < pageRows { break }
        }
        if cutter.rows > 0 { numbers.append(try stored.put(cutter.bytes, rows: cutter.rows)) }
        return try stored.parts(numbers)
    }

    private static func storedFiles(_ connection: any SQLConnection) throws -> [StoredFile] {
        var files: [StoredFile] = []
        while true {
            let page = try connection.rows(
                """
                SELECT bytes_key, hash, size FROM files WHERE bytes_key > \(files.last?.key ?? "")
                ORDER BY bytes_key LIMIT \(1_000)
                """
            ) { row in
                StoredFile(
                    key: try row.text(0), hash: row.isNull(1) ? nil : BackupPlace.hexadecimal(try row.blob(1)),
                    size: try row.int(2))
            }
            // Files with the same bytes share them.
            for file in page where file.key != files.last?.key { files.append(file) }
            if page.count < 1_000 { return files }
        }
    }

    // MARK: The files

    /// Copies the files of a snapshot.
    /// - Returns: the list of the files.
    private func copyFiles(_ files: [StoredFile], _ report: inout Report) async throws -> BackupManifest.Rows {
        let table = BackupTable.storedFiles
        var parts: [BackupManifest.Part] = []
        var cutter = BackupCutter(table)
        func store() async throws {
            let (hash, isNew) = try await place.put(cutter.bytes)
            if isNew { report.newBytes += Int64(cutter.bytes.count) }
            parts.append(BackupManifest.Part(hash: hash, bytes: Int64(cutter.bytes.count), rows: cutter.rows))
            cutter.beginNext()
        }
        for (index, file) in files.enumerated() {
            if index > 0, index.isMultiple(of: 1_000) { progress("saved \(index) of \(files.count) files") }
            guard let hash = try await copy(file, &report) else { continue }
            if cutter.append([.text(file.key), .text(hash), .int(file.size)]) { try await store() }
        }
        if cutter.rows > 0 { try await store() }
        return BackupManifest.Rows(table: table, parts: parts)
    }

    /// Copies a file.
    /// - Returns: the hash of its bytes; nil if they are not there, or damaged.
    private func copy(_ file: StoredFile, _ report: inout Report) async throws -> String? {
        do {
            let (hash, isNew) = try await place.copy(file.key, of: files, size: file.size, hash: file.hash)
            if isNew {
                report.newFiles += 1
                report.newBytes += file.size
            }
            return hash
        } catch let error as FileStoreError where error.kind == .missing {
            // A server may have deleted it since.
            if try await isStored(file.key) { note("files: the bytes \(file.key) are missing", in: &report) }
        } catch let error as BackupError {
            note("files: \(error.description)", in: &report)
        }
        return nil
    }

    private func note(_ fault: String, in report: inout Report) {
        if report.faults.count < Self.maxFaults { report.faults.append(fault) }
    }

    private func isStored(_ key: String) async throws -> Bool {
        try await database.read { connection in
            try !connection.rows("SELECT 1 FROM files WHERE bytes_key = \(key) LIMIT 1") { try $0.int(0) }.isEmpty
        }
    }
}

/// Stores the parts of a database, a few at a time, while the thread that reads them goes on.
private final class StoredParts: Sendable {
    private struct State {
        var parts: [BackupManifest.Part?] = []
        var newBytes: Int64 = 0
        var failure: (any Error)?
    }

    private static let most = 4

    private let place: BackupPlace
    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: most)

    init(_ place: BackupPlace) { self.place = place }

    var newBytes: Int64 { state.withLock { $0.newBytes } }

    /// Begins to store a part; blocks the thread while many are being stored.
    /// - Returns: the number of the part.
    /// - Throws: why an earlier one could not be stored.
    func put(_ bytes: [UInt8], rows: Int) throws -> Int {
        room.wait()
        let number = try state.withLock { state in
            if let failure = state.failure {
                room.signal()
                throw failure
            }
            state.parts.append(nil)
            return state.parts.count - 1
        }
        Task { [self] in
            do {
                let (hash, isNew) = try await place.put(bytes)
                state.withLock { state in
                    state.parts[number] = BackupManifest.Part(hash: hash, bytes: Int64(bytes.count), rows: rows)
                    if isNew { state.newBytes += Int64(bytes.count) }
                }
            } catch {
                state.withLock { $0.failure = $0.failure ?? error }
            }
            room.signal()
        }
        return number
    }

    /// The parts with these numbers; blocks the thread until all are stored.
    func parts(_ numbers: [Int]) throws -> [BackupManifest.Part] {
        for _ in 0..<Self.most { room.wait() }
        for _ in 0..<Self.most { room.signal() }
        try finish()
        return state.withLock { state in numbers.compactMap { state.parts[$0] } }
    }

    /// - Throws: why a part could not be stored.
    func finish() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }
}
