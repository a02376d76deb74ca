public import ArgumentParser
import RoostClient
import RoostTerminal
public import RoostWire

/// A command that asks a server for something and prints the answer.
protocol ClientCommand: AsyncParsableCommand {
    /// The server, the user and the form of the output.
    var options: ClientOptions { get }
    /// Asks and prints; the client is connected.
    func run(_ client: RoostClient) async throws
}

extension ClientCommand {
    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            try await run(client)
            await client.disconnect()
        }
    }
}

extension ClientOptions {
    /// Prints an answer: its JSON with `--json`, else a line for people.
    func show(_ answer: some Encodable, _ line: @autoclosure () -> String) throws {
        if json { try Terminal.printLine(json: answer) } else { Terminal.printLine(Printable.safe(line())) }
    }

    /// Prints what an accepted change came to.
    func show(_ acknowledgement: Acknowledgement, done: String) throws {
        let place = acknowledgement.channel.map { " in \($0)" } ?? ""
        let row = acknowledgement.seq.map { ", row \($0)" } ?? ""
        try show(acknowledgement, done + place + row)
    }
}

/// The channel that a command is about; nothing is joined or made.
struct ChannelOption: ParsableArguments {
    @Option(help: "The channel.")
    var channel: ChannelID?

    @Option(help: "The user at the other end of a 1-on-1, or oneself.")
    var to: UserID?

    func validate() throws {
        if (channel == nil) == (to == nil) { throw ValidationError("Give either --channel C or --to USER.") }
    }

    /// The channel's verbs.
    func handle(_ client: RoostClient) async throws -> ChannelHandle {
        if let channel { return client.channel(channel) }
        guard let to, let me = await client.user?.userID else { throw ExitCode(ExitStatus.usage) }
        return client.channel(ChannelID(single: me, to))
    }
}

/// The key of a command that changes something.
struct TransIDOption: ParsableArguments {
    @Option(name: .customLong("trans-id"), help: "The key of this command; given again, it happens once.")
    var transID: TransID?
}

/// Where a page begins and how long it is.
struct Page: ParsableArguments {
    @Option(help: "How many at most, over all pages; all when left out.")
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }
}

/// Asks for page after page of at most `size`, and shows each, until there are `limit` or all.
func eachPage<Answer: ListingAnswer>(
    upTo limit: Int? = nil, of size: Int, ask: (_ size: Int, _ cursor: String?) async throws -> Answer,
    show: (Answer) throws -> Void
) async throws {
    var rest = limit ?? .max
    var cursor: String?
    while rest > 0 {
        let page = try await ask(min(size, rest), cursor)
        try show(page)
        rest -= page.elements.count
        // A server that names the same place again does not get any further.
        guard let next = page.next, next != cursor else { return }
        cursor = next
    }
}

extension UserID: ExpressibleByArgument {}
extension ChannelID: ExpressibleByArgument {}
extension MessageID: ExpressibleByArgument {}
extension TransID: ExpressibleByArgument {}
extension Role: ExpressibleByArgument {}
extension ChannelKind: ExpressibleByArgument {}
extension JoinMethod: ExpressibleByArgument {}
extension HistoryVisibility: ExpressibleByArgument {}
extension ProfileEditors: ExpressibleByArgument {}

extension NewMember: ExpressibleByArgument {
    /// Reads `USER` or `USER=ROLE`.
    public init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let user = UserID(rawValue: parts[0]) else { return nil }
        if parts.count == 1 {
            self.init(user)
        } else {
            guard let role = Role(rawValue: parts[1]) else { return nil }
            self.init(user, role: role)
        }
    }
}
