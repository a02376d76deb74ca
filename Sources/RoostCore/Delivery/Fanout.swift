package import RoostWire

/// The subscriptions of the sessions of one lane.
///
/// A lane is confined to one event loop, so there is no lock. Its only input is the ordered list of deliveries after
/// each commit: the writer decides on subscriptions, in the same order as a channel's events. So an event is never
/// delivered to a user who had left before it, and never missed by a user who had joined.
package struct Fanout<Subscriber: AnyObject> {
    private final class Route {
        var seq: Int64
        /// The heartbeat round in which `seq` last changed.
        var round: UInt64
        var members: [UInt64: Entry] = [:]

        init(seq: Int64, round: UInt64) {
            self.seq = seq
            self.round = round
        }
    }

    private final class Entry {
        let subscriber: Subscriber
        let user: UserID
        var channels: Set<ChannelID> = []
        /// The first heartbeat round not yet reported to this session.
        var notifiedRound: UInt64
        /// Whether the head of one of its logs has moved since the last report.
        var isBehind = false

        init(subscriber: Subscriber, user: UserID, notifiedRound: UInt64) {
            self.subscriber = subscriber
            self.user = user
            self.notifiedRound = notifiedRound
        }
    }

    private final class UserRoute {
        var userSeq: Int64
        var sessions: [UInt64: Entry] = [:]

        init(userSeq: Int64) { self.userSeq = userSeq }
    }

    private let lane: Int
    private var round: UInt64 = 1
    private var channels: [ChannelID: Route] = [:]
    private var users: [UserID: UserRoute] = [:]
    private var sessions: [UInt64: Entry] = [:]

    package init(lane: Int) { self.lane = lane }

    /// The number of attached sessions.
    package var sessionCount: Int { sessions.count }

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
        case .event(let bytes, let receivers, let seq): deliver(bytes, to: receivers, seq: seq, send: send)
        case .reply(let session, let id, let answer):
            if session.lane == lane, let subscriber = find(session.number) { reply(subscriber, id, answer) }
        case .attach(let session, let user, let userSeq, let positions):
            if session.lane == lane, let subscriber = find(session.number) {
                attach(session.number, subscriber, user: user, userSeq: userSeq, positions: positions)
            }
        case .subscribe(let user, let channel, let seq):
            guard let route = users[user] else { return }
            for (number, entry) in route.sessions { follow(channel, seq: seq, number: number, entry: entry) }
        case .unsubscribe(let user, let channel):
            guard let route = users[user] else { return }
            for (number, entry) in route.sessions { unfollow(channel, number: number, entry: entry) }
        case .participate(let session, let channel, let seq):
            if session.lane == lane, let entry = sessions[session.number] {
                follow(channel, seq: seq, number: session.number, entry: entry)
            }
        case .end(let session, let error):
            if session.lane == lane, let subscriber = find(session.number) { end(subscriber, error) }
        case .withdraw(let session, let channel):
            if session.lane == lane, let entry = sessions[session.number] {
                unfollow(channel, number: session.number, entry: entry)
            }
        }
    }

    /// Removes a session whose connection is closed.
    package mutating func detach(_ number: UInt64) {
        guard let entry = sessions.removeValue(forKey: number) else { return }
        for channel in entry.channels { unfollow(channel, number: number, entry: entry) }
        guard let route = users[entry.user] else { return }
        route.sessions[number] = nil
        if route.sessions.isEmpty { users[entry.user] = nil }
    }

    /// The positions for the heartbeat of a session: the head of its user's log and of the channels that changed
    /// since the last one.
    /// - Returns: nil if none of its logs has moved since.
    package mutating func positions(of number: UInt64) -> Positions? {
        guard let entry = sessions[number], entry.isBehind, let route = users[entry.user] else { return nil }
        entry.isBehind = false
        round += 1
        var changed: [ChannelPosition] = []
        for channel in entry.channels {
            if let route = channels[channel], route.round >= entry.notifiedRound {
                changed.append(ChannelPosition(channel: channel, seq: route.seq))
            }
        }
        entry.notifiedRound = round
        return Positions(userSeq: route.userSeq, channels: changed.sorted { $0.channel < $1.channel })
    }

    private mutating func attach(
        _ number: UInt64, _ subscriber: Subscriber, user: UserID, userSeq: Int64, positions: [ChannelPosition]
    ) {
        let entry = Entry(subscriber: subscriber, user: user, notifiedRound: round)
        sessions[number] = entry
        let route = users[user] ?? UserRoute(userSeq: userSeq)
        if userSeq > route.userSeq {
            // Another process has moved the head.
            route.userSeq = userSeq
            for entry in route.sessions.values { entry.isBehind = true }
        }
        route.sessions[number] = entry
        users[user] = route
        for position in positions { follow(position.channel, seq: position.seq, number: number, entry: entry) }
    }

    private mutating func follow(_ channel: ChannelID, seq: Int64, number: UInt64, entry: Entry) {
        let route = channels[channel] ?? Route(seq: seq, round: 0)
        route.seq = max(route.seq, seq)
        route.members[number] = entry
        channels[channel] = route
        entry.channels.insert(channel)
    }

    private mutating func unfollow(_ channel: ChannelID, number: UInt64, entry: Entry) {
        entry.channels.remove(channel)
        guard let route = channels[channel] else { return }
        route.members[number] = nil
        if route.members.isEmpty { channels[channel] = nil }
    }

    private func deliver(_ bytes: [UInt8], to receivers: Receivers, seq: Int64?, send: (Subscriber, [UInt8]) -> Void) {
        switch receivers {
        case .channel(let channel):
            guard let route = channels[channel] else { return }
            if let seq {
                route.seq = seq
                route.round = round
            }
            for entry in route.members.values {
                if seq != nil { entry.isBehind = true }
                send(entry.subscriber, bytes)
            }
        case .others(let channel, let except):
            guard let route = channels[channel] else { return }
            for entry in route.members.values where entry.user != except { send(entry.subscriber, bytes) }
        case .user(let user):
            guard let route = users[user] else { return }
            if let seq { route.userSeq = seq }
            for entry in route.sessions.values {
                if seq != nil { entry.isBehind = true }
                send(entry.subscriber, bytes)
            }
        }
    }
}
