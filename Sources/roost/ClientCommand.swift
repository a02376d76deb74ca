public import ArgumentParser
import RoostClient
import RoostTerminal
public import RoostWire

/// A command that sends a request to a server and prints the result.
protocol ClientCommand: AsyncParsableCommand {
    /// The options for the server, the user and the output format.
    var options: ClientOptions { get }
    /// Runs the command with a connected client.
    func run(_ client: ChatClient) async throws
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
    /// Prints a result: as JSON with `--json`, otherwise as a line of text.
    func show(_ answer: some Encodable, _ line: @autoclosure () -> String) throws {
        if json { try Terminal.printLine(json: answer) } else { Terminal.printLine(Printable.safe(line())) }
    }

    /// Prints the result of a change.
    func show(_ acknowledgement: Acknowledgement, done: String) throws {
        let place = acknowledgement.channel.map { " in \($0)" } ?? ""
        let row = acknowledgement.seq.map { ", row \($0)" } ?? ""
        try show(acknowledgement, done + place + row)
    }
}

/// Options that select the channel of a command, without joining or creating it.
struct ChannelOption: ParsableArguments {
    @Option(help: "The channel.")
    var channel: ChannelID?

    @Option(help: "The other user of a 1-on-1, or myself for my self channel.")
    var to: UserID?

    func validate() throws {
        if (channel == nil) == (to == nil) { throw ValidationError("Give either --channel C or --to USER.") }
    }

    /// The handle of the selected channel.
    func handle(_ client: ChatClient) async throws -> ChannelHandle {
        if let channel { return client.channel(channel) }
        guard let to, let me = await client.user?.userID else { throw ExitCode(ExitStatus.usage) }
        return client.channel(ChannelID(single: me, to))
    }
}

/// The option for the idempotency key of a command.
struct TransIDOption: ParsableArguments {
    @Option(
        name: .customLong("trans-id"),
        help: "The idempotency key of this command; repeating the command with the same key has no further effect.")
    var transID: TransID?
}

/// The option that limits the number of results.
struct Page: ParsableArguments {
    @Option(help: "The maximum number of results over all pages; all if omitted.")
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }
}

/// Requests pages of at most `size` elements and shows each, until `limit` elements or all of them have been shown.
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
        // Stop if the server repeats the same cursor.
        guard let next = page.next, next != cursor else { return }
        cursor = next
    }
}

extension UserID: ExpressibleByArgument {}
extension ChannelID: ExpressibleByArgument {}
extension MessageID: ExpressibleByArgument {}
extension TransID: ExpressibleByArgument {}
extension FileID: ExpressibleByArgument {}
extension Role: ExpressibleByArgument {}
extension ChannelKind: ExpressibleByArgument {}
extension InvitesFrom: ExpressibleByArgument {}
extension JoinMethod: ExpressibleByArgument {}
extension HistoryVisibility: ExpressibleByArgument {}
extension ProfileEditors: ExpressibleByArgument {}
extension Pinners: ExpressibleByArgument {}

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
