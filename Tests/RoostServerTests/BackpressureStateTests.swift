import Testing

@testable import RoostServer

/// Which clients are too slow, and when commands wait.
@Suite struct BackpressureStateTests {
    private static func backpressure(congested: Bool = true) -> Backpressure {
        var backpressure = Backpressure(limits: Backpressure.Limits(eventBytes: 100, allBytes: 1_000, ownBytes: 20))
        if congested { backpressure.setCongested(true) }
        return backpressure
    }

    @Test func `output of a client's own commands does not disconnect it, but events of others do`() {
        var backpressure = Self.backpressure()
        backpressure.wrote(800, isOwn: true)
        backpressure.wrote(100, isOwn: false)
        #expect(!backpressure.isTooSlow(waiting: 900))
        backpressure.wrote(1, isOwn: false)
        #expect(backpressure.isTooSlow(waiting: 901))
        #expect(!backpressure.isTooSlow(waiting: 900))
    }

    @Test func `the total output that may wait is bounded, regardless of its cause`() {
        var backpressure = Self.backpressure()
        backpressure.wrote(1_001, isOwn: true)
        #expect(!backpressure.isTooSlow(waiting: 1_000))
        #expect(backpressure.isTooSlow(waiting: 1_001))
    }

    @Test func `commands wait while much of their own output is unread`() {
        var backpressure = Self.backpressure(congested: false)
        backpressure.wrote(500, isOwn: false)
        backpressure.wrote(20, isOwn: true)
        backpressure.setCongested(true)
        #expect(!backpressure.isHeld)
        backpressure.wrote(1, isOwn: true)
        #expect(backpressure.isHeld)
        backpressure.flushed()
        #expect(backpressure.isHeld)
        backpressure.setCongested(false)
        #expect(!backpressure.isHeld)
        // Bytes that were written do not count the next time.
        backpressure.setCongested(true)
        #expect(!backpressure.isHeld)
    }

    @Test func `output that is flushed immediately does not count`() {
        var backpressure = Self.backpressure(congested: false)
        for _ in 0..<10 {
            backpressure.wrote(20, isOwn: true)
            backpressure.flushed()
        }
        backpressure.setCongested(true)
        #expect(!backpressure.isHeld)
    }

    @Test func `a client reads as long as bytes go out`() {
        var backpressure = Self.backpressure()
        func looks(_ waiting: Int...) -> [Bool] { waiting.map { backpressure.isRead(waiting: $0) } }
        backpressure.wrote(100, isOwn: false)
        backpressure.watch(waiting: 100)
        #expect(looks(100, 60, 60) == [false, true, false])
        backpressure.wrote(50, isOwn: false)
        #expect(looks(110, 109) == [false, true])
        backpressure.setCongested(false)
        #expect(looks(0) == [false])
        // There was no check in between: the client may have read, and the next check shows it.
        backpressure.watch(waiting: 0)
        backpressure.setCongested(true)
        #expect(looks(5, 5) == [true, false])
    }
}
