import RoostTesting
import RoostWire
import Testing

/// The ids that the server makes.
@Suite(.firstPassOnly, .timeLimit(.minutes(1))) struct IdsTests {
    /// The state of SplitMix64 after it has returned a number: it has as many bits as the number.
    private static func state(after number: UInt64) -> UInt64 {
        var value = number
        value = value ^ value >> 31 ^ value >> 62
        value = value &* 0x3196_42B2_D24D_8EC3
        value = value ^ value >> 27 ^ value >> 54
        value = value &* 0x96DE_1B17_3F11_9089
        return value ^ value >> 30 ^ value >> 60
    }

    @Test func `nobody can compute the ids to come from one that was seen`() async throws {
        // What the test can compute of a generator that is not made for it.
        var seeded = SeededNumbers(seed: 7)
        var known = SeededNumbers(seed: Self.state(after: seeded.next()))
        #expect(seeded.next() == known.next())

        let harness = try await ServerHarness()
        let http = HTTPClient(harness)
        var ids: Set<FileID> = []
        for _ in 0..<20 {
            let file = try http.perform(CreateFile(name: "a", size: 1), from: .guest(Cast.ann))
            let digits = file.fileID.rawValue
            let first = try #require(UInt64(digits.prefix(16), radix: 16))
            let second = try #require(UInt64(digits.dropFirst(16), radix: 16))
            var next = SeededNumbers(seed: Self.state(after: first))
            #expect(next.next() != second)
            ids.insert(file.fileID)
        }
        #expect(ids.count == 20)
    }
}
