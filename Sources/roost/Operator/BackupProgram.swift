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
    /// How long a command may take: one that waits for a disk or a server that is gone takes for ever.
    private static let limit = Duration.seconds(20 * 3_600)

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

    /// Whether a server has started this process.
    static var isOfServer: Bool { ProcessInfo.processInfo.environment[variable] == "1" }

    /// Gives this process a lower priority than the server has, and ends it when standard input ends, if it was started in
    /// this way: its server is gone then. Threads that are made from now on have the same priority.
    static func endWithInput() {
        guard isOfServer else { return }
        _ = nice(10)
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
        let end: @Sendable () -> Void = {
            process.terminate()
            Task {
                try? await Task.sleep(for: Self.grace)
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            }
        }
        let timer = Task {
            if (try? await Task.sleep(for: Self.limit)) != nil { end() }
        }
        defer { timer.cancel() }
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
            end()
        }
    }

    /// This program: the file that was started, on Linux also if it was replaced since.
    private static var program: URL {
        let itself = "/proc/self/exe"
        let files = FileManager.default
        guard let path = try? files.destinationOfSymbolicLink(atPath: itself) else {
            return Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        }
        // With its own name, by which a list of processes shows it. A file that was replaced has another one in the link.
        return URL(fileURLWithPath: files.fileExists(atPath: path) ? path : itself)
    }

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
