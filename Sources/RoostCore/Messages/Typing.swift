import Logging
import RoostWire

extension Transaction {
    mutating func startTyping(_ id: ChannelID) throws {
        let actor = try actor
        guard let channel = try channelToType(in: id) else { return }
        if let session = actor.session {
            // A connection that is gone goes before what it had asked for, and nobody would end what it starts now.
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

    /// The channel in which the caller may type; nil when nobody is to see it.
    private mutating func channelToType(in id: ChannelID) throws -> ChannelState? {
        let me = try me
        guard let channel = try channel(id) else { throw WireError(.channelNotFound) }
        guard channel.kind != .open else { return channel }
        _ = try member(me, of: channel)
        guard !channel.kind.isNews else { throw WireError(.channelTypeMismatch, "Nobody types in a channel of news.") }
        return channel.isBlocked(me) ? nil : channel
    }
}

/// What the others in a channel were told of one user's typing there, over all devices of the user.
///
/// `typing.started` goes out at once, and then at most once in a second: what is
/// repeated within the second is told at its end, unless typing has ended by then.
/// `typing.ended` goes out at once when no device types any more, and only once
/// for a start that was told. So however many devices start and end how often,
/// the others get at most one pair in a second, and they always come to know the
/// last state, a start a second late at most.
///
/// A message says itself that its sender's typing is over. It takes back a start
/// that waits; another device that goes on typing says so again within 3 s.
///
/// The second is measured by the clock that dates the events. When that is set
/// back, it counts as over: that makes one event more.
struct Typist {
    var user: User
    /// When the others were last told that the user types, ms since 1970.
    var toldAt: Int64
    /// Whether they are to be told when it ends.
    var isEndOwed = true
    /// Whether they are to be told of it again when the second is over.
    var isWaiting = false

    /// The least time between two starts that are told, in ms.
    static let interval: Int64 = 1_000
    /// For how long a reader shows somebody as typing without hearing of it again, in ms.
    private static let shownFor: Int64 = 10_000
    /// For how long a start that was told is remembered at least, in ms: its end is told as long.
    private static let rememberedFor: Int64 = 60_000

    init(_ user: User, toldAt: Int64) {
        self.user = user
        self.toldAt = toldAt
    }

    /// When a start that waits is told, ms since 1970.
    var dueAt: Int64 { toldAt.addingReportingOverflow(Self.interval).partialValue }

    /// Whether a start may not be told again yet.
    func isFresh(at now: Int64) -> Bool { Self.isWithin(Self.interval, since: toldAt, now) }

    /// Whether it still matters.
    func isRemembered(at now: Int64) -> Bool { Self.isWithin(Self.rememberedFor, since: toldAt, now) }

    /// Whether somebody who said so at a time is still shown as typing.
    static func isShown(since: Int64, at now: Int64) -> Bool { isWithin(shownFor, since: since, now) }

    private static func isWithin(_ span: Int64, since: Int64, _ now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(since)
        return !overflow && age >= 0 && age < span
    }
}

/// What is known of all who typed in the last minute, and of at most as many others.
struct Typists {
    private var known: [MemberKey: Typist] = [:]
    /// Those of whom the others are to be told again.
    private var waiting: Set<MemberKey> = []
    /// When to look for those whose second is over, ms since 1970.
    private(set) var nextDue: Int64?
    /// When the last start was told.
    private var lastToldAt: Int64 = 0
    private var most = 1_024

    var count: Int { known.count }

    subscript(_ key: MemberKey) -> Typist? { known[key] }

    /// Makes true what a batch has decided.
    mutating func apply(_ changes: [MemberKey: Typist]) {
        for (key, typist) in changes {
            if known.updateValue(typist, forKey: key)?.toldAt != typist.toldAt { lastToldAt = typist.toldAt }
            if typist.isWaiting {
                waiting.insert(key)
                nextDue = min(nextDue ?? .max, typist.dueAt)
            } else {
                waiting.remove(key)
            }
        }
        guard known.count > most else { return }
        known = known.filter { waiting.contains($0.key) || $0.value.isRemembered(at: lastToldAt) }
        most = max(1_024, 2 * known.count)
    }

    /// Takes those whose second is over; nobody before the first of them is due.
    mutating func dequeueDue(at now: Int64) -> [MemberKey] {
        // None is due later than a second from now, unless the clock was set back.
        guard let nextDue, nextDue <= now || nextDue - Typist.interval > now else { return [] }
        let due = waiting.filter { known[$0]?.isFresh(at: now) != true }
        self.nextDue = waiting.subtracting(due).compactMap { known[$0]?.dueAt }.min()
        return due.sorted { ($0.channel, $0.user) < ($1.channel, $1.user) }
    }
}

extension Batch {
    fileprivate mutating func notifyTypingStarted(_ user: User, in channel: ChannelState) throws {
        let key = MemberKey(channel: channel.id, user: user.userID)
        if var typist = sessions.typist(key), typist.isFresh(at: now) {
            typist.user = user
            typist.isWaiting = true
            sessions.put(typist, key)
            return
        }
        sessions.put(Typist(user, toldAt: now), key)
        try notify(
            .others(channel.id, except: user.userID), channel: channel.id,
            body: .typingStarted(typing(user, in: channel)))
    }

    /// Ends what a session was typing, if it was.
    mutating func endTyping(_ session: SessionID, in id: ChannelID) throws {
        guard let user = sessions[session]?.user, sessions.endTyping(session, in: id) else { return }
        try notifyTypingEnded(user, in: id)
    }

    /// Ends what a user types in a channel, on all devices.
    mutating func endTyping(of user: UserID, in id: ChannelID) throws {
        for session in sessions.sessions(of: user) { sessions.endTyping(session, in: id) }
        guard let typist = sessions.typist(MemberKey(channel: id, user: user)) else { return }
        try notifyTypingEnded(typist.user, in: id)
    }

    /// Tells that a user types no more, if another device does not and it is owed.
    mutating func notifyTypingEnded(_ user: User, in id: ChannelID) throws {
        let key = MemberKey(channel: id, user: user.userID)
        guard !sessions.isTyping(user.userID, in: id, at: now), var typist = sessions.typist(key) else { return }
        let isOwed = typist.isEndOwed
        guard isOwed || typist.isWaiting else { return }
        typist.isEndOwed = false
        typist.isWaiting = false
        sessions.put(typist, key)
        let channel = channels[id] ?? caches.channels[id]
        guard isOwed, channel?.isBlocked(user.userID) != true else { return }
        try notify(
            .others(id, except: user.userID), channel: id, body: .typingEnded(typing(user, in: channel)))
    }

    /// Ends what a user was typing, without an event: readers take it from the message.
    mutating func endTypingBySending(_ user: UserID, _ session: SessionID?, in id: ChannelID) {
        if let session { sessions.endTyping(session, in: id) }
        let key = MemberKey(channel: id, user: user)
        guard var typist = sessions.typist(key), typist.isWaiting else { return }
        typist.isWaiting = false
        sessions.put(typist, key)
    }

    /// Tells of typing that was repeated within a second of the last time, and goes on.
    fileprivate mutating func notifyTypingAgain(_ keys: [MemberKey]) throws {
        for key in keys {
            guard var typist = sessions.typist(key) else { continue }
            typist.isWaiting = false
            sessions.put(typist, key)
            // Of a channel that is no longer remembered nobody is told: the client says so again soon.
            guard let channel = caches.channels[key.channel], channel.dismissedAt == nil,
                channel.kind == .open || channel.members[key.user] != nil, !channel.isBlocked(key.user)
            else { continue }
            try notifyTypingStarted(typist.user, in: channel)
        }
    }

    private func typing(_ user: User, in channel: ChannelState?) -> TypingChanged {
        let shown = channel?.members[user.userID]?.shown(user) ?? user
        return TypingChanged(userID: user.userID, name: shown.name, at: now)
    }
}

extension Writer {
    /// Tells of typing that waited for its second to be over.
    func announceTyping() {
        let now = effects.now()
        let due = caches.sessions.dequeueTypingDue(at: now)
        guard !due.isEmpty else { return }
        var batch = Batch(now: now, over: caches)
        do {
            try batch.notifyTypingAgain(due)
        } catch {
            logger.error("typing could not be told", metadata: ["error": "\(error)"])
        }
        committed(batch)
    }
}
