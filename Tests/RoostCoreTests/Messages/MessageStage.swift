import RoostCore
import RoostTesting
import RoostWire
import Testing

extension Event {
    /// The message in this event, if a user sent it.
    var message: Message? {
        switch body {
        case .channel(.messageSent(let message)), .ephemeral(.messageRelayed(let message)): message
        default: nil
        }
    }

    /// The recall of its message.
    var recall: Recall? {
        switch body {
        case .channel(.messageSent(let message)): message.recall
        case .channel(.messageAnnounced(let announcement)): announcement.recall
        default: nil
        }
    }

    /// Whether only `resume` returns it: a message that was recalled silently, or the row of that recall.
    var isOfSilentRecall: Bool {
        if case .channel(.messageRecalled(let recalled)) = body { return recalled.isSilent }
        return recall?.isSilent == true
    }

    /// Whether this row counts as unread for a reader with this mark.
    func isUnread(by reader: UserID, mark: Int64) -> Bool {
        guard let seq, seq > mark, senderID != reader, recall == nil else { return false }
        return body.behaviour?.countsAsUnread == true
    }

    /// This row after other rows have been purged.
    func afterPurge(upTo seq: Int64) -> Event {
        guard case .channel(.messageSent(let message)) = body else { return self }
        var event = self
        event.body = .channel(.messageSent(message.afterPurge(upTo: seq)))
        return event
    }

    /// This row as any reader of the log has it, whenever it was read: without the field that orders its reactions.
    var withPlainReactions: Event {
        var event = self
        event.reactions = reactions.flatMap { $0.kinds.isEmpty ? nil : MessageReactions(head: 0, kinds: $0.kinds) }
        return event
    }

    /// This row as it was delivered live.
    var withoutReactions: Event {
        var event = self
        event.reactions = nil
        return event
    }

    func mentions(_ user: UserID) -> Bool { message?.mentions?.contains { $0.userID == user } ?? false }
}

extension TestSession {
    /// Sends a text and returns its id.
    func post(_ text: String, to channel: ChannelID) async throws -> MessageID {
        try #require(try await send(text, to: channel).messageID)
    }

    /// Sends a message and returns its id.
    func post(_ send: SendMessage) async throws -> MessageID { try #require(try await perform(send).messageID) }

    @discardableResult
    func recall(
        _ messages: MessageID..., in channel: ChannelID, isSilent: Bool? = nil
    ) async throws -> MessageResults {
        try await perform(RecallMessages(channel: channel, messageIDs: messages, isSilent: isSilent))
    }

    @discardableResult
    func delete(_ messages: MessageID..., in channel: ChannelID) async throws -> MessageResults {
        try await perform(DeleteMessages(messages, in: channel))
    }

    /// The row of a message as `message.get` returns it.
    func row(_ message: MessageID, in channel: ChannelID) async throws -> Event? {
        try await perform(GetMessages(channel: channel, messageIDs: [message])).events.first
    }

    /// The rows of a channel that `resume` replays to a device that has none.
    func replay(_ channel: ChannelID, after seq: Int64 = 0) async throws -> [Event] {
        let resume = Resume(channels: [ChannelPosition(channel: channel, seq: seq)])
        return try await perform(resume).events.filter { $0.channel == channel }
    }

    /// The number of unread messages of a channel, counted in the log that the user may read.
    func recount(_ channel: ChannelID) async throws -> Int {
        let mark = try #require(try await self.channel(channel).readSeq)
        return try await log(of: channel).count { $0.isUnread(by: userID, mark: mark) }
    }
}

extension SendMessage {
    /// One message of every type that can be sent, with all its fields and new files of the sender; Bob must be
    /// a member.
    static func everyKind(in channel: ChannelID, from sender: TestSession) async throws -> [SendMessage] {
        let picture = try await sender.file("Plan 😀.png", "image/png", size: 300_000)
        func thumbnail() async throws -> FileReference { try await sender.file("small.png", "image/png", size: 0) }
        let video = try await sender.file("film.mp4", "video/mp4")
        let voice = try await sender.file("note.ogg", "audio/ogg")
        let contact = try await sender.file("dee.vcf", "text/vcard")
        let document = try await sender.file("plan.pdf", "application/pdf")
        let mentions = [Mention(userID: Cast.bob.userID, start: 0, length: 4)]
        let extras = ["width": "640", "note": "\"\\\u{1F600}"]
        let place = Location(latitude: 25.033_611, longitude: -121.565_000_1, address: "Taipei 101")
        func kind(
            _ type: String?, _ text: String = "", _ mentions: [Mention]? = nil, file: FileReference? = nil,
            thumbnail: FileReference? = nil, location: Location? = nil, attributes: Int? = nil,
            call: CallNotice? = nil
        ) -> SendMessage {
            SendMessage(
                channel: channel, type: type, text: text, mentions: mentions, file: file, thumbnail: thumbnail,
                location: location, extras: extras, category: "app", attributes: attributes, call: call)
        }
        return [
            kind("text", "@Bob 😀 look", mentions),
            kind("sticker", "pack,3013,2"),
            kind("image", "@Bob caption", mentions, file: picture, thumbnail: try await thumbnail()),
            kind("video", file: video, thumbnail: try await thumbnail()),
            kind("voice", file: voice),
            kind("contact", "Dee", file: contact, thumbnail: try await thumbnail()),
            kind("location", "here", location: place),
            kind("document", file: document),
            kind("screenshotTaken"),
            kind("messageCopied"),
            kind("messagesForwarded", "two"),
            kind("messageSaved"),
            kind("callReceived", call: CallNotice(callID: "c-1", kind: .video)),
            kind("callCancelled", "busy", call: CallNotice(callID: "c-1", kind: .video)),
            kind("callRecorded", call: CallNotice(callID: "c-1", kind: .voice, result: .missed, durationMs: 0)),
            kind("custom", "@Bob own", mentions, attributes: 63),
            kind("customQuiet", "@Bob quiet", mentions),
            kind("customUncounted"),
        ]
    }
}

extension QueryMessages {
    /// `count` rows after the time; before it if `count` is negative.
    init(channel: ChannelID? = nil, time: Int64, count: Int, category: String? = nil) {
        self.init(
            channel: channel, time: .init(milliseconds: time), direction: count < 0 ? .before : .after,
            category: category,
            limit: Int(clamping: count.magnitude))
    }
}

extension Message {
    /// Whether this message has exactly the content that was sent.
    func carries(_ send: SendMessage) -> Bool {
        type == send.type ?? "text" && text == send.text && mentions == send.mentions && file == send.file
            && thumbnail == send.thumbnail && location == send.location && extras == send.extras
            && category == send.category && attributes == send.attributes && call == send.call && recall == nil
    }

    /// Whether no content is left; the delivery flags of a custom type do not count as content.
    var isShell: Bool {
        text.isEmpty && mentions == nil && replyTo == nil && file == nil && thumbnail == nil && location == nil
            && extras == nil && category == nil && call == nil && vote == nil && recall != nil
    }
}
