import RoostWire

extension Transaction {
    /// Runs a command that takes an idempotency key.
    mutating func write(_ command: WritingCommand) throws -> Outcome {
        switch command {
        case .sendMessage(let body): Outcome(acknowledgement: try send(body), needsKeyRow: false)
        case .blockUser(let body): try block(body)
        case .unblockUser(let body): try unblock(body)
        case .setUserProfile(let body): try setProfile(body)
        case .setUserSettings(let body): try setSettings(body)
        case .createChannel(let body): try create(body)
        case .leaveChannel(let body): try leave(body)
        case .hideChannel(let body): try hide(body)
        case .endChannel(let body): try end(body)
        case .setChannelProfile(let body): try setProfile(body)
        case .setChannelPreference(let body): try setPreference(body)
        case .dismissChannel(let body): try dismiss(body)
        case .inviteMembers(let body): try invite(body)
        case .answerInvitation(let body): try answerInvitation(body)
        case .becomeMember(let body): try become(body)
        case .kickMembers(let body): try kick(body)
        case .banMembers(let body): try ban(body)
        case .unbanMembers(let body): try unban(body)
        case .setMemberRole(let body): try setRole(body)
        case .sendMany(let body): try sendMany(body)
        case .announceMessage(let body): try announce(body)
        case .publishNews(let body): try publish(body)
        case .recallMessages(let body): try recall(body)
        case .deleteMessages(let body): try delete(body)
        case .createSchedule(let body): try createSchedule(body)
        case .changeSchedule(let body): try changeSchedule(body)
        case .cancelSchedule(let body): try cancelSchedule(body)
        case .unsetReadMark(let body): try unsetReadMark(body)
        case .createFile(let body): try createFile(body)
        case .deleteFile(let body): try deleteFile(body)
        case .setDeviceAddress(let body): try setDeviceAddress(body)
        case .setDeviceSettings(let body): try setDeviceSettings(body)
        case .removeDevice(let body): try removeDevice(body)
        case .endLogins(let body): try endLogins(body)
        case .setUserAccess(let body): try setAccess(body)
        case .deleteUser(let body): try deleteUser(body)
        case .createKey(let body): try createKey(body)
        case .revokeKey(let body): try revokeKey(body)
        case .forwardMessages(let body): try forward(body)
        case .createVote(let body): try createVote(body)
        case .castVote(let body): try cast(body)
        case .closeVote(let body): try closeVote(body)
        case .addReaction(let body): try react(body)
        case .removeReaction(let body): try removeReaction(body)
        case .addPin(let body): try pin(body)
        case .removePin(let body): try unpin(body)
        case .createBroadcast(let body): try createBroadcast(body)
        case .pauseBroadcast(let body): try setBroadcast(body.broadcastID, to: .paused)
        case .resumeBroadcast(let body): try setBroadcast(body.broadcastID, to: .running)
        case .cancelBroadcast(let body): try setBroadcast(body.broadcastID, to: .cancelled)
        case .createReport(let body): try createReport(body)
        case .closeReport(let body): try closeReport(body)
        }
    }

    /// Runs a command that takes no idempotency key.
    mutating func move(_ command: MovingCommand) throws -> [UInt8] {
        switch command {
        case .joinChannel(let body): return try join(body)
        case .setReadMark(let body): return try setReadMark(body)
        case .setAllReadMarks: return try setAllReadMarks()
        case .startTyping(let body): try startTyping(body.channel)
        case .endTyping(let body): try stopTyping(body.channel)
        }
        return Array("{}".utf8)
    }
}

extension Reads {
    /// Runs a command that only reads.
    func run(_ command: ReadingCommand) throws -> [UInt8] {
        switch command {
        case .resume(let body): try resume(body)
        case .getUsers(let body): try getUsers(body)
        case .listBlockedUsers(let body): try listBlocked(body)
        case .getUserSettings: try getUserSettings()
        case .getChannel(let body): try getChannel(body)
        case .listChannels(let body): try listChannels(body)
        case .queryChannels(let body): try queryChannels(body)
        case .listOpenChannels(let body): try listOpenChannels(body)
        case .listMembers(let body): try listMembers(body)
        case .listMemberReads(let body): try listMemberReads(body)
        case .listMessages(let body): try listMessages(body)
        case .queryMessages(let body): try queryMessages(body)
        case .getMessages(let body): try getMessages(body)
        case .listReaders(let body): try listReaders(body)
        case .countReads(let body): try countReads(body)
        case .listReadMarks(let body): try listReadMarks(body)
        case .listSchedules(let body): try listSchedules(body)
        case .getUnread: try getUnread()
        case .explainUnread(let body): try explainUnread(body)
        case .getFiles(let body): try getFiles(body)
        case .getDevice: try getDevice()
        case .listDevices: try listDevices()
        case .listLogins: try listLogins()
        case .getAccount(let body): try getAccount(body)
        case .findUsers(let body): try findUsers(body)
        case .listKeys: try listKeys()
        case .getOrigin(let body): try getOrigin(body)
        case .listVotes(let body): try listVotes(body)
        case .getVotes(let body): try getVotes(body)
        case .listBallots(let body): try listBallots(body)
        case .listReactions(let body): try listReactions(body)
        case .listPins(let body): try listPins(body)
        case .listNews(let body): try listNews(body)
        case .getBroadcast(let body): try getBroadcast(body)
        case .listBroadcasts(let body): try listBroadcasts(body)
        case .listReports(let body): try listReports(body)
        }
    }
}
