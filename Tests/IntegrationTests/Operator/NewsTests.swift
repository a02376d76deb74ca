import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// News through a real server, the SDK and the command line.
@Suite(.serialized, .seeded, .timeLimit(.minutes(3))) struct NewsTests {
    private func ms(in seconds: Double) -> Int64 { Int64((Date().timeIntervalSince1970 + seconds) * 1_000) }

    @Test func `news reach all devices of subscribers, across a restart, until they expire`() async throws {
        let harness = try await ServerHarness(isDevelopment: true)
        let editor = try await harness.operatorRecordingClient()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let tablet = try await harness.guest(Cast.ann, device: "tablet")
        let (offers, home) = (try channelID("offers"), try channelID("harness"))
        let made = try await editor.client.createNews(title: "Offers", channel: offers)
        #expect(made == offers)
        try await editor.client.createNews(title: "The harness", channel: home, isForEverybody: true)
        let known = try await bob.client.news()
        #expect(known.map(\.title) == ["The harness", "Offers"] && known.map(\.kind) == [.corporateNews, .publicNews])
        #expect(known.last?.isSubscribed == false)
        let key = ann.client.makeTransID()
        let joined = try await ann.client.perform(BecomeMember(channel: offers), transID: key)
        #expect(try await ann.client.perform(BecomeMember(channel: offers), transID: key) == joined)
        try await tablet.event(.channelJoined, in: nil)

        let piece = try await editor.channel(offers).publish(
            "two for one", category: "food", validUntil: Date(milliseconds: ms(in: 600)), transID: key)
        for device in [ann, tablet] {
            let row = try await device.message("two for one", in: offers)
            #expect(row.messageID == piece.messageID && row.senderID == nil)
        }
        #expect(try await ann.channel(offers).get().unread == 1)
        #expect(
            try await ann.channel(offers).messages(sent: .after, .distantPast, category: "food", limit: 5).count == 1)
        #expect(
            await refusal { () throws(RoostError) in try await bob.channel(offers).get() } == .server(.channelNotFound))
        #expect(
            await refusal { () throws(RoostError) in try await ann.channel(offers).publish("x") }
                == .server(.noPrivilege))
        #expect(
            await refusal { () throws(RoostError) in try await ann.channel(home).unsubscribe() }
                == .server(.noPrivilege))

        // It expires while no server is running.
        try await soonest(whenLate: .server(.dataFormat)) { seconds in
            try await editor.channel(offers).publish("nearly over", validUntil: Date(milliseconds: ms(in: seconds)))
        }
        harness.kill()
        try await harness.start()
        let recalled = try await bob.later(harness)
        try await recalled.channel(offers).subscribe()
        try await until {
            try await !recalled.channel(offers).history().events.contains { $0.text == "nearly over" }
        }
        let log = try await recalled.channel(offers).history().events
        #expect(log.compactMap(\.text) == ["two for one"])
        #expect(try await recalled.channel(offers).get().unread == 0)
        for person in [recalled] { try await person.channel(offers).unsubscribe() }
        #expect(try await recalled.client.news().last?.isSubscribed == false)
    }

    @Test func `news published right after their channel for all is made are as unread on a device as on the server`()
        async throws
    {
        // So many users that subscribing them takes a while.
        let harness = try await ServerHarness()
        let editor = try await harness.operatorRecordingClient()
        let device = try await StoreClient(
            Cast.bob, url: harness.url, direct: harness.url, store: try LocalStore.inMemory())
        try await device.client.connect()
        let http = HTTPClient(harness)
        for number in 0..<300 {
            let guest = try makeUser("guest-\(number)")
            try http.perform(SetAllReadMarks(), from: .guest(guest))
        }
        for number in 0..<10 {
            let corp = try channelID("corp-\(number)")
            try await editor.client.createNews(title: "News \(number)", channel: corp, isForEverybody: true)
            try await editor.channel(corp).publish("first of \(number)")
            try await editor.channel(corp).publish("second of \(number)")
        }
        try await until { try await device.channels().count == 10 }
        try await device.settle()
        #expect(try await device.store.channels(limit: 15).map(\.unread) == Array(repeating: 2, count: 10))
        await device.stop()
    }

    @Test func `an offline device has the same news as the server and removes expired items`()
        async throws
    {
        let harness = try await ServerHarness()
        let editor = try await harness.operatorRecordingClient()
        let offers = try channelID("offers")
        try await editor.client.createNews(title: "Offers", channel: offers)
        let device = try await StoreClient(
            Cast.bob, url: harness.url, direct: harness.url, store: try LocalStore.inMemory())
        try await device.client.connect()
        try await device.client.channel(offers).subscribe()
        for number in 0..<5 {
            try await soonest(whenLate: .server(.dataFormat)) { seconds in
                try await editor.channel(offers).publish(
                    "piece \(number)", validUntil: number % 2 == 0 ? Date(milliseconds: ms(in: seconds)) : nil)
            }
        }
        let reader = try await harness.guest(Cast.ann)
        try await reader.channel(offers).subscribe()
        try await until { try await reader.channel(offers).history().events.compactMap(\.text).count <= 2 }
        try await device.settle()
        let rows = try await device.client.channel(offers).history(limit: 50).events
        #expect(rows == (try await device.client.channel(offers).history().events))
        #expect(rows.compactMap(\.text) == ["piece 1", "piece 3"])
        let store = try #require(device.client.store)
        let channel = try #require(try await store.channels([offers])[offers]?.channel)
        #expect(channel.unread == 2 && channel.kind == .publicNews && channel.lastMessage == nil)
        try await device.client.channel(offers).hide()
        try await until { try await store.channels(limit: 10).isEmpty }
        // A row that is not a piece of news does not make it visible again.
        let recalled = try #require(rows.last { $0.text != nil }?.messageID)
        try await editor.channel(offers).recall([recalled], isSilent: true)
        try await until { try await store.channels([offers])[offers]?.channel.unread == 1 }
        #expect(try await store.channels(limit: 10).isEmpty)
        try await editor.channel(offers).publish("once more")
        try await until { try await store.channels(limit: 10).map(\.channel) == [offers] }
        await device.stop()
    }

    @Test func `all users have the news of the harness exactly once, through kill -9 while they are given to them`()
        async throws
    {
        let harness = try await ServerHarness(limits: ["connectionsPerUser": 100])
        let http = HTTPClient(harness)
        let users = try (0..<300).map { try makeUser("reader-\($0)") }
        for user in users { try http.perform(SendMessage(channel: Cast.lobby, text: "x"), from: .guest(user)) }
        let token = try #require(
            try await Child.roost(
                ["token", "--data", harness.data, "--user", "op", "--operator"], in: harness.folder
            ).result().output.first)
        let rounds = TestLength.rounds(3, long: 20)
        var random = SeededNumbers(for: "NewsTests")
        var kills = 0
        for round in 0..<rounds {
            let id = try channelID("harness-\(round)")
            try HTTPClient(harness).perform(
                CreateChannel(kind: .corporateNews, channel: id), from: .token(token))
            // At the start, in the middle, or at the end.
            let wanted = Int.random(in: 0...300, using: &random)
            var count = 0
            while count < wanted {
                let news = try HTTPClient(harness).perform(ListNews(limit: 100), from: .token(token)).channels
                count = news.first { $0.channel == id }?.subscriberCount ?? 0
            }
            if count < 301 { kills += 1 }
            harness.kill()
            try await harness.start()
            while count < 301 {
                let news = try HTTPClient(harness).perform(ListNews(limit: 100), from: .token(token)).channels
                count = news.first { $0.channel == id }?.subscriberCount ?? 0
            }
            try HTTPClient(harness).perform(PublishNews(channel: id, text: "welcome"), from: .token(token))
        }
        for user in users {
            let list = try HTTPClient(harness).perform(ListChannels(limit: 100), from: .guest(user)).channels
            #expect(list.count == rounds && list.allSatisfy { $0.unread == 1 && $0.memberCount == 301 })
        }
        print("# \(rounds) kills, \(kills) of them before all \(users.count + 1) had the news")
    }

    @Test(.firstPassOnly) func `the command line makes, publishes, lists, subscribes and dismisses`() async throws {
        let harness = try await ServerHarness()
        let token = try #require(
            try await Child.roost(
                ["token", "--data", harness.data, "--user", "op", "--operator"], in: harness.folder
            ).result().output.first)
        func roost(_ user: String?, _ arguments: String...) async throws -> Child.Result {
            let login = user.map { ["--as", $0] } ?? ["--token", token]
            return try await Child.roost(
                ["news"] + arguments + login, server: harness.url, profile: user ?? "op", in: harness.folder
            ).result()
        }
        #expect(
            try await roost(nil, "create", "--id", "offers", "Offers", "of", "the", "day").output == ["created offers"])
        #expect(try await roost("ann", "create", "mine").status == 1)
        #expect(
            try await roost("ann", "list").output == ["offers  Offers of the day  0 subscribers  not subscribed"])
        #expect(try await roost("ann", "subscribe", "--channel", "offers").status == 0)
        let published = try await roost(nil, "publish", "--channel", "offers", "two for one", "--json").objects()
        #expect(published.first?["seq"] as? Int == 2)
        let late = try await roost(nil, "publish", "--channel", "offers", "--valid-until", "5", "x", "--json")
        #expect(late.status == 1 && late.errors.contains("validUntil"))
        let list = try await roost("ann", "list", "--json").objects()
        #expect(list.first?["isSubscribed"] as? Bool == true && list.first?["subscriberCount"] as? Int == 1)
        let history = try await Child.roost(
            ["history", "--as", "ann", "--channel", "offers"], server: harness.url, profile: "ann", in: harness.folder
        ).result()
        #expect(history.output.last?.hasSuffix("Offers of the day: two for one") == true)
        #expect(try await roost("ann", "unsubscribe", "--channel", "offers").status == 0)
        #expect(try await roost(nil, "dismiss", "--channel", "offers").status == 0)
        #expect(try await roost("ann", "list").output.isEmpty)
    }
}

extension RecordingClient {
    /// The same user with a new connection.
    fileprivate func later(_ harness: ServerHarness) async throws -> RecordingClient {
        let user = try #require(await client.user)
        return try await harness.guest(user, device: "later")
    }
}
