import RoostWire

/// A member as the writer knows it.
struct MemberState {
    var role: Role
    var floorSeq: Int64 = 0
    var hiddenSeq: Int64 = -1
    var markSeq: Int64 = 0
    var markCount: Int64 = 0
    var markAt: Int64 = 0
    var joinedSeq: Int64 = 0
    /// The member's own messages above the mark: they count in the channel but not as unread.
    var own: Int64 = 0
}

/// A channel's head and members as the writer knows them.
struct ChannelState {
    var id: ChannelID
    var kind: ChannelKind
    var title: String?
    var seq: Int64 = 0
    var count: Int64 = 0
    var lastSentAt: Int64 = 0
    var lastMessageSeq: Int64 = 0
    var version: Int64 = 1
    /// Empty for an open channel: participation belongs to sessions.
    var members: [UserID: MemberState] = [:]
    /// The batch in which it was last used.
    var usedIn: UInt64 = 0

    func unread(of member: MemberState) -> Int {
        ReadRules.unread(count: count, markCount: member.markCount, own: member.own)
    }
}

/// A user's head as the writer knows it.
struct UserState {
    var user: User
    var seq: Int64 = 0
    var lastSentAt: Int64 = 0
}

/// The key of a command: unique per user.
struct CommandKey: Hashable {
    var user: UserID
    var transID: TransID
}

/// A command that was accepted before, and its answer.
struct KnownCommand {
    var hash: Int64
    var answer: [UInt8]
}

/// One (channel, user) pair.
struct MemberKey: Hashable {
    var channel: ChannelID
    var user: UserID
}

/// A hash of a command's content, the same in every process: FNV-1a over the fields.
///
/// It only tells a user's own retry from a user's own mistake, so it need not resist an attacker.
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

extension AnyCommand {
    /// What two sends of one transID must share.
    func bodyHash() throws -> Int64 {
        var hash = BodyHash()
        hash.combine(type(of: value).name)
        if case .sendMessage(let send) = self {
            hash.combine(send.channel.rawValue)
            hash.combine(send.type)
            hash.combine(send.text)
            for mention in send.mentions ?? [] {
                hash.combine(mention.userID.rawValue)
                hash.combine("\(mention.start ?? -1) \(mention.length ?? -1)")
            }
        } else {
            hash.combine(try WireCodec.encodeSorted(value))
        }
        return hash.value
    }
}
