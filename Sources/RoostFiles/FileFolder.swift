package import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A storage in a local folder.
///
/// `bytes/ab/abcd…` holds the bytes of the key `abcd…`. They are moved there once they are complete and durable, so
/// there is never a part of them. `format` holds the version of this layout.
package struct FileFolder: FileStore {
    private let path: String
    private let threads: FileThreads
    /// The bytes of one read: with a reader that takes nothing, one of them waits in memory.
    private static let chunk = 64 * 1_024

    package init(path: String, threads: FileThreads) {
        self.path = path
        self.threads = threads
    }

    package func prepare() async throws(FileStoreError) {
        let path = path
        try await threads.run { () throws(FileStoreError) in
            try LocalFile.makeFolder(path)
            try LocalFile.makeFolder(path + "/bytes")
            let format = path + "/format"
            if try LocalFile.status(of: format) == nil {
                try LocalFile.open(format, O_WRONLY | O_CREAT) { descriptor throws(FileStoreError) in
                    try LocalFile.write(ByteBuffer(string: "1\n"), at: 0, descriptor, format)
                    try LocalFile.sync(descriptor, format)
                }
            }
            let version = try LocalFile.open(format, O_RDONLY) { descriptor throws(FileStoreError) in
                try LocalFile.read(16, at: 0, descriptor, format)
            }
            guard String(buffer: version) == "1\n" else {
                throw FileStoreError(
                    .unavailable, "\(path) was written by a newer version of roost. Start that version instead.")
            }
        }
    }

    private func folder(of key: String) -> String { path + "/bytes/" + key.prefix(2) }
    private func file(of key: String) -> String { folder(of: key) + "/" + key }

    package func store(fileAt source: String, size: Int64, as key: String) async throws(FileStoreError) {
        let (folder, file, root) = (folder(of: key), file(of: key), path + "/bytes")
        try await threads.run { () throws(FileStoreError) in
            try LocalFile.open(source, O_RDONLY) { descriptor throws(FileStoreError) in
                try LocalFile.sync(descriptor, source)
            }
            if try LocalFile.status(of: folder) == nil {
                try LocalFile.makeFolder(folder)
                try Self.syncFolder(root)
            }
            try LocalFile.move(source, to: file)
            try Self.syncFolder(folder)
        }
    }

    private static func syncFolder(_ path: String) throws(FileStoreError) {
        try LocalFile.open(path, O_RDONLY | O_DIRECTORY) { descriptor throws(FileStoreError) in
            try LocalFile.sync(descriptor, path)
        }
    }

    package func read(
        _ key: String, in range: Range<Int64>, _ receive: @escaping @Sendable (ByteBuffer) async throws -> Void
    ) async throws {
        let file = file(of: key)
        var offset = range.lowerBound
        // The file is opened for each chunk, so that a slow reader holds no descriptor. A file that is deleted in
        // between ends the read.
        while offset < range.upperBound {
            let (start, count) = (offset, Int(min(Int64(Self.chunk), range.upperBound - offset)))
            let bytes = try await threads.run { () throws(FileStoreError) in
                try LocalFile.open(file, O_RDONLY) { descriptor throws(FileStoreError) in
                    try LocalFile.read(count, at: start, descriptor, file)
                }
            }
            guard bytes.readableBytes > 0 else {
                throw FileStoreError(.unavailable, "\(file) is shorter than it should be.")
            }
            offset += Int64(bytes.readableBytes)
            try await receive(bytes)
        }
    }

    package func size(of key: String) async throws(FileStoreError) -> Int64? {
        let file = file(of: key)
        return try await threads.run { () throws(FileStoreError) in try LocalFile.status(of: file)?.size }
    }

    package func link(to key: String, contentType: String, disposition: String, lifetime: Int64) -> String? { nil }

    package func delete(_ key: String) async throws(FileStoreError) {
        let file = file(of: key)
        try await threads.run { () throws(FileStoreError) in try LocalFile.delete(file) }
    }

    package func keys(
        after last: String, limit: Int, storedBefore time: Int64
    ) async throws(FileStoreError) -> [String] {
        let root = path + "/bytes"
        return try await threads.run { () throws(FileStoreError) in
            var keys: [String] = []
            for folder in try LocalFile.names(in: root) where folder >= last.prefix(2) {
                for key in try LocalFile.names(in: root + "/" + folder) where key > last {
                    guard let status = try LocalFile.status(of: root + "/" + folder + "/" + key),
                        status.changedAt < time
                    else { continue }
                    keys.append(key)
                    if keys.count == limit { return keys }
                }
            }
            return keys
        }
    }
}
