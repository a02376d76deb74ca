public import RoostClient
public import RoostWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The items of a conversation: merges history, live rows and the user's sends.
///
/// A value without clock and I/O. Rows may be added in any
/// order, overlapping, and repeatedly: the same rows always give the same
/// ``items``. Rows are ordered by `seq`; sends that have no row yet come after
/// all of them in the order of the send queue, and move once, when the server
/// has given them their row. A row and a send are the same message if their
/// transIDs are equal, and two rows if their numbers are; the newer one
/// replaces the older one in place. A removed row does not return with
/// a page that was read before.
///
/// Each change returns the splices that change the old list into the new one. A
/// copy of ``items`` never changes.
public struct Timeline: Sendable {
    /// All items, from the oldest to the newest.
    public private(set) var items: [TimelineItem] = []
    /// The viewer, to identify the viewer's messages; nil while unknown.
    public private(set) var viewer: UserID?

    /// Ascending by `seq`.
    var rows: [Event] = []
    /// The complete parts of the log, ascending and not adjacent.
    private(set) var stretches: [ClosedRange<Int64>] = []
    private(set) var queue: [QueuedMessage] = []
    /// Rows up to this one are not shown.
    private(set) var floor: Int64 = 0
    /// The known states of votes.
    private(set) var votes: [MessageID: VoteState] = [:]
    /// Votes that arrived and are not reported by `drainNewVotes` yet.
    private var newVotes: Set<MessageID> = []
    private var gone: Set<Int64> = []
    /// The newest row that was appended without a gap; nil before the newest page is known.
    private var liveEnd: Int64?
    /// The first of the rows that were appended so.
    private var liveStart: Int64?
    private var confirmed: [TransID: Int64] = [:]
    /// The read marks of the other members, and the same ascending.
    private var marks: [UserID: Int64] = [:]
    private var sortedMarks: [Int64] = []
    private let clock: ModelClock
    private let texts: ChatTexts

    /// Creates an empty timeline; the clock is only used for the beginning of days.
    public init(viewer: UserID? = nil, clock: ModelClock = .system, texts: ChatTexts = .english) {
        self.viewer = viewer
        self.clock = clock
        self.texts = texts
    }

    /// The first row; nil if there is none.
    public var firstSeq: Int64? { rows.first?.seq }

    /// The newest row, shown or not; 0 if there is none.
    public var lastSeq: Int64 { max(stretches.last?.upperBound ?? 0, liveEnd ?? 0) }

    /// Whether there may be older rows.
    public var hasPrevious: Bool { stretches.first.map { $0.lowerBound > floor + 1 } ?? false }

    /// Whether there is an item of a row, and not only of the send queue.
    var showsRows: Bool { items.contains { $0.isContent && $0.seq != nil } }

    /// The row before which the next older page ends.
    var previousEdge: Int64? { stretches.first?.lowerBound }

    /// Whether the row is in a complete part of the log.
    public func covers(_ seq: Int64) -> Bool { stretches.contains { $0.contains(seq) } }

    // MARK: Changes

    /// Sets the viewer.
    @discardableResult
    public mutating func setViewer(_ user: UserID) -> [TimelineSplice] {
        guard user != viewer else { return [] }
        viewer = user
        confirmed = [:]
        for row in rows where row.senderID == user {
            if let transID = row.transID, let seq = row.seq { confirmed[transID] = confirmed[transID] ?? seq }
        }
        return rebuild()
    }

    /// Adds the newest rows of the log: rows of ``append(_:)`` follow them without a gap.
    @discardableResult
    public mutating func insertNewest(_ page: HistoryPage) -> [TimelineSplice] {
        // A page of an unknown log does not say where the log ends.
        guard page.from <= page.to || !page.hasBefore else { return [] }
        // Appended rows may begin after rows that are not visible to the viewer.
        let last = max(page.to, liveStart.map { $0 - 1 } ?? 0)
        liveEnd = max(liveEnd ?? 0, last)
        return insert(page, to: last)
    }

    /// Adds a page that ends before the row `before`.
    @discardableResult
    public mutating func insert(_ page: HistoryPage, before: Int64) -> [TimelineSplice] {
        insert(page, to: before &- 1)
    }

    /// Adds a page that begins after the row `after`.
    @discardableResult
    public mutating func insert(_ page: HistoryPage, after: Int64) -> [TimelineSplice] {
        let next = page.hasAfter ? nil : stretches.first { $0.lowerBound > after }?.lowerBound
        return insert(page.events, from: after &+ 1, to: max(page.to, next.map { $0 - 1 } ?? 0))
    }

    /// Adds a page from the middle of the log.
    @discardableResult
    public mutating func insert(around page: HistoryPage) -> [TimelineSplice] { insert(page, to: page.to) }

    private mutating func insert(_ page: HistoryPage, to last: Int64) -> [TimelineSplice] {
        insert(page.events, from: page.hasBefore ? page.from : floor + 1, to: last)
    }

    /// Adds rows that follow all known rows.
    @discardableResult
    public mutating func append(_ events: [Event]) -> [TimelineSplice] {
        let numbers = events.compactMap(\.seq)
        guard let first = numbers.min(), let last = numbers.max() else { return [] }
        let from = liveEnd.map { min($0 &+ 1, first) } ?? first
        liveStart = liveStart ?? from
        liveEnd = max(liveEnd ?? 0, last)
        return insert(events, from: from, to: last)
    }

    /// Rows are missing after the known rows: the next appended row begins after a gap.
    public mutating func interrupt() {
        liveEnd = nil
        liveStart = nil
    }

    /// Replaces changed rows; rows outside of the known parts are ignored.
    @discardableResult
    public mutating func rewrite(_ events: [Event]) -> [TimelineSplice] {
        var touched = Touched()
        for event in events where event.seq.map(covers) == true { put(event, &touched) }
        return refresh(touched)
    }

    /// Removes rows permanently.
    @discardableResult
    public mutating func remove(_ seqs: [Int64]) -> [TimelineSplice] {
        var touched = Touched()
        for seq in seqs where gone.insert(seq).inserted { drop(seq, &touched) }
        return refresh(touched)
    }

    /// Removes everything up to a row permanently.
    @discardableResult
    public mutating func clear(to seq: Int64) -> [TimelineSplice] {
        guard seq > floor, seq < TimelineItem.Key.unsent else { return [] }
        floor = seq
        rows.removeFirst(index(of: seq &+ 1))
        gone = gone.filter { $0 > seq }
        stretches = stretches.compactMap { $0.upperBound <= seq ? nil : max($0.lowerBound, seq + 1)...$0.upperBound }
        return rebuild()
    }

    /// Removes all rows, because they are invalid; the send queue stays.
    @discardableResult
    public mutating func forget() -> [TimelineSplice] {
        var empty = Timeline(viewer: viewer, clock: clock, texts: texts)
        empty.items = items
        empty.queue = queue
        (empty.marks, empty.sortedMarks) = (marks, sortedMarks)
        self = empty
        return rebuild()
    }

    /// Sets the current send queue of the channel.
    @discardableResult
    public mutating func setQueue(_ new: [QueuedMessage]) -> [TimelineSplice] {
        guard new != queue else { return [] }
        queue = new
        return refresh(Touched(from: TimelineItem.Key.unsent, to: TimelineItem.Key.unsent))
    }

    /// Sets the read marks of the members other than the viewer.
    @discardableResult
    public mutating func setReadMarks(_ others: [UserID: Int64]) -> [TimelineSplice] {
        guard others != marks else { return [] }
        (marks, sortedMarks) = (others, others.values.sorted())
        var splices: [TimelineSplice] = []
        for index in items.indices where items[index].kind == .message {
            let count = unreadBy(items[index])
            if count != items[index].unreadBy {
                items[index].unreadBy = count
                splices.append(TimelineSplice(index: index, removed: 1, inserted: 1))
            }
        }
        return splices
    }

    /// Sets the state of a vote; if its message is not known yet, the state is kept for it.
    @discardableResult
    mutating func setVote(_ state: VoteState) -> [TimelineSplice] {
        guard let id = state.event.messageID, votes[id] != state else { return [] }
        votes[id] = state
        newVotes.remove(id)
        guard let index = items.firstIndex(where: { $0.messageID == id && $0.content?.vote != nil }) else { return [] }
        items[index].voteState = state
        return [TimelineSplice(index: index, removed: 1, inserted: 1)]
    }

    /// The votes without a known state that arrived since the last call.
    mutating func drainNewVotes() -> Set<MessageID> {
        defer { newVotes = [] }
        return newVotes
    }

    // MARK: Rows

    /// The part of the log that changed.
    private struct Touched {
        var from: Int64 = .max
        var to: Int64 = .min

        mutating func add(_ from: Int64, _ to: Int64) {
            self.from = min(self.from, from)
            self.to = max(self.to, to)
        }
    }

    private mutating func insert(_ events: [Event], from first: Int64, to last: Int64) -> [TimelineSplice] {
        var touched = Touched()
        for event in events { put(event, &touched) }
        if max(first, floor + 1) <= last, last < .max {
            let range = max(first, floor + 1)...last
            if !stretches.contains(where: { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }) {
                cover(range)
                touched.add(range.lowerBound, range.upperBound)
            }
        }
        return refresh(touched)
    }

    private mutating func cover(_ range: ClosedRange<Int64>) {
        var merged = range
        var others: [ClosedRange<Int64>] = []
        for stretch in stretches {
            if stretch.upperBound &+ 1 < merged.lowerBound || stretch.lowerBound > merged.upperBound &+ 1 {
                others.append(stretch)
            } else {
                merged = min(merged.lowerBound, stretch.lowerBound)...max(merged.upperBound, stretch.upperBound)
            }
        }
        others.append(merged)
        stretches = others.sorted { $0.lowerBound < $1.lowerBound }
    }

    private mutating func put(_ event: Event, _ touched: inout Touched) {
        guard let seq = event.seq, seq < TimelineItem.Key.unsent else { return }
        confirm(event, seq, &touched)
        guard seq > floor, !gone.contains(seq) else { return }
        if event.isOnlyNumber {
            gone.insert(seq)
            return drop(seq, &touched)
        }
        let index = index(of: seq)
        if index < rows.count, rows[index].seq == seq {
            let merged = event.merged(over: rows[index])
            guard merged != rows[index] else { return }
            rows[index] = merged
        } else {
            rows.insert(event, at: index)
        }
        if let id = event.messageID, event.isVote, votes[id] == nil { newVotes.insert(id) }
        touched.add(seq, seq)
    }

    /// A send has its row and is that row from now on, even if the row is removed later.
    private mutating func confirm(_ event: Event, _ seq: Int64, _ touched: inout Touched) {
        guard let viewer, event.senderID == viewer, let transID = event.transID, confirmed[transID] == nil else {
            return
        }
        confirmed[transID] = seq
        guard queue.contains(where: { $0.transID == transID }) else { return }
        touched.add(seq, TimelineItem.Key.unsent)
    }

    private mutating func drop(_ seq: Int64, _ touched: inout Touched) {
        let index = index(of: seq)
        guard index < rows.count, rows[index].seq == seq else { return }
        rows.remove(at: index)
        touched.add(seq, seq)
    }

    /// The index of the first row with this number or a larger one.
    private func index(of seq: Int64) -> Int { rows.position { ($0.seq ?? 0) >= seq } }

    func row(of message: MessageID) -> Event? {
        let index = index(of: message.seq)
        guard index < rows.count, rows[index].messageID == message else { return nil }
        return rows[index]
    }

    // MARK: Items

    private mutating func rebuild() -> [TimelineSplice] { refresh(Touched(from: 0, to: TimelineItem.Key.unsent)) }

    /// Creates the items of a part of the log again, and of the first row after it, whose appearance may change.
    private mutating func refresh(_ touched: Touched) -> [TimelineSplice] {
        guard touched.from <= touched.to else { return [] }
        let start = items.position { $0.key.seq >= touched.from }
        let before = start > 0 ? items[start - 1] : nil
        var new: [TimelineItem] = []
        var end = items.count
        var isAtEnd = true
        for event in rows[index(of: touched.from)...] {
            let wasAdded = add(event, to: &new, behind: before)
            if wasAdded, let seq = event.seq, seq > touched.to {
                end = items.position { $0.key.seq > seq }
                isAtEnd = false
                break
            }
        }
        if isAtEnd { addQueue(to: &new, behind: before) }
        return splice(start..<end, new)
    }

    private func add(_ event: Event, to new: inout [TimelineItem], behind before: TimelineItem?) -> Bool {
        let last = new.last ?? before
        let day = max(clock.day(of: event.sentAt ?? .init(milliseconds: 0)), last?.day ?? .min)
        let first = event.transID.flatMap { confirmed[$0] }
        guard
            var item = TimelineItem(
                event, viewer: viewer, isOneOfSeveral: first != nil && first != event.seq, day: day,
                texts: texts),
            let seq = item.seq
        else { return false }
        if let above = last?.seq, stretch(of: above) != stretch(of: seq) {
            let end = stretches.first { $0.contains(above) }?.upperBound ?? above
            let begin = stretches.first { $0.contains(seq) }?.lowerBound ?? seq
            new.append(
                TimelineItem(
                    id: .gap(end), kind: .gap(after: end, before: begin), key: .init(seq: seq, order: 0),
                    sentAt: item.sentAt, day: last?.day ?? day))
        }
        item.unreadBy = unreadBy(item)
        if item.content?.vote != nil, let id = item.messageID { item.voteState = votes[id] }
        append(item, to: &new, behind: last)
        return true
    }

    private func addQueue(to new: inout [TimelineItem], behind before: TimelineItem?) {
        func rank(_ message: QueuedMessage) -> (Int64, Int64) {
            if case .sent(let seq) = message.state { (seq, message.order) } else { (.max, message.order) }
        }
        var order: Int64 = 0
        for queued in queue.sorted(by: { rank($0) < rank($1) }) where confirmed[queued.transID] == nil {
            let last = new.last ?? before
            let day = max(clock.day(of: queued.createdAt), last?.day ?? .min)
            let answered = queued.message.replyTo.flatMap { row(of: $0) }.flatMap(ReplySnapshot.init(of:))
            order += 2
            append(
                TimelineItem(queued, viewer: viewer, replyTo: answered, order: order, day: day), to: &new, behind: last)
        }
    }

    /// Adds an item, with the beginning of its day before it, and grouped if it follows the same sender.
    private func append(_ item: TimelineItem, to new: inout [TimelineItem], behind last: TimelineItem?) {
        var item = item
        let isBehindGap = if case .gap = new.last?.kind { true } else { false }
        if last?.day != item.day {
            new.append(
                TimelineItem(
                    id: .day(item.day), kind: .day, key: .init(seq: item.key.seq, order: item.key.order - 1),
                    sentAt: item.sentAt, day: item.day))
        } else if let last, !isBehindGap, last.kind == .message, item.kind == .message, item.senderID == last.senderID {
            item.isGrouped = GroupingRules.isNear(item.sentAt, after: last.sentAt)
        }
        new.append(item)
    }

    private func stretch(of seq: Int64) -> Int? { stretches.firstIndex { $0.contains(seq) } }

    private func unreadBy(_ item: TimelineItem) -> Int {
        guard let seq = item.seq, item.kind == .message else { return 0 }
        let sender = item.senderID.flatMap { marks[$0] }.map { $0 < seq ? 1 : 0 } ?? 0
        return sortedMarks.position { $0 >= seq } - sender
    }

    /// Replaces the items that differ.
    private mutating func splice(_ range: Range<Int>, _ new: [TimelineItem]) -> [TimelineSplice] {
        var range = range
        var new = new[...]
        while let first = new.first, !range.isEmpty, items[range.lowerBound] == first {
            range = range.lowerBound + 1..<range.upperBound
            new.removeFirst()
        }
        while let last = new.last, !range.isEmpty, items[range.upperBound - 1] == last {
            range = range.lowerBound..<range.upperBound - 1
            new.removeLast()
        }
        guard !range.isEmpty || !new.isEmpty else { return [] }
        items.replaceSubrange(range, with: new)
        return [TimelineSplice(index: range.lowerBound, removed: range.count, inserted: new.count)]
    }
}

/// The rule for grouping messages of one sender.
public enum GroupingRules {
    /// A message less than this after the previous one, in ms, belongs to its group.
    public static let pause: Int64 = 120_000

    static func isNear(_ time: Date, after last: Date) -> Bool {
        // Neither is more than 2⁵³ ms away from 1970.
        time.milliseconds - last.milliseconds < pause
    }
}

extension Array {
    /// The first index whose element matches, if all after it match too; the end if none does.
    fileprivate func position(where fits: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Event {
    fileprivate var isVote: Bool { message?.vote != nil }

    /// This row in place of an older version. A recalled message stays recalled, in any order.
    fileprivate func merged(over old: Event) -> Event {
        switch (old.body, body) {
        case (.channel(.messageSent(let before)), .channel(.messageSent(let after))):
            if before.recall != nil, after.recall == nil { return old }
            var event = self
            if let reply = before.replyTo, reply.isRecalled == true, after.replyTo?.isRecalled == nil {
                event.message = after.afterRecall(of: reply.messageID)
            }
            return after.recall == nil ? event.withNewer(before.reactions) : event
        case (.channel(.messageAnnounced(let before)), .channel(.messageAnnounced(let after))):
            if before.recall != nil, after.recall == nil { return old }
            return after.recall == nil ? withNewer(before.reactions) : self
        default: return self
        }
    }

    /// This row with other reactions, if those were read later.
    private func withNewer(_ reactions: MessageReactions?) -> Event {
        guard let reactions, reactions.head > self.reactions?.head ?? 0 else { return self }
        var event = self
        event.reactions = reactions
        return event
    }
}
