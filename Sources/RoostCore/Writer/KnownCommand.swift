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

extension WritingCommand {
    /// The hash of the content that two commands with the same transID must share.
    ///
    /// An optional field that is given with its default value makes no difference.
    func bodyHash() throws -> Int64 {
        var hash = BodyHash()
        if case .sendMessage(let send) = self {
            hash.combine(SendMessage.name)
            hash.combine(send.channel.rawValue)
            hash.combine(send.type)
            hash.combine(send.text)
            for mention in send.mentions ?? [] {
                hash.combine(mention.userID.rawValue)
                hash.combine("\(mention.start ?? -1) \(mention.length ?? -1)")
            }
            if !send.hasOnlyText {
                // The position in the order is not part of the content.
                var content = send
                content.after = nil
                hash.combine(try WireCodec.encodeSorted(content))
            }
        } else {
            let command = withoutDefaults
            hash.combine(type(of: command.value).name)
            hash.combine(try WireCodec.encodeSorted(command.value))
        }
        return hash.value
    }

    private var withoutDefaults: WritingCommand {
        switch self {
        case .createChannel(var command):
            if command.members?.isEmpty == true { command.members = nil }
            command.members = command.members?.map(\.withoutDefaults)
            if command.profile == ChannelProfile() { command.profile = nil }
            return .createChannel(command)
        case .inviteMembers(var command):
            command.members = command.members.map(\.withoutDefaults)
            if command.joinMethod == .normal { command.joinMethod = nil }
            return .inviteMembers(command)
        case .becomeMember(var command):
            if command.joinMethod == .normal { command.joinMethod = nil }
            return .becomeMember(command)
        case .kickMembers(var command):
            if command.reason == 0 { command.reason = nil }
            return .kickMembers(command)
        case .banMembers(var command):
            if command.reason == 0 { command.reason = nil }
            return .banMembers(command)
        case .recallMessages(var command):
            if command.isSilent == false { command.isSilent = nil }
            return .recallMessages(command)
        default: return self
        }
    }
}

extension NewMember {
    fileprivate var withoutDefaults: NewMember {
        var member = self
        if role == .participant { member.role = nil }
        return member
    }
}
