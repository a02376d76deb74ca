import ArgumentParser
import CoreFoundation
import Foundation
import Logging
import RoostCore
import RoostFiles
import RoostNATS
import RoostWire

/// The options of `roost serve` about several servers on one PostgreSQL.
struct NodeOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Let other servers use the same PostgreSQL at the same time; otherwise a second one is refused.",
            discussion: """
                What is written on one server reaches the clients of the others within about a quarter of a second, with --bus at once; \
                docs/stores.md has what is not shared yet. All need the same secret, encryption key, limits and retention, and --files s3://… or --files-shared.
                """))
    var severalNodes = false

    @Option(
        help: ArgumentHelp(
            "The NATS server that makes it quick, nats://user:password@host:4222 or tls://…; implies --several-nodes.",
            discussion: """
                Several servers of one NATS cluster have commas between them. Other users of the machine can read the command \
                line, so it may also be given in ROOST_BUS. While NATS is away, nothing is lost: the servers look into the \
                database.
                """, valueName: "url"))
    var bus: String?

    @Option(
        help: ArgumentHelp(
            "The certificates that sign those of the NATS servers, for tls://; else those of the system.",
            valueName: "file"))
    var busCertificates: String?

    @Flag(
        help: ArgumentHelp(
            "Say that all servers see the same folder --files, such as one of a network file system.",
            discussion: "For --several-nodes without an object store."))
    var filesShared = false

    @Option(
        help: ArgumentHelp(
            "Where the other servers reach this one, http://HOST:PORT; by default where it listens, or the name of the machine.",
            discussion: """
                The parts of an upload that arrive elsewhere are passed on to it, with the tokens of their senders. Use a private \
                network, or https:// to a proxy of the server.
                """, valueName: "url"))
    var internalURL: String?

    /// What was given as `--bus` or in the environment.
    var givenBus: String? {
        let text = bus ?? ProcessInfo.processInfo.environment["ROOST_BUS"]
        return text?.isEmpty == true ? nil : text
    }

    /// Whether other servers may use the database at the same time.
    var allowsOthers: Bool { severalNodes || givenBus != nil }

    /// The bus between the servers; nil if there is none.
    func makeBus(_ key: BusKey, _ logger: Logger) throws -> NATSBus? {
        try givenBus.map { NATSBus(try BusURL($0), key: key, certificates: busCertificates, logger: logger) }
    }

    /// Says what several servers do not share, and if only those of this machine can reach this one.
    func noteLimits(_ host: String, _ logger: Logger) {
        guard allowsOthers else { return }
        if givenBus == nil {
            logger.warning("without --bus, nobody sees who is typing at another server: see docs/stores.md")
        }
        if internalURL == nil, ["127.0.0.1", "localhost", "::1"].contains(host) {
            logger.notice(
                "servers on other machines cannot pass on uploads to this one: see --host and --internal-url",
                metadata: ["host": "\(host)"])
        }
    }

    /// Where the other servers reach one that listens at an address; nil if that is not known yet.
    func url(_ host: String, _ port: Int) -> String? {
        if let internalURL { return internalURL.hasSuffix("/") ? String(internalURL.dropLast()) : internalURL }
        guard port > 0 else { return nil }
        let name = ["0.0.0.0", "::"].contains(host) ? ProcessInfo.processInfo.hostName : host
        return "http://\(ServeCommand.address(name, port))"
    }

    private static func isURL(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, let scheme = url.scheme else {
            return false
        }
        return ["http", "https"].contains(scheme.lowercased()) && ["", "/"].contains(url.path) && url.user == nil
            && url.password == nil && url.query == nil && url.fragment == nil
    }

    func validate(database: String?, files: String?, hasTLS: Bool) throws {
        guard !filesShared || allowsOthers else {
            throw ValidationError("--files-shared is for --several-nodes and --bus.")
        }
        if let internalURL {
            guard allowsOthers else { throw ValidationError("--internal-url is for --several-nodes and --bus.") }
            guard Self.isURL(internalURL) else {
                throw ValidationError(
                    "--internal-url \(internalURL): use http://HOST:PORT or https://HOST:PORT, without a path.")
            }
        }
        if let busCertificates {
            guard givenBus.map(BusURL.isEncrypted) == true else {
                throw ValidationError("--bus-certificates is for --bus tls://….")
            }
            guard FileManager.default.isReadableFile(atPath: busCertificates) else {
                throw ValidationError("--bus-certificates \(busCertificates): the file cannot be read.")
            }
        }
        guard allowsOthers else { return }
        let name = severalNodes ? "--several-nodes" : "--bus"
        if let givenBus {
            do { _ = try BusURL(givenBus) } catch { throw ValidationError("\(error)") }
        }
        guard try DatabaseURL.given(database) != nil else {
            throw ValidationError(
                "\(name) needs PostgreSQL: --database postgres://…. A database in --data has one server.")
        }
        guard !hasTLS || internalURL != nil else {
            throw ValidationError(
                "\(name) with --tls-certificate needs --internal-url https://NAME:PORT, with a name that is in the certificate."
            )
        }
        let hasStore = files?.hasPrefix("s3:") == true
        guard hasStore || filesShared && files != nil else {
            throw ValidationError(
                "\(name) needs files that all servers can read: --files s3://bucket/prefix?…, or a folder that all see, "
                    + "with --files FOLDER --files-shared.")
        }
    }
}

/// A file in the data folder that only one server can hold, so that its next holder knows that it has ended.
final class NodePlace: Sendable {
    private let file: Int32
    /// Names the data folder among those of other servers; random.
    let id: String
    /// Names the file on this machine until it is started again; nil if it cannot be named or not be locked.
    let name: String?

    /// - Throws: `DatabaseFailure` if another server holds it.
    init(directory: String) throws {
        let path = directory + "/node"
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw DatabaseFailure(.other, "The file \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0
        // Some file systems have no locks.
        if !isLocked, errno == EWOULDBLOCK {
            close(file)
            throw DatabaseFailure(
                .openElsewhere,
                """
                Another server uses the data folder \(directory): it has locked \(path). Give each server its own --data. On a \
                network file system the lock of a machine that has died may stay for a while.
                """)
        }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw DatabaseFailure(.other, "The file \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        // A copy of the folder has another inode.
        let inode = "\(status.st_dev):\(status.st_ino)"
        id = try Self.id(of: file, path, inode)
        let boot = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        name = isLocked ? boot.map { "\($0.trimmingCharacters(in: .whitespacesAndNewlines)):\(inode)" } : nil
    }

    deinit { close(file) }

    /// The id in the file, which is written if there is none for this inode.
    private static func id(of file: Int32, _ path: String, _ inode: String) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(file, &bytes, bytes.count, 0)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        if words.count == 2, words[1] == inode, words[0].count == 16, words[0].allSatisfy(\.isHexDigit) {
            return String(words[0])
        }
        let id = NodeOptions.randomID()
        let text = Array("\(id) \(inode)".utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count, fsync(file) == 0 else {
            throw DatabaseFailure(.other, "The file \(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        return id
    }
}

extension NodeOptions {
    fileprivate static func randomID() -> String {
        let text = String(Effects.systemRandom(), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    /// Names the place of the files: two servers have the same one if they see the same files.
    func fingerprint(ofFiles files: String?) throws -> String {
        if let files, files.hasPrefix("s3:") {
            let place = try S3Location(url: files)
            return "s3://\(place.server)/\(place.bucket)/\(place.prefix)"
        }
        guard filesShared, let files else { return "" }
        // A folder may have another name on each machine, so a file in it has its id.
        let path = files + "/shared"
        do {
            try FileManager.default.createDirectory(
                atPath: files, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if !FileManager.default.fileExists(atPath: path) {
                try Data(Self.randomID().utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
            }
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            // Of two servers that start at once, one has written it.
            if let text = try? String(contentsOfFile: path, encoding: .utf8) { return text }
            throw DatabaseFailure(.other, "The file \(path) cannot be written: \(error).")
        }
    }
}
