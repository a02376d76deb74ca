import RoostCore
import RoostTesting
import RoostWire
import Testing

extension Event {
    /// The message that it carries, if a user sent it.
    var message: Message? {
        switch body {
        case .channel(.messageSent(let message)), .ephemeral(.messageRelayed(let message)): message
        default: nil
        }
    }

    /// Whether its message was recalled.
    var recall: Recall? {
        switch body {
        case .channel(.messageSent(let message)): message.recall
        case .channel(.messageAnnounced(let announcement)): announcement.recall
        default: nil
        }
    }

    /// Whether this row is one more unread message for a reader with that mark.
    func isUnread(by reader: UserID, mark: Int64) -> Bool {
        guard let seq, seq > mark, senderID != reader, recall == nil else { return false }
        return body.behaviour?.countsAsUnread == true
    }

    /// This row after a purge of others.
    func afterPurge(upTo seq: Int64) -> Event {
        guard case .channel(.messageSent(let message)) = body else { return self }
        var event = self
        event.body = .channel(.messageSent(message.afterPurge(upTo: seq)))
        return event
    }

    /// This row without the field that tells how new its reactions are: the same at every time of reading.
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

    /// The row of a message as `message.get` reads it.
    func row(_ message: MessageID, in channel: ChannelID) async throws -> Event? {
        try await perform(GetMessages(channel: channel, messageIDs: [message])).events.first
    }

    /// The rows of a channel that `resume` replays to a device that has none.
    func replay(_ channel: ChannelID, after seq: Int64 = 0) async throws -> [Event] {
        let resume = Resume(channels: [ChannelPosition(channel: channel, seq: seq)])
        return try await perform(resume).events.filter { $0.channel == channel }
    }

    /// How many messages of a channel are unread, counted in the log that the user may read.
    func recount(_ channel: ChannelID) async throws -> Int {
        let mark = try #require(try await self.channel(channel).readSeq)
        return try await log(of: channel).count { $0.isUnread(by: userID, mark: mark) }
    }
}

extension SendMessage {
    /// One message of every type that can be sent, with all fields that it may have; Bob must be a member.
    static func everyKind(in channel: ChannelID) -> [SendMessage] {
        let file = FileReference(fileID: "files/1", name: "Plan 😀.bin", contentType: "image/png", size: 300_000)
        let thumbnail = FileReference(fileID: "files/2", size: 0)
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
            kind("image", "@Bob caption", mentions, file: file, thumbnail: thumbnail),
            kind("video", file: file, thumbnail: thumbnail),
            kind("voice", file: file),
            kind("contact", "Dee", file: file, thumbnail: thumbnail),
            kind("location", "here", location: place),
            kind("document", file: file),
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
    /// `count` rows after the moment, or before it if `count` is negative.
    init(channel: ChannelID? = nil, time: Int64, count: Int, category: String? = nil) {
        self.init(
            channel: channel, time: .init(milliseconds: time), direction: count < 0 ? .before : .after,
            category: category,
            limit: Int(clamping: count.magnitude))
    }
}

extension Message {
    /// Whether it carries exactly what was sent.
    func carries(_ send: SendMessage) -> Bool {
        type == send.type ?? "text" && text == send.text && mentions == send.mentions && file == send.file
            && thumbnail == send.thumbnail && location == send.location && extras == send.extras
            && category == send.category && attributes == send.attributes && call == send.call && recall == nil
    }

    /// Whether nothing of the content is left; how a custom message is delivered is not content.
    var isShell: Bool {
        text.isEmpty && mentions == nil && replyTo == nil && file == nil && thumbnail == nil && location == nil
            && extras == nil && category == nil && call == nil && vote == nil && recall != nil
    }
}
