import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

/// What a server says on the bus.
private final class SpokenBus: Bus {
    let published = Mutex<[Doorbell]>([])
    let isOpen = Atomic(true)
    var isConnected: Bool { isOpen.load(ordering: .relaxed) }
    func open(topic: String, _ receive: @escaping @Sendable (Doorbell) -> Void) {}
    func publish(_ doorbell: Doorbell) { published.withLock { $0.append(doorbell) } }
    func close() {}

    /// The doorbells since the last call.
    func take() -> [Doorbell] {
        published.withLock { published in
            defer { published = [] }
            return published
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct JournalBusTests {
    private static func end(_ user: User, _ seq: Int64) -> CommitRecord.Subscription {
        CommitRecord.Subscription(
            user: user.userID, channel: Cast.club, isStart: false, place: SubscriptionPlace(seq: seq, userSeq: 1))
    }

    /// The doorbell of the last commit of a server, with an event.
    private static func doorbell(_ other: OtherServer, _ event: String, after: [String: Int64] = [:]) -> Doorbell {
        var doorbell = Doorbell(node: other.end.writer, writer: other.end.writer, number: other.end.number)
        doorbell.isCommit = true
        doorbell.after = after
        doorbell.deliveries = [.event(Array(event.utf8), to: .channel(Cast.club), after: 0)]
        return doorbell
    }

    private static func commit(_ other: OtherServer, _ event: String) throws -> Doorbell {
        try other.commit { $0.relayed = [.init(channel: Cast.club, after: 0, event: event)] }
        return doorbell(other, event)
    }

    @Test func `the next commit of a server is delivered at once, and never again`() async throws {
        let reader = try JournalReader(bus: SpokenBus())
        let one = OtherServer("one", reader.database)
        let first = try Self.commit(one, "first")
        reader.journal.hear(first)
        #expect(try await reader.next() == ["first after 0"])
        reader.journal.hear(first)
        #expect(try await reader.readAll() == [])
        // One that is lost is found in the journal.
        _ = try Self.commit(one, "second")
        #expect(try await reader.readAll() == ["second after 0"])
        reader.journal.hear(try Self.commit(one, "third"))
        #expect(try await reader.next() == ["third after 0"])
        #expect(try await reader.readAll() == [] && reader.gaps == 0 && reader.journal.numbers == ["one": 3])
    }

    @Test func `what comes before its turn waits, and is read meanwhile`() async throws {
        let reader = try JournalReader(bus: SpokenBus())
        let one = OtherServer("one", reader.database)
        let doorbells = try (1...3).map { try Self.commit(one, "\($0)") }
        reader.journal.hear(doorbells[2])
        var found: [String] = []
        while found.count < 3 { found += try await reader.next() }
        reader.journal.hear(doorbells[0])
        #expect(found == ["1 after 0", "2 after 0", "3 after 0"])
        #expect(try await reader.readAll() == [])
        // Without the database, it has its turn after those before it.
        reader.faults.failReads(1_000)
        let more = try (4...6).map { try Self.commit(one, "\($0)") }
        for doorbell in [more[2], more[1], more[0]] { reader.journal.hear(doorbell) }
        found = []
        while found.count < 3 { found += try await reader.next() }
        #expect(found == ["4 after 0", "5 after 0", "6 after 0"])
        reader.journal.stop()
    }

    @Test func `a commit waits for those of other servers that it has come after`() async throws {
        let reader = try JournalReader(bus: SpokenBus())
        let (one, two) = (OtherServer("one", reader.database), OtherServer("two", reader.database))
        try two.commit { $0.subscriptions = [Self.end(Cast.bob, 4)] }
        try one.commit { $0.relayed = [.init(channel: Cast.club, after: 4, event: "news")] }
        reader.journal.hear(Self.doorbell(one, "news", after: ["two": 1]))
        #expect(try await reader.readAll() == ["bob out of club 4", "news after 4"])
        // The same with one of this server, which it has not handed over yet.
        let own = OtherServer("me", reader.database)
        try own.commit { $0.subscriptions = [Self.end(Cast.cid, 5)] }
        try one.commit { $0.relayed = [.init(channel: Cast.club, after: 5, event: "more")] }
        reader.journal.hear(Self.doorbell(one, "more", after: ["me": 1]))
        #expect(try await reader.readAll().filter { $0 != "cid out of club 5" } == ["more after 5"])
        _ = reader.journal.endBatch(published: 1)
        try one.commit { $0.relayed = [.init(channel: Cast.club, after: 5, event: "again")] }
        reader.journal.hear(Self.doorbell(one, "again", after: ["me": 1]))
        var found: [String] = []
        while !found.contains("again after 0") { found += try await reader.next() }
        found += try await reader.readAll()
        #expect(found.filter { $0 != "cid out of club 5" } == ["again after 0"])
    }

    @Test func `doorbells that are lost, doubled, swapped and late change nothing`() async throws {
        var random = SeededNumbers(for: "JournalBusTests")
        for _ in 0..<30 { try await play(&random) }
    }

    /// Another server, which knows what it has heard.
    private final class Talker {
        let server: OtherServer
        /// The last row of each other server that it has heard, and what lies before its next commit.
        var heard: [String: Int64] = [:]
        var past: Set<String> = []
        /// What it will say, with what it had heard when its transaction began.
        var unrung: [(doorbell: Doorbell, heard: [String: Int64])] = []
        private var told: [String: Int64] = [:]
        var name: String { server.end.writer }

        init(_ name: String, _ database: any SQLDatabase) { server = OtherServer(name, database) }

        /// Hears of another server, and of all that lies before.
        func hear(_ other: Talker) {
            heard.merge(other.heard) { max($0, $1) }
            heard[other.name] = other.server.end.number
            heard[name] = nil
            past.formUnion(other.past)
        }

        func ring() -> Doorbell? {
            guard !unrung.isEmpty else { return nil }
            var (doorbell, before) = unrung.removeFirst()
            doorbell.after = heard.filter { told[$0.key] != $0.value }
            told = before
            return doorbell
        }
    }

    /// Three servers end subscriptions and pass messages on; each commit comes after those that its server has heard.
    private func play(_ random: inout SeededNumbers) async throws {
        let reader = try JournalReader(bus: SpokenBus())
        let talkers = ["a", "b", "c"].map { Talker($0, reader.database) }
        var ends: Set<String> = []
        var events: [String: Set<String>] = [:]
        var waiting: [Doorbell] = []
        for step in 1...80 {
            let talker = talkers[Int(random.next() % 3)]
            for other in talkers where other !== talker && random.next() % 2 == 0 { talker.hear(other) }
            var doorbell = Doorbell(node: talker.name, writer: talker.name, number: talker.server.end.number + 1)
            doorbell.isCommit = true
            if random.next() % 3 == 0 {
                let end = Self.end(Cast.bob, Int64(step))
                try talker.server.commit { $0.subscriptions = [end] }
                doorbell.deliveries = [.unsubscribe(end.user, end.channel, at: end.place)]
                ends.insert("bob out of club \(step)")
                talker.past.insert("bob out of club \(step)")
            } else {
                try talker.server.commit { $0.relayed = [.init(channel: Cast.club, after: 0, event: "\(step)")] }
                doorbell.deliveries = [.event(Array("\(step)".utf8), to: .channel(Cast.club), after: 0)]
                events["\(step) after 0"] = talker.past
            }
            talker.unrung.append((doorbell, talker.heard))
            // It may ring later, having heard more.
            for talker in talkers where random.next() % 2 == 0 {
                guard let doorbell = talker.ring() else { continue }
                switch random.next() % 5 {
                case 0: break
                case 1: waiting.append(doorbell)
                case 2: waiting += [doorbell, doorbell]
                default: reader.journal.hear(doorbell)
                }
            }
            if random.next() % 3 == 0, !waiting.isEmpty {
                reader.journal.hear(waiting.remove(at: Int(random.next() % UInt64(waiting.count))))
            }
            if random.next() % 10 == 0 { reader.journal.read() }
        }
        for doorbell in waiting { reader.journal.hear(doorbell) }
        let found = try await reader.readAll()
        #expect(Set(found.filter { $0.hasPrefix("bob") }) == ends)
        #expect(found.filter { !$0.hasPrefix("bob") }.sorted() == events.keys.sorted())
        let places = Dictionary(found.enumerated().map { ($1, $0) }) { first, _ in first }
        for (event, past) in events {
            for end in past {
                let isBefore = (places[end] ?? .max) < (places[event] ?? .min)
                #expect(isBefore, "\(end) has to come before \(event)")
            }
        }
        #expect(reader.gaps == 0)
    }

    @Test func `what comes while only a part of the journal is read waits for the rest`() async throws {
        let reader = try JournalReader(bus: SpokenBus())
        let (one, two) = (OtherServer("one", reader.database), OtherServer("two", reader.database))
        try two.commit { $0.subscriptions = [Self.end(Cast.bob, 4)] }
        for _ in 1...201 { try one.commit { $0.relayed = [.init(channel: Cast.club, after: 0, event: "x")] } }
        // Its last commit but one has named what it had heard of the other server.
        reader.journal.hear(Self.doorbell(one, "x"))
        let found = try await reader.readAll()
        #expect(found.first == "bob out of club 4" && found.filter { $0 == "x after 0" }.count == 201)
        #expect(found.count == 202 && reader.gaps == 0)
    }

    @Test func `a doorbell with the version of a channel waits, too, if others have changed the channel`() async throws
    {
        let bus = SpokenBus()
        let reader = try JournalReader(bus: bus)
        var doorbell = Doorbell(node: "me", writer: "me", number: 0)
        doorbell.versions = [Cast.club: 8]
        reader.faults.failReads(1)
        reader.journal.noteUnheard([Cast.club: 7])
        let own = Delivery.event(Array("read".utf8), to: .user(Cast.bob.userID), after: 0)
        reader.journal.publish([own], doorbell)
        #expect(try await reader.next() == ["read after 0"])
        #expect(bus.take().isEmpty)
        _ = try await reader.readAll()
        #expect(bus.take().map(\.versions) == [[Cast.club: 8]])
        // Of what is too much, nothing is left but the number.
        reader.faults.failReads(1)
        reader.journal.noteUnheard([Cast.club: 9])
        doorbell.deliveries = [.event([UInt8](repeating: 32, count: 1 << 20), to: .user(Cast.bob.userID), after: 0)]
        for _ in 0..<9 { reader.journal.publish([], doorbell) }
        _ = try await reader.readAll()
        #expect(bus.take().count == 1)
    }

    @Test func `of a server whose rows are removed, a sign of life is enough`() async throws {
        let reader = try JournalReader(bus: SpokenBus())
        var typing = Doorbell(node: "one", writer: "one", number: 8)
        typing.deliveries = [.event(Array("typing".utf8), to: .channel(Cast.club), after: 0)]
        reader.journal.hear(typing)
        #expect(try await reader.next() == ["typing after 0"])
        let reads = reader.journal.state.withLock { $0.reads }
        reader.journal.hear(Doorbell(node: "one", writer: "one", number: 8))
        reader.journal.hear(typing)
        #expect(try await reader.next() == ["typing after 0"])
        #expect(reader.journal.state.withLock { $0.reads } == reads && reader.gaps == 0)
    }

    @Test func `doorbells are rung in their order, after what they wait for, and name what was heard before`()
        async throws
    {
        let bus = SpokenBus()
        let reader = try JournalReader(bus: bus)
        let one = OtherServer("one", reader.database)
        func ring(_ number: Int64, isCommit: Bool = true, _ delivery: Delivery) {
            var doorbell = Doorbell(node: "me", writer: "me", number: number)
            doorbell.isCommit = isCommit
            doorbell.deliveries = [delivery]
            reader.journal.beginBatch()
            reader.journal.publish([delivery], doorbell)
            _ = reader.journal.endBatch(published: number)
        }
        let ring = ring
        let event = Delivery.event(Array("x".utf8), to: .channel(Cast.club), after: 0)
        let elsewhere = Delivery.event(Array("y".utf8), to: .channel(Cast.lobby), after: 0)
        ring(1, true, event)
        #expect(bus.take().map(\.number) == [1])
        reader.journal.hear(try Self.commit(one, "first"))
        _ = try await reader.next()
        ring(1, false, event)
        ring(2, true, event)
        ring(3, true, event)
        // One that is no commit could be lost without a sign.
        #expect(bus.take().map(\.after) == [["one": 1], ["one": 1], [:]])
        _ = try Self.commit(one, "second")
        reader.faults.failReads(1)
        reader.journal.noteUnheard([Cast.club: 5])
        ring(4, true, event)
        ring(5, true, elsewhere)
        #expect(bus.take().isEmpty)
        _ = try await reader.readAll()
        let late = bus.take()
        #expect(late.map(\.number) == [4, 5] && late.map(\.after) == [["one": 2], ["one": 2]])
        // What another server has said about a channel spares the look.
        var third = try Self.commit(one, "third")
        third.versions = [Cast.club: 7]
        reader.journal.hear(third)
        _ = try await reader.next()
        reader.journal.noteUnheard([Cast.club: 7])
        ring(6, true, event)
        #expect(bus.take().map(\.number) == [6])
        reader.faults.failReads(1)
        reader.journal.noteUnheard([Cast.club: 8])
        ring(7, true, event)
        #expect(bus.take().isEmpty)
        reader.journal.stop()
    }

    @Test func `the bus is up as long as all others are heard, and then the journal is read less often`() async throws {
        let bus = SpokenBus()
        let reader = try JournalReader(bus: bus)
        let one = OtherServer("one", reader.database)
        func reads() -> Int64 { reader.journal.state.withLock { $0.reads } }
        reader.journal.look()
        #expect(reader.journal.isBusUp == true)
        #expect(bus.take().map(\.number) == [0])
        reader.journal.note(nodes: ["one"], own: "me")
        reader.journal.look()
        #expect(reader.journal.isBusUp == false)
        reader.journal.hear(Doorbell(node: "one", writer: "one", number: 0))
        reader.journal.look()
        #expect(reader.journal.isBusUp == true)
        _ = try await reader.readAll()
        let before = reads()
        reader.journal.look()
        #expect(reads() == before)
        reader.advance(seconds: 1)
        reader.journal.look()
        #expect(bus.take().map(\.number) == [0])
        _ = try await reader.readAll()
        #expect(reads() > before)
        // A sign of life shows what was lost.
        _ = try Self.commit(one, "lost")
        reader.journal.hear(Doorbell(node: "one", writer: "one", number: 1))
        #expect(try await reader.next() == ["lost after 0"])
        reader.advance(seconds: 3)
        reader.journal.look()
        #expect(reader.journal.isBusUp == false)
        reader.journal.hear(Doorbell(node: "one", writer: "one", number: 1))
        reader.journal.look()
        #expect(reader.journal.isBusUp == true)
        bus.isOpen.store(false, ordering: .relaxed)
        reader.journal.look()
        #expect(reader.journal.isBusUp == false)
    }
}
