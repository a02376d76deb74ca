import Testing

@testable import RoostServer

@Suite struct TokenLifeTests {
    @Test func `a connection goes on until its token is refused, whatever the clock does in between`() {
        let life = TokenLife(expiresAt: 100_000)
        #expect(life.step(now: 0) == .wait(100_000))
        #expect(life.step(now: 99_999) == .wait(1))
        #expect(life.step(now: 100_000) == .end)
        #expect(life.step(now: .max) == .end)
        // The clock was set back.
        #expect(life.step(now: 1_000) == .wait(99_000))
        #expect(life.step(now: .min) == .wait(100_000))
    }
}
