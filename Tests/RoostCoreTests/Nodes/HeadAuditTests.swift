import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

private final class LookCounter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// The slow look for rows that have not arrived.
@Suite struct HeadAuditTests {
    @Test(arguments: Backend.available)
    func `rows that nobody has announced are found and delivered`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let stage = try await Stage(TestCore(database: database, resource: resource))
        try await stage.makeClub()
        let seq = try #require(try await stage.ann.send("one", to: Cast.club).seq)
        await stage.forgetEvents()
        let (roost, audit) = (stage.roost, HeadAudit(stage.roost.core))
        #expect(roost.heads[.channel(Cast.club)] == seq)
        #expect(try await audit.repair({ roost.heads }, pause: .milliseconds(1)) == 0)
        try database.write { connection in
            try connection.execute(
                """
                INSERT INTO channel_log (channel, seq, sender, sent_at, count, behind, flags, category, frame)
                SELECT channel, seq + 1, sender, sent_at, count, behind, flags, category, frame FROM channel_log
                WHERE channel = \(Cast.club) AND seq = \(seq)
                """)
            try connection.execute("UPDATE channels SET seq = seq + 1 WHERE id = \(Cast.club)")
        }
        // The pause may be shorter than the look into the journal, and then nothing is known.
        var found = 0
        while found == 0 { found = try await audit.repair({ roost.heads }, pause: .milliseconds(1)) }
        await stage.settle()
        #expect(found == 1 && stage.bob.events.compactMap(\.text) == ["one"])
        #expect(try await audit.repair({ roost.heads }, pause: .milliseconds(1)) == 0)
    }

    @Test func `what arrives within the pause is not missed`() async throws {
        let (database, resource) = try Backend.memory.makeDatabase()
        let stage = try await Stage(TestCore(database: database, resource: resource))
        try await stage.makeClub()
        await stage.forgetEvents()
        let (roost, audit) = (stage.roost, HeadAudit(stage.roost.core))
        try database.write { try $0.execute("UPDATE channels SET seq = seq + 1 WHERE id = \(Cast.club)") }
        let before = roost.heads
        let looks = LookCounter()
        let found = try await audit.repair(
            {
                // The second look is after the pause.
                var heads = before
                if looks.next() > 1 { for (log, seq) in before { heads[log] = seq + 1 } }
                return heads
            }, pause: .milliseconds(1))
        #expect(found == 0)
    }
}
