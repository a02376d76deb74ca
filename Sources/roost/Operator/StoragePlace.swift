import Foundation
import RoostBackup
import RoostFiles

/// A place for bytes as options name it: a folder, or a bucket as `s3://bucket/prefix?endpoint=URL&region=NAME`.
enum StoragePlace {
    /// The storage for files in a place; the folder `files` of the data folder if it is nil.
    /// - Throws: why the place cannot be used.
    static func files(_ place: String?, data: String, _ threads: FileThreads) throws -> any FileStore {
        guard let place, isBucket(place) else { return FileFolder(path: place ?? data + "/files", threads: threads) }
        return try bucket(place, threads)
    }

    /// The backups in a place.
    /// - Throws: why the place cannot be used.
    static func backups(_ place: String, _ threads: FileThreads) throws -> BackupPlace {
        guard !place.isEmpty else { throw BackupError("The place for backups is empty: name a folder or a bucket.") }
        guard isBucket(place) else {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: place, isDirectory: &isFolder), !isFolder.boolValue {
                throw BackupError("\(place) is a file: name a folder for backups.")
            }
            return BackupPlace(FileFolder(path: place, threads: threads), scratch: place + "/incoming")
        }
        let scratch = FileManager.default.temporaryDirectory.path + "/roost-backup-" + UUID().uuidString
        return BackupPlace(try bucket(place, threads), scratch: scratch)
    }

    /// The beginning of the error if another process changes them.
    static let busy = "Another roost backup is at work"

    /// Keeps others from changing the backups in a folder, until this process ends. A bucket has no lock.
    /// - Throws: `BackupError` if another process changes them.
    static func lock(_ place: String) throws {
        guard !isBucket(place) else { return }
        let path = place + "/lock"
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError("The folder \(place) cannot be made: \(error.localizedDescription)")
        }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BackupError("\(path) cannot be opened: \(String(cString: strerror(errno))).") }
        // Some file systems have no locks.
        if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw BackupError("\(busy) in \(place). Wait until it ends.")
        }
    }

    /// Checks that a server does not take backups for files that nobody uses, and deletes them.
    /// - Throws: `BackupError` if the place is in the data folder or where the files are.
    static func checkApart(_ place: String, from files: String?, data: String) throws {
        let files = files ?? data + "/files"
        let isSame: Bool
        if isBucket(place) {
            guard isBucket(files) else { return }
            let (one, other) = (try S3Location(url: place), try S3Location(url: files))
            isSame = (one.server, one.bucket, one.prefix) == (other.server, other.bucket, other.prefix)
        } else {
            func path(_ text: String) -> String {
                URL(fileURLWithPath: text).standardizedFileURL.resolvingSymlinksInPath().path + "/"
            }
            isSame = path(place).hasPrefix(path(data)) || !isBucket(files) && path(place).hasPrefix(path(files))
        }
        if isSame {
            throw BackupError(
                "Backups need a place of their own: \(place) is where the server keeps its data or its files.")
        }
    }

    /// What is not used may be deleted if it was stored before this time, in ms since 1970: a bucket has no lock, and another
    /// backup may be at work.
    static func prunable(_ place: String) -> Int64 { isBucket(place) ? Clock.now() - 86_400_000 : .max }

    static func isBucket(_ place: String) -> Bool { place.hasPrefix("s3:") }

    private static func bucket(_ place: String, _ threads: FileThreads) throws -> S3Store {
        S3Store(
            try S3Location(url: place), try S3Credentials(environment: ProcessInfo.processInfo.environment),
            threads: threads, now: Clock.now)
    }
}
