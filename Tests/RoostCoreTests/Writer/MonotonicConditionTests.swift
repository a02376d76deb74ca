import Foundation
import Synchronization
import Testing

@testable import RoostCore

/// The condition that the writer waits with.
@Suite struct MonotonicConditionTests {
    @Test func `a wait ends by itself once its time is over`() {
        let condition = MonotonicCondition()
        condition.withLock {
            for ms in [Int64.min, -1, 0, 1, 1_001] {
                // It may return earlier without a reason, but not for ever.
                while condition.wait(ms: ms) {}
            }
        }
    }

    @Test func `a signal ends waits with and without a limit`() {
        let condition = MonotonicCondition()
        let isReady = Mutex(false)
        for isLimited in [true, false] {
            isReady.withLock { $0 = false }
            Thread {
                condition.withLock {
                    isReady.withLock { $0 = true }
                    condition.signal()
                }
            }.start()
            condition.withLock {
                while !isReady.withLock({ $0 }) {
                    if isLimited { #expect(condition.wait(ms: .max)) } else { condition.wait() }
                }
            }
        }
    }
}
