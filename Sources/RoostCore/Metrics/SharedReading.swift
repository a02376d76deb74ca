import Synchronization

/// Something that is read again and again, and may take for ever: there is one reading at a time, however many ask.
package final class SharedReading<Value: Sendable>: Sendable {
    private struct Reading {
        let task: Task<Value?, Never>
        let begunAt: Int64
        var hasEnded = false
    }

    private let state = Mutex<Reading?>(nil)
    private let uptime: @Sendable () -> Int64
    private let read: @Sendable () async -> Value?

    /// - Parameters:
    ///   - uptime: a monotonic clock, in µs.
    ///   - read: returns nil if it fails.
    package init(uptime: @escaping @Sendable () -> Int64, _ read: @escaping @Sendable () async -> Value?) {
        self.uptime = uptime
        self.read = read
    }

    /// What is read.
    /// - Parameters:
    ///   - limit: how long a reading may take, in ms. It goes on then, and no other one is begun before it ends.
    ///   - age: how long the last one counts, in ms; 0 to read again.
    /// - Returns: nil if it fails or takes too long.
    package func value(withinMs limit: Int64, notOlderThanMs age: Int64 = 0) async -> Value? {
        let (reading, now) = next(age)
        let left = limit - max(0, now - reading.begunAt) / 1_000
        guard !reading.hasEnded, left <= 0 else {
            return await Self.first(of: reading.task, withinMs: max(1, left))
        }
        return nil
    }

    private func next(_ age: Int64) -> (Reading, now: Int64) {
        let now = uptime()
        return state.withLock { state in
            if let known = state, !known.hasEnded || now - known.begunAt < age * 1_000 { return (known, now) }
            let task = Task { [read] in
                let value = await read()
                // Before anybody gets it.
                self.state.withLock { $0?.hasEnded = true }
                return value
            }
            let reading = Reading(task: task, begunAt: now)
            state = reading
            return (reading, now)
        }
    }

    private static func first(of task: Task<Value?, Never>, withinMs limit: Int64) async -> Value? {
        let (values, next) = AsyncStream.makeStream(of: Value?.self)
        let waiting = Task { next.yield(await task.value) }
        let timer = Task {
            try? await Task.sleep(for: .milliseconds(limit))
            next.yield(nil)
        }
        defer {
            timer.cancel()
            waiting.cancel()
        }
        for await value in values { return value }
        return nil
    }
}
