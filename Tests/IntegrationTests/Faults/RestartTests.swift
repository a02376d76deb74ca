import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Clients that continue after a restart of the server.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RestartTests {
    enum StopMode: String, CaseIterable, CustomTestStringConvertible {
        case stop = "SIGTERM"
        case kill = "kill -9"

        var testDescription: String { rawValue }
    }

    @Test(arguments: StopMode.allCases)
    func `sends that wait during a restart are delivered once and in order, and open channels continue`(
        mode: StopMode
    ) async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        for person in [ann, bob] { try await person.channel(Cast.lobby).join() }
        try await ann.start(with: Cast.bob)
        var pending: [PendingMessage] = []
        func send(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                pending.append(ann.channel(Cast.lobby).enqueue("\(number)"))
                pending.append(ann.channel(Cast.annAndBob).enqueue("\(number)"))
            }
        }

        send(1...100)
        _ = try await pending[20].sent
        let mark = (ann.mark, bob.mark)
        switch mode {
        case .stop: #expect(harness.stop() == 0)
        case .kill: harness.kill()
        }
        send(101...150)
        try await harness.start()
        for send in pending { _ = try await send.sent }
        for (person, mark) in [(ann, mark.0), (bob, mark.1)] {
            try await person.wait("connected again", since: mark) { if case .connected = $0 { true } else { false } }
            #expect(await person.client.openChannels == [Cast.lobby])
        }
        send(151...160)
        for send in pending { _ = try await send.sent }

        let numbers = (1...160).map { "\($0)" }
        for channel in [Cast.lobby, Cast.annAndBob] {
            for person in [ann, bob] {
                try await person.message("160", in: channel)
                #expect(person.texts(in: channel) == numbers)
            }
            var log: [Event] = []
            var hasMore = true
            while hasMore {
                let page = try await bob.channel(channel).history(after: log.last?.seq ?? 0, limit: 100)
                log += page.events
                hasMore = page.hasAfter
            }
            #expect(log.compactMap(\.text) == numbers)
            #expect(log.map(\.seq) == (1...160).map { Int64($0) })
        }
    }

    @Test func `missed events arrive after connecting, with the user's read marks`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let channel = try await bob.start(with: Cast.ann)
        try await channel.send("before")
        try await ann.message("before")
        let positions = try #require(await ann.client.positions)
        await ann.client.disconnect()
        try await channel.send("while away")
        harness.kill()
        try await harness.start()
        let back = try await harness.guest(Cast.ann, positions: positions)
        #expect(back.texts(in: Cast.annAndBob) == ["while away"])
        let told = try await back.wait("own marks") { if case .readMarks = $0 { true } else { false } }
        guard case .readMarks(let marks) = told else { throw ExpectationFailure.other }
        #expect(marks == [OwnMark(channel: Cast.annAndBob, seq: 0, unread: 2, count: 2)])
    }

    @Test func `everything is kept across a restart: logs, members, marks, lists`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        _ = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(
            title: "Club", channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID])
        try await ann.channel(Cast.club).send("one")
        try await bob.message("one")
        try await bob.channel(Cast.club).markRead()
        try await bob.start(with: Cast.ann).send("two")
        let before = try await ann.client.channels()
        let members = try await ann.channel(Cast.club).members()
        for person in [ann, bob] { await person.client.disconnect() }
        harness.kill()
        try await harness.start()
        let again = try await harness.guest(Cast.ann)
        #expect(try await again.client.channels().elements == before.elements)
        #expect(try await again.channel(Cast.club).members().elements == members.elements)
        #expect(members.map(\.readSeq) == [1, 1, 0])
    }
}
