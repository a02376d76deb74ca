import RoostWire

// What an answer quotes may be from before the history of somebody who reads the answer: decision 021.

extension ReplySnapshot {
    /// The snapshot for those who may not read the message in it: which one it is, whose, and of what type.
    func withoutContent() -> ReplySnapshot {
        ReplySnapshot(
            messageID: messageID, seq: seq, senderID: senderID, senderName: senderName, sentAt: sentAt,
            content: MessageContent(type: type), isRecalled: isRecalled)
    }
}

extension MemberState {
    /// The last row from before the member's join that the member may not read; none of a history that begins with the
    /// channel, or that the member has cleared.
    static func pastSeq(floorSeq: Int64, joinedSeq: Int64) -> Int64 { max(0, min(floorSeq, joinedSeq - 1)) }
}

extension ChannelState {
    /// Whether there is a member from whose history, which begins with the join, a row is left out.
    func isHidden(_ seq: Int64) -> Bool {
        members.values.contains {
            MemberState.pastSeq(floorSeq: $0.floorSeq, joinedSeq: $0.joinedSeq) >= seq
        }
    }
}

extension Event {
    /// This row for somebody who may not read the rows up to one: an answer to one of these quotes nothing.
    func hiding(upTo seq: Int64) -> Event {
        guard case .channel(.messageSent(var message)) = body, let quoted = message.replyTo, quoted.seq <= seq,
            quoted.isRecalled != true
        else { return self }
        message.replyTo = quoted.withoutContent()
        var event = self
        event.body = .channel(.messageSent(message))
        return event
    }

    /// The same with a stored frame. Few readers have a history that begins later than the channel, and of their
    /// rows only those that mention an answered message are looked into.
    static func frame(_ frame: [UInt8], hidingUpTo seq: Int64) throws -> [UInt8] {
        guard seq > 0, frame.contains(replyTo) else { return frame }
        let event = try WireCodec.decodeEvent(frame)
        let shown = event.hiding(upTo: seq)
        return shown == event ? frame : try WireCodec.encode(shown)
    }

    private static let replyTo = Array("\"replyTo\"".utf8)
}

extension Array<UInt8> {
    /// Whether some bytes stand in it, one after the other.
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
