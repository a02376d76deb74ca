import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// Random histories of one client and the model server: frames are lost, duplicated and reordered, connections break,
/// commands are refused. In the end client and server must agree.
@Suite struct SimulationTests {
    private struct World {
        var rig: Rig
        var random: RandomSource
        var sent: [ChannelID: [(text: String, promise: Promise<SentMessage>)]] = [:]
        var number = 0
        let channels = ["a", "b", "c"].map(Names.channel)
        let gained = Names.channel("gained")
        let lobby = Names.lobby
        var hasJoined = false

        init(seed: UInt64) {
            rig = Rig(me: Names.ann, seed: seed)
            random = RandomSource(seed: seed &* 31 &+ 7)
            rig.server.members = Set(channels)
            rig.server.resumeRows = Int(random.next() % 5) + 1
            rig.server.pageRows = Int(random.next() % 4) + 1
        }

        mutating func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }

        mutating func step() throws {
            number += 1
            let channel = channels[roll(channels.count)]
            switch roll(30) {
            case 0...4: rig.server.write("other \(number)", to: channel, by: Names.ben.userID)
            case 5: rig.server.write("lobby \(number)", to: lobby, by: Names.ben.userID)
            case 6...9:
                let text = roll(12) == 0 ? "bad \(number)" : "own \(number)"
                let target = hasJoined && roll(5) == 0 ? lobby : channel
                sent[target, default: []].append((text, rig.send(text, to: target, transID: "t\(number)")))
            case 10...12: try rig.carryToServer(roll(4) + 1)
            case 13...15: rig.carryToClient(roll(4) + 1)
            case 16: disturb()
            case 17: rig.server.heartbeat()
            case 18 where roll(4) == 0: rig.breakOff(roll(2) == 0 ? .closed(nil) : .closed(1_012))
            case 19:
                if roll(10) == 0 { rig.server.refusals.append(WireError(.databaseAccess)) }
                if roll(30) == 0, !rig.server.members.contains(gained) {
                    rig.server.write("before", to: gained, by: Names.ben.userID)
                    rig.server.invite(to: gained)
                }
                if rig.server.members.contains(gained) {
                    rig.server.write("new \(number)", to: gained, by: Names.ben.userID)
                }
            case 28:
                // A row becomes invisible for the user: deleted, or recalled silently.
                let head = rig.server.head(channel)
                if head > 0 { rig.server.hide(Int64(roll(Int(head))) + 1, in: channel) }
            case 29:
                if roll(3) == 0, rig.server.members.contains(gained) {
                    rig.server.kick(from: gained, by: Names.ben.userID)
                }
            case 20:
                rig.now += Int64(roll(400))
                rig.input(.tick)
            default:
                if rig.machine.state == .connecting { rig.wake() } else { disturb() }
            }
        }

        /// Loses, duplicates or swaps an event. Answers are kept, as a lost one would only be a timeout.
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

        mutating func settle() throws {
            rig.server.refusals = []
            for _ in 0..<40 {
                try rig.comeBack()
                rig.server.heartbeat()
                try rig.settle()
                if rig.machine.lanes.count > 0 || !rig.machine.gapped.isEmpty { rig.wake() }
                try rig.settle()
            }
        }
    }

    private func run(seed: UInt64) throws -> [String] {
        let name = Seeds.name(seed)
        var world = World(seed: seed)
        try world.rig.connect()
        world.rig.input(
            .perform(.move(.joinChannel(JoinChannel(channel: world.lobby))), id: "join", Promise<[UInt8]>()))
        try world.rig.settle()
        world.hasJoined = true
        for _ in 0..<300 { try world.step() }
        try world.settle()
        let rig = world.rig
        #expect(rig.machine.phase == .live, "\(name)")
        #expect(rig.server.earlySends == 0, "\(name)")
        let told = rig.events.compactMap { if case .sent(let answer) = $0 { answer.transID } else { nil } }
        #expect(Set(told).count == told.count, "\(name)")
        for channel in world.channels + [world.lobby] {
            let head = rig.server.head(channel)
            let rows = rig.rows(of: channel)
            // Rows that are hidden now may have been delivered before; all others must have been, once and in order.
            #expect(rows == Array(Set(rows)).sorted(), "\(name), \(channel)")
            let missing = Set(head == 0 ? [] : Array(1...head)).subtracting(rows)
            #expect(missing.isSubset(of: rig.server.hidden[channel] ?? []), "\(name), \(channel)")
            #expect(rig.machine.logs[.channel(channel)]?.seq == head, "\(name), \(channel)")
            let own = (rig.server.rows[channel] ?? []).filter { $0.senderID == Names.ann.userID }
            let stored = own.compactMap {
                if case .channel(.messageSent(let message)) = $0.body { message.text } else { nil }
            }
            let wanted = (world.sent[channel] ?? []).filter { !$0.text.hasPrefix("bad") }
            #expect(stored == wanted.map(\.text), "\(name), \(channel)")
            for send in world.sent[channel] ?? [] {
                switch send.promise.result {
                case .success(let answer):
                    #expect(own.contains { $0.seq == answer.seq && $0.transID == answer.transID }, "\(name)")
                case .failure(let error):
                    #expect(send.text.hasPrefix("bad") && error.code == .server(.invalidContent), "\(name)")
                case nil: Issue.record("\(name): \(send.text) has no result")
                }
            }
        }
        if rig.server.members.contains(world.gained) {
            // Every row since the user last joined, and before that none twice.
            let head = rig.server.head(world.gained)
            let rows = rig.rows(of: world.gained)
            let from = rig.server.userLog.compactMap {
                if case .user(.channelJoined(let body)) = $0.body { body.fromSeq } else { nil }
            }
            let last = (from.last ?? 0) + 1
            #expect(rows == Array(Set(rows)).sorted(), "\(name), gained")
            #expect(rows.filter { $0 >= last } == (head < last ? [] : Array(last...head)), "\(name), gained")
        } else {
            #expect(rig.machine.logs[.channel(world.gained)] == nil, "\(name), gained")
        }
        let userHead = Int64(rig.server.userLog.count)
        #expect(rig.userRows == (userHead == 0 ? [] : Array(1...userHead)), "\(name), user log")
        return rig.server.commands
    }

    @Test(arguments: 0..<8) func `whatever is lost, duplicated or swapped, every row is delivered once and in order`(
        part: Int
    ) throws {
        var commands: [String: Int] = [:]
        let seeds = Seeds.of(part: part, stride: 50, TestLength.rounds(12, long: 62_500))
        for seed in seeds {
            for command in try run(seed: seed) { commands[command, default: 0] += 1 }
        }
        // The histories contain enough faults to be meaningful.
        #expect(commands[Hello.name, default: 0] > seeds.count * 3 / 2)
        #expect(commands[Resume.name, default: 0] > seeds.count * 3)
        #expect(commands[SendMessage.name, default: 0] > seeds.count * 30)
    }
}

/// The seeds of the simulations: different for each `ROOST_SEED`.
enum Seeds {
    /// The seeds of one of several parts that run in parallel.
    static func of(part: Int, stride: Int, _ count: Int) -> [UInt64] {
        let first = (SeededNumbers.seed &- 1) &* 0x1_0000_0000 &+ UInt64(part * max(stride, count))
        return (0..<UInt64(count)).map { first &+ $0 }
    }

    /// The name in a failure with which it can be reproduced.
    static func name(_ seed: UInt64) -> String { "seed \(seed), ROOST_SEED=\(SeededNumbers.seed)" }
}
