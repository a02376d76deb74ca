import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file of lines. When it is full, it is renamed, and a few older ones are kept: `NAME.1` is the newest of them.
///
/// It is opened for each write, so it may be moved or deleted meanwhile. Its calls block.
package struct LogFile: Sendable {
    private let path: String
    private let maxBytes: Int64
    private let maxFiles: Int
    private let writeBytes: @Sendable (ByteBuffer, Int64, Int32, String) throws(FileStoreError) -> Void

    /// - Parameters:
    ///   - maxBytes: the size at which it is full.
    ///   - maxFiles: how many files there are, with the one that is written to; at least 2.
    package init(path: String, maxBytes: Int64, maxFiles: Int) {
        self.init(path: path, maxBytes: maxBytes, maxFiles: maxFiles) {
            bytes, offset, descriptor, path throws(FileStoreError) in
            try LocalFile.write(bytes, at: offset, descriptor, path)
        }
    }

    init(
        path: String, maxBytes: Int64, maxFiles: Int,
        write: @escaping @Sendable (ByteBuffer, Int64, Int32, String) throws(FileStoreError) -> Void
    ) {
        self.path = path
        self.maxBytes = maxBytes
        self.maxFiles = maxFiles
        writeBytes = write
    }

    /// Adds whole lines on one of these threads, all of them or none.
    /// - Parameter isDurable: whether to wait until they are on the disk.
    package func append(
        _ lines: [UInt8], isDurable: Bool, on threads: FileThreads
    ) async throws(FileStoreError) {
        try await threads.run { () throws(FileStoreError) in try append(lines, isDurable: isDurable) }
    }

    /// The same on the thread of the caller.
    func append(_ lines: [UInt8], isDurable: Bool) throws(FileStoreError) {
        guard try !add(lines, isDurable: isDurable) else { return }
        try rotate()
        _ = try add(lines, isDurable: isDurable)
    }

    /// - Returns: whether there was room.
    private func add(_ lines: [UInt8], isDurable: Bool) throws(FileStoreError) -> Bool {
        // Opening a pipe without a reader would block.
        try LocalFile.open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK) {
            descriptor throws(FileStoreError) -> Bool in
            let size = try LocalFile.size(of: descriptor, path)
            guard size == 0 || size + Int64(lines.count) <= maxBytes else { return false }
            var bytes = ByteBuffer()
            // A line that was cut must not swallow the next one.
            if size > 0, try LocalFile.read(1, at: size - 1, descriptor, path).readableBytesView.first != 0x0A {
                bytes.writeInteger(UInt8(0x0A))
            }
            bytes.writeBytes(lines)
            do throws(FileStoreError) {
                try writeBytes(bytes, size, descriptor, path)
            } catch {
                _ = ftruncate(descriptor, off_t(size))
                throw error
            }
            if isDurable { try LocalFile.sync(descriptor, path) }
            return true
        }
    }

    /// Renames the files, the oldest first, so that nothing is lost if the process ends in between: the gap that is left
    /// then is filled the next time.
    private func rotate() throws(FileStoreError) {
        var gap = maxFiles - 1
        for number in (1..<maxFiles).reversed() {
            if try LocalFile.status(of: "\(path).\(number)") == nil { gap = number }
        }
        for number in stride(from: gap, to: 1, by: -1) {
            try LocalFile.move("\(path).\(number - 1)", to: "\(path).\(number)")
        }
        try LocalFile.move(path, to: path + ".1")
    }
}
