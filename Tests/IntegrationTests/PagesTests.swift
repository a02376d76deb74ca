import RoostClient
import RoostTesting
import RoostWire
import Testing

/// How an app reads lists: page by page and element by element.
@Suite(.serialized, .timeLimit(.minutes(1))) struct PagesTests {
    @Test func `a list is read page by page or element by element, each element once`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        let ids = try (1...5).map { try channelID("g\($0)") }
        for id in ids { _ = try await ann.client.createGroup(channel: id, members: []) }
        let newest = Array(ids.reversed())
        let first = try await ann.client.channels(limit: 2)
        #expect(first.map(\.channel) == Array(newest[..<2]) && first.count == 2 && first.hasMore)
        var pages: [[ChannelID]] = []
        for try await page in first.pages { pages.append(page.map(\.channel)) }
        #expect(pages == [Array(newest[..<2]), Array(newest[2..<4]), [newest[4]]])
        for _ in 1...2 {
            var all: [ChannelID] = []
            for try await channel in first.all { all.append(channel.channel) }
            #expect(all == newest)
        }
        let second = try #require(try await first.nextPage())
        let last = try #require(try await second.nextPage())
        #expect(!last.hasMore && last.next == nil)
        #expect(try await last.nextPage() == nil)
        // The cursor outlives the page.
        #expect(try await ann.client.channels(limit: 2, cursor: second.next).map(\.channel) == [newest[4]])
        let none = try await ann.client.blocked()
        #expect(none.isEmpty && !none.hasMore)
    }

    @Test func `a page that could not be loaded is tried again, and nothing is left out`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        let ids = try (1...3).map { try channelID("g\($0)") }
        for id in ids { _ = try await ann.client.createGroup(channel: id, members: []) }
        let page = try await ann.client.channels(limit: 2)
        var iterator = page.all.makeAsyncIterator()
        var all: [ChannelID] = []
        for _ in 1...2 { all.append(try #require(try await iterator.next()).channel) }
        await ann.client.disconnect()
        await #expect(throws: RoostError.self) { try await iterator.next() }
        try await ann.client.connect()
        while let channel = try await iterator.next() { all.append(channel.channel) }
        #expect(all == ids.reversed())
    }
}
