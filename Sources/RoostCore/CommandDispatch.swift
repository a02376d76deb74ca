import RoostWire

extension Writer {
    /// Carries out a command that takes a key.
    func write(
        _ command: AnyCommand, transID: TransID, hash: Int64, _ actor: Actor, in batch: inout Batch,
        _ connection: any SQLConnection
    ) throws -> Outcome {
        switch command {
        case .blockUser(let body): try block(body, transID: transID, actor, in: &batch, connection)
        case .unblockUser(let body): try unblock(body, transID: transID, actor, in: &batch, connection)
        case .createChannel(let body): try create(body, transID: transID, actor, in: &batch, connection)
        case .leaveChannel(let body): try leave(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .hideChannel(let body): try hide(body, transID: transID, actor, in: &batch, connection)
        case .endChannel(let body): try end(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .setChannelProfile(let body):
            try setProfile(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .setChannelPreference(let body):
            try setPreference(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .dismissChannel(let body): try dismiss(body, transID: transID, actor, in: &batch, connection)
        case .inviteMembers(let body): try invite(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .answerInvitation(let body):
            try answerInvitation(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .becomeMember(let body): try become(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .kickMembers(let body): try kick(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .banMembers(let body): try ban(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .unbanMembers(let body): try unban(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .setMemberRole(let body): try setRole(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .sendMany(let body): try sendMany(body, transID: transID, actor, in: &batch, connection)
        case .announceMessage(let body):
            try announce(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .publishNews(let body): try publish(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .recallMessages(let body): try recall(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .deleteMessages(let body): try delete(body, transID: transID, actor, in: &batch, connection)
        case .createSchedule(let body): try createSchedule(body, transID: transID, actor, in: &batch, connection)
        case .changeSchedule(let body): try changeSchedule(body, transID: transID, actor, in: &batch, connection)
        case .cancelSchedule(let body): try cancelSchedule(body, transID: transID, actor, in: &batch, connection)
        case .unsetReadMark(let body): try unsetReadMark(body, transID: transID, actor, in: &batch, connection)
        case .forwardMessages(let body): try forward(body, transID: transID, actor, in: &batch, connection)
        case .createVote(let body): try createVote(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .castVote(let body): try cast(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .closeVote(let body): try closeVote(body, transID: transID, hash: hash, actor, in: &batch, connection)
        case .createBroadcast(let body): try createBroadcast(body, transID: transID, actor, in: &batch, connection)
        case .pauseBroadcast(let body):
            try setBroadcast(body.broadcastID, to: .paused, transID: transID, actor, in: &batch, connection)
        case .resumeBroadcast(let body):
            try setBroadcast(body.broadcastID, to: .running, transID: transID, actor, in: &batch, connection)
        case .cancelBroadcast(let body):
            try setBroadcast(body.broadcastID, to: .cancelled, transID: transID, actor, in: &batch, connection)
        case .sendMessage, .hello, .resume, .listUsers, .listBlockedUsers, .getChannel, .listChannels, .queryChannels,
            .listOpenChannels, .joinChannel, .listMembers, .listMemberReads, .listMessages, .queryMessages,
            .getMessages, .listReaders, .countReads, .setReadMark, .setAllReadMarks, .listReadMarks, .getUnread,
            .explainUnread, .listSchedules, .startTyping, .endTyping, .getOrigin, .listVotes, .getVotes, .listBallots,
            .listNews, .getBroadcast, .listBroadcasts:
            throw WireError(.internalFault)
        }
    }

    /// Carries out a command that takes no key.
    func move(
        _ command: AnyCommand, _ actor: Actor, in batch: inout Batch, _ connection: any SQLConnection
    ) throws -> [UInt8] {
        switch command {
        case .joinChannel(let body): return try join(body, actor, in: &batch, connection)
        case .setReadMark(let body): return try setReadMark(body, actor, in: &batch, connection)
        case .setAllReadMarks: return try setAllReadMarks(actor, in: &batch, connection)
        case .startTyping(let body): try startTyping(body.channel, actor, in: &batch, connection)
        case .endTyping(let body): try stopTyping(body.channel, actor, in: &batch, connection)
        case .blockUser, .unblockUser, .createChannel, .leaveChannel, .hideChannel, .endChannel, .setChannelProfile,
            .setChannelPreference, .dismissChannel, .inviteMembers, .answerInvitation, .becomeMember, .kickMembers,
            .banMembers, .unbanMembers, .setMemberRole, .sendMessage, .sendMany, .announceMessage, .recallMessages,
            .deleteMessages, .createSchedule, .changeSchedule, .cancelSchedule, .listSchedules, .unsetReadMark, .hello,
            .resume, .listUsers, .listBlockedUsers, .getChannel,
            .listChannels, .queryChannels, .listOpenChannels, .listMembers, .listMemberReads, .listMessages,
            .queryMessages, .getMessages, .listReaders, .countReads, .listReadMarks, .getUnread, .explainUnread,
            .forwardMessages, .getOrigin, .createVote, .castVote, .closeVote, .listVotes, .getVotes, .listBallots,
            .publishNews, .listNews, .createBroadcast, .pauseBroadcast, .resumeBroadcast, .cancelBroadcast,
            .getBroadcast, .listBroadcasts:
            throw WireError(.internalFault)
        }
        return Array("{}".utf8)
    }
}

extension Reads {
    /// Carries out a command that reads.
    func run(_ command: AnyCommand, _ actor: Actor, epoch: String) throws -> [UInt8] {
        switch command {
        case .resume(let body): try resume(body, actor, epoch: epoch)
        case .listUsers(let body): try listUsers(body)
        case .listBlockedUsers(let body): try listBlocked(body, actor)
        case .getChannel(let body): try getChannel(body, actor)
        case .listChannels(let body): try listChannels(body, actor)
        case .queryChannels(let body): try queryChannels(body, actor)
        case .listOpenChannels(let body): try listOpenChannels(body)
        case .listMembers(let body): try listMembers(body, actor)
        case .listMemberReads(let body): try listMemberReads(body, actor)
        case .listMessages(let body): try listMessages(body, actor)
        case .queryMessages(let body): try queryMessages(body, actor)
        case .getMessages(let body): try getMessages(body, actor)
        case .listReaders(let body): try listReaders(body, actor)
        case .countReads(let body): try countReads(body, actor)
        case .listReadMarks(let body): try listReadMarks(body, actor)
        case .listSchedules(let body): try listSchedules(body, actor)
        case .getUnread: try getUnread(actor)
        case .explainUnread(let body): try explainUnread(body, actor)
        case .getOrigin(let body): try getOrigin(body, actor)
        case .listVotes(let body): try listVotes(body, actor)
        case .getVotes(let body): try getVotes(body, actor)
        case .listBallots(let body): try listBallots(body, actor)
        case .listNews(let body): try listNews(body, actor)
        case .getBroadcast(let body): try getBroadcast(body, actor)
        case .listBroadcasts(let body): try listBroadcasts(body, actor)
        case .hello:
            throw WireError(.dataFormat, "This connection has said hello already.")
        case .blockUser, .unblockUser, .createChannel, .joinChannel, .leaveChannel, .hideChannel, .endChannel,
            .setChannelProfile, .setChannelPreference, .dismissChannel, .inviteMembers, .answerInvitation,
            .becomeMember, .kickMembers, .banMembers, .unbanMembers, .setMemberRole, .sendMessage, .sendMany,
            .createSchedule, .changeSchedule, .cancelSchedule, .announceMessage,
            .recallMessages, .deleteMessages, .setReadMark, .setAllReadMarks, .unsetReadMark, .startTyping,
            .endTyping, .forwardMessages, .createVote, .castVote, .closeVote, .publishNews, .createBroadcast,
            .pauseBroadcast, .resumeBroadcast, .cancelBroadcast:
            throw WireError(.internalFault)
        }
    }
}
