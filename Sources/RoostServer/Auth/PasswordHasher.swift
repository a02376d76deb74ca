import CryptoExtras
import Foundation
import NIOCore
import NIOPosix
import RoostWire
import Synchronization

/// Hashes passwords with scrypt: each takes a third of a second and 32 MiB on purpose.
///
/// It has threads of its own, one for every two cores, which get the CPU after those that serve messages. Anybody can ask for
/// hashes, so only a few may wait.
///
/// A stored hash contains its parameters, so that they can be raised later: `scrypt$LOG2N$R$P$SALT$HASH`, salt and hash in
/// base64. The parameters are those that OWASP's cheat sheet on password storage recommends for 32 MiB.
final class PasswordHasher: Sendable {
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
    static let maxWaiting = 8

    private let cost: Cost
    private let threads: Int
    private let pool: NIOThreadPool
    private let running = Mutex(0)
    private let unknown: String

    /// Creates a hasher; `isCheap` is for tests that hash many passwords.
    convenience init(isCheap: Bool = false) { self.init(isCheap ? Cost(logRounds: 4, parallelism: 1) : Cost()) }

    init(_ cost: Cost) {
        self.cost = cost
        unknown = Self.text(
            cost, [UInt8](repeating: 0, count: Self.saltBytes), [UInt8](repeating: 0, count: Self.hashBytes))
        threads = max(1, System.coreCount / 2)
        pool = NIOThreadPool(numberOfThreads: threads)
        pool.start()
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// Hashes a new password, in form C of Unicode: keyboards differ in how they write accents.
    /// - Throws: `WireError` 1004 if too many passwords wait.
    func hash(_ password: String) async throws(WireError) -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let cost = cost
        let composed = password.precomposedStringWithCanonicalMapping
        let hash = try await run { try Self.derive(composed, salt, cost) }
        return Self.text(cost, salt, hash)
    }

    /// Whether a password has this hash. Without a hash, it takes as long and is false.
    /// - Throws: `WireError` 1004 if too many passwords wait.
    func isHash(_ stored: String?, of password: String) async throws(WireError) -> Bool {
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

    /// - Throws: `WireError` 1004 if too many passwords wait.
    func checkRoom() throws(WireError) {
        if running.withLock({ $0 >= threads + Self.maxWaiting }) { throw Self.isFull }
    }

    private static let isFull = WireError(
        .tooManyRequests, "Too many logins at the same time. Try again.", retryAfterMs: 2_000)

    private func run(_ body: @escaping @Sendable () throws -> [UInt8]) async throws(WireError) -> [UInt8] {
        let isFull = running.withLock { running in
            guard running < threads + Self.maxWaiting else { return true }
            running += 1
            return false
        }
        guard !isFull else { throw Self.isFull }
        defer { running.withLock { $0 -= 1 } }
        do {
            return try await pool.runIfActive {
                #if os(Linux)
                    // PRIO_PROCESS, whose type differs between C libraries, and on Linux the calling thread.
                    _ = setpriority(0, 0, 10)
                #endif
                return try body()
            }
        } catch {
            throw WireError(.internalFault)
        }
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
