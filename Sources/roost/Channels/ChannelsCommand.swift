import ArgumentParser
import RoostClient
import RoostTerminal
import RoostWire

/// Lists channels.
struct ChannelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "List my conversations with their unread counts, or the open channels.",
        discussion: """
            Lists 1-on-1 and group channels, most recent activity first.

              roost channels --as ann
              roost channels --as ann --open swift
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "List open channels instead, optionally filtered by a keyword.")
    var open = false

    @Argument(help: "With --open: only channels whose id or title contains this text.")
    var keyword: String?

    func validate() throws {
        if keyword != nil, !open { throw ValidationError("A keyword can only be used with --open.") }
    }

    /// One line of output.
    private struct Line: Encodable {
        var channel: ChannelID
        var kind: ChannelKind
        var title: String
        var memberCount: Int
        var unread: Int?
        var lastMessage: String?
        var lastSeq: Int64

        private enum Keys: String, CodingKey { case channel, kind, title, memberCount, unread, lastMessage, lastSeq }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(channel, forKey: .channel)
            try container.encode(kind, forKey: .kind)
            try container.encode(title, forKey: .title)
            try container.encode(memberCount, forKey: .memberCount)
            try container.encode(unread, forKey: .unread)
            try container.encode(lastMessage, forKey: .lastMessage)
            try container.encode(lastSeq, forKey: .lastSeq)
        }
    }

    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            var cursor: String?
            repeat {
                let page: (channels: [Channel], next: String?)
                if open {
                    let answer = try await client.perform(
                        ListOpenChannels(keyword: keyword, limit: 100, cursor: cursor))
                    page = (answer.channels, answer.next)
                } else {
                    let answer = try await client.perform(ListChannels(limit: 100, cursor: cursor))
                    page = (answer.channels, answer.next)
                }
                for channel in page.channels { try show(channel, for: await client.user) }
                cursor = page.next
            } while cursor != nil
            await client.disconnect()
        }
    }

    private func show(_ channel: Channel, for user: User?) throws {
        let title = user.map { ChannelRules.title(of: channel, for: $0.userID) } ?? channel.channel.rawValue
        let line = Line(
            channel: channel.channel, kind: channel.kind, title: title, memberCount: channel.memberCount,
            unread: channel.unread, lastMessage: channel.lastMessage?.text, lastSeq: channel.seq)
        if options.json { return try Terminal.printLine(json: line) }
        let unread = (line.unread ?? 0) > 0 ? "  \(line.unread ?? 0) unread" : ""
        let people = line.kind.people(line.memberCount)
        let last = line.lastMessage.map { "  \"\($0.prefix(40))\"" } ?? ""
        Terminal.printLine(Printable.safe("\(line.channel)  \(title)  \(people)\(unread)\(last)"))
    }
}
