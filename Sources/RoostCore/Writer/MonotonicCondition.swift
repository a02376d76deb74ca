#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A lock with a condition whose waits end after a time, whatever happens to the clock of the machine.
///
/// The waits of `NSCondition` end at a date: if the clock is set back, they last longer.
///
/// `@unchecked Sendable`: the pointers never change, and what they point to is made for several threads.
package final class MonotonicCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }

    package func unlock() { pthread_mutex_unlock(mutex) }

    package func withLock<T>(_ body: () throws -> T) rethrows -> T {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Wakes a thread that waits.
    package func signal() { pthread_cond_signal(condition) }

    /// Waits for a signal. It may return without one. The lock must be held.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// Waits for a signal, at most for some ms. It may return earlier without one. The lock must be held.
    /// - Returns: false once the time is over.
    package func wait(ms: Int64) -> Bool {
        let ms = max(0, min(ms, 86_400_000))
        #if canImport(Darwin)
            var time = timespec(tv_sec: Int(ms / 1_000), tv_nsec: Int(ms % 1_000) * 1_000_000)
            return pthread_cond_timedwait_relative_np(condition, mutex, &time) != ETIMEDOUT
        #else
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let nanoseconds = Int(time.tv_nsec) + Int(ms % 1_000) * 1_000_000
            time.tv_sec += Int(ms / 1_000) + nanoseconds / 1_000_000_000
            time.tv_nsec = nanoseconds % 1_000_000_000
            return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
        #endif
    }
}
