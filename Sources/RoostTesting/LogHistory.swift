/// What clients did with one log, and when: appending rows, and reading its head.
///
/// A history is linearizable if its operations can be put into one order that agrees with what they returned and with
/// real time: an operation that was answered before another one began comes first. The rows of a log are numbered, so
/// the numbers tell that order, and it only has to be compared with the times.
package struct LogHistory: Sendable {
    private struct Operation {
        /// Twice the number of an appended row; one more for a read that saw it as the head.
        var position: Int64
        var began: Int64
        /// Nil if it was never answered.
        var ended: Int64?
    }

    private var operations: [Operation] = []

    package init() {}

    /// The number of operations.
    package var count: Int { operations.count }

    /// Adds a row that was appended; `ended` is nil if the append was never answered, although the row is there.
    package mutating func append(_ seq: Int64, began: Int64, ended: Int64?) {
        operations.append(Operation(position: seq &* 2, began: began, ended: ended))
    }

    /// Adds a read that returned this head.
    package mutating func read(head: Int64, began: Int64, ended: Int64) {
        operations.append(Operation(position: head &* 2 &+ 1, began: began, ended: ended))
    }

    /// Why no order explains the history, in sentences; empty if one does.
    package var violations: [String] {
        var found: [String] = []
        let appends = operations.filter { $0.position % 2 == 0 }
        let seqs = Set(appends.map(\.position))
        if seqs.count < appends.count {
            found.append("\(appends.count - seqs.count) rows have the number of another row")
        }
        let ended = operations.compactMap { operation in operation.ended.map { (operation, $0) } }.sorted {
            $0.1 < $1.1
        }
        var next = 0
        var last: Operation?
        for operation in operations.sorted(by: { $0.began < $1.began }) {
            while next < ended.count, ended[next].1 < operation.began {
                if ended[next].0.position > last?.position ?? .min { last = ended[next].0 }
                next += 1
            }
            guard let last, last.position > operation.position else { continue }
            found.append(
                "\(Self.words(operation)) began at \(operation.began), but before that had ended: \(Self.words(last))")
        }
        return found
    }

    private static func words(_ operation: Operation) -> String {
        let seq = operation.position / 2
        return operation.position % 2 == 0 ? "the append of row \(seq)" : "a read with the head \(seq)"
    }
}
