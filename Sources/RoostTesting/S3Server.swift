// iOS has no `Process`.
#if os(macOS) || os(Linux)
    import Foundation
    package import RoostFiles
    import Synchronization

    /// An object store for a test: dev/s3, which keeps everything in memory and checks every signature.
    package final class S3Server: Sendable {
        /// The port, which can be reused for a restart.
        package let port: Int
        private let process: Mutex<Process>
        private let input: FileHandle
        private let lines: LineReader

        /// The keys that it accepts.
        package static let credentials = S3Credentials(accessKey: "test", secretKey: "test-secret")

        /// Starts a server with an empty bucket `roost` and waits until it answers.
        /// - Throws: `ServerProcessError` if it cannot be started, such as if moto is missing.
        package static func start(port: Int = 0) async throws -> S3Server {
            let process = Process()
            let here = URL(fileURLWithPath: #filePath)
            let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            process.executableURL = root.appendingPathComponent("dev/s3")
            process.arguments = ["--port", "\(port)", "--bucket", "roost", "--key", "test", "--secret", "test-secret"]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            let lines = LineReader(output.fileHandleForReading)
            try process.run()
            guard let line = await lines.next(), line.hasPrefix("ready "),
                let port = URL(string: String(line.dropFirst(6)))?.port
            else {
                process.waitUntilExit()
                throw ServerProcessError(
                    description: "dev/s3 cannot start, which needs Python's moto. Run: dev/setup --tests")
            }
            return S3Server(port: port, process, input.fileHandleForWriting, lines)
        }

        private init(port: Int, _ process: Process, _ input: FileHandle, _ lines: LineReader) {
            self.port = port
            self.process = Mutex(process)
            self.input = input
            self.lines = lines
        }

        deinit { stop() }

        /// The address of files in its bucket, as for `roost serve --files`.
        package var url: String { "s3://roost/test?endpoint=http://127.0.0.1:\(port)" }

        /// Ends the process; everything that was stored is lost.
        package func stop() {
            process.withLock { process in
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                process.waitUntilExit()
            }
        }

        /// Changes how the server answers from now on.
        /// - Parameter plan: JSON, see `dev/s3 --help`.
        /// - Returns: how many requests came since the last call, by method.
        @discardableResult
        package func answer(_ plan: String) async throws -> [String: Int] {
            try input.write(contentsOf: Data((plan + "\n").utf8))
            guard let line = await lines.next() else { throw ServerProcessError(description: "dev/s3 has ended") }
            return try JSONDecoder().decode([String: Int].self, from: Data(line.utf8))
        }
    }
#endif
