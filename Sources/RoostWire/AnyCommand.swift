/// Every command of the protocol, by what it does to the order of a connection: the closed list.
///
/// The code that executes a group switches over it without `default`, so that the compiler
/// finds all places that a new case needs.
public enum AnyCommand: Hashable, Sendable {
    /// The first frame of a connection.
    indirect case hello(Hello)
    /// A new token for the connection.
    case renew(RenewSession)
    /// It reads stored state.
    case read(ReadingCommand)
    /// It changes stored state under its transID.
    case write(WritingCommand)
    /// It changes nothing durable, or only moves something monotone.
    case move(MovingCommand)
    /// The server carries it out beside the core, and it travels over HTTP only.
    case serve(ServedCommand)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .hello(let value): value
        case .renew(let value): value
        case .read(let command): command.value
        case .write(let command): command.value
        case .move(let command): command.value
        case .serve(let command): command.value
        }
    }

    /// The name on the wire.
    public var name: String { type(of: value).name }

    private static let types: [String: any Command.Type] = {
        let all: [any Command.Type] =
            [Hello.self, RenewSession.self] + ReadingCommand.types + WritingCommand.types + MovingCommand.types
            + ServedCommand.types
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()

    /// The names of all commands, sorted.
    public static var names: [String] { types.keys.sorted() }

    /// Reads the command with this name from its JSON body.
    /// - Throws: `WireError` 1002 for a name that is not in the list, 6 for a body that does not fit, with the `field`.
    public init(name: String, body: [UInt8]) throws(WireError) {
        guard let type = Self.types[name] else {
            throw WireError(
                .commandNotSupported, "There is no command \"\(name.prefix(64))\". The catalogue lists them all.")
        }
        do {
            self = try WireCodec.decode(type, from: body).any
        } catch let error as WireError {
            throw error
        } catch {
            throw WireCodec.refusal(of: body, as: type, error)
        }
    }

    /// What the command does to the order of a connection.
    public enum Effect: Sendable {
        /// It reads stored state, and waits for the commands before it.
        case reads
        /// It changes stored state under its transID.
        case writes
        /// It changes nothing that lasts, or only moves something forward, so it takes no transID.
        case moves
    }

    /// What the command does to the order of a connection.
    public var effect: Effect {
        switch self {
        case .hello, .renew, .read: .reads
        case .write: .writes
        case .move: .moves
        case .serve(let command): command.effect
        }
    }
}

/// A command that reads stored state: it waits for the commands before it.
///
/// It is indirect because commands with many fields would make every command large, and
/// each is passed on a dozen times.
public indirect enum ReadingCommand: Hashable, Sendable {
    /// Reads the rows that were missed.
    case resume(Resume)
    /// Reads users by id.
    case getUsers(GetUsers)
    /// Lists whom the caller has blocked.
    case listBlockedUsers(ListBlockedUsers)
    /// Reads the caller's settings.
    case getUserSettings(GetUserSettings)
    /// Reads a channel.
    case getChannel(GetChannel)
    /// Lists the caller's channels.
    case listChannels(ListChannels)
    /// Lists the caller's channels in numbered batches.
    case queryChannels(QueryChannels)
    /// Lists open channels.
    case listOpenChannels(ListOpenChannels)
    /// Lists members.
    case listMembers(ListMembers)
    /// Lists how far members have read.
    case listMemberReads(ListMemberReads)
    /// Lists what is scheduled.
    case listSchedules(ListSchedules)
    /// Returns the source of a forwarded message.
    case getOrigin(GetOrigin)
    /// Lists the votes of a channel.
    case listVotes(ListVotes)
    /// Reads votes by id.
    case getVotes(GetVotes)
    /// Lists who has voted.
    case listBallots(ListBallots)
    /// Lists who has reacted to a message.
    case listReactions(ListReactions)
    /// Lists the channels that carry news.
    case listNews(ListNews)
    /// Reads a broadcast.
    case getBroadcast(GetBroadcast)
    /// Lists broadcasts.
    case listBroadcasts(ListBroadcasts)
    /// Lists reports.
    case listReports(ListReports)
    /// Reads a page of a log.
    case listMessages(ListMessages)
    /// Reads rows by time.
    case queryMessages(QueryMessages)
    /// Reads messages by id.
    case getMessages(GetMessages)
    /// Lists who has read a message.
    case listReaders(ListReaders)
    /// Counts who has read messages.
    case countReads(CountReads)
    /// Lists how far the caller has read.
    case listReadMarks(ListReadMarks)
    /// Reads unread counts.
    case getUnread(GetUnread)
    /// Explains unread counts.
    case explainUnread(ExplainUnread)
    /// Reads files by id.
    case getFiles(GetFiles)
    /// Reads the calling device.
    case getDevice(GetDevice)
    /// Lists the caller's devices.
    case listDevices(ListDevices)
    /// Lists the devices on which the caller is logged in.
    case listLogins(ListLogins)
    /// Reads an account.
    case getAccount(GetAccount)
    /// Looks up users.
    case findUsers(FindUsers)
    /// Lists keys.
    case listKeys(ListKeys)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .resume(let value): value
        case .getUsers(let value): value
        case .listBlockedUsers(let value): value
        case .getUserSettings(let value): value
        case .getChannel(let value): value
        case .listChannels(let value): value
        case .queryChannels(let value): value
        case .listOpenChannels(let value): value
        case .listMembers(let value): value
        case .listMemberReads(let value): value
        case .listSchedules(let value): value
        case .getOrigin(let value): value
        case .listVotes(let value): value
        case .getVotes(let value): value
        case .listBallots(let value): value
        case .listReactions(let value): value
        case .listNews(let value): value
        case .getBroadcast(let value): value
        case .listBroadcasts(let value): value
        case .listReports(let value): value
        case .listMessages(let value): value
        case .queryMessages(let value): value
        case .getMessages(let value): value
        case .listReaders(let value): value
        case .countReads(let value): value
        case .listReadMarks(let value): value
        case .getUnread(let value): value
        case .explainUnread(let value): value
        case .getFiles(let value): value
        case .getDevice(let value): value
        case .listDevices(let value): value
        case .listLogins(let value): value
        case .getAccount(let value): value
        case .findUsers(let value): value
        case .listKeys(let value): value
        }
    }

    /// All types of this list.
    static let types: [any Command.Type] = [
        Resume.self, GetUsers.self, ListBlockedUsers.self, GetUserSettings.self, GetChannel.self, ListChannels.self,
        QueryChannels.self,
        ListOpenChannels.self, ListMembers.self, ListMemberReads.self, ListSchedules.self, GetOrigin.self,
        ListVotes.self, GetVotes.self, ListBallots.self, ListReactions.self, ListNews.self, GetBroadcast.self,
        ListBroadcasts.self, ListReports.self,
        ListMessages.self, QueryMessages.self, GetMessages.self, ListReaders.self, CountReads.self,
        ListReadMarks.self, GetUnread.self, ExplainUnread.self, GetFiles.self, GetDevice.self, ListDevices.self,
        ListLogins.self, GetAccount.self, FindUsers.self, ListKeys.self,
    ]
}

/// A command that changes stored state under its transID.
///
/// It is indirect because commands with many fields would make every command large, and
/// each is passed on a dozen times.
public indirect enum WritingCommand: Hashable, Sendable {
    /// Blocks a user.
    case blockUser(BlockUser)
    /// Unblocks a user.
    case unblockUser(UnblockUser)
    /// Changes the caller's own name or picture.
    case setUserProfile(SetUserProfile)
    /// Changes the caller's settings.
    case setUserSettings(SetUserSettings)
    /// Creates a channel.
    case createChannel(CreateChannel)
    /// Leaves a channel.
    case leaveChannel(LeaveChannel)
    /// Hides a channel.
    case hideChannel(HideChannel)
    /// Ends a conversation.
    case endChannel(EndChannel)
    /// Changes what everybody in a channel sees and may do.
    case setChannelProfile(SetChannelProfile)
    /// Changes the caller's own settings in a channel.
    case setChannelPreference(SetChannelPreference)
    /// Dismisses a group for everybody.
    case dismissChannel(DismissChannel)
    /// Makes users members.
    case inviteMembers(InviteMembers)
    /// Accepts or declines an invitation.
    case answerInvitation(AnswerInvitation)
    /// Joins a group by oneself.
    case becomeMember(BecomeMember)
    /// Removes members.
    case kickMembers(KickMembers)
    /// Bans users.
    case banMembers(BanMembers)
    /// Lifts bans.
    case unbanMembers(UnbanMembers)
    /// Changes a member's role.
    case setMemberRole(SetMemberRole)
    /// Sends a message.
    case sendMessage(SendMessage)
    /// Sends several messages to several channels.
    case sendMany(SendMany)
    /// Publishes an operator's announcement in a channel.
    case announceMessage(AnnounceMessage)
    /// Recalls messages for everybody.
    case recallMessages(RecallMessages)
    /// Deletes messages for the caller.
    case deleteMessages(DeleteMessages)
    /// Schedules messages.
    case createSchedule(CreateSchedule)
    /// Changes what is scheduled.
    case changeSchedule(ChangeSchedule)
    /// Cancels what is scheduled.
    case cancelSchedule(CancelSchedule)
    /// Forwards messages to other channels.
    case forwardMessages(ForwardMessages)
    /// Asks the members of a channel to vote.
    case createVote(CreateVote)
    /// Votes.
    case castVote(CastVote)
    /// Closes a vote.
    case closeVote(CloseVote)
    /// Adds a reaction to a message.
    case addReaction(AddReaction)
    /// Removes a reaction from a message.
    case removeReaction(RemoveReaction)
    /// Publishes a piece of news.
    case publishNews(PublishNews)
    /// Starts a broadcast.
    case createBroadcast(CreateBroadcast)
    /// Pauses a broadcast.
    case pauseBroadcast(PauseBroadcast)
    /// Resumes a broadcast.
    case resumeBroadcast(ResumeBroadcast)
    /// Stops a broadcast.
    case cancelBroadcast(CancelBroadcast)
    /// Reports a message or a user.
    case createReport(CreateReport)
    /// Closes a report.
    case closeReport(CloseReport)
    /// Marks a channel as unread.
    case unsetReadMark(UnsetReadMark)
    /// Creates a file to upload.
    case createFile(CreateFile)
    /// Deletes an unused file.
    case deleteFile(DeleteFile)
    /// Sets where a device is notified.
    case setDeviceAddress(SetDeviceAddress)
    /// Changes when and how a device is notified.
    case setDeviceSettings(SetDeviceSettings)
    /// Removes a device.
    case removeDevice(RemoveDevice)
    /// Logs out devices.
    case endLogins(EndLogins)
    /// Changes what a user may do.
    case setUserAccess(SetUserAccess)
    case deleteUser(DeleteUser)
    /// Makes a key valid.
    case createKey(CreateKey)
    /// Revokes a key.
    case revokeKey(RevokeKey)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .blockUser(let value): value
        case .unblockUser(let value): value
        case .setUserProfile(let value): value
        case .setUserSettings(let value): value
        case .createChannel(let value): value
        case .leaveChannel(let value): value
        case .hideChannel(let value): value
        case .endChannel(let value): value
        case .setChannelProfile(let value): value
        case .setChannelPreference(let value): value
        case .dismissChannel(let value): value
        case .inviteMembers(let value): value
        case .answerInvitation(let value): value
        case .becomeMember(let value): value
        case .kickMembers(let value): value
        case .banMembers(let value): value
        case .unbanMembers(let value): value
        case .setMemberRole(let value): value
        case .sendMessage(let value): value
        case .sendMany(let value): value
        case .announceMessage(let value): value
        case .recallMessages(let value): value
        case .deleteMessages(let value): value
        case .createSchedule(let value): value
        case .changeSchedule(let value): value
        case .cancelSchedule(let value): value
        case .forwardMessages(let value): value
        case .createVote(let value): value
        case .castVote(let value): value
        case .closeVote(let value): value
        case .addReaction(let value): value
        case .removeReaction(let value): value
        case .publishNews(let value): value
        case .createBroadcast(let value): value
        case .pauseBroadcast(let value): value
        case .resumeBroadcast(let value): value
        case .cancelBroadcast(let value): value
        case .createReport(let value): value
        case .closeReport(let value): value
        case .unsetReadMark(let value): value
        case .createFile(let value): value
        case .deleteFile(let value): value
        case .setDeviceAddress(let value): value
        case .setDeviceSettings(let value): value
        case .removeDevice(let value): value
        case .endLogins(let value): value
        case .setUserAccess(let value): value
        case .deleteUser(let value): value
        case .createKey(let value): value
        case .revokeKey(let value): value
        }
    }

    /// All types of this list.
    static let types: [any Command.Type] = [
        BlockUser.self, UnblockUser.self, SetUserProfile.self, SetUserSettings.self, CreateChannel.self,
        LeaveChannel.self, HideChannel.self, EndChannel.self,
        SetChannelProfile.self, SetChannelPreference.self, DismissChannel.self, InviteMembers.self,
        AnswerInvitation.self, BecomeMember.self, KickMembers.self, BanMembers.self, UnbanMembers.self,
        SetMemberRole.self, SendMessage.self, SendMany.self, AnnounceMessage.self, RecallMessages.self,
        DeleteMessages.self, CreateSchedule.self, ChangeSchedule.self, CancelSchedule.self, ForwardMessages.self,
        CreateVote.self, CastVote.self, CloseVote.self, AddReaction.self, RemoveReaction.self, PublishNews.self,
        CreateBroadcast.self, PauseBroadcast.self,
        ResumeBroadcast.self, CancelBroadcast.self, CreateReport.self, CloseReport.self, UnsetReadMark.self,
        CreateFile.self, DeleteFile.self,
        SetDeviceAddress.self, SetDeviceSettings.self, RemoveDevice.self, EndLogins.self, SetUserAccess.self,
        DeleteUser.self,
        CreateKey.self,
        RevokeKey.self,
    ]
}

/// A command that changes nothing durable, or only moves something monotone: it has no transID.
///
/// It is indirect because commands with many fields would make every command large, and
/// each is passed on a dozen times.
public indirect enum MovingCommand: Hashable, Sendable {
    /// Takes part in an open channel.
    case joinChannel(JoinChannel)
    /// Marks as read.
    case setReadMark(SetReadMark)
    /// Marks all channels as read.
    case setAllReadMarks(SetAllReadMarks)
    /// The caller is typing.
    case startTyping(StartTyping)
    /// The caller stopped typing.
    case endTyping(EndTyping)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .joinChannel(let value): value
        case .setReadMark(let value): value
        case .setAllReadMarks(let value): value
        case .startTyping(let value): value
        case .endTyping(let value): value
        }
    }

    /// All types of this list.
    static let types: [any Command.Type] = [
        JoinChannel.self, SetReadMark.self, SetAllReadMarks.self, StartTyping.self, EndTyping.self,
    ]
}

/// A command that needs passwords or the push services, which only the server has: it travels over HTTP only.
public indirect enum ServedCommand: Hashable, Sendable {
    /// Registers users.
    case registerAccounts(RegisterAccounts)
    /// Checks a password for a backend.
    case authenticate(Authenticate)
    /// Logs a user in with a password.
    case logIn(LogIn)
    /// Makes an account for the sender.
    case signUp(SignUp)
    /// Lets a visitor talk to the user of a key.
    case startVisit(StartVisit)
    /// Changes an account.
    case setAccount(SetAccount)
    /// Says what would be pushed.
    case testPush(TestPush)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .registerAccounts(let value): value
        case .authenticate(let value): value
        case .logIn(let value): value
        case .signUp(let value): value
        case .startVisit(let value): value
        case .setAccount(let value): value
        case .testPush(let value): value
        }
    }

    /// What it does: it reads, or writes under its transID.
    var effect: AnyCommand.Effect {
        switch self {
        case .registerAccounts, .setAccount: .writes
        case .authenticate, .logIn, .signUp, .startVisit, .testPush: .reads
        }
    }

    /// All types of this list.
    static let types: [any Command.Type] = [
        RegisterAccounts.self, Authenticate.self, LogIn.self, SignUp.self, StartVisit.self, SetAccount.self,
        TestPush.self,
    ]
}
