import Testing

@testable import RoostServer

/// Who is too slow, and when commands wait.
@Suite struct OutflowTests {
    private static func outflow(congested: Bool = true) -> Outflow {
        var outflow = Outflow(limits: Outflow.Limits(eventBytes: 100, allBytes: 1_000, ownBytes: 20))
        if congested { outflow.becomes(congested: true) }
        return outflow
    }

    @Test func `what a client's own commands make is no reason to cut it, and what others do is`() {
        var outflow = Self.outflow()
        outflow.wrote(800, isOwn: true)
        outflow.wrote(100, isOwn: false)
        #expect(!outflow.isTooSlow(waiting: 900))
        outflow.wrote(1, isOwn: false)
        #expect(outflow.isTooSlow(waiting: 901))
        #expect(!outflow.isTooSlow(waiting: 900))
    }

    @Test func `there is an end to what may wait, whoever has made it`() {
        var outflow = Self.outflow()
        outflow.wrote(1_001, isOwn: true)
        #expect(!outflow.isTooSlow(waiting: 1_000))
        #expect(outflow.isTooSlow(waiting: 1_001))
    }

    @Test func `commands wait while much of their own waits, until little does`() {
        var outflow = Self.outflow(congested: false)
        outflow.wrote(500, isOwn: false)
        outflow.wrote(20, isOwn: true)
        outflow.becomes(congested: true)
        #expect(!outflow.isHeld)
        outflow.wrote(1, isOwn: true)
        #expect(outflow.isHeld)
        outflow.flushed()
        #expect(outflow.isHeld)
        outflow.becomes(congested: false)
        #expect(!outflow.isHeld)
        // What went out does not count the next time.
        outflow.becomes(congested: true)
        #expect(!outflow.isHeld)
    }

    @Test func `what the socket takes at once does not count`() {
        var outflow = Self.outflow(congested: false)
        for _ in 0..<10 {
            outflow.wrote(20, isOwn: true)
            outflow.flushed()
        }
        outflow.becomes(congested: true)
        #expect(!outflow.isHeld)
    }

    @Test func `a client reads as long as bytes go out`() {
        var outflow = Self.outflow()
        func looks(_ waiting: Int...) -> [Bool] { waiting.map { outflow.isRead(waiting: $0) } }
        outflow.wrote(100, isOwn: false)
        outflow.watch(waiting: 100)
        #expect(looks(100, 60, 60) == [false, true, false])
        outflow.wrote(50, isOwn: false)
        #expect(looks(110, 109) == [false, true])
        outflow.becomes(congested: false)
        #expect(looks(0) == [false])
        // Nobody watched when it became so: it may have read, and the next look knows.
        outflow.watch(waiting: 0)
        outflow.becomes(congested: true)
        #expect(looks(5, 5) == [true, false])
    }
}
