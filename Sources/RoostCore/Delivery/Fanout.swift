package import RoostWire

/// The subscriptions of the sessions of one lane.
///
/// A lane is confined to one event loop, so there is no lock. Its input is the ordered list of deliveries after each
/// commit of this server, and what other servers of the database have committed, which may arrive in any order, twice,
/// or not at all. Each log is delivered row by row: the next row at once, a later one when the rows before it have
/// been read from the log. A subscription begins and ends at a row, whatever arrives first. So an event is never
/// delivered to a user who had left before it, and never missed by a user who had joined.
package struct Fanout<Subscriber: AnyObject> {
    final class Entry {
        let number: UInt64
        let subscriber: Subscriber
        let user: UserID
        var channels: Set<ChannelID> = []
        /// The head of the user's log when the session was attached, as its subscriptions were then.
        let attachedAt: Int64
        /// The row of the user's log that has last changed its subscription to a channel since.
        var changes: [ChannelID: Int64] = [:]
        /// Changes to channels that it does not follow, for which rows of the user's log have to come first.
        var deferred: [ChannelID: [SubscriptionChange]] = [:]
        /// Events of these channels that are in no log.
        var held: [ChannelID: [HeldEvent]] = [:]
        /// Channels that it follows and whose next change has to wait for them.
        var undecided: Set<ChannelID> = []
        /// The first heartbeat round not yet reported to this session.
        var notifiedRound: UInt64
        /// Whether the head of one of its logs has moved since the last report.
        var isBehind = false

        init(_ number: UInt64, _ subscriber: Subscriber, user: UserID, attachedAt: Int64, notifiedRound: UInt64) {
            self.number = number
            self.subscriber = subscriber
            self.user = user
            self.attachedAt = attachedAt
            self.notifiedRound = notifiedRound
        }
    }

    private let lane: Int
    /// Whether a subscription that begins may have been followed by rows that have arrived before it.
    let hasOthers: Bool
    private(set) var round: UInt64 = 1
    var routes: [LogID: Route] = [:]
    private(set) var sessions: [UInt64: Entry] = [:]
    /// The number of events so far that are in no log.
    var events: UInt64 = 0
    /// The sessions with deferred changes, by channel.
    var deferring: [ChannelID: Set<UInt64>] = [:]
    /// The logs that wait for rows.
    var waiting: Set<LogID> = []

    /// - Parameter hasOthers: whether other servers may use the database at the same time.
    package init(lane: Int, hasOthers: Bool = false) {
        self.lane = lane
        self.hasOthers = hasOthers
    }

    /// The number of attached sessions.
    package var sessionCount: Int { sessions.count }

    /// Whether every session has got all rows that this lane knows of.
    package var isComplete: Bool { routes.values.allSatisfy { $0.detour == nil } }

    /// The newest row of each log that everybody here has got.
    package var heads: [LogID: Int64] { routes.mapValues { $0.detour?.low($0.seq) ?? $0.seq } }

    /// Performs one delivery.
    /// - Parameters:
    /// - find: returns the connection with this number, whether attached or not; nil if it is closed.
    ///   - send: writes an event to a session.
    ///   - reply: writes an answer to a session.
    ///   - end: ends the connection of a session, after this delivery.
    package mutating func apply(
        _ delivery: Delivery, find: (UInt64) -> Subscriber?, send: (Subscriber, [UInt8]) -> Void,
        reply: (Subscriber, String, Reply) -> Void, end: (Subscriber, WireError) -> Void
    ) {
        switch delivery {
        case .row(let bytes, let log, let seq): deliver(bytes, of: log, seq: seq, send: send)
        case .event(let bytes, let receivers, let after): deliver(bytes, to: receivers, after: after, send: send)
        case .moved(let log, let seq): note(seq, of: log)
        case .filled(let range, let rows, let read): fill(range, with: rows, read: read, send: send)
        case .reply(let session, let id, let answer):
            if session.lane == lane, let subscriber = find(session.number) { reply(subscriber, id, answer) }
        case .attach(let session, let user, let userSeq, let positions):
            if session.lane == lane, let subscriber = find(session.number) {
                attach(session.number, subscriber, user: user, userSeq: userSeq, positions: positions)
            }
        case .subscribe(let user, let channel, let place):
            change(.init(isStart: true, place: place), of: user, in: channel, send: send)
        case .unsubscribe(let user, let channel, let place):
            change(.init(isStart: false, place: place), of: user, in: channel, send: send)
        case .participate(let session, let channel, let place):
            if session.lane == lane, let entry = sessions[session.number] {
                // The user may have been banned since that was checked.
                guard place.userSeq >= entry.changes[channel] ?? 0 else { return }
                note(place, in: channel, entry)
                follow(channel, after: place.seq, entry, readsBack: true)
            }
        case .end(let session, let error):
            if session.lane == lane, let subscriber = find(session.number) { end(subscriber, error) }
        case .withdraw(let session, let channel):
            if session.lane == lane, let entry = sessions[session.number] { unfollow(channel, entry) }
        }
    }

    /// Removes a session whose connection is closed.
    package mutating func detach(_ number: UInt64) {
        guard let entry = sessions.removeValue(forKey: number) else { return }
        for channel in entry.channels { unfollow(channel, entry) }
        for channel in Array(entry.deferred.keys) { endDeferring(entry, channel) }
        remove(entry, from: .user(entry.user))
    }

    /// The positions for the heartbeat of a session: the head of its user's log and of the channels that changed
    /// since the last one.
    /// - Returns: nil if none of its logs has moved since.
    package mutating func positions(of number: UInt64) -> Positions? {
        guard let entry = sessions[number], entry.isBehind, let route = routes[.user(entry.user)] else { return nil }
        entry.isBehind = false
        round += 1
        var changed: [ChannelPosition] = []
        for channel in entry.channels {
            if let route = routes[.channel(channel)], route.round >= entry.notifiedRound {
                changed.append(ChannelPosition(channel: channel, seq: route.seq))
            }
        }
        entry.notifiedRound = round
        return Positions(userSeq: route.seq, channels: changed.sorted { $0.channel < $1.channel })
    }

    private mutating func attach(
        _ number: UInt64, _ subscriber: Subscriber, user: UserID, userSeq: Int64, positions: [ChannelPosition]
    ) {
        let entry = Entry(number, subscriber, user: user, attachedAt: userSeq, notifiedRound: round)
        sessions[number] = entry
        // What it lacks below the heads it reads itself.
        join(.user(user), after: userSeq, entry, readsBack: false)
        for position in positions { follow(position.channel, after: position.seq, entry, readsBack: false) }
    }
}
