import GRDB
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// Random histories of one client with a store and the model server: besides network faults, the process is killed at
/// any moment and loses pending commits. Whenever nothing is in transit, the store has the same content as the server.
@Suite struct StoreSimulationTests {
    private struct World {
        var rig: Rig
        let store: LocalStore
        var random: RandomSource
        let seed: UInt64
        var number = 0
        var kills = 0
        var restores = 0
        /// The number of own messages that the server lost with its database.
        var lost: [ChannelID: Int] = [:]
        /// The read marks in the store.
        var marks: [ChannelID: Int64] = [:]
        var texts: [ChannelID: [String]] = [:]
        let channels = ["a", "b", "c"].map(Names.channel)

        init(seed: UInt64) throws {
            self.seed = seed
            store = try LocalStore.inMemory()
            random = RandomSource(seed: seed &* 131 &+ 17)
            rig = Rig(me: Names.ann, seed: seed) { settings in
                settings.hasStore = true
                settings.keepsTryingToConnect = true
            }
            rig.uncommitted = []
            rig.server.members = Set(channels)
            rig.server.resumeRows = roll(5) + 1
            rig.server.pageRows = roll(4) + 1
            for channel in channels {
                for _ in 0..<roll(8) { rig.server.write("old", to: channel, by: Names.ben.userID) }
            }
        }

        mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }

        /// Commits up to a number of the changes that are pending for the store.
        mutating func commit(_ most: Int = .max) throws {
            let inputs = Array((rig.uncommitted ?? []).prefix(most))
            rig.uncommitted?.removeFirst(inputs.count)
            try edit { transaction in for input in inputs { try transaction.apply(input) } }
        }

        mutating func edit(_ body: (LocalTransaction) throws -> Void) throws {
            var now: [ChannelID: Int64] = [:]
            let wanted = try store.database.write { db in
                let transaction = try LocalTransaction(db)
                try body(transaction)
                for id in channels { now[id] = try transaction.record(id).mark }
                _ = try transaction.finish()
                if seed % 16 == 0 { try checkQueue(db) }
                return transaction.wanted
            }
            if restores == 0 {
                for (id, mark) in marks where mark > now[id] ?? 0 {
                    Issue.record("\(Seeds.name(seed)): the mark of \(id) went from \(mark) to \(now[id] ?? 0)")
                }
            }
            marks = now
            if !wanted.isEmpty { rig.input(.want(wanted)) }
        }

        /// A message of the user is in the queue or in the log, never in both.
        private func checkQueue(_ db: Database) throws {
            let queue = try LocalStore.queue(in: nil, db)
            for id in Set(queue.map(\.message.channel)) {
                let confirmed = Set(try LocalStore.rows(in: id, after: 0, db).compactMap(\.transID))
                for queued in queue where queued.message.channel == id && confirmed.contains(queued.transID) {
                    Issue.record(
                        "\(Seeds.name(seed)): \(queued.transID) is in the log and in the queue, \(queued.state)")
                }
            }
        }

        mutating func settle() throws {
            for _ in 0..<1_000 {
                try rig.settle()
                if rig.uncommitted?.isEmpty == true { return }
                try commit()
            }
        }

        mutating func send(_ text: String, to channel: ChannelID) throws {
            let message = SendMessage(channel: channel, text: text)
            let key = Names.transID("t\(number)")
            texts[channel, default: []].append(text)
            try edit { try $0.enqueue(message, key, at: 0) }
            // The process may end between storing and sending.
            if roll(10) > 0 { rig.send(message, transID: key.rawValue) } else { try kill() }
        }

        mutating func read(_ channel: ChannelID) throws {
            let seq = Int64(roll(Int(rig.server.head(channel)) + 1))
            try edit { try $0.moveMark(to: seq, in: channel, isConfirmed: false) }
            rig.input(.mark(channel, seq))
        }

        /// Ends the process; the next one only has the store.
        mutating func kill() throws {
            kills += 1
            let kept = try store.database.read(LocalStore.kept)
            let old = rig
            rig = Rig(me: Names.ann, seed: seed &+ UInt64(number), positions: kept.positions) { settings in
                settings.hasStore = true
                settings.keepsTryingToConnect = true
                settings.owner = kept.owner
            }
            rig.machine.restore(sends: kept.sends, marks: kept.marks)
            rig.machine.maintenance.wanted = kept.stale
            rig.now = old.now
            rig.server = old.server
            rig.server.disconnect()
            rig.uncommitted = []
            late = []
            lateSnapshots = []
            rig.input(.connect(Promise()))
        }

        mutating func page(of channel: ChannelID) throws {
            // A page of history that was read now and arrives late.
            guard rig.machine.phase == .live else { return }
            let first = try store.database.read { try LocalStore.record(channel, $0)?.stretches.last?.first }
            let list = ListMessages(channel: channel, before: first, limit: 3)
            let page = rig.server.history(list)
            late.append((list, page))
            if roll(2) == 0 { lateSnapshots.append((rig.server.snapshot(channel), rig.machine.logs.user.seq ?? 0)) }
        }
        var late: [(ListMessages, ListMessages.Answer)] = []
        var lateSnapshots: [(Channel, since: Int64)] = []

        /// Restores an older database of the server.
        mutating func restore() {
            restores += 1
            for id in channels { lost[id, default: 0] += ownRows(id).suffix(2).count }
            rig.server.restore(epoch: "e\(restores + 1)")
            late = []
            lateSnapshots = []
            rig.breakOff()
        }

        /// The server no longer keeps the user's own log.
        mutating func forgetOwn() {
            rig.server.forgetOwn()
            late = []
            lateSnapshots = []
            rig.breakOff()
        }

        func ownRows(_ id: ChannelID) -> [Event] {
            (rig.server.rows[id] ?? []).filter { $0.senderID == Names.ann.userID && $0.transID != nil }
        }

        mutating func deliverPages() throws {
            let pages = late
            late = []
            for (list, page) in pages {
                guard let answer = StoredAnswer(.read(.listMessages(list)), page, since: 0) else { continue }
                try edit { try answer.put(into: $0) }
            }
            let snapshots = lateSnapshots
            lateSnapshots = []
            for (channel, since) in snapshots {
                let get = GetChannel(channel: channel.channel)
                guard let answer = StoredAnswer(.read(.getChannel(get)), channel, since: since) else { continue }
                try edit { try answer.put(into: $0) }
            }
        }

        mutating func step() throws {
            number += 1
            let channel = channels[roll(channels.count)]
            let head = Int(rig.server.head(channel))
            switch roll(34) {
            case 0...4: rig.server.write("other \(number)", to: channel, by: Names.ben.userID)
            case 5...8: try send(roll(12) == 0 ? "bad \(number)" : "own \(number)", to: channel)
            case 9...11: try rig.carryToServer(roll(4) + 1)
            case 12...15: rig.carryToClient(roll(4) + 1)
            case 16...18: try commit(roll(12) + 1)
            case 19: disturb()
            case 20: rig.server.heartbeat()
            case 21 where roll(3) == 0: rig.breakOff(roll(2) == 0 ? .closed(nil) : .closed(1_012))
            case 22 where roll(3) == 0: try kill()
            case 23 where head > 0:
                let sender = roll(2) == 0 ? Names.ben.userID : Names.ann.userID
                rig.server.recall(Int64(roll(head)) + 1, in: channel, isSilent: roll(2) == 0, by: sender)
            case 31 where head > 0:
                let sender = roll(2) == 0 ? Names.ben.userID : Names.ann.userID
                // A few messages get most of the reactions.
                let seq = Int64(roll(2) == 0 ? roll(head) : roll(min(3, head))) + 1
                rig.server.react(["👍", "🎉", "👀"][roll(3)], to: seq, in: channel, by: sender)
            case 24 where head > 0: rig.server.delete(Int64(roll(head)) + 1, in: channel)
            case 25: try read(channel)
            case 30 where head > 0 && roll(2) == 0: rig.server.purge(to: Int64(roll(head)) + 1, in: channel)
            case 26: try page(of: channel)
            case 27: try deliverPages()
            case 29 where seed % 3 == 0 && roll(8) == 0: restore()
            case 32 where roll(4) == 0: forgetOwn()
            case 28:
                rig.now += Int64(roll(400))
                rig.input(.tick)
            default:
                if rig.machine.state == .connecting { rig.wake() } else { try commit(roll(4) + 1) }
            }
        }

        private mutating func disturb() {
            let events = rig.server.outbox.indices.filter {
                if case .event = rig.server.outbox[$0] { true } else { false }
            }
            guard !events.isEmpty else { return }
            let index = events[roll(events.count)]
            switch roll(3) {
            case 0: rig.server.outbox.remove(at: index)
            case 1: rig.server.outbox.insert(rig.server.outbox[index], at: index)
            default: rig.server.outbox.swapAt(index, events[roll(events.count)])
            }
        }

        /// Delivers everything that is still in transit.
        mutating func settleAll() throws {
            for round in 0..<30 {
                try rig.comeBack()
                rig.server.heartbeat()
                try settle()
                try deliverPages()
                let isBusy =
                    rig.machine.lanes.count > 0 || !rig.machine.gapped.isEmpty || !rig.machine.maintenance.marks.isEmpty
                if isBusy { rig.wake() }
                try settle()
                if !isBusy, round > 1 { return }
            }
        }

        /// Checks that the store has the same content as the server.
        func check(_ comment: Comment) throws {
            #expect(rig.machine.phase == .live, comment)
            #expect(rig.server.earlySends == 0, comment)
            for channel in channels {
                let head = rig.server.head(channel)
                let found = try store.database.read { db in
                    (
                        try LocalStore.record(channel, db), try LocalStore.queue(in: channel, db),
                        // A device that has heard of a silent recall keeps its row for pages that were read before it.
                        try LocalStore.rows(in: channel, after: 0, db).filter { row in
                            if case .channel(.messageRecalled(let recalled)) = row.body {
                                !recalled.isSilent
                            } else {
                                true
                            }
                        }
                    )
                }
                let record = try #require(found.0, comment)
                #expect(record.position == head, comment)
                let stretch = record.newest ?? ChannelRecord.Stretch(first: head + 1, last: head)
                #expect(stretch.last == head, comment)
                let wanted = (rig.server.rows[channel] ?? []).filter {
                    $0.seq ?? 0 >= stretch.first && rig.server.isVisible($0)
                }
                let here = found.2.filter { $0.seq ?? 0 >= stretch.first }
                #expect(here.compactMap(\.seq) == wanted.compactMap(\.seq), comment)
                for (row, other) in zip(here.map(\.plain), wanted.map { rig.server.read($0).plain })
                where row != other {
                    Issue.record("\(comment): \(channel) \(row) is not \(other)")
                }
                for row in found.2 { #expect(rig.server.isVisible(row), comment) }
                if let snapshot = record.snapshot {
                    #expect(!record.isStale, comment)
                    #expect(snapshot.seq == head, comment)
                    #expect(record.mark <= rig.server.marks[channel] ?? 0, comment)
                    #expect(snapshot.unread == rig.server.unread(channel), comment)
                    #expect(snapshot.lastMessage == rig.server.lastMessage(channel), comment)
                }
                let own = ownRows(channel)
                let good = (texts[channel] ?? []).filter { !$0.hasPrefix("bad") }
                #expect((good.count - (lost[channel] ?? 0)...good.count).contains(own.count), comment)
                #expect(Set(own.map(\.transID)).count == own.count, comment)
                let order = own.compactMap(\.transID).compactMap { Int($0.rawValue.dropFirst()) }
                #expect(order == order.sorted(), comment)
                let bad = (texts[channel] ?? []).filter { $0.hasPrefix("bad") }
                #expect(found.1.map(\.message.text) == bad, comment)
                for queued in found.1 {
                    if case .failed(let error) = queued.state {
                        #expect(error.code == .server(.invalidContent), comment)
                    } else {
                        Issue.record("\(comment): \(queued.message.text) is \(queued.state)")
                    }
                }
            }
        }
    }

    private func run(seed: UInt64) throws -> Int {
        var world = try World(seed: seed)
        try world.rig.connect()
        try world.settle()
        for point in 0..<3 {
            for _ in 0..<60 { try world.step() }
            try world.settleAll()
            try world.check("\(Seeds.name(seed)), quiet point \(point)")
        }
        return world.kills
    }

    @Test(arguments: 0..<8) func `at every quiet point the store is what the server has, kills and all`(
        part: Int
    ) throws {
        var kills = 0
        let seeds = Seeds.of(part: part, stride: 1_000, TestLength.rounds(40, long: 62_500))
        for seed in seeds { kills += try run(seed: seed) }
        #expect(kills >= seeds.count)
    }
}

extension Event {
    /// This row without the field that orders its reactions.
    var plain: Event {
        var event = self
        event.reactions = reactions.flatMap { $0.kinds.isEmpty ? nil : MessageReactions(head: 0, kinds: $0.kinds) }
        return event
    }
}
