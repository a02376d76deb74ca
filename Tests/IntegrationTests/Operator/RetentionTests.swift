import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Old rows are purged by a real server process, which looks for them when it starts.
@Suite(.serialized, .seeded, .timeLimit(.minutes(5))) struct RetentionTests {
    private let kept = 20

    @Test func `retention survives kill -9, and online and offline clients end up with the same rows`() async throws {
        let harness = try await ServerHarness(
            limits: ["sendsPerSecond": 0, "channelSendsPerSecond": 0, "commandsPerSecond": 0],
            options: ["--retain", "group=\(kept)"])
        let ann = HTTPClient.Caller.guest(Cast.ann)
        let channels = try (0..<4).map { try channelID("old-\($0)") }
        let http = HTTPClient(harness)
        for user in [Cast.bob, Cast.cid] { _ = try http.refusal(EndTyping(channel: Cast.lobby), from: .guest(user)) }
        let there = try await StoreClient(
            Cast.bob, url: harness.url, direct: harness.url, store: try LocalStore.inMemory())
        let away = try await StoreClient(
            Cast.cid, url: harness.url, direct: harness.url, store: try LocalStore.inMemory())
        for device in [there, away] { try await device.client.connect() }
        for channel in channels {
            let members = [Cast.bob, Cast.cid].map { NewMember($0.userID) }
            try http.perform(CreateChannel(kind: .group, channel: channel, members: members), from: ann)
        }
        var random = SeededNumbers(for: "RetentionTests")
        var number = 0
        for round in 0..<TestLength.rounds(2, long: 10) {
            try await there.settle()
            try await away.settle()
            await away.client.disconnect()
            // More than one turn purges.
            for _ in 0..<26 {
                let contents = (0..<20).map { MessageContent(text: "\(number + $0)") }
                try HTTPClient(harness).perform(SendMany(messages: contents, channels: channels), from: ann)
                number += 20
            }
            // At the start, in the middle, or at the end.
            let wanted = Int.random(in: 0...channels.count, using: &random)
            for start in 0..<2 {
                harness.kill()
                try await harness.start()
                let http = HTTPClient(harness)
                while try channels.count(where: { try isDone($0, number, http, ann) })
                    < (start == 0 ? wanted : channels.count)
                {}
            }
            try await away.client.connect()
            try await there.settle()
            try await away.settle()
            for device in [there, away] {
                for channel in try await device.channels().values {
                    #expect(channel.unread == kept, "round \(round), \(device.user.userID)")
                    let truth = try await device.client.channel(channel.channel).history(limit: 100).events
                    let here = try await device.client.channel(channel.channel).history(limit: 100).events
                    #expect(here == truth, "round \(round), \(device.user.userID)")
                    #expect(truth.compactMap(\.text) == (number - kept..<number).map { "\($0)" })
                }
            }
        }
        for device in [there, away] { await device.stop() }
    }

    /// Whether all rows of a channel without retention have been purged.
    private func isDone(_ id: ChannelID, _ number: Int, _ http: HTTPClient, _ caller: HTTPClient.Caller) throws -> Bool
    {
        let page = try http.perform(ListMessages(channel: id, limit: 100), from: caller)
        return page.events.compactMap(\.text).first == "\(number - kept)"
    }
}
