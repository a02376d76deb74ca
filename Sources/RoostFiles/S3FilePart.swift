import Crypto
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A part of a local file, in chunks.
struct S3FilePart: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    var path: String
    var range: Range<Int64>
    var threads: FileThreads

    private static let chunk: Int64 = 256 * 1_024

    struct AsyncIterator: AsyncIteratorProtocol {
        var part: S3FilePart

        mutating func next() async throws(FileStoreError) -> ByteBuffer? {
            guard let bytes = try await part.read() else { return nil }
            part.range = (part.range.lowerBound + Int64(bytes.readableBytes))..<part.range.upperBound
            return bytes
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: self) }

    /// The first chunk; nil if nothing is left.
    private func read() async throws(FileStoreError) -> ByteBuffer? {
        if range.isEmpty { return nil }
        let (path, start) = (path, range.lowerBound)
        let count = Int(Swift.min(Self.chunk, range.upperBound - start))
        let bytes = try await threads.run { () throws(FileStoreError) in
            try LocalFile.open(path, O_RDONLY) { descriptor throws(FileStoreError) in
                try LocalFile.read(count, at: start, descriptor, path)
            }
        }
        guard bytes.readableBytes > 0 else {
            throw FileStoreError(.unavailable, "\(path) is shorter than it should be.")
        }
        return bytes
    }

    func hash() async throws(FileStoreError) -> String {
        var hash = SHA256()
        var chunks = makeAsyncIterator()
        while let bytes = try await chunks.next() {
            bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        }
        return S3Signature.hex(hash.finalize())
    }

    /// The size of a local file.
    static func size(of path: String, _ threads: FileThreads) async throws(FileStoreError) -> Int64 {
        try await threads.run { () throws(FileStoreError) in
            try LocalFile.open(path, O_RDONLY) { descriptor throws(FileStoreError) in
                try LocalFile.size(of: descriptor, path)
            }
        }
    }
}
