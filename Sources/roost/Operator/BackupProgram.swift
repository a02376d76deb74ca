import Foundation
import Synchronization

/// Runs commands of this program as programs of their own.
struct BackupProgram: Sendable {
    /// How a program ended.
    struct Ended: Sendable {
        /// The exit code, or the number of the signal that ended it; -1 if it could not be started.
        var code: Int32
        var output = ""
        var errors = ""
    }

    /// The variable that says that standard input ends with the one who has started the program.
    static let variable = "ROOST_ENDS_WITH_INPUT"
    /// The time from SIGTERM to SIGKILL.
    private static let grace = Duration.seconds(3)

    let environment: [String: String]

    /// - Parameter database: the URL of PostgreSQL, which must not be on a command line; nil for a file.
    init(database: String?) {
        var environment = ProcessInfo.processInfo.environment
        environment[Self.variable] = "1"
        if let database {
            environment["ROOST_DATABASE"] = database
            environment["ROOST_DATABASE_FILE"] = nil
        }
        self.environment = environment
    }

    /// Ends this process when standard input ends, if it was started in this way: its server is gone then.
    static func endWithInput() {
        guard ProcessInfo.processInfo.environment[variable] == "1" else { return }
        let thread = Thread {
            while let more = try? FileHandle.standardInput.read(upToCount: 1), !more.isEmpty {}
            _exit(ExitStatus.refused)
        }
        thread.start()
    }

    /// Runs a command until it ends, or the task is cancelled.
    func run(_ arguments: [String]) async -> Ended {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.environment = environment
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let (ends, hasEnded) = AsyncStream.makeStream(of: Never.self)
        process.terminationHandler = { _ in hasEnded.finish() }
        do {
            try process.run()
        } catch {
            return Ended(code: -1, errors: "roost cannot be started: \(error.localizedDescription)")
        }
        return await withTaskCancellationHandler {
            async let text = Self.read(output, atMost: 8 << 20)
            async let complaint = Self.read(errors, atMost: 1 << 16)
            let (bytes, lines) = await (text, complaint)
            // A task that is cancelled would not wait.
            await Task { for await _ in ends {} }.value
            withExtendedLifetime(input) {}
            return Ended(
                code: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
                errors: String(decoding: lines, as: UTF8.self))
        } onCancel: {
            process.terminate()
            Task {
                try? await Task.sleep(for: Self.grace)
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            }
        }
    }

    /// This program: the file that was started, on Linux also if it was replaced since.
    private static let program: URL = {
        let itself = "/proc/self/exe"
        let files = FileManager.default
        guard let path = try? files.destinationOfSymbolicLink(atPath: itself) else {
            return Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        }
        // With its own name, by which a list of processes shows it. A file that was replaced has another one in the link.
        return URL(fileURLWithPath: files.fileExists(atPath: path) ? path : itself)
    }()

    /// Reads the end of what a program writes, on a thread of its own.
    private static func read(_ pipe: Pipe, atMost limit: Int) async -> [UInt8] {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var bytes: [UInt8] = []
                while let more = try? pipe.fileHandleForReading.read(upToCount: 1 << 16), !more.isEmpty {
                    bytes += more
                    if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
                }
                continuation.resume(returning: bytes)
            }
            thread.start()
        }
    }
}
