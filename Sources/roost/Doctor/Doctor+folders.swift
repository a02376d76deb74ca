import CoreFoundation
import Foundation
import RoostServer

/// The files of the server, and the disks that they are on.
extension Doctor {
    /// The settings themselves; a file with passwords that others may read was refused before.
    func settingsFile() -> [Finding] {
        [.good("\(settings.values.count) are given, \(settings.file.map { "the file is \($0)" } ?? "without a file")")]
    }

    /// What anybody may do who reaches the server.
    func mode() -> [Finding] {
        guard serve.dev else { return [.good("users log in with tokens")] }
        guard serve.insecureDev, !ServerConfiguration(host: serve.host).isLoopback else {
            return [
                .warning(
                    "--dev lets every user of this machine log in as anybody",
                    "Leave --dev out before others use the server; see roost token --help.")
            ]
        }
        return [
            .fault(
                "--insecure-dev lets everybody who reaches \(serve.host) log in as anybody",
                "Leave --dev and --insecure-dev out, and give users tokens: see roost token --help.")
        ]
    }

    // MARK: Rights

    /// What of the data folder nobody else may read.
    private static let privateFiles = [
        "roost.sqlite", "roost.sqlite-wal", "roost.sqlite-shm", "secret", "epoch", "last-commit", "audit.jsonl",
        "audit-users.jsonl", "audit-refused.jsonl", "last-backup",
    ]

    /// The data folder: whether the server can write there, and others cannot read it.
    func dataFolder() -> [Finding] {
        let data = serve.data
        var status = stat()
        guard stat(data, &status) == 0 else {
            return [
                .warning(
                    "there is no folder \(data) yet", "The first start makes it. If there was one, look at --data.")
            ]
        }
        guard access(data, R_OK | W_OK | X_OK) == 0 else {
            return [
                .fault(
                    "this user cannot write to \(data)",
                    "Run it as the user of the server, such as sudo -u roost roost doctor …; for the server, chown the folder."
                )
            ]
        }
        let owner = status.st_uid
        var findings: [Finding] = []
        let isOpen = status.st_mode & 0o077 != 0
        for name in Self.privateFiles {
            var file = stat()
            let path = data + "/" + name
            guard stat(path, &file) == 0 else { continue }
            if isOpen, file.st_mode & 0o077 != 0 {
                findings.append(
                    .fault("others on this machine can read \(path)", "chmod 700 \(data); chmod 600 \(path)"))
            }
            if file.st_uid != owner {
                findings.append(
                    .fault(
                        "\(path) belongs to another user than \(data), so the server may not be able to use it",
                        "chown it to the user of the server."))
            }
        }
        return findings.isEmpty ? [.good("\(data) is for its owner only")] : findings
    }

    /// The keys of the server.
    func secrets() -> [Finding] {
        var findings: [Finding] = []
        if FileManager.default.fileExists(atPath: serve.data + "/secret") {
            do {
                let count = try Secret.loadAll(fromDirectory: serve.data).count
                findings.append(
                    .good("the secret in \(serve.data) can be used, \(count == 1 ? "one key" : "\(count) keys")"))
            } catch {
                findings.append(.fault(error, "Put it back from where you keep it, or see roost secret --help."))
            }
        }
        if let file = serve.encryptionKey {
            do {
                _ = try KeyFile.encryptionKeys(inFile: file)
                findings.append(.good("\(file) can be used"))
            } catch {
                findings.append(.fault(error, "Without it nobody can read what was encrypted: see docs/encryption.md."))
            }
        }
        return findings.isEmpty ? [.skipped("there is no secret yet; the first start makes it")] : findings
    }

    // MARK: Disks

    /// The folders of the server, which may be on several disks.
    private var folders: [(what: String, path: String)] {
        var folders = [("data", serve.data)]
        if let files = serve.files, !StoragePlace.isBucket(files) { folders.append(("files", files)) }
        if let backups = serve.backups.backupTo, !StoragePlace.isBucket(backups) {
            folders.append(("backups", backups))
        }
        return folders
    }

    /// How much room there is.
    func diskSpace() -> [Finding] {
        var findings: [Finding] = []
        for (what, path) in folders {
            var room = statvfs()
            guard statvfs(path, &room) == 0 else { continue }
            let (free, size) = (Self.product(room.f_bavail, room.f_frsize), Self.product(room.f_blocks, room.f_frsize))
            let reserve = serve.diskReserve ?? min(size / 20, 1 << 30)
            let text = "\(what): \(Self.bytes(free)) of \(Self.bytes(size)) are free at \(path)"
            if free <= reserve {
                findings.append(
                    .fault(
                        text
                            + ", and \(Self.bytes(reserve)) are to be kept free\(what == "backups" ? "" : ", so uploads are refused")",
                        "Make room, use a larger disk, or keep less: --retain, --backup-keep."))
            } else if free < size / 10, free < 10 << 30 {
                findings.append(.warning(text, "Make room before it is full: messages are refused then."))
            } else if room.f_files > 0, room.f_favail < room.f_files / 100 {
                findings.append(
                    .fault(
                        "\(what): the file system at \(path) has no room for more files",
                        "Delete files, or make it anew."))
            } else {
                findings.append(.good(text))
            }
        }
        return findings.isEmpty ? [.skipped("there is no folder yet")] : findings
    }

    /// The product, or the largest number: some file systems say that they are as large as can be.
    private static func product(_ blocks: some BinaryInteger, _ size: some BinaryInteger) -> Int64 {
        let product = Int64(clamping: blocks).multipliedReportingOverflow(by: Int64(clamping: size))
        return product.overflow ? .max : product.partialValue
    }

    /// How many times the disk is written to and waited for.
    private static let syncs = 40

    /// How long the disk of the database takes to keep something.
    func diskSpeed() -> [Finding] {
        guard databaseURL == nil else { return [.skipped("the database is elsewhere")] }
        guard access(serve.data, W_OK) == 0 else { return [.skipped("this user cannot write to \(serve.data)")] }
        if let kind = Self.fileSystem(of: serve.data) { return [kind] }
        let path = serve.data + "/doctor-\(UUID().uuidString)"
        let file = open(path, O_CREAT | O_WRONLY | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            return [.fault("\(serve.data) cannot be written: \(String(cString: strerror(errno)))", "Look at the disk.")]
        }
        defer {
            close(file)
            unlink(path)
        }
        let block = [UInt8](repeating: 7, count: 4_096)
        var times: [Duration] = []
        for _ in 0..<Self.syncs {
            let start = ContinuousClock.now
            guard write(file, block, block.count) == block.count, fdatasync(file) == 0 else {
                return [
                    .fault("\(serve.data) cannot be written: \(String(cString: strerror(errno)))", "Look at the disk.")
                ]
            }
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        let median = times[times.count / 2] / .milliseconds(1)
        let text = String(format: "the disk keeps a block in %.2f ms", median)
        guard median > 10 else { return [.good(text)] }
        return [
            .warning(
                text + "; users wait that long for each message",
                "Use an SSD, or a volume with more operations per second.")
        ]
    }

    /// A finding if the file system is one on which a database is not safe.
    private static func fileSystem(of path: String) -> Finding? {
        switch mountType(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path) {
        case "tmpfs", "ramfs":
            .fault(
                "\(path) is in memory, and empty after a restart of the machine",
                "Name a folder on a disk with --data.")
        case "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs":
            .fault(
                "\(path) is on a network file system, whose locks and syncs a database cannot rely on",
                "Name a folder on a local disk with --data, or use PostgreSQL with --database.")
        default: nil
        }
    }

    /// The type of the file system that a path is on; nil if that is not known.
    private static func mountType(of path: String) -> String? {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        var found: (length: Int, type: String)?
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2 else { continue }
            let place = String(words[1]).replacing("\\040", with: " ")
            let isThere = place == "/" || path == place || path.hasPrefix(place + "/")
            // Of two that are mounted at one place, the later one counts.
            if isThere, place.count >= found?.length ?? 0 { found = (place.count, String(words[2])) }
        }
        return found?.type
    }
}
