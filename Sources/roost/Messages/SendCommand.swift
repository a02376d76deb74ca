import ArgumentParser
import Dispatch
import Foundation
import RoostClient
import RoostWire

/// Sends messages.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message, or each line of standard input.",
        discussion: """
            Prints one acknowledgement per message, once it is on the server's disk. Joins an open
            channel first, and makes a 1-on-1 when needed. With "-" each line of standard input is a
            message; they keep their order, and a lost connection or a restart of the server in
            between loses and doubles none of them.

              roost send --as ann --to bob "Hello, Bob"
              seq 100 | roost send --as ann --channel lobby -
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var target: Target

    @Option(name: .customLong("trans-id"), help: "The key of this message; sending again with it sends nothing twice.")
    var transID: String?

    @Argument(help: "The text, or - for the lines of standard input.")
    var text: [String]

    func validate() throws {
        if let transID, TransID(rawValue: transID) == nil {
            throw ValidationError("\"\(transID)\" is not a transID. Use 1 to 64 of A-Z a-z 0-9 _ . : -")
        }
        if text == ["-"], transID != nil {
            throw ValidationError("--trans-id names one message; with - each line gets a key of its own.")
        }
    }

    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            let channel = try await target.open(client)
            if text == ["-"] {
                try await sendLines(into: channel)
            } else {
                let acknowledgement = try await channel.send(
                    text.joined(separator: " "), transID: transID.flatMap(TransID.init(rawValue:)))
                try show(acknowledgement)
            }
            await client.disconnect()
        }
    }

    /// Sends lines in order, many on their way at a time, and prints their acknowledgements in the same order.
    private func sendLines(into channel: ChannelHandle) async throws {
        let lines = StandardInput(mostAhead: 256)
        let (sent, continuation) = AsyncStream.makeStream(of: PendingMessage.self)
        let options = options
        let printing = Task { () -> RoostError? in
            var failed: RoostError?
            for await pending in sent {
                do {
                    try show(await pending.acknowledgement)
                } catch let error as RoostError {
                    options.report(error)
                    failed = failed ?? error
                } catch {
                    Terminal.printError("\(error)")
                }
                lines.lineHandled()
            }
            return failed
        }
        for await line in lines.lines {
            if line.allSatisfy(\.isWhitespace) {
                lines.lineHandled()
            } else {
                continuation.yield(channel.enqueue(line))
            }
        }
        continuation.finish()
        if let failed = await printing.value { throw ExitCode(failed.exitStatus) }
    }

    private func show(_ acknowledgement: Acknowledgement) throws {
        if options.json {
            try Terminal.printLine(json: acknowledgement)
        } else {
            Terminal.printLine("sent \(acknowledgement.seq ?? 0) to \(acknowledgement.channel?.rawValue ?? "")")
        }
    }
}

/// The lines of standard input, read by a thread of their own and never far ahead of whoever takes them.
private final class StandardInput: Sendable {
    let lines: AsyncStream<String>
    private let room: DispatchSemaphore

    init(mostAhead: Int) {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let room = DispatchSemaphore(value: mostAhead)
        self.lines = lines
        self.room = room
        Thread {
            while let line = readLine() {
                room.wait()
                continuation.yield(line)
            }
            continuation.finish()
        }.start()
    }

    /// One line is done with.
    func lineHandled() { room.signal() }
}
