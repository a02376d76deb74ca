import RoostTesting
import RoostWire
import Synchronization
import Testing

@testable import RoostCore

/// Only a limited number of one user's reads run at a time.
@Suite struct ReadQueueTests {
    private let ann = Cast.ann.userID
    private let bob = Cast.bob.userID

    /// The numbers of the reads that have started.
    private final class StartedReads: Sendable {
        private let numbers = Mutex<[Int]>([])

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
        var all: [Int] { numbers.withLock { $0 } }
    }

    @Test func `the reads of a user wait for one another in order, and those of others do not wait for them`() {
        let queue = ReadQueue(most: 2)
        let begun = StartedReads()
        for number in 1...5 { queue.enqueue(ann) { begun.add(number) } }
        #expect(begun.all == [1, 2])
        queue.enqueue(bob) { begun.add(10) }
        #expect(begun.all == [1, 2, 10])
        queue.finish(ann)
        #expect(begun.all == [1, 2, 10, 3])
        queue.finish(bob)
        for _ in 0..<2 { queue.finish(ann) }
        #expect(begun.all == [1, 2, 10, 3, 4, 5])
        #expect(queue.count == 1)
        for _ in 0..<2 { queue.finish(ann) }
        #expect(queue.count == 0)
        queue.enqueue(ann) { begun.add(6) }
        #expect(begun.all.last == 6)
    }

    @Test func `a read that fails at once starts the next one, however many wait`() {
        let queue = ReadQueue(most: 1)
        let begun = StartedReads()
        let ann = ann
        queue.enqueue(ann) { begun.add(0) }
        for number in 1...5_000 {
            queue.enqueue(ann) {
                begun.add(number)
                queue.finish(ann)
            }
        }
        #expect(begun.all == [0])
        queue.finish(ann)
        #expect(begun.all == Array(0...5_000))
        #expect(queue.count == 0)
    }

    @Test func `whatever waits for the end of all reads runs when the last one is over`() {
        let queue = ReadQueue(most: 1)
        let begun = StartedReads()
        for number in 1...2 { queue.enqueue(ann) { begun.add(number) } }
        queue.whenIdle { begun.add(100) }
        queue.finish(ann)
        #expect(begun.all == [1, 2])
        queue.finish(ann)
        #expect(begun.all == [1, 2, 100])
        queue.whenIdle { begun.add(101) }
        #expect(begun.all == [1, 2, 100, 101])
    }

    @Test(arguments: Backend.available)
    func `many reads of one user at once are all answered, as are those of others`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.ann.send("x", to: Cast.club)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                let session = number.isMultiple(of: 6) ? stage.bob : stage.ann
                group.addTask { try await session.log(of: Cast.club).count }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 60))
    }
}
