import NIOCore
import RoostWire
import Testing

@testable import RoostServer

/// Hashes of passwords.
@Suite struct PasswordHasherTests {
    @Test func `a password has its hash and no other one, whatever the salt`() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash("correct horse é 漢字")
        #expect(hash.hasPrefix("scrypt$15$8$3$"))
        #expect(try await hasher.isHash(hash, of: "correct horse é 漢字"))
        #expect(try await !hasher.isHash(hash, of: "correct horse e 漢字"))
        #expect(try await !hasher.isHash(nil, of: "correct horse"))
        let cheap = PasswordHasher(isCheap: true)
        // The parameters are in the hash, so that they can be changed.
        #expect(try await cheap.isHash(hash, of: "correct horse é 漢字"))
        let (one, other) = (try await cheap.hash("same"), try await cheap.hash("same"))
        #expect(one != other)
        for hash in [one, other] { #expect(try await cheap.isHash(hash, of: "same")) }
    }

    @Test func `it does not matter how a keyboard writes accents, and older hashes go on working`() async throws {
        let hasher = PasswordHasher(isCheap: true)
        let (composed, decomposed) = ("gr\u{FC}\u{DF}e ann", "gru\u{308}\u{DF}e ann")
        for new in [composed, decomposed] {
            let hash = try await hasher.hash(new)
            for given in [composed, decomposed] { #expect(try await hasher.isHash(hash, of: given)) }
            #expect(try await !hasher.isHash(hash, of: "gru\u{DF}e ann"))
        }
        #expect(try await hasher.isHash(Self.older, of: decomposed))
        #expect(try await !hasher.isHash(Self.older, of: "gr\u{DF}e ann"))
    }

    /// The hash of "gru\u{308}\u{DF}e ann" as it came, as an earlier version stored it.
    private static let older = "scrypt$4$8$1$AAECAwQFBgcICQoLDA0ODw==$A3Aw14bu6sXM+KUnZuwiYSXjxQyVD6bevJFY4llJD2s="

    @Test(arguments: [
        "", "plain", "scrypt$15$8$3$AAAA", "scrypt$64$8$1$AAAA$AAAA", "scrypt$4$8$1$?$AAAA", "md5$4$8$1$AAAA$AAAA",
        "scrypt$4$8$99999$AAAA$AAAA",
    ])
    func `a damaged hash is an error, not a login`(stored: String) async throws {
        await #expect(throws: WireError.self) {
            try await PasswordHasher(isCheap: true).isHash(stored, of: "password")
        }
    }

    @Test func `only a few passwords wait, and the others are told to come back`() async throws {
        let hasher = PasswordHasher(PasswordHasher.Cost(logRounds: 12))
        let count = 4 * PasswordHasher.maxWaiting + System.coreCount
        let errors = await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { () async -> WireError? in
                    do throws(WireError) { _ = try await hasher.hash("password") } catch { return error }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let refused = errors.compactMap(\.self)
        #expect(refused.count >= PasswordHasher.maxWaiting && refused.count < count)
        #expect(refused.allSatisfy { $0.entry == .tooManyRequests && $0.retryAfterMs == 2_000 })
        // Room that has become free is used again.
        #expect(try await hasher.isHash(hasher.hash("again"), of: "again"))
    }
}
