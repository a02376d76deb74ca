import Foundation
import Logging
import RoostBackup
import RoostCore
import RoostFiles
import RoostWire
import Synchronization

/// Makes the backups of `--backup-to`, by programs of their own: they have a lower priority than the server, and what goes
/// wrong there does not concern it.
struct DailyBackup: Sendable {
    let options: BackupOptions
    let place: String
    /// The options that say where the server stores.
    let stored: [String]
    let database: String?
    let core: Core
    let logger: Logger

    /// The time after which a backup that has failed is tried again, in ms.
    private static let retry: Int64 = 30 * 60_000
    /// The longest time between two looks at the clock, in ms.
    private static let step: Int64 = 30_000
    /// After this time another server of the database takes over, in ms.
    private static let turn: Int64 = 6 * 3_600_000

    /// What `roost backup create --json` prints.
    private struct Report: Decodable {
        var name: String
        var rows: Int
        var files: Int
        var newBytes: Int64
        var faults: [String]
    }

    /// - Returns: nil if no backups are to be made.
    init?(
        _ options: BackupOptions, data: String, database: String?, files: String?, core: Core, logger: Logger
    ) {
        guard let place = options.backupTo else { return nil }
        self.options = options
        self.place = place
        stored = ["--data", data] + (files.map { ["--files-in", $0] } ?? [])
        self.database = database
        self.core = core
        self.logger = logger
    }

    /// What has become of a backup.
    private enum Outcome {
        case whole
        /// There is one, but something in it is missing or damaged; so the older ones stay.
        case damaged
        case failed
    }

    /// Makes a backup each day until the task is cancelled.
    func run() async {
        guard let time = options.time else { return }
        var isRetry = false
        while !Task.isCancelled {
            let newest = await noteNewest()
            let retry = Date(timeIntervalSinceNow: Double(Self.retry) / 1_000)
            let due = isRetry ? retry : BackupOptions.due(after: newest, at: time, now: Date())
            guard await wait(until: due) else { return }
            // Meanwhile another server, or somebody by hand, may have made it.
            if !isRetry, BackupOptions.due(after: await noteNewest(), at: time, now: Date()) > Date() { continue }
            let isTurn = (try? await core.takes("backup", every: Self.turn)) == true
            guard isRetry || isTurn else {
                guard await wait(until: retry) else { return }
                continue
            }
            let outcome = await makeBackup()
            isRetry = outcome == .failed
            if outcome != .whole, !Task.isCancelled { core.meters.add(to: .backupFailures) }
        }
    }

    /// When the newest backup was begun; nil if there is none that can be read.
    private func noteNewest() async -> Date? {
        do {
            let backups = try StoragePlace.backups(place, FileThreads())
            guard try await !backups.names().isEmpty else {
                core.meters.set(.newestBackup, to: 0)
                return nil
            }
            let createdAt = try await backups.manifest().createdAt
            core.meters.set(.newestBackup, to: Double(createdAt / 1_000))
            return Date(timeIntervalSince1970: Double(createdAt) / 1_000)
        } catch {
            logger.warning("the backups cannot be read", metadata: ["place": "\(place)", "error": "\(error)"])
            return nil
        }
    }

    /// Waits until a time of the clock, which may be set meanwhile.
    /// - Returns: false if the task is cancelled.
    private func wait(until due: Date) async -> Bool {
        while !Task.isCancelled {
            let left = Int64((due.timeIntervalSinceNow * 1_000).rounded(.up))
            guard left > 0 else { return true }
            try? await Task.sleep(for: .milliseconds(min(left, Self.step)))
        }
        return false
    }

    private func makeBackup() async -> Outcome {
        logger.info("a backup begins", metadata: ["place": "\(place)"])
        let start = ContinuousClock.now
        let made = await Self.roost(["backup", "create", "--json", "--to", place] + stored, database)
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(made.output)) else {
            return end(.failed, "the backup failed", made)
        }
        var metadata: Logger.Metadata = [
            "name": "\(report.name)", "rows": "\(report.rows)", "files": "\(report.files)",
            "newBytes": "\(report.newBytes)", "ms": "\(Self.ms(since: start))",
        ]
        guard report.faults.isEmpty, made.code == 0 else {
            metadata["faults"] = "\(report.faults.count)"
            metadata["first"] = "\(report.faults.first ?? made.lastLine)"
            logger.error("the backup was made, but something is damaged or missing", metadata: metadata)
            audit(report.name, .internalFault)
            return .damaged
        }
        if options.noBackupCheck {
            logger.info("the backup was made", metadata: metadata)
        } else {
            let begun = ContinuousClock.now
            // What has changed on the disk is deleted, so that the next backup stores it again.
            let check = ["backup", "check", "--from", place, "--backup", report.name, "--delete-damaged"]
            let checked = await Self.roost(check, database)
            guard checked.code == 0 else { return end(.damaged, "the backup is damaged", checked) }
            metadata["checkMs"] = "\(Self.ms(since: begun))"
            logger.info("the backup was made, and is whole", metadata: metadata)
        }
        audit(report.name)
        // Not before: if the newest one is of no use, the older ones are.
        let pruned = await Self.roost(
            ["backup", "prune", "--from", place, "--keep", String(options.backupKeep)], database)
        return pruned.code == 0 ? .whole : end(.damaged, "older backups are not deleted", pruned)
    }

    private static func ms(since start: ContinuousClock.Instant) -> Int64 {
        Int64((ContinuousClock.now - start) / .milliseconds(1))
    }

    /// Logs why a backup is not as it should be, unless the server stops.
    private func end(_ outcome: Outcome, _ what: Logger.Message, _ ended: Ended) -> Outcome {
        // A signal of a terminal ends the program, too.
        if Task.isCancelled || !core.isReady { return outcome }
        let output = String(decoding: ended.output.prefix(500), as: UTF8.self)
        let why = ended.lastLine.isEmpty ? output : ended.lastLine
        logger.error(what, metadata: ["place": "\(place)", "code": "\(ended.code)", "error": "\(why.prefix(500))"])
        audit(nil, .internalFault)
        return outcome
    }

    private func audit(_ name: String?, _ error: ErrorCode? = nil) {
        core.audit(
            AuditEntry(
                time: core.effects.now(), event: "backup", sender: .server, code: error?.code ?? 0,
                targets: name.map { [$0] } ?? []))
    }

    // MARK: The program

    /// How a program ended.
    private struct Ended: Sendable {
        var code: Int32
        var output: [UInt8]
        /// The last line of standard error.
        var lastLine: String
    }

    /// This program; on Linux also if its file was replaced since.
    private static let program: URL = {
        let itself = "/proc/self/exe"
        return FileManager.default.fileExists(atPath: itself)
            ? URL(fileURLWithPath: itself) : Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    }()

    /// Runs a command of this program, as it was when the server was started, until it ends or the task is cancelled.
    private static func roost(_ arguments: [String], _ database: String?) async -> Ended {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        if let database {
            environment["ROOST_DATABASE"] = database
            environment["ROOST_DATABASE_FILE"] = nil
        }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        let (ends, hasEnded) = AsyncStream.makeStream(of: Never.self)
        process.terminationHandler = { _ in hasEnded.finish() }
        do {
            try process.run()
        } catch {
            return Ended(code: -1, output: [], lastLine: "roost cannot be started: \(error.localizedDescription)")
        }
        return await withTaskCancellationHandler {
            async let text = read(output, atMost: 8 << 20)
            async let complaint = read(errors, atMost: 1 << 16)
            let (bytes, lines) = await (text, complaint)
            // A task that is cancelled would not wait.
            await Task { for await _ in ends {} }.value
            let last = String(decoding: lines, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
            return Ended(code: process.terminationStatus, output: bytes, lastLine: last ?? "")
        } onCancel: {
            process.terminate()
        }
    }

    /// Reads the end of what a program writes, on a thread of its own.
    private static func read(_ pipe: Pipe, atMost limit: Int) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var bytes: [UInt8] = []
                while let more = try? pipe.fileHandleForReading.read(upToCount: 1 << 16), !more.isEmpty {
                    bytes += more
                    if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
                }
                continuation.resume(returning: bytes)
            }
            thread.start()
        }
    }
}
