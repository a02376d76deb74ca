import RoostCore
import RoostTesting
import RoostWire
import Testing

/// What one session has received: rows as "5", other events as "~5".
private final class Recorder {
    var got: [String] = []
    var rows: [Int64] { got.compactMap { Int64($0) } }
}

/// One lane of a server among several, with sessions that record what they receive.
private final class Lane {
    var fanout = Fanout<Recorder>(lane: 0, hasOthers: true)
    var recorders: [UInt64: Recorder] = [:]

    func apply(_ deliveries: Delivery...) { for delivery in deliveries { perform(delivery) } }

    func perform(_ delivery: Delivery) {
        fanout.apply(
            delivery, find: { self.recorders[$0] },
            send: { $0.got.append(String(decoding: $1, as: UTF8.self)) }, reply: { _, _, _ in }, end: { _, _ in })
    }

    func attach(_ number: UInt64, _ user: User, userSeq: Int64 = 0, _ seq: Int64? = nil) -> Recorder {
        let recorder = Recorder()
        recorders[number] = recorder
        let channels = seq.map { [ChannelPosition(channel: Cast.club, seq: $0)] } ?? []
        apply(.attach(SessionID(lane: 0, number: number), user: user.userID, userSeq: userSeq, channels: channels))
        return recorder
    }

    /// The place of the last read that was asked for.
    private(set) var reads: Int64 = 0

    /// What is asked for now.
    func takeMissing() -> [LogRange] {
        var missing: [LogRange] = []
        fanout.readMissing { ranges in
            missing = ranges
            reads += 1
            return reads
        }
        return missing
    }

    func missing(_ log: LogID = club) -> LogRange? { takeMissing().first { $0.log == log } }
}

private let club = LogID.channel(Cast.club)

private func row(_ seq: Int64) -> Delivery { .row(bytes(seq), of: club, seq: seq) }

private func bytes(_ seq: Int64) -> [UInt8] { Array("\(seq)".utf8) }

private func event(after seq: Int64) -> Delivery {
    .event(Array("~\(seq)".utf8), to: .channel(Cast.club), after: seq)
}

private func start(_ user: User, _ seq: Int64, _ userSeq: Int64) -> Delivery {
    .subscribe(user.userID, Cast.club, at: SubscriptionPlace(seq: seq, userSeq: userSeq))
}

private func end(_ user: User, _ seq: Int64, _ userSeq: Int64) -> Delivery {
    .unsubscribe(user.userID, Cast.club, at: SubscriptionPlace(seq: seq, userSeq: userSeq))
}

/// A row of the log of Ann, who is told of a membership.
private func joined(_ userSeq: Int64) -> Delivery {
    .row(Array("joined \(userSeq)".utf8), of: .user(Cast.ann.userID), seq: userSeq)
}

private func filled(
    _ after: Int64, _ through: Int64, without gone: Set<Int64> = [], read: Int64 = 1_000
) -> Delivery {
    let seqs = Array(after + 1..<through + 1).filter { !gone.contains($0) }
    return .filled(
        LogRange(club, after: after, through: through), Dictionary(uniqueKeysWithValues: seqs.map { ($0, bytes($0)) }),
        read: read)
}

@Suite struct SequenceTests {
    @Test func `a row that comes early waits for the rows before it, which are asked for once`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 4)
        lane.apply(row(5), row(8), row(8), row(5))
        #expect(ann.rows == [5])
        #expect(lane.missing() == LogRange(club, after: 5, through: 7))
        #expect(lane.missing() == nil)
        lane.apply(row(9))
        #expect(lane.missing() == nil)
        lane.apply(filled(5, 7))
        #expect(ann.rows == [5, 6, 7, 8, 9])
        lane.apply(row(7), row(10))
        #expect(ann.rows == [5, 6, 7, 8, 9, 10])
        #expect(lane.fanout.positions(of: 1)?.channels == [ChannelPosition(channel: Cast.club, seq: 10)])
    }

    @Test func `a row that the log does not have any more holds nothing up`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 4)
        lane.apply(.moved(club, seq: 8))
        #expect(lane.missing() == LogRange(club, after: 4, through: 8))
        lane.apply(filled(4, 8, without: [5, 8]), row(9))
        #expect(ann.rows == [6, 7, 9])
        #expect(lane.missing() == nil)
    }

    @Test func `a read that ends early is continued`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 0)
        lane.apply(.moved(club, seq: 5))
        #expect(lane.missing() == LogRange(club, after: 0, through: 5))
        lane.apply(filled(0, 2))
        #expect(ann.rows == [1, 2])
        #expect(lane.missing() == LogRange(club, after: 2, through: 5))
        lane.apply(filled(2, 5), filled(2, 5))
        #expect(ann.rows == [1, 2, 3, 4, 5])
    }

    @Test func `an event that is in no log keeps its place among the rows that were missing`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 0)
        lane.apply(.moved(club, seq: 3), event(after: 1), event(after: 3), event(after: 1), filled(0, 3))
        #expect(ann.got == ["1", "~1", "~1", "2", "3", "~3"])
        #expect(lane.fanout.isComplete)
    }

    @Test func `an event waits for the row of the user's log with which the subscription begins`() {
        let lane = Lane()
        let (ann, bob) = (lane.attach(1, Cast.ann), lane.attach(2, Cast.bob, 1))
        lane.apply(start(Cast.ann, 1, 1), event(after: 0), event(after: 1), row(2), event(after: 2))
        #expect(ann.got == [] && bob.got == ["~0", "~1", "2", "~2"])
        lane.apply(joined(1))
        _ = lane.takeMissing()
        lane.apply(filled(1, 2, read: lane.reads))
        #expect(ann.got == ["joined 1", "~1", "2", "~2"])
        #expect(bob.got == ["~0", "~1", "2", "~2"])
        lane.apply(event(after: 2))
        #expect(ann.got.suffix(2) == ["~2", "~2"] && bob.got.suffix(2) == ["~2", "~2"])
        #expect(lane.fanout.isComplete)
    }

    @Test func `an event that waits for a row and for the beginning of a subscription is delivered once`() {
        let lane = Lane()
        let (ann, bob) = (lane.attach(1, Cast.ann), lane.attach(2, Cast.bob, 6))
        // Ann is in the channel from row 7 on, which is missing, like the row of her log.
        lane.apply(start(Cast.ann, 7, 1), .moved(club, seq: 7), event(after: 7))
        lane.apply(joined(1), filled(6, 7))
        _ = lane.takeMissing()
        lane.apply(filled(6, 7, read: lane.reads))
        #expect(ann.got == ["joined 1", "~7"] && bob.got == ["7", "~7"])
        #expect(lane.fanout.isComplete)
    }

    @Test func `an event that waits for the beginning of a subscription is dropped with it`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann)
        lane.apply(start(Cast.ann, 0, 1), event(after: 0), end(Cast.ann, 0, 2), joined(1), joined(2))
        #expect(ann.got == ["joined 1", "joined 2"])
        lane.apply(start(Cast.ann, 4, 4), event(after: 5))
        lane.fanout.detach(1)
        #expect(lane.fanout.heads.isEmpty)
    }

    @Test func `a session that has left gets nothing after that row, although newer rows came first`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 4)
        let bob = lane.attach(2, Cast.bob, 4)
        // This server writes row 7 before it hears that another one has removed Ann at row 6.
        lane.apply(row(7), event(after: 7), end(Cast.ann, 6, 1), .moved(club, seq: 6), filled(4, 6))
        #expect(ann.got == ["5", "6"])
        #expect(bob.got == ["5", "6", "7"])
        lane.apply(joined(1))
        #expect(ann.got == ["5", "6", "joined 1"])
        #expect(bob.got == ["5", "6", "7", "~7"])
        lane.apply(row(8), event(after: 8))
        #expect(ann.got == ["5", "6", "joined 1"])
    }

    @Test func `a removal that comes before its row takes effect at the row`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 4)
        let bob = lane.attach(2, Cast.bob, 4)
        lane.apply(end(Cast.ann, 5, 1), event(after: 4))
        #expect(ann.got == ["~4"])
        lane.apply(joined(1), row(5), event(after: 5), row(6))
        #expect(ann.got == ["~4", "joined 1", "5"])
        #expect(bob.got == ["~4", "5", "~5", "6"])
    }

    @Test func `a removal that is older than the subscription does not end it`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, userSeq: 3, 7)
        let bob = lane.attach(2, Cast.bob, userSeq: 0, 7)
        lane.apply(end(Cast.ann, 6, 2), start(Cast.bob, 7, 2), end(Cast.bob, 5, 1), row(8))
        #expect(ann.rows == [8])
        #expect(bob.rows == [8])
    }

    @Test func `a removal and a return arrive the other way round`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 4)
        let bob = lane.attach(2, Cast.bob, 4)
        lane.apply(joined(2), start(Cast.ann, 8, 2), end(Cast.ann, 6, 1), joined(1))
        #expect(lane.missing() == LogRange(club, after: 4, through: 8))
        lane.apply(filled(4, 8), row(9))
        #expect(ann.rows == [5, 6, 9])
        #expect(bob.rows == [5, 6, 7, 8, 9])
    }

    @Test func `a removal that comes before the subscription that it ends takes effect after it`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann)
        let bob = lane.attach(2, Cast.bob, 4)
        lane.apply(end(Cast.ann, 6, 2), start(Cast.ann, 4, 1), row(5), joined(1), row(6), row(7))
        #expect(lane.missing() == LogRange(club, after: 4, through: 5))
        lane.apply(filled(4, 5), joined(2), row(8))
        #expect(ann.rows == [5, 6])
        #expect(bob.rows == [5, 6, 7, 8])
    }

    @Test func `a user who is added gets what others of the lane have got since, and nothing of it twice`() {
        let lane = Lane()
        let bob = lane.attach(2, Cast.bob, 4)
        let ann = lane.attach(1, Cast.ann)
        lane.apply(row(5), row(6), row(7), start(Cast.ann, 5, 1), joined(1))
        #expect(lane.missing() == LogRange(club, after: 5, through: 7))
        lane.apply(row(8), event(after: 8))
        #expect(ann.got == ["joined 1"])
        #expect(bob.got == ["5", "6", "7", "8"])
        lane.apply(filled(5, 7), row(9))
        #expect(ann.got == ["joined 1", "6", "7", "8", "~8", "9"])
        #expect(bob.got == ["5", "6", "7", "8", "~8", "9"])
    }

    @Test func `the first who follows a channel is sent what arrived before the subscription`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann)
        lane.apply(row(6), joined(1), start(Cast.ann, 5, 1))
        #expect(lane.missing() == LogRange(club, after: 5, through: LogRange.end))
        lane.apply(row(7))
        #expect(ann.rows.isEmpty)
        lane.apply(filled(5, 7), row(8))
        #expect(ann.got == ["joined 1", "6", "7", "8"])
        // With nothing to read, it just goes on.
        let bob = lane.attach(2, Cast.bob)
        lane.apply(
            .row(bytes(0), of: .user(Cast.bob.userID), seq: 1),
            .subscribe(Cast.bob.userID, Cast.lobby, at: SubscriptionPlace(seq: 0, userSeq: 1)))
        let lobby = LogID.channel(Cast.lobby)
        #expect(lane.missing(lobby) == LogRange(lobby, after: 0, through: LogRange.end))
        lane.apply(.filled(LogRange(lobby, after: 0, through: 0), [:], read: 1_000), .row(bytes(1), of: lobby, seq: 1))
        #expect(bob.rows == [0, 1])
    }

    @Test func `who was banned while joining an open channel does not get it, and who joins after the ban does`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann)
        let session = SessionID(lane: 0, number: 1)
        func participate(_ userSeq: Int64) -> Delivery {
            .participate(session, Cast.club, at: SubscriptionPlace(seq: 4, userSeq: userSeq))
        }
        lane.apply(end(Cast.ann, 4, 1), joined(1), participate(0), row(5))
        #expect(ann.rows.isEmpty)
        lane.apply(participate(1), filled(4, 4), end(Cast.ann, 4, 1), row(5))
        #expect(ann.rows == [5])
    }

    @Test func `an event that waited is not for those who have come after it, or are away`() {
        let lane = Lane()
        let bob = lane.attach(2, Cast.bob, 4)
        let cid = lane.attach(3, Cast.cid, 4)
        lane.apply(event(after: 6))
        let ann = lane.attach(1, Cast.ann, 8)
        lane.apply(end(Cast.cid, 5, 1), .row(Array("out".utf8), of: .user(Cast.cid.userID), seq: 1))
        lane.apply(start(Cast.cid, 8, 2), filled(4, 6), event(after: 6))
        // It is not known yet what else comes before the return of Cid.
        #expect(bob.got == ["5", "6"])
        #expect(ann.got.isEmpty)
        #expect(cid.got == ["out", "5"])
        lane.apply(.row(Array("in".utf8), of: .user(Cast.cid.userID), seq: 2), filled(6, 8), event(after: 8))
        #expect(bob.got == ["5", "6", "~6", "~6", "7", "8", "~8"])
        #expect(ann.got == ["~8"])
        #expect(cid.got == ["out", "5", "in", "~8"])
    }

    @Test func `what another lane has asked for earlier does not count as all there is`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann)
        lane.apply(row(6), joined(1), start(Cast.ann, 5, 1))
        #expect(lane.missing() == LogRange(club, after: 5, through: LogRange.end))
        lane.apply(filled(0, 5, read: 0))
        #expect(lane.missing() == LogRange(club, after: 5, through: LogRange.end))
        #expect(ann.rows.isEmpty)
        lane.apply(filled(5, 6, read: 2), row(7))
        #expect(ann.rows == [6, 7])
        #expect(lane.missing() == nil)
    }

    @Test func `a session whose snapshot is ahead of the lane gets no row before it`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, userSeq: 3, 4)
        let tablet = lane.attach(2, Cast.ann, userSeq: 5, 6)
        let user = LogID.user(Cast.ann.userID)
        let missing = Set(lane.takeMissing())
        #expect(missing == [LogRange(user, after: 3, through: 5), LogRange(club, after: 4, through: 6)])
        lane.apply(filled(4, 6), row(7))
        #expect(ann.rows == [5, 6, 7])
        #expect(tablet.rows == [7])
    }

    @Test func `what is held is limited, and read again later`() {
        let lane = Lane()
        let ann = lane.attach(1, Cast.ann, 0)
        for seq in 2...Int64(1_500) { lane.apply(row(seq)) }
        #expect(lane.missing() == LogRange(club, after: 0, through: 1_500))
        lane.apply(row(1))
        #expect(ann.rows.count == 1_001)
        lane.apply(filled(0, 200), filled(200, 1_500))
        #expect(ann.rows == Array(1...1_500))
    }

    @Test func `a session that ends while rows are missing leaves nothing behind`() {
        let lane = Lane()
        _ = lane.attach(1, Cast.ann, 4)
        lane.apply(row(6))
        lane.fanout.detach(1)
        #expect(lane.takeMissing().isEmpty)
        lane.apply(filled(4, 5))
        let again = lane.attach(2, Cast.ann, 6)
        lane.apply(row(7))
        #expect(again.rows == [7])
    }
}

/// Several servers write; one lane hears of their commits late, twice, in another order, or not at all until it reads
/// the journal.
@Suite struct SequencePropertyTests {
    /// A row of the channel, and perhaps one of a user's log, with the change to the subscription that they are about.
    private struct Commit {
        var seq: Int64
        var change: (user: UserID, userSeq: Int64, delivery: Delivery)?
    }

    /// A channel with its log, as the database has it, and who may see which rows.
    private struct Model {
        var seq: Int64 = 0
        var userSeqs: [UserID: Int64] = [:]
        var members: Set<UserID> = []
        /// The rows that each user may see.
        var visible: [UserID: Set<Int64>] = [:]

        mutating func commit(_ random: inout SeededNumbers) -> Commit {
            let user = random.pick(Cast.all).userID
            seq += 1
            // The row of a removal is still for the user, that of a return is not.
            for member in members { visible[member, default: []].insert(seq) }
            guard random.int(0...3) == 0 else { return Commit(seq: seq) }
            let place = SubscriptionPlace(seq: seq, userSeq: userSeqs[user, default: 0] + 1)
            userSeqs[user] = place.userSeq
            let isEnd = members.remove(user) != nil
            if !isEnd { members.insert(user) }
            let change: Delivery =
                isEnd ? .unsubscribe(user, Cast.club, at: place) : .subscribe(user, Cast.club, at: place)
            return Commit(seq: seq, change: (user, place.userSeq, change))
        }
    }

    private final class Lanes {
        let lane = Lane()
        var model = Model()
        /// The commits that the lane has not been told of for certain.
        var untold: [Commit] = []
        var asked: [LogRange] = []
        var sessions: [(recorder: Recorder, user: UserID, from: Int64)] = []

        func attach(_ number: UInt64, _ user: User) {
            let isMember = model.members.contains(user.userID)
            let head = model.userSeqs[user.userID] ?? 0
            let recorder = lane.attach(number, user, userSeq: head, isMember ? model.seq : nil)
            sessions.append((recorder, user.userID, model.seq))
        }

        func tell(_ commit: Commit, withRows: Bool) {
            if let change = commit.change {
                let (log, seq) = (LogID.user(change.user), change.userSeq)
                lane.perform(change.delivery)
                lane.perform(withRows ? .row(Array("u\(seq)".utf8), of: log, seq: seq) : .moved(log, seq: seq))
            }
            lane.perform(withRows ? row(commit.seq) : .moved(club, seq: commit.seq))
        }

        /// All commits that were not read, then the rows that were asked for.
        func readJournal() {
            for commit in untold { tell(commit, withRows: false) }
            untold = []
            for _ in 0..<8 {
                asked += lane.takeMissing()
                for range in asked { lane.perform(fill(range)) }
                asked = []
            }
        }

        private func fill(_ range: LogRange) -> Delivery {
            guard case .user = range.log else {
                return filled(
                    range.after, max(range.after, min(range.through, model.seq)), read: lane.reads)
            }
            let seqs = Array(range.after + 1..<range.through + 1)
            return .filled(
                range, Dictionary(uniqueKeysWithValues: seqs.map { ($0, Array("u\($0)".utf8)) }), read: lane.reads)
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `each session gets exactly the rows of its memberships, in order, whatever arrives when`(round: UInt64) {
        var random = SeededNumbers(round)
        let lanes = Lanes()
        for step in 0..<300 {
            switch random.int(0...9) {
            case 0 where lanes.sessions.count < 12: lanes.attach(UInt64(step), random.pick(Cast.all))
            case 1...6:
                let commit = lanes.model.commit(&random)
                // A commit of this server is delivered at once, and no doubt about it.
                let isOwn = random.int(0...2) == 0
                if isOwn { lanes.tell(commit, withRows: true) } else { lanes.untold.append(commit) }
            case 7 where !lanes.untold.isEmpty:
                lanes.tell(random.pick(lanes.untold), withRows: random.int(0...1) == 0)
            case 8: lanes.asked += lanes.lane.takeMissing()
            default: lanes.readJournal()
            }
            for session in lanes.sessions {
                let rows = session.recorder.rows
                let visible = lanes.model.visible[session.user] ?? []
                let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
                #expect(isOrdered, "\(seed)")
                #expect(rows.allSatisfy(visible.contains), "\(seed)")
            }
        }
        lanes.readJournal()
        #expect(lanes.lane.takeMissing().isEmpty)
        for session in lanes.sessions {
            let due = (lanes.model.visible[session.user] ?? []).filter { $0 > session.from }.sorted()
            let rows = session.recorder.rows
            let lacking = due.filter { !rows.contains($0) }
            #expect(lacking.isEmpty, "\(seed)")
            #expect(rows.count == due.count, "\(seed)")
        }
    }
}
