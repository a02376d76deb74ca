import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A core with one connected session per member of the cast.
struct Stage {
    let roost: TestCore
    let ann: TestSession
    let bob: TestSession
    let cid: TestSession
    let dee: TestSession

    init(_ roost: TestCore) async throws {
        self.roost = roost
        ann = try await roost.session(Cast.ann)
        bob = try await roost.session(Cast.bob)
        cid = try await roost.session(Cast.cid)
        dee = try await roost.session(Cast.dee)
    }

    /// Two cores over one database: Ann and Cid are connected to the first, Bob and Dee to the second.
    init(_ roost: TestCore, and other: TestCore) async throws {
        self.roost = roost
        ann = try await roost.session(Cast.ann)
        bob = try await other.session(Cast.bob)
        cid = try await roost.session(Cast.cid)
        dee = try await other.session(Cast.dee)
    }

    init(_ backend: Backend, isDevelopment: Bool = true, limits: Limits = .withoutRates) async throws {
        try await self.init(try TestCore(backend, isDevelopment: isDevelopment, limits: limits))
    }

    var all: [TestSession] { [ann, bob, cid, dee] }

    /// Creates the 1-on-1 of Ann and Bob.
    func makePair() async throws { try await ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID])) }

    /// Creates the club of Ann (its admin), Bob and Cid.
    func makeClub() async throws {
        try await ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID]))
    }

    /// Waits until the writer has sent all announcements and completed all due tasks.
    func settle() async { await roost.settle() }

    func forgetEvents() async {
        await settle()
        for session in all { _ = session.drainEvents() }
    }

    /// The users who received an event with this name, once per event.
    func heard(_ name: EventName) -> [User] {
        zip(Cast.all, all).flatMap { user, session in session.events(named: name).map { _ in user } }
    }
}

extension TestSession {
    var userID: UserID { actor.user.userID }

    func channel(_ id: ChannelID) async throws -> Channel { try await perform(GetChannel(channel: id)) }
    func unread(_ id: ChannelID) async throws -> Int? { try await channel(id).unread }
    func list() async throws -> [Channel] { try await perform(ListChannels(limit: 100)).channels }

    /// The rows of a channel's log received by this session.
    func rows(of id: ChannelID) -> [Event] { events.filter { $0.channel == id && $0.seq != nil } }

    /// The events with this name received by this session.
    func events(named name: EventName) -> [Event] { events.filter { $0.name == name.rawValue } }

    /// Reads the whole log of a channel, page by page.
    func log(of id: ChannelID) async throws -> [Event] {
        var events: [Event] = []
        while true {
            let page = try await perform(ListMessages(channel: id, after: events.last?.seq ?? 0, limit: 100))
            events += page.events
            guard page.hasAfter, !page.events.isEmpty else { return events }
        }
    }
}

extension Event {
    /// The text of a message or an announcement.
    var text: String? {
        switch body {
        case .channel(.messageSent(let message)): message.text
        case .channel(.messageAnnounced(let announcement)): announcement.text
        default: nil
        }
    }

    var isMessage: Bool { messageID != nil }
}

func user(_ id: String) throws -> User {
    User(userID: try #require(UserID(rawValue: id)), name: id.uppercased())
}

func channel(_ id: String) throws -> ChannelID { try #require(ChannelID(rawValue: id)) }

func transID(_ id: String) throws -> TransID { try #require(TransID(rawValue: id)) }

extension SeededNumbers {
    /// The random numbers of a test: identical in every run with the same `ROOST_SEED`.
    init(_ number: UInt64) { self.init(seed: number &+ (Self.seed &- 1) &* 0xD1B5_4A32_D192_ED03) }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func pick<T>(_ values: [T]) -> T { values[int(0...values.count - 1)] }
}

/// A comment that shows how to reproduce the random numbers.
let seed = "ROOST_SEED=\(SeededNumbers.seed)"
