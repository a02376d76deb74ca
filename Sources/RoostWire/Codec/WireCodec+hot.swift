/// The hand-written part of the codec: the three frames of every message, and the answer to `hello`.
extension WireCodec {
    /// Reads the body of `message.send`; nil for anything but the keys of a plain text, which Codable then reads.
    static func sendMessage(_ body: JSONReader) -> SendMessage? {
        var reader = body
        var channel: ChannelID?
        var type: String?
        var text: String?
        var after: TransID?
        do {
            try reader.object { reader, key in
                switch key {
                case "channel" where channel == nil: channel = ChannelID(rawValue: try reader.string())
                case "type" where type == nil: type = try reader.string()
                case "text" where text == nil: text = try reader.string()
                case "after" where after == nil: after = try identifier(&reader)
                default: throw JSONFault.tooComplex
                }
            }
            try reader.finish()
        } catch {
            return nil
        }
        guard let channel, let text else { return nil }
        guard let type else { return SendMessage(MessageContent(.text, text: text), to: channel, after: after) }
        return SendMessage(channel: channel, type: type, text: text, after: after)
    }

    /// Reads the body of `resume`, which may name a thousand channels; nil for anything but the plain case.
    static func resume(_ body: JSONReader) -> Resume? {
        var reader = body
        var resume = Resume()
        var seen: Set<String> = []
        do {
            try reader.object { reader, key in
                guard seen.insert(key).inserted else { throw JSONFault.tooComplex }
                switch key {
                case "epoch": resume.epoch = try reader.string()
                case "userSeq": resume.userSeq = try reader.int()
                case "channels": try reader.array { resume.channels.append(try position(&$0)) }
                default: throw JSONFault.tooComplex
                }
            }
            try reader.finish()
        } catch {
            return nil
        }
        return seen.contains("channels") ? resume : nil
    }

    private static func position(_ reader: inout JSONReader) throws -> ChannelPosition {
        var channel: ChannelID?
        var seq: Int64?
        try reader.object { reader, key in
            switch key {
            case "channel" where channel == nil: channel = ChannelID(rawValue: try reader.string())
            case "seq" where seq == nil: seq = try reader.int()
            default: throw JSONFault.tooComplex
            }
        }
        guard let channel, let seq else { throw JSONFault.tooComplex }
        return ChannelPosition(channel: channel, seq: seq)
    }

    /// Writes the body of `message.send`: a plain text by hand, everything else by Codable.
    static func write(_ send: SendMessage, to writer: inout JSONWriter) throws {
        guard send.hasOnlyText else { return writer.splice(try encodeSorted(send)) }
        writer.open("{")
        writer.key("channel")
        writer.string(send.channel.rawValue)
        if let type = send.type {
            writer.key("type")
            writer.string(type)
        }
        writer.key("text")
        writer.string(send.text)
        if let mentions = send.mentions {
            writer.key("mentions")
            write(mentions, to: &writer)
        }
        if let after = send.after {
            writer.key("after")
            writer.string(after.rawValue)
        }
        writer.close("}")
    }

    private static func write(_ mentions: [Mention], to writer: inout JSONWriter) {
        writer.open("[")
        for mention in mentions {
            writer.open("{")
            writer.key("userID")
            writer.string(mention.userID.rawValue)
            if let start = mention.start {
                writer.key("start")
                writer.int(Int64(start))
            }
            if let length = mention.length {
                writer.key("length")
                writer.int(Int64(length))
            }
            writer.close("}")
        }
        writer.close("]")
    }

    /// Writes an acknowledgement.
    package static func encode(_ acknowledgement: Acknowledgement) -> [UInt8] {
        var writer = JSONWriter(capacity: 192)
        writer.open("{")
        if let channel = acknowledgement.channel {
            writer.key("channel")
            writer.string(channel.rawValue)
        }
        if let seq = acknowledgement.seq {
            writer.key("seq")
            writer.int(seq)
        }
        if let seqs = acknowledgement.seqs {
            writer.key("seqs")
            writer.open("[")
            for seq in seqs { writer.int(seq) }
            writer.close("]")
        }
        if let messageID = acknowledgement.messageID {
            writer.key("messageID")
            writer.string(messageID.rawValue)
        }
        writer.key("transID")
        writer.string(acknowledgement.transID.rawValue)
        writer.key("sentAt")
        writer.int(acknowledgement.$sentAt)
        writer.close("}")
        return writer.bytes
    }

    /// Writes the answer to `hello`. The limits are the same in all of them, so they come as JSON.
    package static func encode(_ welcome: Welcome, limits: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: 512 + limits.count)
        writer.open("{")
        writer.key("user")
        writer.open("{")
        writer.key("userID")
        writer.string(welcome.user.userID.rawValue)
        writer.key("name")
        writer.string(welcome.user.name)
        if let image = welcome.user.imageURL {
            writer.key("imageURL")
            writer.string(image)
        }
        writer.close("}")
        writer.key("isOperator")
        writer.bool(welcome.isOperator)
        writer.key("serverTime")
        writer.int(welcome.$serverTime)
        writer.key("epoch")
        writer.string(welcome.epoch)
        writer.key("heartbeat")
        writer.int(Int64(welcome.heartbeat))
        writer.key("limits")
        writer.splice(limits)
        writer.key("userSeq")
        writer.int(welcome.userSeq)
        if let expiresAt = welcome.$expiresAt {
            writer.key("expiresAt")
            writer.int(expiresAt)
        }
        if let imageOrigins = welcome.imageOrigins {
            writer.key("imageOrigins")
            writer.open("[")
            for origin in imageOrigins { writer.string(origin) }
            writer.close("]")
        }
        writer.close("}")
        return writer.bytes
    }

    /// Writes an event: `message.sent` by hand where it is a plain text, everything else by Codable.
    package static func encode(_ event: Event) throws -> [UInt8] {
        guard case .channel(.messageSent(let message)) = event.body, message.hasOnlyText else {
            return try encodeSorted(event)
        }
        var writer = JSONWriter(capacity: 320 + message.text.utf8.count)
        writer.open("{")
        writer.key("event")
        writer.string(event.name)
        if let channel = event.channel {
            writer.key("channel")
            writer.string(channel.rawValue)
        }
        if let seq = event.seq {
            writer.key("seq")
            writer.int(seq)
        }
        if let userSeq = event.userSeq {
            writer.key("userSeq")
            writer.int(userSeq)
        }
        if let senderID = event.senderID {
            writer.key("senderID")
            writer.string(senderID.rawValue)
        }
        if let transID = event.transID {
            writer.key("transID")
            writer.string(transID.rawValue)
        }
        if let sentAt = event.$sentAt {
            writer.key("sentAt")
            writer.int(sentAt)
        }
        writer.key("body")
        write(message, to: &writer)
        writer.close("}")
        return writer.bytes
    }

    private static func write(_ message: Message, to writer: inout JSONWriter) {
        writer.open("{")
        writer.key("messageID")
        writer.string(message.messageID.rawValue)
        writer.key("type")
        writer.string(message.type)
        writer.key("text")
        writer.string(message.text)
        writer.key("senderName")
        writer.string(message.senderName)
        if let image = message.senderImageURL {
            writer.key("senderImageURL")
            writer.string(image)
        }
        if let mentions = message.mentions {
            writer.key("mentions")
            write(mentions, to: &writer)
        }
        writer.key("count")
        writer.int(message.count)
        if let isEncrypted = message.isEncrypted {
            writer.key("isEncrypted")
            writer.bool(isEncrypted)
        }
        writer.close("}")
    }

    /// Reads an event: `message.sent` by hand where it is plain, everything else by Codable.
    package static func decodeEvent(_ bytes: [UInt8]) throws -> Event {
        if let event = messageSent(bytes) { return event }
        return try decode(Event.self, from: bytes)
    }

    private static func messageSent(_ bytes: [UInt8]) -> Event? {
        var reader = JSONReader(bytes)
        var name: String?
        var message: Message?
        var event = Event(body: .unknown(""))
        do {
            try reader.object { reader, key in
                switch key {
                case "event" where name == nil: name = try reader.string()
                case "channel" where event.channel == nil: event.channel = try identifier(&reader)
                case "seq" where event.seq == nil: event.seq = try reader.int()
                case "senderID" where event.senderID == nil: event.senderID = try identifier(&reader)
                case "transID" where event.transID == nil: event.transID = try identifier(&reader)
                case "sentAt" where event.$sentAt == nil: event.$sentAt = try reader.int()
                case "body" where message == nil && name == EventName.messageSent.rawValue:
                    message = try plainMessage(&reader)
                default: throw JSONFault.tooComplex
                }
            }
            try reader.finish()
        } catch {
            return nil
        }
        guard let message else { return nil }
        event.body = .channel(.messageSent(message))
        return event
    }

    /// Reads an id; one that breaks its rule is left to Codable, which refuses it.
    private static func identifier<ID: Identifier>(_ reader: inout JSONReader) throws -> ID {
        guard let id = ID(rawValue: try reader.string()) else { throw JSONFault.tooComplex }
        return id
    }

    private static func plainMessage(_ reader: inout JSONReader) throws -> Message? {
        var messageID: MessageID?
        var type: String?
        var text: String?
        var senderName: String?
        var image: String?
        var count: Int64?
        var isEncrypted: Bool?
        try reader.object { reader, key in
            switch key {
            case "messageID" where messageID == nil: messageID = try identifier(&reader)
            case "type" where type == nil: type = try reader.string()
            case "text" where text == nil: text = try reader.string()
            case "senderName" where senderName == nil: senderName = try reader.string()
            case "senderImageURL" where image == nil: image = try reader.string()
            case "count" where count == nil: count = try reader.int()
            case "isEncrypted" where isEncrypted == nil: isEncrypted = try reader.bool()
            default: throw JSONFault.tooComplex
            }
        }
        guard let messageID, let type, let text, let senderName, let count else { return nil }
        return Message(
            messageID: messageID, content: MessageContent(MessageContent.Payload(bare: type), text: text),
            senderName: senderName,
            senderImageURL: image, count: count, isEncrypted: isEncrypted)
    }
}
