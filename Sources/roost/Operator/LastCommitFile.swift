import Foundation
import RoostSQLite

/// The file `last-commit` beside the secret: the number of the last commit that was acknowledged, and the epoch.
///
/// It is overwritten after each commit and not synced. So a killed server has left the exact number, and after a power
/// loss it may be an older one; it is never ahead of what is durable in the database.
final class LastCommitFile: Sendable {
    private let file: Int32
    private let epoch: String

    private static func path(_ directory: String) -> String { directory + "/last-commit" }

    /// What the file in a folder says; nil if there is none, or it cannot be read.
    static func read(in directory: String) -> LastCommit? {
        (try? String(contentsOfFile: path(directory), encoding: .utf8)).flatMap { LastCommit(line: $0) }
    }

    /// Writes the file, and keeps it open.
    /// - Throws: the error of the system.
    init(directory: String, _ last: LastCommit) throws {
        let path = Self.path(directory)
        // A file that can be overwritten needs no room.
        if Self.read(in: directory)?.line.utf8.count != last.line.utf8.count {
            let new = path + ".new"
            let made = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard made >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let isMade = Self.write(last, to: made) && fsync(made) == 0 && rename(new, path) == 0
            let code = errno
            close(made)
            guard isMade else {
                unlink(new)
                throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
            }
        }
        file = open(path, O_WRONLY | O_CLOEXEC)
        epoch = last.epoch
        guard file >= 0, Self.write(last, to: file) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { if file >= 0 { close(file) } }

    /// Notes a commit that is durable. If that fails, the file has an older number, which does no harm.
    func note(_ number: Int64) { _ = Self.write(LastCommit(epoch: epoch, number: number), to: file) }

    private static func write(_ last: LastCommit, to file: Int32) -> Bool {
        let bytes = Array(last.line.utf8)
        return pwrite(file, bytes, bytes.count, 0) == bytes.count
    }
}
