import RoostWire

/// The requests that the client makes by itself while it is live: read marks to set, channels to read again.
struct Maintenance {
    /// How many channels are read at a time.
    static let window = 8

    /// Read marks that the server has not confirmed.
    var marks: [ChannelID: Int64] = [:]
    /// Channels to read again, in the order of the requests.
    var wanted: [ChannelID] = []
    /// Requests without an answer.
    var marking: Set<ChannelID> = []
    var reading: Set<ChannelID> = []
    /// The earliest time of the next request, after a temporary refusal.
    var retryAt: Int64?

    /// The connection is lost: unanswered requests are repeated.
    mutating func disconnected() {
        marking = []
        wanted = reading.sorted() + wanted.filter { !reading.contains($0) }
        reading = []
        retryAt = nil
    }
}

extension SyncStateMachine {
    /// Sends the requests that are not sent yet.
    mutating func runMaintenance(now: Int64) {
        guard phase == .live, maintenance.retryAt == nil else { return }
        for (channel, seq) in maintenance.marks where !maintenance.marking.contains(channel) {
            maintenance.marking.insert(channel)
            ask(.move(.setReadMark(SetReadMark(channel: channel, seq: seq))), .mark(channel, seq), now: now)
        }
        // A channel that is requested again while it is being read waits: the pending answer may be too old.
        while maintenance.reading.count < Maintenance.window,
            let index = maintenance.wanted.firstIndex(where: { !maintenance.reading.contains($0) })
        {
            let channel = maintenance.wanted.remove(at: index)
            maintenance.reading.insert(channel)
            ask(
                .read(.getChannel(GetChannel(channel: channel))), .snapshot(channel, since: logs.user.seq ?? 0),
                now: now)
        }
    }

    mutating func mark(_ channel: ChannelID, upTo seq: Int64, now: Int64) {
        maintenance.marks[channel] = max(maintenance.marks[channel] ?? 0, seq)
        runMaintenance(now: now)
    }

    mutating func want(_ channels: Set<ChannelID>, now: Int64) {
        let known = Set(maintenance.wanted)
        maintenance.wanted += channels.subtracting(known).sorted()
        runMaintenance(now: now)
    }

    mutating func marked(_ channel: ChannelID, upTo seq: Int64, _ body: [UInt8], now: Int64) {
        maintenance.marking.remove(channel)
        if let answer = try? WireCodec.decode(SetReadMark.Answer.self, from: body) {
            // The server treats a read mark beyond the newest row as one at the newest row.
            if let wanted = maintenance.marks[channel], wanted <= max(seq, answer.mark.seq) {
                maintenance.marks[channel] = nil
            }
            actions.append(.store(.marked(answer)))
        } else {
            maintenance.marks[channel] = nil
        }
        runMaintenance(now: now)
    }

    mutating func read(_ channel: ChannelID, _ body: [UInt8], since userSeq: Int64, now: Int64) {
        maintenance.reading.remove(channel)
        if let answer = try? WireCodec.decode(Channel.self, from: body) {
            actions.append(.store(.snapshot(answer, since: userSeq)))
        }
        runMaintenance(now: now)
    }

    mutating func maintenanceRefused(_ purpose: Request.Purpose, _ error: WireError, now: Int64) {
        switch purpose {
        case .mark(let channel, _):
            maintenance.marking.remove(channel)
            if !error.retryable { maintenance.marks[channel] = nil }
        case .snapshot(let channel, let userSeq):
            maintenance.reading.remove(channel)
            if error.retryable {
                maintenance.wanted.append(channel)
            } else if Self.isGone(error), logs[.channel(channel)]?.seq != nil {
                if userSeq != logs.user.seq ?? 0 {
                    // The user may have joined it again since the request.
                    maintenance.wanted.append(channel)
                } else {
                    // The row about it in the user's log may be one of those that are deleted.
                    emit(.reset(Reset(channel: channel, seq: 0, reason: .gone)))
                    lose(channel)
                }
            }
        case .caller, .gap, .userGap, .resume, .renewal: break
        }
        if error.retryable {
            maintenance.retryAt = now + Int64(RetryAfter.wait(error.retryAfterMs, otherwise: 1_000))
        } else {
            runMaintenance(now: now)
        }
    }

    /// Whether the channel no longer exists for the user.
    private static func isGone(_ error: WireError) -> Bool {
        [ErrorCode.channelNotFound, .notMember, .noPrivilege].contains { $0 ~= error }
    }

    /// Cancels a send, unless it is in flight.
    mutating func cancel(_ transID: TransID, _ promise: Promise<Void>, now: Int64) {
        guard let entry = lanes.remove(transID.rawValue) else {
            let isOnItsWay = lanes.contains(transID.rawValue)
            let error = RoostError(.tooLate, "The message is on its way to the server. Recall it afterwards.")
            actions.append(.finish(promise, isOnItsWay ? .failure(error) : .success(())))
            return
        }
        let error = RoostError(.cancelled, "The message was discarded before it was sent.")
        for waiter in entry.promises { actions.append(.acknowledge(waiter, .failure(error))) }
        actions.append(.finish(promise, .success(())))
        pump(entry.command.channel, now: now)
    }

    /// The store's positions differ from those of the logs: the store's are used.
    mutating func rewind(to positions: SyncPositions?, _ error: RoostError, now: Int64) {
        storeFailure = (now, error)
        let open = logs.open
        if isActive { actions.append(.close(connection, .normal)) }
        if phase != .offline, phase != .suspended { lost(.store(error), now: now) }
        logs = LogBook(positions, notesMoves: settings.hasStore)
        logs.open = open
    }

    mutating func forget(_ promise: Promise<Void>) {
        settings.owner = nil
        user = nil
        logs = LogBook(notesMoves: settings.hasStore)
        lanes = SendLanes()
        maintenance = Maintenance()
        actions.append(.finish(promise, .success(())))
    }
}
