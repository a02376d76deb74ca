import Testing

@testable import RoostCore

/// The scheduling of background work: a value with two clocks as inputs.
@Suite struct TaskSchedulerTests {
    private func names(_ scheduler: TaskScheduler, now: Int64 = 1, uptime: Int64) -> [String] {
        scheduler.due(now: now, uptime: uptime).map(\.name)
    }

    private func scheduler() -> TaskScheduler {
        TaskScheduler(
            [("now", { _ in nil })], background: [("one", { _ in nil }), ("two", { _ in nil })])
    }

    @Test func `one background task runs at a time, and they take turns`() {
        var scheduler = scheduler()
        #expect(names(scheduler, uptime: 0) == ["now", "one"])
        scheduler.ended(1, from: 0, to: 0)
        #expect(names(scheduler, uptime: 0) == ["now", "two"])
        scheduler.ended(2, from: 0, to: 0)
        #expect(names(scheduler, uptime: 0) == ["now", "one"])
        // The other task does not wait for a task that has nothing to do.
        scheduler.ended(1, from: 0, to: 0)
        scheduler.done(2, next: nil, now: 1, hasOthers: false)
        #expect(names(scheduler, uptime: 0) == ["now", "one"])
    }

    @Test func `after a background turn, all background tasks rest twice as long as it took`() {
        var scheduler = scheduler()
        scheduler.ended(1, from: 1_000, to: 6_000)
        scheduler.done(1, next: 1, now: 1, hasOthers: false)
        #expect(names(scheduler, uptime: 6_000) == ["now"])
        #expect(names(scheduler, uptime: 15_999) == ["now"])
        #expect(names(scheduler, uptime: 16_000) == ["now", "two"])
        scheduler.done(2, next: 1, now: 1, hasOthers: false)
        // The writer sleeps no longer than that, and at least 1 ms.
        scheduler.done(0, next: nil, now: 1, hasOthers: false)
        #expect(scheduler.nextDue(now: 500, uptime: 6_000) == 510)
        #expect(scheduler.nextDue(now: 500, uptime: 15_500) == 501)
        #expect(scheduler.nextDue(now: 500, uptime: 16_000) == 1)
    }

    @Test func `a foreground task causes no rest, but a failed background turn does`() {
        var scheduler = scheduler()
        scheduler.ended(0, from: 0, to: 1_000_000)
        #expect(names(scheduler, uptime: 1_000_000) == ["now", "one"])
        scheduler.failed(1, now: 1)
        scheduler.ended(1, from: 1_000_000, to: 1_000_100)
        #expect(names(scheduler, uptime: 1_000_100) == ["now"])
        #expect(names(scheduler, uptime: 2_000_000) == ["now", "two"])
        scheduler.done(2, next: nil, now: 1, hasOthers: false)
        #expect(names(scheduler, now: 1_000, uptime: 2_000_000) == ["now"])
        #expect(names(scheduler, now: 1_001, uptime: 2_000_000) == ["now", "one"])
    }

    @Test func `looks at what others have left become one, and what is noted meanwhile is not forgotten`() {
        var scheduler = scheduler()
        let look = TaskScheduler.lookInterval
        for index in 0..<3 { scheduler.done(index, next: nil, now: 10 + Int64(index), hasOthers: true) }
        #expect(names(scheduler, now: 12 + look, uptime: 0) == [])
        #expect(scheduler.dueLooks(now: 9 + look).isEmpty)
        #expect(scheduler.dueLooks(now: 10 + look).map(\.index) == [0, 1, 2])
        for index in 0..<3 { scheduler.beginLook(index) }
        #expect(scheduler.dueLooks(now: 12 + look).isEmpty)
        scheduler.note(11 + look)
        for index in 0..<3 {
            scheduler.endLook(index, next: index == 0 ? 11 + look : nil, now: 11 + look, hasOthers: true)
        }
        #expect(names(scheduler, now: 11 + look, uptime: 0) == ["now", "one"])
        #expect(scheduler.dueLooks(now: 11 + look).isEmpty)
        for index in 0..<3 { scheduler.done(index, next: nil, now: 20 + look, hasOthers: true) }
        for index in 0..<3 { scheduler.beginLook(index) }
        // Each has a turn of its own then.
        for index in 0..<3 { scheduler.failedLook(index, now: 20 + 2 * look) }
        #expect(names(scheduler, now: 20 + 2 * look, uptime: 0) == ["now", "one"])
    }

    @Test func `the lease goes with the looks, and without them by itself`() {
        var scheduler = scheduler()
        let look = TaskScheduler.lookInterval
        scheduler.addLease(at: look) { _ in nil }
        #expect(scheduler.dueLooks(now: look).isEmpty)
        for index in 1..<4 { scheduler.done(index, next: nil, now: 0, hasOthers: true) }
        #expect(scheduler.dueLooks(now: look).map(\.index) == [0, 1, 2, 3])
        for index in 0..<4 { scheduler.beginLook(index) }
        // A commit takes some time, so the next looks are due a little later than the lease.
        for index in 0..<4 {
            scheduler.endLook(index, next: index == 0 ? 2 * look : nil, now: look + 5, hasOthers: true)
        }
        #expect(scheduler.dueLooks(now: 2 * look - 1).isEmpty)
        #expect(scheduler.dueLooks(now: 2 * look).map(\.index) == [0, 1, 2, 3])
        #expect(names(scheduler, now: 2 * look - 1, uptime: 0) == [])
        #expect(names(scheduler, now: 2 * look, uptime: 0) == ["lease"])
        for index in 0..<4 { scheduler.beginLook(index) }
        for index in 0..<4 { scheduler.failedLook(index, now: 2 * look) }
        #expect(names(scheduler, now: 2 * look, uptime: 0) == ["lease", "now", "one"])
    }
}
