import RoostCore
import RoostTesting
import RoostWire
import Testing

extension TestSession {
    @discardableResult
    func broadcast(
        _ texts: [String], from sender: User, to segment: BroadcastSegment, id: String? = nil
    ) async throws -> Broadcast {
        let command = CreateBroadcast(
            senderID: sender.userID, messages: texts.map { MessageContent(text: $0) }, segment: segment)
        return try await perform(command, id: id).broadcast
    }

    func broadcast(_ id: BroadcastID) async throws -> Broadcast { try await perform(GetBroadcast(broadcastID: id)) }

    /// The texts of the 1-on-1 with a user; nil if there is none.
    func texts(with other: User) async throws -> [String]? {
        let channel = ChannelID(single: userID, other.userID)
        if try await refusal(GetChannel(channel: channel)) != nil { return nil }
        return try await log(of: channel).compactMap(\.text)
    }
}

extension TestCore {
    /// Runs background work turn by turn until a broadcast fulfils a condition; by default until it has
    /// ended.
    @discardableResult
    func pass(
        _ id: BroadcastID, at session: TestSession, until fits: (Broadcast) -> Bool = { $0.state.isFinished }
    ) async throws -> Broadcast {
        for _ in 0..<5_000 {
            let broadcast = try await session.broadcast(id)
            if fits(broadcast) { return broadcast }
            await turn()
        }
        Issue.record("the broadcast does not get there: \(try await session.broadcast(id))")
        return try await session.broadcast(id)
    }
}

/// A core with an operator, the sender Ann, the inactive Dee, and users called u00, u01 …
private struct Crowd {
    let roost: TestCore
    let boss: TestSession
    let ann: TestSession
    var readers: [TestSession] = []

    init(_ backend: Backend, users: Int, limits: Limits = .withoutRates) async throws {
        try await self.init(try TestCore(backend, limits: limits), users: users)
    }

    init(_ roost: TestCore, users: Int) async throws {
        self.roost = roost
        boss = try await roost.session(user("op"), isOperator: true)
        ann = try await roost.session(Cast.ann)
        _ = try await roost.session(Cast.dee)
        for number in 0..<users { readers.append(try await roost.session(Self.reader(number))) }
        for session in readers + [ann, boss] { _ = session.drainEvents() }
    }

    static func reader(_ number: Int) throws -> User { try user((number < 10 ? "u0" : "u") + "\(number)") }

    /// The number of messages from Ann that each reader has.
    func counts() async throws -> [Int] {
        var counts: [Int] = []
        for reader in readers { counts.append(try await reader.texts(with: Cast.ann)?.count ?? 0) }
        return counts
    }

    /// Stops the core; a new one over the same database has the same users.
    func restarted(_ database: any SQLDatabase) async throws -> Crowd {
        await roost.core.stop()
        return try await Crowd(try TestCore(database: database, clock: roost.clock), users: readers.count)
    }
}

private func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits.withoutRates
    change(&limits)
    return limits
}

@Suite struct BroadcastsTests {
    private func crowd(_ backend: Backend, users: Int, limits: Limits = .withoutRates) async throws -> Crowd {
        try await Crowd(backend, users: users, limits: limits)
    }

    @Test(arguments: Backend.available)
    func `everybody gets the messages once, in the 1-on-1 with the sender, as ordinary messages`(
        backend: Backend
    ) async throws {
        let crowd = try await crowd(backend, users: 30)
        try await crowd.readers[3].perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        try await crowd.readers[3].send("before", to: ChannelID(single: crowd.readers[3].userID, Cast.ann.userID))
        await crowd.roost.settle()
        for session in crowd.readers { _ = session.drainEvents() }
        let made = try await crowd.boss.broadcast(["one", "two"], from: Cast.ann, to: .everybody)
        #expect(made.state == .running && made.users == 32 && made.done == 0 && made.sent == 0)
        #expect(made.createdBy == crowd.boss.userID && made.senderID == Cast.ann.userID && made.finishedAt == nil)
        crowd.roost.clock.advance(by: 5)
        let done = try await crowd.roost.pass(made.broadcastID, at: crowd.boss)
        #expect(done.state == .done && done.done == 32 && done.sent == 64 && done.refusals.isEmpty)
        #expect(done.createdAt == made.createdAt && done.$finishedAt == made.$createdAt + 5)
        for (number, session) in crowd.readers.enumerated() {
            let channel = ChannelID(single: Cast.ann.userID, session.userID)
            let log = try await session.log(of: channel).suffix(2)
            #expect(log.map(\.text) == ["one", "two"])
            for row in log {
                #expect(row.senderID == Cast.ann.userID && row.message?.senderName == "Ann")
                #expect(row.transID?.rawValue == "broadcast:\(made.broadcastID)")
                #expect(session.rows(of: channel).contains(row) && crowd.ann.rows(of: channel).contains(row))
            }
            #expect(try await session.unread(channel) == 2)
            #expect(try await crowd.ann.unread(channel) == (number == 3 ? 1 : 0))
            #expect(try await session.list().map(\.channel) == [channel])
            #expect(session.events(named: .channelJoined).count == (number == 3 ? 0 : 1))
        }
        // The sender gets none; the operator gets one like everybody else.
        #expect(try await crowd.ann.list().allSatisfy { $0.kind == .single && $0.memberCount == 2 })
        #expect(try await crowd.boss.texts(with: Cast.ann) == ["one", "two"])
        // There were no others.
        await crowd.roost.settle()
        #expect(try await crowd.counts() == (0..<30).map { $0 == 3 ? 3 : 2 })
        #expect(try await crowd.boss.broadcast(made.broadcastID) == done)
    }

    @Test(arguments: Backend.available)
    func `a broadcast reaches the members of a channel or the named users, and nobody else`(backend: Backend)
        async throws
    {
        let crowd = try await crowd(backend, users: 12)
        let members = crowd.readers.prefix(3).map(\.userID)
        try await crowd.ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: members))
        try await crowd.readers[2].perform(LeaveChannel(channel: Cast.club))
        try await crowd.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(crowd.readers[5].userID, role: .invited)]))
        let ofClub = try await crowd.boss.broadcast(["club"], from: Cast.ann, to: .members(of: Cast.club))
        #expect(ofClub.users == 2)
        #expect(try await crowd.roost.pass(ofClub.broadcastID, at: crowd.boss).sent == 2)
        #expect(try await crowd.counts() == [1, 1] + Array(repeating: 0, count: 10))
        let nobody = try user("nobody").userID
        let named = [crowd.readers[9].userID, nobody, Cast.ann.userID, crowd.readers[0].userID]
        let ofFew = try await crowd.boss.broadcast(["few"], from: Cast.ann, to: .users(named))
        #expect(ofFew.users == 3)
        let done = try await crowd.roost.pass(ofFew.broadcastID, at: crowd.boss)
        #expect(done.done == 3 && done.sent == 2 && done.refusals == [BroadcastRefusal(code: 7011, count: 1)])
        #expect(try await crowd.counts() == [2, 1] + Array(repeating: 0, count: 7) + [1, 0, 0])
        // Only the sender is named, so there is nobody to send to.
        let toSelf = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .users([Cast.ann.userID]))
        #expect(toSelf.users == 0)
        #expect(try await crowd.roost.pass(toSelf.broadcastID, at: crowd.boss).sent == 0)
        #expect(try await crowd.ann.texts(with: Cast.ann) == nil)
    }

    @Test(arguments: Backend.available)
    func `users who cannot be sent to are counted by reason, and the others get it all the same`(
        backend: Backend
    ) async throws {
        let crowd = try await crowd(backend, users: 20, limits: limits { $0.channelsPerUser = 2 })
        let ann = Cast.ann.userID
        // One blocked the sender before there was a 1-on-1, one after; one has no room; one is blocked by the sender.
        try await crowd.readers[1].perform(BlockUser(userID: ann))
        try await crowd.readers[2].perform(CreateChannel(kind: .single, members: [ann]))
        try await crowd.readers[2].perform(BlockUser(userID: ann))
        for _ in 0..<2 { try await crowd.readers[4].perform(CreateChannel(kind: .group)) }
        try await crowd.ann.perform(BlockUser(userID: crowd.readers[6].userID))
        // The sender has more channels than a user may have.
        try await crowd.ann.perform(CreateChannel(kind: .group))
        let made = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .everybody)
        let done = try await crowd.roost.pass(made.broadcastID, at: crowd.boss)
        #expect(done.state == .done && done.done == 22 && done.sent == 19)
        #expect(done.refusals == [BroadcastRefusal(code: 7003, count: 2), BroadcastRefusal(code: 7019, count: 1)])
        #expect(try await crowd.counts() == (0..<20).map { [1, 2, 4].contains($0) ? 0 : 1 })
        #expect(try await crowd.ann.list().count == 20)
        // A block by the sender applies in the 1-on-1 that the broadcast has created.
        let blocked = ChannelID(single: ann, crowd.readers[6].userID)
        #expect(try await crowd.readers[6].refusal(SendMessage(channel: blocked, text: "x"))?.entry == .blocked)
        // A mention of a user who is not in the 1-on-1; the other message is sent.
        let mention = [Mention(userID: crowd.readers[0].userID)]
        let command = CreateBroadcast(
            senderID: ann, messages: [MessageContent(text: "@", mentions: mention), MessageContent(text: "y")],
            segment: .users([crowd.readers[0].userID, crowd.readers[7].userID]))
        let partly = try await crowd.boss.perform(command).broadcast
        let end = try await crowd.roost.pass(partly.broadcastID, at: crowd.boss)
        #expect(end.done == 2 && end.sent == 3 && end.refusals == [BroadcastRefusal(code: 1114, count: 1)])
    }

    @Test(arguments: Backend.available)
    func `a broadcast can be paused, resumed and cancelled, and repeating each of these is harmless`(
        backend: Backend
    ) async throws {
        let crowd = try await crowd(backend, users: 60)
        let boss = crowd.boss
        let id = try await boss.broadcast(["x"], from: Cast.ann, to: .everybody).broadcastID
        let pause = PauseBroadcast(broadcastID: id)
        try await crowd.roost.pass(id, at: boss) { $0.done > 0 }
        let paused = try await boss.perform(pause, id: "p").broadcast
        #expect(paused.state == .paused && paused.done > 0 && paused.done < 60)
        await crowd.roost.settle()
        #expect(try await boss.broadcast(id) == paused)
        let ofBoss = try await boss.texts(with: Cast.ann)?.count ?? 0
        #expect(try await crowd.counts().reduce(0, +) == paused.sent - ofBoss - 1, "but for Dee, who comes first")
        #expect(try await boss.perform(pause).broadcast == paused)
        let resumed = try await boss.perform(ResumeBroadcast(broadcastID: id)).broadcast
        #expect(resumed.state == .running && resumed.done == paused.done)
        #expect(try await boss.perform(ResumeBroadcast(broadcastID: id)).broadcast.state == .running)
        // Its key returns the first answer again, and pauses nothing.
        #expect(try await boss.perform(pause, id: "p").broadcast == paused)
        try await crowd.roost.pass(id, at: boss) { $0.done > paused.done }
        let cancelled = try await boss.perform(CancelBroadcast(broadcastID: id)).broadcast
        #expect(cancelled.state == .cancelled && cancelled.finishedAt != nil && cancelled.done < 62)
        await crowd.roost.settle()
        #expect(try await boss.broadcast(id) == cancelled)
        #expect(try await boss.perform(CancelBroadcast(broadcastID: id)).broadcast == cancelled)
        #expect(try await crowd.counts().allSatisfy { $0 <= 1 })
        // A broadcast that has ended remains ended.
        let other = try await boss.broadcast(["y"], from: Cast.ann, to: .users([crowd.readers[0].userID])).broadcastID
        try await crowd.roost.pass(other, at: boss)
        for (ended, mayCancel) in [(id, true), (other, false)] {
            #expect(try await boss.refusal(PauseBroadcast(broadcastID: ended))?.entry == .broadcastFinished)
            #expect(try await boss.refusal(ResumeBroadcast(broadcastID: ended))?.entry == .broadcastFinished)
            #expect(try await boss.refusal(CancelBroadcast(broadcastID: ended))?.code == (mayCancel ? nil : 7016))
        }
    }

    @Test(arguments: Backend.available)
    func `a user who comes while it runs is reached if the user's id lies ahead`(backend: Backend) async throws {
        let crowd = try await crowd(backend, users: 40)
        let id = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .everybody).broadcastID
        try await crowd.roost.pass(id, at: crowd.boss) { $0.done >= 8 }
        try await crowd.boss.perform(PauseBroadcast(broadcastID: id))
        let (early, late) = (
            try await crowd.roost.session(user("a-first")), try await crowd.roost.session(user("z-last"))
        )
        try await crowd.boss.perform(ResumeBroadcast(broadcastID: id))
        let done = try await crowd.roost.pass(id, at: crowd.boss)
        #expect(done.users == 42 && done.done == 43 && done.sent == 43)
        #expect(try await early.texts(with: Cast.ann) == nil)
        #expect(try await late.texts(with: Cast.ann) == ["x"])
    }

    @Test(arguments: Backend.available)
    func `a turn that fails has done nothing, and nobody gets anything twice`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let crowd = try await Crowd(try TestCore(database: database), users: 60)
        let id = try await crowd.boss.broadcast(["one", "two"], from: Cast.ann, to: .everybody).broadcastID
        for round in 0..<4 {
            let before = try await crowd.roost.pass(id, at: crowd.boss) { $0.done >= round * 8 }
            // The writes of the next turn are rolled back; the commands between the turns write nothing.
            database.poison("broadcast:\(id)")
            let counts = try await crowd.counts()
            await crowd.roost.settle()
            #expect(try await crowd.boss.broadcast(id) == before)
            #expect(try await crowd.counts() == counts)
            database.poison(nil)
            crowd.roost.clock.advance(by: 10_000)
        }
        // A commit fails: that of a command before the turn, of the turn itself, or of one after it.
        for (number, kind) in [DatabaseFailure.Kind.full, .conflict, .other, .full, .conflict].enumerated() {
            for _ in 0..<number { database.failCommits(nil) }
            database.failCommits(kind)
            await crowd.roost.turn()
            crowd.roost.clock.advance(by: 10_000)
        }
        #expect(try await !crowd.boss.broadcast(id).state.isFinished)
        for _ in 0..<10 {
            crowd.roost.clock.advance(by: 10_000)
            await crowd.roost.settle()
        }
        let done = try await crowd.boss.broadcast(id)
        #expect(done.state == .done && done.done == 62 && done.sent == 124)
        #expect(try await crowd.counts() == Array(repeating: 2, count: 60))
        for reader in crowd.readers { #expect(reader.events(named: .messageSent).count == 2) }
        await crowd.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `it continues after a restart where it was, and a paused one stays paused`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        var crowd = try await Crowd(try TestCore(database: database), users: 60)
        let id = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .everybody).broadcastID
        let waiting = try await crowd.boss.broadcast(["y"], from: Cast.ann, to: .everybody).broadcastID
        try await crowd.boss.perform(PauseBroadcast(broadcastID: waiting))
        for _ in 0..<3 {
            let done = try await crowd.boss.broadcast(id).done
            try await crowd.roost.pass(id, at: crowd.boss) { $0.done > done }
            crowd = try await crowd.restarted(database)
        }
        #expect(try await crowd.boss.broadcast(id).state == .running)
        #expect(try await crowd.roost.pass(id, at: crowd.boss).sent == 62)
        let paused = try await crowd.boss.broadcast(waiting)
        #expect(paused.state == .paused && paused.sent == 0)
        try await crowd.boss.perform(ResumeBroadcast(broadcastID: waiting), id: "go-on")
        #expect(try await crowd.roost.pass(waiting, at: crowd.boss).sent == 62)
        #expect(try await crowd.counts() == Array(repeating: 2, count: 60))
        await crowd.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `several take turns, so a small one does not wait for a large one`(backend: Backend) async throws {
        let crowd = try await crowd(backend, users: 90)
        let large = try await crowd.boss.broadcast(["large"], from: Cast.ann, to: .everybody).broadcastID
        let small = try await crowd.boss.broadcast(
            ["small"], from: Cast.ann, to: .users([crowd.readers[0].userID])
        ).broadcastID
        try await crowd.roost.pass(small, at: crowd.boss)
        #expect(try await crowd.boss.broadcast(large).state == .running)
        let third = try await crowd.boss.broadcast(["third"], from: Cast.ann, to: .everybody).broadcastID
        let end = try await crowd.roost.pass(large, at: crowd.boss)
        #expect(end.sent == 92)
        #expect(try await crowd.boss.broadcast(third).done > 0)
        #expect(try await crowd.roost.pass(third, at: crowd.boss).sent == 92)
    }

    @Test(arguments: Backend.available)
    func `commands are performed in between, however many users there are`(backend: Backend) async throws {
        let (inner, resource) = try backend.makeDatabase()
        let database = FaultyDatabase(inner)
        let crowd = try await Crowd(try TestCore(database: database), users: 40)
        await crowd.roost.settle()
        let id = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .everybody).broadcastID
        // The search for due work in the foreground has ended when the next command is answered.
        try await crowd.ann.perform(CreateChannel(kind: .open, channel: Cast.lobby))
        database.shut()
        async let settled: Void = crowd.roost.settle()
        await database.waitForCommit()
        let before = database.commits
        let send = SendMessage(channel: Cast.lobby, text: "in between")
        let sent = AsyncStream<(Reply, commits: Int)> { sent in
            crowd.roost.core.handle(.write(.sendMessage(send)), id: "between", from: crowd.ann.actor) { reply in
                sent.yield((reply, database.commits))
                sent.finish()
            }
        }
        database.open()
        for await (reply, commits) in sent {
            #expect(try reply.decode(Acknowledgement.self).seq == 1)
            // The commit that was held, at most one turn, and that of the command itself.
            #expect(commits - before <= 3)
        }
        await settled
        #expect(try await crowd.boss.broadcast(id).sent == 42)
        // A turn is a transaction of a few users, so there were more.
        #expect(database.commits - before > 10)
        await crowd.roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `sent twice, it is one broadcast; the list has the newest first, in pages`(backend: Backend) async throws {
        let crowd = try await crowd(backend, users: 20, limits: limits { $0.broadcasts = 9 })
        let boss = crowd.boss
        let create = CreateBroadcast(
            senderID: Cast.ann.userID, messages: [MessageContent(text: "0")], segment: .everybody)
        let first = try await boss.perform(create, id: "twice")
        #expect(first.transID.rawValue == "twice" && first.$sentAt == crowd.roost.clock.now)
        try await crowd.roost.pass(first.broadcast.broadcastID, at: boss)
        #expect(try await boss.perform(create, id: "twice") == first)
        var other = create
        other.messages = [MessageContent(text: "1")]
        #expect(try await boss.refusal(other, id: "twice")?.entry == .duplicateTransID)
        #expect(try await crowd.counts() == Array(repeating: 1, count: 20))
        var made = [first.broadcast.broadcastID]
        for number in 1...9 {
            let broadcast = try await boss.broadcast(["\(number)"], from: Cast.ann, to: .everybody)
            try await boss.perform(PauseBroadcast(broadcastID: broadcast.broadcastID))
            made.append(broadcast.broadcastID)
        }
        // This is the largest allowed number of unfinished ones.
        #expect(try await boss.refusal(create)?.entry == .limitReached)
        try await boss.perform(CancelBroadcast(broadcastID: made[5]))
        try await boss.perform(CancelBroadcast(broadcastID: boss.perform(create).broadcast.broadcastID))
        var found: [Broadcast] = []
        var cursor: String?
        repeat {
            let page = try await boss.perform(ListBroadcasts(limit: 4, cursor: cursor))
            #expect(page.broadcasts.count <= 4)
            found += page.broadcasts
            cursor = page.next
        } while cursor != nil
        #expect(found.dropFirst().map(\.broadcastID) == made.reversed())
        #expect(found.map(\.messages[0].text) == ["0"] + (0...9).reversed().map(String.init))
        for broadcast in found { #expect(try await boss.broadcast(broadcast.broadcastID) == broadcast) }
        for limit in [0, -1, 101] {
            #expect(try await boss.refusal(ListBroadcasts(limit: limit))?.entry == .dataFormat)
        }
    }

    @Test(arguments: Backend.available)
    func `an invalid broadcast is refused and leaves nothing behind`(backend: Backend) async throws {
        let crowd = try await crowd(backend, users: 2, limits: limits { $0.idsPerCommand = 3 })
        try await crowd.ann.perform(CreateChannel(kind: .open, channel: Cast.lobby))
        let ann = Cast.ann.userID
        let nobody = try user("nobody").userID
        let many = try (0..<4).map { try user("m\($0)").userID }
        let text = [MessageContent(text: "x")]
        let bad: [(UserID, [MessageContent], BroadcastSegment, ErrorCode)] = [
            (nobody, text, .everybody, .userNotFound), (ann, [], .everybody, .dataFormat),
            (ann, Array(repeating: text[0], count: 21), .everybody, .dataFormat),
            (ann, [MessageContent(text: " ")], .everybody, .invalidContent),
            (ann, text + [MessageContent(text: String(repeating: "x", count: 8_001))], .everybody, .invalidContent),
            (ann, text, .members(of: Cast.club), .channelNotFound),
            (ann, text, .members(of: Cast.annAndBob), .channelNotFound),
            (ann, text, .members(of: Cast.lobby), .channelTypeMismatch), (ann, text, .users([]), .dataFormat),
            (ann, text, .users(many), .dataFormat),
            (ann, text, .users([nobody, nobody]), .dataFormat),
            (ann, text, BroadcastSegment(kind: .everybody, userIDs: [nobody]), .dataFormat),
            (ann, text, BroadcastSegment(kind: .everybody, channel: Cast.lobby), .dataFormat),
            (ann, text, BroadcastSegment(kind: .members), .dataFormat),
            (ann, text, BroadcastSegment(kind: .users), .dataFormat),
            (ann, text, BroadcastSegment(kind: .members, channel: Cast.lobby, userIDs: [nobody]), .dataFormat),
        ]
        for (sender, messages, segment, code) in bad {
            let command = CreateBroadcast(senderID: sender, messages: messages, segment: segment)
            #expect(try await crowd.boss.refusal(command)?.code == code.code, "\(command)")
        }
        for json in [
            "{}", #"{"senderID":"ann","messages":[{"text":"x"}]}"#,
            #"{"senderID":"ann","messages":[{"text":"x"}],"segment":{}}"#,
            #"{"senderID":"ann","messages":[{"text":"x"}],"segment":{"kind":"all"}}"#,
            #"{"senderID":"ann","messages":[{"text":"x"}],"segment":{"kind":"users","userIDs":["a b"]}}"#,
        ] {
            #expect(throws: WireError.self) { try AnyCommand(name: CreateBroadcast.name, body: Array(json.utf8)) }
        }
        let unknown = BroadcastID(createdAt: 1, random: 1)
        let commands: [any Command] = [
            PauseBroadcast(broadcastID: unknown), ResumeBroadcast(broadcastID: unknown),
            CancelBroadcast(broadcastID: unknown), GetBroadcast(broadcastID: unknown),
        ]
        for command in commands { #expect(try await crowd.boss.refusal(command)?.entry == .broadcastNotFound) }
        // Only an operator learns whether there is one.
        let known = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .users([nobody])).broadcastID
        let create = CreateBroadcast(senderID: ann, messages: text, segment: .everybody)
        for command in commands + [
            create, ListBroadcasts(), GetBroadcast(broadcastID: known), CancelBroadcast(broadcastID: known),
            CreateBroadcast(senderID: nobody, messages: [], segment: BroadcastSegment(kind: .users)),
        ] {
            #expect(try await crowd.ann.refusal(command)?.entry == .noPrivilege, "\(command)")
        }
        try await crowd.roost.pass(known, at: crowd.boss)
        #expect(try await crowd.boss.perform(ListBroadcasts()).broadcasts.map(\.broadcastID) == [known])
        #expect(try await crowd.counts() == [0, 0])
        for session in crowd.readers { #expect(session.events.isEmpty) }
    }

    @Test(arguments: Backend.available)
    func `announcement, multi-send, send and broadcast are four things with a name each [XC-8]`(
        backend: Backend
    ) async throws {
        let names = [AnnounceMessage.name, SendMany.name, SendMessage.name, CreateBroadcast.name]
        #expect(names == ["message.announce", "message.sendMany", "message.send", "broadcast.create"])
        // Only the last one is called a broadcast.
        let others = AnyCommand.names.filter { !$0.hasPrefix("broadcast.") } + EventName.allCases.map(\.rawValue)
        #expect(others.allSatisfy { !$0.lowercased().contains("broadcast") })
        let crowd = try await crowd(backend, users: 2)
        let (reader, other) = (crowd.readers[0], crowd.readers[1])
        try await crowd.ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: [reader.userID]))
        let single = try #require(
            try await crowd.ann.perform(CreateChannel(kind: .single, members: [reader.userID])).channel)
        // An operator's line has no sender and is in one channel.
        try await crowd.boss.perform(AnnounceMessage(channel: Cast.club, text: "announced"))
        // A user's own messages go to the channels that are named, each pair with its result …
        let many = try await crowd.ann.perform(
            SendMany(messages: [MessageContent(text: "many")], channels: [Cast.club, single]))
        #expect(many.results.map(\.code) == [0, 0])
        // … or to one channel.
        #expect(try await crowd.ann.send("sent", to: Cast.club).seq == 3)
        // A broadcast goes to users, in the name of a user, as a job.
        let id = try await crowd.boss.broadcast(["broadcast"], from: Cast.ann, to: .everybody).broadcastID
        try await crowd.roost.pass(id, at: crowd.boss)
        let log = try await reader.log(of: Cast.club)
        #expect(log.map(\.text) == ["announced", "many", "sent"])
        #expect(log.map(\.senderID) == [nil, Cast.ann.userID, Cast.ann.userID])
        #expect(log.map(\.name) == ["message.announced", "message.sent", "message.sent"])
        #expect(try await reader.texts(with: Cast.ann) == ["many", "broadcast"])
        #expect(try await other.texts(with: Cast.ann) == ["broadcast"])
    }
}

/// Two cores over one database, as two server processes have them.
@Suite(.enabled(if: Backend.available.contains(.postgres))) struct SharedBroadcastsTests {
    @Test func `two servers on one database send each message once, and one pauses what the other sends`() async throws
    {
        let url = try Postgres.makeSchema()
        let clock = TestClock()
        let first = try TestCore(database: Postgres.open(url), clock: clock)
        let second = try TestCore(database: Postgres.open(url), clock: clock)
        let crowd = try await Crowd(first, users: 80)
        let boss = try await second.session(user("op"), device: "2", isOperator: true)
        let id = try await crowd.boss.broadcast(["one", "two"], from: Cast.ann, to: .everybody, id: "make").broadcastID
        var pauses = 0
        for round in 0..<200 {
            clock.advance(by: 1_000)
            async let one: Void = first.turn()
            async let two: Void = second.turn()
            // Meanwhile the other server writes to a channel of the next users.
            let reader = crowd.readers[min(round * 4, 79)]
            _ = try await boss.refusal(
                CreateChannel(kind: .single, members: [reader.userID]), id: "single-\(round)")
            _ = await (one, two)
            if try await boss.broadcast(id).state.isFinished { break }
            if round % 3 == 0 {
                let paused = try await boss.perform(PauseBroadcast(broadcastID: id), id: "pause-\(round)").broadcast
                clock.advance(by: 1_000)
                await first.settle()
                #expect(try await crowd.boss.broadcast(id) == paused)
                try await boss.perform(ResumeBroadcast(broadcastID: id), id: "resume-\(round)")
                pauses += 1
            }
        }
        #expect(pauses > 1)
        let done = try await boss.broadcast(id)
        #expect(done.state == .done && done.done == 82 && done.sent == 164)
        #expect(try await crowd.counts() == Array(repeating: 2, count: 80))
        await first.core.stop()
        await second.core.stop()
    }

    @Test func `a user who runs out of room or blocks the sender at one server is skipped by the other`() async throws {
        let url = try Postgres.makeSchema()
        let first = try TestCore(database: Postgres.open(url))
        let second = try TestCore(database: Postgres.open(url))
        let crowd = try await Crowd(first, users: 6)
        let blocker = try await second.session(Crowd.reader(2), device: "2")
        try await crowd.boss.perform(CreateChannel(kind: .open, channel: Cast.lobby), id: "lobby")
        try await blocker.perform(BlockUser(userID: Cast.ann.userID), id: "block")
        let id = try await crowd.boss.broadcast(["x"], from: Cast.ann, to: .everybody, id: "make").broadcastID
        for _ in 0..<50 where try await !crowd.boss.broadcast(id).state.isFinished {
            first.clock.advance(by: 1_000)
            second.clock.advance(by: 1_000)
            await first.settle()
            await second.settle()
        }
        #expect(try await crowd.boss.broadcast(id).refusals == [BroadcastRefusal(code: 7003, count: 1)])
        #expect(try await crowd.counts() == [1, 1, 0, 1, 1, 1])
        await first.core.stop()
        await second.core.stop()
    }
}
