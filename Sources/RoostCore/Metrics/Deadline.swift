/// Waiting for something that may never come.
package enum Deadline {
    /// The value of some work, or nil if there is none within a time; the work goes on then.
    package static func value<Value: Sendable>(
        withinMs limit: Int64, _ work: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        let (values, next) = AsyncStream.makeStream(of: Value?.self)
        Task { next.yield(await work()) }
        let timer = Task {
            try? await Task.sleep(for: .milliseconds(limit))
            next.yield(nil)
        }
        defer { timer.cancel() }
        for await value in values { return value }
        return nil
    }
}
