import RoostWire
import Testing

@testable import RoostClient

/// How long a hostile or faulty server can make a client wait.
@Suite struct RetryAfterTests {
    @Test(arguments: [(Int.max, 60_000), (60_001, 60_000), (1_500, 1_500), (0, 0), (-1, 0), (Int.min, 0)])
    func `an error never asks an app to wait for longer than a minute`(asked: Int, wait: Int) {
        let wire = WireError(.tooManyRequests, retryAfterMs: asked)
        #expect(RoostError(wire: wire).retryAfterMs == wait)
        #expect(RoostError(wire: wire).wire == wire, "what the server said stays readable")
    }

    @Test(arguments: [Int.max, Int.min, -1, 60_001])
    func `a refused login is tried again within the minute`(asked: Int) {
        for reason in [
            LossReason.refused(WireError(.tooManyRequests, retryAfterMs: asked)),
            .upgradeRefused(status: 503, retryAfterMs: Int64(asked)),
        ] {
            #expect((0...60_000).contains(reason.retryAfter))
        }
    }

    @Test func `the client's own tries keep a distance`() {
        #expect(RetryAfter.wait(0, otherwise: 500) == 100)
        #expect(RetryAfter.wait(Int.min, otherwise: 500) == 100)
        #expect(RetryAfter.wait(nil, otherwise: 500) == 500)
        #expect(RetryAfter.wait(Int.max, otherwise: 500) == 60_000)
    }
}
