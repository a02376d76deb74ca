import ArgumentParser
import RoostClient
import RoostTerminal
import RoostWire

/// Prints unread counts and how they are computed.
struct UnreadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract: "Print how many messages I have not read, in total and by channel.",
        discussion: """
            The total is the number for an app badge: it covers all channels that are not muted.

              roost unread --as bob
              roost unread --as bob --explain --channel roof
            """)

    @OptionGroup var options: ClientOptions

    @Flag(help: "Explain how the unread count is computed.")
    var explain = false

    @Option(help: "With --explain: only this channel; all of my channels if omitted.")
    var channel: ChannelID?

    func validate() throws {
        if channel != nil, !explain { throw ValidationError("--channel can only be used with --explain.") }
    }

    func run(_ client: ChatClient) async throws {
        if explain { return try await explain(client) }
        let unread = try await client.unread()
        if options.json { return try Terminal.printLine(json: unread) }
        sums(total: unread.total, muted: unread.muted ?? 0, mentions: unread.mentions ?? 0)
        for row in unread.channels {
            let parts = [
                "\(row.channel)", "\(row.unread) unread", row.mentions.map { "\($0) mention me" },
                row.isMuted == true ? "muted" : nil, row.isMarkedUnread == true ? "marked as unread" : nil,
            ]
            Terminal.printLine(parts.compactMap(\.self).joined(separator: "  "))
        }
    }

    private func explain(_ client: ChatClient) async throws {
        var isFirst = true
        try await eachPage(of: 100) { size, cursor in
            try await client.perform(ExplainUnread(channel: channel, limit: size, cursor: cursor))
        } show: { page in
            if options.json { return try Terminal.printLine(json: page) }
            if isFirst { sums(total: page.total, muted: page.muted, mentions: page.mentions) }
            isFirst = false
            for row in page.channels { Terminal.printLine(Printable.safe("\(row.channel)  \(row.words)")) }
        }
    }

    private func sums(total: Int, muted: Int, mentions: Int) {
        Terminal.printLine("\(total) unread, \(muted) more in muted channels, \(mentions) mention me")
    }
}

/// Sets read marks and prints how far the user has read.
struct MarkCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Mark one or all of my channels as read, or list how far I have read.",
        discussion: """
            Without --seq, --message and --time, the whole channel is marked as read. A read mark never moves back.

              roost mark --as bob --channel roof --seq 12
              roost mark --as bob --all
              roost mark --as bob --list
            """)

    @OptionGroup var options: ClientOptions

    @Option(help: "The channel.")
    var channel: ChannelID?

    @Option(help: "The other user of a 1-on-1, or myself for my self channel.")
    var to: UserID?

    @Flag(help: "All of my channels.")
    var all = false

    @Flag(help: "Do not mark anything; list how far I have read in one channel or in all of them.")
    var list = false

    @Option(help: "Mark everything up to the row with this seq.")
    var seq: Int64?

    @Option(help: "Mark everything up to this message.")
    var message: MessageID?

    @Option(help: "Mark everything sent up to this time, in ms since 1970.")
    var time: Int64?

    func validate() throws {
        let hasPlace = channel != nil || to != nil
        if [channel != nil, to != nil, all].filter({ $0 }).count > 1 || !(hasPlace || all || list) {
            throw ValidationError("Give exactly one of --channel C, --to USER and --all, or --list.")
        }
        let bounds = [seq != nil, message != nil, time != nil].filter { $0 }.count
        if bounds > 1 || bounds == 1 && (all || list) {
            throw ValidationError("Give at most one of --seq, --message and --time, and only for one channel.")
        }
        if all, list { throw ValidationError("Give either --all or --list.") }
    }

    func run(_ client: ChatClient) async throws {
        if all {
            let answer = try await client.perform(SetAllReadMarks())
            return try options.show(answer, "\(answer.moved) marks moved")
        }
        if list, channel == nil, to == nil { return try await listAll(client) }
        var channelOption = ChannelOption()
        channelOption.channel = channel
        channelOption.to = to
        let handle = try await channelOption.handle(client)
        if list {
            if let mark = try await handle.readMark() { try show(mark) }
            return
        }
        var command = SetReadMark(channel: handle.id, seq: seq)
        if let message { command = SetReadMark(channel: handle.id, messageID: message) }
        if let time { command = SetReadMark(channel: handle.id, time: .init(milliseconds: time)) }
        let answer = try await client.perform(command)
        try options.show(answer, "read up to \(answer.mark.seq), \(answer.unread) unread")
    }

    private func listAll(_ client: ChatClient) async throws {
        try await eachPage(of: 100) { size, cursor in
            try await client.perform(ListReadMarks(limit: size, cursor: cursor))
        } show: { page in
            for mark in page.channels { try show(mark) }
        }
    }

    private func show(_ mark: ChannelRead) throws {
        try options.show(mark, "\(mark.channel)  " + (mark.seq > 0 ? "up to \(mark.seq)" : "nothing"))
    }
}
