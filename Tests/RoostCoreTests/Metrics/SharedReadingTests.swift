import RoostCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct SharedReadingTests {
    /// A reading that a test answers, and how often it was begun.
    private final class Source: Sendable {
        let time = Mutex<Int64>(0)
        let begun = Atomic(0)
        private let waiting = Mutex<[CheckedContinuation<Int?, Never>]>([])

        func read() async -> Int? {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0.append(continuation) }
                begun.add(1, ordering: .sequentiallyConsistent)
            }
        }

        func answer(_ value: Int?) {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for continuation in all { continuation.resume(returning: value) }
        }

        var count: Int { begun.load(ordering: .sequentiallyConsistent) }

        func waitUntilBegun(_ number: Int) async { while count < number { await Task.yield() } }

        var reading: SharedReading<Int> {
            SharedReading(uptime: { self.time.withLock { $0 } }, { await self.read() })
        }
    }

    @Test func `those who ask at the same time get one answer`() async {
        let source = Source()
        let reading = source.reading
        async let first = reading.value(withinMs: 60_000)
        await source.waitUntilBegun(1)
        async let second = reading.value(withinMs: 60_000)
        async let third = reading.value(withinMs: 60_000)
        source.answer(7)
        #expect(await [first, second, third] == [7, 7, 7])
        #expect(source.count == 1)
    }

    @Test func `a reading that takes for ever is not begun again, and nobody waits longer than it may take`() async {
        let source = Source()
        let reading = source.reading
        #expect(await reading.value(withinMs: 1) == nil)
        source.time.withLock { $0 = 10_000_000 }
        // At once, as it has taken too long already.
        for _ in 1...100 { #expect(await reading.value(withinMs: 5_000) == nil) }
        #expect(source.count == 1)
        source.answer(7)
        // As soon as it has ended, it is read again.
        async let next = reading.value(withinMs: 60_000)
        while source.count < 2 {
            await Task.yield()
            if await reading.value(withinMs: 1) != nil { break }
        }
        source.answer(8)
        #expect(await next != nil)
    }

    @Test func `an answer counts for some time, a failure as well`() async {
        let source = Source()
        let reading = source.reading
        for (number, answer) in [7, nil].enumerated() {
            async let first = reading.value(withinMs: 60_000, notOlderThanMs: 1_000)
            await source.waitUntilBegun(number + 1)
            source.answer(answer)
            #expect(await first == answer)
            source.time.withLock { $0 += 999_999 }
            #expect(await reading.value(withinMs: 60_000, notOlderThanMs: 1_000) == answer)
            source.time.withLock { $0 += 1 }
        }
        #expect(source.count == 2)
    }
}
