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
            Fills the terminal with your conversations, the messages of one of them, and a field to \
            write in: Enter sends, Alt-Enter starts a new line, F1 or /help shows all keys. Your own \
            messages show their state: \u{23F3} not confirmed yet, \u{2713} stored on the server, \
            \u{2717} not sent. Without a connection it shows what is stored locally, and messages you write \
            are queued in a file in the profile and sent later, even if you quit in the meantime.

              roost chat --as ann
              roost chat --as ann --channel lobby
              roost chat --as ann --to bob

            Its words are those of the language that LC_ALL, LC_MESSAGES or LANG names, if it is German, \
            Traditional Chinese, Korean or Arabic; errors that the server reports are in English. \
            Colours are disabled if NO_COLOR is set. If standard input or output is not a terminal, \
            or with --lines, --channel or --to is required; the command prints one line per event \
            and sends each line of standard input. Commands in this mode:

              /dm USER    go to the 1-on-1 with a user
              /list       list my conversations with unread counts
              /who        list who is in this channel and how far they have read
              /quit       quit
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: "The channel to open.")
    var channel: ChannelID?

    @Option(help: "The other user of the 1-on-1 to open.")
    var to: UserID?

    @Flag(help: "Use the line-by-line mode even in a terminal.")
    var lines = false

    @Flag(help: "Store nothing in the profile; messages that are still queued are lost on exit.")
    var noStore = false

    @Flag(help: "Leave the mouse to the terminal, so that it selects text; the wheel then does not scroll.")
    var noMouse = false

    @Option(help: "How to draw pictures on the screen: auto, blocks (blurred, in half blocks) or none.")
    var preview = PreviewOption.auto

    func validate() throws {
        if preview == .kitty || preview == .iterm {
            throw ValidationError("The chat draws pictures as blocks; for others, use roost file show.")
        }
        if channel != nil, to != nil { throw ValidationError("Give either --channel C or --to USER, not both.") }
        if isLineByLine, channel == nil, to == nil {
            throw ValidationError("Give either --channel C or --to USER; without them, a terminal is required.")
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
        let languages = TerminalText.languages(of: ProcessInfo.processInfo.environment)
        let store = noStore ? nil : try await profileStore()
        let notice = noStore || store != nil ? nil : Words.preferred(languages)(.anotherChat)
        let kept = try store ?? LocalStore.inMemory()
        let client = try options.makeClient(store: kept, keepsTrying: true)
        let start: ChatApp.Start = if let channel { .channel(channel) } else if let to { .user(to) } else { .list }
        try await Self.show(client, start, notice: notice, hasMouse: !noMouse, preview: preview, languages: languages)
        await client.disconnect()
    }

    @MainActor private static func show(
        _ client: ChatClient, _ start: ChatApp.Start, notice: String?, hasMouse: Bool, preview: PreviewOption,
        languages: [String]
    ) async throws {
        guard let terminal = TerminalDevice(hasMouse: hasMouse) else {
            Terminal.printError("The terminal could not be set up. Try --lines.")
            throw ExitCode(ExitStatus.refused)
        }
        defer { terminal.restore() }
        let environment = ProcessInfo.processInfo.environment
        let hasColors = environment["NO_COLOR"].map(\.isEmpty) ?? true
        let app = ChatApp(
            client: client, start: start, size: TerminalDevice.size, notice: notice,
            hasPictures: hasColors && preview.resolved != .none,
            languages: languages)
        await app.run(
            on: terminal, hasColors: hasColors,
            hasTrueColors: PicturePreview.hasTrueColors(environment: environment))
    }

    /// Opens the store in the profile. Returns nil if another process has it open.
    private func profileStore() async throws -> LocalStore? {
        do {
            return try await options.openStore()
        } catch let error as RoostError where error.code == .storeInUse {
            return nil
        }
    }

    // MARK: Line by line

    private func chatInLines() async throws {
        let store = noStore ? nil : try await profileStore()
        if !noStore, store == nil { Terminal.printError(TerminalText.english(.anotherChat)) }
        let client = try options.makeClient(store: store)
        try await client.connect()
        let chat = ChatLines(client: client)
        // Subscribed before the first page is read, so no event is missed; rows that the page contains are skipped.
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

    /// The lines of standard input, read on a separate thread because reading blocks.
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
