import RoostWire

// A damaged row of a log is like a row that its reader may not see: only its number is left.
extension SQLRow {
    /// The stored event of a row in a channel's log; `row.removed` if it is damaged.
    /// - Parameters:
    ///   - count: how many messages of the channel count as unread up to this row.
    ///   - end: the last row that the reader may not read, so that a reply to it quotes no content.
    func frame(
        _ column: Int, of channel: ChannelID, _ seq: Int64, count: Int64? = nil, hidingUpTo end: Int64 = 0
    ) throws -> [UInt8] {
        do {
            return try Event.frame(json(column), hidingUpTo: end)
        } catch {
            damage?.note("channel_log", of: channel.rawValue, seq, error)
            return try Event.number(seq, of: channel, count: count)
        }
    }

    /// The same, decoded.
    func event(_ column: Int, of channel: ChannelID, _ seq: Int64) throws -> Event {
        do {
            return try WireCodec.decodeEvent(json(column))
        } catch {
            damage?.note("channel_log", of: channel.rawValue, seq, error)
            return Event(channel: channel, seq: seq, body: .channel(.rowRemoved(RowRemoved())))
        }
    }

    /// The stored event of a row in a user's log; nil if it is damaged.
    func frame(_ column: Int, of user: UserID, _ seq: Int64) -> [UInt8]? {
        do {
            return try json(column)
        } catch {
            damage?.note("user_log", of: user.rawValue, seq, error)
            return nil
        }
    }

    /// Content that is a JSON object.
    /// - Throws: `DatabaseFailure` `.corrupt` if it is damaged.
    func json(_ column: Int) throws -> [UInt8] {
        let bytes = try content(column)
        guard bytes.first == UInt8(ascii: "{") else {
            throw DatabaseFailure(.corrupt, "a stored value is not an object")
        }
        return bytes
    }
}

extension Event {
    /// Whether only the number of the row is left.
    var isNumber: Bool {
        if case .channel(.rowRemoved) = body { true } else { false }
    }

    /// A row that the reader may not see, reduced to its number.
    static func number(_ seq: Int64, of channel: ChannelID, count: Int64? = nil) throws -> [UInt8] {
        try WireCodec.encode(Event(channel: channel, seq: seq, body: .channel(.rowRemoved(RowRemoved(count: count)))))
    }
}
