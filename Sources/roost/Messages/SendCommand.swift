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
            Prints one acknowledgement per message once the server has stored it. Joins an open \
            channel first, and creates a 1-on-1 if needed. With "-", each line of standard input is a \
            message. Messages are sent in order, and none is lost or duplicated if the connection is \
            lost or the server restarts in between.

              roost send --as ann --to bob "Hello, Bob"
              roost send --as ann --to bob --file roof.jpg "The new roof"
              seq 100 | roost send --as ann --channel lobby -
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var target: Target

    @Option(
        name: .customLong("trans-id"),
        help: "The idempotency key of this message; sending it again with the same key has no further effect.")
    var transID: String?

    @Option(
        name: .customLong("file"),
        help:
            """
            The path of a file to upload and send: as an image, a video, a voice message or a contact by its extension, \
            otherwise as a document. The text is its caption.
            """
    )
    var file: String?

    @Argument(help: "The text, or - for the lines of standard input.")
    var text: [String] = []

    func validate() throws {
        if file == nil, text.isEmpty { throw ValidationError("Give a text, - for standard input, or --file PATH.") }
        if file != nil, text == ["-"] { throw ValidationError("Give either --file or -, not both.") }
        if let transID, TransID(rawValue: transID) == nil {
            throw ValidationError("\"\(transID)\" is not a transID. Use 1 to 64 of A-Z a-z 0-9 _ . : -")
        }
        if text == ["-"], transID != nil {
            throw ValidationError("--trans-id applies to a single message; with -, each line gets its own key.")
        }
    }

    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            let channel = try await target.open(client)
            if text == ["-"] {
                try await sendLines(into: channel)
            } else if let file {
                let transID = transID.flatMap(TransID.init(rawValue:)) ?? client.makeTransID()
                let reference = try await client.upload(
                    LocalFile(path: file), as: TransID(uploadFor: transID), showing: ProgressLine(options))
                try show(
                    await channel.send(.file(reference, text: text.joined(separator: " ")), transID: transID))
            } else {
                let message = try await channel.send(
                    text.joined(separator: " "), transID: transID.flatMap(TransID.init(rawValue:)))
                try show(message)
            }
            await client.disconnect()
        }
    }

    /// Sends lines in order without waiting for each one, and prints the acknowledgements in the same order.
    private func sendLines(into channel: ChannelHandle) async throws {
        let lines = StandardInput(maxPending: 256)
        let (sent, continuation) = AsyncStream.makeStream(of: PendingMessage.self)
        let options = options
        let printing = Task { () -> RoostError? in
            var failed: RoostError?
            for await pending in sent {
                do {
                    try show(await pending.sent)
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

    private func show(_ message: SentMessage) throws {
        if options.json {
            try Terminal.printLine(json: Acknowledgement(message))
        } else {
            Terminal.printLine("sent \(message.seq ?? 0) to \(message.channel)")
        }
    }
}

/// The lines of standard input, read on a separate thread with a bounded number of unprocessed lines.
private final class StandardInput: Sendable {
    let lines: AsyncStream<String>
    private let semaphore: DispatchSemaphore

    init(maxPending: Int) {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let semaphore = DispatchSemaphore(value: maxPending)
        self.lines = lines
        self.semaphore = semaphore
        Thread {
            while let line = readLine() {
                semaphore.wait()
                continuation.yield(line)
            }
            continuation.finish()
        }.start()
    }

    /// Notes that one line has been processed.
    func lineHandled() { semaphore.signal() }
}
