import ArgumentParser
import CoreFoundation
import Foundation
import RoostCore
import RoostWire

/// The options of `roost serve` about several servers on one PostgreSQL.
struct NodeOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Let other servers use the same PostgreSQL at the same time; otherwise a second one is refused.",
            discussion: """
                What happens on one server does not reach the clients of another one until they connect again: see docs/stores.md. \
                All need the same secret, encryption key, limits and retention, and --files s3://… or --files-shared. Not with --dev.
                """))
    var severalNodes = false

    @Flag(
        help: ArgumentHelp(
            "Say that all servers see the same folder --files, such as one of a network file system.",
            discussion: "For --several-nodes without an object store."))
    var filesShared = false

    func validate(database: String?, files: String?, isDevelopment: Bool) throws {
        guard !filesShared || severalNodes else {
            throw ValidationError("--files-shared is for --several-nodes.")
        }
        guard severalNodes else { return }
        guard try DatabaseURL.given(database) != nil else {
            throw ValidationError(
                "--several-nodes needs PostgreSQL: --database postgres://…. A database in --data has one server.")
        }
        guard !isDevelopment else {
            throw ValidationError(
                "--several-nodes cannot be used with --dev: only one server would notice that a guest has logged out.")
        }
        let hasStore = files?.hasPrefix("s3:") == true
        guard hasStore || filesShared && files != nil else {
            throw ValidationError(
                "--several-nodes needs files that all servers can read: --files s3://bucket/prefix?…, or a folder that all see, "
                    + "with --files FOLDER --files-shared.")
        }
    }
}

/// A file in the data folder that only one server can hold, so that its next holder knows that it has ended.
final class NodePlace: Sendable {
    private let file: Int32
    /// Names the data folder among those of other servers; random.
    let id: String
    /// Names the file on this machine until it is started again; nil if it cannot be named.
    let name: String?

    /// - Throws: `DatabaseFailure` if another server holds it.
    init(directory: String) throws {
        let path = directory + "/node"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseFailure(.other, "The file \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw DatabaseFailure(
                .openElsewhere, "Another server uses the data folder \(directory). Give each server its own --data.")
        }
        id = try Self.id(of: file, path)
        var status = stat()
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        guard let boot, fstat(file, &status) == 0 else {
            name = nil
            return
        }
        name = "\(boot.trimmingCharacters(in: .whitespacesAndNewlines)):\(status.st_dev):\(status.st_ino)"
    }

    deinit { close(file) }

    /// The id in the file, which is written if there is none.
    private static func id(of file: Int32, _ path: String) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        if pread(file, &bytes, bytes.count, 0) == bytes.count {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.allSatisfy(\.isHexDigit) { return text }
        }
        let text = String(Effects.systemRandom(), radix: 16)
        let id = String(repeating: "0", count: 16 - text.count) + text
        guard pwrite(file, Array(id.utf8), 16, 0) == 16, fsync(file) == 0 else {
            throw DatabaseFailure(.other, "The file \(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        return id
    }
}
