#if canImport(Glibc)
    import Glibc
#endif

/// Returns memory to the system once many connections have ended.
///
/// The allocator of glibc returns only what is free at the end of its heaps. A peak of connections leaves much that is free between
/// what is still used: 29 of 119 MiB after 5,000 connections. `malloc_trim` returns that, too. It took 0.1 s then, in which other threads
/// wait for memory, so it is called after peaks only.
enum FreedMemory {
    /// How often the number of connections is looked at.
    private static let interval = Duration.seconds(10)
    /// The least time from one return to the next.
    private static let rest = Duration.seconds(60)

    /// Runs until the task is cancelled.
    static func watch(_ connections: Connections) async {
        var peak = ConnectionPeak()
        while (try? await Task.sleep(for: interval)) != nil {
            // A peak may be over before anybody looks.
            let most = connections.takeMost()
            guard peak.hasEnded(count: connections.count, most: most) else { continue }
            returnToSystem()
            // Nobody can make the server do this all the time.
            try? await Task.sleep(for: rest)
        }
    }

    /// - Returns: whether the allocator has a function for it and found something to return.
    @discardableResult
    static func returnToSystem() -> Bool {
        #if canImport(Glibc)
            // The module Glibc does not have malloc.h. `int malloc_trim(size_t)` is in glibc since version 2.0.
            guard let function = dlsym(nil, "malloc_trim") else { return false }
            return unsafeBitCast(function, to: (@convention(c) (Int) -> CInt).self)(0) == 1
        #else
            return false
        #endif
    }
}

/// Finds the end of a peak of connections.
struct ConnectionPeak {
    /// Fewer connections than this are no peak.
    static let least = 1_000

    private var most = 0

    /// Notes how many connections there are, and the most that there were since the last call.
    /// - Returns: whether at most half are left of the most that there were since the last end of a peak.
    mutating func hasEnded(count: Int, most recent: Int) -> Bool {
        most = max(most, recent)
        guard most >= Self.least, count <= most / 2 else { return false }
        most = count
        return true
    }
}
