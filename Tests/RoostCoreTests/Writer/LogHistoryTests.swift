import RoostTesting
import Testing

@Suite struct LogHistoryTests {
    @Test func `a history that one order explains has no violations`() {
        var history = LogHistory()
        // Two appends at once may have either order; a read during them may see none, one or both.
        history.append(2, began: 1, ended: 5)
        history.append(1, began: 2, ended: 6)
        history.read(head: 0, began: 1, ended: 3)
        history.read(head: 1, began: 1, ended: 4)
        history.read(head: 2, began: 4, ended: 5)
        // An append without an answer may come at any later time.
        history.append(3, began: 1, ended: nil)
        history.read(head: 2, began: 8, ended: 9)
        history.read(head: 3, began: 10, ended: 11)
        #expect(history.violations.isEmpty)
    }

    /// A row that was appended, or a head that was read, and when.
    enum Operation: Sendable {
        case append(Int64, from: Int64)
        case read(Int64, from: Int64)
    }

    @Test(
        arguments: [
            [.append(1, from: 5)], [.append(0, from: 3)], [.read(0, from: 3)], [.read(4, from: 3), .read(3, from: 5)],
            [.read(2, from: 3), .append(2, from: 5)],
        ] as [[Operation]])
    func `a history that no order explains has a violation`(after: [Operation]) {
        var history = LogHistory()
        history.append(1, began: 1, ended: 2)
        for operation in after {
            switch operation {
            case .append(let seq, let time): history.append(seq, began: time, ended: time + 1)
            case .read(let head, let time): history.read(head: head, began: time, ended: time + 1)
            }
        }
        #expect(history.violations.count == 1, "\(history.violations)")
    }
}
