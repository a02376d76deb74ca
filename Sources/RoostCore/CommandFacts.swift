import RoostWire

// What the writer has to know of single commands, in one place.

extension Change {
    /// The approximate number of channels to look up.
    var weight: Int {
        if case .write(.sendMessage) = self { return 1 }
        return max(1, min(value.changedChannels.count, 100))
    }

    /// Whether it makes room on the disk, or stops those who fill it.
    var makesRoom: Bool {
        guard case .write(let command) = self else { return false }
        return switch command {
        case .deleteFile, .deleteMessages, .recallMessages, .cancelSchedule, .leaveChannel, .dismissChannel,
            .kickMembers, .banMembers, .removeDevice, .endLogins, .setUserAccess, .deleteUser, .revokeKey,
            .pauseBroadcast, .cancelBroadcast:
            true
        default: false
        }
    }

    /// Whether it may store something.
    var isStored: Bool {
        switch self {
        case .move(.startTyping), .move(.endTyping), .move(.joinChannel): false
        case .move, .write: true
        }
    }
}

extension WritingCommand {
    /// Whether it is a send, which may be the predecessor of another one. It checks everything before it changes
    /// anything, so a refusal needs no rollback.
    var isSend: Bool {
        if case .sendMessage = self { true } else { false }
    }

    /// The send that must have been accepted before this one; nil if there is none.
    var predecessor: TransID? {
        if case .sendMessage(let send) = self { send.after } else { nil }
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
