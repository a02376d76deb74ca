import Foundation
import RoostTesting
import Synchronization

/// A process running `roost`, or another program of this package.
final class Child: Sendable {
    /// The result of a finished process.
    struct Result: Sendable {
        /// The exit code, or the negated number of the signal that ended the process.
        let status: Int32
        let output: [String]
        let errors: String

        /// The lines of the output as JSON objects.
        func objects() throws -> [[String: Any]] { try output.map(Child.object) }
    }

    private let process: Mutex<Process>
    private let input: Mutex<FileHandle>
    private let output: LineReader
    private let errors: LineReader
    private let status: Task<Int32, Never>

    /// Starts `roost` with these arguments, isolated from the configuration of this machine.
    static func roost(
        _ arguments: [String], server: String? = nil, profile: String = "profile",
        environment: [String: String] = [:], in folder: TemporaryFolder
    ) throws -> Child {
        try Child(
            arguments,
            environment: [
                "HOME": folder.path, "PATH": "/usr/bin:/bin", "TZ": "UTC",
                "ROOST_PROFILE": folder.path + "/" + profile,
            ].merging(server.map { ["ROOST_SERVER": $0] } ?? [:]) { $1 }.merging(environment) { $1 })
    }

    init(_ arguments: [String], environment: [String: String], binary: String? = nil) throws {
        _ = Self.ignoresBrokenPipes
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try binary ?? ServerProcess.binary())
        process.arguments = arguments
        process.environment = environment
        let (inPipe, outPipe, errorPipe) = (Pipe(), Pipe(), Pipe())
        process.standardInput = inPipe
        process.standardOutput = outPipe
        process.standardError = errorPipe
        output = LineReader(outPipe.fileHandleForReading)
        errors = LineReader(errorPipe.fileHandleForReading)
        let (ended, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            let status = process.terminationStatus
            continuation.yield(process.terminationReason == .exit ? status : -status)
            continuation.finish()
        }
        status = Task {
            for await status in ended { return status }
            return .min
        }
        input = Mutex(inPipe.fileHandleForWriting)
        try process.run()
        self.process = Mutex(process)
    }

    deinit { process.withLock { if $0.isRunning { kill($0.processIdentifier, SIGKILL) } } }

    private static let ignoresBrokenPipes: Bool = {
        Foundation.signal(SIGPIPE, SIG_IGN)
        return true
    }()

    /// Writes to its standard input.
    func write(_ text: String) throws { try input.withLock { try $0.write(contentsOf: Data(text.utf8)) } }

    /// Closes its standard input.
    func closeInput() throws { try input.withLock { try $0.close() } }

    /// Returns its next line of output; nil if there is none.
    func line() async -> String? { await output.next() }

    /// Returns the next line of its standard error; nil if there is none.
    func errorLine() async -> String? { await errors.next() }

    var pid: Int32 { process.withLock { $0.processIdentifier } }

    /// Sends it a signal.
    func signal(_ number: Int32) { process.withLock { if $0.isRunning { _ = kill($0.processIdentifier, number) } } }

    /// Waits until it exits, and terminates it when the test times out.
    func result() async -> Result {
        try? closeInput()
        var lines: [String] = []
        while let line = await output.next() { lines.append(line) }
        var complaints: [String] = []
        while let line = await errors.next() { complaints.append(line) }
        let code = await withTaskCancellationHandler {
            await status.value
        } onCancel: {
            signal(SIGKILL)
        }
        return Result(status: code, output: lines, errors: complaints.joined(separator: "\n"))
    }

    /// One line of JSON.
    static func object(_ line: String) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            throw ExpectationFailure(description: "no JSON object: \(line)")
        }
        return object
    }
}
