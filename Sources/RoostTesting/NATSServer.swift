// iOS has no `Process`.
#if os(macOS) || os(Linux)
    import Foundation
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #endif

    /// A real nats-server on 127.0.0.1, which a test may stop, freeze and start again.
    package final class NATSServer: Sendable {
        /// The port, which stays the same.
        package let port: Int
        private let options: [String]
        private let running: Mutex<Running?>

        private struct Running {
            let process: Process
            let lines: LineReader
        }

        private static let path = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }

        /// Whether there is a nats-server on this machine.
        package static var isAvailable: Bool { path != nil }

        /// Starts a server and waits until it takes connections.
        /// - Parameter options: more of its options, such as for a user.
        package static func start(port: Int = -1, options: [String] = []) async throws -> NATSServer {
            let (running, port) = try await run(port, options)
            return NATSServer(port, options, running)
        }

        private init(_ port: Int, _ options: [String], _ running: Running) {
            self.port = port
            self.options = options
            self.running = Mutex(running)
        }

        deinit { stop() }

        /// The URL, without a user.
        package var url: String { "nats://127.0.0.1:\(port)" }

        /// Ends the server at once; what it has not passed on is lost.
        package func stop() {
            running.withLock { running in
                guard let process = running?.process else { return }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                running = nil
            }
        }

        /// Starts the server again on its port.
        package func restart() async throws {
            stop()
            let (new, _) = try await Self.run(port, options)
            running.withLock { $0 = new }
        }

        /// Suspends the process (SIGSTOP): its connections stay, but nothing comes over them.
        package func freeze() { signal(SIGSTOP) }

        /// Resumes the suspended process.
        package func thaw() { signal(SIGCONT) }

        private func signal(_ signal: Int32) {
            running.withLock { if let process = $0?.process { kill(process.processIdentifier, signal) } }
        }

        private static func run(_ port: Int, _ options: [String]) async throws -> (Running, port: Int) {
            guard let path else {
                throw ServerProcessError(description: "There is no nats-server. Run: dev/setup --tests")
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["-a", "127.0.0.1", "-p", "\(port)"] + options
            let output = Pipe()
            process.standardError = output
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            let lines = LineReader(output.fileHandleForReading)
            try process.run()
            var found = port
            var last = ""
            while let line = await lines.next() {
                last = line
                if line.contains("Listening for client connections"), let text = line.split(separator: ":").last {
                    found = Int(text) ?? port
                }
                if line.contains("Server is ready") { return (Running(process: process, lines: lines), found) }
            }
            process.waitUntilExit()
            throw ServerProcessError(description: "nats-server has ended before it was ready: \(last)")
        }
    }
#endif
