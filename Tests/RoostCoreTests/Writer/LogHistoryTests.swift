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

    @Test(
        arguments: [
            ("a row with the number of another one", { $0.append(1, began: 5, ended: 6) }),
            ("an append before one that had been answered", { $0.append(0, began: 3, ended: 4) }),
            ("a read that misses an append", { $0.read(head: 0, began: 3, ended: 4) }),
            (
                "a read that sees less than one before it",
                {
                    $0.read(head: 4, began: 3, ended: 4)
                    $0.read(head: 3, began: 5, ended: 6)
                }
            ),
            (
                "an append that an earlier read had seen",
                {
                    $0.read(head: 2, began: 3, ended: 4)
                    $0.append(2, began: 5, ended: 6)
                }
            ),
        ] as [(String, @Sendable (inout LogHistory) -> Void)])
    func `a history that no order explains has a violation`(fault: String, add: @Sendable (inout LogHistory) -> Void) {
        var history = LogHistory()
        history.append(1, began: 1, ended: 2)
        add(&history)
        #expect(history.violations.count == 1, "\(fault): \(history.violations)")
    }
}
