import RoostClient
import RoostTesting
import RoostWire
import Testing

/// The channel list: J-54 to J-60.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ChannelListTests {
    /// Groups of Ann and Bob named `c01`, `c02` …, each with one message of Bob's; the last one is the newest.
    private func fill(_ count: Int, _ bob: RecordingClient) async throws {
        for number in 1...count {
            let id = try name(number)
            _ = try await bob.client.createGroup(title: "Club \(number)", channel: id, members: [Cast.ann.userID])
            try await bob.channel(id).send("in \(id)")
        }
    }

    private func name(_ number: Int) throws -> ChannelID { try channelID(number < 10 ? "c0\(number)" : "c\(number)") }

    @Test func `the list contains the user's conversations, most recent activity first, without hidden ones [J-54]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await fill(3, bob)
        try await bob.channel(Cast.lobby).send("an open channel is not in the list")
        _ = try await bob.client.createGroup(channel: Cast.club, members: [])
        #expect(try await ann.client.channels().map(\.channel.rawValue) == ["c03", "c02", "c01"])
        try await bob.channel(try name(1)).send("newer")
        #expect(try await ann.client.channels().map(\.channel.rawValue) == ["c01", "c03", "c02"])
        try await ann.channel(try name(3)).hide()
        #expect(try await ann.client.channels().map(\.channel.rawValue) == ["c01", "c02"])
        #expect(try await bob.client.channels().count == 4)
    }

    @Test func `a row has title, members, last message with its time, and unread [J-55]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let sent = try await bob.start(with: Cast.ann).send("yo")
        let row = try #require(try await ann.client.channels().first)
        #expect(ChannelRules.title(of: row, for: Cast.ann.userID) == "Bob")
        #expect(row.memberCount == 2)
        #expect(row.lastMessage?.text == "yo")
        #expect(row.lastMessage?.sentAt == sent.sentAt)
        #expect(row.lastActivityAt == sent.sentAt)
        #expect(row.unread == 1)
        #expect(try await bob.client.channels().first?.unread == 0)
    }

    @Test func `a title comes from the members: the other's name, or the size of the group [J-56]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        _ = try await harness.guest(Cast.cid)
        let pair = try await ann.client.startMessaging(with: Cast.bob.userID)
        #expect(ChannelRules.screenTitle(of: pair, for: Cast.ann.userID) == "Bob")
        #expect(ChannelRules.screenTitle(of: pair, for: Cast.bob.userID) == "Ann")
        let group = try await ann.client.createGroup(members: [Cast.bob.userID, Cast.cid.userID])
        #expect(ChannelRules.screenTitle(of: group, for: Cast.ann.userID) == "Group(3)")
        #expect(ChannelRules.title(of: group, for: Cast.ann.userID) == "Bob, Cid")
        let seenByBob = try await bob.channel(group.channel).get()
        #expect(ChannelRules.title(of: seenByBob, for: Cast.bob.userID) == "Ann, Cid")
    }

    @Test func `the list starts with a page of 15 and knows whether there are more [J-57]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await fill(16, bob)
        let page = try await ann.client.channels()
        #expect(page.map(\.channel) == (2...16).reversed().map { try? name($0) })
        #expect(try await ann.client.perform(ListChannels(limit: 15)).totalUnread == 16)
        let next = try #require(page.next)
        let last = try await ann.client.channels(cursor: next)
        #expect(last.map(\.channel) == [try name(1)])
        #expect(last.next == nil)
        let rest = ListChannels(limit: 15, cursor: page.next)
        #expect(try await ann.client.perform(rest).totalUnread == 16)
    }

    @Test func `a conversation with something new moves to the top, once [J-58]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await fill(9, bob)
        let before = try await ann.client.channels()
        #expect(before[6].channel == (try name(3)))
        // All earlier events have arrived: the newest channel is present, with its message.
        let newest = try name(9)
        try await ann.wait("all of it", untilAll: { $0.count { $0.updated == newest } >= 2 })
        let mark = ann.mark
        try await bob.channel(try name(3)).send("new")
        try await ann.message("new")
        let wanted = try name(3)
        try await ann.wait("update", since: mark) { $0.updated == wanted }
        #expect(ann.events.dropFirst(mark).compactMap(\.updated) == [wanted])
        let after = try await ann.client.channels()
        #expect(after.map(\.channel) == [wanted] + before.map(\.channel).filter { $0 != wanted })
        #expect(after.first?.unread == 2)
        // A read mark changes the row in place.
        try await ann.channel(try name(5)).markRead()
        #expect(try await ann.client.channels().map(\.channel) == after.map(\.channel))
    }

    @Test func `the pages of 40 conversations contain no duplicates, even if one moves between pages [J-59]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await fill(40, bob)
        var rows: [ChannelID] = []
        var sizes: [Int] = []
        var next: String?
        repeat {
            let page = try await ann.client.channels(cursor: next)
            rows += page.map(\.channel)
            sizes.append(page.count)
            next = page.next
            // A row that is already shown moves up between two pages.
            try await bob.channel(try name(40)).send("again")
        } while next != nil
        #expect(sizes == [15, 15, 10])
        #expect(rows == (1...40).reversed().map { try? name($0) })
    }

    @Test func `a page that failed may be tried again with the same cursor [J-60]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await fill(17, bob)
        let first = try await ann.client.channels()
        let wrong = await refusal { () throws(RoostError) in try await ann.client.channels(cursor: "nonsense") }
        #expect(wrong == .server(.dataFormat))
        await ann.client.disconnect()
        let failed = await refusal { () throws(RoostError) in try await ann.client.channels(cursor: first.next) }
        #expect(failed == .notConnected)
        try await ann.client.connect()
        #expect(try await ann.client.channels(cursor: first.next).map(\.channel.rawValue) == ["c02", "c01"])
    }
}
