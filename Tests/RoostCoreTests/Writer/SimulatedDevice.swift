import RoostTesting
import RoostWire

@testable import RoostClient

/// A device of a user: the state machine of the SDK, and a connection whose frames are on their way until the
/// simulation carries them.
final class SimulatedDevice {
    let number: Int
    let user: User
    let deviceID: DeviceID
    /// The number of its session; nil without a connection.
    var session: UInt64?
    var uplink: [[UInt8]] = []
    var downlink: [ServerFrame] = []
    /// The rows that the server has sent it while they were new, whether they arrived or not.
    var received: [ChannelID: Set<Int64>] = [:]
    /// Whether it reads nothing for now.
    var isStuck = false
    private(set) var machine: SyncStateMachine
    private(set) var problems: [String] = []
    /// The numbers of the rows that were shown to the app, by channel, and of those in the log of the user.
    private(set) var rows: [ChannelID: [Int64]] = [:]
    private(set) var userRows: [Int64] = []
    /// The position from which the device knows a channel since its user joined last.
    private(set) var since: [ChannelID: Int64] = [:]
    private(set) var texts: [ChannelID: [Int64: String]] = [:]
    private let seed: UInt64
    /// The sends that the app waits for: the device keeps them over a restart.
    private var sends: [(TransID, SendMessage, Promise<SentMessage>)] = []

    init(_ number: Int, _ user: User, _ deviceID: DeviceID, seed: UInt64) {
        self.number = number
        self.user = user
        self.deviceID = deviceID
        self.seed = seed
        machine = SyncStateMachine(settings: Self.settings(user, deviceID), positions: nil, seed: seed)
    }

    private static func settings(_ user: User, _ deviceID: DeviceID) -> SyncStateMachine.Settings {
        var settings = SyncStateMachine.Settings(deviceID: deviceID)
        settings.guest = Guest(userID: user.userID)
        settings.keepsTryingToConnect = true
        return settings
    }

    var isLive: Bool { machine.phase == .live }

    /// Whether nothing is on its way, missing or unanswered.
    var isSettled: Bool {
        isLive && uplink.isEmpty && downlink.isEmpty && machine.requests.isEmpty && machine.lanes.count == 0
            && machine.gapped.isEmpty
    }

    /// The newest row of a channel that was shown; nil if the device does not follow it.
    func position(in channel: ChannelID) -> Int64? { machine.logs[.channel(channel)]?.seq }

    /// What it waits for, in words.
    var state: String {
        "device \(number) is \(machine.phase) with \(uplink.count) frames sent, \(downlink.count) to read, "
            + "\(machine.requests.keys.sorted()), \(machine.lanes.count) sends, gaps in \(machine.gapped)"
    }

    /// Starts the app: what it had shown and sent is known, the connection is not.
    func restart(now: Int64, server: SimulatedCore) {
        server.close(self)
        uplink = []
        downlink = []
        sends = sends.filter { $0.2.result == nil }
        machine = SyncStateMachine(
            settings: Self.settings(user, deviceID), positions: machine.logs.positions, seed: seed &+ UInt64(now))
        input(.connect(Promise()), now: now, server: server)
        for (transID, message, promise) in sends {
            input(.send(message, transID, promise), now: now, server: server)
        }
    }

    func send(_ message: SendMessage, _ transID: TransID, now: Int64, server: SimulatedCore) -> Promise<SentMessage> {
        let promise = Promise<SentMessage>()
        sends.append((transID, message, promise))
        input(.send(message, transID, promise), now: now, server: server)
        return promise
    }

    func input(_ input: SyncInput, now: Int64, server: SimulatedCore) {
        machine.handle(input, now: now)
        for action in machine.drainActions() { perform(action, now: now, server: server) }
        _ = machine.logs.drainMoves()
    }

    private func perform(_ action: SyncAction, now: Int64, server: SimulatedCore) {
        switch action {
        case .open(let connection):
            uplink = []
            downlink = []
            server.open(self)
            input(.opened(connection, token: nil), now: now, server: server)
        case .close:
            uplink = []
            downlink = []
            server.close(self)
        case .write(let bytes): uplink.append(bytes)
        case .provideToken: problems.append("a guest is asked for a token")
        case .emit(let event): show(event)
        case .state, .store: break
        case .answer(let promise, let result): promise.complete(result)
        case .acknowledge(let promise, let result): promise.complete(result)
        case .finish(let promise, let result): promise.complete(result)
        }
    }

    private func show(_ shown: ClientEvent) {
        switch shown {
        case .event(let event, _):
            if let seq = event.userSeq {
                if let last = userRows.last, seq != last + 1 {
                    problems.append("row \(seq) of the own log after \(last)")
                }
                userRows.append(seq)
                if case .user(.channelJoined(let joined)) = event.body { since[joined.channel] = joined.fromSeq }
            } else if let channel = event.channel, let seq = event.seq {
                if let last = rows[channel]?.last, seq <= last {
                    problems.append("row \(seq) of \(channel) after \(last)")
                }
                rows[channel, default: []].append(seq)
                if let text = event.text, !text.isEmpty { texts[channel, default: [:]][seq] = text }
            }
        // The user was removed from the channel.
        case .reset(let reset) where reset.reason == .gone: break
        case .reset(let reset): problems.append("\(reset)")
        case .lagged: problems.append("lagged")
        default: break
        }
    }
}
