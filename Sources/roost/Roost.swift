import ArgumentParser
import Foundation
import Logging

/// Runs the command line; a wrong use of it ends with code 2.
@main
enum Main {
    static func main() async {
        do {
            var command = try Roost.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = Roost.exitCode(for: error)
            let message = Roost.fullMessage(for: error)
            if !message.isEmpty {
                if code.isSuccess { Terminal.say(message) } else { Terminal.complain(message) }
            }
            exit(code == .validationFailure ? ExitStatus.usage : code.rawValue)
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
            BenchCommand.self,
        ])
}

/// What the exit codes of `roost` mean; 2 is a wrong use of the command line.
enum ExitStatus {
    static let refused: Int32 = 1
    static let usage: Int32 = 2
    static let unreachable: Int32 = 3
    static let timedOut: Int32 = 4
}

/// The wall clock.
enum Clock {
    /// ms since 1970.
    static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// The terminal that the command runs in.
enum Terminal {
    /// Says on standard error what went wrong.
    static func complain(_ message: String) {
        warn(Array(("roost: " + message.trimmingPrefix("Error: ") + "\n").utf8))
    }

    /// Writes a line to standard output at once, even into a pipe.
    static func say(_ line: String) { put(Array((line + "\n").utf8)) }

    /// Writes bytes to standard output; ends the program quietly when nobody reads it any more.
    static func put(_ bytes: [UInt8]) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            if errno != EPIPE { warn(Array("roost: The output cannot be written.\n".utf8)) }
            exit(errno == EPIPE ? 0 : ExitStatus.refused)
        }
    }

    /// Writes bytes to standard error, if somebody reads it.
    static func warn(_ bytes: [UInt8]) { try? FileHandle.standardError.write(contentsOf: Data(bytes)) }
}
