import RoostWire

/// What the store knows of one channel, beside its rows.
struct ChannelRecord: Codable {
    /// A stretch of the log without holes.
    struct Stretch: Codable, Equatable {
        var first: Int64
        var last: Int64
    }

    /// The channel as its last answer said, kept current with every row behind `snapshot.seq`; absent while unknown.
    var snapshot: Channel?
    /// Where resume goes on; absent for a channel that is only cached.
    var position: Int64?
    /// The stretches of the log that are here whole, ascending, apart from each other.
    var stretches: [Stretch] = []
    /// Nothing up to this row is shown any more.
    var floor: Int64 = 0
    /// The server keeps nothing up to this row any more; nil while it keeps everything.
    var purgedTo: Int64?
    /// The list leaves the channel out until a message behind this row; -1 for never.
    var hiddenTo: Int64 = -1
    /// Whether `hiddenTo` may be wrong, so that the next snapshot says what holds; nil for no.
    var isHiddenUnknown: Bool?
    /// The newest piece of news that came, or a row behind it; nil for none.
    var newestPiece: Int64?
    /// A read mark that the server has not confirmed.
    var pendingMark: Int64?
    /// The newest row of the user's own log that changed something here.
    var userSeq: Int64 = 0
    /// Whether the snapshot has to be read again.
    var isStale = false
    /// A snapshot that does not account for this row is not new enough; nil for any.
    var staleSeq: Int64?

    /// How far the user has read, as far as this device knows.
    var mark: Int64 { max(snapshot?.readSeq ?? 0, pendingMark ?? 0) }

    /// The stretch that ends at the newest row.
    var newest: Stretch? {
        guard let last = stretches.last, let position, last.last >= position else { return nil }
        return last
    }

    /// Whether all rows behind this one up to the newest are here.
    func covers(after mark: Int64) -> Bool {
        guard let position else { return false }
        let seq = max(mark, floor)
        if seq >= position { return true }
        return newest.map { $0.first <= seq + 1 } ?? false
    }

    /// Notes that a stretch is here whole, and joins it with those that it touches.
    mutating func add(_ first: Int64, _ last: Int64) {
        guard first <= last, last < .max else { return }
        var merged = Stretch(first: max(1, first), last: last)
        var others: [Stretch] = []
        for stretch in stretches {
            if stretch.last &+ 1 < merged.first || stretch.first > merged.last &+ 1 {
                others.append(stretch)
            } else {
                merged.first = min(merged.first, stretch.first)
                merged.last = max(merged.last, stretch.last)
            }
        }
        others.append(merged)
        stretches = others.sorted { $0.first < $1.first }
    }

    /// The log was followed up to here, or starts here.
    mutating func move(_ move: LogMove) {
        add(move.from &+ 1, move.to)
        position = move.to
    }
}

/// How far a log was followed since the last time.
struct LogMove: Equatable, Sendable {
    /// Everything behind this row up to `to` has been handed over; the same as `to` where the log starts anew.
    var from: Int64
    var to: Int64

    /// This move, then another one. Where that starts anew, what was before is no part of it.
    func then(_ next: LogMove) -> LogMove { next.from == to ? LogMove(from: from, to: next.to) : next }
}
