import RoostCore
import RoostSQLite
import RoostTesting
import RoostWire

@testable import RoostClient

/// A command of a device, when it was given, and what became of it.
struct SimulatedOperation {
    enum Kind {
        case send(String)
        case recall(Int64)
        case delete(Int64)
        case mark(Int64)
        case react(Int64, String, isAdded: Bool)
        case members([UserID])
        case schedule(String)
        case read
    }

    enum Outcome: Equatable {
        case pending
        /// With the row that it has appended or read.
        case accepted(Int64?)
        case refused(Int)
        /// It was given up without an answer.
        case unknown
    }

    var kind: Kind
    var device: Int
    var channel: ChannelID
    var id: TransID
    var began: Int64
    var ended: Int64?
    var outcome = Outcome.pending

    var isAccepted: Bool { if case .accepted = outcome { true } else { false } }
}

/// Devices of several users, with the state machine of the SDK, and the core of the server: random commands, connections
/// that break, devices that read nothing for a while, restarts of both, failing commits and a clock that is set.
///
/// A seed always has the same history.
final class CoreSimulation {
    private static let emoji = ["👍", "🎉"]

    let (ann, bob, cid, dee): (User, User, User, User)
    /// The group of Ann, its admin, with Bob and Cid; that of Bob, with Ann and Cid; and the 1-on-1 of Ann and Bob.
    let (hall, den, pair): (ChannelID, ChannelID, ChannelID)
    let server: SimulatedCore
    let devices: [SimulatedDevice]
    private(set) var operations: [SimulatedOperation] = []
    private(set) var problems: [String] = []
    private var random: SeededNumbers
    private var now: Int64 = 1_000
    /// Rises with every input, and orders what devices see.
    private var moment: Int64 = 0
    private var number = 0
    private var sent: [ChannelID: [(id: MessageID, seq: Int64, sender: UserID)]] = [:]
    /// The operations without an outcome, with what looks whether they have one.
    private var waiting: [(index: Int, result: () -> Result<[UInt8], RoostError>?)] = []

    /// - Parameter stored: a database, in which other seeds may have left their users.
    init(seed: UInt64, in stored: SQLiteDatabase) throws {
        (ann, bob, cid, dee) = (
            try user("ann-\(seed)"), try user("bob-\(seed)"), try user("cid-\(seed)"), try user("dee-\(seed)")
        )
        (hall, den) = (try channel("hall-\(seed)"), try channel("den-\(seed)"))
        pair = ChannelID(single: ann.userID, bob.userID)
        random = SeededNumbers(seed: seed)
        server = try SimulatedCore(seed: random.next(), in: stored)
        let users = [ann, ann, bob, cid, dee]
        var devices: [SimulatedDevice] = []
        for (number, user) in users.enumerated() {
            guard let deviceID = DeviceID(rawValue: "device\(number)") else { continue }
            devices.append(SimulatedDevice(number, user, deviceID, seed: random.next()))
        }
        self.devices = devices
        for device in devices { device.input(.connect(Promise()), now: now, server: server) }
        try settle()
        let (bob, cid) = (bob.userID, cid.userID)
        try server.perform(CreateChannel(kind: .group, channel: hall, members: [bob, cid]), as: ann, id: "1")
        try server.perform(
            CreateChannel(kind: .group, channel: den, members: [ann.userID, cid]), as: self.bob, id: "2")
        try server.perform(CreateChannel(kind: .single, members: [bob]), as: ann, id: "3")
        try settle()
        // So that there is something to react to, to recall and to delete from the beginning.
        for device in devices.prefix(3) { for channel in [hall, pair] { try send(from: device, to: channel) } }
        try settle()
    }

    // Steps.

    func step() throws {
        moment += 1
        switch random.int(0...99) {
        case 0...39: command()
        case 40...64: try carry()
        case 65...79: deliver(to: random.pick(devices), most: random.int(1...6))
        case 80...84: breakConnection(of: random.pick(devices))
        case 85...86: random.pick(devices).isStuck.toggle()
        case 87: restart(random.pick(devices))
        case 88...89: try fail()
        case 90...91: try crash()
        case 92: try server.advance(by: Int64(random.pick([1, 20, 900, 70_000, 130_000, -50, -3_600_000])))
        case 93...94: server.heartbeat(random.pick(devices))
        default: wake()
        }
        note()
    }

    /// Gives frames of some devices to the core; they are committed together.
    private func carry(_ moment: SimulatedCore.Moment? = nil) throws {
        var frames: [(SimulatedDevice, [UInt8])] = []
        for device in devices where device.session != nil && random.int(0...2) > 0 {
            let count = min(device.uplink.count, random.int(1...5))
            for frame in device.uplink.prefix(count) {
                frames.append((device, frame))
                // Sent again, as after an answer that was lost.
                if random.int(0...19) == 0, try WireCodec.decodeClientFrame(frame).command.effect == .writes {
                    frames.append((device, frame))
                }
            }
            device.uplink.removeFirst(count)
        }
        // Frames of one device stay in order.
        try server.receive(frames, moment ?? (random.int(0...1) == 0 ? .early : .late))
        closeSlowOnes()
    }

    private func deliver(to device: SimulatedDevice, most: Int) {
        guard !device.isStuck else { return }
        let frames = Array(device.downlink.prefix(most))
        device.downlink.removeFirst(frames.count)
        device.input(.received(device.machine.connection, frames), now: now, server: server)
    }

    /// As the server closes the connections of devices that do not read.
    private func closeSlowOnes() {
        for device in devices where device.downlink.count > 30 { lose(device, .closed(4_008)) }
    }

    private func breakConnection(of device: SimulatedDevice) {
        guard device.session != nil else { return }
        // What has arrived may be read, or lost with the connection.
        if random.int(0...1) == 0 { deliver(to: device, most: .max) }
        server.close(device, silentMs: random.int(0...1) == 0 ? nil : 1_000)
        lose(device, .closed(nil))
    }

    private func lose(_ device: SimulatedDevice, _ reason: LossReason) {
        server.close(device)
        device.uplink = []
        device.downlink = []
        device.isStuck = false
        device.input(.lost(device.machine.connection, reason), now: now, server: server)
    }

    private func crash() throws {
        try carry(random.int(0...1) == 0 ? .crashBefore : .crashAfter)
        for device in devices where device.machine.isActive { lose(device, .closed(nil)) }
    }

    /// Starts the app of a device again. It keeps its sends, but nobody waits for its other commands any more.
    private func restart(_ device: SimulatedDevice) {
        note()
        waiting.removeAll { index, _ in
            guard operations[index].device == device.number else { return false }
            if case .send = operations[index].kind { return false }
            operations[index].outcome = .unknown
            return true
        }
        device.restart(now: now, server: server)
    }

    private func fail() throws {
        server.failCommits(random.pick([.full, .unavailable, .busy, .conflict, .other]), count: random.int(1...3))
        try carry()
        server.heal()
    }

    /// Lets time pass until a device has something to do.
    private func wake() {
        let device = random.pick(devices)
        if let wakeAt = device.machine.wakeAt { now = max(now, min(wakeAt, now + 5_000)) }
        device.input(.tick, now: now, server: server)
    }

    /// Lets everything work again, until all devices have everything.
    func settle() throws {
        server.heal()
        for device in devices { device.isStuck = false }
        for _ in 0..<400 {
            moment += 1
            for device in devices where !device.isSettled {
                if device.session == nil || device.uplink.isEmpty && device.downlink.isEmpty {
                    if let wakeAt = device.machine.wakeAt { now = max(now, min(wakeAt, now + 5_000)) }
                    device.input(.tick, now: now, server: server)
                }
            }
            let frames = devices.flatMap { device in
                defer { device.uplink = [] }
                return device.uplink.map { (device, $0) }
            }
            if !frames.isEmpty { try server.receive(frames) }
            for device in devices { deliver(to: device, most: .max) }
            note()
            if devices.allSatisfy(\.isSettled), waiting.isEmpty { return }
        }
        problems += devices.filter { !$0.isSettled }.map { "no rest: \($0.state)" }
    }

    /// Lets everything work again, and what was scheduled be sent.
    func end() throws {
        try settle()
        try server.advance(by: 86_400_000)
        try settle()
    }

    /// Notes the outcomes of commands.
    private func note() {
        waiting.removeAll { index, result in
            guard let result = result() else { return false }
            operations[index].ended = moment
            operations[index].outcome = outcome(of: operations[index], result)
            return true
        }
    }

    private func outcome(
        of operation: SimulatedOperation, _ result: Result<[UInt8], RoostError>
    ) -> SimulatedOperation.Outcome {
        switch result {
        case .failure(let error):
            return error.wire.map { .refused($0.code) } ?? .unknown
        case .success(let body):
            switch operation.kind {
            case .send:
                guard let answer = try? WireCodec.decode(Acknowledgement.self, from: body),
                    let (seq, id) = answer.seq.flatMap({ seq in answer.messageID.map { (seq, $0) } })
                else { return .unknown }
                let sender = devices[operation.device].user.userID
                sent[operation.channel, default: []].append((id, seq, sender))
                return .accepted(seq)
            case .recall:
                let answer = try? WireCodec.decode(MessageResults.self, from: body)
                return answer?.results.first?.code == 0 ? .accepted(answer?.acknowledgement.seq) : .unknown
            case .read: return .accepted((try? WireCodec.decode(Channel.self, from: body))?.seq)
            case .mark: return .accepted(nil)
            case .delete, .react, .members, .schedule:
                return .accepted((try? WireCodec.decode(Acknowledgement.self, from: body))?.seq)
            }
        }
    }

    // Commands.

    private func nextID() throws -> TransID {
        number += 1
        return try transID("t\(number)")
    }

    private func command() {
        do {
            try giveCommand()
        } catch {
            problems.append("\(error)")
        }
    }

    private func giveCommand() throws {
        let device = random.pick(devices)
        let channel = random.pick([hall, hall, den, pair])
        switch random.int(0...19) {
        case 0...6: try send(from: device, to: channel)
        case 7...8: try perform(GetChannel(channel: channel), .read, in: channel, by: device)
        case 9...10:
            guard let seq = device.rows[channel]?.last else { return }
            try perform(SetReadMark(channel: channel, seq: seq), .mark(seq), in: channel, by: device)
        case 11...14: try change(random.pick([true, false]), in: channel, by: device)
        case 15...16: try react(in: channel, by: device)
        case 17: try schedule(by: device)
        default: try changeMembers(by: device)
        }
    }

    private func send(from device: SimulatedDevice, to channel: ChannelID) throws {
        let id = try nextID()
        let text = "text of \(id)"
        let promise = device.send(SendMessage(channel: channel, text: text), id, now: now, server: server)
        add(.send(text), in: channel, by: device, id) {
            promise.result.map { $0.map { WireCodec.encode(Acknowledgement($0)) } }
        }
    }

    private func perform<C: Command>(
        _ command: C, _ kind: SimulatedOperation.Kind, in channel: ChannelID, by device: SimulatedDevice
    ) throws {
        let id = try nextID()
        let promise = Promise<[UInt8]>()
        device.input(.perform(command.any, id: id.rawValue, promise), now: now, server: server)
        add(kind, in: channel, by: device, id) { promise.result }
    }

    private func add(
        _ kind: SimulatedOperation.Kind, in channel: ChannelID, by device: SimulatedDevice, _ id: TransID,
        _ result: @escaping () -> Result<[UInt8], RoostError>?
    ) {
        waiting.append((operations.count, result))
        operations.append(
            SimulatedOperation(kind: kind, device: device.number, channel: channel, id: id, began: moment))
    }

    /// Recalls or deletes a message.
    private func change(_ isRecall: Bool, in channel: ChannelID, by device: SimulatedDevice) throws {
        let user = device.user.userID
        let known = (sent[channel] ?? []).filter { !isRecall || $0.sender == user }
        guard !known.isEmpty else { return }
        let message = random.pick(known)
        if isRecall {
            let isSilent = random.int(0...2) == 0 ? true : nil
            try perform(
                RecallMessages(channel: channel, messageIDs: [message.id], isSilent: isSilent), .recall(message.seq),
                in: channel, by: device)
        } else {
            try perform(DeleteMessages([message.id], in: channel), .delete(message.seq), in: channel, by: device)
        }
    }

    private func react(in channel: ChannelID, by device: SimulatedDevice) throws {
        guard let known = sent[channel], !known.isEmpty else { return }
        let (message, emoji) = (random.pick(known), random.pick(Self.emoji))
        if random.int(0...2) > 0 {
            try perform(
                AddReaction(channel: channel, messageID: message.id, emoji: emoji),
                .react(message.seq, emoji, isAdded: true), in: channel, by: device)
        } else {
            try perform(
                RemoveReaction(channel: channel, messageID: message.id, emoji: emoji),
                .react(message.seq, emoji, isAdded: false), in: channel, by: device)
        }
    }

    private func schedule(by device: SimulatedDevice) throws {
        number += 1
        let text = "scheduled text \(number)"
        let sendAt = server.clock.now + Int64(random.pick([61_000, 120_000, 7_000_000]))
        try perform(
            CreateSchedule(
                messages: [MessageContent(text: text)], channels: [pair], sendAt: .init(milliseconds: sendAt)),
            .schedule(text), in: pair, by: device)
    }

    /// The owners of the groups change the memberships of Cid and Dee, who also leave.
    private func changeMembers(by device: SimulatedDevice) throws {
        let channel = random.pick([hall, den])
        let member = random.pick([cid.userID, dee.userID])
        switch device.user.userID {
        case ann.userID where channel == hall, bob.userID where channel == den:
            if random.int(0...4) < 3 {
                try perform(
                    InviteMembers(channel: channel, members: [member]), .members([member]), in: channel, by: device)
            } else {
                try perform(
                    KickMembers(channel: channel, members: [member]), .members([member]), in: channel, by: device)
            }
        case cid.userID, dee.userID:
            try perform(LeaveChannel(channel: channel), .members([device.user.userID]), in: channel, by: device)
        default: try perform(ListMembers(channel: channel), .members([]), in: channel, by: device)
        }
    }
}
