package import RoostWire

extension Actor {
    /// The user whom the sender may talk to, if the sender is a visitor; nil for everybody else.
    package var host: UserID? { access?.host }

    /// Checks that a visitor does nothing but use the conversation with the host.
    ///
    /// What is not named here is refused, new commands too.
    /// - Throws: `WireError` 1107.
    package func checkVisit(_ command: AnyCommand) throws(WireError) {
        guard let host else { return }
        let channel = ChannelID(single: user.userID, host)
        let isAllowed =
            switch command {
            case .hello, .renew: true
            case .read(let command): Self.mayVisitorRead(command, in: channel, users: [user.userID, host])
            case .write(let command): Self.mayVisitorWrite(command, to: host) && isOnly(channel, command.value)
            case .move(let command): Self.mayVisitorMove(command) && isOnly(channel, command.value)
            case .serve: false
            }
        guard isAllowed else {
            throw WireError(.noPrivilege, "Visitors can only use the conversation with \(host).")
        }
    }

    /// Leaves all channels but the conversation with the host out of what a visitor resumes.
    func limited(_ command: ReadingCommand) -> ReadingCommand {
        guard let host, case .resume(var resume) = command else { return command }
        let channel = ChannelID(single: user.userID, host)
        resume.channels.removeAll { $0.channel != channel }
        return .resume(resume)
    }

    private func isOnly(_ channel: ChannelID, _ command: any Command) -> Bool {
        (command.changedChannels + command.seenChannels).allSatisfy { $0 == channel }
    }

    private static func mayVisitorRead(_ command: ReadingCommand, in channel: ChannelID, users: Set<UserID>) -> Bool {
        switch command {
        case .resume, .listChannels, .queryChannels, .listSchedules, .getUserSettings, .listBlockedUsers, .getFiles,
            .getDevice, .listDevices, .listLogins, .getUnread:
            true
        case .getUsers(let body): users.isSuperset(of: body.userIDs)
        case .getChannel(let body): body.channel == channel
        case .listMembers(let body): body.channel == channel
        case .listReactions(let body): body.channel == channel
        case .listPins(let body): body.channel == channel
        case .listMessages(let body): body.channel == channel
        case .getMessages(let body): body.channel == channel
        case .listReaders(let body): body.channel == channel
        case .countReads(let body): body.channel == channel
        case .queryMessages(let body): body.channel == channel
        case .listReadMarks(let body): body.channel == channel
        case .explainUnread(let body): body.channel == channel
        case .getVotes(let body): body.channel == channel
        case .listBallots(let body): body.channel == channel
        default: false
        }
    }

    private static func mayVisitorWrite(_ command: WritingCommand, to host: UserID) -> Bool {
        switch command {
        case .sendMessage(let body): body.type.map(Self.mayVisitorSend) ?? true
        case .recallMessages, .deleteMessages, .addReaction, .removeReaction, .addPin, .removePin, .castVote,
            .createFile, .deleteFile, .setUserProfile, .setUserSettings, .setChannelPreference, .hideChannel,
            .endChannel,
            .unsetReadMark, .setDeviceAddress, .setDeviceSettings, .removeDevice:
            true
        case .blockUser(let body): body.userID == host
        case .unblockUser(let body): body.userID == host
        case .createReport(let body): body.userID == nil || body.userID == host
        case .createChannel(let body): body.kind == .single && body.members?.map(\.userID) == [host]
        default: false
        }
    }

    private static func mayVisitorMove(_ command: MovingCommand) -> Bool {
        switch command {
        case .setReadMark, .setAllReadMarks, .startTyping, .endTyping: true
        case .joinChannel: false
        }
    }

    /// What people write and attach: no calls, which ring, and no types of the app's own. A type that does not exist is
    /// refused as such later.
    private static func mayVisitorSend(_ type: String) -> Bool {
        MessageType.named(type).map { $0.number < 100 } ?? true
    }
}

extension Transaction {
    /// How many bytes all files of a visitor may have together: nobody knows how many visitors somebody makes.
    static let maxVisitorBytes: Int64 = 10 << 20

    /// Checks that nobody is a visitor, who is in no channel but the 1-on-1 with one user. The users must have been loaded.
    /// - Throws: `WireError` 1107.
    func checkNoVisitors(_ users: [UserID]) throws(WireError) {
        for user in users {
            guard let host = batch.users[user]?.host else { continue }
            throw WireError(.noPrivilege, "\"\(user)\" is a visitor, who can only talk to \"\(host)\".")
        }
    }
}
