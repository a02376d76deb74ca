import Testing

@testable import RoostCore

/// Which work gets a turn when: a value with two clocks that are given to it.
@Suite struct SweepTests {
    private func names(_ sweep: Sweep, now: Int64 = 1, uptime: Int64) -> [String] {
        sweep.due(now: now, uptime: uptime).map(\.name)
    }

    private func sweep() -> Sweep {
        Sweep(
            [("now", { _ in nil })], background: [("one", { _ in nil }), ("two", { _ in nil })])
    }

    @Test func `in the background one has a turn at a time, and they take turns`() {
        var sweep = sweep()
        #expect(names(sweep, uptime: 0) == ["now", "one"])
        sweep.ended(1, from: 0, to: 0)
        #expect(names(sweep, uptime: 0) == ["now", "two"])
        sweep.ended(2, from: 0, to: 0)
        #expect(names(sweep, uptime: 0) == ["now", "one"])
        // Of one that has nothing to do the other need not wait.
        sweep.ended(1, from: 0, to: 0)
        sweep.done(2, next: nil, now: 1, isShared: false)
        #expect(names(sweep, uptime: 0) == ["now", "one"])
    }

    @Test func `after a turn in the background all of them rest twice as long as it took`() {
        var sweep = sweep()
        sweep.ended(1, from: 1_000, to: 6_000)
        sweep.done(1, next: 1, now: 1, isShared: false)
        #expect(names(sweep, uptime: 6_000) == ["now"])
        #expect(names(sweep, uptime: 15_999) == ["now"])
        #expect(names(sweep, uptime: 16_000) == ["now", "two"])
        sweep.done(2, next: 1, now: 1, isShared: false)
        // The writer sleeps no longer than that, and not shorter than a ms.
        sweep.done(0, next: nil, now: 1, isShared: false)
        #expect(sweep.nextLook(now: 500, uptime: 6_000) == 510)
        #expect(sweep.nextLook(now: 500, uptime: 15_500) == 501)
        #expect(sweep.nextLook(now: 500, uptime: 16_000) == 1)
    }

    @Test func `what is not in the background costs no rest, and a failed turn in it does`() {
        var sweep = sweep()
        sweep.ended(0, from: 0, to: 1_000_000)
        #expect(names(sweep, uptime: 1_000_000) == ["now", "one"])
        sweep.failed(1, now: 1)
        sweep.ended(1, from: 1_000_000, to: 1_000_100)
        #expect(names(sweep, uptime: 1_000_100) == ["now"])
        #expect(names(sweep, uptime: 2_000_000) == ["now", "two"])
        sweep.done(2, next: nil, now: 1, isShared: false)
        #expect(names(sweep, now: 1_000, uptime: 2_000_000) == ["now"])
        #expect(names(sweep, now: 1_001, uptime: 2_000_000) == ["now", "one"])
    }
}
