import RoostWire

/// A change to the subscription of a user to a channel.
struct SubscriptionChange {
    var isStart: Bool
    var place: SubscriptionPlace
}

extension Fanout {
    /// How far a log was delivered, and to whom.
    final class Route {
        /// The newest row that was delivered.
        var seq: Int64
        /// The heartbeat round in which `seq` last changed.
        var round: UInt64
        var members: [UInt64: Entry] = [:]
        /// What is not the next row for everybody; nearly always nil.
        var detour: Detour?

        init(seq: Int64, round: UInt64) {
            self.seq = seq
            self.round = round
        }
    }

    /// What of a log has arrived before its turn, and the sessions that have another next row than the others.
    struct Detour {
        /// Rows that somebody still waits for, with nil for those that do not exist any more.
        var rows: [Int64: [UInt8]?] = [:]
        var followers: [UInt64: Follower] = [:]
        /// Events that are in no log.
        var events: [HeldEvent] = []
        /// The newest row that is known of.
        var newest: Int64
        /// Whether there may be more of them, until they have been read.
        var isOpen = false
        /// The read that finds them.
        var openRead: Int64?
        /// What was asked for last.
        var asked: LogRange?

        /// Whether it is not known yet who gets more.
        var isUndecided: Bool {
            followers.values.contains { follower in
                follower.changes.first.map { $0.place.seq <= follower.seq } ?? false
            }
        }

        /// The row up to which everybody has all.
        func low(_ seq: Int64) -> Int64 { followers.values.reduce(seq) { min($0, $1.seq) } }
    }

    /// An event that is in no log, and waits.
    struct HeldEvent {
        /// The row before it.
        var after: Int64
        var bytes: [UInt8]
        /// Who does not get it.
        var except: UserID?
        /// The only session that has not got it yet; nil if none has.
        var only: UInt64?
        let number: UInt64
    }

    /// A session that has another next row than the others, or whose subscription changes at one of the next rows.
    struct Follower {
        let entry: Entry
        /// The newest row that it got, or that is not for it.
        var seq: Int64
        var isSubscribed = true
        /// The row after which its subscription began, if that was not long ago.
        var start: Int64 = 0
        /// The changes to come, in their order.
        var changes: [SubscriptionChange] = []
    }

    /// The most rows of a log that are held back. What comes beyond is read from the log later. The same number of events
    /// that are in no log is held back, and no more.
    private static var maxHeld: Int { 1_000 }

    // MARK: Rows

    /// Delivers the next row of a log, holds a later one, and drops one that was delivered.
    mutating func deliver(_ bytes: [UInt8], of log: LogID, seq: Int64, send: (Subscriber, [UInt8]) -> Void) {
        guard let route = routes[log] else { return }
        if route.detour == nil {
            if seq == route.seq + 1 {
                deliverNext(bytes, route, to: route.members.values, send)
                return changeDeferred(log, route, send)
            }
            if seq <= route.seq { return }
        }
        var detour = route.detour ?? Detour(newest: route.seq)
        detour.newest = max(detour.newest, seq)
        let low = detour.low(route.seq)
        if seq > low, detour.rows[seq] == nil, detour.rows.count < Self.maxHeld || seq == low + 1 {
            detour.rows[seq] = bytes
        }
        proceed(route, detour, log, send)
    }

    /// Takes rows that were asked for.
    mutating func fill(
        _ range: LogRange, with rows: [Int64: [UInt8]], read: Int64, send: (Subscriber, [UInt8]) -> Void
    ) {
        guard let route = routes[range.log] else { return }
        var detour = route.detour ?? Detour(newest: route.seq)
        detour.asked = nil
        // Another lane may have asked earlier, for what there was then.
        if let openRead = detour.openRead, read >= openRead { detour.isOpen = false }
        detour.newest = max(detour.newest, range.through)
        let low = max(range.after, detour.low(route.seq))
        for seq in stride(from: low + 1, through: range.through, by: 1) where detour.rows[seq] == nil {
            detour.rows[seq] = rows[seq]
        }
        proceed(route, detour, range.log, send)
    }

    /// Takes note of the head of a log.
    mutating func note(_ seq: Int64, of log: LogID) {
        guard let route = routes[log], seq > route.seq else { return }
        var detour = route.detour ?? Detour(newest: route.seq)
        detour.newest = max(detour.newest, seq)
        route.detour = detour
        waiting.insert(log)
    }

    /// Asks for the rows that are missing, for each once.
    /// - Parameter read: begins to read them, and returns the place of that read among all reads.
    package mutating func readMissing(_ read: ([LogRange]) -> Int64) {
        let missing = takeMissing()
        guard !missing.isEmpty else { return }
        let number = read(missing)
        for range in missing where routes[range.log]?.detour?.isOpen == true {
            routes[range.log]?.detour?.openRead = number
        }
    }

    private mutating func takeMissing() -> [LogRange] {
        let logs = waiting
        waiting.removeAll()
        return logs.compactMap { log in
            guard let route = routes[log], let detour = route.detour else { return nil }
            let low = detour.low(route.seq)
            if let asked = detour.asked, asked.after <= low, low < asked.through { return nil }
            var range = LogRange(log, after: low, through: detour.isOpen ? LogRange.end : detour.newest)
            while detour.rows[range.through] != nil { range.through -= 1 }
            guard range.after < range.through else { return nil }
            route.detour?.asked = range
            return range
        }
    }

    /// Delivers an event that is in no log.
    mutating func deliver(
        _ bytes: [UInt8], to receivers: Receivers, after: Int64, send: (Subscriber, [UInt8]) -> Void
    ) {
        switch receivers {
        case .channel(let channel): deliver(bytes, in: channel, after: after, except: nil, send)
        case .others(let channel, let except): deliver(bytes, in: channel, after: after, except: except, send)
        case .user(let user):
            guard let route = routes[.user(user)] else { return }
            for entry in route.members.values { send(entry.subscriber, bytes) }
        }
    }

    private mutating func deliver(
        _ bytes: [UInt8], in channel: ChannelID, after: Int64, except: UserID?, _ send: (Subscriber, [UInt8]) -> Void
    ) {
        events += 1
        let event = HeldEvent(after: after, bytes: bytes, except: except, number: events)
        holdForDeferred(event, in: channel)
        guard let route = routes[.channel(channel)] else { return }
        guard route.detour != nil || after > route.seq else {
            return deliver(bytes, route, except: except, send)
        }
        deliver(event, route, channel, send)
    }

    /// Delivers an event as soon as those who get it have the rows before it.
    private mutating func deliver(
        _ event: HeldEvent, _ route: Route, _ channel: ChannelID, _ send: (Subscriber, [UInt8]) -> Void
    ) {
        var detour = route.detour ?? Detour(newest: route.seq)
        detour.newest = max(detour.newest, event.after)
        if detour.events.count < Self.maxHeld { detour.events.append(event) }
        proceed(route, detour, .channel(channel), send)
    }

    /// Keeps an event for the sessions whose subscription waits for a row of the user's log.
    private func holdForDeferred(_ event: HeldEvent, in channel: ChannelID) {
        for number in deferring[channel] ?? [] {
            guard let entry = sessions[number], entry.user != event.except,
                entry.held[channel, default: []].count < Self.maxHeld
            else { continue }
            var event = event
            event.only = number
            entry.held[channel, default: []].append(event)
        }
    }

    private func deliver(_ bytes: [UInt8], _ route: Route, except: UserID?, _ send: (Subscriber, [UInt8]) -> Void) {
        for entry in route.members.values where entry.user != except { send(entry.subscriber, bytes) }
    }

    private func deliverNext(
        _ bytes: [UInt8]?, _ route: Route, to entries: some Sequence<Entry>, _ send: (Subscriber, [UInt8]) -> Void
    ) {
        route.seq += 1
        route.round = round
        for entry in entries {
            entry.isBehind = true
            if let bytes { send(entry.subscriber, bytes) }
        }
    }

    /// Delivers what has its turn now, and ends the detour if nothing is left of it.
    private mutating func proceed(
        _ route: Route, _ before: Detour, _ log: LogID, _ send: (Subscriber, [UInt8]) -> Void
    ) {
        var detour = before
        var hasMoved = true
        while hasMoved {
            hasMoved = false
            sendDue(&detour, route, send)
            for (number, follower) in detour.followers {
                let next = step(follower, route, log, detour.rows, send)
                hasMoved = hasMoved || next?.seq != follower.seq
                detour.followers[number] = next
            }
            guard let row = detour.rows[route.seq + 1] else { continue }
            let others = route.members.values.filter { detour.followers[$0.number] == nil }
            deliverNext(row, route, to: others, send)
            hasMoved = true
        }
        sendDue(&detour, route, send)
        let low = detour.low(route.seq)
        detour.rows = detour.rows.filter { $0.key > low }
        detour.newest = max(detour.newest, route.seq)
        if route.members.isEmpty {
            routes[log] = nil
        } else if detour.followers.isEmpty, low == detour.newest, detour.events.isEmpty, !detour.isOpen {
            route.detour = nil
        } else {
            route.detour = detour
            if low < detour.newest || detour.isOpen { waiting.insert(log) }
        }
        changeDeferred(log, route, send)
    }

    /// Delivers the events that come before the next row, or have waited until it is known who gets them.
    private func sendDue(_ detour: inout Detour, _ route: Route, _ send: (Subscriber, [UInt8]) -> Void) {
        guard !detour.events.isEmpty, !detour.isUndecided else { return }
        let low = detour.low(route.seq)
        for event in detour.events where event.after <= low {
            for entry in route.members.values
            where entry.user != event.except && event.only ?? entry.number == entry.number {
                if let follower = detour.followers[entry.number] {
                    guard follower.isSubscribed, follower.start <= event.after else { continue }
                }
                send(entry.subscriber, event.bytes)
            }
        }
        detour.events.removeAll { $0.after <= low }
    }

    /// Moves a follower by one row, if it has arrived.
    /// - Returns: nil if it is like all others now, or gone.
    private func step(
        _ before: Follower, _ route: Route, _ log: LogID, _ rows: [Int64: [UInt8]?],
        _ send: (Subscriber, [UInt8]) -> Void
    ) -> Follower? {
        var follower = before
        while let change = follower.changes.first, change.place.seq <= follower.seq || !follower.isSubscribed {
            let isDecided = change.place.userSeq <= userHead(of: follower.entry) || change.place.userSeq == .max
            guard isDecided else { return follower }
            follower.changes.removeFirst()
            follower.isSubscribed = change.isStart
            if change.isStart {
                follower.seq = max(follower.seq, change.place.seq)
                follower.start = change.place.seq
            }
            if case .channel(let channel) = log { note(change.place, in: channel, follower.entry) }
        }
        guard follower.isSubscribed else {
            route.members[follower.entry.number] = nil
            if case .channel(let channel) = log { follower.entry.channels.remove(channel) }
            return nil
        }
        if follower.changes.isEmpty, follower.seq == route.seq { return nil }
        if let row = rows[follower.seq + 1] {
            follower.seq += 1
            follower.entry.isBehind = true
            if let row { send(follower.entry.subscriber, row) }
        }
        return follower
    }

    // MARK: Subscriptions

    /// Subscribes a session to a log from a row on.
    /// - Parameter readsBack: whether it is sent what others have got since that row.
    mutating func join(_ log: LogID, after seq: Int64, _ entry: Entry, readsBack: Bool) {
        guard let route = routes[log] else {
            let route = Route(seq: seq, round: 0)
            route.members[entry.number] = entry
            routes[log] = route
            // Rows that arrived before were for nobody.
            guard readsBack, hasOthers else { return }
            route.detour = Detour(newest: seq, isOpen: true)
            waiting.insert(log)
            return
        }
        guard route.members.updateValue(entry, forKey: entry.number) == nil else { return }
        guard seq > route.seq || seq < route.seq && readsBack else { return }
        var detour = route.detour ?? Detour(newest: route.seq)
        detour.followers[entry.number] = Follower(entry: entry, seq: seq, start: seq)
        detour.newest = max(detour.newest, seq)
        route.detour = detour
        waiting.insert(log)
    }

    mutating func follow(_ channel: ChannelID, after seq: Int64, _ entry: Entry, readsBack: Bool) {
        join(.channel(channel), after: seq, entry, readsBack: readsBack)
        entry.channels.insert(channel)
    }

    /// Takes note of a change, so that an earlier one that comes later is recognized.
    func note(_ place: SubscriptionPlace, in channel: ChannelID, _ entry: Entry) {
        if hasOthers { entry.changes[channel] = place.userSeq }
    }

    mutating func unfollow(_ channel: ChannelID, _ entry: Entry) {
        entry.channels.remove(channel)
        remove(entry, from: .channel(channel))
    }

    mutating func remove(_ entry: Entry, from log: LogID) {
        guard let route = routes[log] else { return }
        route.members[entry.number] = nil
        route.detour?.followers[entry.number] = nil
        if route.members.isEmpty {
            routes[log] = nil
            waiting.remove(log)
        }
    }

    /// Begins or ends the subscriptions of a user's sessions to a channel, each at its place.
    mutating func change(
        _ change: SubscriptionChange, of user: UserID, in channel: ChannelID, send: (Subscriber, [UInt8]) -> Void
    ) {
        guard let route = routes[.user(user)] else { return }
        for entry in route.members.values where change.place.userSeq > entry.attachedAt {
            take(change, entry, channel, send)
        }
    }

    private mutating func take(
        _ change: SubscriptionChange, _ entry: Entry, _ channel: ChannelID, _ send: (Subscriber, [UInt8]) -> Void
    ) {
        // Not before the changes to its subscriptions that come first, which come with the rows of its log.
        if entry.channels.contains(channel) || change.place.userSeq <= userHead(of: entry) {
            self.change(change, entry, channel, send)
        } else {
            entry.deferred[channel, default: []].append(change)
            deferring[channel, default: []].insert(entry.number)
        }
    }

    /// The newest row of the user's log that a session has got.
    private func userHead(of entry: Entry) -> Int64 {
        guard let route = routes[.user(entry.user)] else { return entry.attachedAt }
        return route.detour?.followers[entry.number]?.seq ?? route.seq
    }

    /// Makes the changes that have waited for a row of a user's log.
    private mutating func changeDeferred(_ log: LogID, _ route: Route, _ send: (Subscriber, [UInt8]) -> Void) {
        guard case .user = log else { return }
        for entry in route.members.values {
            for channel in Array(entry.deferred.keys) { begin(entry, channel, send) }
            for channel in entry.undecided {
                guard let route = routes[.channel(channel)], let detour = route.detour,
                    detour.followers[entry.number]?.changes.isEmpty == false
                else {
                    entry.undecided.remove(channel)
                    continue
                }
                proceed(route, detour, .channel(channel), send)
            }
        }
    }

    /// Makes the first of the deferred changes to a subscription, if it has its turn; the others follow in the detour.
    private mutating func begin(_ entry: Entry, _ channel: ChannelID, _ send: (Subscriber, [UInt8]) -> Void) {
        let changes = entry.deferred[channel, default: []].sorted { $0.place.userSeq < $1.place.userSeq }
        guard let first = changes.first, first.place.userSeq <= userHead(of: entry) else { return }
        endDeferring(entry, channel)
        for change in changes { take(change, entry, channel, send) }
        guard entry.deferred[channel] == nil else { return }
        for event in entry.held.removeValue(forKey: channel) ?? [] {
            guard entry.channels.contains(channel), let route = routes[.channel(channel)] else { return }
            // It may wait there for all, and so for this session, too.
            let isWaiting = route.detour?.events.contains { $0.number == event.number && $0.only == nil } == true
            if !isWaiting { deliver(event, route, channel, send) }
        }
    }

    mutating func endDeferring(_ entry: Entry, _ channel: ChannelID) {
        entry.deferred[channel] = nil
        deferring[channel]?.remove(entry.number)
        if deferring[channel]?.isEmpty == true { deferring[channel] = nil }
    }

    private mutating func change(
        _ change: SubscriptionChange, _ entry: Entry, _ channel: ChannelID, _ send: (Subscriber, [UInt8]) -> Void
    ) {
        let (place, log) = (change.place, LogID.channel(channel))
        guard place.userSeq > entry.changes[channel] ?? 0 else { return }
        guard entry.channels.contains(channel), let route = routes[log] else {
            note(place, in: channel, entry)
            if change.isStart { follow(channel, after: place.seq, entry, readsBack: true) }
            return
        }
        var follower = route.detour?.followers[entry.number] ?? Follower(entry: entry, seq: route.seq)
        guard place.seq > follower.seq || !follower.changes.isEmpty else {
            note(place, in: channel, entry)
            if !change.isStart { unfollow(channel, entry) }
            return
        }
        // Another one that comes between may still be on its way.
        let index = follower.changes.firstIndex { $0.place.userSeq >= place.userSeq } ?? follower.changes.endIndex
        if index < follower.changes.endIndex, follower.changes[index].place == place { return }
        follower.changes.insert(change, at: index)
        var detour = route.detour ?? Detour(newest: route.seq)
        detour.newest = max(detour.newest, place.seq)
        detour.followers[entry.number] = follower
        if place.userSeq > userHead(of: entry) { entry.undecided.insert(channel) }
        proceed(route, detour, log, send)
    }
}
