import Foundation
import Logging
import RoostBackup
import RoostCore
import RoostFiles
import RoostWire

/// Makes the backups of `--backup-to`, by programs of their own: they have a lower priority than the server, and what goes
/// wrong there does not concern it.
struct DailyBackup: Sendable {
    let options: BackupOptions
    let time: DateComponents
    let place: String
    /// The options that say where the server stores.
    let stored: [String]
    let program: BackupProgram
    let known: KnownBackup
    let core: Core
    let logger: Logger

    /// The time after which a backup that has failed is tried again, in s.
    private static let retry: TimeInterval = 30 * 60
    /// The time after which it is looked again whether another program has ended that changes the same backups, in s.
    private static let pause: TimeInterval = 5 * 60
    /// The longest time between two looks at the clock, in s.
    private static let step: TimeInterval = 30
    /// The time after which another server of the database takes over, if this one does not show that it is at work, in ms.
    private static let turn: Int64 = 180_000

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
        guard let place = options.backupTo, let time = options.time else { return nil }
        self.options = options
        self.time = time
        self.place = place
        stored = ["--data", data] + (files.map { ["--files-in", $0] } ?? [])
        program = BackupProgram(database: database)
        known = KnownBackup(data: data, place: place)
        self.core = core
        self.logger = logger
    }

    /// What has become of a backup.
    private enum Outcome {
        case whole
        /// There is one, but something in it is missing or damaged; so the older ones stay.
        case damaged
        /// What had changed on the disk is deleted, so that another one stores it again.
        case repairable
        case failed
        /// Another program changes the backups there.
        case busy
    }

    /// Makes a backup each day until the task is cancelled.
    func run() async {
        var next: Date?
        while !Task.isCancelled {
            guard let newest = await look() else {
                guard await wait(until: Date(timeIntervalSinceNow: Self.retry)) else { return }
                continue
            }
            let due = max(BackupOptions.due(after: newest.createdAt, at: time, now: Date()), next ?? .distantPast)
            logger.info("the next backup is due", metadata: ["at": "\(due.formatted(.iso8601))"])
            guard await wait(until: due) else { return }
            // Meanwhile another server, or somebody by hand, may have made it.
            guard let now = await look() else {
                guard await wait(until: Date(timeIntervalSinceNow: Self.retry)) else { return }
                continue
            }
            guard now == newest else {
                next = nil
                continue
            }
            guard await isTurn() else {
                guard await wait(until: Date(timeIntervalSinceNow: Self.pause)) else { return }
                continue
            }
            let outcome = await keepingTurn {
                let first = await makeBackup()
                guard first == .repairable else { return first }
                // The day's backup is there, and of no use.
                core.meters.add(to: .backupFailures)
                return await makeBackup()
            }
            if Task.isCancelled { return }
            if ![.whole, .busy].contains(outcome) { core.meters.add(to: .backupFailures) }
            next =
                switch outcome {
                case .whole, .damaged, .repairable: nil
                case .failed: Date(timeIntervalSinceNow: Self.retry)
                case .busy: Date(timeIntervalSinceNow: Self.pause)
                }
        }
    }

    /// Whether this server is the one of several that makes it.
    private func isTurn() async -> Bool {
        do {
            if try await core.takes("backup", every: Self.turn) { return true }
            logger.info("another server makes the backup")
        } catch {
            logger.warning("it is not known which server makes the backup", metadata: ["error": "\(error)"])
        }
        return false
    }

    /// The backup that is the newest in the place.
    private struct Newest: Equatable {
        /// Nil if there is none that can be read.
        var createdAt: Date?
    }

    /// Looks into the place.
    /// - Returns: nil if no backup can be made there now, which is logged and counted.
    private func look() async -> Newest? {
        do {
            let backups = try StoragePlace.backups(place, FileThreads())
            guard try await !backups.names().isEmpty else {
                guard known.hasBackups else {
                    core.meters.set(.newestBackup, to: 0)
                    return Newest()
                }
                throw BackupError(
                    "There were backups in \(place), and there are none now. Is it mounted? To begin anew, delete \(known.path)."
                )
            }
            return try await newest(in: backups)
        } catch {
            if Task.isCancelled { return nil }
            core.meters.add(to: .backupFailures)
            logger.error("no backup can be made", metadata: ["place": "\(place)", "error": "\(error)"])
            audit(nil, .internalFault)
            return nil
        }
    }

    private func newest(in backups: BackupPlace) async throws -> Newest {
        let manifest: BackupManifest
        do {
            manifest = try await backups.manifest()
        } catch let error as BackupError {
            // The next one does not need it.
            logger.warning("the newest backup cannot be read", metadata: ["place": "\(place)", "error": "\(error)"])
            return Newest()
        }
        guard manifest.createdAt <= core.effects.now() + 60_000 else {
            throw BackupError(
                "The newest backup in \(place) is of a later time than now. Set the clock right, or use another place.")
        }
        note { content in
            if manifest.faults.isEmpty, manifest.name != content.damaged { content.createdAt = manifest.createdAt }
        }
        return Newest(createdAt: Date(timeIntervalSince1970: Double(manifest.createdAt) / 1_000))
    }

    /// Waits until a time of the clock, which may be set meanwhile.
    /// - Returns: false if the task is cancelled.
    private func wait(until due: Date) async -> Bool {
        while !Task.isCancelled {
            let left = due.timeIntervalSinceNow
            guard left > 0 else { return true }
            try? await Task.sleep(for: .seconds(min(left, Self.step)))
        }
        return false
    }

    /// Shows the other servers of the database that this one is at work, until it is done.
    private func keepingTurn(_ work: () async -> Outcome) async -> Outcome {
        let showing = Task { [core] in
            while (try? await Task.sleep(for: .milliseconds(Self.turn / 3))) != nil { await core.keep("backup") }
        }
        let outcome = await work()
        showing.cancel()
        await core.giveUp("backup")
        return outcome
    }

    private func makeBackup() async -> Outcome {
        logger.info("a backup begins", metadata: ["place": "\(place)"])
        let (start, beganAt) = (ContinuousClock.now, core.effects.now())
        let made = await program.run(["backup", "create", "--json", "--to", place] + stored)
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(made.output.utf8)) else {
            if made.errors.contains(StoragePlace.busy) {
                logger.info("another program changes the backups", metadata: ["place": "\(place)"])
                return .busy
            }
            return await end(.failed, "the backup failed", made.errors.split(separator: "\n").last, made)
        }
        var metadata: Logger.Metadata = [
            "name": "\(report.name)", "rows": "\(report.rows)", "files": "\(report.files)",
            "newBytes": "\(report.newBytes)", "ms": "\(Self.ms(since: start))",
        ]
        guard report.faults.isEmpty, made.code == 0 else {
            metadata["faults"] = "\(report.faults.count)"
            metadata["first"] = "\(report.faults.first ?? "")"
            logger.error("the backup was made, but something is damaged or missing", metadata: metadata)
            audit(report.name, .internalFault)
            return .damaged
        }
        if !options.noBackupCheck {
            let begun = ContinuousClock.now
            // What has changed on the disk is deleted, so that the next backup stores it again.
            let checked = await program.run(
                ["backup", "check", "--from", place, "--backup", report.name, "--delete-damaged"])
            guard checked.code == 0 else {
                // A fault is a line of the output; without one it could not be checked.
                let fault = checked.output.split(separator: "\n").first
                if fault != nil { note { $0.damaged = report.name } }
                return await end(
                    fault == nil ? .damaged : .repairable,
                    fault == nil ? "the backup cannot be checked" : "the backup is damaged",
                    fault ?? checked.errors.split(separator: "\n").last, checked)
            }
            metadata["checkMs"] = "\(Self.ms(since: begun))"
        }
        note { $0.createdAt = beganAt }
        logger.info(
            options.noBackupCheck ? "the backup was made" : "the backup was made, and is whole", metadata: metadata)
        audit(report.name)
        // Not before: if the newest one is of no use, the older ones are.
        let pruned = await program.run(["backup", "prune", "--from", place, "--keep", String(options.backupKeep)])
        guard pruned.code != 0 else { return .whole }
        return await end(.damaged, "older backups are not deleted", pruned.errors.split(separator: "\n").last, pruned)
    }

    /// Notes what is known of the backups.
    private func note(_ change: (inout KnownBackup.Content) -> Void) {
        do {
            core.meters.set(.newestBackup, to: Double(try known.note(change) / 1_000))
        } catch {
            logger.warning("the backups cannot be noted", metadata: ["path": "\(known.path)", "error": "\(error)"])
        }
    }

    private static func ms(since start: ContinuousClock.Instant) -> Int64 {
        Int64((ContinuousClock.now - start) / .milliseconds(1))
    }

    /// Logs why a backup is not as it should be, unless the server stops.
    private func end(
        _ outcome: Outcome, _ what: Logger.Message, _ why: Substring?, _ ended: BackupProgram.Ended
    ) async -> Outcome {
        // A signal of a terminal, or of systemd, ends the program, too, and the server hears of it a moment later.
        if [SIGTERM, SIGINT].contains(ended.code) { try? await Task.sleep(for: .seconds(1)) }
        if Task.isCancelled || !core.isReady { return outcome }
        logger.error(
            what, metadata: ["place": "\(place)", "code": "\(ended.code)", "error": "\(why?.prefix(500) ?? "")"])
        audit(nil, .internalFault)
        return outcome
    }

    private func audit(_ name: String?, _ error: ErrorCode? = nil) {
        core.audit(
            AuditEntry(
                time: core.effects.now(), event: "backup", sender: .server, code: error?.code ?? 0,
                targets: name.map { [$0] } ?? []))
    }
}

/// The file in the data folder with what is known of the backups in a place.
struct KnownBackup: Sendable {
    struct Content: Codable, Equatable {
        var place: String
        /// When the newest one was begun that is not known to be damaged, in ms since 1970; 0 if there is none.
        var createdAt: Int64 = 0
        /// The last one that was found to be damaged.
        var damaged: String?
    }

    let path: String
    private let place: String

    init(data: String, place: String) {
        path = data + "/last-backup"
        self.place = place
    }

    private var content: Content? {
        guard let data = FileManager.default.contents(atPath: path),
            let content = try? JSONDecoder().decode(Content.self, from: data), content.place == place
        else { return nil }
        return content
    }

    /// Whether there have been backups in the place.
    var hasBackups: Bool { content != nil }

    /// - Returns: when the newest one was begun that is not known to be damaged, in ms since 1970.
    func note(_ change: (inout Content) -> Void) throws -> Int64 {
        let old = content
        var new = old ?? Content(place: place)
        change(&new)
        if new != old {
            try JSONEncoder().encode(new).write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        return new.createdAt
    }
}
