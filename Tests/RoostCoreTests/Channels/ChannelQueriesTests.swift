import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ChannelQueriesTests {
    /// Creates groups of Ann's, named so that they are ordered by number.
    private func makeGroups(_ count: Int, _ stage: Stage, members: [UserID] = []) async throws -> [ChannelID] {
        var ids: [ChannelID] = []
        for number in 0..<count {
            let id = try channel("g-\(1_000 + number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: members))
            ids.append(id)
        }
        return ids
    }

    private func batches(_ query: QueryChannels, _ session: TestSession) async throws -> [QueryChannels.Answer] {
        var answers: [QueryChannels.Answer] = []
        var query = query
        repeat {
            let answer = try await session.perform(query)
            answers.append(answer)
            query.cursor = answer.next
        } while query.cursor != nil
        return answers
    }

    @Test(arguments: Backend.available)
    func `one channel is asked for with or without its members [L-34]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        stage.roost.clock.advance(by: 1)
        try await stage.ann.perform(
            CreateChannel(
                kind: .group, channel: Cast.club, title: "Club",
                members: [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)],
                profile: ChannelProfile(customAttributes: 3)))
        let madeAt = stage.roost.clock.now
        stage.roost.clock.advance(by: 10)
        try await stage.bob.send("hi", to: Cast.club)
        let whole = try await stage.cid.perform(GetChannel(channel: Cast.club))
        #expect(whole.members.map(\.userID) == [Cast.ann, Cast.bob, Cast.cid].map(\.userID))
        #expect(whole.title == "Club")
        #expect(whole.profile == ChannelProfile(customAttributes: 3))
        #expect(whole.$createdAt == madeAt)
        #expect(whole.createdBy == Cast.ann.userID)
        #expect(whole.$joinedAt == madeAt)
        #expect(whole.invitedBy == Cast.ann.userID)
        #expect(whole.$updatedAt == madeAt + 10)
        #expect(whole.unread == 1)
        var bare = try await stage.cid.perform(GetChannel(channel: Cast.club, withMembers: false))
        #expect(bare.members.isEmpty)
        #expect(bare.memberCount == 3)
        bare.members = whole.members
        #expect(bare == whole)
        #expect(try await stage.dee.refusal(GetChannel(channel: Cast.club))?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(GetChannel(channel: Cast.club))?.entry == .notMember)
    }

    @Test(arguments: Backend.available)
    func `all channels of some kinds come in numbered batches [L-35 LR-17]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let ids = try await makeGroups(70, stage, members: [Cast.bob.userID])
        try await stage.makePair()
        try await stage.ann.perform(CreateChannel(kind: .own))
        let answers = try await batches(QueryChannels(kinds: [.group], limit: 30, withMembers: true), stage.ann)
        #expect(answers.map(\.channels.count) == [30, 30, 10])
        #expect(answers.map(\.batch) == [1, 2, 3])
        #expect(answers.map(\.batchTotal) == [3, 3, 3])
        #expect(Set(answers.map(\.asOf)).count == 1)
        let all = answers.flatMap(\.channels)
        #expect(all.map(\.channel) == ids)
        for channel in all {
            #expect(channel == (try await stage.ann.channel(channel.channel)))
            #expect(channel.members.count == 2)
        }
        let pairs = try await stage.ann.perform(QueryChannels(kinds: [.single, .own]))
        #expect(pairs.channels.map(\.kind) == [.own, .single])
        #expect(pairs.channels.allSatisfy { $0.members.isEmpty })
        #expect(pairs.batchTotal == 1 && pairs.next == nil && pairs.gone.isEmpty)
        #expect(try await batches(QueryChannels(limit: 100), stage.ann).map(\.channels.count) == [72])
        #expect(try await stage.bob.perform(QueryChannels(roles: [.admin])).channels.isEmpty)
        #expect(try await batches(QueryChannels(roles: [.participant]), stage.bob).flatMap(\.channels).count == 71)
        let none = try await stage.dee.perform(QueryChannels())
        #expect(none.channels.isEmpty && none.batch == 1 && none.batchTotal == 1)
        let open = try await stage.ann.refusal(QueryChannels(kinds: [.group, .open]))
        #expect(open?.entry == .channelTypeNotSupported)
    }

    @Test(arguments: Backend.available)
    func `the channels that changed since a moment, and those that are lost since [L-36 C-L37]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let ids = try await makeGroups(8, stage, members: [Cast.bob.userID])
        stage.roost.clock.advance(by: 10)
        var since = try await stage.bob.perform(QueryChannels()).asOf
        func changes(_ play: () async throws -> Void) async throws -> (changed: [ChannelID], gone: [GoneChannel]) {
            stage.roost.clock.advance(by: 10)
            try await play()
            stage.roost.clock.advance(by: 10)
            let answers = try await batches(QueryChannels(changedSince: since, limit: 3), stage.bob)
            since = try #require(answers.first?.asOf)
            return (answers.flatMap(\.channels).map(\.channel), answers.flatMap(\.gone))
        }
        #expect(try await changes {}.changed == [])
        let title = ChannelProfile(title: "new")
        let one = try await changes {
            try await stage.ann.perform(SetChannelProfile(channel: ids[3], profile: title))
        }
        #expect(one.changed == [ids[3]])
        #expect(one.gone.isEmpty)
        // The time itself is excluded.
        let channel = try await stage.bob.channel(ids[3])
        let at = try #require(channel.$updatedAt)
        #expect(try await stage.bob.perform(QueryChannels(changedSince: .init(milliseconds: at))).channels.isEmpty)
        #expect(
            try await stage.bob.perform(QueryChannels(changedSince: .init(milliseconds: at - 1))).channels == [
                bare(channel)
            ])
        // Every change: of the log, the members, the user's own preferences, mark and hiding.
        #expect(try await changes { try await stage.ann.send("x", to: ids[0]) }.changed == [ids[0]])
        let invite = InviteMembers(channel: ids[1], members: [Cast.cid.userID])
        #expect(try await changes { try await stage.ann.perform(invite) }.changed == [ids[1]])
        let mute = SetChannelPreference(channel: ids[2], isMuted: true)
        #expect(try await changes { try await stage.bob.perform(mute) }.changed == [ids[2]])
        #expect(try await changes { try await stage.bob.perform(SetReadMark(channel: ids[0])) }.changed == [ids[0]])
        #expect(try await changes { try await stage.bob.perform(HideChannel(channel: ids[5])) }.changed == [ids[5]])
        let role = SetMemberRole(channel: ids[6], userID: Cast.bob.userID, role: .moderator)
        #expect(try await changes { try await stage.ann.perform(role) }.changed == [ids[6]])
        // What others change for themselves is not a change for Bob.
        #expect(try await changes { try await stage.ann.perform(HideChannel(channel: ids[5])) }.changed == [])
        // A lost channel is returned as a tombstone, with the reason.
        let lost = try await changes {
            try await stage.ann.perform(DismissChannel(channel: ids[0]))
            try await stage.ann.perform(KickMembers(channel: ids[1], members: [Cast.bob.userID]))
            try await stage.ann.perform(BanMembers(channel: ids[2], members: [Cast.bob.userID]))
            try await stage.bob.perform(LeaveChannel(channel: ids[3]))
        }
        #expect(lost.changed.isEmpty)
        let reasons: [DepartureReason] = [.dismissed, .kicked, .banned, .left]
        let lostAt = stage.roost.clock.now - 10
        #expect(
            lost.gone == zip(ids, reasons).map { GoneChannel(channel: $0, reason: $1, at: .init(milliseconds: lostAt)) }
        )
        // An invitation does not bring it back yet; a user who joins again has it again.
        let ask = InviteMembers(channel: ids[1], members: [NewMember(Cast.bob.userID, role: .invited)])
        let before = since.milliseconds - 25
        _ = try await changes { try await stage.ann.perform(ask) }
        let again = try await stage.bob.perform(QueryChannels(changedSince: .init(milliseconds: before), limit: 100))
        #expect(again.gone.map(\.channel) == Array(ids.prefix(4)))
        let back = try await changes {
            try await stage.bob.perform(AnswerInvitation(channel: ids[1], isAccepted: true))
        }
        #expect(back.changed == [ids[1]])
        #expect(back.gone.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `once a change is answered, the moment to ask from lies after it`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let core = stage.roost.core
        let (ann, clock) = (stage.ann.actor, stage.roost.clock)
        let reply = await withCheckedContinuation { continuation in
            core.handle(.write(.sendMessage(SendMessage(channel: Cast.club, text: "x"))), id: "x", from: ann) { _ in
                clock.advance(by: 10)
                core.handle(.read(.queryChannels(QueryChannels())), id: "q", from: ann) {
                    continuation.resume(returning: $0)
                }
            }
        }
        let since = try reply.decode(QueryChannels.Answer.self).asOf
        #expect(since == .init(milliseconds: clock.now - 1))
        #expect(try await stage.ann.perform(QueryChannels(changedSince: since)).channels.isEmpty)
    }

    /// The channel as in a batch without members.
    private func bare(_ channel: Channel) -> Channel {
        var channel = channel
        channel.members = []
        return channel
    }

    @Test(arguments: Backend.available)
    func `large answers come in batches of at most 100 that contain everything once [L-37 L-39]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let ids = try await makeGroups(230, stage)
        for limit in [0, -1, 101, Int.max] {
            #expect(try await stage.ann.refusal(QueryChannels(limit: limit))?.entry == .dataFormat)
            #expect(try await stage.ann.refusal(ListReadMarks(limit: limit))?.entry == .dataFormat)
        }
        #expect(try await stage.ann.refusal(QueryChannels(limit: 31, withMembers: true))?.entry == .dataFormat)
        let usual = try await batches(QueryChannels(), stage.ann)
        #expect(usual.map(\.channels.count) == [30, 30, 30, 30, 30, 30, 30, 20])
        #expect(usual.flatMap(\.channels).map(\.channel) == ids)
        let largest = try await batches(QueryChannels(limit: 100), stage.ann)
        #expect(largest.map(\.channels.count) == [100, 100, 30])
        #expect(largest.flatMap(\.channels).map(\.channel) == ids)
        for cursor in ["", "x", "1/2", "1/2/", "1/2/a b", "99999999999999999999/1/a", "1/-1/a", "1/x/a", "\u{0}"] {
            #expect(try await stage.ann.refusal(QueryChannels(cursor: cursor))?.entry == .dataFormat, "\(cursor)")
        }
        // The user's own read positions in all of them, page by page.
        var sizes: [Int] = []
        var reads: [ChannelRead] = []
        var cursor: String?
        repeat {
            let page = try await stage.ann.perform(ListReadMarks(limit: 100, cursor: cursor))
            sizes.append(page.channels.count)
            reads += page.channels
            cursor = page.next
        } while cursor != nil
        #expect(sizes == [100, 100, 30])
        #expect(reads.map(\.channel) == ids)
        #expect(reads.allSatisfy { $0.kind == .group })
    }

    @Test(arguments: Backend.available)
    func `a batch with many large members stays below 1 MiB and loses no channel`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let picture = "https://example.org/" + String(repeating: "p", count: 1_900)
        var members: [NewMember] = []
        for number in 0..<99 {
            let person = try user("m-\(number)")
            _ = try await stage.roost.session(person)
            members.append(NewMember(person.userID, imageURL: picture))
        }
        var ids: [ChannelID] = []
        for number in 0..<8 {
            let id = try channel("g-\(number)")
            try await stage.ann.perform(CreateChannel(kind: .group, channel: id, members: members))
            ids.append(id)
        }
        let answers = try await batches(QueryChannels(withMembers: true), stage.ann)
        #expect(answers.count > 1)
        for (number, answer) in answers.enumerated() {
            #expect(try WireCodec.encode(answer).count < 1_025 * 1_024)
            #expect(answer.batch == number + 1)
            #expect(answer.channels.allSatisfy { $0.members.count == 100 })
        }
        #expect(answers.last?.batchTotal == answers.count)
        #expect(answers.flatMap(\.channels).map(\.channel) == ids)
        // Without members, all of them fit.
        #expect(try await batches(QueryChannels(), stage.ann).map(\.channels.count) == [8])
    }

    @Test(arguments: Backend.available)
    func `the user's own read position in a channel is that of the last mark [L-38]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        var sent: [Acknowledgement] = []
        for _ in 0..<3 {
            stage.roost.clock.advance(by: 10)
            sent.append(try await stage.bob.send("x", to: Cast.club))
        }
        let list = ListReadMarks(channel: Cast.club)
        let none = ChannelRead(
            channel: Cast.club, kind: .group, seq: 0, sentAt: .init(milliseconds: 0), readAt: .init(milliseconds: 0))
        #expect(try await stage.ann.perform(list).channels == [none])
        stage.roost.clock.advance(by: 10)
        try await stage.ann.perform(SetReadMark(channel: Cast.club, seq: 2))
        let read = ChannelRead(
            channel: Cast.club, kind: .group, seq: 2, sentAt: sent[1].sentAt,
            readAt: .init(milliseconds: stage.roost.clock.now))
        #expect(try await stage.ann.perform(list).channels == [read])
        #expect(try await stage.dee.refusal(list)?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(list)?.entry == .notMember)
    }

    @Test(arguments: Backend.available)
    func `unread channels come with their counts and the total [L-40 J-79]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        for _ in 0..<2 { try await stage.bob.send("x", to: Cast.annAndBob) }
        for _ in 0..<3 { try await stage.cid.send("x", to: Cast.club) }
        _ = try await makeGroups(1, stage)
        try await stage.bob.send("no messaging channel", to: Cast.lobby)
        let unread = try await stage.ann.perform(GetUnread())
        #expect(
            unread.channels == [
                ChannelUnread(channel: Cast.annAndBob, unread: 2, count: 2),
                ChannelUnread(channel: Cast.club, unread: 3, count: 3),
            ])
        #expect(unread.total == 5)
        #expect(try await stage.ann.perform(ListChannels(limit: 1)).totalUnread == 5)
        try await stage.ann.perform(SetReadMark(channel: Cast.club))
        #expect(try await stage.ann.perform(GetUnread()).total == 2)
    }

    @Test(arguments: Backend.available)
    func `a user who was offline gets each member's read position [L-49]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let sent = try await stage.ann.send("x", to: Cast.club)
        stage.roost.disconnect(stage.ann)
        stage.roost.clock.advance(by: 10)
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        let phone = try await stage.roost.session(Cast.ann, device: "phone")
        let reads = try await phone.perform(ListMemberReads(channel: Cast.club))
        #expect(reads.members.map(\.userID) == [Cast.ann, Cast.bob, Cast.cid].map(\.userID))
        #expect(reads.members.map(\.seq) == [1, 1, 0])
        #expect(reads.members.map(\.$sentAt) == [sent.$sentAt, sent.$sentAt, 0])
        #expect(reads.members[1].$readAt == stage.roost.clock.now)
        #expect(reads.next == nil)
        let first = try await phone.perform(ListMemberReads(channel: Cast.club, limit: 1))
        let page = try await phone.perform(ListMemberReads(channel: Cast.club, limit: 1, cursor: first.next))
        #expect(page.members.map(\.userID) == [Cast.bob.userID])
        #expect(page.next != nil)
        #expect(try await stage.dee.refusal(ListMemberReads(channel: Cast.club))?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(ListMemberReads(channel: Cast.club))?.entry == .notMember)
    }
}
