package import RoostWire

/// The idempotency key of a command, unique per user.
struct CommandKey: Hashable {
    var user: UserID
    var transID: TransID
}

/// A command that was accepted earlier, and its answer.
struct KnownCommand {
    var hash: Int64
    var answer: [UInt8]
}

/// A hash of a command's content that is the same in every process: FNV-1a over the fields.
///
/// It only distinguishes a retry from a mistake by the same user, so it need not resist attacks.
struct BodyHash {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ text: String?) {
        guard let text else {
            combine(byte: 0xFF)
            return
        }
        for byte in text.utf8 { combine(byte: byte) }
        combine(byte: 0xFE)
    }

    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { combine(byte: byte) }
    }

    private mutating func combine(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }

    var value: Int64 { Int64(bitPattern: state) }
}

extension Command {
    /// The hash of the content that two commands of the server itself with the same transID must share.
    package func contentHash() throws -> Int64 {
        var hash = BodyHash()
        hash.combine(Self.name)
        hash.combine(try WireCodec.encodeSorted(self))
        return hash.value
    }
}

extension Acknowledgement {
    /// Recreates the answer to the command that wrote this row. If the row is damaged, it lacks the id of the message.
    /// - Parameter sentAt: the time of the row, in ms since 1970.
    init(repeating event: Event, transID: TransID, sentAt: Int64) {
        self.init(
            channel: event.channel, seq: event.seq, messageID: event.messageID, transID: transID,
            sentAt: .init(milliseconds: sentAt))
    }
}
