import RoostWire

/// A command that waits for its answer.
struct Request: Sendable {
    enum Purpose: Sendable {
        case caller([Promise<[UInt8]>])
        /// Rows of a channel are missing.
        case gap(ChannelID)
        /// Rows of the user's log are missing.
        case userGap(meeting: Set<ChannelID>)
        case resume(named: [ChannelID])
        /// The user has read up to this row.
        case mark(ChannelID, Int64)
        /// A channel that the store wants to read again; with the position in the user's log at that time.
        case snapshot(ChannelID, since: Int64)
        /// The connection continues with this token.
        case renewal(String)
    }

    /// The id of the first frame.
    static let hello = "hello"

    let id: String
    let command: AnyCommand
    var purpose: Purpose
    let order: Int
    let deadline: Int64?
    var isInFlight = false
    /// When it was first sent, in ms since 1970 by the server's clock; nil if it never was.
    var triedAt: Int64?

    static var timeout: RoostError {
        RoostError(.timedOut, "The server did not answer in time. It may have done what was asked.", isRetryable: true)
    }
}

extension AnyCommand {
    var isTyping: Bool {
        switch self {
        case .move(.startTyping), .move(.endTyping): true
        default: false
        }
    }
}

extension SyncStateMachine {
    mutating func perform(_ command: AnyCommand, id: String, _ promise: Promise<[UInt8]>, now: Int64) {
        func refuse(_ error: RoostError) { actions.append(.answer(promise, .failure(error))) }
        guard phase != .offline else { return refuse(Self.notConnected) }
        if command.isTyping, phase != .live { return refuse(Self.notConnected) }
        if let known = requests[id], known.command == command, case .caller(let promises) = known.purpose {
            requests[id]?.purpose = .caller(promises + [promise])
            return
        }
        guard requests[id] == nil, !lanes.contains(id) else {
            return refuse(RoostError(wire: WireError(.duplicateTransID)))
        }
        guard requests.count + lanes.count < settings.maximumPending else { return refuse(Self.tooMany) }
        if case .move(.joinChannel(let join)) = command { joining.insert(join.channel) }
        let request = Request(
            id: id, command: command, purpose: .caller([promise]), order: nextOrder(),
            deadline: now + settings.commandTimeout)
        enqueue(request, now: now)
    }

    /// Sends a request by the client itself.
    mutating func ask(_ command: AnyCommand, _ purpose: Request.Purpose, now: Int64) {
        let order = nextOrder()
        enqueue(
            Request(
                id: "c\(order)", command: command, purpose: purpose, order: order,
                deadline: now + settings.commandTimeout), now: now)
    }

    private mutating func enqueue(_ request: Request, now: Int64) {
        requests[request.id] = request
        expect(deadline: request.deadline)
        switch request.purpose {
        case .resume, .renewal: transmit(request.id, now: now)
        case .caller, .gap, .userGap, .mark, .snapshot: if phase == .live { transmit(request.id, now: now) }
        }
        if case .caller = request.purpose { hurry(now: now) }
    }

    private mutating func transmit(_ id: String, now: Int64) {
        guard let request = requests[id], !request.isInFlight else { return }
        let triedAt = request.triedAt ?? serverTime(at: now)
        requests[id]?.isInFlight = true
        requests[id]?.triedAt = triedAt
        if !write(ClientFrame(id: id, command: request.command)) {
            requests[id] = nil
            fail(request, RoostError(wire: WireError(.tooLarge)))
        }
    }

    /// Writes a frame; returns whether it is small enough to be sent.
    @discardableResult
    mutating func write(_ frame: ClientFrame) -> Bool {
        guard let bytes = try? WireCodec.encodeClientFrame(frame), bytes.count <= limits.frameBytes else {
            return false
        }
        actions.append(.write(bytes))
        expectAnswer()
        return true
    }

    mutating func send(
        _ command: SendMessage, transID: TransID, _ promise: Promise<SentMessage>, isHeld: Bool = false, now: Int64
    ) {
        var command = command
        command.after = nil
        var entry = SendLanes.Entry(
            transID: transID, command: command, order: nextOrder(), deadline: settings.sendTimeout.map { now + $0 },
            promises: [promise])
        entry.isHeld = isHeld
        guard phase != .offline || settings.hasStore else { return fail(entry, Self.notConnected) }
        if lanes.share(transID.rawValue, command, promise) { return }
        guard requests[transID.rawValue] == nil, !lanes.contains(transID.rawValue) else {
            return fail(entry, RoostError(wire: WireError(.duplicateTransID)))
        }
        guard requests.count + lanes.count < settings.maximumPending else { return fail(entry, Self.tooMany) }
        do {
            try MessageRules.check(command, limits: limits)
        } catch {
            return fail(entry, RoostError(wire: error))
        }
        lanes.append(entry)
        // The message tells others that this user is no longer typing it.
        typing[command.channel] = nil
        expect(deadline: entry.deadline)
        pump(command.channel, now: now)
        hurry(now: now)
    }

    /// Sends the messages of one lane that may go out, if there is a connection.
    mutating func pump(_ channel: ChannelID, now: Int64) {
        guard phase == .live else { return }
        while let entry = lanes.next(in: channel, now: now, serverTime: serverTime(at: now)) {
            if write(ClientFrame(id: entry.transID.rawValue, command: .write(.sendMessage(entry.command)))) { continue }
            let error = WireError(.tooLarge)
            if case .settled(let entry) = lanes.refused(entry.transID.rawValue, error, now: now) {
                fail(entry, RoostError(wire: error))
            }
        }
    }

    /// Sends everything that waited for the connection, in its order.
    mutating func sendWaiting(now: Int64) {
        var lanes = lanes.waiting[...]
        for request in requests.values.filter({ !$0.isInFlight }).sorted(by: { $0.order < $1.order }) {
            while let lane = lanes.first, lane.order < request.order {
                pump(lane.channel, now: now)
                lanes.removeFirst()
            }
            transmit(request.id, now: now)
        }
        for lane in lanes { pump(lane.channel, now: now) }
    }

    /// For how long after its first attempt a command is repeated, in ms: an hour less than a transID is
    /// remembered, because a command arrives a little after it is sent.
    private static let sentAgainFor = RetentionRules.transIDs - 3_600_000

    /// Fails commands that were first sent so long ago that the server may have forgotten their transIDs: repeated,
    /// they could be executed twice.
    mutating func giveBackForgotten(at time: Int64) {
        let limit = time - Self.sentAgainFor
        for entry in lanes.remove(triedBefore: limit) { fail(entry, Self.outcomeUnknown) }
        let old = requests.values.filter { request in
            request.command.effect == .writes && request.triedAt.map { $0 < limit } == true
        }
        for request in old.sorted(by: { $0.order < $1.order }) {
            requests[request.id] = nil
            fail(request, Self.outcomeUnknown)
        }
    }

    mutating func accepted(_ id: String, _ body: [UInt8], now: Int64) {
        if lanes.contains(id) {
            acknowledged(id, body, now: now)
        } else if id == Request.hello, phase == .authenticating {
            welcomed(body, now: now)
        } else if let request = requests.removeValue(forKey: id) {
            switch request.purpose {
            case .resume(let named): resumed(body, named: named, now: now)
            case .gap(let channel): filled(channel, body, now: now)
            case .userGap(let met): filledUser(body, meeting: met, now: now)
            case .mark(let channel, let seq): marked(channel, upTo: seq, body, now: now)
            case .snapshot(let channel, let userSeq): read(channel, body, since: userSeq, now: now)
            case .renewal(let token): renewed(with: token)
            case .caller(let promises):
                carriedOut(request.command, body)
                for promise in promises { actions.append(.answer(promise, .success(body))) }
            }
        }
    }

    private mutating func acknowledged(_ id: String, _ body: [UInt8], now: Int64) {
        guard case .settled(let entry) = lanes.accepted(id) else { return }
        do {
            let message = try SentMessage(try WireCodec.decodeAcknowledgement(body))
            emit(.sent(message))
            for promise in entry.promises { actions.append(.acknowledge(promise, .success(message))) }
        } catch {
            fail(entry, RoostError(.invalidAnswer, "The acknowledgement cannot be read; the message was stored."))
        }
        pump(entry.command.channel, now: now)
    }

    /// Applies the effects of an accepted command of the app.
    private mutating func carriedOut(_ command: AnyCommand, _ body: [UInt8]) {
        switch command {
        case .move(.joinChannel(let join)):
            joining.remove(join.channel)
            logs.open.insert(join.channel)
            if let channel = try? WireCodec.decode(Channel.self, from: body) {
                logs.change(.channel(join.channel)) { $0.start(at: max(0, channel.seq)) }
                release(.channel(join.channel))
            }
        case .write(.leaveChannel(let leave)):
            if logs.open.contains(leave.channel) {
                logs.forget(leave.channel)
                emit(.left(leave.channel))
            }
        default: break
        }
    }

    mutating func refused(_ id: String, _ error: WireError, now: Int64) {
        if lanes.contains(id) {
            if case .settled(let entry) = lanes.refused(id, error, now: now) {
                fail(entry, RoostError(wire: error))
                pump(entry.command.channel, now: now)
            } else {
                for lane in lanes.waiting { pump(lane.channel, now: now) }
            }
        } else if id == Request.hello, phase == .authenticating {
            refusedHello(error, now: now)
        } else if let request = requests[id] {
            switch request.purpose {
            case .caller:
                // A server that stops has not executed it; the next connection sends the command again.
                if ErrorCode.draining ~= error {
                    requests[id]?.isInFlight = false
                    return
                }
                requests[id] = nil
                fail(request, RoostError(wire: error))
            case .resume:
                requests[id] = nil
                resumeRefused(request, error, now: now)
            case .gap(let channel):
                requests[id] = nil
                fillRefused(.channel(channel), error, now: now)
            case .userGap:
                requests[id] = nil
                fillRefused(.user, error, now: now)
            case .mark, .snapshot:
                requests[id] = nil
                maintenanceRefused(request.purpose, error, now: now)
            case .renewal:
                requests[id] = nil
                renewal.failed(now: now)
            }
        }
    }

    mutating func timedOut(_ request: Request, now: Int64) {
        switch request.purpose {
        case .caller:
            // Each attempt ends at the store then, and the server has nothing to do with it.
            let failure = storeFailure.flatMap { now - $0.at < settings.commandTimeout ? $0.error : nil }
            fail(request, failure ?? Request.timeout)
        case .renewal: renewal.failed(now: now)
        case .resume, .gap, .userGap, .mark, .snapshot:
            if phase == .catchingUp || phase == .live { drop(.timedOut, now: now) }
        }
    }

    mutating func fail(_ request: Request, _ error: RoostError) {
        if case .move(.joinChannel(let join)) = request.command {
            joining.remove(join.channel)
            if !logs.open.contains(join.channel), logs[.channel(join.channel)]?.seq == nil {
                logs.forget(join.channel)
            }
        }
        guard case .caller(let promises) = request.purpose else { return }
        for promise in promises { actions.append(.answer(promise, .failure(error))) }
    }

    mutating func fail(_ entry: SendLanes.Entry, _ error: RoostError) {
        let error = error.naming(SendMessage.name)
        for promise in entry.promises { actions.append(.acknowledge(promise, .failure(error))) }
        var message = entry.command
        message.after = nil
        emit(.sendFailed(FailedSend(transID: entry.transID, message: message, error: error)))
    }

    private static var notConnected: RoostError {
        RoostError(.notConnected, "The client is not connected. Call connect() first.", isRetryable: true)
    }

    private static var outcomeUnknown: RoostError {
        RoostError(
            .outcomeUnknown,
            "It may have been sent: the answer was lost, and the server remembers it for 7 days only. "
                + "Look before you send it again.")
    }

    private static var tooMany: RoostError {
        RoostError(.tooManyPending, "Too many commands wait for their answers. Wait for some.", isRetryable: true)
    }
}

extension WireCodec {
    /// Reads an acknowledgement without Codable, because there is one for every message.
    static func decodeAcknowledgement(_ bytes: [UInt8]) throws -> Acknowledgement {
        var reader = JSONReader(bytes)
        var channel: ChannelID?
        var seq: Int64?
        var seqs: [Int64]?
        var messageID: MessageID?
        var transID: TransID?
        var sentAt: Int64?
        try reader.object { reader, key in
            switch key {
            case "channel": channel = ChannelID(rawValue: try reader.string())
            case "seq": seq = try reader.int()
            case "seqs":
                var numbers: [Int64] = []
                try reader.array { numbers.append(try $0.int()) }
                seqs = numbers
            case "messageID": messageID = MessageID(rawValue: try reader.string())
            case "transID": transID = TransID(rawValue: try reader.string())
            case "sentAt": sentAt = try reader.int()
            default: try reader.skip()
            }
        }
        try reader.finish()
        guard let transID, let sentAt else { throw JSONFault.syntax(at: 0) }
        return Acknowledgement(
            channel: channel, seq: seq, seqs: seqs, messageID: messageID, transID: transID,
            sentAt: .init(milliseconds: sentAt))
    }
}
