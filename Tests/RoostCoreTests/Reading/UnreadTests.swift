import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A test's model of one channel: the senders of its rows, its members and their marks.
private struct Ledger {
    var channel: ChannelID
    /// The sender of each message, by row; rows that are not messages are left out.
    var messages: [Int64: UserID] = [:]
    var seq: Int64 = 0
    /// A part of the keys that differs between the runs before and after the restart.
    var run = "a"
    /// The members' marks as known to the test; they must never move back.
    var marks: [UserID: Int64] = [:]

    func unread(of user: UserID, mark: Int64) -> Int {
        messages.reduce(into: 0) { count, row in
            if row.key > mark, row.value != user { count += 1 }
        }
    }
}

@Suite struct UnreadTests {
    /// One random step in a channel, taken by one of its members.
    private func step(
        _ ledger: inout Ledger, _ stage: Stage, _ random: inout SeededNumbers
    ) async throws {
        let members = stage.all.filter { ledger.marks[$0.userID] != nil }
        guard !members.isEmpty else { return }
        let actor = random.pick(members)
        let id = ledger.channel
        let isPair = id.pair != nil
        let key = ledger.run + stage.roost.transID()
        switch random.int(0...9) {
        case 0...4:
            let seq = try #require(try await actor.send("x", to: id, id: key).seq)
            ledger.messages[seq] = actor.userID
            ledger.seq = seq
        case 5...6:
            let wanted = random.int(0...4) == 0 ? nil : Int64(random.int(0...Int(ledger.seq) + 2))
            let answer = try await actor.perform(SetReadMark(channel: id, seq: wanted))
            let old = ledger.marks[actor.userID] ?? 0
            #expect(answer.mark.seq == max(old, min(wanted ?? .max, ledger.seq)))
            #expect(answer.unread == ledger.unread(of: actor.userID, mark: answer.mark.seq))
            ledger.marks[actor.userID] = answer.mark.seq
        case 7 where !isPair:
            let others = stage.all.filter { ledger.marks[$0.userID] == nil }
            guard let stranger = others.first else { return }
            let answer = try await actor.perform(InviteMembers(channel: id, members: [stranger.userID]), id: key)
            ledger.seq = try #require(answer.seq)
            ledger.marks[stranger.userID] = ledger.seq
        case 8 where !isPair && members.count > 1:
            // The only admin names a successor.
            let isAdmin = try await actor.channel(id).role == .admin
            let successor = members.first { $0.userID != actor.userID }?.userID
            let answer =
                isAdmin || random.int(0...1) == 0
                ? try await actor.perform(LeaveChannel(channel: id, successor: isAdmin ? successor : nil), id: key)
                : try await actor.perform(EndChannel(channel: id), id: key)
            ledger.seq = try #require(answer.seq)
            ledger.marks[actor.userID] = nil
        case 8 where isPair:
            try await actor.perform(EndChannel(channel: id), id: key)
            ledger.marks[actor.userID] = ledger.seq
        default:
            try await actor.perform(HideChannel(channel: id), id: key)
        }
    }

    /// Compares the server's data for a channel with a recount, and records the marks.
    private func check(_ ledger: inout Ledger, _ stage: Stage) async throws {
        for session in stage.all {
            guard let known = ledger.marks[session.userID] else { continue }
            let channel = try await session.channel(ledger.channel)
            let mark = try #require(channel.readSeq)
            #expect(channel.seq == ledger.seq, "\(seed)")
            #expect(mark >= known, "\(seed)")
            #expect(mark <= ledger.seq, "\(seed)")
            #expect(channel.unread == ledger.unread(of: session.userID, mark: mark), "\(seed)")
            ledger.marks[session.userID] = mark
        }
    }

    /// Compares the totals with the sums over all channels.
    private func checkTotals(_ ledgers: [Ledger], _ stage: Stage) async throws {
        for session in stage.all {
            var expected: [ChannelUnread] = []
            for ledger in ledgers {
                guard let mark = ledger.marks[session.userID] else { continue }
                let unread = ledger.unread(of: session.userID, mark: mark)
                if unread > 0 {
                    expected.append(
                        ChannelUnread(channel: ledger.channel, unread: unread, count: Int64(ledger.messages.count)))
                }
            }
            let answer = try await session.perform(GetUnread())
            #expect(answer.channels == expected.sorted { $0.channel < $1.channel }, "\(seed)")
            #expect(answer.total == expected.reduce(0) { $0 + $1.unread })
            #expect(try await session.perform(ListChannels(limit: 1)).totalUnread == answer.total)
            let marks = try await session.perform(Resume()).marks
            #expect(
                marks.map { ChannelUnread(channel: $0.channel, unread: $0.unread, count: $0.count) } == answer.channels)
        }
    }

    private func makeLedgers(_ stage: Stage, round: Int) async throws -> [Ledger] {
        var ledgers: [Ledger] = []
        for (number, others) in [stage.all.dropFirst().prefix(1), stage.all.dropFirst()].enumerated() {
            let id = try channel("g\(round)-\(number)")
            try await stage.ann.perform(
                CreateChannel(kind: .group, channel: id, members: others.map(\.userID)))
            var ledger = Ledger(channel: id)
            for member in [stage.ann] + others { ledger.marks[member.userID] = 0 }
            ledgers.append(ledger)
        }
        return ledgers
    }

    @Test(arguments: Backend.essential)
    func `unread always equals a recount of the log, before and after a restart`(
        backend: Backend
    ) async throws {
        var random = SeededNumbers(11)
        // Each round is a database with six histories.
        for round in 0..<TestLength.rounds(10, long: 34) {
            let (database, folder) = try backend.makeDatabase()
            let stage = try await Stage(try TestCore(database: database))
            var ledgers = try await makeLedgers(stage, round: round)
            ledgers += try await makeLedgers(stage, round: round + 1_000)
            try await stage.makePair()
            ledgers.append(Ledger(channel: Cast.annAndBob, marks: [Cast.ann.userID: 0, Cast.bob.userID: 0]))
            try await stage.cid.perform(CreateChannel(kind: .own))
            let own = ChannelID(single: Cast.cid.userID, Cast.cid.userID)
            ledgers.append(Ledger(channel: own, marks: [Cast.cid.userID: 0]))
            for _ in 0..<15 {
                for index in ledgers.indices {
                    try await step(&ledgers[index], stage, &random)
                    try await check(&ledgers[index], stage)
                }
            }
            try await checkTotals(ledgers, stage)
            await stage.roost.core.stop()

            let later = try await Stage(try TestCore(database: database))
            try await checkTotals(ledgers, later)
            for index in ledgers.indices {
                ledgers[index].run = "b"
                try await checkReloaded(ledgers[index], later)
                for _ in 0..<3 {
                    try await step(&ledgers[index], later, &random)
                    try await check(&ledgers[index], later)
                }
            }
            await later.roost.core.stop()
            withExtendedLifetime(folder) {}
        }
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `unread equals a recount when two servers write into one database in turn`() async throws {
        var random = SeededNumbers(12)
        for round in 0..<6 {
            let url = try Postgres.makeSchema()
            let first = try TestCore(database: Postgres.open(url))
            let second = try TestCore(database: Postgres.open(url))
            #expect(first.core.epoch == second.core.epoch)
            let stage = try await Stage(first, and: second)
            var ledgers = try await makeLedgers(stage, round: round)
            try await stage.makePair()
            ledgers.append(Ledger(channel: Cast.annAndBob, marks: [Cast.ann.userID: 0, Cast.bob.userID: 0]))
            for _ in 0..<40 {
                for index in ledgers.indices {
                    try await step(&ledgers[index], stage, &random)
                    try await check(&ledgers[index], stage)
                }
            }
            try await checkTotals(ledgers, stage)
            for ledger in ledgers { try await checkReloaded(ledger, stage) }
        }
    }

    /// The state that the writer has read back from the database; a mark that does not move makes it read.
    private func checkReloaded(_ ledger: Ledger, _ stage: Stage) async throws {
        for session in stage.all {
            guard let mark = ledger.marks[session.userID] else { continue }
            let answer = try await session.perform(SetReadMark(channel: ledger.channel, seq: 0))
            #expect(answer.mark.seq == mark, "\(seed)")
            #expect(answer.unread == ledger.unread(of: session.userID, mark: mark), "\(seed)")
        }
    }

    @Test(arguments: Backend.available)
    func `own messages of a user who has never read are not unread after a restart`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makePair()
        try await stage.ann.send("one", to: Cast.annAndBob)
        try await stage.bob.send("two", to: Cast.annAndBob)
        try await stage.bob.send("three", to: Cast.annAndBob)
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        let answer = try await later.bob.perform(SetReadMark(channel: Cast.annAndBob, seq: 0))
        #expect(answer.mark.seq == 0)
        #expect(answer.unread == 1)
        #expect(try await later.bob.unread(Cast.annAndBob) == 1)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.available)
    func `messages to oneself are never unread`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.ann.perform(CreateChannel(kind: .own))
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        for _ in 0..<3 { try await stage.ann.send("note", to: own) }
        #expect(try await stage.ann.channel(own).unread == 0)
        #expect(try await stage.ann.channel(own).readSeq == 3)
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
    }

    @Test(arguments: Backend.available)
    func `unread of a message and unread of a channel come from the same marks [XC-12]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        var messages: [MessageID] = []
        for number in 1...6 {
            let session = number % 3 == 0 ? stage.bob : stage.ann
            messages.append(try await session.post("\(number)", to: Cast.club))
        }
        let senders = [0, 0, 1, 0, 0, 1]
        for seqs in [[6, 0, 2], [6, 4, 2], [6, 6, 5], [6, 6, 6]] as [[Int64]] {
            for (session, seq) in zip([stage.ann, stage.bob, stage.cid], seqs) where seq > 0 {
                try await session.perform(SetReadMark(channel: Cast.club, seq: seq))
            }
            let members = try await stage.ann.channel(Cast.club).members
            let marks = Dictionary(uniqueKeysWithValues: members.map { ($0.userID, $0.readSeq) })
            #expect(members.map(\.readSeq) == seqs)
            let counts = try await stage.cid.perform(CountReads(channel: Cast.club, messageIDs: messages)).messages
            for (count, sender) in zip(counts, senders.map { Cast.all[$0].userID }) {
                let unreadBy = ReadRules.unreadBy(seq: count.messageID.seq, marks: marks, viewer: sender)
                #expect(count.unreadBy == unreadBy)
            }
            for (number, session) in [stage.ann, stage.bob, stage.cid].enumerated() {
                let above = zip(messages, senders).count { $0.seq > seqs[number] && $1 != number }
                #expect(try await session.unread(Cast.club) == above)
            }
        }
    }
}
