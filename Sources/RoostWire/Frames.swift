/// Every command of the protocol: the closed list.
///
/// It is switched without `default` where commands are decoded and where they
/// are carried out, so that a new case is a list of work written by the compiler.
/// It is indirect because commands with many fields would make every command large,
/// and each is handed on a dozen times.
public indirect enum AnyCommand: Hashable, Sendable {
    /// The first frame of a connection.
    case hello(Hello)
    /// Asks for what was missed.
    case resume(Resume)
    /// Asks for users.
    case listUsers(ListUsers)
    /// Blocks a user.
    case blockUser(BlockUser)
    /// Takes a block back.
    case unblockUser(UnblockUser)
    /// Lists whom the caller has blocked.
    case listBlockedUsers(ListBlockedUsers)
    /// Makes a channel.
    case createChannel(CreateChannel)
    /// Reads a channel.
    case getChannel(GetChannel)
    /// Lists the caller's channels.
    case listChannels(ListChannels)
    /// Lists the caller's channels in numbered batches.
    case queryChannels(QueryChannels)
    /// Lists open channels.
    case listOpenChannels(ListOpenChannels)
    /// Takes part in an open channel.
    case joinChannel(JoinChannel)
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
    /// Dissolves a group for everybody.
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
    /// Lists members.
    case listMembers(ListMembers)
    /// Lists how far members have read.
    case listMemberReads(ListMemberReads)
    /// Sends a message.
    case sendMessage(SendMessage)
    /// Sends several messages to several channels.
    case sendMany(SendMany)
    /// Puts an operator's line into a channel.
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
    /// Lists what is scheduled.
    case listSchedules(ListSchedules)
    /// Forwards messages to other channels.
    case forwardMessages(ForwardMessages)
    /// Asks where a forwarded message comes from.
    case getOrigin(GetOrigin)
    /// Asks the members of a channel to vote.
    case createVote(CreateVote)
    /// Votes.
    case castVote(CastVote)
    /// Closes a vote.
    case closeVote(CloseVote)
    /// Lists the votes of a channel.
    case listVotes(ListVotes)
    /// Reads votes by id.
    case getVotes(GetVotes)
    /// Lists who has voted.
    case listBallots(ListBallots)
    /// Publishes a piece of news.
    case publishNews(PublishNews)
    /// Lists the channels that carry news.
    case listNews(ListNews)
    /// Has the server send to many users.
    case createBroadcast(CreateBroadcast)
    /// Has a broadcast stand still.
    case pauseBroadcast(PauseBroadcast)
    /// Has a broadcast go on.
    case resumeBroadcast(ResumeBroadcast)
    /// Stops a broadcast.
    case cancelBroadcast(CancelBroadcast)
    /// Reads a broadcast.
    case getBroadcast(GetBroadcast)
    /// Lists broadcasts.
    case listBroadcasts(ListBroadcasts)
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
    /// Marks as read.
    case setReadMark(SetReadMark)
    /// Marks all channels as read.
    case setAllReadMarks(SetAllReadMarks)
    /// Marks a channel as unread.
    case unsetReadMark(UnsetReadMark)
    /// Lists how far the caller has read.
    case listReadMarks(ListReadMarks)
    /// Reads unread counts.
    case getUnread(GetUnread)
    /// Explains unread counts.
    case explainUnread(ExplainUnread)
    /// The caller types.
    case startTyping(StartTyping)
    /// The caller stopped typing.
    case endTyping(EndTyping)

    /// The command inside.
    public var value: any Command {
        switch self {
        case .hello(let value): value
        case .resume(let value): value
        case .listUsers(let value): value
        case .blockUser(let value): value
        case .unblockUser(let value): value
        case .listBlockedUsers(let value): value
        case .createChannel(let value): value
        case .getChannel(let value): value
        case .listChannels(let value): value
        case .queryChannels(let value): value
        case .listOpenChannels(let value): value
        case .joinChannel(let value): value
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
        case .listMembers(let value): value
        case .listMemberReads(let value): value
        case .sendMessage(let value): value
        case .sendMany(let value): value
        case .announceMessage(let value): value
        case .recallMessages(let value): value
        case .deleteMessages(let value): value
        case .createSchedule(let value): value
        case .changeSchedule(let value): value
        case .cancelSchedule(let value): value
        case .listSchedules(let value): value
        case .forwardMessages(let value): value
        case .getOrigin(let value): value
        case .createVote(let value): value
        case .castVote(let value): value
        case .closeVote(let value): value
        case .listVotes(let value): value
        case .getVotes(let value): value
        case .listBallots(let value): value
        case .publishNews(let value): value
        case .listNews(let value): value
        case .createBroadcast(let value): value
        case .pauseBroadcast(let value): value
        case .resumeBroadcast(let value): value
        case .cancelBroadcast(let value): value
        case .getBroadcast(let value): value
        case .listBroadcasts(let value): value
        case .listMessages(let value): value
        case .queryMessages(let value): value
        case .getMessages(let value): value
        case .listReaders(let value): value
        case .countReads(let value): value
        case .setReadMark(let value): value
        case .setAllReadMarks(let value): value
        case .unsetReadMark(let value): value
        case .listReadMarks(let value): value
        case .getUnread(let value): value
        case .explainUnread(let value): value
        case .startTyping(let value): value
        case .endTyping(let value): value
        }
    }

    /// How a command is read from its body, by name.
    private static let decoders: [String: @Sendable ([UInt8]) throws -> AnyCommand] = [
        Hello.name: { .hello(try WireCodec.decode(Hello.self, from: $0)) },
        Resume.name: { .resume(try WireCodec.decode(Resume.self, from: $0)) },
        ListUsers.name: { .listUsers(try WireCodec.decode(ListUsers.self, from: $0)) },
        BlockUser.name: { .blockUser(try WireCodec.decode(BlockUser.self, from: $0)) },
        UnblockUser.name: { .unblockUser(try WireCodec.decode(UnblockUser.self, from: $0)) },
        ListBlockedUsers.name: { .listBlockedUsers(try WireCodec.decode(ListBlockedUsers.self, from: $0)) },
        CreateChannel.name: { .createChannel(try WireCodec.decode(CreateChannel.self, from: $0)) },
        GetChannel.name: { .getChannel(try WireCodec.decode(GetChannel.self, from: $0)) },
        ListChannels.name: { .listChannels(try WireCodec.decode(ListChannels.self, from: $0)) },
        QueryChannels.name: { .queryChannels(try WireCodec.decode(QueryChannels.self, from: $0)) },
        ListOpenChannels.name: { .listOpenChannels(try WireCodec.decode(ListOpenChannels.self, from: $0)) },
        JoinChannel.name: { .joinChannel(try WireCodec.decode(JoinChannel.self, from: $0)) },
        LeaveChannel.name: { .leaveChannel(try WireCodec.decode(LeaveChannel.self, from: $0)) },
        HideChannel.name: { .hideChannel(try WireCodec.decode(HideChannel.self, from: $0)) },
        EndChannel.name: { .endChannel(try WireCodec.decode(EndChannel.self, from: $0)) },
        SetChannelProfile.name: { .setChannelProfile(try WireCodec.decode(SetChannelProfile.self, from: $0)) },
        SetChannelPreference.name: { .setChannelPreference(try WireCodec.decode(SetChannelPreference.self, from: $0)) },
        DismissChannel.name: { .dismissChannel(try WireCodec.decode(DismissChannel.self, from: $0)) },
        InviteMembers.name: { .inviteMembers(try WireCodec.decode(InviteMembers.self, from: $0)) },
        AnswerInvitation.name: { .answerInvitation(try WireCodec.decode(AnswerInvitation.self, from: $0)) },
        BecomeMember.name: { .becomeMember(try WireCodec.decode(BecomeMember.self, from: $0)) },
        KickMembers.name: { .kickMembers(try WireCodec.decode(KickMembers.self, from: $0)) },
        BanMembers.name: { .banMembers(try WireCodec.decode(BanMembers.self, from: $0)) },
        UnbanMembers.name: { .unbanMembers(try WireCodec.decode(UnbanMembers.self, from: $0)) },
        SetMemberRole.name: { .setMemberRole(try WireCodec.decode(SetMemberRole.self, from: $0)) },
        ListMembers.name: { .listMembers(try WireCodec.decode(ListMembers.self, from: $0)) },
        ListMemberReads.name: { .listMemberReads(try WireCodec.decode(ListMemberReads.self, from: $0)) },
        SendMessage.name: { .sendMessage(try WireCodec.decode(SendMessage.self, from: $0)) },
        SendMany.name: { .sendMany(try WireCodec.decode(SendMany.self, from: $0)) },
        AnnounceMessage.name: { .announceMessage(try WireCodec.decode(AnnounceMessage.self, from: $0)) },
        RecallMessages.name: { .recallMessages(try WireCodec.decode(RecallMessages.self, from: $0)) },
        DeleteMessages.name: { .deleteMessages(try WireCodec.decode(DeleteMessages.self, from: $0)) },
        CreateSchedule.name: { .createSchedule(try WireCodec.decode(CreateSchedule.self, from: $0)) },
        ChangeSchedule.name: { .changeSchedule(try WireCodec.decode(ChangeSchedule.self, from: $0)) },
        CancelSchedule.name: { .cancelSchedule(try WireCodec.decode(CancelSchedule.self, from: $0)) },
        ListSchedules.name: { .listSchedules(try WireCodec.decode(ListSchedules.self, from: $0)) },
        ForwardMessages.name: { .forwardMessages(try WireCodec.decode(ForwardMessages.self, from: $0)) },
        GetOrigin.name: { .getOrigin(try WireCodec.decode(GetOrigin.self, from: $0)) },
        CreateVote.name: { .createVote(try WireCodec.decode(CreateVote.self, from: $0)) },
        CastVote.name: { .castVote(try WireCodec.decode(CastVote.self, from: $0)) },
        CloseVote.name: { .closeVote(try WireCodec.decode(CloseVote.self, from: $0)) },
        ListVotes.name: { .listVotes(try WireCodec.decode(ListVotes.self, from: $0)) },
        GetVotes.name: { .getVotes(try WireCodec.decode(GetVotes.self, from: $0)) },
        ListBallots.name: { .listBallots(try WireCodec.decode(ListBallots.self, from: $0)) },
        PublishNews.name: { .publishNews(try WireCodec.decode(PublishNews.self, from: $0)) },
        ListNews.name: { .listNews(try WireCodec.decode(ListNews.self, from: $0)) },
        CreateBroadcast.name: { .createBroadcast(try WireCodec.decode(CreateBroadcast.self, from: $0)) },
        PauseBroadcast.name: { .pauseBroadcast(try WireCodec.decode(PauseBroadcast.self, from: $0)) },
        ResumeBroadcast.name: { .resumeBroadcast(try WireCodec.decode(ResumeBroadcast.self, from: $0)) },
        CancelBroadcast.name: { .cancelBroadcast(try WireCodec.decode(CancelBroadcast.self, from: $0)) },
        GetBroadcast.name: { .getBroadcast(try WireCodec.decode(GetBroadcast.self, from: $0)) },
        ListBroadcasts.name: { .listBroadcasts(try WireCodec.decode(ListBroadcasts.self, from: $0)) },
        ListMessages.name: { .listMessages(try WireCodec.decode(ListMessages.self, from: $0)) },
        QueryMessages.name: { .queryMessages(try WireCodec.decode(QueryMessages.self, from: $0)) },
        GetMessages.name: { .getMessages(try WireCodec.decode(GetMessages.self, from: $0)) },
        ListReaders.name: { .listReaders(try WireCodec.decode(ListReaders.self, from: $0)) },
        CountReads.name: { .countReads(try WireCodec.decode(CountReads.self, from: $0)) },
        SetReadMark.name: { .setReadMark(try WireCodec.decode(SetReadMark.self, from: $0)) },
        SetAllReadMarks.name: { .setAllReadMarks(try WireCodec.decode(SetAllReadMarks.self, from: $0)) },
        UnsetReadMark.name: { .unsetReadMark(try WireCodec.decode(UnsetReadMark.self, from: $0)) },
        ListReadMarks.name: { .listReadMarks(try WireCodec.decode(ListReadMarks.self, from: $0)) },
        GetUnread.name: { .getUnread(try WireCodec.decode(GetUnread.self, from: $0)) },
        ExplainUnread.name: { .explainUnread(try WireCodec.decode(ExplainUnread.self, from: $0)) },
        StartTyping.name: { .startTyping(try WireCodec.decode(StartTyping.self, from: $0)) },
        EndTyping.name: { .endTyping(try WireCodec.decode(EndTyping.self, from: $0)) },
    ]

    /// The names of all commands, sorted.
    public static var names: [String] { decoders.keys.sorted() }

    /// Reads the command with this name from its JSON body.
    /// - Throws: `WireError` 1002 for a name that is not in the list, 6 for a body that does not fit.
    public init(name: String, body: [UInt8]) throws(WireError) {
        guard let decode = Self.decoders[name] else {
            throw WireError(
                .commandNotSupported, "There is no command \"\(name.prefix(64))\". The catalogue lists them all.")
        }
        do {
            self = try decode(body)
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError(.dataFormat, "The body of \(name) does not fit: \(WireCodec.describe(error)).")
        }
    }

    /// What the command does to the order of a connection.
    public enum Effect: Sendable {
        /// It reads stored state: it waits for the commands before it.
        case reads
        /// It changes stored state under its transID.
        case writes
        /// It changes nothing durable, or only moves something monotone: it takes no key.
        case moves
    }

    /// What the command does to the order of a connection.
    public var effect: Effect {
        switch self {
        case .hello, .resume, .listUsers, .listBlockedUsers, .getChannel, .listChannels, .queryChannels,
            .listOpenChannels, .listMembers, .listMemberReads, .listMessages, .queryMessages, .getMessages,
            .listReaders, .countReads, .listReadMarks, .getUnread, .explainUnread, .listSchedules, .getOrigin,
            .listVotes, .getVotes, .listBallots, .listNews, .getBroadcast, .listBroadcasts:
            .reads
        case .blockUser, .unblockUser, .createChannel, .leaveChannel, .hideChannel, .endChannel, .setChannelProfile,
            .setChannelPreference, .dismissChannel, .inviteMembers, .answerInvitation, .becomeMember, .kickMembers,
            .banMembers, .unbanMembers, .setMemberRole, .sendMessage, .announceMessage, .recallMessages,
            .deleteMessages, .unsetReadMark, .sendMany, .createSchedule, .changeSchedule, .cancelSchedule,
            .forwardMessages, .createVote, .castVote, .closeVote, .publishNews, .createBroadcast, .pauseBroadcast,
            .resumeBroadcast, .cancelBroadcast:
            .writes
        case .joinChannel, .setReadMark, .setAllReadMarks, .startTyping, .endTyping:
            .moves
        }
    }
}

/// A frame from the client: `{"id","cmd","body"}`.
///
/// `id` is the transID where the command changes something, and any string of 1
/// to 64 bytes otherwise; the answer carries it back.
public struct ClientFrame: Hashable, Sendable {
    /// The id that the answer carries back.
    public var id: String
    /// The command.
    public var command: AnyCommand

    /// Makes a frame.
    public init(id: String, command: AnyCommand) {
        self.id = id
        self.command = command
    }
}

/// A frame from the server.
public enum ServerFrame: Sendable {
    /// A command was accepted: `{"id","result"}`; the result is the raw JSON of the command's answer.
    case result(id: String, body: [UInt8])
    /// A command was refused: `{"id","error"}`; without an id when the frame could not be read.
    case failure(id: String?, error: WireError)
    /// Something happened: `{"event",…}`.
    case event(Event)
}
