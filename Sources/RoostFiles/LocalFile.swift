import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Blocking calls on files; they run on the threads of `FileThreads`.
enum LocalFile {
    /// Opens a file, and closes it after `body`.
    static func open<T>(
        _ path: String, _ flags: Int32, _ body: (Int32) throws(FileStoreError) -> T
    ) throws(FileStoreError) -> T {
        let descriptor = retry { systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { _ = close(descriptor) }
        return try body(descriptor)
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

    /// The size of an open file.
    static func size(of descriptor: Int32, _ path: String) throws(FileStoreError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("examine", path) }
        return Int64(status.st_size)
    }

    /// How many bytes are free on the file system of an open file, and how many it has.
    static func room(of descriptor: Int32, _ path: String) throws(FileStoreError) -> (free: Int64, total: Int64) {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw failure("examine", path) }
        func bytes(_ blocks: Int64) -> Int64 {
            let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
            return isTooMuch ? .max : bytes
        }
        return (bytes(Int64(clamping: status.f_bavail)), bytes(Int64(clamping: status.f_blocks)))
    }

    /// The size of a file and when it was changed, in ms since 1970; nil if there is none.
    static func status(of path: String) throws(FileStoreError) -> (size: Int64, changedAt: Int64)? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure("examine", path)
        }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return (Int64(status.st_size), Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Writes all bytes at a position.
    static func write(
        _ bytes: ByteBuffer, at offset: Int64, _ descriptor: Int32, _ path: String
    ) throws(FileStoreError) {
        var written = 0
        while written < bytes.readableBytes {
            let done = bytes.withUnsafeReadableBytes { source in
                let rest = UnsafeRawBufferPointer(rebasing: source[written...])
                return retry { pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written)) }
            }
            guard done > 0 else { throw failure("write", path) }
            written += done
        }
    }

    /// Reads up to `count` bytes at a position; fewer at the end of the file.
    static func read(
        _ count: Int, at offset: Int64, _ descriptor: Int32, _ path: String
    ) throws(FileStoreError) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        var isFailed = false
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            let room = UnsafeMutableRawBufferPointer(rebasing: target[..<count])
            let done = retry { pread(descriptor, room.baseAddress, room.count, off_t(offset)) }
            isFailed = done < 0
            return max(0, done)
        }
        if isFailed { throw failure("read", path) }
        return buffer
    }

    /// Waits until the content of a file or a folder is durable.
    static func sync(_ descriptor: Int32, _ path: String) throws(FileStoreError) {
        guard retry({ fsync(descriptor) }) == 0 else { throw failure("sync", path) }
    }

    /// Creates a folder, if it does not exist.
    static func makeFolder(_ path: String) throws(FileStoreError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("create", path) }
    }

    /// Moves a file within a file system.
    static func move(_ path: String, to target: String) throws(FileStoreError) {
        guard rename(path, target) == 0 else { throw failure("move", path) }
    }

    /// Deletes a file; it succeeds if there is none.
    static func delete(_ path: String) throws(FileStoreError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("delete", path) }
    }

    /// The names in a folder, sorted; empty if there is no such folder.
    static func names(in path: String) throws(FileStoreError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw failure("list", path)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Deletes a folder with all that is in it; it succeeds if there is none.
    static func deleteFolder(_ path: String) throws(FileStoreError) {
        for name in try names(in: path) {
            let file = path + "/" + name
            if unlink(file) == 0 || errno == ENOENT { continue }
            // The name of a folder; on macOS the error is another one.
            guard errno == EISDIR || errno == EPERM else { throw failure("delete", file) }
            try deleteFolder(file)
        }
        guard rmdir(path) == 0 || errno == ENOENT else { throw failure("delete", path) }
    }

    /// The absolute path of a file or folder, without symbolic links.
    static func absolute(_ path: String) throws(FileStoreError) -> String {
        guard let found = realpath(path, nil) else { throw failure("find", path) }
        defer { free(found) }
        return String(cString: found)
    }

    /// Whether this is a program that can be started.
    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Makes a symbolic link, unless there is something with this name.
    static func link(_ target: String, at path: String) { _ = symlink(target, path) }

    private static func retry<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func failure(_ verb: String, _ path: String) -> FileStoreError {
        let code = errno
        let kind: FileStoreError.Kind =
            switch code {
            case ENOENT: .missing
            case ENOSPC, EDQUOT: .full
            default: .unavailable
            }
        return FileStoreError(kind, "Cannot \(verb) \(path): \(String(cString: strerror(code))).")
    }
}

/// Threads for blocking calls on files, so that they block no event loop.
package final class FileThreads: Sendable {
    private let pool: NIOThreadPool
    private let hasLowPriority: Bool

    /// - Parameter hasLowPriority: on Linux, whether the threads get the CPU after those of the server that serve messages.
    package init(count: Int = 4, hasLowPriority: Bool = true) {
        pool = NIOThreadPool(numberOfThreads: count)
        self.hasLowPriority = hasLowPriority
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    func run<T: Sendable>(
        _ body: @escaping @Sendable () throws(FileStoreError) -> T
    ) async throws(FileStoreError) -> T {
        do {
            return try await pool.runIfActive { [hasLowPriority] in
                #if os(Linux)
                    // PRIO_PROCESS, whose type differs between C libraries, and on Linux the calling thread.
                    if hasLowPriority { _ = setpriority(0, 0, 10) }
                #endif
                return try body()
            }
        } catch let error as FileStoreError {
            throw error
        } catch {
            throw FileStoreError(.unavailable, "The server is shutting down.")
        }
    }
}
