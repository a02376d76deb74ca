// iOS has no `Process`.
#if os(macOS) || os(Linux)
    package import Foundation
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A real `roost serve` process on its own port, for tests over real sockets.
    package final class ServerProcess: Sendable {
        /// The URL of the server.
        package let url: String
        /// The data folder of the server.
        package let data: String
        /// The port, which can be reused for a restart.
        package let port: Int
        /// The time from the start of the process until it was ready, in seconds.
        package let readyAfter: Double
        private let process: Mutex<Process>
        private let lines: LineReader

        /// Starts a server and waits until it is ready.
        ///
        /// Rate limits are disabled, unless `arguments` set them. `wrapper` is a command that runs the server. With
        /// `readsLog`, the log at all levels from debug on is read by `line()`.
        /// - Throws: `ServerProcessError` if the process exits before it is ready.
        package static func start(
            data: String, port: Int = 0, isDevelopment: Bool = true, arguments: [String] = [],
            under wrapper: [String] = [], readsLog: Bool = false
        ) async throws -> ServerProcess {
            let process = Process()
            let command = wrapper + [try binary()]
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments =
                Array(command.dropFirst()) + ["serve", "--data", data, "--port", "\(port)"]
                + ["--log-level", readsLog ? "debug" : "warning"]
                + ["sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond"].flatMap { ["--limit", "\($0)=0"] }
                + (isDevelopment ? ["--dev"] : []) + arguments
            let output = Pipe()
            process.standardOutput = output
            if readsLog { process.standardError = output }
            process.standardInput = FileHandle.nullDevice
            let lines = LineReader(output.fileHandleForReading)
            let start = ContinuousClock.now
            try process.run()
            while let line = await lines.next() {
                guard line.hasPrefix("ready "), let url = URL(string: String(line.dropFirst(6))), let port = url.port
                else {
                    continue
                }
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                return ServerProcess(
                    url: String(line.dropFirst(6)), data: data, port: port, readyAfter: seconds, process: process,
                    lines: lines)
            }
            process.waitUntilExit()
            throw ServerProcessError(
                description: "roost serve exited with \(process.terminationStatus) before it was ready")
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

        /// The process id.
        package var pid: Int32 { process.withLock { $0.processIdentifier } }

        /// The next line that the process writes; nil if it has ended.
        package func line() async -> String? { await lines.next() }

        /// Kills the process with SIGKILL.
        package func kill() { signal(SIGKILL) }

        /// Stops the process with SIGTERM and waits until it has exited.
        /// - Returns: the exit code.
        @discardableResult
        package func stop() -> Int32 {
            signal(SIGTERM)
            return waitUntilExit()
        }

        /// Waits until the process has exited.
        /// - Returns: the exit code.
        package func waitUntilExit() -> Int32 {
            process.withLock { process in
                process.waitUntilExit()
                return process.terminationStatus
            }
        }

        /// Suspends the process (SIGSTOP).
        package func freeze() { signal(SIGSTOP) }

        /// Resumes the suspended process.
        package func thaw() { signal(SIGCONT) }

        private func signal(_ signal: Int32) {
            process.withLock { process in
                if process.isRunning { _ = Foundation.kill(process.processIdentifier, signal) }
                if signal == SIGKILL { process.waitUntilExit() }
            }
        }

        /// The path of the `roost` binary: `ROOST`, or the one built next to these tests.
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
            throw ServerProcessError(
                description: "The roost binary was not found next to the tests. Build it, or set ROOST.")
        }
    }

    /// An error that occurred when starting a server process.
    package struct ServerProcessError: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the lines of a pipe as they arrive.
    package final class LineReader: Sendable {
        private let stream: AsyncStream<String>

        package init(_ handle: FileHandle) {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self)
            self.stream = stream
            // Uses a thread instead of a readability handler: the event source of a recently closed handle can take down
            // the next handle with the same descriptor.
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

        /// Returns the next line; nil if the pipe is closed.
        package func next() async -> String? {
            for await line in stream { return line }
            return nil
        }
    }
#endif
