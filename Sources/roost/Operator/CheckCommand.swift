import ArgumentParser
import Foundation
import Logging
import RoostCore
import RoostEncryption
import RoostFiles
import RoostPostgres
import RoostSQLite
import RoostServer
import RoostWire

/// Tells whether what is stored is as it was stored.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the database and the files for damage.",
        discussion: """
            Reads everything and changes nothing, so a server may run meanwhile; only the database of a stopped server is checked as a \
            whole file. Each damage is a line of standard output: the table, the channel or user, the number of the row, and what is \
            wrong. It ends with 0 if everything is sound, with 1 if something is damaged, and with 2 if it could not check. See \
            docs/backup.md for what to do then.

              roost check --data ./roost-data           # everything in the database
              roost check --data ./roost-data --quick   # its structure only: seconds to minutes
              roost check --data ./roost-data --files   # also whether each file is there, in its size
            """)

    @OptionGroup var stored: StoredOptions

    @Option(
        help: ArgumentHelp(
            "The file of --encryption-key of the server; unused if omitted.",
            discussion: "Without it, a database with encrypted content is not checked.", valueName: "file"))
    var encryptionKey: String?

    @Flag(help: "Check the structure only, not what each row says.")
    var quick = false

    @Flag(help: "Check also that each file that something uses is stored, in its size.")
    var files = false

    @Flag(help: "Print one JSON object with all damages.")
    var json = false

    func validate() throws {
        if stored.filesIn != nil, !files { throw ValidationError("--files-in needs --files.") }
    }

    /// What was checked, as `--json` prints it.
    private struct Report: Encodable {
        var isSound: Bool
        var rows: Int
        var files: Int
        var damages: [StoredDamage]
    }

    func run() async throws {
        var report = Report(isSound: true, rows: 0, files: 0, damages: [])
        do {
            try await check(&report)
        } catch {
            Terminal.printError(Self.sentence(error))
            throw ExitCode(ExitStatus.usage)
        }
        report.isSound = report.damages.isEmpty
        if json {
            Terminal.printLine(String(decoding: try WireCodec.encode(report), as: UTF8.self))
        } else {
            for damage in report.damages { Terminal.printLine(Self.line(damage)) }
            let checked = quick ? "the structure" : "\(report.rows) rows"
            let count = report.damages.count
            Terminal.printLine(
                "checked \(checked)\(files ? " and \(report.files) files" : ""): "
                    + (report.isSound ? "sound" : "\(count) \(count == 1 ? "damage" : "damages")"))
        }
        if !report.isSound { throw ExitCode(ExitStatus.refused) }
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as DatabaseFailure: error.description
        case let error as FileStoreError: error.description
        case let error as SecretError: error.description
        default: "\(error)"
        }
    }

    /// A damage on one line: table, channel or user, number, and what is wrong.
    private static func line(_ damage: StoredDamage) -> String {
        ([damage.table, damage.owner, damage.id, damage.seq.map(String.init)].compactMap { $0 }.joined(separator: " "))
            + ": " + damage.fault
    }

    private func check(_ report: inout Report) async throws {
        let cipher = try encryptionKey.flatMap { try ContentCipher(secrets: KeyFile.encryptionKeys(inFile: $0)) }
        let engine: any SQLDatabase
        if try DatabaseURL.given(stored.database) != nil {
            engine = try stored.reading()
        } else {
            guard let inspection = try inspect(&report) else { return }
            engine = inspection
        }
        defer { try? engine.close() }
        do {
            try await check(engine, cipher, &report)
        } catch let failure as DatabaseFailure where failure.kind == .corrupt {
            report.damages.append(StoredDamage("database", failure.description))
        }
    }

    /// Checks the file of SQLite.
    /// - Returns: nil if it cannot be opened.
    private func inspect(_ report: inout Report) throws -> SQLiteInspection? {
        if SQLiteDatabase.emptiness(inDirectory: stored.data) == .withoutTables {
            report.damages.append(
                StoredDamage("roost.sqlite", "it has no tables, as a copy without its roost.sqlite-wal"))
            return nil
        }
        if let fault = SQLiteDatabase.sizeFault(inDirectory: stored.data) {
            report.damages.append(StoredDamage("roost.sqlite", "not whole: \(fault)"))
        }
        do {
            let inspection = try SQLiteInspection(directory: stored.data)
            report.damages += try inspection.faults(isQuick: quick).map { StoredDamage("roost.sqlite", $0) }
            return inspection
        } catch let failure as DatabaseFailure where failure.kind == .corrupt {
            report.damages.append(StoredDamage("roost.sqlite", failure.description))
            return nil
        }
    }

    private func check(_ engine: any SQLDatabase, _ cipher: ContentCipher?, _ report: inout Report) async throws {
        // A running server changes the database first and then the file.
        let noted = LastCommitFile.read(in: stored.data)
        let structure = DatabaseCheck(engine) { _ in }
        let epoch = try await structure.epoch()
        if epoch == nil { report.damages.append(StoredDamage("meta", "the epoch of the database is missing")) }
        if let epoch, let known = KnownDatabase(directory: stored.data).epoch, known != epoch {
            report.damages.append(
                StoredDamage(
                    "meta", "the epoch \(epoch) is not the one that the file epoch in \(stored.data) notes, \(known)")
            )
        } else if let noted, let inspection = engine as? SQLiteInspection,
            let fault = KnownDatabase.staleness(of: try inspection.lastCommit(), noted)
        {
            report.damages.append(StoredDamage("meta", "not as the server left it: \(fault)"))
        }
        let check = DatabaseCheck(try await engine.decrypted(with: cipher)) { rows in
            Terminal.writeProgress("checked \(rows) rows\n")
        }
        if !quick {
            let findings = try await check.rows()
            report.rows = findings.rows
            report.damages += findings.damages
            if findings.isCut { report.damages.append(StoredDamage("database", "there is more that is not listed")) }
        }
        if files { try await checkFiles(check, &report) }
    }

    private func checkFiles(_ check: DatabaseCheck, _ report: inout Report) async throws {
        let store = try stored.fileStore(FileThreads())
        var last: DatabaseCheck.UsedFile?
        while true {
            let page = try await check.files(after: last)
            guard let end = page.last else { return }
            for file in page {
                report.files += 1
                if report.files.isMultiple(of: 1_000) { Terminal.writeProgress("checked \(report.files) files\n") }
                guard let fault = try await Self.fault(file, in: store), try await check.isUsed(file) else { continue }
                report.damages.append(
                    StoredDamage(
                        "files", owner: file.holder, seq: file.seq > 0 ? file.seq : nil, id: file.id, fault))
            }
            last = end
        }
    }

    /// What is wrong with a file; nil if nothing is.
    private static func fault(
        _ file: DatabaseCheck.UsedFile, in store: any FileStore
    ) async throws(FileStoreError) -> String? {
        guard file.isKnown else { return "the file is not known" }
        guard let bytes = file.bytes else { return nil }
        guard let size = try await store.size(of: bytes.key) else { return "its bytes are missing" }
        return size == bytes.size ? nil : "it has \(size) bytes of \(bytes.size)"
    }
}
