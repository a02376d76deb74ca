import Crypto
package import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The bytes of unfinished uploads, in a local folder: one file per upload, named after its id.
///
/// Only one request at a time may add bytes to an upload. A newer request replaces an older one, whose connection may
/// be dead without the server knowing; the older one then fails.
///
/// Uploads leave a reserve on the disk, so that they cannot keep anybody from writing messages or from deleting files.
package final class UploadSpool: Sendable {
    private let path: String
    private let threads: FileThreads
    private let reserve: Int64?
    /// The number of the request that may write, by upload.
    private let writers = Mutex<[String: UInt64]>([:])
    private let lastWriter = Atomic<UInt64>(0)

    /// - Parameter reserve: how many bytes uploads leave free on the disk; if it is nil, 5 % of the disk, and at most 1 GiB.
    package init(path: String, threads: FileThreads, reserve: Int64? = nil) {
        self.path = path
        self.threads = threads
        self.reserve = reserve
    }

    /// Creates the folder.
    package func prepare() async throws(FileStoreError) {
        let path = path
        try await threads.run { () throws(FileStoreError) in try LocalFile.makeFolder(path) }
    }

    /// The path of a spool in a folder that several servers share.
    package static func path(in folder: String, server: String) -> String { folder + shared + server }

    private static let shared = "/uploads-"

    /// The spools of other servers, if the folder is shared.
    package func siblings() async throws(FileStoreError) -> [UploadSpool] {
        guard let slash = path.lastIndex(of: "/"), path[slash...].hasPrefix(Self.shared) else { return [] }
        let folder = String(path[..<slash])
        let names = try await threads.run { () throws(FileStoreError) in try LocalFile.names(in: folder) }
        return names.map { "/" + $0 }.filter { $0.hasPrefix(Self.shared) && $0 != path[slash...] }.map {
            UploadSpool(path: folder + $0, threads: threads, reserve: reserve)
        }
    }

    /// The path of an upload's bytes.
    package func file(of id: String) -> String { path + "/" + id }

    /// How many bytes of an upload have arrived and are durable.
    package func offset(of id: String) async throws(FileStoreError) -> Int64 {
        let file = file(of: id)
        return try await threads.run { () throws(FileStoreError) in try LocalFile.status(of: file)?.size ?? 0 }
    }

    /// Adds bytes to an upload, until the bytes end or another request continues the upload; those that arrived before
    /// an error are kept.
    /// - Parameters:
    ///   - offset: where the bytes begin; it must be where the upload ends.
    ///   - size: the size of the whole file; bytes beyond it are refused.
    /// - Returns: where the upload ends now.
    /// - Throws: `UploadError`, `FileStoreError`, or the error of `bytes`.
    package func append<Bytes: AsyncSequence>(
        _ bytes: Bytes, to id: String, at offset: Int64, size: Int64
    ) async throws -> Int64 where Bytes.Element == ByteBuffer {
        let number = lastWriter.wrappingAdd(1, ordering: .relaxed).newValue
        writers.withLock { $0[id] = number }
        defer { writers.withLock { if $0[id] == number { $0[id] = nil } } }
        guard try await self.offset(of: id) == offset else { throw UploadError.wrongOffset }
        var end = offset
        do {
            try await write(bytes, to: id, at: &end, size: size, as: number)
        } catch {
            if end > offset { try? await sync(id) }
            throw error
        }
        try await sync(id)
        return end
    }

    /// Writes all chunks; `end` is behind the last one written, also if it throws.
    private func write<Bytes: AsyncSequence>(
        _ bytes: Bytes, to id: String, at end: inout Int64, size: Int64, as number: UInt64
    ) async throws where Bytes.Element == ByteBuffer {
        for try await chunk in bytes {
            guard end + Int64(chunk.readableBytes) <= size else { throw UploadError.tooLong }
            try await write(chunk, to: id, at: end, as: number)
            end += Int64(chunk.readableBytes)
        }
    }

    private func write(
        _ chunk: ByteBuffer, to id: String, at offset: Int64, as number: UInt64
    ) async throws {
        let file = file(of: id)
        let isCurrent = try await threads.run { [self] () throws(FileStoreError) in
            // Two requests cannot write at the same time: the newer one has read its offset after the older one was
            // replaced, or the older one finds the file longer than expected.
            guard writers.withLock({ $0[id] == number }) else { return false }
            return try LocalFile.open(file, O_WRONLY | O_CREAT) { descriptor throws(FileStoreError) in
                guard try LocalFile.size(of: descriptor, file) == offset else { return false }
                let (free, total) = try LocalFile.room(of: descriptor, file)
                let reserve = self.reserve ?? min(total / 20, 1 << 30)
                // A file system may not know its size.
                guard total == 0 || free - Int64(chunk.readableBytes) >= reserve else {
                    throw FileStoreError(.full, "Uploads leave \(reserve) bytes free on the disk of \(file).")
                }
                do throws(FileStoreError) {
                    try LocalFile.write(chunk, at: offset, descriptor, file)
                } catch {
                    // A part of a chunk would have to be told apart from the bytes that the client sends next.
                    _ = ftruncate(descriptor, off_t(offset))
                    throw error
                }
                return true
            }
        }
        guard isCurrent else { throw UploadError.replaced }
    }

    private func sync(_ id: String) async throws(FileStoreError) {
        let file = file(of: id)
        try await threads.run { () throws(FileStoreError) in
            try LocalFile.open(file, O_WRONLY | O_CREAT) { descriptor throws(FileStoreError) in
                try LocalFile.sync(descriptor, file)
            }
        }
    }

    /// Reads a complete upload: its SHA-256 and its first bytes, at most 4 KiB.
    package func digest(of id: String) async throws(FileStoreError) -> (hash: [UInt8], head: [UInt8]) {
        let file = file(of: id)
        return try await threads.run { () throws(FileStoreError) in try Self.digest(at: file) }
    }

    /// The same for any file; it blocks the thread.
    static func digest(at file: String) throws(FileStoreError) -> (hash: [UInt8], head: [UInt8]) {
        // O_NONBLOCK changes nothing for a file, and never waits for anything else that has its name.
        try LocalFile.open(file, O_RDONLY | O_NONBLOCK) { descriptor throws(FileStoreError) in
            var hash = SHA256()
            var head: [UInt8] = []
            var offset: Int64 = 0
            while true {
                let bytes = try LocalFile.read(1 << 20, at: offset, descriptor, file)
                guard bytes.readableBytes > 0 else { return (Array(hash.finalize()), head) }
                if offset == 0 { head = Array(bytes.readableBytesView.prefix(4_096)) }
                bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
                offset += Int64(bytes.readableBytes)
            }
        }
    }

    /// Deletes the bytes of an upload; a request that adds some fails.
    package func delete(_ id: String) async throws(FileStoreError) {
        writers.withLock { $0[id] = nil }
        let file = file(of: id)
        try await threads.run { () throws(FileStoreError) in try LocalFile.delete(file) }
    }

    /// The ids of all uploads with bytes that were last changed before a time, in ms since 1970.
    package func ids(changedBefore time: Int64) async throws(FileStoreError) -> [String] {
        let path = path
        return try await threads.run { () throws(FileStoreError) in
            var ids: [String] = []
            for name in try LocalFile.names(in: path) {
                if let status = try LocalFile.status(of: path + "/" + name), status.changedAt < time {
                    ids.append(name)
                }
            }
            return ids
        }
    }
}

/// Why bytes cannot be added to an upload.
package enum UploadError: Error {
    /// They do not begin where the upload ends.
    case wrongOffset
    /// Another request continues the upload.
    case replaced
    /// There are more bytes than the file has.
    case tooLong
}
