import RoostCore
import RoostTesting
import RoostWire
import Testing

extension TestSession {
    @discardableResult
    func pin(
        _ message: MessageID, in channel: ChannelID = Cast.club, id: String? = nil
    ) async throws -> Acknowledgement {
        try await perform(AddPin(channel: channel, messageID: message), id: id)
    }

    @discardableResult
    func unpin(
        _ message: MessageID, in channel: ChannelID = Cast.club, id: String? = nil
    ) async throws -> Acknowledgement {
        try await perform(RemovePin(channel: channel, messageID: message), id: id)
    }

    /// The pinned messages with the name of the user who pinned each, the newest pin first.
    func pins(in channel: ChannelID = Cast.club) async throws -> [String] {
        try await perform(ListPins(channel: channel)).pins.map { "\($0.messageID.seq) \($0.name)" }
    }
}

@Suite struct PinsTests {
    private func stage(_ backend: Backend) async throws -> (Stage, MessageID) {
        let stage = try await Stage(backend, isDevelopment: false)
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        await stage.forgetEvents()
        return (stage, id)
    }

    private func code(_ session: TestSession, _ message: MessageID) async throws -> ErrorCode? {
        try await session.refusal(AddPin(channel: Cast.club, messageID: message))?.entry
    }

    @Test(arguments: Backend.available)
    func `a pin is a row for everybody that does not count, and the newest pin comes first`(
        backend: Backend
    ) async throws {
        let (stage, id) = try await stage(backend)
        let before = try await stage.cid.channel(Cast.club)
        let answer = try await stage.bob.pin(id)
        for session in [stage.ann, stage.bob, stage.cid] {
            let row = try #require(session.rows(of: Cast.club).last)
            #expect(row.name == "pin.added" && row.seq == 2 && row.seq == answer.seq)
            #expect(row.senderID == Cast.bob.userID && row.transID == answer.transID)
            #expect(row.body == .channel(.pinAdded(PinChanged(messageID: id, seq: 1, byName: "Bob"))))
            #expect(try await session.log(of: Cast.club).last == row)
        }
        #expect(stage.dee.events.isEmpty)
        let after = try await stage.cid.channel(Cast.club)
        #expect(after.unread == before.unread && after.count == before.count && after.readSeq == before.readSeq)
        #expect(after.lastMessage == before.lastMessage)
        #expect(try await stage.cid.recount(Cast.club) == 1)

        let second = try await stage.ann.post("second", to: Cast.club)
        let time = stage.roost.clock.now
        try await stage.cid.perform(SetChannelPreference(channel: Cast.club, nickname: "Cidney"))
        try await stage.cid.pin(second)
        #expect(try await stage.ann.pins() == ["3 Cidney", "1 Bob"])
        let list = try await stage.ann.perform(ListPins(channel: Cast.club))
        #expect(list.head == (try await stage.ann.channel(Cast.club).seq))
        #expect(list.pins.first?.userID == Cast.cid.userID && list.pins.first?.$pinnedAt == time)
        try await stage.ann.unpin(id)
        #expect(stage.bob.rows(of: Cast.club).last?.name == "pin.removed")
        #expect(try await stage.bob.pins() == ["3 Cidney"])
    }

    @Test(arguments: Backend.available)
    func `pins sent twice happen once, and pinning what is pinned changes nothing, after a restart too`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        let other = try await stage.ann.post("other", to: Cast.club)
        let added = try await stage.bob.pin(id, id: "add")
        let again = try await stage.ann.pin(id, id: "again")
        #expect(added.seq == 3 && again.seq == nil)
        #expect(try await stage.ann.pins() == ["1 Bob"])
        let removed = try await stage.cid.unpin(id, id: "remove")
        #expect(try await stage.cid.unpin(id).seq == nil)
        try await stage.ann.pin(other, id: "other")
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        #expect(try await later.bob.pin(id, id: "add") == added)
        #expect(try await later.ann.pin(id, id: "again") == again)
        #expect(try await later.cid.unpin(id, id: "remove") == removed)
        let changed = AddPin(channel: Cast.club, messageID: other)
        #expect(try await later.bob.refusal(changed, id: "add")?.entry == .duplicateTransID)
        #expect(try await later.bob.pins() == ["2 Ann"])
        #expect(try await later.bob.channel(Cast.club).seq == 5)
        await later.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `a channel has at most 50 pinned messages, and each that goes makes room`(backend: Backend) async throws {
        let (stage, first) = try await stage(backend)
        var ids = [first]
        for number in 1...50 { ids.append(try await stage.ann.post("\(number)", to: Cast.club)) }
        for id in ids.prefix(50) { try await stage.ann.pin(id) }
        #expect(try await code(stage.ann, ids[50]) == .limitReached)
        // What is pinned is no new pin.
        #expect(try await stage.ann.pin(ids[0]).seq == nil)
        try await stage.ann.recall(ids[7], in: Cast.club)
        try await stage.ann.pin(ids[50])
        #expect(try await stage.bob.perform(ListPins(channel: Cast.club)).pins.count == 50)
        let small = try await Stage(.memory, limits: Limits(channelSendsPerSecond: 0, pins: 1))
        try await small.makeClub()
        let one = try await small.ann.post("one", to: Cast.club)
        let two = try await small.ann.post("two", to: Cast.club)
        #expect(small.ann.welcome?.limits.pins == 1)
        try await small.ann.pin(one)
        #expect(try await code(small.bob, two) == .limitReached)
    }

    @Test(arguments: Backend.available)
    func `pins that no member can read any more make room, and who has deleted a message can unpin it`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend, limits: Limits(channelSendsPerSecond: 0, pins: 1))
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.ann.perform(CreateChannel(kind: .own))
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        // In the self channel, after a deletion and after clearing it.
        for number in 1...3 {
            let id = try await stage.ann.post("\(number)", to: own)
            #expect(try await stage.ann.pin(id, in: own).seq != nil)
            #expect(try await stage.ann.pins(in: own).count == 1)
            try await stage.ann.perform(
                number == 1 ? DeleteMessages([id], in: own) : DeleteMessages(allIn: own))
            #expect(try await stage.ann.pins(in: own).isEmpty)
        }
        // In a 1-on-1 both have to clear it, in a group all.
        for (channel, members) in [
            (Cast.annAndBob, [stage.ann, stage.bob]), (Cast.club, [stage.ann, stage.cid, stage.bob]),
        ] {
            try await stage.bob.pin(try await stage.ann.post("first", to: channel), in: channel)
            let second = try await stage.bob.post("second", to: channel)
            for member in members {
                let refusal = try await stage.bob.refusal(AddPin(channel: channel, messageID: second))
                #expect(refusal?.entry == .limitReached)
                try await member.perform(DeleteMessages(allIn: channel))
            }
            let third = try await stage.bob.post("third", to: channel)
            #expect(try await stage.bob.pin(third, in: channel).seq != nil)
            // Bob does not want to see it, and takes it down for all.
            try await stage.bob.delete(third, in: channel)
            #expect(try await stage.bob.pins(in: channel).isEmpty)
            #expect(try await stage.ann.pins(in: channel).count == 1)
            #expect(try await stage.bob.unpin(third, in: channel).seq != nil)
            #expect(try await stage.ann.pins(in: channel).isEmpty)
            let again = RemovePin(channel: channel, messageID: third)
            #expect(try await stage.bob.refusal(again)?.entry == .messageNotFound)
        }
    }

    @Test(arguments: Backend.available)
    func `recalled and purged messages are not pinned any more, and deleted ones are not for who deleted them`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, retention: [.group: RetentionPolicy(keepLast: 2)])
        let stage = try await Stage(roost)
        try await stage.makeClub()
        let recalled = try await stage.ann.post("recalled", to: Cast.club)
        let silent = try await stage.ann.post("silent", to: Cast.club)
        let deleted = try await stage.ann.post("deleted", to: Cast.club)
        for id in [recalled, silent, deleted] { try await stage.bob.pin(id) }
        try await stage.ann.recall(recalled, in: Cast.club)
        try await stage.ann.recall(silent, in: Cast.club, isSilent: true)
        try await stage.cid.delete(deleted, in: Cast.club)
        #expect(try await stage.bob.pins() == ["3 Bob"])
        #expect(try await stage.cid.pins() == [])
        for id in [recalled, silent] {
            #expect(try await code(stage.bob, id) == .messageNotFound)
            let remove = RemovePin(channel: Cast.club, messageID: id)
            #expect(try await stage.bob.refusal(remove)?.entry == .messageNotFound)
        }
        #expect(try await code(stage.cid, deleted) == .messageNotFound)
        for number in 1...3 { _ = try await stage.ann.post("\(number)", to: Cast.club) }
        stage.roost.clock.advance(by: 10)
        await stage.settle()
        #expect(try await stage.bob.pins() == [])
        await roost.core.stop()
        let left = try await database.read { try $0.rows("SELECT p.seq FROM pins p") { try $0.int(0) } }
        #expect(left == [])
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `who may not read a message neither pins nor lists it, and a group may leave pins to its moderators`(
        backend: Backend
    ) async throws {
        let (stage, id) = try await stage(backend)
        try await stage.bob.pin(id)
        #expect(try await code(stage.dee, id) == .channelNotFound)
        #expect(try await stage.dee.refusal(ListPins(channel: Cast.club))?.entry == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await code(stage.cid, id) == .notMember)
        // Pins stay when those who made them leave. A newcomer sees only those of messages that a newcomer may read.
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin, pinners: .moderators)))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(try await code(stage.dee, id) == .noPrivilege)
        #expect(try await stage.dee.pins() == [])
        #expect(try await stage.bob.pins() == ["1 Bob"])
        #expect(
            try await stage.bob.refusal(RemovePin(channel: Cast.club, messageID: id))?.entry == .noPrivilege)
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.bob.unpin(id)
        #expect(try await stage.ann.pins() == [])
        // In a 1-on-1 both may, unless one has blocked the other.
        try await stage.makePair()
        let pair = try await stage.ann.post("hello", to: Cast.annAndBob)
        try await stage.bob.pin(pair, in: Cast.annAndBob)
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        for command in [
            AddPin(channel: Cast.annAndBob, messageID: pair), RemovePin(channel: Cast.annAndBob, messageID: pair),
        ] as [any Command] {
            #expect(try await stage.bob.refusal(command)?.entry == .blocked)
        }
        let forged = MessageID(sentAt: 0, seq: 1, salt: 7)
        #expect(try await code(stage.ann, forged) == .messageNotFound)
    }

    @Test(arguments: Backend.available)
    func `in an open channel operators pin and everybody sees it, and news are not pinned`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let boss = try await stage.roost.session(user("op"), isOperator: true)
        try await stage.ann.perform(JoinChannel(channel: Cast.lobby))
        let id = try await stage.ann.post("hello", to: Cast.lobby)
        #expect(
            try await stage.ann.refusal(AddPin(channel: Cast.lobby, messageID: id))?.entry == .noPrivilege)
        try await boss.pin(id, in: Cast.lobby)
        #expect(stage.ann.rows(of: Cast.lobby).last?.name == "pin.added")
        #expect(try await stage.dee.perform(ListPins(channel: Cast.lobby)).pins.map(\.messageID) == [id])

        let offers = try channel("offers")
        try await boss.perform(CreateChannel(kind: .publicNews, channel: offers))
        try await stage.ann.perform(BecomeMember(channel: offers))
        let piece = try #require(try await boss.perform(PublishNews(channel: offers, text: "cake")).messageID)
        for command in [
            AddPin(channel: offers, messageID: piece), RemovePin(channel: offers, messageID: piece),
            ListPins(channel: offers),
        ] as [any Command] {
            #expect(try await stage.ann.refusal(command)?.entry == .channelTypeMismatch)
        }
    }

    @Test(arguments: Backend.available)
    func `a commit that fails leaves no pin, and what is tried again happens once`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makeClub()
        let id = try await stage.ann.post("hello", to: Cast.club)
        await stage.forgetEvents()
        database.failCommits(.full, .full)
        #expect(try await stage.bob.refusal(AddPin(channel: Cast.club, messageID: id), id: "pin") != nil)
        #expect(try await stage.bob.pins() == [])
        await stage.settle()
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        try await stage.bob.pin(id, id: "pin")
        database.failCommits(.full, .full)
        #expect(try await stage.bob.refusal(RemovePin(channel: Cast.club, messageID: id), id: "unpin") != nil)
        #expect(try await stage.bob.pins() == ["1 Bob"])
        withExtendedLifetime(resource) {}
    }
}
