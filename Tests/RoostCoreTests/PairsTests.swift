import RoostCore
import RoostTesting
import RoostWire
import Testing
import WireExamples

/// The objects of a pair of commands.
private struct PairObjects: Sendable {
    /// The channel of the pair.
    var channel: ChannelID
    /// An id that both may try to use.
    var fresh: ChannelID
    /// A message of Cid.
    var message: MessageID
    /// A vote of Cid.
    var vote: MessageID
    /// The other admin.
    var other: UserID
}

/// The user who issues a command: one of the two admins, an invited user, or a user who is not a member.
private enum Issuer: Sendable {
    case admin, invited, newcomer
}

/// A command that changes something in one channel.
private struct Move: Sendable {
    var issuer = Issuer.admin
    var command: @Sendable (PairObjects) -> AnyCommand

    init(_ issuer: Issuer = .admin, _ command: @escaping @Sendable (PairObjects) -> AnyCommand) {
        self.issuer = issuer
        self.command = command
    }
}

private let cid = Cast.cid.userID

private let moves: [Move] = [
    Move { .write(.sendMessage(SendMessage(channel: $0.channel, text: "x", replyTo: $0.message))) },
    Move { .write(.sendMessage(SendMessage(channel: $0.channel, type: "customQuiet", text: "x"))) },
    Move { .write(.sendMany(SendMany(messages: [MessageContent(text: "x")], channels: [$0.channel]))) },
    Move {
        .write(
            .createSchedule(
                CreateSchedule(
                    messages: [MessageContent(text: "x")], channels: [$0.channel],
                    sendAt: .init(milliseconds: TestClock().now + 86_400_000))
            ))
    },
    Move {
        .write(
            .createBroadcast(
                CreateBroadcast(
                    senderID: cid, messages: [MessageContent(text: "x")], segment: .members(of: $0.channel))))
    },
    Move {
        .write(
            .createSchedule(
                CreateSchedule(
                    channels: [$0.channel], sendAt: .init(milliseconds: TestClock().now + 86_400_000), subject: "x",
                    vote: .between(2))))
    },
    Move { .write(.announceMessage(AnnounceMessage(channel: $0.channel, text: "x"))) },
    Move { .write(.publishNews(PublishNews(channel: $0.channel, text: "x"))) },
    Move { .write(.recallMessages(RecallMessages(channel: $0.channel, messageIDs: [$0.message], isSilent: true))) },
    Move { .write(.deleteMessages(DeleteMessages([$0.message], in: $0.channel))) },
    Move { .write(.deleteMessages(DeleteMessages(allIn: $0.channel))) },
    Move {
        .write(
            .forwardMessages(
                ForwardMessages(channel: $0.channel, messageIDs: [$0.message], channels: [$0.channel])))
    },
    Move { .write(.createVote(CreateVote(channel: $0.channel, subject: "x", vote: .between(2)))) },
    Move { .write(.castVote(CastVote(channel: $0.channel, messageID: $0.vote, options: [0]))) },
    Move { .write(.addReaction(AddReaction(channel: $0.channel, messageID: $0.message, emoji: "👍"))) },
    Move { .write(.removeReaction(RemoveReaction(channel: $0.channel, messageID: $0.message, emoji: "❤️"))) },
    Move { .write(.addPin(AddPin(channel: $0.channel, messageID: $0.message))) },
    Move { .write(.removePin(RemovePin(channel: $0.channel, messageID: $0.message))) },
    Move { .write(.closeVote(CloseVote(channel: $0.channel, messageID: $0.vote))) },
    Move { .move(.setReadMark(SetReadMark(channel: $0.channel))) },
    Move { _ in .move(.setAllReadMarks(SetAllReadMarks())) },
    Move { .write(.unsetReadMark(UnsetReadMark(channel: $0.channel))) },
    Move { .move(.startTyping(StartTyping(channel: $0.channel))) },
    Move { .move(.endTyping(EndTyping(channel: $0.channel))) },
    Move { .write(.hideChannel(HideChannel(channel: $0.channel))) },
    Move { .write(.endChannel(EndChannel(channel: $0.channel))) },
    Move { .write(.leaveChannel(LeaveChannel(channel: $0.channel))) },
    Move { .write(.leaveChannel(LeaveChannel(channel: $0.channel, successor: cid))) },
    Move { .move(.joinChannel(JoinChannel(channel: $0.channel))) },
    Move { .write(.dismissChannel(DismissChannel(channel: $0.channel))) },
    Move { .write(.createChannel(CreateChannel(kind: .group, channel: $0.fresh, members: [$0.other]))) },
    Move { .write(.setChannelProfile(SetChannelProfile(channel: $0.channel, profile: ChannelProfile(title: "New")))) },
    Move { .write(.setChannelPreference(SetChannelPreference(channel: $0.channel, isMuted: true, nickname: "Nick"))) },
    Move { .write(.inviteMembers(InviteMembers(channel: $0.channel, members: [NewMember(Cast.dee.userID)]))) },
    Move { .write(.kickMembers(KickMembers(channel: $0.channel, members: [cid]))) },
    Move { .write(.kickMembers(KickMembers(channel: $0.channel, members: [$0.other]))) },
    Move { .write(.banMembers(BanMembers(channel: $0.channel, members: [cid]))) },
    Move { .write(.banMembers(BanMembers(channel: $0.channel, members: [$0.other]))) },
    Move {
        .write(
            .banMembers(
                BanMembers(channel: $0.channel, members: [cid], bannedUntil: .init(milliseconds: 9_000_000_000_000))))
    },
    Move { .write(.unbanMembers(UnbanMembers(channel: $0.channel, members: [cid]))) },
    Move { .write(.createReport(CreateReport(userID: $0.other))) },
    Move { .write(.setMemberRole(SetMemberRole(channel: $0.channel, userID: cid, role: .moderator))) },
    Move { .write(.setMemberRole(SetMemberRole(channel: $0.channel, userID: $0.other, role: .participant))) },
    Move { .write(.blockUser(BlockUser(userID: $0.other))) },
    Move { .write(.unblockUser(UnblockUser(userID: $0.other))) },
    Move { _ in .write(.setUserProfile(SetUserProfile(profile: UserProfile(name: "Renamed")))) },
    Move(.invited) { .write(.answerInvitation(AnswerInvitation(channel: $0.channel, isAccepted: true))) },
    Move(.invited) { .write(.answerInvitation(AnswerInvitation(channel: $0.channel, isAccepted: false))) },
    Move(.newcomer) { .write(.becomeMember(BecomeMember(channel: $0.channel))) },
]

/// Two devices of each of the cast and of Eve, on one core or on two that share a database.
private struct Devices {
    var first: [UserID: TestSession] = [:]
    var second: [UserID: TestSession] = [:]
    let isShared: Bool

    init(_ one: TestCore, _ two: TestCore?) async throws {
        isShared = two != nil
        for user in Cast.all + [try user("eve")] {
            first[user.userID] = try await one.session(user, device: "1", isOperator: true)
            second[user.userID] = try await (two ?? one).session(user, device: "2", isOperator: true)
        }
    }

    func session(_ issuer: Issuer, isFirst: Bool) throws -> TestSession {
        let user =
            switch issuer {
            case .admin: isFirst ? Cast.ann.userID : Cast.bob.userID
            case .invited: Cast.dee.userID
            case .newcomer: try user("eve").userID
            }
        return try #require(isFirst ? first[user] : second[user])
    }
}

/// On SQLite in memory every pair of commands once; on the other stores, which differ in how they write, some pairs.
/// The long version has all pairs everywhere, so every pair with either of the admins issuing the first.
@Suite(.timeLimit(.minutes(TestLength.rounds(20, long: 90)))) struct PairsTests {
    @Test func `every command that changes something is in the pairs`() throws {
        let message = try #require(MessageID(rawValue: String(repeating: "0", count: 32)))
        let objects = PairObjects(
            channel: Cast.club, fresh: Cast.lobby, message: message, vote: message, other: Cast.bob.userID)
        let commands = moves.map { $0.command(objects) }
        #expect(commands.allSatisfy { $0.effect != .reads })
        // These change nothing in a channel, or name an id that the server makes.
        let others: Set = [
            "account.register", "account.set", "broadcast.cancel", "broadcast.pause", "broadcast.resume",
            "device.remove", "device.setAddress", "device.setSettings", "file.create", "file.delete", "key.create",
            "key.revoke", "login.end", "report.close", "schedule.cancel", "schedule.change", "user.delete",
            "user.setAccess", "user.setSettings",
        ]
        let catalogue = Set(try Examples.exchanges().map(\.frame.command).filter { $0.effect != .reads }.map(\.name))
        #expect(Set(commands.map(\.name)) == catalogue.subtracting(others))
        #expect(others.isSubset(of: catalogue))
    }

    @Test(arguments: Backend.essential)
    func `pairs of commands at the same time leave a channel that is whole`(backend: Backend) async throws {
        for number in moves.indices where TestLength.isLong || backend == .memory || number.isMultiple(of: 3) {
            let others = backend == .memory ? Array(moves.indices.dropFirst(number)) : Self.half(for: number)
            try await play(number, others, try TestCore(backend, isPaced: false), nil)
        }
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `pairs of commands at two servers on one database leave a channel that is whole`() async throws {
        for number in moves.indices where TestLength.isLong || number % 3 == 1 {
            let url = try Postgres.makeSchema()
            let one = try TestCore(database: Postgres.open(url), isPaced: false)
            let two = try TestCore(database: Postgres.open(url), isPaced: false)
            try await play(number, Self.half(for: number), one, two)
        }
    }

    /// Every second command, alternately the even and the odd ones.
    private static func half(for number: Int) -> [Int] {
        moves.indices.filter { ($0 + number / 3).isMultiple(of: 2) }
    }

    /// Runs one command paired with each of some, or all, others. Each pair has its own channel.
    private func play(_ number: Int, _ others: [Int], _ one: TestCore, _ two: TestCore?) async throws {
        let devices = try await Devices(one, two)
        let cores = [one, two].compactMap { $0 }
        for other in TestLength.isLong ? Array(moves.indices) : others {
            let id = try channel("p\(number)-\(other)")
            let (message, vote) = try await setUp(id, devices)
            for session in devices.first.values { _ = session.drainEvents() }
            for session in devices.second.values { _ = session.drainEvents() }
            let fresh = try channel("\(id)-fresh")
            let left = PairObjects(channel: id, fresh: fresh, message: message, vote: vote, other: Cast.bob.userID)
            let right = PairObjects(channel: id, fresh: fresh, message: message, vote: vote, other: Cast.ann.userID)
            let commands = [moves[number].command(left), moves[other].command(right)]
            let names = commands.map(Self.name)
            let first = try devices.session(moves[number].issuer, isFirst: true)
            let second = try devices.session(moves[other].issuer, isFirst: false)
            async let one = Self.code(commands[0], by: first, id: "\(id)-1")
            async let two = Self.code(commands[1], by: second, id: "\(id)-2")
            let codes = try await [one, two]
            // Any other error is a fault of the server, not a refusal.
            for code in codes {
                #expect(code == nil || ![.internalFault, .unknown, .databaseAccess].contains(code), "\(names)")
            }
            for core in cores { await core.settle() }
            try await check(id, devices, "\(names) answered \(codes)")
        }
        for core in cores { await core.core.stop() }
    }

    private static func name(_ command: AnyCommand) -> String { command.name }

    private static func code(_ command: AnyCommand, by session: TestSession, id: String) async throws -> ErrorCode? {
        try await session.refusal(command.value, id: id)?.entry
    }

    /// A group of the admins Ann and Bob and of Cid, who has sent messages; Dee is invited, Eve may join.
    private func setUp(
        _ id: ChannelID, _ devices: Devices
    ) async throws -> (message: MessageID, vote: MessageID) {
        let ann = try #require(devices.first[Cast.ann.userID])
        let others = [
            NewMember(Cast.bob.userID, role: .admin), NewMember(cid), NewMember(Cast.dee.userID, role: .invited),
        ]
        // An earlier pair may have blocked a user.
        for (user, other) in [(Cast.ann, Cast.bob), (Cast.bob, Cast.ann)] {
            try await devices.first[user.userID]?.perform(UnblockUser(userID: other.userID), id: "\(id)-\(user.name)")
        }
        try await ann.perform(
            CreateChannel(kind: .group, channel: id, members: others, profile: ChannelProfile(canJoin: true)),
            id: "\(id)-create")
        let sent = try await devices.first[cid]?.send("said", to: id, id: "\(id)-said")
        let ask = CreateVote(channel: id, subject: "said", vote: .between(2, canChange: true))
        let asked = try await devices.first[cid]?.perform(ask, id: "\(id)-asked")
        let message = try #require(sent?.messageID)
        // Something that can be undone.
        for user in [Cast.ann.userID, Cast.bob.userID] {
            try await devices.first[user]?.perform(
                AddReaction(channel: id, messageID: message, emoji: "❤️"), id: "\(id)-reacted")
        }
        return (message, try #require(asked?.messageID))
    }

    private func check(_ id: ChannelID, _ devices: Devices, _ what: String) async throws {
        var members: Set<UserID> = []
        var seen: Channel?
        for (user, session) in devices.first {
            let other = try #require(devices.second[user])
            if !devices.isShared {
                let durable = [session, other].map { $0.events.filter { $0.seq != nil || $0.userSeq != nil } }
                #expect(durable[0] == durable[1], "\(what)")
            }
            let views = [try await view(of: id, session), try await view(of: id, other)]
            #expect(views[0] == views[1], "\(what)")
            guard case .success(let channel) = views[0] else { continue }
            members.insert(user)
            // A log that its user has cleared begins later; that is not a gap.
            let hasCleared = [session, other].contains { !$0.events(named: .channelCleared).isEmpty }
            try await recount(channel, session, hasCleared: hasCleared, what)
            seen = channel
        }
        guard let seen else {
            // Whatever two commands do, at least one member stays.
            #expect(what.contains(DismissChannel.name), "\(what)")
            return
        }
        #expect(seen.memberCount == members.count, "\(what)")
        #expect(Set(seen.members.map(\.userID)) == members, "\(what)")
        #expect(seen.members.contains { $0.role == .admin }, "\(what)")
        let session = try #require(devices.first[seen.members[0].userID])
        let list = try await session.perform(ListMembers(channel: id))
        #expect(Set(list.members.map(\.userID)) == members, "\(what)")
        #expect(list.memberCount == members.count, "\(what)")
    }

    private func view(of id: ChannelID, _ session: TestSession) async throws -> Result<Channel, WireError> {
        do {
            return .success(try await session.channel(id))
        } catch let error as WireError {
            return .failure(error)
        }
    }

    /// Counts the reactions, and compares with the counts in the message.
    private func recountReactions(_ session: TestSession, _ id: ChannelID, _ what: String) async throws {
        let rows = try await session.perform(ListMessages(channel: id, limit: 100)).events
        for row in rows {
            guard let message = row.messageID, let kinds = row.reactions?.kinds else { continue }
            let told = try await session.perform(ListReactions(channel: id, messageID: message)).reactions
            for kind in kinds {
                #expect(kind.count == told.count { $0.emoji == kind.emoji }, "\(what)")
                let isMine = told.contains { $0.emoji == kind.emoji && $0.userID == session.userID }
                #expect(kind.isMine == isMine, "\(what)")
            }
            #expect(told.count == kinds.reduce(0) { $0 + $1.count }, "\(what)")
        }
    }

    /// Reads the whole log, and checks that it is dense and that the unread count follows from it.
    private func recount(
        _ channel: Channel, _ session: TestSession, hasCleared: Bool, _ what: String
    ) async throws {
        let start = [ChannelPosition(channel: channel.channel, seq: 0)]
        let page = try await session.perform(Resume(channels: start))
        let log = page.events.filter { $0.channel == channel.channel }
        let seqs = log.compactMap(\.seq)
        #expect(seqs.suffix(1) == [channel.seq] || hasCleared && seqs.isEmpty, "\(what)")
        #expect(seqs == seqs.indices.map { channel.seq - Int64(seqs.count - 1 - $0) }, "\(what)")
        #expect(seqs.first == 1 || hasCleared, "\(what)")
        let mark = try #require(channel.readSeq)
        let unread = log.filter { event in
            guard let seq = event.seq, seq > mark, event.senderID != session.userID else { return false }
            switch event.body {
            case .channel(.messageSent(let message)): return message.recall == nil && message.type != "customQuiet"
            case .channel(.messageAnnounced(let announcement)): return announcement.recall == nil
            default: return false
            }
        }
        #expect(channel.unread == unread.count, "\(what)")
        try await recountReactions(session, channel.channel, what)
        let told = try await session.perform(GetUnread()).channels.first { $0.channel == channel.channel }
        #expect(told?.unread ?? 0 == unread.count, "\(what)")
    }
}
