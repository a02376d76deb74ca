import RoostWire

/// How this user's typing in one channel is sent to others.
struct OwnTyping: Equatable {
    /// How often `typing.start` is repeated, in ms; others stop showing it after 10 s.
    static let interval: Int64 = 3_000
    /// How long after the last keystroke the typing ends, in ms.
    static let pause: Int64 = 5_000

    /// When `typing.start` was last sent.
    var reportedAt: Int64
    var endsAt: Int64
}

extension SyncStateMachine {
    mutating func keystroke(in channel: ChannelID, now: Int64) {
        guard phase == .live else { return }
        var own = typing[channel] ?? OwnTyping(reportedAt: now - OwnTyping.interval, endsAt: 0)
        own.endsAt = now + OwnTyping.pause
        if now - own.reportedAt >= OwnTyping.interval {
            own.reportedAt = now
            ask(.move(.startTyping(StartTyping(channel: channel))), .caller([]), now: now)
        }
        typing[channel] = own
    }

    mutating func stopTyping(in channel: ChannelID, now: Int64) {
        guard typing.removeValue(forKey: channel) != nil, phase == .live else { return }
        ask(.move(.endTyping(EndTyping(channel: channel))), .caller([]), now: now)
    }

    /// When the first of them ends by itself.
    var typingEndsAt: Int64? { typing.values.map(\.endsAt).min() }

    mutating func endTyping(now: Int64) {
        for (channel, own) in typing where own.endsAt <= now { stopTyping(in: channel, now: now) }
    }
}
