import Logging
import RoostWire

extension Transaction {
    mutating func startTyping(_ id: ChannelID) throws {
        let actor = try actor
        guard let channel = try channelToType(in: id) else { return }
        if let session = actor.session {
            // A closed connection may be detached before its commands run; typing started now would never end.
            guard batch.sessions[session] != nil else { return }
            batch.sessions.startTyping(session, in: id, at: batch.now)
        }
        try batch.notifyTypingStarted(actor.user, in: channel)
    }

    mutating func stopTyping(_ id: ChannelID) throws {
        let actor = try actor
        guard try channelToType(in: id) != nil else { return }
        if let session = actor.session { batch.sessions.endTyping(session, in: id) }
        try batch.notifyTypingEnded(actor.user, in: id)
    }

    /// The channel in which the caller types; nil if nobody may see it.
    private mutating func channelToType(in id: ChannelID) throws -> ChannelState? {
        let me = try me
        guard let channel = try channel(id) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { return channel }
        _ = try member(me, of: channel)
        guard !channel.kind.isNews else {
            throw WireError(.channelTypeMismatch, "Typing is not supported in news channels.")
        }
        return channel.isBlocked(me) ? nil : channel
    }
}

/// The typing of a user as announced in a channel, over all devices of the user.
///
/// `typing.started` is sent immediately, and then at most once per second: a repetition within the second is sent at
/// its end, unless typing has ended by then. `typing.ended` is sent immediately when no device types any more, and
/// only once per announced start. So however often devices start and stop typing, the others get at most one pair per
/// second, and always learn the last state, a start at most a second late.
///
/// A message implies that its sender's typing is over. It cancels a pending start; another device that is still
/// typing repeats its start within 3 s.
///
/// The second is measured with the clock that dates the events. If that is set back, the second counts as over, which
/// causes one extra event.
struct TypingState {
    var user: User
    /// When the last start was announced, in ms since 1970.
    var announcedAt: Int64
    /// Whether the end must be announced.
    var isEndOwed = true
    /// Whether a start must be announced again when the second is over.
    var isWaiting = false

    /// The minimum time between two announced starts, in ms.
    static let interval: Int64 = 1_000
    /// How long a client shows a user as typing without a repetition, in ms.
    private static let shownFor: Int64 = 10_000
    /// How long an announced start is remembered at least, so that its end can be announced, in ms.
    private static let rememberedFor: Int64 = 60_000

    init(_ user: User, announcedAt: Int64) {
        self.user = user
        self.announcedAt = announcedAt
    }

    /// When a pending start is due, in ms since 1970.
    var dueAt: Int64 { announcedAt.addingReportingOverflow(Self.interval).partialValue }

    /// Whether it is too early to announce another start.
    func isFresh(at now: Int64) -> Bool { Self.isWithin(Self.interval, since: announcedAt, now) }

    /// Whether this state is still relevant.
    func isRemembered(at now: Int64) -> Bool { Self.isWithin(Self.rememberedFor, since: announcedAt, now) }

    /// Whether a user who started typing at a time is still shown as typing.
    static func isShown(since: Int64, at now: Int64) -> Bool { isWithin(shownFor, since: since, now) }

    private static func isWithin(_ span: Int64, since: Int64, _ now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(since)
        return !overflow && age >= 0 && age < span
    }
}

/// The typing state of all users who typed in the last minute, and of at most as many others.
struct TypingStates {
    private var known: [MemberKey: TypingState] = [:]
    /// The users with a pending start.
    private var waiting: Set<MemberKey> = []
    /// When the next pending start is due, in ms since 1970.
    private(set) var nextDue: Int64?
    /// When the last start was announced.
    private var lastAnnouncedAt: Int64 = 0
    private var most = 1_024

    var count: Int { known.count }

    subscript(_ key: MemberKey) -> TypingState? { known[key] }

    /// Applies the changes of a committed batch.
    mutating func apply(_ changes: [MemberKey: TypingState]) {
        for (key, state) in changes {
            let old = known.updateValue(state, forKey: key)
            if old?.announcedAt != state.announcedAt { lastAnnouncedAt = state.announcedAt }
            if state.isWaiting {
                waiting.insert(key)
                nextDue = min(nextDue ?? .max, state.dueAt)
            } else {
                waiting.remove(key)
            }
        }
        guard known.count > most else { return }
        known = known.filter { waiting.contains($0.key) || $0.value.isRemembered(at: lastAnnouncedAt) }
        most = max(1_024, 2 * known.count)
    }

    /// Returns the users whose pending start is due.
    mutating func dequeueDue(at now: Int64) -> [MemberKey] {
        // A start is due within a second, unless the clock was set back.
        guard let nextDue, nextDue <= now || nextDue - TypingState.interval > now else { return [] }
        let due = waiting.filter { known[$0]?.isFresh(at: now) != true }
        self.nextDue = waiting.subtracting(due).compactMap { known[$0]?.dueAt }.min()
        return due.sorted { ($0.channel, $0.user) < ($1.channel, $1.user) }
    }
}

extension Batch {
    fileprivate mutating func notifyTypingStarted(_ user: User, in channel: ChannelState) throws {
        let key = MemberKey(channel: channel.id, user: user.userID)
        if var state = sessions.typingState(key), state.isFresh(at: now) {
            state.user = user
            state.isWaiting = true
            sessions.put(state, key)
            return
        }
        sessions.put(TypingState(user, announcedAt: now), key)
        try notify(
            .others(channel.id, except: user.userID), channel: channel.id,
            body: .typingStarted(typing(user, in: channel)))
    }

    /// Ends the typing of a session, if it was typing.
    mutating func endTyping(_ session: SessionID, in id: ChannelID) throws {
        guard let user = sessions[session]?.user, sessions.endTyping(session, in: id) else { return }
        try notifyTypingEnded(user, in: id)
    }

    /// Ends the typing of a user in a channel, on all devices.
    mutating func endTyping(of user: UserID, in id: ChannelID) throws {
        for session in sessions.sessions(of: user) { sessions.endTyping(session, in: id) }
        guard let state = sessions.typingState(MemberKey(channel: id, user: user)) else { return }
        try notifyTypingEnded(state.user, in: id)
    }

    /// Announces that a user has stopped typing, if no other device types and a start was announced.
    mutating func notifyTypingEnded(_ user: User, in id: ChannelID) throws {
        let key = MemberKey(channel: id, user: user.userID)
        guard !sessions.isTyping(user.userID, in: id, at: now), var state = sessions.typingState(key) else { return }
        let isOwed = state.isEndOwed
        guard isOwed || state.isWaiting else { return }
        state.isEndOwed = false
        state.isWaiting = false
        sessions.put(state, key)
        let channel = channels[id] ?? caches.channels[id]
        guard isOwed, channel?.isBlocked(user.userID) != true else { return }
        try notify(
            .others(id, except: user.userID), channel: id, body: .typingEnded(typing(user, in: channel)))
    }

    /// Ends the typing of a user without an event, because the message implies it.
    mutating func endTypingBySending(_ user: UserID, _ session: SessionID?, in id: ChannelID) {
        if let session { sessions.endTyping(session, in: id) }
        let key = MemberKey(channel: id, user: user)
        guard var state = sessions.typingState(key), state.isWaiting else { return }
        state.isWaiting = false
        sessions.put(state, key)
    }

    /// Announces pending starts of users who are still typing.
    fileprivate mutating func notifyTypingAgain(_ keys: [MemberKey]) throws {
        for key in keys {
            guard var state = sessions.typingState(key) else { continue }
            state.isWaiting = false
            sessions.put(state, key)
            // Skipped for channels that are no longer cached: the client will repeat its start soon.
            guard let channel = caches.channels[key.channel], channel.dismissedAt == nil,
                channel.kind == .open || channel.members[key.user] != nil, !channel.isBlocked(key.user)
            else { continue }
            try notifyTypingStarted(state.user, in: channel)
        }
    }

    private func typing(_ user: User, in channel: ChannelState?) -> TypingChanged {
        let shown = channel?.members[user.userID]?.shown(user) ?? user
        return TypingChanged(userID: user.userID, name: shown.name, at: .init(milliseconds: now))
    }
}

extension Writer {
    /// Announces pending starts that are due.
    func announceTyping() {
        let now = effects.now()
        // A block that was set at another server may not be known here; the client will repeat its start.
        let due = caches.sessions.dequeueTypingDue(at: now).filter { key in
            caches.channels[key.channel].map { !journal.hasHeard(ofNewer: $0) } ?? true
        }
        guard !due.isEmpty else { return }
        var batch = Batch(now: now, over: caches)
        do {
            try batch.notifyTypingAgain(due)
        } catch {
            logger.error("typing could not be announced", metadata: ["error": "\(error)"])
        }
        committed(batch)
    }
}
