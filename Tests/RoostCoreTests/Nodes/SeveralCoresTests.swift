import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

/// Three servers on one PostgreSQL, with a bus between them that loses, doubles and swaps.
@Suite(.enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(3))) struct SeveralCoresTests {
    @Test(arguments: [0, 10, 30])
    func `each session gets the rows of its memberships, once and in order`(faults percent: UInt64) async throws {
        let hub = TestBus.Hub { number in
            var random = SeededNumbers(seed: UInt64(number) &+ percent &* 1_000)
            guard random.next() % 100 < percent else { return .none }
            return [.lost, .doubled, .swapped][Int(random.next() % 3)]
        }
        let servers = try await SeveralCores(hub)
        var random = SeededNumbers(for: "SeveralCoresTests \(percent)")
        let ann = try servers.session(Cast.ann, at: 0)
        try await ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID]))
        var isMember = true
        for step in 1...120 {
            let (server, id) = (Int(random.next() % 3), "step-\(step)")
            switch random.next() % 8 {
            case 0 where isMember:
                try await servers.session(Cast.ann, at: server).perform(
                    KickMembers(channel: Cast.club, members: [Cast.bob.userID]), id: id)
                isMember = false
            case 0:
                try await servers.session(Cast.ann, at: server).perform(
                    InviteMembers(channel: Cast.club, members: [NewMember(Cast.bob.userID)]), id: id)
                isMember = true
            case 1: try await servers.session(Cast.cid, at: server).perform(SetReadMark(channel: Cast.club), id: id)
            case 2:
                try await servers.session(Cast.cid, at: server).perform(
                    SendMessage(channel: Cast.club, type: "custom", text: "ring \(step)", attributes: 2), id: id)
            case 3 where isMember:
                try await servers.session(Cast.bob, at: server).send("bob \(step)", to: Cast.club, id: id)
            default: try await servers.session(Cast.cid, at: server).send("cid \(step)", to: Cast.club, id: id)
            }
        }
        try await check(servers, isMember: isMember)
    }

    @Test(arguments: [false, true])
    func `a read mark is announced once at each server, after the row that was read`(isBusDown: Bool) async throws {
        let servers = try await SeveralCores()
        servers.hub.isDown = isBusDown
        let ann = try servers.session(Cast.ann, at: 0)
        try await ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID]), id: "club")
        let head = try #require(try await ann.send("hi", to: Cast.club, id: "hi").seq)
        try await servers.session(Cast.bob, at: 1).perform(SetReadMark(channel: Cast.club, seq: head), id: "read")
        for server in 0..<3 {
            for user in [Cast.ann, Cast.bob] {
                let session = try servers.session(user, at: server)
                try await servers.wait { session.events.contains { Self.mark($0) != nil } }
                let events = session.events.filter { Self.mark($0) != nil || $0.seq == head }
                #expect(events.map(Self.mark) == [nil, head], "\(user.userID) at \(server)")
            }
            #expect(!(try servers.session(Cast.cid, at: server)).events.contains { Self.mark($0) != nil })
        }
    }

    @Test(arguments: [false, true])
    func `a read mark is not shown to who was blocked at another server`(isBusDown: Bool) async throws {
        let servers = try await SeveralCores(count: 2)
        servers.hub.isDown = isBusDown
        let (ann, bob) = (try servers.session(Cast.ann, at: 1), try servers.session(Cast.bob, at: 1))
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]), id: "pair")
        // This server keeps the channel, as it was before the block.
        let first = try #require(try await ann.send("one", to: Cast.annAndBob, id: "one").seq)
        try await bob.perform(SetReadMark(channel: Cast.annAndBob, seq: first), id: "read one")
        try await servers.wait { ann.events.contains { Self.mark($0) == first } }
        let (blocker, blocked) = (try servers.session(Cast.ann, at: 0), try servers.session(Cast.bob, at: 0))
        try await blocker.perform(BlockUser(userID: Cast.bob.userID), id: "block")
        let second = try #require(try await blocker.send("two", to: Cast.annAndBob, id: "two").seq)
        servers.clock.advance(by: 60_000)
        try await blocked.perform(SetReadMark(channel: Cast.annAndBob, seq: second), id: "read two")
        try await servers.wait { bob.events.contains { Self.mark($0) == second } }
        #expect(!ann.events.contains { Self.mark($0) == second })
    }

    @Test(arguments: [false, true])
    func `a guest who is logged out at one server is so at the others`(isBusDown: Bool) async throws {
        let servers = try await SeveralCores()
        servers.hub.isDown = isBusDown
        try await servers.session(Cast.ann, at: 0).perform(EndLogins(deviceID: "d1"), id: "one")
        try await servers.wait { try servers.session(Cast.ann, at: 1).end != nil }
        #expect(try servers.session(Cast.ann, at: 1).end?.entry == .tokenExpired)
        #expect(try servers.session(Cast.ann, at: 2).end == nil)
        try await servers.session(Cast.ann, at: 0).perform(EndLogins(), id: "all")
        try await servers.wait { try servers.session(Cast.ann, at: 2).end != nil }
        #expect(try servers.session(Cast.bob, at: 2).end == nil)
    }

    @Test func `what another server is still committing is not missed by who asks for changes`() async throws {
        let servers = try await SeveralCores(count: 2)
        let ann = try servers.session(Cast.ann, at: 0)
        try await ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID]), id: "club")
        servers.clock.advance(by: 600_000)
        servers.faults[1].shut()
        async let sent = servers.session(Cast.cid, at: 1).send("slow", to: Cast.club, id: "slow")
        await servers.faults[1].waitForCommit()
        servers.clock.advance(by: 30_000)
        let first = try await ann.perform(QueryChannels(changedSince: .init(milliseconds: 0)))
        #expect(first.channels.map(\.channel) == [Cast.club])
        #expect(try await ann.perform(QueryChannels(changedSince: first.asOf)).channels == [])
        servers.faults[1].open()
        _ = try await sent
        let second = try await ann.perform(QueryChannels(changedSince: first.asOf))
        #expect(second.channels.map(\.channel) == [Cast.club])
    }

    @Test func `a server that is cut off in a transaction holds the others up for some seconds only`() async throws {
        let servers = try await SeveralCores(count: 2)
        let ann = try servers.session(Cast.ann, at: 0)
        try await ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.cid.userID]), id: "club")
        servers.faults[1].shut()
        let cid = try servers.session(Cast.cid, at: 1)
        async let late = try? cid.send("late", to: Cast.club, id: "late")
        await servers.faults[1].waitForCommit()
        // It waits for the lock of the channel, and then gets it.
        let sent = try await ann.send("hi", to: Cast.club, id: "hi")
        servers.faults[1].open()
        // It may be refused, as its connection to the database is gone.
        _ = await late
        let seq = try #require(sent.seq)
        #expect(try await cid.send("late", to: Cast.club, id: "late").seq == seq + 1)
    }

    @Test func `an invitation that is heard after the removal that ends it gives the rows between them`() async throws {
        let isHolding = Atomic(false)
        let servers = try await SeveralCores(
            TestBus.Hub { _ in isHolding.load(ordering: .relaxed) ? .late : .none }, count: 2)
        let (ann, bob) = (try servers.session(Cast.ann, at: 0), try servers.session(Cast.bob, at: 0))
        try await ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: [Cast.cid.userID]), id: "club")
        await servers.hub.settle()
        isHolding.store(true, ordering: .relaxed)
        let invitation = InviteMembers(channel: Cast.club, members: [NewMember(Cast.bob.userID)])
        try await servers.session(Cast.ann, at: 1).perform(invitation, id: "invite")
        // The server of the removal knows of the invitation by the database only, and cannot read the journal now.
        servers.faults[0].failReads(1_000)
        try await ann.perform(KickMembers(channel: Cast.club, members: [Cast.bob.userID]), id: "kick")
        #expect(bob.rows(of: Cast.club).isEmpty)
        isHolding.store(false, ordering: .relaxed)
        servers.hub.release()
        try await servers.wait { bob.events.contains { $0.userSeq == 2 } }
        servers.faults[0].failReads(-1_000)
        try await servers.session(Cast.cid, at: 1).send("later", to: Cast.club, id: "later")
        try await servers.wait { ann.rows(of: Cast.club).count == 3 }
        let seqs = ann.rows(of: Cast.club).compactMap(\.seq)
        #expect(bob.rows(of: Cast.club).compactMap(\.seq) == Array(seqs[0...1]))
    }

    private func check(_ servers: SeveralCores, isMember: Bool) async throws {
        let last = try await servers.session(Cast.ann, at: 0).send("last", to: Cast.club, id: "last")
        let head = try #require(last.seq)
        try await servers.wait {
            [Cast.ann, Cast.cid].allSatisfy { user in
                servers.sessions[user.userID]?.allSatisfy { $0.rows(of: Cast.club).last?.seq == head } == true
            }
        }
        // Whatever was lost, the last mark is known everywhere. Announcements are some time apart.
        servers.clock.advance(by: 60_000)
        try await servers.session(Cast.cid, at: 2).perform(SetReadMark(channel: Cast.club), id: "last mark")
        try await servers.wait {
            [Cast.ann, Cast.cid].allSatisfy { user in
                servers.sessions[user.userID]?.allSatisfy { $0.events.contains { Self.mark($0) == head } } == true
            }
        }
        let rows = try servers.session(Cast.ann, at: 0).rows(of: Cast.club)
        let seqs = rows.compactMap(\.seq)
        // The first one is that of the new channel.
        #expect(seqs == Array((seqs.first ?? 0)...head))
        var expected: [Int64] = []
        var isIn = true
        for row in rows {
            guard let seq = row.seq else { continue }
            switch row.body {
            case .channel(.memberKicked):
                expected.append(seq)
                isIn = false
            case .channel(.memberInvited): isIn = true
            default: break
            }
            if case .channel(.memberKicked) = row.body { continue }
            if isIn { expected.append(seq) }
        }
        #expect(isIn == isMember)
        try await servers.wait {
            servers.sessions[Cast.bob.userID]?.allSatisfy { $0.rows(of: Cast.club).last?.seq == expected.last } == true
        }
        let rings = try servers.session(Cast.ann, at: 0).events.compactMap(Self.ring)
        #expect(Set(rings).count == rings.count && servers.hub.count > 100)
        for server in 0..<3 {
            for user in [Cast.ann, Cast.cid] {
                let session = try servers.session(user, at: server)
                #expect(session.rows(of: Cast.club).compactMap(\.seq) == seqs, "\(user.userID) at \(server)")
                #expect(session.events.compactMap(Self.ring).sorted() == rings.sorted(), "\(user.userID) at \(server)")
            }
            let bob = try servers.session(Cast.bob, at: server).rows(of: Cast.club).compactMap(\.seq)
            #expect(bob == expected.filter { $0 >= (bob.first ?? 0) }, "bob at \(server)")
        }
        for (user, sessions) in servers.sessions {
            let heads = Set(sessions.map { $0.events.compactMap(\.userSeq).max() })
            #expect(heads.count == 1, "\(user)")
        }
    }

    /// The row up to which an event says that somebody has read.
    private static func mark(_ event: Event) -> Int64? {
        guard case .ephemeral(.readMarkMoved(let moved)) = event.body else { return nil }
        return moved.marks.map(\.seq).max()
    }

    private static func ring(_ event: Event) -> String? {
        guard case .ephemeral(.messageRelayed(let message)) = event.body else { return nil }
        return message.text
    }
}
