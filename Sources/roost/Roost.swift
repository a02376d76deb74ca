import ArgumentParser
import Foundation
import Logging
import RoostCore
import RoostTerminal
import RoostWire

/// Runs the command line; invalid usage exits with code 2.
@main
enum Main {
    static func main() async {
        Terminal.prepare()
        do {
            var command = try Roost.command()
            try await command.run()
        } catch {
            let commandExit = error as? CommandExit ?? CommandExit(error)
            if !commandExit.output.isEmpty { Terminal.writeOutput(Array(commandExit.output.utf8)) }
            if !commandExit.errors.isEmpty { Terminal.writeError(Array(commandExit.errors.utf8)) }
            exit(commandExit.status)
        }
    }
}

/// The command line: the server, and a client of it.
struct Roost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roost",
        abstract: "Self-hosted in-app messaging.",
        discussion: """
            Start a development server, and connect to it from two other terminals:

              roost serve --dev
              roost chat --as ann --channel lobby
              roost chat --as bob --channel lobby
            """,
        version: Build.text,
        subcommands: [
            ServeCommand.self, ConfigCommand.self, DoctorCommand.self, TopCommand.self, CheckCommand.self,
            BackupCommand.self, RestoreCommand.self,
            RestoredCommand.self, TokenCommand.self, SecretCommand.self,
            SendCommand.self, TailCommand.self, HistoryCommand.self,
            ChannelsCommand.self, ChatCommand.self, ChannelCommand.self, MemberCommand.self, MessageCommand.self,
            ScheduleCommand.self, FileCommand.self, BroadcastCommand.self, KeyCommand.self, VoteCommand.self,
            NewsCommand.self, ReportCommand.self, PushCommand.self,
            UserCommand.self, AccountCommand.self, LoginCommand.self, DeviceCommand.self, UnreadCommand.self,
            MarkCommand.self,
        ])
}

/// What this binary is.
enum Build {
    static let version = "0.1.0"
    /// The commit that it was built from, which `dev/package` writes here; empty in other builds.
    static let commit = ""

    /// What `roost --version` prints.
    static let text = """
        roost \(version)
        commit \(commit.isEmpty ? "unknown, as dev/package has not made this binary" : commit)
        schema \(Migrations.all.count)
        protocol \(ProtocolVersion.current)
        """
}

/// The exit codes of `roost`.
enum ExitStatus {
    static let refused: Int32 = 1
    static let usage: Int32 = 2
    static let unreachable: Int32 = 3
    static let timedOut: Int32 = 4
    /// The reader of the output has closed it; the code that a shell reports for SIGPIPE.
    static let unread: Int32 = 141
}

/// The wall clock.
enum Clock {
    /// The current time, in ms since 1970.
    static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// Standard output and standard error.
///
/// Texts are sanitized here for all commands, because most of them contain data from a server.
enum Terminal {
    /// Ignores SIGPIPE, so that a closed reader is reported as an error, and opens closed standard descriptors.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for file in Int32(0)...2 where fcntl(file, F_GETFD) < 0 && errno == EBADF {
            // Closed by the parent process; otherwise the next file or socket would get this number and receive the
            // output.
            _ = open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Prints an error message on one line.
    static func printError(_ message: String) { printError(lines: Printable.safe(message)) }

    /// Prints an error message that may span several lines.
    static func printError(lines message: String) { writeError(Array(errorText(message).utf8)) }

    /// Formats an error message for standard error.
    static func errorText(_ message: String) -> String {
        "roost: " + safe(lines: String(message.trimmingPrefix("Error: "))) + "\n"
    }

    /// Prints a line to standard output, unbuffered even in a pipe.
    static func printLine(_ line: String) { writeOutput(Array((safe(lines: line) + "\n").utf8)) }

    /// Writes bytes to standard output; exits without a message if the reader has closed it.
    static func writeOutput(_ bytes: [UInt8]) {
        let failure = write(bytes, to: STDOUT_FILENO)
        guard failure != 0 else { return }
        if failure != EPIPE { printError("The output cannot be written: \(String(cString: strerror(failure))).") }
        exit(failure == EPIPE ? ExitStatus.unread : ExitStatus.refused)
    }

    /// Prints a line to standard output, but keeps running if nobody reads it.
    /// - Returns: whether the line was written.
    static func tryPrintLine(_ line: String) -> Bool {
        write(Array((safe(lines: line) + "\n").utf8), to: STDOUT_FILENO) == 0
    }

    /// Writes a line of progress to standard error, with its carriage returns; ignores failures.
    static func writeProgress(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Writes bytes to standard error, with control characters in JSON escaped; ignores failures.
    static func writeError(_ bytes: [UInt8]) { _ = write(Printable.escaped(bytes), to: STDERR_FILENO) }

    private static func safe(lines text: String) -> String { Printable.lines(text).joined(separator: "\n") }

    /// Writes all of the bytes.
    /// - Returns: 0, or the `errno` of the failure.
    private static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
