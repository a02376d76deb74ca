import Logging
import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

@Suite(.timeLimit(.minutes(2))) struct JournalTests {
    private static func end(_ user: User, _ seq: Int64) -> CommitRecord.Subscription {
        CommitRecord.Subscription(
            user: user.userID, channel: Cast.club, isStart: false, place: SubscriptionPlace(seq: seq, userSeq: 1))
    }

    @Test(arguments: Backend.available)
    func `what others have committed is delivered once, in their order, and what is written under the own name is not`(
        backend: Backend
    ) async throws {
        let reader = try JournalReader(backend)
        let (one, two) = (OtherServer("one", reader.database), OtherServer("two", reader.database))
        let own = OtherServer("me", reader.database)
        try own.send(1)
        _ = reader.journal.endBatch(published: own.end.number)
        try one.commit { $0.users = [.init(user: Cast.ann.userID, seq: 4)] }
        try two.commit { $0.relayed = [.init(channel: Cast.club, after: 1, event: "ring")] }
        try one.commit {
            $0.channels = [ChannelPosition(channel: Cast.club, seq: 2)]
            $0.subscriptions = [Self.end(Cast.bob, 2)]
        }
        var found = try await reader.readAll()
        #expect(found == ["bob out of club 2", "ann 4", "club 2", "ring after 1"])
        #expect(try await reader.readAll() == [])
        try two.send(3)
        found = try await reader.readAll()
        #expect(found == ["club 3"])
        #expect(reader.records.map(\.subscriptions.count) == [1] && reader.gaps == 0)
    }

    @Test(arguments: Backend.available)
    func `what was committed before the start is not read`(backend: Backend) async throws {
        let before = try JournalReader(backend)
        let one = OtherServer("one", before.database)
        for seq in 1...3 { try one.send(Int64(seq)) }
        #expect(try await before.readAll() == ["club 1", "club 2", "club 3"])
        guard backend == .memory else { return }
        let journal = try Journal(
            database: before.database, own: "late", effects: Effects(now: { 0 }, random: { 1 }, uptime: { 0 }),
            logger: Logger(label: "test"), deliver: { _ in }, onRecord: { _ in }, onGap: { _ in })
        #expect(journal.hasOthers)
        #expect(journal.numbers == ["one": 3])
    }

    @Test func `rows that are asked for never come before the ends of subscriptions that lie before them`()
        async throws
    {
        let reader = try JournalReader()
        let one = OtherServer("one", reader.database)
        for seq in 1...250 { try one.send(Int64(seq)) }
        try one.commit { $0.subscriptions = [Self.end(Cast.bob, 250)] }
        reader.journal.read([LogRange(.channel(Cast.club), after: 0, through: 250)])
        var found: [String] = []
        while found.last?.hasPrefix("filled 200-250") != true { found += try await reader.next() }
        let filled = found.indices.filter { found[$0].hasPrefix("filled") }
        let end = try #require(found.firstIndex(of: "bob out of club 250"))
        #expect(filled.count == 2 && filled.allSatisfy { $0 > end })
        #expect(found.count == 250 + 1 + 2)
    }

    @Test
    func `the end of a subscription that the writer has not handed over yet comes before rows that lie behind it`()
        async throws
    {
        let reader = try JournalReader()
        let (own, one) = (OtherServer("me", reader.database), OtherServer("one", reader.database))
        try own.commit {
            $0.subscriptions = [Self.end(Cast.bob, 0)]
            $0.relayed = [.init(channel: Cast.club, after: 0, event: "ring")]
        }
        try one.send(1)
        reader.journal.read([LogRange(.channel(Cast.club), after: 0, through: 1)])
        #expect(try await reader.next() == ["bob out of club 0", "club 1", "filled 0-1 [1]"])
        _ = reader.journal.endBatch(published: own.end.number)
        #expect(try await reader.readAll() == [])
        #expect(reader.records.isEmpty && reader.gaps == 0)
    }

    @Test func `a range without an end has all rows there are`() async throws {
        let reader = try JournalReader(own: nil)
        let one = OtherServer("one", reader.database)
        for seq in 1...5 { try one.send(Int64(seq)) }
        reader.journal.read([LogRange(.channel(Cast.club), after: 2, through: LogRange.end)])
        #expect(try await reader.next() == ["filled 2-5 [3, 4, 5]"])
        reader.journal.read([LogRange(.user(Cast.ann.userID), after: 2, through: LogRange.end)])
        #expect(try await reader.next() == ["filled 2-2 []"])
    }

    @Test func `a commit that may be done is found under the old name`() async throws {
        let reader = try JournalReader()
        let own = OtherServer("me", reader.database)
        try own.send(1)
        let known = own.end.number
        _ = reader.journal.endBatch(published: known)
        try own.send(2)
        reader.journal.rename("me again", lastNumber: known)
        let again = OtherServer("me again", reader.database)
        try again.send(3)
        #expect(try await reader.readAll() == ["club 2"])
        #expect(reader.gaps == 0)
    }

    @Test func `who has not looked for too long, or lacks a number, cannot know what is missing`() async throws {
        let reader = try JournalReader()
        let one = OtherServer("one", reader.database)
        try one.send(1)
        #expect(try await reader.readAll() == ["club 1"])
        reader.advance(seconds: 470)
        #expect(try await reader.readAll() == [] && reader.gaps == 0)
        reader.advance(seconds: 490)
        #expect(try await reader.readAll() == [] && reader.gaps == 1)
        for seq in 2...4 { try one.send(Int64(seq)) }
        try reader.database.write { try $0.execute("DELETE FROM commits WHERE number = 2") }
        #expect(try await reader.readAll() == ["club 3", "club 4"] && reader.gaps == 2)
    }

    @Test func `what is committed in a channel that others have changed waits until their commits are read`()
        async throws
    {
        let reader = try JournalReader()
        let one = OtherServer("one", reader.database)
        try one.commit { $0.subscriptions = [Self.end(Cast.bob, 4)] }
        let row = Delivery.moved(.user(Cast.ann.userID), seq: 1)
        let delayed: [Delivery] = [
            .event(Array("ring".utf8), to: .channel(Cast.club), after: 4),
            .event(Array("typing".utf8), to: .others(Cast.club, except: Cast.ann.userID), after: 4),
        ]
        reader.journal.noteUnheard([Cast.club: 2])
        reader.journal.publish(delayed + [row])
        var found = try await reader.next()
        while found.count < 4 { found += try await reader.next() }
        #expect(Set(found) == ["ann 1", "bob out of club 4", "ring after 4", "typing after 4"])
        let end = try #require(found.firstIndex(of: "bob out of club 4"))
        #expect(found[(end + 1)...].filter { $0 != "ann 1" } == ["ring after 4", "typing after 4"])
        // From then on it does not wait.
        reader.journal.publish(delayed)
        #expect(try await reader.next() == ["ring after 4", "typing after 4"])
    }

    @Test func `a damaged row of a log is passed over, and one of the journal counts as a gap`() async throws {
        let reader = try JournalReader()
        let one = OtherServer("one", reader.database)
        for seq in 1...3 { try one.send(Int64(seq)) }
        let damaged: [UInt8] = [2, 1, 2, 3, 4, 5]
        try reader.database.write { connection in
            try connection.execute("UPDATE channel_log SET frame = \(blob: damaged) WHERE seq = 2")
            try connection.execute("UPDATE commits SET body = \(blob: damaged) WHERE number = 2")
        }
        #expect(try await reader.readAll() == ["club 1", "club 3"] && reader.gaps == 1)
        reader.journal.read([LogRange(.channel(Cast.club), after: 0, through: 3)])
        #expect(try await reader.next() == ["filled 0-3 [1, 3]"])
    }

    @Test func `an event of one server never comes before the end of a subscription that another one has committed`()
        async throws
    {
        let reader = try JournalReader()
        let (one, two) = (OtherServer("a", reader.database), OtherServer("b", reader.database))
        try two.commit { $0.subscriptions = [Self.end(Cast.bob, 6)] }
        for _ in 0..<2 { try one.commit { $0.relayed = [.init(channel: Cast.club, after: 6, event: "ring")] } }
        #expect(try await reader.readAll() == ["bob out of club 6", "ring after 6", "ring after 6"])
    }

    @Test func `reads that fail are repeated, and after too long what waits for them is given up`() async throws {
        while true {
            let reader = try JournalReader()
            let one = OtherServer("one", reader.database)
            try one.send(1)
            reader.faults.failReads(2)
            #expect(try await reader.readAll() == ["club 1"])
            #expect(reader.gaps == 0)
            reader.advance(seconds: 490)
            reader.faults.failReads(1)
            reader.journal.noteUnheard([Cast.club: 2])
            reader.journal.publish([.event(Array("ring".utf8), to: .channel(Cast.club), after: 1)])
            // The read begins before the event waits for it, and may have failed already.
            guard reader.gaps == 0 else { continue }
            while reader.gaps == 0 {
                try Task.checkCancellation()
                await Task.yield()
            }
            try one.send(2)
            #expect(try await reader.readAll() == ["club 2"])
            #expect(reader.gaps == 1)
            return
        }
    }

    @Test func `rows are kept for ten minutes, and those of a server that is gone for twenty`() async throws {
        let reader = try JournalReader()
        let one = OtherServer("one", reader.database)
        for seconds in stride(from: Int64(0), through: 700, by: 100) {
            try one.send(seconds / 100 + 1)
            try one.prune(uptime: seconds * 1_000_000)
        }
        #expect(try reader.rows(of: "one") == Array(2...8))
        _ = try await reader.readAll()
        #expect(reader.journal.silentWriters.isEmpty)
        for _ in 0..<3 {
            reader.advance(seconds: 401)
            _ = try await reader.readAll()
        }
        let silent = reader.journal.silentWriters
        #expect(silent.map(\.writer) == ["one"] && silent.map(\.number) == [8])
        // It is not forgotten before its rows are gone, or they would be read once more.
        #expect(try await reader.readAll() == [])
        try reader.database.write { try $0.execute("DELETE FROM commits") }
        #expect(try await reader.readAll() == [])
        #expect(reader.journal.silentWriters.isEmpty && reader.journal.numbers.isEmpty)
    }

    @Test func `what arrives while a session is attached is delivered to it once more, except for single events`()
        async throws
    {
        let reader = try JournalReader()
        let one = OtherServer("one", reader.database)
        try one.send(1)
        #expect(try await reader.readAll() == ["club 1"])
        reader.journal.beginBatch()
        try one.commit {
            $0.channels = [ChannelPosition(channel: Cast.club, seq: 2)]
            $0.relayed = [.init(channel: Cast.club, after: 2, event: "ring")]
        }
        #expect(try await reader.readAll() == ["club 2", "ring after 2"])
        let again = reader.journal.endBatch(published: nil)
        guard case .moved(.channel(Cast.club), seq: 2)? = again.first else {
            Issue.record("\(again)")
            return
        }
        let moves = again.filter { if case .moved = $0 { true } else { false } }
        let events = again.filter { if case .event = $0 { true } else { false } }
        #expect(moves.count == 1 && events.isEmpty)
        try one.send(3)
        _ = try await reader.readAll()
        #expect(reader.journal.endBatch(published: nil).isEmpty)
    }
}
