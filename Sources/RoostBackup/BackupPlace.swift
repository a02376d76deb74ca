import Crypto
import Foundation
import NIOCore
import RoostCore
package import RoostFiles
import Synchronization

/// Where backups are kept: a folder or a bucket, with a manifest per backup and what they share.
package struct BackupPlace: Sendable {
    let store: any FileStore
    /// A folder for files on their way; for a folder of backups, on the same file system.
    private let scratch: String

    package init(_ store: any FileStore, scratch: String) {
        self.store = store
        self.scratch = scratch
    }

    /// Checks that the place can be used, and removes what an interrupted run has left.
    /// - Throws: `FileStoreError`, or `BackupError` if the folder for files on their way cannot be made.
    package func prepare() async throws {
        try await store.prepare()
        do {
            if FileManager.default.fileExists(atPath: scratch) { try FileManager.default.removeItem(atPath: scratch) }
            try FileManager.default.createDirectory(
                atPath: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BackupError("The folder \(scratch) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Removes the folder for files on their way.
    package func close() { try? FileManager.default.removeItem(atPath: scratch) }

    /// Checks that bytes leave room on the disk: that of the server is often the same.
    /// - Throws: `FileStoreError` if they do not: there is no backup then, rather than one that lacks them.
    private func checkRoom(for bytes: Int64) throws {
        guard let values = try? FileManager.default.attributesOfFileSystem(forPath: scratch),
            let free = (values[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (values[.systemSize] as? NSNumber)?.int64Value
        else { return }
        let reserve = min(size / 20, 1 << 30)
        guard free - bytes < reserve else { return }
        throw FileStoreError(
            .full, "The disk of \(scratch) is nearly full: a backup leaves \(reserve) bytes of it free.")
    }

    private func scratchFile() -> String { scratch + "/" + UUID().uuidString }

    /// Whether a text is a hash, and not a path that leads elsewhere.
    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether stored bytes can have this key.
    private static func isKey(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x5F].contains(byte)
            }
    }

    static func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    // MARK: Parts and files

    /// Stores bytes, unless they are there.
    /// - Returns: their hash, and whether they are new.
    func put(_ bytes: [UInt8]) async throws -> (hash: String, isNew: Bool) {
        let hash = Self.hexadecimal(SHA256.hash(data: bytes))
        if try await store.size(of: hash) == Int64(bytes.count) { return (hash, false) }
        try await put(bytes, as: hash)
        return (hash, true)
    }

    private func put(_ bytes: [UInt8], as key: String) async throws {
        try checkRoom(for: Int64(bytes.count))
        let file = scratchFile()
        defer { try? FileManager.default.removeItem(atPath: file) }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        } catch {
            throw BackupError("The file \(file) cannot be written: \(error.localizedDescription)")
        }
        try await store.store(fileAt: file, size: Int64(bytes.count), as: key)
    }

    /// The bytes of a part.
    /// - Throws: `BackupError` if they are missing or damaged.
    func bytes(of part: BackupManifest.Part) async throws -> [UInt8] {
        guard try await store.size(of: part.hash) == part.bytes else {
            throw BackupError(
                "The backup is damaged: the part \(part.hash) is missing or not whole. Restore another one.")
        }
        let bytes = try await read(part.hash, size: part.bytes)
        guard Self.hexadecimal(SHA256.hash(data: bytes)) == part.hash else {
            throw BackupError("The backup is damaged: the part \(part.hash) has changed. Restore another one.")
        }
        return bytes
    }

    private func read(_ key: String, size: Int64) async throws -> [UInt8] {
        let collected = Mutex<[UInt8]>([])
        try await store.read(key, in: 0..<size) { chunk in
            collected.withLock { $0.append(contentsOf: chunk.readableBytesView) }
        }
        return collected.withLock { $0 }
    }

    /// Copies bytes of another storage here, unless they are there.
    /// - Parameter hash: the hash that they should have; nil if that is not known.
    /// - Returns: their hash, and whether they are new.
    /// - Throws: `BackupError` if they have another hash.
    func copy(_ key: String, of source: any FileStore, size: Int64, hash: String?) async throws -> (String, Bool) {
        if let hash, try await store.size(of: hash) == size { return (hash, false) }
        try checkRoom(for: size)
        let file = scratchFile()
        defer { try? FileManager.default.removeItem(atPath: file) }
        let found = try await Self.download(key, of: source, size: size, to: file)
        if let hash, hash != found { throw BackupError("the bytes \(key) have changed") }
        if try await store.size(of: found) == size { return (found, false) }
        try await store.store(fileAt: file, size: size, as: found)
        return (found, true)
    }

    /// Copies a file of a backup to another storage, under a key.
    /// - Throws: `BackupError` if it is damaged.
    func copy(_ hash: String, size: Int64, to target: any FileStore, as key: String, through folder: String)
        async throws
    {
        let file = folder + "/" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard try await store.size(of: hash) == size,
            try await Self.download(hash, of: store, size: size, to: file) == hash
        else {
            throw BackupError(
                "The backup is damaged: the file \(hash) is missing, or has changed. Restore another one.")
        }
        try await target.store(fileAt: file, size: size, as: key)
    }

    /// Whether the bytes of a file are there, as they were.
    func isWhole(_ hash: String, size: Int64) async throws -> Bool {
        guard try await store.size(of: hash) == size else { return false }
        return try await Self.hash(of: hash, in: store, size: size) == hash
    }

    /// The hash of stored bytes.
    static func hash(of key: String, in store: any FileStore, size: Int64) async throws -> String {
        let digest = Mutex(SHA256())
        try await store.read(key, in: 0..<size) { chunk in
            digest.withLock { $0.update(data: Data(chunk.readableBytesView)) }
        }
        return hexadecimal(digest.withLock { $0.finalize() })
    }

    /// Deletes a part or a file that has changed, so that the next backup stores it again.
    func deleteIfDamaged(_ hash: String, size: Int64) async throws {
        if try await store.size(of: hash) != nil, try await !isWhole(hash, size: size) { try await store.delete(hash) }
    }

    /// Writes stored bytes to a local file.
    /// - Returns: their hash.
    private static func download(
        _ key: String, of store: any FileStore, size: Int64, to path: String
    ) async throws -> String {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw FileStoreError(.unavailable, "The file \(path) cannot be written.") }
        defer { try? file.close() }
        let digest = Mutex(SHA256())
        try await store.read(key, in: 0..<size) { chunk in
            do {
                try file.write(contentsOf: Data(chunk.readableBytesView))
            } catch {
                throw FileStoreError(
                    .unavailable, "The file \(path) cannot be written: \(error.localizedDescription)")
            }
            digest.withLock { $0.update(data: Data(chunk.readableBytesView)) }
        }
        return hexadecimal(digest.withLock { $0.finalize() })
    }

    // MARK: Manifests

    /// The names of the backups, the oldest first.
    package func names() async throws -> [String] {
        var names: [String] = []
        var last = BackupManifest.prefix
        while true {
            let keys = try await store.keys(after: last, limit: 1_000, storedBefore: .max)
            let found = keys.filter { $0.hasPrefix(BackupManifest.prefix) }
            names += found.map { String($0.dropFirst(BackupManifest.prefix.count)) }
            guard found.count == 1_000, let end = found.last else { return names }
            last = end
        }
    }

    /// The manifest of a backup.
    /// - Parameter name: its name; nil for the newest.
    /// - Throws: `BackupError` if there is none, or it is damaged.
    package func manifest(named name: String? = nil) async throws -> BackupManifest {
        let names = try await names()
        guard let newest = names.last else { throw BackupError("There is no backup there.") }
        let found = name ?? newest
        guard names.contains(found) else {
            throw BackupError("There is no backup \(found); the newest is \(newest). See roost backup list.")
        }
        let key = BackupManifest.prefix + found
        guard let size = try await store.size(of: key) else { throw BackupError("The backup \(found) is gone.") }
        return try BackupManifest(try await read(key, size: size), name: found)
    }

    /// Stores the manifest of a backup, which makes it one.
    func put(_ manifest: BackupManifest) async throws {
        try await put(try manifest.encoded(), as: BackupManifest.prefix + manifest.name)
    }

    /// Calls a function with each file of a backup: where its bytes were stored, their hash and their size.
    func files(
        of manifest: BackupManifest, _ body: (_ key: String, _ hash: String, _ size: Int64) async throws -> Void
    ) async throws {
        for part in manifest.files.parts {
            var rows = try BackupRows(try await bytes(of: part), of: .storedFiles)
            while let row = try rows.next() {
                guard case .text(let key) = row[0], case .text(let hash) = row[1], case .int(let size) = row[2],
                    size >= 0, Self.isHash(hash), Self.isKey(key)
                else { throw BackupError("The backup is damaged: its list of files is not understood.") }
                try await body(key, hash, size)
            }
        }
    }
}
