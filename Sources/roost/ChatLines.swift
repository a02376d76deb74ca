import Foundation
import RoostClient
import RoostTerminal
import RoostWire

extension Event {
    /// Whether the event says that the user is no longer in this channel.
    fileprivate func isEnd(of channel: ChannelID) -> Bool {
        switch body {
        case .user(.channelLeft(let left)): left.channel == channel
        case .user(.channelDismissed(let dismissed)): dismissed.channel == channel
        default: false
        }
    }
}

/// A line-by-line chat for pipes: prints each event and sends each line of input.
actor ChatLines {
    private let client: ChatClient
    private var handle: ChannelHandle?
    private var channel: Channel?
    private var me: UserID?
    private var shownSeq: Int64 = 0
    private var isConnected = true
    private var lastSend: PendingMessage?

    init(client: ChatClient) { self.client = client }

    /// Switches to a channel: shows its newest rows and marks new rows as read from then on.
    func open(_ handle: ChannelHandle) async throws {
        let user = await client.user
        me = user?.userID
        self.handle = handle
        let channel = try await handle.get()
        self.channel = channel
        let page = try await handle.history(limit: 20)
        shownSeq = max(channel.seq, page.events.last?.seq ?? 0)
        let title = user.map { ChannelRules.screenTitle(of: channel, for: $0.userID) } ?? channel.channel.rawValue
        show("── \(title) ── \(channel.kind == .open ? "open channel" : channel.kind.people(channel.memberCount))")
        for event in page.events where event.isShown { show(event.line()) }
        try await markRead()
    }

    /// Prints events until the stream ends.
    func follow(_ events: ClientEvents) async {
        for await event in events {
            switch event {
            case .event(let event, _): await handle(event)
            case .disconnected(let error):
                isConnected = false
                show("-- connection lost\(error.map { ": \($0.message)" } ?? ""), trying again")
            case .connected:
                if !isConnected { show("-- connected again") }
                isConnected = true
            case .sendFailed(let failed): show("!! not sent: \(failed.text) (\(failed.error.message))")
            default: break
            }
        }
    }

    private func handle(_ event: Event) async {
        guard let channel else { return }
        guard let id = event.channel else {
            if event.isEnd(of: channel.channel) { show(event.line()) }
            return
        }
        if id != channel.channel {
            if event.senderID != me, event.body.behaviour?.countsAsUnread == true {
                let place = id.pair == nil ? id.rawValue : "your 1-on-1 with \(event.senderID?.rawValue ?? "somebody")"
                show("-- new in \(place)")
            }
            return
        }
        switch event.body {
        case .ephemeral(.typingStarted), .ephemeral(.typingEnded), .ephemeral(.readMarkMoved),
            .ephemeral(.channelActiveCountChanged):
            break
        case .ephemeral(.messageRelayed): show(event.line())
        default:
            guard let seq = event.seq, seq > shownSeq else { return }
            shownSeq = seq
            if event.isShown { show(event.line()) }
            try? await markRead()
        }
    }

    private func markRead() async throws {
        guard channel?.kind != .open else { return }
        try await handle?.markRead(upTo: shownSeq)
    }

    /// Handles one line of input: a command or a message.
    /// - Returns: whether the user wants to quit.
    func handle(_ line: String) async throws -> Bool {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("/") { return try await run(text) }
        if !text.isEmpty { lastSend = handle?.enqueue(line) }
        return false
    }

    private func run(_ command: String) async throws -> Bool {
        let words = command.split(separator: " ").map(String.init)
        do {
            switch words.first {
            case "/quit", "/q": return true
            case "/dm":
                guard words.count == 2, let user = UserID(rawValue: words[1]) else {
                    show("Usage: /dm USER")
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

    /// Waits until the last message is acknowledged. Without a connection, it stays in the queue of the local store,
    /// if there is one.
    func close() async {
        if isConnected {
            _ = try? await lastSend?.sent
        } else if let handle, let store = client.store {
            // Writes are serialized, so once this one is done, the last message is on disk.
            do {
                try await store.setDraft(try await store.draft(in: handle.id), in: handle.id)
                let waiting = try await store.queue(in: handle.id).count
                if waiting > 0 { show("-- \(waiting) not sent yet; the next roost chat will send them") }
            } catch {
                show("!! \(error.message)")
            }
        }
    }

    private func show(_ line: String) { Terminal.printLine(Printable.safe(line)) }
}
