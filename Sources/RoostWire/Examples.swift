/// One example of everything that travels, built from fixed ids and times.
///
/// `Protocol/` is written from these, and the tests of the wire read them; a test
/// compares their names with the closed lists, so that none is missing. Together
/// they tell one story: ann and bob in the open channel `lobby`, in their 1-on-1
/// `ann:bob` and, with cat, in the group `team`.
package enum Examples {
    /// A command with its answer.
    package struct Exchange: Sendable {
        /// The command's name.
        package var name: String
        /// What is special about this example; nothing for the plain one.
        package var variant: String?
        /// The frame of the client.
        package var frame: ClientFrame
        /// The answer as JSON.
        package var answer: [UInt8]
        /// Reads an answer to this command and writes it again.
        package var again: @Sendable ([UInt8]) throws -> [UInt8]
    }

    /// An event.
    package struct Notice: Sendable {
        /// What is special about this example; nothing for the plain one.
        package var variant: String?
        /// The event.
        package var event: Event
    }

    /// A refusal.
    package struct Refusal: Sendable {
        /// The id of the frame that is refused; nothing when it could not be read.
        package var id: String?
        /// The error.
        package var error: WireError
    }

    /// One line of a conversation.
    package enum Line: Sendable {
        /// Words between the frames.
        case remark(String)
        /// A frame of the client.
        case client(ClientFrame)
        /// The answer to a frame of the client, as JSON.
        case answer(id: String, [UInt8])
        /// A refusal.
        case refusal(Refusal)
        /// An event.
        case event(Event)
    }

    /// Every command with its answer, in the order of the closed list; variants follow the plain example.
    package static func exchanges() throws -> [Exchange] { try Story().exchanges() }

    /// Every event, in the order of the closed list; variants follow the plain example.
    package static func notices() throws -> [Notice] { try Story().notices() }

    /// Three refusals: the usual one, one that says when to try again, one of a frame that could not be read.
    package static func refusals() -> [Refusal] {
        [
            Refusal(id: "t-0009", error: WireError(.channelNotFound)),
            Refusal(
                id: "t-0010",
                error: WireError(.databaseAccess, "The server could not store this. Try again.", retryAfterMs: 1_000)),
            Refusal(
                id: nil,
                error: WireError(.dataFormat, "The frame is not a JSON object with id, cmd and body.")),
        ]
    }

    /// A whole conversation: log in, chat, lose the connection, come back.
    package static func conversation() throws -> [Line] { try Story().conversation() }
}

/// The people, channels and times of all examples.
struct Story {
    let ann: User
    let bob: User
    let cat: User
    let device: DeviceID
    let lobby: ChannelID
    let team: ChannelID
    let pair: ChannelID
    let epoch = "5f0c7a3be19d2486"
    let start: Int64 = 1_767_225_600_000

    struct BrokenID: Error {}

    init() throws {
        ann = User(userID: try Self.id("ann"), name: "Ann", imageURL: "https://example.com/ann.png")
        bob = User(userID: try Self.id("bob"), name: "Bob")
        cat = User(userID: try Self.id("cat"), name: "Cat")
        device = try Self.id("ann-phone")
        lobby = try Self.id("lobby")
        team = try Self.id("team")
        pair = ChannelID(single: ann.userID, bob.userID)
    }

    static func id<T: Identifier>(_ text: String) throws -> T {
        guard let id = T(rawValue: text) else { throw BrokenID() }
        return id
    }

    func at(_ seconds: Int64) -> Int64 { start + seconds * 1_000 }

    func messageID(_ seq: Int64, _ seconds: Int64) -> MessageID {
        MessageID(sentAt: at(seconds), seq: seq, salt: 0x9c3e_51d7)
    }

    func message(
        _ channel: ChannelID, _ seq: Int64, from sender: User, _ text: String, transID: String, at seconds: Int64,
        count: Int64? = nil, mentions: [Mention]? = nil
    ) throws -> Event {
        Event(
            channel: channel, seq: seq, senderID: sender.userID, transID: try Self.id(transID), sentAt: at(seconds),
            body: .messageSent(
                Message(
                    messageID: messageID(seq, seconds), type: MessageType.text.name, text: text,
                    senderName: sender.name, senderImageURL: sender.imageURL, mentions: mentions,
                    count: count ?? seq)))
    }

    func member(_ user: User, _ role: Role = .participant, read seq: Int64 = 0, at seconds: Int64? = nil) -> Member {
        Member(
            userID: user.userID, name: user.name, imageURL: user.imageURL, role: role, readSeq: seq,
            readAt: seconds.map(at) ?? 0)
    }

    func hello() -> Hello {
        Hello(guest: Guest(userID: ann.userID, name: ann.name, imageURL: ann.imageURL), deviceID: device)
    }

    func welcome(userSeq: Int64 = 3, at seconds: Int64 = 0) -> Welcome {
        Welcome(
            user: ann, isOperator: false, serverTime: at(seconds), epoch: epoch, heartbeat: 25_000, limits: Limits(),
            userSeq: userSeq)
    }

    func openLobby(seq: Int64 = 0, participants: Int = 1) -> Channel {
        Channel(
            channel: lobby, kind: .open, title: "lobby", memberCount: participants, members: [], seq: seq, count: seq,
            lastActivityAt: at(40))
    }

    func chat() throws -> Channel {
        Channel(
            channel: pair, kind: .single, memberCount: 2,
            members: [member(ann, read: 1, at: 12), member(bob, read: 2, at: 21)], seq: 2, count: 2, unread: 1,
            readSeq: 1, role: .participant, lastMessage: try reply(), lastActivityAt: at(21))
    }

    func greeting() throws -> Event {
        try message(pair, 1, from: ann, "Hello Bob", transID: "t-0002", at: 12)
    }

    func reply() throws -> Event {
        try message(pair, 2, from: bob, "Hi Ann! Tea?", transID: "b-0001", at: 21)
    }

    func joined(_ userSeq: Int64 = 1) throws -> Event {
        Event(
            userSeq: userSeq, senderID: ann.userID, transID: try Self.id("t-0001"), sentAt: at(10),
            body: .channelJoined(
                ChannelJoined(
                    channel: pair, kind: .single, title: nil, role: .participant, members: [ann, bob], memberCount: 2,
                    fromSeq: 0, count: 0, isHidden: false)))
    }

    func acknowledged(
        _ channel: ChannelID?, _ seq: Int64? = nil, transID: String, at seconds: Int64, isMessage: Bool = false
    ) throws -> Acknowledgement {
        Acknowledgement(
            channel: channel, seq: seq, messageID: isMessage ? seq.map { messageID($0, seconds) } : nil,
            transID: try Self.id(transID), sentAt: at(seconds))
    }
}

// Every command with its answer.
extension Story {
    private func exchange<C: Command>(
        _ wrap: (C) -> AnyCommand, _ command: C, id: String, _ variant: String? = nil, answer: C.Answer
    ) throws -> Examples.Exchange {
        Examples.Exchange(
            name: C.name, variant: variant, frame: ClientFrame(id: id, command: wrap(command)),
            answer: try WireCodec.encode(answer),
            again: { try WireCodec.encode(try WireCodec.decode(C.Answer.self, from: $0)) })
    }

    func exchanges() throws -> [Examples.Exchange] {
        try sessions() + channels() + membersAndMessages() + marksAndTyping()
    }

    private func sessions() throws -> [Examples.Exchange] {
        [
            try exchange(AnyCommand.hello, hello(), id: "1", answer: welcome()),
            try exchange(
                AnyCommand.hello, Hello(token: "eyJhbGciOi…", deviceID: device), id: "1", "token", answer: welcome()),
            try exchange(
                AnyCommand.resume,
                Resume(
                    epoch: epoch, userSeq: 2,
                    channels: [ChannelPosition(channel: pair, seq: 1), ChannelPosition(channel: lobby, seq: 1)]),
                id: "2",
                answer: Resume.Answer(
                    epoch: epoch, events: [try hidden(userSeq: 3), try reply()], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: lobby, seq: 1)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1)], resets: [])),
            try exchange(
                AnyCommand.resume, Resume(), id: "2", "first",
                answer: Resume.Answer(
                    epoch: epoch, events: [], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: team, seq: 1)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1)], resets: [])),
            try exchange(
                AnyCommand.resume,
                Resume(
                    epoch: epoch, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: team, seq: 9)]),
                id: "2", "reset",
                answer: Resume.Answer(
                    epoch: epoch, events: [], hasMore: false, userSeq: 3,
                    channels: [ChannelPosition(channel: pair, seq: 2)],
                    marks: [OwnMark(channel: pair, seq: 1, unread: 1)],
                    resets: [Reset(channel: team, seq: 0, reason: .gone)])),
            try exchange(
                AnyCommand.listUsers, ListUsers(userIDs: [ann.userID, bob.userID]), id: "3",
                answer: ListUsers.Answer(users: [ann, bob])),
        ]
    }

    private func channels() throws -> [Examples.Exchange] {
        [
            try exchange(
                AnyCommand.createChannel, CreateChannel(kind: .single, members: [bob.userID]), id: "t-0001",
                answer: try acknowledged(pair, transID: "t-0001", at: 10)),
            try exchange(
                AnyCommand.createChannel,
                CreateChannel(kind: .group, channel: team, title: "The team", members: [bob.userID]), id: "t-0004",
                "group", answer: try acknowledged(team, transID: "t-0004", at: 60)),
            try exchange(
                AnyCommand.createChannel, CreateChannel(kind: .open, channel: lobby, title: "Lobby"), id: "t-0011",
                "open", answer: try acknowledged(lobby, transID: "t-0011", at: 5)),
            try exchange(AnyCommand.getChannel, GetChannel(channel: pair), id: "4", answer: try chat()),
            try exchange(
                AnyCommand.listChannels, ListChannels(limit: 1), id: "5",
                answer: ListChannels.Answer(
                    channels: [try chat()], next: "\(at(21))/\(pair)", totalUnread: 1)),
            try exchange(
                AnyCommand.listOpenChannels, ListOpenChannels(keyword: "lob"), id: "6",
                answer: ListOpenChannels.Answer(channels: [openLobby(seq: 1, participants: 2)])),
            try exchange(
                AnyCommand.joinChannel, JoinChannel(channel: lobby), id: "7", answer: openLobby(participants: 1)),
            try exchange(
                AnyCommand.leaveChannel, LeaveChannel(channel: team), id: "t-0005",
                answer: try acknowledged(team, 3, transID: "t-0005", at: 90)),
            try exchange(
                AnyCommand.hideChannel, HideChannel(channel: pair), id: "t-0006",
                answer: try acknowledged(pair, transID: "t-0006", at: 95)),
            try exchange(
                AnyCommand.endChannel, EndChannel(), id: "t-0007",
                answer: try acknowledged(nil, transID: "t-0007", at: 99)),
        ]
    }

    private func membersAndMessages() throws -> [Examples.Exchange] {
        [
            try exchange(
                AnyCommand.inviteMembers, InviteMembers(channel: team, members: [cat.userID]), id: "t-0008",
                answer: try acknowledged(team, 1, transID: "t-0008", at: 70)),
            try exchange(
                AnyCommand.listMembers, ListMembers(channel: team), id: "8",
                answer: ListMembers.Answer(
                    members: [member(ann, .admin, read: 1, at: 70), member(bob), member(cat, read: 1, at: 70)],
                    memberCount: 3, hasMore: false)),
            try exchange(
                AnyCommand.sendMessage, SendMessage(channel: pair, text: "Hello Bob"), id: "t-0002",
                answer: try acknowledged(pair, 1, transID: "t-0002", at: 12, isMessage: true)),
            try exchange(
                AnyCommand.sendMessage,
                SendMessage(
                    channel: team, type: MessageType.text.name, text: "@Bob can you 👀 at \"this\"?",
                    mentions: [Mention(userID: bob.userID, start: 0, length: 4)]),
                id: "t-0012", "mention",
                answer: try acknowledged(team, 2, transID: "t-0012", at: 75, isMessage: true)),
            try exchange(
                AnyCommand.sendMessage,
                SendMessage(channel: pair, text: "Yes, at four", after: try Self.id("t-0002")), id: "t-0014", "after",
                answer: try acknowledged(pair, 3, transID: "t-0014", at: 50, isMessage: true)),
            try exchange(
                AnyCommand.announceMessage,
                AnnounceMessage(channel: lobby, text: "The server restarts at noon."), id: "t-0013",
                answer: try acknowledged(lobby, 2, transID: "t-0013", at: 50, isMessage: true)),
            try exchange(
                AnyCommand.listMessages, ListMessages(channel: pair, before: 3, limit: 2), id: "9",
                answer: ListMessages.Answer(
                    events: [try greeting(), try reply()], hasBefore: false, hasAfter: true, seq: 3)),
        ]
    }

    private func marksAndTyping() throws -> [Examples.Exchange] {
        [
            try exchange(
                AnyCommand.setReadMark, SetReadMark(channel: pair, seq: 2), id: "10",
                answer: SetReadMark.Answer(channel: pair, mark: annsMark(), unread: 0)),
            try exchange(
                AnyCommand.getUnread, GetUnread(), id: "11",
                answer: GetUnread.Answer(total: 1, channels: [ChannelUnread(channel: pair, unread: 1)])),
            try exchange(AnyCommand.startTyping, StartTyping(channel: pair), id: "12", answer: Done()),
            try exchange(AnyCommand.endTyping, EndTyping(channel: pair), id: "13", answer: Done()),
        ]
    }

    private func annsMark() -> ReadMark { ReadMark(userID: ann.userID, seq: 2, count: 2, readAt: at(25)) }

    private func hidden(userSeq: Int64) throws -> Event {
        Event(
            userSeq: userSeq, senderID: ann.userID, transID: try Self.id("t-0006"), sentAt: at(95),
            body: .channelHidden(
                ChannelsHidden(channels: [ChannelPosition(channel: pair, seq: 2)], isAll: false)))
    }
}

// Every event.
extension Story {
    func notices() throws -> [Examples.Notice] {
        let mention = Mention(userID: bob.userID, start: 0, length: 4)
        return [
            Examples.Notice(event: try greeting()),
            Examples.Notice(
                variant: "mention",
                event: try message(
                    team, 2, from: ann, "@Bob can you 👀 at \"this\"?", transID: "t-0012", at: 75, count: 1,
                    mentions: [mention])),
            Examples.Notice(
                event: Event(
                    channel: lobby, seq: 2, transID: try Self.id("t-0013"), sentAt: at(50),
                    body: .messageAnnounced(
                        Announcement(
                            messageID: messageID(2, 50), text: "The server restarts at noon.", count: 2)))),
            Examples.Notice(
                event: Event(
                    channel: team, seq: 1, senderID: ann.userID, transID: try Self.id("t-0008"), sentAt: at(70),
                    body: .memberInvited(MembersInvited(members: [cat], memberCount: 3)))),
            Examples.Notice(
                event: Event(
                    channel: team, seq: 3, senderID: ann.userID, transID: try Self.id("t-0005"), sentAt: at(90),
                    body: .memberLeft(MemberLeft(userID: ann.userID, name: ann.name, memberCount: 2)))),
            Examples.Notice(event: try joined()),
            Examples.Notice(
                variant: "group",
                event: Event(
                    userSeq: 2, senderID: ann.userID, transID: try Self.id("t-0004"), sentAt: at(60),
                    body: .channelJoined(
                        ChannelJoined(
                            channel: team, kind: .group, title: "The team", role: .admin, members: [ann, bob],
                            memberCount: 2, fromSeq: 0, count: 0, isHidden: false)))),
            Examples.Notice(
                event: Event(
                    userSeq: 4, senderID: ann.userID, transID: try Self.id("t-0005"), sentAt: at(90),
                    body: .channelLeft(ChannelLeft(channel: team)))),
            Examples.Notice(event: try hidden(userSeq: 3)),
            Examples.Notice(
                event: Event(
                    userSeq: 5, senderID: ann.userID, transID: try Self.id("t-0007"), sentAt: at(99),
                    body: .channelEnded(
                        ChannelsHidden(channels: [ChannelPosition(channel: pair, seq: 2)], isAll: true)))),
            Examples.Notice(event: typing(isStart: true, at: 18)),
            Examples.Notice(event: typing(isStart: false, at: 20)),
            Examples.Notice(event: read()),
            Examples.Notice(
                event: Event(
                    body: .positions(
                        Positions(userSeq: 1, channels: [ChannelPosition(channel: pair, seq: 2)])))),
            Examples.Notice(event: Event(body: .goaway(GoAway(reconnectInMs: 1_840)))),
        ]
    }

    private func typing(isStart: Bool, at seconds: Int64) -> Event {
        let body = TypingChanged(userID: bob.userID, name: bob.name, at: at(seconds))
        return Event(channel: pair, body: isStart ? .typingStarted(body) : .typingEnded(body))
    }

    private func read() -> Event {
        Event(channel: pair, body: .readMarkMoved(ReadMarksMoved(marks: [annsMark()], moved: 1)))
    }
}

// A whole conversation.
extension Story {
    private func ask<C: Command>(
        _ wrap: (C) -> AnyCommand, _ command: C, id: String, answer: C.Answer, after events: [Event] = []
    ) throws -> [Examples.Line] {
        [.client(ClientFrame(id: id, command: wrap(command)))] + events.map { .event($0) }
            + [.answer(id: id, try WireCodec.encode(answer))]
    }

    func conversation() throws -> [Examples.Line] {
        var lines: [Examples.Line] = [.remark("Ann's phone connects for the first time, to a server in dev mode.")]
        lines += try ask(AnyCommand.hello, hello(), id: "1", answer: welcome(userSeq: 0))
        lines += try ask(
            AnyCommand.resume, Resume(), id: "2",
            answer: Resume.Answer(
                epoch: epoch, events: [], hasMore: false, userSeq: 0, channels: [], marks: [], resets: []))
        lines.append(.remark("A 1-on-1 with bob, who has connected before; then the first message in it."))
        lines += try ask(
            AnyCommand.createChannel, CreateChannel(kind: .single, members: [bob.userID]), id: "t-0001",
            answer: try acknowledged(pair, transID: "t-0001", at: 10), after: [try joined()])
        lines += try ask(
            AnyCommand.sendMessage, SendMessage(channel: pair, text: "Hello Bob"), id: "t-0002",
            answer: try acknowledged(pair, 1, transID: "t-0002", at: 12, isMessage: true), after: [try greeting()])
        lines += [
            .remark("Bob reads, types and answers. Ann reads it."),
            .event(
                Event(
                    channel: pair,
                    body: .readMarkMoved(
                        ReadMarksMoved(
                            marks: [ReadMark(userID: bob.userID, seq: 1, count: 1, readAt: at(15))], moved: 1)))),
            .event(typing(isStart: true, at: 18)), .event(typing(isStart: false, at: 20)), .event(try reply()),
        ]
        lines += try ask(
            AnyCommand.setReadMark, SetReadMark(channel: pair, seq: 2), id: "3",
            answer: SetReadMark.Answer(channel: pair, mark: annsMark(), unread: 0))
        lines += [
            .event(read()),
            .remark("The heartbeat, with a WebSocket ping: Ann has everything up to here."),
            .event(Event(body: .positions(Positions(userSeq: 1, channels: [ChannelPosition(channel: pair, seq: 2)])))),
            .remark("An open channel: take part, then write. And a channel that does not exist."),
        ]
        lines += try ask(AnyCommand.joinChannel, JoinChannel(channel: lobby), id: "4", answer: openLobby())
        lines += try ask(
            AnyCommand.sendMessage, SendMessage(channel: lobby, text: "Good morning"), id: "t-0003",
            answer: try acknowledged(lobby, 1, transID: "t-0003", at: 45, isMessage: true),
            after: [try message(lobby, 1, from: ann, "Good morning", transID: "t-0003", at: 45)])
        let stranger = ChannelID(single: ann.userID, cat.userID)
        lines += [
            .client(
                ClientFrame(id: "t-0009", command: .sendMessage(SendMessage(channel: stranger, text: "Hello Cat")))),
            .refusal(Examples.Refusal(id: "t-0009", error: WireError(.channelNotFound))),
        ]
        return try lines + comeBack()
    }

    private func comeBack() throws -> [Examples.Line] {
        let yes = SendMessage(channel: pair, text: "Yes, at four", after: try Self.id("t-0002"))
        let sent = try message(pair, 3, from: ann, "Yes, at four", transID: "t-0014", at: 50)
        let missed = try message(pair, 4, from: bob, "I bring the cake", transID: "b-0002", at: 53)
        var lines: [Examples.Line] = [
            .remark("The server is about to restart just when Ann sends. Her answer is lost."),
            .event(Event(body: .goaway(GoAway(reconnectInMs: 1_840)))),
            .client(ClientFrame(id: "t-0014", command: .sendMessage(yes))),
            .remark("The connection closes with 1012. After 1,840 ms Ann comes back with her positions."),
        ]
        lines += try ask(AnyCommand.hello, hello(), id: "1", answer: welcome(userSeq: 1, at: 60))
        lines += try ask(
            AnyCommand.resume,
            Resume(
                epoch: epoch, userSeq: 1,
                channels: [ChannelPosition(channel: pair, seq: 2), ChannelPosition(channel: lobby, seq: 1)]),
            id: "2",
            answer: Resume.Answer(
                epoch: epoch, events: [sent, missed], hasMore: false, userSeq: 1,
                channels: [ChannelPosition(channel: pair, seq: 4), ChannelPosition(channel: lobby, seq: 1)],
                marks: [OwnMark(channel: pair, seq: 3, unread: 1)], resets: []))
        lines.append(.remark("She sends the same frame again, with the same id: nothing is doubled."))
        lines += try ask(
            AnyCommand.sendMessage, yes, id: "t-0014",
            answer: try acknowledged(pair, 3, transID: "t-0014", at: 50, isMessage: true))
        return lines
    }
}
