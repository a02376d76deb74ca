import Foundation
import RoostTesting
import RoostWire
import Testing

@testable import RoostCore

/// What servers do with what others have left that have ended.
@Suite(.enabled(if: Backend.available.contains(.postgres)), .timeLimit(.minutes(3))) struct EndedNodesTests {
    /// Two servers, and connections of a third one, `gone`, that is noted as alive: Bob's phone, which has an address, and
    /// Cid's. Ann has a 1-on-1 with Bob.
    private func servers() async throws -> SeveralCores {
        let servers = try await SeveralCores(count: 2)
        try await servers.session(Cast.ann, at: 0).perform(
            CreateChannel(kind: .single, members: [Cast.bob.userID]), id: "pair")
        try await servers.setAddress(of: Cast.bob, at: 0)
        try servers.execute(
            """
            INSERT INTO nodes (id, address, version, schema, settings, beat, seen_at)
            SELECT 'gone', 'gone', version, schema, settings, 7, \(servers.clock.now) FROM nodes LIMIT 1
            """)
        try servers.execute(
            """
            INSERT INTO connections (user_id, device_id, node, number, begun_at) VALUES
            (\(Cast.bob.userID), 'phone', 'gone', 1, 0), (\(Cast.cid.userID), 'phone', 'gone', 2, 0)
            """)
        try servers.execute("INSERT INTO participants (channel, node, count) VALUES (\(Cast.lobby), 'gone', 2)")
        servers.clock.advance(by: 60_000)
        return servers
    }

    /// Notes by the connection of the first one that the third one has ended.
    private func end(_ servers: SeveralCores, seenAt: Int64?) throws -> Bool {
        let row = try #require(try servers.faults[0].write { try NodeRow.all($0) }.first { $0.id == "gone" })
        return try servers.faults[0].write { try row.end(seenAt: seenAt, $0) }
    }

    /// Lets a server look again and again; another one may have begun to remove something when it looks.
    private func waitUntilGone(_ servers: SeveralCores) async throws {
        while try !isGone(servers) {
            try Task.checkCancellation()
            servers.clock.advance(by: 1_000)
            await servers.cores[0].settle()
        }
    }

    private func isGone(_ servers: SeveralCores) throws -> Bool {
        try servers.count("SELECT COUNT(*) FROM connections WHERE node = 'gone'") == 0
            && servers.count("SELECT COUNT(*) FROM participants WHERE node = 'gone'") == 0
            && servers.count("SELECT COUNT(*) FROM ended_nodes WHERE id = 'gone'") == 0
    }

    @Test func `devices are notified once of what came after the last sign of life of their server`() async throws {
        let servers = try await servers()
        let ann = try servers.session(Cast.ann, at: 0)
        try await ann.send("received", to: Cast.annAndBob, id: "1")
        servers.clock.advance(by: 10_000)
        let seenAt = servers.clock.now
        servers.clock.advance(by: 1_000)
        try await ann.send("missed", to: Cast.annAndBob, id: "2")
        #expect(try await servers.pushes(by: 0) == [])
        servers.clock.advance(by: 1_000)
        #expect(try end(servers, seenAt: seenAt))
        // It counts until it is noted what it has missed.
        try await ann.send("missed, too", to: Cast.annAndBob, id: "3")
        #expect(try await servers.pushes(by: 1) == ["missed", "missed, too"])
        try await ann.send("later", to: Cast.annAndBob, id: "4")
        #expect(try await servers.pushes(by: 0) == ["later"])
        try await waitUntilGone(servers)
    }

    @Test func `what a server had begun to push before it ended is looked for`() async throws {
        let servers = try await servers()
        let (wakes, signal) = AsyncStream.makeStream(of: Void.self)
        servers.cores[0].core.onPushesAdded { signal.yield() }
        #expect(try end(servers, seenAt: nil))
        servers.clock.advance(by: 3_000)
        await servers.cores[0].settle()
        for await _ in wakes { break }
        #expect(try isGone(servers))
    }

    @Test func `what is written while it is looked up what a device has missed is pushed once`() async throws {
        let servers = try await servers()
        let ann = try servers.session(Cast.ann, at: 0)
        #expect(try end(servers, seenAt: servers.clock.now))
        servers.clock.advance(by: 1_000)
        // Until the connections are removed, and no further.
        while try !isGone(servers) {
            try Task.checkCancellation()
            await servers.cores[0].turn()
            servers.clock.advance(by: 1_000)
        }
        try await ann.send("meanwhile", to: Cast.annAndBob, id: "1")
        var found: [String?] = []
        for server in [1, 0, 1, 0] {
            await servers.cores[server].settle()
            found += try await servers.cores[server].pushes(showsThem: true).sent.map(\.payload.text)
        }
        #expect(found == ["meanwhile"])
    }

    @Test func `a device that has connected elsewhere is not notified`() async throws {
        let servers = try await servers()
        try await servers.session(Cast.ann, at: 0).send("read by login", to: Cast.annAndBob, id: "1")
        let bob = try await servers.cores[1].session(Cast.bob, device: "phone")
        #expect(try end(servers, seenAt: nil))
        #expect(try await servers.pushes(by: 0) == [])
        servers.clock.advance(by: 10_000)
        servers.cores[1].disconnect(bob)
        #expect(try await servers.pushes(by: 1) == [])
        try await waitUntilGone(servers)
    }

    @Test func `a server that gives a sign of life at this moment has not ended`() async throws {
        let servers = try await servers()
        let row = try #require(try servers.database.write { try NodeRow.all($0) }.first { $0.id == "gone" })
        try servers.database.write { connection in
            _ = try connection.rows("UPDATE nodes SET beat = beat + 1 WHERE id = 'gone' RETURNING beat") {
                try $0.int(0)
            }
            // Not committed yet; and it does not wait for that.
            #expect(try !servers.faults[0].write { try row.end(seenAt: nil, $0) })
        }
        #expect(try !servers.faults[0].write { try row.end(seenAt: nil, $0) })
        #expect(try servers.count("SELECT COUNT(*) FROM nodes WHERE id = 'gone'") == 1)
        #expect(try servers.count("SELECT COUNT(*) FROM ended_nodes") == 0)
    }

    @Test func `a connection that is just being changed is removed later`() async throws {
        let servers = try await servers()
        let (locked, isDone) = (AsyncStream.makeStream(of: Int64.self), DispatchSemaphore(value: 0))
        let other = Thread {
            try? servers.database.write { connection in
                let rows = try connection.rows(
                    "SELECT number FROM connections WHERE number = 1 AND node = 'gone' FOR UPDATE"
                ) { try $0.int(0) }
                for row in rows { locked.continuation.yield(row) }
                locked.continuation.finish()
                isDone.wait()
            }
            locked.continuation.finish()
        }
        other.start()
        // Before its server has ended, or one of the others removes it before it is locked.
        #expect(await locked.stream.reduce(into: []) { $0.append($1) } == [1])
        #expect(try end(servers, seenAt: servers.clock.now))
        var left: [Int64] = []
        // Another server may have begun to remove the second one when this one looks.
        repeat {
            servers.clock.advance(by: 1_000)
            await servers.cores[0].settle()
            left = try servers.faults[0].write { connection in
                try connection.rows("SELECT number FROM connections WHERE node = 'gone'") { try $0.int(0) }
            }
        } while left.count > 1
        #expect(left == [1])
        isDone.signal()
        servers.clock.advance(by: 1_000)
        try await waitUntilGone(servers)
    }

    @Test func `several servers that remove thousands of connections notify each device once`() async throws {
        let servers = try await servers()
        let users = 1_300
        try await servers.session(Cast.ann, at: 0).perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID]), id: "club")
        try servers.execute(
            """
            INSERT INTO users (id, name, seq, last_sent_at) SELECT 'u' || n, 'u', 0, 0 FROM generate_series(1, \(users)) n
            """)
        try servers.execute(
            """
            INSERT INTO members (channel, user_id, role, joined_seq, floor_seq, hidden_seq, flags)
            SELECT \(Cast.club), 'u' || n, 0, 1, 0, 0, 0 FROM generate_series(1, \(users)) n
            """)
        try servers.execute(
            "UPDATE channels SET member_count = member_count + \(users), version = version + 1 WHERE id = \(Cast.club)")
        try servers.execute(
            """
            INSERT INTO devices (user_id, device_id, gateway, token, address, address_at, settings)
            SELECT 'u' || n, 'phone', gateway, 'u' || n, address, 0, settings
            FROM generate_series(1, \(users)) n, devices d WHERE d.device_id = 'phone'
            """)
        // Of two servers, and some have two rows.
        try servers.execute(
            """
            INSERT INTO connections (user_id, device_id, node, number, begun_at)
            SELECT 'u' || n, 'phone', 'gone' || n % 2, n, 0 FROM generate_series(1, \(users)) n
            UNION ALL SELECT 'u' || n, 'phone', 'gone' || n % 2, \(users) + n, 0 FROM generate_series(1, 100) n
            """)
        try servers.execute("INSERT INTO ended_nodes (id, ended_at) VALUES ('gone0', 0)")
        try servers.execute("UPDATE ended_nodes SET ended_at = \(servers.clock.now)")
        try await servers.session(Cast.ann, at: 0).send("missed", to: Cast.club, id: "1")
        try servers.execute("INSERT INTO ended_nodes (id, ended_at) VALUES ('gone1', \(servers.clock.now))")
        var notified: [UserID] = []
        while try servers.count("SELECT COUNT(*) FROM connections WHERE node LIKE 'gone_'") > 0
            || servers.count("SELECT COUNT(*) FROM push_outbox") + servers.count("SELECT COUNT(*) FROM pushes") > 0
        {
            try Task.checkCancellation()
            async let first = servers.cores[0].pushes(showsThem: true)
            async let second = servers.cores[1].pushes(showsThem: true)
            notified += try await (first.sent + second.sent).filter { $0.payload.text == "missed" }.compactMap(
                \.payload.userID)
        }
        #expect(notified.count == users)
        #expect(Set(notified).count == users)
        #expect(try servers.count("SELECT COUNT(*) FROM ended_nodes") == 0)
    }

    @Test func `connections of nobody are found`() async throws {
        let servers = try await servers()
        try servers.execute("DELETE FROM nodes WHERE id = 'gone'")
        try await waitUntilGone(servers)
        #expect(try servers.count("SELECT COUNT(*) FROM connections") == 6)
    }

    @Test func `a server that returns under another name counts new connections, not those that it ends`() async throws
    {
        let servers = try await servers()
        let bob = try await servers.cores[1].session(Cast.bob, device: "phone")
        servers.clock.advance(by: 10_000)
        try await servers.session(Cast.ann, at: 0).send("before", to: Cast.annAndBob, id: "1")
        #expect(try await servers.pushes(by: 0) == [])
        await servers.cores[1].settle()
        let row = try #require(try servers.database.write { try NodeRow.all($0) }.first { $0.address == "server 1" })
        #expect(try servers.database.write { try row.end(seenAt: servers.clock.now - 10_000, $0) })
        // Its tables are emptied, by the other one or by itself when it finds out.
        servers.clock.advance(by: 60_000)
        var pushed = try await servers.pushes(by: 0)
        for _ in 0..<3 {
            servers.clock.advance(by: 5_000)
            pushed += try await servers.pushes(by: 1)
        }
        #expect(pushed == ["before"])
        #expect(try servers.count("SELECT COUNT(*) FROM connections WHERE node = \(row.id)") == 0)
        #expect(try servers.count("SELECT COUNT(*) FROM nodes WHERE address = 'server 1'") == 1)
        let phones: Query =
            "SELECT COUNT(*) FROM connections WHERE user_id = \(Cast.bob.userID) AND device_id = 'phone'"
        #expect(try servers.count(phones) == 1)
        // What was noted by the other one is not noted again.
        servers.cores[1].disconnect(bob, silentMs: 60_000)
        #expect(try await servers.pushes(by: 1) == [])
        let again = try await servers.cores[1].session(Cast.bob, device: "phone")
        #expect(try servers.count(phones) == 2)
        withExtendedLifetime(again) {}
    }
}
