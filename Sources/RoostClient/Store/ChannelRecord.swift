import RoostWire

/// What the store keeps of one channel besides its rows.
struct ChannelRecord: Codable {
    /// A range of the log without gaps.
    struct Stretch: Codable, Equatable {
        var first: Int64
        var last: Int64
    }

    /// The channel as of its last answer, updated with every row after `snapshot.seq`; nil while unknown.
    var snapshot: Channel?
    /// The position for `resume`; nil for a channel that is only cached.
    var position: Int64?
    /// The complete ranges of the log, ascending and not adjacent.
    var stretches: [Stretch] = []
    /// Rows up to this one are not shown any more.
    var floor: Int64 = 0
    /// The server has purged the rows up to this one; nil if it has purged none.
    var purgedTo: Int64?
    /// The list hides the channel until a message after this row; -1 if it is not hidden.
    var hiddenTo: Int64 = -1
    /// Whether `hiddenTo` may be wrong, so that the next snapshot decides; false if nil.
    var isHiddenUnknown: Bool?
    /// The row of the newest news, or a later row; nil if there is none.
    var newestPiece: Int64?
    /// A read mark that the server has not confirmed.
    var pendingMark: Int64?
    /// The newest row of the user's log that changed something here.
    var userSeq: Int64 = 0
    /// Whether the snapshot has to be read again.
    var isStale = false
    /// A snapshot that does not include this row is too old; nil for any.
    var staleSeq: Int64?

    /// The newest row that the user has read, as far as this device knows.
    var mark: Int64 { max(snapshot?.readSeq ?? 0, pendingMark ?? 0) }

    /// The range that ends at the newest row.
    var newest: Stretch? {
        guard let last = stretches.last, let position, last.last >= position else { return nil }
        return last
    }

    /// Whether all rows after this one up to the newest are stored.
    func covers(after mark: Int64) -> Bool {
        guard let position else { return false }
        let seq = max(mark, floor)
        if seq >= position { return true }
        return newest.map { $0.first <= seq + 1 } ?? false
    }

    /// Adds a complete range, and joins it with adjacent ranges.
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

    /// Applies a log move: the log was followed up to a row, or reset to it.
    mutating func move(_ move: LogMove) {
        add(move.from &+ 1, move.to)
        position = move.to
    }
}

/// The rows of a log that were delivered since the last move.
struct LogMove: Equatable, Sendable {
    /// All rows after this one up to `to` were delivered; the same as `to` if the log was reset.
    var from: Int64
    var to: Int64

    /// This move, then another one. If that is a reset, this one is ignored.
    func then(_ next: LogMove) -> LogMove { next.from == to ? LogMove(from: from, to: next.to) : next }
}
