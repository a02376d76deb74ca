import Testing

@testable import RoostServer

@Suite struct TokenLifetimeTests {
    @Test func `a client is warned once, a minute before expiry, and then the connection closes`() {
        var life = TokenLifetime(expiresAt: 3_600_000, now: 0)
        #expect(life.step(now: 0) == .wait(3_540_000))
        #expect(life.step(now: 3_539_999) == .wait(1))
        #expect(life.step(now: 3_540_000) == .notify)
        #expect(life.step(now: 3_599_999) == .notify)
        life.markNotified()
        #expect(life.step(now: 3_540_000) == .wait(60_000))
        #expect(life.step(now: 3_600_000) == .end)
        #expect(life.step(now: .max) == .end)
    }

    @Test(arguments: [119_999, 61_000, 3_000, 2, 1] as [Int64])
    func `with less than two minutes left, the client is warned halfway`(left: Int64) {
        let life = TokenLifetime(expiresAt: 1_000_000, now: 1_000_000 - left)
        let half = left / 2
        #expect(life.step(now: 1_000_000 - half - 1) == .wait(1))
        #expect(life.step(now: 1_000_000 - half) == (half > 0 ? .notify : .end))
    }

    @Test func `a clock that is set back delays expiry and repeats no warning`() {
        var life = TokenLifetime(expiresAt: 1_000_000, now: 0)
        #expect(life.step(now: 950_000) == .notify)
        life.markNotified()
        #expect(life.step(now: 10_000) == .wait(990_000))
        #expect(life.step(now: .min) == .wait(1_000_000))
        #expect(life.step(now: 950_000) == .wait(50_000))
    }

    @Test func `a renewal with a new expiry restarts the timer, and one with the same expiry has no effect`() {
        var life = TokenLifetime(expiresAt: 100_000, now: 0)
        life.markNotified()
        life.renew(expiresAt: 100_000, now: 99_000)
        #expect(life.step(now: 99_000) == .wait(1_000))
        life.renew(expiresAt: 500_000, now: 99_000)
        #expect(life.step(now: 100_000) == .wait(340_000))
        #expect(life.step(now: 440_000) == .notify)
        // An older token: the connection uses it as well.
        life.renew(expiresAt: 450_000, now: 440_000)
        #expect(life.step(now: 445_000) == .notify)
        #expect(life.step(now: 450_000) == .end)
    }

    @Test func `a token that ended before it was looked at ends the connection`() {
        #expect(TokenLifetime(expiresAt: 5, now: 10).step(now: 10) == .end)
    }
}
