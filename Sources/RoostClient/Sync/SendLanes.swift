import DequeModule
import RoostWire

/// The sends to each channel, in their order.
///
/// Sends are pipelined, answers may be lost and some sends are refused, and yet a
/// channel must show them in the order in which they were
/// written. So a send names the previous one (`after`) while that one has no
/// answer, and the server stores nothing whose predecessor it does not know. An
/// acknowledged send is on the server's disk: the next one need not name it, and so
/// never refers to something that the server has forgotten since.
///
/// - A send waits in `queue`, is in flight in `flying`, and leaves with its
///   acknowledgement or a definite refusal.
/// - A temporary refusal, and 7004 for everything that was chained to it,
///   send an entry to `returned`. The lane then sends nothing new; when the last
///   answer is in, the returned ones go back to the front and are chained again.
/// - A lost connection does the same to everything unacknowledged. The transIDs
///   stay, so that a send which had been stored is answered and not doubled.
struct SendLanes {
    struct Entry {
        let transID: TransID
        var command: SendMessage
        let order: Int
        let deadline: Int64?
        var promises: [Promise<SentMessage>]
        var attempts = 0
        /// When it was first sent, in ms since 1970 by the server's clock; nil if it never was.
        var triedAt: Int64?
        /// Whether it waits for a file, which also delays the sends behind it.
        var isHeld = false
        /// Whether the server stores it: only then can another send name it as its predecessor.
        let isStored: Bool

        init(
            transID: TransID, command: SendMessage, order: Int, deadline: Int64?,
            promises: [Promise<SentMessage>]
        ) {
            self.transID = transID
            self.command = command
            self.order = order
            self.deadline = deadline
            self.promises = promises
            let type = command.type.flatMap(MessageType.named)
            isStored = type?.behaviour(attributes: command.attributes).isStored ?? true
        }
    }

    /// The result of an answer.
    enum Outcome {
        /// The send is done.
        case settled(Entry)
        /// The send is repeated later.
        case again
        /// No such send is in flight.
        case unknown
    }

    struct Lane {
        var queue = Deque<Entry>()
        var flying: [Entry] = []
        var returned: [Entry] = []
        /// The earliest time of the next send, after a temporary refusal.
        var retryAt: Int64?

        var isEmpty: Bool { queue.isEmpty && flying.isEmpty && returned.isEmpty }

        mutating func mend() {
            guard flying.isEmpty, !returned.isEmpty else { return }
            queue.prepend(contentsOf: returned.sorted { $0.order < $1.order })
            returned = []
        }
    }

    /// How many sends of one channel may be in flight; the server reads only 32 commands ahead anyway.
    static let window = 64
    /// How often a send is tried after temporary refusals without `retryAfterMs`.
    static let maxAttempts = 8

    private(set) var lanes: [ChannelID: Lane] = [:]
    private var channelOf: [String: ChannelID] = [:]
    /// Whether a lane may be waiting for a time.
    private var hasRetry = false
    /// How many sends are not done.
    var count: Int { channelOf.count }
    /// Whether any of them is in flight.
    var areFlying: Bool { lanes.values.contains { !$0.flying.isEmpty } }

    func contains(_ id: String) -> Bool { channelOf[id] != nil }

    mutating func append(_ entry: Entry) {
        channelOf[entry.transID.rawValue] = entry.command.channel
        lanes[entry.command.channel, default: Lane()].queue.append(entry)
    }

    /// The channels with waiting sends, the oldest send first.
    var waiting: [(channel: ChannelID, order: Int)] {
        lanes.compactMap { id, lane in lane.queue.first.map { (id, $0.order) } }.sorted { $0.1 < $1.1 }
    }

    /// Removes the next send of a channel that may go out now, chained to the previous one.
    mutating func next(in channel: ChannelID, now: Int64, serverTime: Int64?) -> Entry? {
        guard lanes[channel]?.queue.isEmpty == false else { return nil }
        return lanes[channel]?.dequeueNext(now: now, serverTime: serverTime)
    }

    /// Adds a promise to the same send; returns whether it is the same.
    mutating func share(_ id: String, _ command: SendMessage, _ promise: Promise<SentMessage>) -> Bool {
        guard let channel = channelOf[id] else { return false }
        return lanes[channel]?.share(id, command, promise) ?? false
    }

    mutating func accepted(_ id: String) -> Outcome {
        guard let channel = channelOf[id], let entry = lanes[channel]?.accept(id) else { return .unknown }
        channelOf[id] = nil
        return .settled(entry)
    }

    mutating func refused(_ id: String, _ error: WireError, now: Int64) -> Outcome {
        guard let channel = channelOf[id] else { return .unknown }
        hasRetry = true
        switch lanes[channel]?.refuse(id, error, now: now) {
        case .settled(let entry):
            channelOf[id] = nil
            return .settled(entry)
        case .again: return .again
        case .unknown, nil: return .unknown
        }
    }

    /// The connection is lost: everything unacknowledged is sent again, in its order.
    mutating func disconnected() {
        for id in lanes.keys { lanes[id]?.giveBack() }
        hasRetry = false
    }

    /// Removes the sends that are older than their limit, or all of them.
    mutating func removeExpired(now: Int64?) -> [Entry] {
        remove { entry in
            guard let now else { return true }
            return entry.deadline.map { $0 <= now } ?? false
        }
    }

    /// Removes the sends that were first sent before a time of the server's clock.
    mutating func remove(triedBefore time: Int64) -> [Entry] { remove { $0.triedAt.map { $0 < time } ?? false } }

    private mutating func remove(where isOver: (Entry) -> Bool) -> [Entry] {
        var taken: [Entry] = []
        for id in lanes.keys { taken += lanes[id]?.remove(where: isOver) ?? [] }
        for entry in taken { channelOf[entry.transID.rawValue] = nil }
        return taken.sorted { $0.order < $1.order }
    }

    /// Removes the promises from all sends, which stay.
    mutating func removePromises() -> [Promise<SentMessage>] {
        lanes.keys.flatMap { lanes[$0]?.removePromises() ?? [] }
    }

    /// The file of a held send is uploaded.
    mutating func release(_ id: String, _ command: SendMessage) {
        guard let channel = channelOf[id],
            let index = lanes[channel]?.queue.firstIndex(where: { $0.transID.rawValue == id && $0.isHeld })
        else { return }
        lanes[channel]?.queue[index].command = command
        lanes[channel]?.queue[index].isHeld = false
    }

    /// Removes a send that is not in flight; nil if it is, or if there is none.
    mutating func remove(_ id: String) -> Entry? {
        guard let channel = channelOf[id], let entry = lanes[channel]?.remove(id) else { return nil }
        channelOf[id] = nil
        return entry
    }

    /// When the next send times out.
    var earliestDeadline: Int64? {
        lanes.values.lazy.flatMap { lane in
            [lane.flying.first?.deadline, lane.returned.first?.deadline, lane.queue.first?.deadline]
        }
        .compactMap { $0 }.min()
    }

    /// When the next action of a lane is due.
    var wakeAt: Int64? {
        guard hasRetry else { return nil }
        return lanes.values.lazy.compactMap { $0.queue.isEmpty ? nil : $0.retryAt }.min()
    }
}

extension SendLanes.Lane {
    fileprivate mutating func dequeueNext(now: Int64, serverTime: Int64?) -> SendLanes.Entry? {
        guard returned.isEmpty, flying.count < SendLanes.window, queue.first?.isHeld == false else { return nil }
        if let retryAt {
            guard now >= retryAt else { return nil }
            self.retryAt = nil
        }
        guard var entry = queue.popFirst() else { return nil }
        entry.command.after = flying.last(where: \.isStored)?.transID
        entry.triedAt = entry.triedAt ?? serverTime
        flying.append(entry)
        return entry
    }

    fileprivate mutating func share(
        _ id: String, _ command: SendMessage, _ promise: Promise<SentMessage>
    ) -> Bool {
        func add(_ entry: inout SendLanes.Entry) -> Bool {
            guard entry.transID.rawValue == id else { return false }
            var plain = entry.command
            plain.after = command.after
            guard plain == command else { return false }
            entry.promises.append(promise)
            return true
        }
        for index in flying.indices where add(&flying[index]) { return true }
        for index in returned.indices where add(&returned[index]) { return true }
        for index in queue.indices where add(&queue[index]) { return true }
        return false
    }

    fileprivate mutating func accept(_ id: String) -> SendLanes.Entry? {
        guard let index = flying.firstIndex(where: { $0.transID.rawValue == id }) else { return nil }
        defer { mend() }
        return flying.remove(at: index)
    }

    fileprivate mutating func refuse(_ id: String, _ error: WireError, now: Int64) -> SendLanes.Outcome {
        guard let index = flying.firstIndex(where: { $0.transID.rawValue == id }) else { return .unknown }
        var entry = flying.remove(at: index)
        defer { mend() }
        guard error.retryable else { return .settled(entry) }
        // The previous one was refused: they are chained again.
        if !(ErrorCode.orderBroken ~= error) {
            if error.retryAfterMs == nil, !(ErrorCode.draining ~= error) { entry.attempts += 1 }
            let wait = RetryAfter.capped(error.retryAfterMs ?? 500 << entry.attempts)
            retryAt = max(retryAt ?? 0, now + Int64(wait))
        }
        guard entry.attempts < SendLanes.maxAttempts else { return .settled(entry) }
        returned.append(entry)
        return .again
    }

    fileprivate mutating func giveBack() {
        returned += flying
        flying = []
        retryAt = nil
        mend()
    }

    fileprivate mutating func removePromises() -> [Promise<SentMessage>] {
        var taken: [Promise<SentMessage>] = []
        func collect(_ entry: inout SendLanes.Entry) {
            taken += entry.promises
            entry.promises = []
        }
        for index in flying.indices { collect(&flying[index]) }
        for index in returned.indices { collect(&returned[index]) }
        for index in queue.indices { collect(&queue[index]) }
        return taken
    }

    fileprivate mutating func remove(_ id: String) -> SendLanes.Entry? {
        func isWanted(_ entry: SendLanes.Entry) -> Bool { entry.transID.rawValue == id }
        if let index = returned.firstIndex(where: isWanted) {
            defer { mend() }
            return returned.remove(at: index)
        }
        return queue.firstIndex(where: isWanted).map { queue.remove(at: $0) }
    }

    fileprivate mutating func remove(where isOver: (SendLanes.Entry) -> Bool) -> [SendLanes.Entry] {
        var taken = flying.filter(isOver) + returned.filter(isOver)
        flying.removeAll(where: isOver)
        returned.removeAll(where: isOver)
        taken += queue.filter(isOver)
        queue.removeAll(where: isOver)
        mend()
        return taken
    }
}
