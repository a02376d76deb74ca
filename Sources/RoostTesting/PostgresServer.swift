// iOS has no `Process`.
#if os(macOS) || os(Linux)
    import Foundation
    import RoostCore

    /// A dedicated PostgreSQL server for a test, which the test may stop, kill and restart.
    package final class PostgresServer: Sendable {
        /// How the server is stopped.
        package enum StopMode: String, CaseIterable, Sendable {
            /// Terminate all connections; the server keeps running.
            case terminate = "connections terminated"
            /// Roll back running transactions and write everything to disk.
            case fast = "fast stop"
            /// Stop as in a crash; the next start recovers.
            case immediate = "immediate stop"
            /// Send SIGKILL to the postmaster.
            case kill = "kill -9"
        }

        /// The URL of the server; it does not change after a restart.
        package let url: String
        private let folder: TemporaryFolder

        /// Whether PostgreSQL is available for tests.
        package static var isAvailable: Bool { Postgres.url != nil }

        /// Creates a cluster and starts it.
        package init() throws {
            folder = try TemporaryFolder()
            url = try Self.script("start", folder.path + "/postgres")
        }

        deinit { _ = try? Self.script("remove", folder.path + "/postgres") }

        /// Stops the server and waits until it has stopped.
        package func stop(_ mode: StopMode) throws {
            let data = folder.path + "/postgres"
            switch mode {
            case .terminate:
                let admin = try Postgres.open(url)
                try admin.write { connection in
                    _ = try connection.rows(
                        """
                        SELECT CAST(pg_terminate_backend(pid) AS TEXT) FROM pg_stat_activity
                        WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
                        """
                    ) { try $0.text(0) }
                }
                try admin.close()
            case .fast: try Self.script("stop", data)
            case .immediate: try Self.script("stop", data, "--mode", "immediate")
            case .kill: try Self.script("kill", data)
            }
        }

        /// Restarts the server on the same port and waits until it accepts connections.
        package func start() throws { try Self.script("start", folder.path + "/postgres") }

        /// Suspends all processes of the server (SIGSTOP).
        package func freeze() throws { try signal(SIGSTOP) }

        /// Resumes the suspended processes.
        package func thaw() throws { try signal(SIGCONT) }

        private func signal(_ signal: Int32) throws {
            let file = try String(contentsOfFile: folder.path + "/postgres/data/postmaster.pid", encoding: .utf8)
            guard let postmaster = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return }
            let children = try String(
                contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)
            for process in [postmaster] + children.split(separator: " ").compactMap({ pid_t($0) }) {
                kill(process, signal)
            }
        }

        @discardableResult
        private static func script(_ arguments: String...) throws -> String {
            let process = Process()
            let here = URL(fileURLWithPath: #filePath)
            let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            process.executableURL = root.appendingPathComponent("dev/postgres")
            process.arguments = arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw ServerProcessError(description: "dev/postgres \(arguments[0]) failed")
            }
            return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
#endif
