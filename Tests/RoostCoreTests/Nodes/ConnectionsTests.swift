import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// What servers of one database know of the connections to each other.
@Suite(.enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(3))) struct ConnectionsTests {
    /// Ann at the first server and Bob at the second, in a 1-on-1, with an address on Bob's device.
    private func servers() async throws -> (SeveralCores, ann: TestSession, bob: TestSession) {
        let servers = try await SeveralCores(count: 2)
        let ann = try servers.session(Cast.ann, at: 0)
        try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]), id: "pair")
        let bob = try await servers.cores[1].session(Cast.bob, device: "phone")
        try await bob.perform(
            SetDeviceAddress(address: PushAddress(gateway: .webhook, token: "bob-phone")), id: "address")
        return (servers, ann, bob)
    }

    @Test func `a device that is connected to another server is not notified`() async throws {
        let (servers, ann, bob) = try await servers()
        try await ann.send("received", to: Cast.annAndBob, id: "1")
        #expect(try await servers.pushes(by: 0) == [])
        servers.clock.advance(by: 60_000)
        servers.cores[1].disconnect(bob)
        #expect(try await servers.pushes(by: 1) == [])
        try await ann.send("pushed", to: Cast.annAndBob, id: "2")
        #expect(try await servers.pushes(by: 0) == ["pushed"])
    }

    @Test func `what a device has missed whose connection died silently is not pushed if it is at another server`()
        async throws
    {
        let (servers, ann, bob) = try await servers()
        servers.clock.advance(by: 60_000)
        try await ann.send("missed", to: Cast.annAndBob, id: "1")
        servers.clock.advance(by: 10_000)
        let again = try await servers.cores[0].session(Cast.bob, device: "phone")
        servers.cores[1].disconnect(bob, silentMs: 10_000)
        #expect(try await servers.pushes(by: 1) == [])
        // Also if it has left that one before.
        let third = try await servers.cores[1].session(Cast.bob, device: "phone")
        servers.cores[1].disconnect(third)
        await servers.cores[1].settle()
        servers.cores[0].disconnect(again, silentMs: 10_000)
        #expect(try await servers.pushes(by: 0) == [])
        #expect(try await servers.pushes(by: 1) == [])
    }

    @Test func `what may not have arrived before a goodbye is pushed`() async throws {
        let (servers, ann, bob) = try await servers()
        servers.clock.advance(by: 60_000)
        try await ann.send("received", to: Cast.annAndBob, id: "1")
        servers.clock.advance(by: 5_000)
        try await ann.send("on its way", to: Cast.annAndBob, id: "2")
        #expect(try await servers.pushes(by: 0) == [])
        servers.clock.advance(by: 200)
        servers.cores[1].disconnect(bob)
        #expect(try await servers.pushes(by: 1) == ["on its way"])
        #expect(try await servers.pushes(by: 0) == [])
    }

    @Test func `a dead connection does not count as soon as its device has been elsewhere and left`() async throws {
        let (servers, ann, bob) = try await servers()
        servers.clock.advance(by: 60_000)
        let again = try await servers.cores[0].session(Cast.bob, device: "phone")
        servers.clock.advance(by: 10_000)
        servers.cores[0].disconnect(again)
        #expect(try await servers.pushes(by: 0) == [])
        servers.clock.advance(by: 10_000)
        try await ann.send("pushed", to: Cast.annAndBob, id: "1")
        #expect(try await servers.pushes(by: 1) == ["pushed"])
        // It is still thought to be connected.
        servers.cores[1].disconnect(bob, silentMs: 25_000)
        #expect(try await servers.pushes(by: 1) == [])
        #expect(try await servers.pushes(by: 0) == [])
    }

    @Test func `one device that begins sessions everywhere at once is connected, and then it is not`() async throws {
        let (servers, ann, bob) = try await servers()
        servers.cores[1].disconnect(bob)
        for round in 0..<20 {
            let sessions = try await withThrowingTaskGroup(of: (Int, TestSession).self) { group in
                for number in 0..<6 {
                    let core = servers.cores[number % 2]
                    group.addTask { (number % 2, try await core.session(Cast.bob, device: "phone")) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            servers.clock.advance(by: 10_000)
            try await ann.send("received", to: Cast.annAndBob, id: "received\(round)")
            #expect(try await servers.pushes(by: round % 2) == [])
            servers.clock.advance(by: 10_000)
            for (server, session) in sessions { servers.cores[server].disconnect(session) }
            for core in servers.cores { await core.settle() }
            #expect(try servers.count("SELECT COUNT(*) FROM connections WHERE device_id = 'phone'") == 0)
            servers.clock.advance(by: 10_000)
            try await ann.send("pushed \(round)", to: Cast.annAndBob, id: "pushed\(round)")
            #expect(try await servers.pushes(by: round % 2) == ["pushed \(round)"])
        }
    }

    @Test func `a user has so many connections to all servers together`() async throws {
        let servers = try await SeveralCores(count: 2)
        let limit = Limits().connectionsPerUser
        // Two are there from the beginning.
        for number in 2..<limit {
            _ = try await servers.cores[number % 2].session(Cast.ann, device: "more\(number)")
        }
        for core in servers.cores {
            let error = await #expect(throws: WireError.self) { try await core.session(Cast.ann, device: "last") }
            #expect(error?.entry == .tooManyConnections)
        }
        servers.cores[0].disconnect(try servers.session(Cast.ann, at: 0))
        await servers.cores[0].settle()
        _ = try await servers.cores[1].session(Cast.ann, device: "last")
    }

    @Test func `participants of an open channel are counted at all servers`() async throws {
        let servers = try await SeveralCores()
        for server in 0..<3 {
            for user in [Cast.ann, Cast.bob] {
                let joined = try await servers.session(user, at: server).perform(JoinChannel(channel: Cast.lobby))
                #expect(joined.memberCount == server * 2 + (user == Cast.ann ? 1 : 2))
            }
        }
        let cid = try servers.session(Cast.cid, at: 0)
        #expect(try await cid.channel(Cast.lobby).memberCount == 6)
        servers.cores[1].disconnect(try servers.session(Cast.ann, at: 1))
        try await servers.session(Cast.bob, at: 2).perform(LeaveChannel(channel: Cast.lobby), id: "leave")
        await servers.cores[1].settle()
        #expect(try await cid.channel(Cast.lobby).memberCount == 4)
    }

    @Test func `connected members of a group are counted at all servers, and all are told`() async throws {
        let servers = try await SeveralCores(count: 2)
        // A user exists from the first login on.
        servers.cores[1].disconnect(try await servers.cores[1].session(Cast.dee))
        try await servers.session(Cast.ann, at: 0).perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID, Cast.dee.userID]), id: "club")
        for core in servers.cores { await core.settle() }
        await servers.hub.settle()
        servers.clock.advance(by: 10_000)
        let dee = try await servers.cores[1].session(Cast.dee, device: "dee")
        await servers.cores[1].settle()
        try await servers.wait {
            (0..<2).allSatisfy { server in
                let session = servers.sessions[Cast.ann.userID]?[server]
                let counts = session?.events.compactMap { event -> Int? in
                    if case .ephemeral(.channelActiveCountChanged(let count)) = event.body { count.active } else { nil }
                }
                return counts?.last == 3
            }
        }
        withExtendedLifetime(dee) {}
    }

    @Test func `clients at other servers hear that the members at one that ends are not connected any more`()
        async throws
    {
        let servers = try await SeveralCores(count: 2)
        servers.cores[1].disconnect(try servers.session(Cast.ann, at: 1))
        servers.cores[0].disconnect(try servers.session(Cast.bob, at: 0))
        try await servers.session(Cast.ann, at: 0).perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID]), id: "club")
        for core in servers.cores { await core.settle() }
        await servers.hub.settle()
        await servers.cores[1].core.stop()
        await servers.hub.settle()
        let ann = try servers.session(Cast.ann, at: 0)
        try await servers.wait {
            let counts = ann.events.compactMap { event -> Int? in
                if case .ephemeral(.channelActiveCountChanged(let count)) = event.body { count.active } else { nil }
            }
            return counts.last == 2
        }
        #expect(try servers.count("SELECT COUNT(*) FROM connections") == 2)
        #expect(try servers.count("SELECT COUNT(*) FROM nodes") == 1)
        #expect(try servers.count("SELECT COUNT(*) FROM ended_nodes") == 0)
    }

    @Test
    func `connections that have ended while the database was away are forgotten later, and what they missed is pushed`()
        async throws
    {
        let (servers, ann, bob) = try await servers()
        servers.clock.advance(by: 60_000)
        try await ann.send("missed", to: Cast.annAndBob, id: "1")
        #expect(try await servers.pushes(by: 1) == [])
        let before = try servers.count("SELECT COUNT(*) FROM connections")
        servers.faults[1].failCommits(.unavailable)
        servers.cores[1].disconnect(bob, silentMs: 10_000)
        #expect(try await servers.pushes(by: 1) == ["missed"])
        #expect(try servers.count("SELECT COUNT(*) FROM connections") == before - 1)
    }

    @Test func `connections whose commit may be done or not are made true, whether it was done or not`() async throws {
        let servers = try await SeveralCores(count: 1)
        let core = servers.cores[0]
        let before = try servers.count("SELECT COUNT(*) FROM connections")
        for isDone in [true, false] {
            if isDone {
                servers.faults[0].failAfterCommit(.uncertain)
            } else {
                servers.faults[0].failCommits(.uncertain)
            }
            await #expect(throws: WireError.self) { try await core.session(Cast.dee) }
            await core.settle()
            #expect(try servers.count("SELECT COUNT(*) FROM connections") == before)
            let dee = try await core.session(Cast.dee)
            #expect(try servers.count("SELECT COUNT(*) FROM connections") == before + 1)
            if isDone {
                servers.faults[0].failAfterCommit(.uncertain)
            } else {
                servers.faults[0].failCommits(.uncertain)
            }
            core.disconnect(dee)
            await core.settle()
            #expect(try servers.count("SELECT COUNT(*) FROM connections") == before)
        }
    }

    @Test func `who logs in although the disk is full is noted later`() async throws {
        let servers = try await SeveralCores(count: 1)
        let before = try servers.count("SELECT COUNT(*) FROM connections")
        servers.faults[0].failCommits(.full)
        servers.faults[0].noteStatements()
        _ = try await servers.cores[0].session(Cast.ann, device: "full")
        await servers.cores[0].settle()
        #expect(try servers.count("SELECT COUNT(*) FROM connections") == before + 1)
    }

    @Test func `a table with many connections is never read as a whole`() async throws {
        let servers = try await SeveralCores(count: 2)
        try servers.execute(
            """
            INSERT INTO connections (user_id, device_id, node, number, begun_at)
            SELECT 'user' || n / 2, 'device' || n % 2, 'node' || n % 5, n, 0 FROM generate_series(1, 100000) n
            """)
        try servers.execute(
            """
            INSERT INTO nodes (id, address, version, schema, settings, beat, seen_at)
            SELECT 'node' || n, '', version, schema, settings, 7, 0 FROM nodes, generate_series(0, 4) n WHERE address = 'server 1'
            """)
        try servers.execute("ANALYZE connections")
        let core = servers.cores[0]
        try await servers.setAddress(of: Cast.cid, at: 1)
        servers.faults[0].noteQueries()
        let bob = try await core.session(Cast.bob, device: "phone")
        let again = try await core.session(Cast.bob, device: "phone")
        try await again.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.cid.userID, Cast.ann.userID]), id: "club")
        try await again.send("hello", to: Cast.club, id: "1")
        #expect(try await servers.pushes(by: 0) == ["channel.joined", "hello"])
        core.disconnect(bob, silentMs: 0)
        core.disconnect(again)
        try servers.execute("DELETE FROM nodes WHERE id = 'node1'")
        try servers.execute("INSERT INTO ended_nodes (id, ended_at) VALUES ('node1', \(servers.clock.now))")
        await core.turn()
        await core.settle()
        let plans = try servers.faults[0].plans(of: "connections")
        #expect(plans.count > 8)
        // The search for rows of nobody reads all of them, once an hour.
        for plan in plans where !plan.contains("o.node") {
            let lines = plan.split(separator: "\n").map(String.init)
            for (place, line) in lines.enumerated() where line.contains("connections") {
                let condition = lines.dropFirst(place + 1).prefix { !$0.contains("->") }.joined()
                // What reads by an index, and not all of the index.
                let isRead = line.contains("Scan")
                #expect(
                    !isRead || condition.contains("Cond: ((user_id") || condition.contains("Cond: ((node")
                        || condition.contains("Cond: (user_id") || condition.contains("Cond: (node"), "\(plan)")
            }
        }
    }

    @Test func `what is noted of connections that could not be removed is not lost if another server is quicker`()
        async throws
    {
        let (servers, ann, bob) = try await servers()
        servers.clock.advance(by: 60_000)
        try await ann.send("missed", to: Cast.annAndBob, id: "1")
        #expect(try await servers.pushes(by: 0) == [])
        servers.faults[1].failCommits(.unavailable)
        servers.cores[1].disconnect(bob, silentMs: 20_000)
        var found: [String?] = []
        for _ in 0..<12 {
            await servers.cores[1].turn()
            // The other one looks only so often.
            servers.clock.advance(by: 3_000)
            found += try await servers.cores[0].pushes().sent.map(\.payload.text)
        }
        #expect(found == ["missed"])
    }

    @Test func `a session that ends before its device has read anything supersedes nothing`() async throws {
        let (servers, ann, bob) = try await servers()
        servers.clock.advance(by: 60_000)
        try await ann.send("missed", to: Cast.annAndBob, id: "1")
        #expect(try await servers.pushes(by: 0) == [])
        let core = servers.cores[1]
        servers.faults[1].shut()
        async let slow = bob.perform(SetReadMark(channel: Cast.annAndBob, seq: 0))
        await servers.faults[1].waitForCommit()
        // Both come into the next batch.
        let id = SessionID(lane: 0, number: 4_711)
        core.core.attach(id, id: "hello", user: Cast.bob, deviceID: bob.actor.deviceID, isOperator: false)
        core.core.detach(id, user: Cast.bob.userID)
        servers.faults[1].open()
        _ = try? await slow
        await core.settle()
        servers.clock.advance(by: 20_000)
        core.disconnect(bob, silentMs: 30_000)
        #expect(try await servers.pushes(by: 1) == ["missed"])
    }
}
