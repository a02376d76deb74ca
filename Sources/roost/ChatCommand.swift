import ArgumentParser
import Foundation
import RoostClient
import RoostWire

/// A line-based conversation in the terminal.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat in the terminal, line by line.",
        discussion: """
            Type a line and press return to send it. Commands:

              /dm USER    go to the 1-on-1 with a user
              /list       my conversations, with unread counts
              /who        who is in this channel, and up to where they have read
              /quit       leave (Ctrl-C and Ctrl-D, too)

              roost chat --as ann --channel lobby
            """)

    @OptionGroup var options: ClientOptions
    @OptionGroup var target: Target

    func run() async throws {
        try await options.run {
            let client = try await options.connect()
            let keyboard = Keyboard()
            defer { keyboard.restore() }
            let chat = Chat(client: client, isTerminal: keyboard.isTerminal)
            // From here on nothing is missed: the rows that the first page shows are passed over.
            let events = client.events()
            try await chat.open(try await target.open(client))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await chat.follow(events) }
                group.addTask { await chat.redrawEverySecond() }
                for await key in keyboard.events {
                    if try await chat.take(key) { break }
                }
                group.cancelAll()
            }
            await chat.close()
            await client.disconnect()
        }
    }
}

extension Event {
    /// Whether the screen's title or the list of those who read may be different now.
    fileprivate var changesMembersOrTitle: Bool {
        switch body {
        case .memberInvited, .memberJoined, .memberLeft, .memberKicked, .memberBanned, .memberProfileChanged,
            .channelProfileChanged:
            true
        default: false
        }
    }

    /// Whether it tells that the user is out of this channel.
    fileprivate func isEnd(of channel: ChannelID) -> Bool {
        switch body {
        case .channelLeft(let left): left.channel == channel
        case .channelDismissed(let dismissed): dismissed.channel == channel
        default: false
        }
    }
}

/// The state of a line-based conversation: what is shown, who types, what is unread elsewhere.
actor Chat {
    private let client: RoostClient
    private let isTerminal: Bool
    private var handle: ChannelHandle?
    private var channel: Channel?
    private var me: UserID?
    private var marks: ReadMarks?
    private var typing = TypingUsers()
    private var elsewhere: [ChannelID: Int] = [:]
    private var shownSeq: Int64 = 0
    private var lastOwnSeq: Int64 = 0
    private var input = ""
    private var typingSentAt: Int64 = 0
    private var isConnected = true
    private var lastSend: PendingMessage?

    init(client: RoostClient, isTerminal: Bool) {
        self.client = client
        self.isTerminal = isTerminal
    }

    /// Goes to a channel: shows its newest rows and reads it from then on.
    func open(_ handle: ChannelHandle) async throws {
        await stopTyping()
        let user = await client.user
        me = user?.userID
        self.handle = handle
        typing = TypingUsers(viewer: me)
        lastOwnSeq = 0
        let channel = try await handle.get()
        self.channel = channel
        marks = nil
        if channel.kind != .open {
            var marks = ReadMarks()
            marks.apply(channel)
            self.marks = marks
        }
        let page = try await handle.history(limit: 20)
        shownSeq = page.seq
        let title = user.map { ChannelRules.screenTitle(of: channel, for: $0.userID) } ?? channel.channel.rawValue
        show("── \(title) ── \(channel.kind == .open ? "open channel" : "\(channel.memberCount) members")")
        for event in page.events where event.isShown { show(event.line()) }
        elsewhere[channel.channel] = nil
        try await markRead()
        prompt()
    }

    /// Shows what happens until the client is done.
    func follow(_ events: ClientEvents) async {
        for await event in events {
            switch event {
            case .event(let event, _): await took(event)
            case .disconnected(let error):
                isConnected = false
                show("-- connection lost\(error.map { ": \($0.message)" } ?? ""), trying again")
            case .connected:
                if !isConnected { show("-- connected again") }
                isConnected = true
            case .sendFailed(let failed): show("!! not sent: \(failed.text) (\(failed.error.message))")
            default: break
            }
            prompt()
        }
    }

    func redrawEverySecond() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            if typing.expire(now: Clock.now()) { prompt() }
        }
    }

    private func took(_ event: Event) async {
        guard let channel else { return }
        guard let id = event.channel else {
            if event.isEnd(of: channel.channel) { show(event.line()) }
            return
        }
        if id != channel.channel {
            if event.senderID != me, event.body.behaviour?.countsAsUnread == true {
                elsewhere[id, default: 0] += 1
                let place = id.pair == nil ? id.rawValue : "your 1-on-1 with \(event.senderID?.rawValue ?? "somebody")"
                show("-- new in \(place)")
            }
            return
        }
        typing.apply(event, now: Clock.now())
        marks?.apply(event)
        switch event.body {
        case .typingStarted, .typingEnded, .readMarkMoved, .channelActiveCountChanged: break
        case .messageRelayed: show(event.line())
        default:
            guard let seq = event.seq, seq > shownSeq else { return }
            shownSeq = seq
            if event.senderID == me, event.isMessage { lastOwnSeq = seq }
            if event.isShown { show(event.line()) }
            if event.changesMembersOrTitle { await reload() }
            try? await markRead()
        }
    }

    private func reload() async {
        guard let fresh = try? await handle?.get() else { return }
        channel = fresh
        if fresh.kind != .open { marks?.apply(fresh) }
    }

    private func markRead() async throws {
        guard channel?.kind != .open else { return }
        try await handle?.markRead(upTo: shownSeq)
    }

    /// Takes a key.
    /// - Returns: whether the person wants to leave.
    func take(_ key: KeyEvent) async throws -> Bool {
        switch key {
        case .end: return true
        case .edited(let text):
            input = text
            prompt()
            if text.isEmpty || text.hasPrefix("/") { await stopTyping() } else { await startTyping() }
        case .line(let line):
            input = ""
            await stopTyping()
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("/") { return try await run(text) }
            if !text.isEmpty { lastSend = handle?.enqueue(line) }
            prompt()
        }
        return false
    }

    private func run(_ command: String) async throws -> Bool {
        let words = command.split(separator: " ").map(String.init)
        do {
            switch words.first {
            case "/quit", "/q": return true
            case "/dm":
                guard words.count == 2, let user = UserID(rawValue: words[1]) else {
                    show("Write it as: /dm USER")
                    break
                }
                try await open(client.channel(client.startMessaging(with: user).channel))
            case "/list": try await list()
            case "/who": try await who()
            default: show("Commands: /dm USER, /list, /who, /quit")
            }
        } catch let error as RoostError {
            show("!! \(error.message)")
        }
        prompt()
        return false
    }

    private func list() async throws {
        let page = try await client.perform(ListChannels(limit: 15))
        if page.channels.isEmpty { show("No conversations yet. Start one with /dm USER") }
        for channel in page.channels {
            let title = me.map { ChannelRules.title(of: channel, for: $0) } ?? channel.channel.rawValue
            let unread = (channel.unread ?? 0) > 0 ? "  \(channel.unread ?? 0) unread" : ""
            show("  \(title)\(unread)  \(channel.lastMessage?.text.map { "\"\($0.prefix(40))\"" } ?? "")")
        }
    }

    private func who() async throws {
        guard let handle, let channel else { return }
        if channel.kind == .open {
            let fresh = try await handle.get()
            show("  \(fresh.memberCount) here now")
            return
        }
        for member in try await client.perform(ListMembers(channel: channel.channel)).members {
            show("  \(member.name) (\(member.userID))\(member.readSeq > 0 ? ", read up to \(member.readSeq)" : "")")
        }
    }

    private func startTyping() async {
        let now = Clock.now()
        guard now - typingSentAt >= 3_000, let handle else { return }
        typingSentAt = now
        try? await handle.typing(true)
    }

    private func stopTyping() async {
        guard typingSentAt != 0, let handle else { return }
        typingSentAt = 0
        try? await handle.typing(false)
    }

    func close() async {
        await stopTyping()
        if isConnected { _ = try? await lastSend?.acknowledgement }
        if isTerminal { write("\r\u{1B}[K") }
    }

    // MARK: The terminal

    private func show(_ line: String) {
        write(isTerminal ? "\r\u{1B}[K" + Printable.safe(line) + "\n" : Printable.safe(line) + "\n")
    }

    private func prompt() {
        guard isTerminal else { return }
        var notes: [String] = []
        let names = typing.names
        if !names.isEmpty {
            let shown = names.prefix(2).joined(separator: " and ")
            let more = names.count > 2 ? " +\(names.count - 2)" : ""
            notes.append(shown + more + (names.count == 1 ? " is typing" : " are typing"))
        }
        if lastOwnSeq > 0, let marks, let me {
            let count = marks.unreadBy(seq: lastOwnSeq, viewer: me)
            if count > 0 { notes.append("unread by \(count)") }
        }
        let others = elsewhere.values.reduce(0, +)
        if others > 0 { notes.append("\(others) unread elsewhere") }
        if !isConnected { notes.append("offline") }
        let note = notes.isEmpty ? "" : "[" + notes.joined(separator: ", ") + "] "
        write("\r\u{1B}[K" + Printable.safe(note) + "> " + Printable.safe(String(input.suffix(200))))
    }

    private func write(_ text: String) { Terminal.put(Array(text.utf8)) }
}
