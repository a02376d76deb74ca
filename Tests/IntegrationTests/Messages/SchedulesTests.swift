import Foundation
import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Several messages to several channels, now and later, over real sockets and real processes.
@Suite(.serialized, .seeded, .timeLimit(.minutes(5))) struct SchedulesTests {
    /// The smallest allowed distance of a time in these tests.
    private static let soon: [String: Int] = ["scheduleMinMs": 1, "schedules": 100_000]

    private func date(in seconds: Double) -> Date { Date(timeIntervalSinceNow: seconds) }

    @Test func `several messages reach several channels in one call, each pair with its result [L-65]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        _ = try await ann.start(with: Cast.bob)
        let closed = ChannelID(single: Cast.bob.userID, Cast.cid.userID)
        let key = ann.client.makeTransID()
        let answer = try await ann.client.send(
            [.text("one"), .sticker("pack,1"), .text("three")], to: [Cast.club, closed, Cast.annAndBob],
            transID: key)
        #expect(answer.map(\.code) == [0, 0, 0, 1105, 1105, 1105, 0, 0, 0])
        for (person, channel) in [(bob, Cast.club), (cid, Cast.club), (bob, Cast.annAndBob), (ann, Cast.club)] {
            try await person.message("three", in: channel)
            #expect(person.texts(in: channel) == ["one", "pack,1", "three"])
        }
        let again = try await ann.client.send(
            [.text("one"), .sticker("pack,1"), .text("three")], to: [Cast.club, closed, Cast.annAndBob],
            transID: key)
        #expect(again == answer)
        #expect(try await bob.channel(Cast.club).history().events.count == 3)
        let none = await refusal { () async throws(RoostError) in
            try await ann.client.send([.text("x")], to: [closed])
        }
        #expect(none == .server(.channelNotFound))
    }

    @Test func `schedules are sent across a restart, and every device of the owner is notified [L-66 L-68 C-L11]`()
        async throws
    {
        let harness = try await ServerHarness(limits: Self.soon)
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let tablet = try await harness.guest(Cast.ann, device: "tablet")
        _ = try await ann.start(with: Cast.bob)
        let schedule = try await ann.client.schedule(
            [.text("one"), .text("two")], to: [Cast.annAndBob], at: date(in: 300))
        #expect(try await tablet.event(.scheduleCreated).body == .user(.scheduleCreated(schedule)))
        // Dates in the SDK, ms on the wire.
        #expect(schedule.sendAt.milliseconds == schedule.$sendAt)
        #expect(abs(schedule.sendAt.timeIntervalSinceNow) < 3_600)
        let other = try await ann.client.schedule([.text("never")], to: [Cast.annAndBob], at: date(in: 600))
        let changed = try await tablet.client.changeSchedule(other.scheduleID, messages: [.text("not now")])
        #expect(try await ann.client.schedules().elements == [schedule, changed])
        let mark = ann.mark
        harness.kill()
        try await harness.start()
        try await ann.wait("connected again", since: mark) { if case .connected = $0 { true } else { false } }
        #expect(try await ann.client.schedules().elements == [schedule, changed])
        try await soonest(whenLate: .server(.scheduleTime)) { seconds in
            try await ann.client.changeSchedule(schedule.scheduleID, at: date(in: seconds))
        }
        try await bob.message("two", in: Cast.annAndBob)
        #expect(bob.texts(in: Cast.annAndBob) == ["one", "two"])
        for device in [ann, tablet] {
            guard case .user(.scheduleSent(let sent)) = try await device.event(.scheduleSent).body else {
                throw ExpectationFailure.other
            }
            #expect(sent.scheduleID == schedule.scheduleID)
            #expect(sent.results.map(\.code) == [0, 0])
        }
        try await ann.client.cancelSchedule(other.scheduleID)
        #expect(try await tablet.event(.scheduleCancelled).userSeq != nil)
        #expect(try await ann.client.schedules().isEmpty)
        #expect(
            await refusal { () async throws(RoostError) in try await ann.client.cancelSchedule(other.scheduleID) }
                == .server(.scheduleNotFound))
    }

    @Test(.firstPassOnly)
    func `the command line sends to several, schedules, lists, changes and cancels`() async throws {
        let harness = try await ServerHarness()
        let bob = try await harness.guest(Cast.bob)
        _ = try await harness.guest(Cast.ann)
        _ = try await bob.start(with: Cast.ann)
        func roost(_ arguments: String...) async throws -> Child.Result {
            try await Child.roost(arguments, server: harness.url, in: harness.folder).result()
        }
        let photo = try SampleFile.write("roof.jpg", in: harness.folder)
        let put = try await roost("file", "put", "--as", "ann", "--json", photo.path)
        let picture = try #require(try put.objects().first?["fileID"] as? String)
        let many = try await roost(
            "message", "send-many", "--as", "ann", "--to", "bob", "--channel", "no:where", "--text", "-one",
            "--content",
            #"{"type":"image","file":{"fileID":"\#(picture)"}}"#)
        #expect(many.status == 0, "\(many.errors)")
        #expect(
            many.output == [
                "2 sent; message 1 to no:where: There is no such channel.; message 2 to no:where: There is no such channel."
            ])
        try await bob.message("-one", in: Cast.annAndBob)
        let closed = try await roost("message", "send-many", "--as", "ann", "--channel", "no:where", "--text", "x")
        #expect(closed.status == 1)
        let soon = try await roost("schedule", "create", "--as", "ann", "--to", "bob", "--text", "x", "--in", "30s")
        #expect(soon.status == 1 && soon.errors.contains("ahead"))
        let made = try await roost(
            "schedule", "create", "--as", "ann", "--to", "bob", "--text", "x", "--text", "y", "--in", "2h", "--json")
        let object = try #require(try made.objects().first)
        #expect(Set(object.keys) == ["scheduleID", "messages", "channels", "sendAt"])
        let id = try #require(object["scheduleID"] as? String)
        let at = "2100-01-01T00:00:00Z"
        let far = try await roost("schedule", "change", "--as", "ann", "--at", at, id)
        #expect(far.status == 1)
        let changed = try await roost("schedule", "change", "--as", "ann", "--text", "z", "--in", "3h", id)
        #expect(changed.status == 0, "\(changed.errors)")
        let list = try await roost("schedule", "list", "--as", "ann")
        #expect(list.output.count == 1)
        #expect(list.output.first?.hasPrefix(id) == true && list.output.first?.hasSuffix("to ann:bob: z") == true)
        #expect(try await roost("schedule", "cancel", "--as", "bob", id).status == 1)
        #expect(try await roost("schedule", "cancel", "--as", "ann", id).output == ["cancelled"])
        #expect(try await roost("schedule", "list", "--as", "ann").output.isEmpty)
        let vote = try await roost(
            "schedule", "create", "--as", "ann", "--to", "bob", "--in", "2h", "--vote", "Lunch?", "--option", "Soup",
            "--option", "Cake", "--choices", "2", "--json")
        let asked = try #require(try vote.objects().first, "\(vote.errors)")
        #expect(Set(asked.keys) == ["scheduleID", "messages", "channels", "sendAt", "subject", "vote"])
        let later = try #require(asked["scheduleID"] as? String)
        let supper = try await roost("schedule", "change", "--as", "ann", "--vote", "Supper?", later)
        #expect(supper.output.first?.hasSuffix("to ann:bob: [vote] Supper?") == true, "\(supper.errors)")
        let over = try await roost(
            "schedule", "create", "--as", "ann", "--to", "bob", "--in", "2h", "--vote", "x", "--option", "a",
            "--option",
            "b", "--closes-at", "1")
        #expect(over.status == 1 && over.errors.contains("closesAt"))
    }

    /// Schedules, and repeats this while it is too late for the given time.
    private func retry(_ schedule: () throws -> WireError?) throws {
        while let refusal = try schedule() {
            try #require(refusal.entry == .scheduleTime, "\(refusal)")
        }
    }

    @Test func `each scheduled message is sent exactly once, in order, despite kill -9 at any moment`()
        async throws
    {
        let rounds = environmentNumber("ROOST_KILLS") ?? TestLength.rounds(5, long: 50)
        let harness = try await ServerHarness(limits: Self.soon)
        await (try await harness.guest(Cast.ann)).client.disconnect()
        let bob = try await harness.guest(Cast.bob)
        _ = try await bob.start(with: Cast.ann)
        var random = SeededNumbers(for: "SchedulesTests")
        var number = 0
        var sendAt: Int64 = 0
        for round in 0..<rounds {
            let http = HTTPClient(harness)
            // Uses a new connection, so that no test waits for the backoff of a client.
            let watcher = try await harness.guest(Cast.bob, device: "watcher-\(round)")
            for _ in 0..<60 {
                // Every fifth one is a vote.
                let vote = Vote(options: [MessageContent(text: "a"), MessageContent(text: "b")])
                try retry {
                    // Due one after the other, a few ms apart, however long the commands take.
                    sendAt = max(sendAt + 5, Int64(Date().timeIntervalSince1970 * 1_000) + 1_000)
                    let create =
                        number.isMultiple(of: 5)
                        ? CreateSchedule(
                            channels: [Cast.annAndBob], sendAt: .init(milliseconds: sendAt), subject: "\(number)",
                            vote: vote)
                        : CreateSchedule(
                            messages: [MessageContent(text: "\(number)")], channels: [Cast.annAndBob],
                            sendAt: .init(milliseconds: sendAt))
                    return try http.refusal(create, from: .guest(Cast.ann), key: "round-\(number)")
                }
                number += 1
            }
            // Before anything is due, in the middle, or when everything is sent: waits for some of them, then kills.
            let wanted = Int.random(in: 0...60, using: &random)
            if wanted > 0 {
                try await watcher.message("\(round * 60 + wanted - 1)", in: Cast.annAndBob)
            }
            harness.kill()
            await watcher.client.disconnect()
            try await harness.start()
        }
        try await bob.message("\(number - 1)", in: Cast.annAndBob)
        let http = HTTPClient(harness)
        var log: [Event] = []
        while true {
            let page = try http.perform(
                ListMessages(channel: Cast.annAndBob, after: log.last?.seq ?? 0, limit: 100), from: .guest(Cast.bob))
            log += page.events
            if !page.hasAfter { break }
        }
        #expect(log.compactMap { $0.text.flatMap(Int.init) } == Array(0..<number))
        #expect(bob.texts(in: Cast.annAndBob) == (0..<number).map(String.init))
        #expect(try http.perform(ListSchedules(), from: .guest(Cast.ann)).schedules.isEmpty)
        print("# \(rounds) kills, \(number) scheduled messages, each once")
    }

    @Test func `a vote that is scheduled with the SDK is created when due [L-68]`() async throws {
        let harness = try await ServerHarness(limits: Self.soon)
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        _ = try await ann.start(with: Cast.bob)
        let menu = Vote(options: [MessageContent(text: "Soup"), MessageContent(text: "Cake")])
        let other = try await ann.client.scheduleVote("Never?", menu, to: [Cast.annAndBob], at: date(in: 600))
        let renamed = try await ann.client.changeSchedule(other.scheduleID, subject: "Not now?")
        #expect(renamed.subject == "Not now?" && renamed.vote == menu)
        try await ann.client.cancelSchedule(other.scheduleID)
        let made = try await soonest(whenLate: .server(.scheduleTime)) { seconds in
            try await ann.client.scheduleVote("Lunch?", menu, to: [Cast.annAndBob], at: date(in: seconds))
        }
        try await bob.message("Lunch?", in: Cast.annAndBob)
        guard case .user(.scheduleSent(let sent)) = try await ann.event(.scheduleSent).body else {
            throw ExpectationFailure.other
        }
        #expect(sent.scheduleID == made.scheduleID && sent.isVote == true)
        let id = try #require(sent.results.first?.messageID)
        try await bob.channel(Cast.annAndBob).castVote(id, options: [0])
        #expect(try await ann.channel(Cast.annAndBob).votes([id]).first?.tally.voters == 1)
    }

    @Test(.needsPostgres, .firstPassOnly)
    func `two servers on one database send each scheduled message once`() async throws {
        let pair = try await ServerPair(options: Self.soon.flatMap { ["--limit", "\($0.key)=\($0.value)"] })
        let clients = pair.servers.map { HTTPClient($0) }
        let chief = try await pair.caller(makeUser("op"), isOperator: true)
        try clients[0].perform(CreateChannel(kind: .open, channel: Cast.lobby), from: chief)
        let (ann, bob) = (try await pair.caller(Cast.ann), try await pair.caller(Cast.bob))
        var sendAt: Int64 = 0
        for number in 0..<100 {
            try retry {
                sendAt = max(sendAt + 10, Int64(Date().timeIntervalSince1970 * 1_000) + 2_000)
                let create = CreateSchedule(
                    messages: [MessageContent(text: "\(number)")], channels: [Cast.lobby],
                    sendAt: .init(milliseconds: sendAt))
                return try clients[number % 2].refusal(create, from: number % 3 == 0 ? ann : bob)
            }
        }
        // Both servers look for due schedules by themselves; the log shows when everything has been sent.
        var log: [Event] = []
        while log.count < 100 {
            log = try clients[0].perform(ListMessages(channel: Cast.lobby, limit: 100), from: chief).events
        }
        #expect(log.compactMap { $0.text.flatMap(Int.init) } == Array(0..<100))
        let head = try clients[1].perform(ListMessages(channel: Cast.lobby, limit: 1), from: chief).seq
        #expect(head == 100)
        for server in pair.servers { #expect(server.stop() == 0) }
    }
}
