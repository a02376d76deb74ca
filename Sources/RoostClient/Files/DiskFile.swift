import NIOCore
import NIOPosix
import RoostWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file of this device. Its calls run on threads that may block.
final class DiskFile: Sendable {
    /// What tells whether a file was changed.
    struct Status: Hashable, Sendable {
        var size: Int64
        /// ns since 1970.
        var modifiedAt: Int64
        var isRegular: Bool

        fileprivate init(_ status: stat) {
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            modifiedAt = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
            isRegular = status.st_mode & S_IFMT == S_IFREG
        }
    }

    let path: String
    private let descriptor: Int32

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { _ = close(descriptor) }

    /// Opens a file to read it.
    static func read(_ path: String) async throws(RoostError) -> DiskFile {
        // A pipe without a writer would block.
        try await open(path, O_RDONLY | O_NONBLOCK)
    }

    /// Creates a file that must not exist yet, to write it.
    static func create(_ path: String) async throws(RoostError) -> DiskFile {
        try await open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    private static func open(_ path: String, _ flags: Int32) async throws(RoostError) -> DiskFile {
        try await blocking { () throws(RoostError) in
            let descriptor = again { systemOpen(path, flags | O_CLOEXEC) }
            guard descriptor >= 0 else { throw failure("open", path) }
            return DiskFile(descriptor, path)
        }
    }

    private static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, flags, 0o600)
        #elseif canImport(Musl)
            Musl.open(path, flags, 0o600)
        #else
            Glibc.open(path, flags, 0o600)
        #endif
    }

    /// The status of the open file.
    func status() throws(RoostError) -> Status {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("examine", path) }
        return Status(status)
    }

    /// The status of the file at a path; nil if there is none.
    static func status(of path: String) -> Status? {
        var status = stat()
        return stat(path, &status) == 0 ? Status(status) : nil
    }

    /// Reads up to `count` bytes at a position; fewer at the end of the file.
    func read(_ count: Int, at offset: Int64) async throws(RoostError) -> ByteBuffer {
        try await Self.blocking { [self] () throws(RoostError) in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            var isFailed = false
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
                let room = UnsafeMutableRawBufferPointer(rebasing: target[..<count])
                let done = Self.again { pread(descriptor, room.baseAddress, room.count, off_t(offset)) }
                isFailed = done < 0
                return max(0, done)
            }
            if isFailed { throw Self.failure("read", path) }
            return buffer
        }
    }

    /// Writes all bytes at a position.
    func write(_ bytes: ByteBuffer, at offset: Int64) async throws(RoostError) {
        try await Self.blocking { [self] () throws(RoostError) in
            var written = 0
            while written < bytes.readableBytes {
                let done = bytes.withUnsafeReadableBytes { source in
                    let rest = UnsafeRawBufferPointer(rebasing: source[written...])
                    return Self.again {
                        pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
                    }
                }
                guard done > 0 else { throw Self.failure("write", path) }
                written += done
            }
        }
    }

    /// Waits until the content is durable.
    func sync() async throws(RoostError) {
        try await Self.blocking { [self] () throws(RoostError) in
            guard Self.again({ fsync(descriptor) }) == 0 else { throw Self.failure("write", path) }
        }
    }

    /// Moves a file within a file system, over what is there.
    static func move(_ path: String, to target: String) async throws(RoostError) {
        try await blocking { () throws(RoostError) in
            guard rename(path, target) == 0 else { throw failure("move", path) }
        }
    }

    /// Deletes a file; it succeeds if there is none.
    static func delete(_ path: String) { _ = unlink(path) }

    private static func blocking<T: Sendable>(
        _ body: @escaping @Sendable () throws(RoostError) -> T
    ) async throws(RoostError) -> T {
        do {
            return try await NIOThreadPool.singleton.runIfActive { try body() }
        } catch let error as RoostError {
            throw error
        } catch {
            throw RoostError(.cancelled, "The task was cancelled.")
        }
    }

    private static func again<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func failure(_ verb: String, _ path: String) -> RoostError {
        let code = errno
        let why = code == ENOENT ? "There is no such file or folder" : String(cString: strerror(code))
        return RoostError(.fileFailed, "Cannot \(verb) \(path): \(why).")
    }
}
