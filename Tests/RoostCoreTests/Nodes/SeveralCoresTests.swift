import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// Three servers on one PostgreSQL, with a bus between them that loses, doubles and swaps.
@Suite(.enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(3))) struct SeveralCoresTests {
    private struct Servers {
        let hub: TestBus.Hub
        let cores: [TestCore]
        /// The sessions of each user, one at each server.
        var sessions: [UserID: [TestSession]] = [:]

        init(_ hub: TestBus.Hub) async throws {
            self.hub = hub
            let url = try Postgres.makeSchema()
            cores = try (0..<3).map { number in
                let settings = NodeSettings(allowsOthers: true, secrets: ["s"], encryptionKeys: [], options: [:])
                let node = LocalNode(place: nil, version: "1", address: "server \(number)", settings: settings)
                return try TestCore(database: Postgres.open(url), node: node, bus: TestBus(hub))
            }
            for user in [Cast.ann, Cast.bob, Cast.cid] {
                for (number, core) in cores.enumerated() {
                    sessions[user.userID, default: []].append(try await core.session(user, device: "d\(number)"))
                }
            }
            // They hear of each other.
            for core in cores { core.core.watchOthers() }
            await hub.settle()
        }

        func session(_ user: User, at server: Int) throws -> TestSession { try #require(sessions[user.userID])[server] }

        /// Waits until a condition holds, while the servers look for what they lack.
        func wait(until isTrue: () -> Bool) async throws {
            while !isTrue() {
                try Task.checkCancellation()
                await hub.settle()
                // Not `settle`, which lets an hour pass: what is in the journal for longer than minutes is removed.
                for core in cores { core.core.readJournal() }
                await Task.yield()
            }
        }
    }

    @Test(arguments: [0, 10, 30])
    func `each session gets the rows of its memberships, once and in order`(faults percent: UInt64) async throws {
        let hub = TestBus.Hub { number in
            var random = SeededNumbers(seed: UInt64(number) &+ percent &* 1_000)
            guard random.next() % 100 < percent else { return .none }
            return [.lost, .doubled, .swapped][Int(random.next() % 3)]
        }
        let servers = try await Servers(hub)
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

    private func check(_ servers: Servers, isMember: Bool) async throws {
        let last = try await servers.session(Cast.ann, at: 0).send("last", to: Cast.club, id: "last")
        let head = try #require(last.seq)
        try await servers.wait {
            [Cast.ann, Cast.cid].allSatisfy { user in
                servers.sessions[user.userID]?.allSatisfy { $0.rows(of: Cast.club).last?.seq == head } == true
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

    private static func ring(_ event: Event) -> String? {
        guard case .ephemeral(.messageRelayed(let message)) = event.body else { return nil }
        return message.text
    }
}
