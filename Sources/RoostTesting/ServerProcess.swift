package import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A real `roost serve` process on a port of its own, for tests over real sockets.
package final class ServerProcess: Sendable {
    /// Where it listens.
    package let url: String
    /// Its data folder.
    package let data: String
    /// The port, the same after a restart.
    package let port: Int
    /// How long it took from the start of the process until it was ready, in seconds.
    package let readyAfter: Double
    private let process: Mutex<Process>
    private let lines: LineReader

    /// Starts a server and waits until it is ready.
    ///
    /// The limits per second are off, unless `arguments` set them.
    /// - Throws: `ServerProcessError` when it ends before that.
    package static func start(
        data: String, port: Int = 0, isDevelopment: Bool = true, arguments: [String] = []
    ) async throws -> ServerProcess {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try binary())
        process.arguments =
            ["serve", "--data", data, "--port", "\(port)", "--log-level", "warning"]
            + ["sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond"].flatMap { ["--limit", "\($0)=0"] }
            + (isDevelopment ? ["--dev"] : []) + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        let lines = LineReader(output.fileHandleForReading)
        let start = ContinuousClock.now
        try process.run()
        while let line = await lines.next() {
            guard line.hasPrefix("ready "), let url = URL(string: String(line.dropFirst(6))), let port = url.port else {
                continue
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            return ServerProcess(
                url: String(line.dropFirst(6)), data: data, port: port, readyAfter: seconds, process: process,
                lines: lines)
        }
        process.waitUntilExit()
        throw ServerProcessError(description: "roost serve ended with \(process.terminationStatus) before it was ready")
    }

    private init(url: String, data: String, port: Int, readyAfter: Double, process: Process, lines: LineReader) {
        self.url = url
        self.data = data
        self.port = port
        self.readyAfter = readyAfter
        self.process = Mutex(process)
        self.lines = lines
    }

    deinit { kill() }

    /// The process's id.
    package var pid: Int32 { process.withLock { $0.processIdentifier } }

    /// Ends it at once, as a power cut does to a process.
    package func kill() { signal(SIGKILL) }

    /// Asks it to stop, and waits until it has.
    /// - Returns: its exit code.
    @discardableResult
    package func stop() -> Int32 {
        signal(SIGTERM)
        return process.withLock { process in
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    private func signal(_ signal: Int32) {
        process.withLock { process in
            if process.isRunning { _ = Foundation.kill(process.processIdentifier, signal) }
            if signal == SIGKILL { process.waitUntilExit() }
        }
    }

    /// The `roost` binary: `ROOST`, or the one that was built beside these tests.
    package static func binary() throws -> String {
        if let path = ProcessInfo.processInfo.environment["ROOST"] { return path }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("roost").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
        }
        throw ServerProcessError(description: "The roost binary is not beside the tests. Build it, or set ROOST.")
    }
}

/// Why a server process could not be started.
package struct ServerProcessError: Error, CustomStringConvertible {
    package let description: String
}

/// The lines of a pipe, as they come.
package final class LineReader: Sendable {
    private let stream: AsyncStream<String>

    package init(_ handle: FileHandle) {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        // A thread, not a readability handler: the event source of a handle that was closed a
        // moment ago can take the next handle with the same number down with it.
        let file = dup(handle.fileDescriptor)
        Thread {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = read(file, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                var parts = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
                let last = parts.popLast().map(Array.init) ?? []
                for line in parts { continuation.yield(String(decoding: line, as: UTF8.self)) }
                rest = last
            }
            close(file)
            continuation.finish()
        }.start()
    }

    /// The next line; nothing when the pipe is closed.
    package func next() async -> String? {
        for await line in stream { return line }
        return nil
    }
}
