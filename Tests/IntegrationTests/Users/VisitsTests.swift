import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// People without an account, with a real server, the command line and the SDK.
@Suite(.timeLimit(.minutes(3))) struct VisitsTests {
    @Test func `a key from the command line lets a visitor talk to its user with the SDK, and to nobody else`()
        async throws
    {
        let harness = try await ServerHarness(isDevelopment: false)
        func roost(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(arguments, server: harness.url, in: harness.folder).result()
        }
        func token(_ words: String...) async throws -> String {
            try #require(
                try await Child.roost(["token", "--data", harness.data] + words, in: harness.folder).result().output
                    .first)
        }
        let boss = try await token("--user", "boss", "--operator")
        let support = try await token("--user", "support", "--name", "Sue")
        let host = ChatClient(
            configuration: ClientConfiguration(
                server: harness.url, credentials: .token { support }, deviceID: try #require(DeviceID(rawValue: "desk"))
            ))
        try await host.connect()

        let several = try await roost(
            "key", "create", "shop", "--token", boss, "--scope", "visitors", "--scope", "messages")
        #expect(several.status == 2 && several.errors.contains("public"))
        let made = try await roost("key", "create", "shop", "--token", boss, "--scope", "visitors", "--of", "support")
        let key = try #require(made.output.first)
        #expect(made.status == 0 && APIKey.isKey(key))

        let visit = try await ChatClient.startVisit(to: harness.url, key: key, name: "Kim")
        var configuration = ClientConfiguration(
            server: harness.url, credentials: .token { visit.token },
            deviceID: try #require(DeviceID(rawValue: "browser")))
        configuration.store = try .inMemory()
        let visitor = ChatClient(configuration: configuration)
        try await visitor.connect()
        #expect(await visitor.user?.name == "Kim")
        #expect(try await visitor.startMessaging(with: visit.host).channel == visit.channel)
        try await visitor.channel(visit.channel).send("Is the shop open?")
        try await host.channel(visit.channel).send("Until eight.")
        let stored = try await visitor.perform(ListMessages(channel: visit.channel))
        let texts = stored.events.compactMap { event in
            if case .channel(.messageSent(let message)) = event.body { message.text } else { nil }
        }
        #expect(texts == ["Is the shop open?", "Until eight."])
        #expect(try await visitor.perform(GetUnread()).total == 1)
        await #expect(throws: RoostError.self) {
            _ = try await visitor.createGroup(members: [visit.host])
        }
        await #expect(throws: RoostError.self) {
            try await visitor.channel(ChannelID(single: visit.userID, Cast.bob.userID)).send("Hello")
        }

        // The next visit is one of the same visitor, who finds the conversation.
        let next = try await ChatClient.startVisit(to: harness.url, key: key, token: visit.token)
        #expect(next.userID == visit.userID && next.token != visit.token)
        do {
            _ = try await ChatClient.startVisit(to: harness.url, key: "roost-key-" + String(repeating: "0", count: 64))
            Issue.record("a key that nobody has made opens a visit")
        } catch {
            #expect(error.wire?.entry == .wrongCredentials)
        }
        await visitor.disconnect()
        await host.disconnect()
    }
}
