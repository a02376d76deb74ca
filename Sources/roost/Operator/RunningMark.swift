import Dispatch
import Foundation
import Logging
import RoostCore
import RoostSQLite
import Synchronization

/// The file `running` in the data folder: a server uses the database, or did not stop cleanly.
///
/// After a stop that was not clean, the structure of the database is checked in the background.
final class RunningMark: Sendable {
    private struct Check {
        var inspection: SQLiteInspection?
        /// Whether it has ended and found nothing.
        var isSound = true
        var isStopping = false
    }

    private let directory: String
    private let check = Mutex(Check())
    private let threads = DispatchGroup()

    private var file: String { directory + "/running" }

    init(directory: String) { self.directory = directory }

    /// Makes the mark, and starts the check if it was there. `found` gets a damage that the check finds.
    func begin(_ logger: Logger, found: @escaping @Sendable (String) -> Void) {
        if FileManager.default.fileExists(atPath: file) {
            logger.notice("the server was not stopped cleanly: the database is checked in the background")
            check.withLock { $0.isSound = false }
            threads.enter()
            Thread { [self] in
                defer { threads.leave() }
                run(logger, found)
            }.start()
        }
        if !FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600]) {
            logger.warning("the file that marks a running server cannot be made", metadata: ["file": "\(file)"])
        }
    }

    private func run(_ logger: Logger, _ found: @Sendable (String) -> Void) {
        let faults: [String]
        do {
            let inspection = try SQLiteInspection(directory: directory)
            defer { try? inspection.close() }
            let isStopping = check.withLock { check in
                check.inspection = inspection
                return check.isStopping
            }
            defer { check.withLock { $0.inspection = nil } }
            if isStopping { return }
            faults = try inspection.faults(isQuick: true)
        } catch let failure as DatabaseFailure where failure.kind == .corrupt {
            faults = [failure.description]
        } catch {
            if check.withLock({ $0.isStopping }) { return }
            logger.warning("the database could not be checked", metadata: ["error": "\(error)"])
            return
        }
        guard let first = faults.first else {
            check.withLock { $0.isSound = true }
            logger.notice("the database was checked: it is sound")
            return
        }
        logger.error(
            "the database is damaged: restore a backup, or see what is damaged with roost check",
            metadata: ["faults": "\(faults.count)", "first": "\(first)"])
        found("the structure of the database is damaged")
    }

    /// Ends the check, and waits until it does not use the database any more.
    func endCheck() {
        check.withLock { check in
            check.isStopping = true
            check.inspection?.interrupt()
        }
        threads.wait()
    }

    /// Removes the mark after a clean stop. It stays if the check found something or did not end, for the next start.
    func remove() {
        guard check.withLock({ $0.isSound }) else { return }
        try? FileManager.default.removeItem(atPath: file)
    }
}
