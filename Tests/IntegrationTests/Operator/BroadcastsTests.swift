import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Broadcasts over real sockets and real processes.
@Suite(.serialized, .seeded, .timeLimit(.minutes(5))) struct BroadcastsTests {
    private func token(_ harness: ServerHarness) async throws -> String {
        let made = try await Child.roost(
            ["token", "--data", harness.data, "--user", "op", "--operator"], in: harness.folder
        ).result()
        return try #require(made.output.first)
    }

    @Test func `an operator sends to many users, follows it and stops it, with the SDK`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob, cid) = (
            try await harness.guest(Cast.ann), try await harness.guest(Cast.bob), try await harness.guest(Cast.cid)
        )
        let boss = try await harness.operatorRecordingClient()
        let made = try await boss.client.broadcast(
            [.text("one"), .sticker("pack,1")], from: Cast.ann.userID, to: .everybody)
        for reader in [bob, cid] {
            try await reader.message("pack,1")
            let me = try #require(await reader.client.user?.userID)
            #expect(reader.texts(in: ChannelID(single: Cast.ann.userID, me)) == ["one", "pack,1"])
            // The list and the badge of an app treat it like any other message.
            let list = try await reader.client.channels()
            #expect(try await reader.client.unread().total == 2)
            #expect(list.first?.unread == 2)
        }
        try await ann.wait("both channels") { events in
            events.count { $0.row?.name == EventName.channelJoined.rawValue } >= 3
        }
        var now = made
        try await until {
            now = try await boss.client.broadcast(made.broadcastID)
            return now.state.isFinished
        }
        #expect(now.state == .done && now.done == 3 && now.sent == 6 && now.refusals.isEmpty)
        let paused = try await boss.client.broadcast(
            [.text("never")], from: Cast.ann.userID, to: .users([try makeUser("nobody").userID]))
        #expect(try await boss.client.broadcasts(limit: 1).map(\.broadcastID) == [paused.broadcastID])
        #expect(
            await refusal { () async throws(RoostError) in try await boss.client.pauseBroadcast(made.broadcastID) }
                == .server(.broadcastFinished))
        #expect(
            await refusal { () async throws(RoostError) in try await ann.client.cancelBroadcast(made.broadcastID) }
                == .server(.noPrivilege))
    }

    @Test func `several messages go to users by their ids: a user is the 1-on-1 with that user [C-L13]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        for user in [Cast.bob, Cast.cid] { _ = try await ann.start(with: user) }
        let users = [Cast.cid.userID, Cast.bob.userID, Cast.dee.userID]
        let key = ann.client.makeTransID()
        let answer = try await ann.client.send([.text("one"), .text("two")], toUsers: users, transID: key)
        let singles = users.map { ChannelID(single: Cast.ann.userID, $0) }
        #expect(answer.map(\.channel) == singles.flatMap { [$0, $0] })
        #expect(answer.map(\.code) == [0, 0, 0, 0, 1105, 1105])
        for (reader, channel) in [(cid, singles[0]), (bob, singles[1])] {
            try await reader.message("two", in: channel)
            #expect(reader.texts(in: channel) == ["one", "two"])
        }
        // With the same key it is executed once, whichever of the two ways is used.
        let again = try await ann.client.send([.text("one"), .text("two")], to: singles, transID: key)
        #expect(again == answer)
        let line = try await Child.roost(
            ["message", "send-many", "--as", "ann", "--to", "bob", "--to", "cid", "--text", "three"],
            server: harness.url, in: harness.folder
        ).result()
        #expect(line.status == 0 && line.output == ["2 sent"], "\(line.errors)")
        for reader in [bob, cid] { try await reader.message("three") }
        let nobody = try harness.disconnectedClient(Cast.dee)
        #expect(
            await refusal { () async throws(RoostError) in
                try await nobody.client.send([.text("x")], toUsers: [Cast.bob.userID])
            } == .notConnected)
    }

    @Test(.firstPassOnly)
    func `the command line creates, lists, shows, follows, pauses, resumes and cancels`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann)
        let token = try await token(harness)
        func roost(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(
                ["broadcast"] + arguments, server: harness.url, environment: ["ROOST_TOKEN": token], in: harness.folder
            ).result()
        }
        let made = try await roost("create", "--from", "ann", "--text", "-hello", "--text", "two", "--all", "--follow")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.first?.hasPrefix("created ") == true)
        #expect(
            made.output.last?.hasPrefix("done, 2 of ") == true && made.output.last?.hasSuffix("4 messages sent") == true
        )
        try await bob.message("two", in: Cast.annAndBob)
        let few = try await roost("create", "--from", "ann", "--text", "x", "--to", "bob", "nobody", "--json")
        let object = try #require(try few.objects().first)
        #expect(
            Set(object.keys) == [
                "broadcastID", "state", "createdBy", "senderID", "segment", "messages", "createdAt", "users", "done",
                "sent", "refusals",
            ])
        let id = try #require(object["broadcastID"] as? String)
        let shown = try await roost("show", id, "--follow")
        #expect(shown.status == 0)
        #expect(shown.output.last?.contains("done, 2 of 2 users, 1 messages sent; 1 refused") == true)
        let list = try await roost("list")
        #expect(list.output.count == 2 && list.output.first?.hasPrefix(id) == true)
        #expect(list.output.first?.hasSuffix("from ann to bob, nobody: x") == true)
        #expect(list.output.last?.hasSuffix("from ann to everybody: -hello and 1 more") == true)
        #expect(try await roost("list", "--limit", "1", "--json").objects().count == 1)
        for verb in ["pause", "resume", "cancel"] {
            let late = try await roost(verb, id)
            #expect(late.status == 1 && late.errors.contains("is already done"), "\(late.errors)")
        }
        let stranger = try await Child.roost(
            ["broadcast", "list", "--as", "ann"], server: harness.url, in: harness.folder
        ).result()
        #expect(stranger.status == 1 && stranger.errors.contains("operator"))
        let missing = try await roost("create", "--from", "nobody", "--text", "x", "--members-of", "c", "--json")
        #expect(missing.status == 1 && missing.errors.contains("\"code\":7011"))
    }

    @Test(.firstPassOnly) func `following ends with 1 when it is cancelled`() async throws {
        let harness = try await ServerHarness()
        // Enough users to keep it busy until it is stopped.
        let http = HTTPClient(harness)
        for number in 0..<1_000 {
            _ = try http.refusal(EndTyping(channel: Cast.lobby), from: .guest(try makeUser("u\(number)")))
        }
        let token = try await token(harness)
        func roost(_ arguments: String...) throws -> Child {
            try Child.roost(
                ["broadcast"] + arguments, server: harness.url, environment: ["ROOST_TOKEN": token], in: harness.folder)
        }
        let made = try http.perform(
            CreateBroadcast(
                senderID: try makeUser("u7").userID, messages: [MessageContent(text: "x")], segment: .everybody),
            from: .token(token))
        let id = made.broadcast.broadcastID
        try http.perform(PauseBroadcast(broadcastID: id), from: .token(token))
        let follower = try roost("show", id.rawValue, "--follow")
        let first = try #require(await follower.line())
        #expect(first.contains("paused"))
        #expect(try await roost("resume", id.rawValue).result().status == 0)
        let cancelled = try await roost("cancel", id.rawValue).result()
        #expect(cancelled.status == 0 && cancelled.output.first?.contains("cancelled") == true, "\(cancelled.errors)")
        let end = await follower.result()
        #expect(end.status == 1 && end.output.last?.hasPrefix("cancelled, ") == true)
    }

    /// Creates users with these names, without connecting them.
    private func crowd(
        _ count: Int, _ http: HTTPClient, caller: (User) async throws -> HTTPClient.Caller = { .guest($0) }
    ) async throws -> [User] {
        let users = try (0..<count).map { try makeUser("reader-\($0)") }
        for user in users { _ = try await http.refusal(EndTyping(channel: Cast.lobby), from: caller(user)) }
        return users
    }

    /// The messages that each user has received from Ann, with their number in the log.
    private func received(
        _ users: [User], _ http: HTTPClient, caller: (User) async throws -> HTTPClient.Caller = { .guest($0) }
    ) async throws -> [[String]] {
        var texts: [[String]] = []
        for user in users {
            let list = ListMessages(channel: ChannelID(single: Cast.ann.userID, user.userID), limit: 100)
            texts.append(try await http.perform(list, from: caller(user)).events.compactMap(\.text))
        }
        return texts
    }

    @Test func `each user has each message exactly once through kill -9 in the middle, several times`() async throws {
        let rounds = environmentNumber("ROOST_KILLS") ?? TestLength.rounds(4, long: 20)
        let harness = try await ServerHarness()
        let token = try await token(harness)
        let users = try await crowd(300, HTTPClient(harness))
        await (try await harness.guest(Cast.ann)).client.disconnect()
        let create = CreateBroadcast(
            senderID: Cast.ann.userID, messages: [MessageContent(text: "one"), MessageContent(text: "two")],
            segment: .everybody)
        let made = try HTTPClient(harness).perform(create, from: .token(token), key: "only").broadcast
        var random = SeededNumbers(for: "BroadcastsTests")
        var kills = 0
        for round in 0..<rounds {
            let http = HTTPClient(harness)
            // In the middle: after this many users, however long that takes.
            let wanted = Int.random(in: 0...(300 * (round + 1) / (rounds + 1)), using: &random)
            var now = made
            repeat {
                now = try http.perform(GetBroadcast(broadcastID: made.broadcastID), from: .token(token))
            } while now.done < wanted
            if !now.state.isFinished { kills += 1 }
            harness.kill()
            try await harness.start()
        }
        #expect(kills > 0, "at least one came in the middle")
        let http = HTTPClient(harness)
        // Created again with the same key, it is the same broadcast.
        #expect(
            try http.perform(create, from: .token(token), key: "only").broadcast.broadcastID == made.broadcastID)
        var now = made
        while !now.state.isFinished {
            now = try http.perform(GetBroadcast(broadcastID: made.broadcastID), from: .token(token))
        }
        #expect(now.state == .done && now.sent == now.done * 2 && now.refusals.isEmpty)
        #expect(try await received(users, http) == users.map { _ in ["one", "two"] })
        #expect(try http.perform(ListBroadcasts(), from: .token(token)).broadcasts == [now])
        print("# \(rounds) kills, \(kills) of them in the middle, \(users.count) users, each message once")
    }

    /// Pauses a broadcast; nil when it is done.
    private func pause(_ id: BroadcastID, _ http: HTTPClient, _ boss: HTTPClient.Caller) throws -> Broadcast? {
        do {
            return try http.perform(PauseBroadcast(broadcastID: id), from: boss).broadcast
        } catch let error as WireError where error.entry == .broadcastFinished {
            return nil
        }
    }

    @Test(.needsPostgres, .firstPassOnly)
    func `two servers on one database send each message of a broadcast once`() async throws {
        let pair = try await ServerPair()
        let clients = pair.servers.map { HTTPClient($0) }
        let boss = try await pair.caller(makeUser("op"), isOperator: true)
        let users = try await crowd(200, clients[0]) { try await pair.caller($0) }
        let bob = try await pair.caller(Cast.bob)
        _ = try clients[0].refusal(EndTyping(channel: Cast.lobby), from: try await pair.caller(Cast.ann))
        try clients[0].perform(CreateChannel(kind: .open, channel: Cast.lobby), from: boss)
        let create = CreateBroadcast(
            senderID: Cast.ann.userID, messages: [MessageContent(text: "one"), MessageContent(text: "two")],
            segment: .everybody)
        let id = try clients[0].perform(create, from: boss).broadcast.broadcastID
        // Meanwhile both servers send ordinary messages, and each changes the broadcast, which the other must see.
        var number = 0
        var pauses = 0
        while true {
            let http = clients[number % 2]
            if number % 20 == 0, let paused = try pause(id, http, boss) {
                pauses += 1
                #expect(try clients[1 - number % 2].perform(GetBroadcast(broadcastID: id), from: boss) == paused)
                try clients[1 - number % 2].perform(ResumeBroadcast(broadcastID: id), from: boss)
            }
            try http.perform(SendMessage(channel: Cast.lobby, text: "\(number)"), from: bob)
            number += 1
            if try http.perform(GetBroadcast(broadcastID: id), from: boss).state.isFinished { break }
        }
        #expect(pauses > 0, "it was paused before it was done")
        let texts = try await received(users, clients[1]) { try await pair.caller($0) }
        #expect(texts == users.map { _ in ["one", "two"] })
        for server in pair.servers { #expect(server.stop() == 0) }
    }
}
