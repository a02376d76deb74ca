import RoostWire

// A reply may quote a message that predates the history of its reader: see decision 021.

extension ReplySnapshot {
    /// The snapshot for users who may not read the quoted message: its id, sender and type only.
    func withoutContent() -> ReplySnapshot {
        ReplySnapshot(
            messageID: messageID, seq: seq, senderID: senderID, senderName: senderName, sentAt: sentAt,
            content: MessageContent(type: type), isRecalled: isRecalled)
    }
}

extension ChannelState {
    /// Whether a row is hidden from any member whose history starts with the join.
    func isHidden(_ seq: Int64) -> Bool { members.values.contains { $0.pastSeq >= seq } }
}

extension Event {
    /// This row for a user who may not read the rows up to `seq`: a reply to one of them quotes no content.
    func hiding(upTo seq: Int64) -> Event {
        guard var message, let quoted = message.replyTo, quoted.seq <= seq,
            quoted.isRecalled != true
        else { return self }
        message.replyTo = quoted.withoutContent()
        var event = self
        event.message = message
        return event
    }

    /// The same for a stored frame. Only frames that contain `replyTo` are decoded.
    static func frame(_ frame: [UInt8], hidingUpTo seq: Int64) throws -> [UInt8] {
        guard seq > 0, frame.contains(replyTo) else { return frame }
        let event = try WireCodec.decodeEvent(frame)
        let shown = event.hiding(upTo: seq)
        return shown == event ? frame : try WireCodec.encode(shown)
    }

    private static let replyTo = Array("\"replyTo\"".utf8)
}

extension Array<UInt8> {
    /// Whether the array contains a sequence of bytes.
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first else { return true }
        var start = startIndex
        while let place = self[start...].firstIndex(of: first), count - place >= other.count {
            if self[place..<place + other.count].elementsEqual(other) { return true }
            start = place + 1
        }
        return false
    }
}
