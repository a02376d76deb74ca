import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct BlocksTests {
    @Test(arguments: Backend.available)
    func `a blocked user cannot write, start a channel or invite, and is not told of the block`(backend: Backend)
        async throws
    {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        await stage.forgetEvents()
        let block = BlockUser(userID: Cast.bob.userID)
        let answer = try await stage.ann.perform(block)
        #expect(answer.channel == nil)
        for device in [stage.ann, tablet] {
            #expect(device.events.map(\.body) == [.user(.userBlocked(BlockChanged(user: Cast.bob)))])
            #expect(device.events.first?.userSeq != nil)
        }
        #expect([stage.bob, stage.cid, stage.dee].allSatisfy { $0.events.isEmpty })
        // In the 1-on-1, nothing from the blocked user reaches the other one.
        let send = SendMessage(channel: Cast.annAndBob, text: "x")
        #expect(try await stage.bob.refusal(send)?.entry == .blocked)
        try await stage.ann.send("last word", to: Cast.annAndBob)
        await stage.forgetEvents()
        try await stage.bob.perform(StartTyping(channel: Cast.annAndBob))
        try await stage.bob.perform(EndTyping(channel: Cast.annAndBob))
        try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob))
        await stage.settle()
        #expect(stage.ann.events.isEmpty)
        #expect(try await stage.ann.channel(Cast.annAndBob).members.last?.readSeq == 0)
        #expect(try await stage.bob.channel(Cast.annAndBob).readSeq == 1)
        // Nor can the blocked user invite into a group, whatever else is in the command.
        let both = [Cast.ann.userID, Cast.cid.userID]
        let group = CreateChannel(kind: .group, channel: Cast.club, members: both)
        #expect(try await stage.bob.refusal(group)?.entry == .blocked)
        try await stage.bob.perform(CreateChannel(kind: .group, channel: Cast.club))
        let invite = InviteMembers(channel: Cast.club, members: both)
        #expect(try await stage.bob.refusal(invite)?.entry == .blocked)
        #expect(try await stage.bob.channel(Cast.club).memberCount == 1)
        // Nor by way of the 1-on-1, out of which an invitation makes a group.
        let third = InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID])
        #expect(try await stage.bob.refusal(third)?.entry == .blocked)
        #expect(try await stage.ann.list().count == 1 && stage.ann.events.isEmpty)
        // Others still can, and in a shared group the two can still write.
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.cid.perform(InviteMembers(channel: Cast.club, members: [Cast.ann.userID]))
        await stage.forgetEvents()
        try await stage.bob.send("in the group", to: Cast.club)
        #expect(stage.ann.rows(of: Cast.club).map(\.text) == ["in the group"])
        #expect(try await stage.ann.unread(Cast.club) == 1)

        // After unblocking it works again; refused messages do not arrive later.
        try await stage.ann.perform(UnblockUser(userID: Cast.bob.userID))
        #expect(stage.ann.events.last?.body == .user(.userUnblocked(BlockChanged(user: Cast.bob))))
        try await stage.bob.send("hello again", to: Cast.annAndBob)
        #expect(try await stage.ann.log(of: Cast.annAndBob).map(\.text) == ["last word", "hello again"])
        #expect(try await stage.ann.channel(Cast.annAndBob).members.last?.readSeq == 2)
    }

    @Test(arguments: Backend.available)
    func `somebody who is blocked reaches the other one neither with a name nor with a picture`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        await stage.forgetEvents()
        let commands: [any Command] = [
            SetChannelPreference(channel: Cast.annAndBob, nickname: "read this"),
            SetChannelPreference(channel: Cast.annAndBob, imageURL: "https://example.com/read-this.png"),
            SetChannelPreference(channel: Cast.annAndBob, isMuted: true, nickname: "read this"),
            SetChannelProfile(channel: Cast.annAndBob, profile: ChannelProfile(background: "read this")),
        ]
        for command in commands { #expect(try await stage.bob.refusal(command)?.entry == .blocked) }
        // What only the user sees is not refused, and neither is anything of the one who blocks.
        try await stage.bob.perform(SetChannelPreference(channel: Cast.annAndBob, isMuted: true))
        #expect(stage.ann.events.isEmpty)
        try await stage.ann.perform(SetChannelPreference(channel: Cast.annAndBob, nickname: "Anna"))
        try await stage.ann.perform(UnblockUser(userID: Cast.bob.userID))
        for command in commands { #expect(try await stage.bob.refusal(command) == nil) }
    }

    @Test(arguments: Backend.available)
    func `a block that is older than the 1-on-1 holds in it, after a restart too`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        let start = CreateChannel(kind: .single, members: [Cast.ann.userID])
        #expect(try await stage.bob.refusal(start)?.entry == .blocked)
        #expect(stage.ann.events(named: .channelJoined).isEmpty)
        // The user who blocked may still start it.
        try await stage.makePair()
        let send = SendMessage(channel: Cast.annAndBob, text: "x")
        #expect(try await stage.bob.refusal(send)?.entry == .blocked)
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        #expect(try await later.bob.refusal(send)?.entry == .blocked)
        try await later.ann.perform(UnblockUser(userID: Cast.bob.userID))
        try await later.bob.perform(send)
        await later.roost.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `if one has blocked the other, neither is shown how far the other one has read`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        let messages = [
            Cast.ann.userID: try await stage.ann.post("of Ann", to: Cast.annAndBob),
            Cast.bob.userID: try await stage.bob.post("of Bob", to: Cast.annAndBob),
        ]
        for session in [stage.ann, stage.bob] { try await session.perform(SetReadMark(channel: Cast.annAndBob)) }
        /// What a user learns about the other user's mark, with any command.
        func seen(by session: TestSession, of other: UserID) async throws -> [Int64] {
            let channel = try await session.channel(Cast.annAndBob)
            let listed = try await session.list().first { $0.channel == Cast.annAndBob }
            let members = try await session.perform(ListMembers(channel: Cast.annAndBob)).members
            let reads = try await session.perform(ListMemberReads(channel: Cast.annAndBob)).members
            let message = try #require(messages[session.userID])
            let readers = try await session.perform(ListReaders(channel: Cast.annAndBob, messageID: message)).readers
            let counts = try await session.perform(CountReads(channel: Cast.annAndBob, messageIDs: [message])).messages
            return [
                channel.readSeq(of: other), listed?.readSeq(of: other) ?? -1,
                members.first { $0.userID == other }?.readSeq ?? -1, reads.first { $0.userID == other }?.seq ?? -1,
                Int64(readers.count { $0.userID == other }), Int64(counts.first?.readBy ?? -1),
            ]
        }
        let (ann, bob) = (Cast.ann.userID, Cast.bob.userID)
        for blocker in [stage.ann, stage.bob] {
            #expect(try await seen(by: stage.ann, of: bob) == [2, 2, 2, 2, 1, 1])
            #expect(try await seen(by: stage.bob, of: ann) == [2, 2, 2, 2, 1, 1])
            let command = BlockUser(userID: blocker.userID == ann ? bob : ann)
            for _ in 0..<2 {
                try await blocker.perform(command)
                #expect(try await seen(by: stage.ann, of: bob) == [0, 0, 0, 0, 0, 0])
                #expect(try await seen(by: stage.bob, of: ann) == [0, 0, 0, 0, 0, 0])
            }
            // Each user still sees their own mark.
            for session in [stage.ann, stage.bob] {
                #expect(try await session.channel(Cast.annAndBob).readSeq(of: session.userID) == 2)
                let page = ListMembers(channel: Cast.annAndBob)
                let members = try await session.perform(page).members.filter { $0.userID == session.userID }
                #expect(members.map(\.readSeq) == [2])
            }
            try await blocker.perform(UnblockUser(userID: command.userID))
        }
    }

    @Test(arguments: Backend.available)
    func `if one has blocked the other, a moved mark is told only to the devices of its user`(
        backend: Backend
    ) async throws {
        for isAnnBlocking in [true, false] {
            let stage = try await Stage(backend)
            try await stage.makePair()
            let tablets = [
                try await stage.roost.session(Cast.ann, device: "tablet"),
                try await stage.roost.session(Cast.bob, device: "tablet"),
            ]
            let (blocker, reader) = isAnnBlocking ? (stage.ann, stage.bob) : (stage.bob, stage.ann)
            try await reader.send("unread", to: Cast.annAndBob)
            try await blocker.perform(BlockUser(userID: reader.userID))
            try await blocker.send("another", to: Cast.annAndBob)
            await stage.forgetEvents()
            for tablet in tablets { _ = tablet.drainEvents() }
            for session in [stage.ann, stage.bob] {
                try await session.perform(SetReadMark(channel: Cast.annAndBob))
                try await session.perform(SetReadMark(channel: Cast.annAndBob))
            }
            await stage.settle()
            func told(_ session: TestSession) -> Set<UserID> {
                var users: Set<UserID> = []
                for case .ephemeral(.readMarkMoved(let moved)) in session.events.map(\.body) {
                    users.formUnion(moved.marks.map(\.userID))
                }
                return users
            }
            for session in [stage.ann, stage.bob] + tablets { #expect(told(session) == [session.userID]) }
            // Without the block, marks are sent again.
            try await blocker.perform(UnblockUser(userID: reader.userID))
            try await blocker.send("hello again", to: Cast.annAndBob)
            try await reader.perform(SetReadMark(channel: Cast.annAndBob))
            await stage.settle()
            #expect(told(blocker).contains(reader.userID))
        }
    }

    @Test(arguments: Backend.available)
    func `blocking twice changes nothing, and a block needs a known other user and room`(
        backend: Backend
    ) async throws {
        var limits = Limits.withoutRates
        limits.blockedUsers = 2
        let stage = try await Stage(backend, limits: limits)
        func block(_ user: User) async throws -> ErrorCode? {
            try await stage.ann.refusal(BlockUser(userID: user.userID))?.entry
        }
        #expect(try await block(Cast.ann) == .dataFormat)
        #expect(try await block(user("nobody")) == .userNotFound)
        #expect(try await stage.ann.refusal(UnblockUser(userID: user("nobody").userID))?.entry == .userNotFound)
        try await stage.ann.perform(UnblockUser(userID: Cast.bob.userID))
        #expect(stage.ann.events.isEmpty)
        #expect(try await block(Cast.dee) == nil)
        stage.roost.clock.advance(by: 5)
        #expect(try await block(Cast.bob) == nil)
        #expect(try await block(Cast.bob) == nil)
        #expect(try await block(Cast.cid) == .limitReached)
        #expect(stage.ann.events.count == 2)
        let blocked = try await stage.ann.perform(ListBlockedUsers())
        let now = stage.roost.clock.now
        #expect(
            blocked.users == [
                BlockedUser(user: Cast.bob, at: .init(milliseconds: now)),
                BlockedUser(user: Cast.dee, at: .init(milliseconds: now - 5)),
            ])
        #expect(blocked.next == nil)
        let first = try await stage.ann.perform(ListBlockedUsers(limit: 1))
        #expect(first.users.map(\.user) == [Cast.bob])
        #expect(first.next != nil)
        let rest = try await stage.ann.perform(ListBlockedUsers(limit: 1, cursor: first.next))
        #expect(rest.users.map(\.user) == [Cast.dee])
        #expect(rest.next == nil)
        for limit in [0, -1, 101, Int.max] {
            #expect(try await stage.ann.refusal(ListBlockedUsers(limit: limit))?.entry == .dataFormat)
        }
        #expect(try await stage.bob.perform(ListBlockedUsers()).users.isEmpty)
        try await stage.ann.perform(UnblockUser(userID: Cast.bob.userID))
        #expect(try await block(Cast.cid) == nil)
    }
}
