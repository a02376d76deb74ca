import ArgumentParser
import Foundation
import RoostClient
import RoostTerminal
import RoostWire

/// A chat in the terminal: full-screen, or line by line in a pipe.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat in the terminal.",
        discussion: """
            Fills the terminal with your conversations, the messages of one of them, and a field to
            write in: Enter sends, Alt-Enter begins a new line, F1 or /help shows the rest. Your own
            messages show how far they have come: \u{23F3} not confirmed, \u{2713} on the server's disk,
            \u{2717} not sent. Without a connection it shows what was there, and what you write waits and
            goes out later, even if you leave meanwhile: it is kept in a file in the profile.

              roost chat --as ann
              roost chat --as ann --channel lobby
              roost chat --as ann --to bob

            Colours are left out where NO_COLOR is set. When standard input or output is no terminal,
            or with --lines, it needs --channel or --to, prints a line for each thing that happens,
            and sends each line of standard input. Its commands:

              /dm USER    go to the 1-on-1 with a user
              /list       my conversations, with unread counts
              /who        who is in this channel, and up to where they have read
              /quit       leave
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: "The channel to open.")
    var channel: ChannelID?

    @Option(help: "The user at the other end of the 1-on-1 to open.")
    var to: UserID?

    @Flag(help: "Line by line, as in a pipe.")
    var lines = false

    @Flag(help: "Keep nothing in the profile: what is not sent ends with the program.")
    var noStore = false

    @Flag(help: "Leave the mouse to the terminal, so that it selects text; the wheel does not scroll then.")
    var noMouse = false

    func validate() throws {
        if channel != nil, to != nil { throw ValidationError("Give either --channel C or --to USER, not both.") }
        if isLineByLine, channel == nil, to == nil {
            throw ValidationError("Give either --channel C or --to USER; without them, it needs a terminal.")
        }
    }

    private var isLineByLine: Bool { lines || options.json || !TerminalDevice.isUsable }

    func run() async throws {
        try await options.run {
            if isLineByLine { try await chatInLines() } else { try await chatOnScreen() }
        }
    }

    // MARK: Full-screen

    private func chatOnScreen() async throws {
        var notice: String?
        var store: LocalStore?
        if !noStore { (store, notice) = try await profileStore() }
        let kept = try store ?? LocalStore.inMemory()
        let client = try options.makeClient(store: kept, keepsTrying: true)
        let start: ChatApp.Start = if let channel { .channel(channel) } else if let to { .user(to) } else { .list }
        try await Self.show(client, start, notice: notice, hasMouse: !noMouse)
        await client.disconnect()
    }

    @MainActor private static func show(
        _ client: RoostClient, _ start: ChatApp.Start, notice: String?, hasMouse: Bool
    ) async throws {
        guard let terminal = TerminalDevice(hasMouse: hasMouse) else {
            Terminal.printError("The terminal cannot be set up. Try --lines.")
            throw ExitCode(ExitStatus.refused)
        }
        defer { terminal.restore() }
        let hasColors = ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true
        let app = ChatApp(client: client, start: start, size: TerminalDevice.size, notice: notice)
        await app.run(on: terminal, hasColors: hasColors)
    }

    /// The store in the profile, or why there is none.
    private func profileStore() async throws -> (LocalStore?, String?) {
        do {
            return (try await options.openStore(), nil)
        } catch let error as RoostError where error.code == .storeInUse {
            return (nil, "Another roost chat of this user is running: this one keeps nothing on the disk.")
        }
    }

    // MARK: Line by line

    private func chatInLines() async throws {
        var store: LocalStore?
        if !noStore {
            let (opened, notice) = try await profileStore()
            if let notice { Terminal.printError(notice) }
            store = opened
        }
        let client = try options.makeClient(store: store)
        try await client.connect()
        let chat = ChatLines(client: client)
        // From here on nothing is missed: the rows that the first page shows are passed over.
        let events = client.events()
        try await chat.open(try await Target.open(client, channel: channel, to: to))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await chat.follow(events) }
            for await line in Self.input() {
                if try await chat.handle(line) { break }
            }
            group.cancelAll()
        }
        await chat.close()
        await client.disconnect()
    }

    /// The lines of standard input. A thread of its own: reading blocks.
    private static func input() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let thread = Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        thread.start()
        return lines
    }
}
