import ArgumentParser
import Foundation
import RoostBackup
import RoostFiles

/// The options of `roost serve` about backups that it makes itself.
struct BackupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make a backup each day in this folder or bucket, s3://bucket/prefix?endpoint=URL&region=NAME; none if omitted.",
            discussion: """
                If the newest one there is older, as after the server was stopped, the next one is made at the start. See \
                docs/backup.md.
                """, valueName: "place"))
    var backupTo: String?

    @Option(help: ArgumentHelp("When that is, by the clock of this machine.", valueName: "HH:MM"))
    var backupAt = "03:00"

    @Option(help: ArgumentHelp("How many backups are kept; at least 1.", valueName: "count"))
    var backupKeep = 14

    @Flag(help: "Do not read each backup to check it, which takes about as long as to restore it.")
    var noBackupCheck = false

    func validate() throws {
        guard time != nil else {
            throw ValidationError("--backup-at \(backupAt): use the hour and the minute of the day, such as 03:00.")
        }
        guard backupKeep > 0 else { throw ValidationError("--backup-keep must be at least 1.") }
        guard backupTo != "" else { throw ValidationError("--backup-to needs a folder or a bucket.") }
    }

    /// The time of the day; nil if it is none.
    var time: DateComponents? {
        guard let match = backupAt.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/), let hour = Int(match.1),
            let minute = Int(match.2), hour < 24, minute < 60
        else { return nil }
        return DateComponents(hour: hour, minute: minute, second: 0)
    }

    /// Checks that backups can be made there.
    /// - Throws: `BackupError`, or another error that says what is wrong.
    func check(files: String?, data: String) throws {
        guard let backupTo else { return }
        _ = try StoragePlace.backups(backupTo, FileThreads())
        try StoragePlace.checkApart(backupTo, from: files, data: data)
    }

    /// When a backup is due.
    /// - Parameter newest: when the newest one there was begun; nil if there is none.
    static func due(
        after newest: Date?, at time: DateComponents, now: Date, calendar: Calendar = .current
    ) -> Date {
        guard let newest else { return now }
        // A backup of a later time, from before the clock was set back, does not put off all others.
        let last = min(newest, now)
        return calendar.nextDate(after: last, matching: time, matchingPolicy: .nextTime) ?? now
    }
}
