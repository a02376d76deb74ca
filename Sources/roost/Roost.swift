import ArgumentParser
import Foundation
import Logging
import RoostTerminal

/// Runs the command line; a wrong use of it ends with code 2.
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
        abstract: "In-app messaging that you run yourself.",
        discussion: """
            Start a server for development, and talk to it from two more terminals:

              roost serve --dev
              roost chat --as ann --channel lobby
              roost chat --as bob --channel lobby
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, TokenCommand.self, SendCommand.self, TailCommand.self, HistoryCommand.self,
            ChannelsCommand.self, ChatCommand.self, ChannelCommand.self, MemberCommand.self, MessageCommand.self,
            ScheduleCommand.self, BroadcastCommand.self, VoteCommand.self, NewsCommand.self, UserCommand.self,
            UnreadCommand.self,
            MarkCommand.self,
        ])
}

/// What the exit codes of `roost` mean; 2 is a wrong use of the command line.
enum ExitStatus {
    static let refused: Int32 = 1
    static let usage: Int32 = 2
    static let unreachable: Int32 = 3
    static let timedOut: Int32 = 4
    /// Nobody reads the output any more: what a shell says of a program that ends because of it.
    static let unread: Int32 = 141
}

/// The wall clock.
enum Clock {
    /// ms since 1970.
    static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// The terminal that the command runs in.
///
/// Texts are made harmless here, once for all commands: most of them hold something that came from a server.
enum Terminal {
    /// Sees to it that a reader who goes away is an error and no end, and that no file is taken for an output.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for file in Int32(0)...2 where fcntl(file, F_GETFD) < 0 && errno == EBADF {
            // Closed by whoever started this: the next file or socket would get the number, and then the output.
            _ = open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Says on standard error what went wrong, on one line.
    static func printError(_ message: String) { printError(lines: Printable.safe(message)) }

    /// Says on standard error what went wrong, on as many lines as the message has.
    static func printError(lines message: String) { writeError(Array(errorText(message).utf8)) }

    /// What went wrong, as the program says it.
    static func errorText(_ message: String) -> String {
        "roost: " + safe(lines: String(message.trimmingPrefix("Error: "))) + "\n"
    }

    /// Writes a line to standard output at once, even into a pipe.
    static func printLine(_ line: String) { writeOutput(Array((safe(lines: line) + "\n").utf8)) }

    /// Writes bytes to standard output; ends the program quietly when nobody reads it any more.
    static func writeOutput(_ bytes: [UInt8]) {
        let failure = write(bytes, to: STDOUT_FILENO)
        guard failure != 0 else { return }
        if failure != EPIPE { printError("The output cannot be written: \(String(cString: strerror(failure))).") }
        exit(failure == EPIPE ? ExitStatus.unread : ExitStatus.refused)
    }

    /// Writes a line to standard output, if somebody reads it; for a program that goes on without readers.
    /// - Returns: whether it was written.
    static func tryPrintLine(_ line: String) -> Bool {
        write(Array((safe(lines: line) + "\n").utf8), to: STDOUT_FILENO) == 0
    }

    /// Writes bytes to standard error, if somebody reads it; those of JSON with all of their controls escaped.
    static func writeError(_ bytes: [UInt8]) { _ = write(Printable.escaped(bytes), to: STDERR_FILENO) }

    private static func safe(lines text: String) -> String { Printable.lines(text).joined(separator: "\n") }

    /// Writes all of the bytes.
    /// - Returns: 0, or the number of what prevented it.
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
