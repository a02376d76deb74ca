import RoostWire

extension AnyCommand {
    /// The case of a command of an app; nothing for `hello` and `resume`, which are the client's own, and for strangers.
    init?(_ command: any Command) {
        switch command {
        case let command as SendMessage: self = .sendMessage(command)
        case let command as ListMessages: self = .listMessages(command)
        case let command as SetReadMark: self = .setReadMark(command)
        case let command as StartTyping: self = .startTyping(command)
        case let command as EndTyping: self = .endTyping(command)
        case let command as GetChannel: self = .getChannel(command)
        case let command as ListChannels: self = .listChannels(command)
        case let command as QueryChannels: self = .queryChannels(command)
        case let command as ListOpenChannels: self = .listOpenChannels(command)
        case let command as JoinChannel: self = .joinChannel(command)
        case let command as LeaveChannel: self = .leaveChannel(command)
        case let command as HideChannel: self = .hideChannel(command)
        case let command as EndChannel: self = .endChannel(command)
        case let command as CreateChannel: self = .createChannel(command)
        case let command as SetChannelProfile: self = .setChannelProfile(command)
        case let command as SetChannelPreference: self = .setChannelPreference(command)
        case let command as DismissChannel: self = .dismissChannel(command)
        case let command as InviteMembers: self = .inviteMembers(command)
        case let command as AnswerInvitation: self = .answerInvitation(command)
        case let command as BecomeMember: self = .becomeMember(command)
        case let command as KickMembers: self = .kickMembers(command)
        case let command as BanMembers: self = .banMembers(command)
        case let command as UnbanMembers: self = .unbanMembers(command)
        case let command as SetMemberRole: self = .setMemberRole(command)
        case let command as ListMembers: self = .listMembers(command)
        case let command as ListMemberReads: self = .listMemberReads(command)
        case let command as AnnounceMessage: self = .announceMessage(command)
        case let command as RecallMessages: self = .recallMessages(command)
        case let command as DeleteMessages: self = .deleteMessages(command)
        case let command as QueryMessages: self = .queryMessages(command)
        case let command as GetMessages: self = .getMessages(command)
        case let command as ListReaders: self = .listReaders(command)
        case let command as CountReads: self = .countReads(command)
        case let command as SetAllReadMarks: self = .setAllReadMarks(command)
        case let command as UnsetReadMark: self = .unsetReadMark(command)
        case let command as ListReadMarks: self = .listReadMarks(command)
        case let command as GetUnread: self = .getUnread(command)
        case let command as ExplainUnread: self = .explainUnread(command)
        case let command as ListUsers: self = .listUsers(command)
        case let command as BlockUser: self = .blockUser(command)
        case let command as UnblockUser: self = .unblockUser(command)
        case let command as ListBlockedUsers: self = .listBlockedUsers(command)
        default: return nil
        }
    }
}
