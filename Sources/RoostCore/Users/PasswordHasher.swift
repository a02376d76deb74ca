import CryptoExtras
import Foundation
package import RoostWire
import Synchronization

/// Hashes passwords with scrypt, two at a time: each takes a third of a second and 32 MiB on purpose.
///
/// A stored hash contains its parameters, so that they can be raised later: `scrypt$LOG2N$R$P$SALT$HASH`, salt and hash in
/// base64. The parameters are those that OWASP's cheat sheet on password storage recommends for 32 MiB.
package final class PasswordHasher: Sendable {
    /// The parameters of scrypt.
    struct Cost: Hashable, Sendable {
        /// The binary logarithm of N.
        var logRounds = 15
        var blockSize = 8
        var parallelism = 3
    }

    private static let saltBytes = 16
    private static let hashBytes = 32
    /// The number of hashes that may wait for a thread.
    private static let mostWaiting = 64

    private let cost: Cost
    private let queue = OperationQueue()
    private let waiting = Mutex(0)
    private let unknown: String

    /// Creates a hasher; `isCheap` is for tests that hash many passwords.
    package convenience init(isCheap: Bool = false) { self.init(isCheap ? Cost(logRounds: 4, parallelism: 1) : Cost()) }

    init(_ cost: Cost) {
        self.cost = cost
        unknown = Self.text(
            cost, [UInt8](repeating: 0, count: Self.saltBytes), [UInt8](repeating: 0, count: Self.hashBytes))
        queue.maxConcurrentOperationCount = 2
    }

    /// Hashes a new password, in form C of Unicode: keyboards differ in how they write accents.
    /// - Throws: `WireError` 1004 if too many passwords wait.
    package func hash(_ password: String) async throws(WireError) -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let cost = cost
        let composed = password.precomposedStringWithCanonicalMapping
        let hash = try await run { try Self.derive(composed, salt, cost) }
        return Self.text(cost, salt, hash)
    }

    /// Whether a password has this hash. Without a hash, it takes as long and is false.
    /// - Throws: `WireError` 1004 if too many passwords wait.
    package func isHash(_ stored: String?, of password: String) async throws(WireError) -> Bool {
        guard let (cost, salt, hash) = Self.parse(stored ?? unknown) else { throw WireError(.internalFault) }
        // Earlier versions hashed the bytes as they came.
        var forms = [password, password.precomposedStringWithCanonicalMapping]
        if forms[0].utf8.elementsEqual(forms[1].utf8) { forms.removeLast() }
        var isEqual = false
        for form in forms {
            let derived = try await run { try Self.derive(form, salt, cost) }
            var difference: UInt8 = 0
            for (one, other) in zip(derived, hash) { difference |= one ^ other }
            if difference == 0, derived.count == hash.count { isEqual = true }
        }
        return isEqual && stored != nil
    }

    private func run(_ body: @escaping @Sendable () throws -> [UInt8]) async throws(WireError) -> [UInt8] {
        let isFull = waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return true }
            waiting += 1
            return false
        }
        guard !isFull else {
            throw WireError(.tooManyRequests, "Too many logins at the same time. Try again.", retryAfterMs: 2_000)
        }
        defer { waiting.withLock { $0 -= 1 } }
        let result = await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: Result { try body() }) }
        }
        guard let bytes = try? result.get() else { throw WireError(.internalFault) }
        return bytes
    }

    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: hashBytes, rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism)
        return key.withUnsafeBytes { Array($0) }
    }

    private static func text(_ cost: Cost, _ salt: [UInt8], _ hash: [UInt8]) -> String {
        let parts = [salt, hash].map { Data($0).base64EncodedString() }
        return "scrypt$\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)$\(parts[0])$\(parts[1])"
    }

    private static func parse(_ text: String) -> (Cost, [UInt8], [UInt8])? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), (1...20).contains(rounds),
            let blockSize = Int(parts[2]), (1...32).contains(blockSize),
            let parallelism = Int(parts[3]), (1...16).contains(parallelism),
            let salt = Data(base64Encoded: String(parts[4])), let hash = Data(base64Encoded: String(parts[5]))
        else { return nil }
        return (Cost(logRounds: rounds, blockSize: blockSize, parallelism: parallelism), Array(salt), Array(hash))
    }
}
