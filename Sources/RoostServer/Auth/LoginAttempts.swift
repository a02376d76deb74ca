import Crypto
import RoostCore
import RoostWire
import Synchronization

/// Limits how often passwords can be tried within 15 minutes.
///
/// Nobody can lock somebody else out by guessing: ten attempts count for a login name and a network together. From networks
/// where the user has not logged in before, 50 count for a network, and 100 for a login name and all of them together.
///
/// With several servers, wrong passwords and new accounts count together at all of them; the rest, which costs no check of
/// a password, at each by itself.
///
/// An attempt counts when it begins, so that many at the same time gain nothing. A right password takes it back, and also
/// those of its login name from the same network.
final class LoginAttempts: Sendable {
    private enum Key: Hashable {
        /// A login name from one network, or from backends that do not say from where.
        case login(String, network: String)
        /// A login name from all networks where the user has not logged in.
        case newNetworks(String)
        /// All login names from a network where their users have not logged in.
        case network(String)
        /// Strings from a network that are no codes of this server.
        case wrongCodes(String)
        /// The exchange of one code, by its id.
        case code(String)
        /// New accounts for people of a network; nil for all networks.
        case signUps(String?)
        /// Visits from a network, and with a key.
        case visits(network: String)
        case visitsWithKey(String)
        /// Answers of the identity provider from a network.
        case providerAnswers(String)

        /// Its id among those that count at all servers; nil if it does not.
        var sharedID: String? {
            switch self {
            case .login(let name, let network): LoginAttempts.hash("login\n\(name)\n\(network)")
            case .newNetworks(let name): LoginAttempts.hash("login from new networks\n\(name)")
            case .network(let network): LoginAttempts.hash("login from\n\(network)")
            case .signUps(let network): LoginAttempts.hash("sign-up from\n\(network ?? "all")")
            case .wrongCodes, .code, .visits, .visitsWithKey, .providerAnswers: nil
            }
        }
    }

    /// The windows in which an attempt counts, and when these began.
    private struct Counted {
        var here: [Key: Int64]
        /// Those of all servers.
        var shared: [String: Int64] = [:]
    }

    private struct Window {
        /// When it began, in ms since 1970.
        var start: Int64
        var count = 0

        func isOver(at now: Int64) -> Bool { now - start >= LoginAttempts.length || now < start }
    }

    /// How long attempts count, in ms.
    static let length = CountedAttempt.length
    /// The number of attempts for a login name from a network.
    static let maxPerLogin = 10
    /// The number of attempts from a network where the users have not logged in.
    static let maxPerNetwork = 50
    /// The number of attempts for a login name from all networks where the user has not logged in.
    static let maxFromNewNetworks = 100
    /// The number of accounts that people of a network may make, and of all networks together.
    static let maxSignUps = (perNetwork: 10, all: 200)
    /// The number of visits that people of a network may begin or go on with, and people of all networks with a key.
    static let maxVisits = (perNetwork: 20, perKey: 500)
    /// The number of passwords from a network that are checked at the same time.
    static let maxAtOnce = 2
    /// Nobody has a longer login name or user id.
    static let maxBytes = AccountRules.loginNameBytes

    private let maxWindows: Int
    private let windows = Mutex<[Key: Window]>([:])
    /// How many passwords are being checked, by network.
    private let checks = Mutex(RunningCounts<String>())

    private let core: Core?

    /// - Parameter core: where attempts at all servers are counted; nil if there is one server.
    init(maxWindows: Int = 100_000, core: Core? = nil) {
        self.maxWindows = maxWindows
        self.core = core
    }

    /// Checks a password, as an attempt.
    ///
    /// A password that could not be checked does not count.
    /// - Parameters:
    ///   - address: where the attempt comes from; nil for a backend that does not say so.
    ///   - isKnown: whether the user has logged in from this network before.
    /// - Throws: `WireError` 1004 if there were too many attempts, or if the network has enough passwords checked already.
    func check(
        _ login: String, from address: String?, isKnown: Bool = false, now: Int64,
        isRight: () async throws(WireError) -> Bool
    ) async throws(WireError) -> Bool {
        let network = address.map(Self.network)
        try enter(network)
        defer { leave(network) }
        let name = LoginName.key(of: login)
        let own = Key.login(name, network: network ?? "")
        var limits = [(own, Self.maxPerLogin)]
        if let network, !isKnown {
            limits += [(.network(network), Self.maxPerNetwork), (.newNetworks(name), Self.maxFromNewNetworks)]
        }
        let counted = try await count(limits, now: now, of: "wrong passwords")
        do throws(WireError) {
            let isRight = try await isRight()
            if isRight {
                await takeBack(counted, allOf: own)
                windows.withLock { $0[own] = nil }
            }
            return isRight
        } catch {
            await takeBack(counted)
            throw error
        }
    }

    /// Counts a string that is no code of this server. Right codes are not concerned, as nobody guesses them.
    /// - Throws: `WireError` 1004 if the address has tried too many.
    func countWrongCode(from address: String?, now: Int64) throws(WireError) {
        guard let address else { return }
        _ = try begin([(.wrongCodes(Self.network(of: address)), Self.maxPerNetwork)], now: now)
    }

    /// Counts the exchange of a code, which costs a write.
    /// - Throws: `WireError` 1004 if this code was tried too often.
    func countExchange(of code: String, now: Int64) throws(WireError) {
        _ = try begin([(.code(code), Self.maxPerLogin)], now: now)
    }

    /// Counts a new account, whether it can be made or not, so that nobody tries which login names exist.
    /// - Throws: `WireError` 1004 if there were too many.
    func countSignUp(from address: String?, now: Int64) async throws(WireError) {
        _ = try await count(
            [
                (.signUps(Self.network(of: address ?? "")), Self.maxSignUps.perNetwork),
                (.signUps(nil), Self.maxSignUps.all),
            ],
            now: now, of: "new accounts")
    }

    /// Counts a visit that begins or goes on, whether its key is valid or not.
    /// - Throws: `WireError` 1004 if there were too many.
    func countVisit(from address: String?, now: Int64) throws(WireError) {
        let network = Self.network(of: address ?? "")
        _ = try begin([(.visits(network: network), Self.maxVisits.perNetwork)], now: now, of: "visits")
    }

    /// Counts a visit with a valid key.
    /// - Throws: `WireError` 1004 if there were too many.
    func countVisit(withKey key: String, now: Int64) throws(WireError) {
        _ = try begin([(.visitsWithKey(key), Self.maxVisits.perKey)], now: now, of: "visits")
    }

    /// Counts an answer of the identity provider while it is checked, and if it is wrong. While the provider cannot be
    /// reached, nobody's tries count.
    /// - Throws: `WireError` 1004 if the network has tried too many.
    func checkProviderAnswer<Value: Sendable>(
        from address: String?, now: Int64, check: () async throws(WireError) -> Value
    ) async throws(WireError) -> Value {
        let network = Self.network(of: address ?? "")
        let counted = try begin([(.providerAnswers(network), Self.maxPerNetwork)], now: now, of: "logins")
        do throws(WireError) {
            let value = try await check()
            takeBack(counted)
            return value
        } catch {
            if error.retryable { takeBack(counted) }
            throw error
        }
    }

    private func enter(_ network: String?) throws(WireError) {
        guard let network else { return }
        let isFull = checks.withLock { checks in
            guard checks[network] < Self.maxAtOnce else { return true }
            checks.add(network)
            return false
        }
        guard isFull else { return }
        throw WireError(
            .tooManyRequests, "Too many logins at the same time from this address. Try again.", retryAfterMs: 1_000)
    }

    private func leave(_ network: String?) {
        guard let network else { return }
        checks.withLock { $0.remove(network) }
    }

    /// Counts an attempt at all servers.
    /// - Throws: `WireError` 1004 if there were too many.
    private func count(_ limits: [(Key, Int)], now: Int64, of what: String) async throws(WireError) -> Counted {
        var counted = Counted(here: try begin(limits, now: now, of: what))
        guard let core, core.hasOthers else { return counted }
        let shared = Dictionary(
            limits.compactMap { key, most in key.sharedID.map { ($0, most) } }, uniquingKeysWith: { first, _ in first })
        // If the database takes no changes, what is counted here has to do.
        guard let answer = try? await core.countAttempt(shared) else { return counted }
        counted.shared = answer.windows
        guard let wait = answer.waitMs else { return counted }
        takeBack(counted.here)
        // The next ones are refused without a question to the database.
        for (key, most) in limits where key.sharedID == answer.full {
            windows.withLock { $0[key] = Window(start: now - Self.length + wait, count: most) }
        }
        throw Self.tooMany(what, wait)
    }

    /// Takes an attempt back, or all of a window.
    private func takeBack(_ counted: Counted, allOf key: Key? = nil) async {
        takeBack(counted.here)
        guard let core, !counted.shared.isEmpty else { return }
        // Otherwise it counts until the window is over.
        try? await core.takeBackAttempt(counted.shared, allOf: key?.sharedID)
    }

    private static func tooMany(_ what: String, _ wait: Int64) -> WireError {
        WireError(
            .tooManyRequests, "Too many \(what). Try again in \((wait + 59_999) / 60_000) min.",
            retryAfterMs: Int(clamping: wait))
    }

    /// Counts an attempt at this server.
    /// - Returns: in which windows it counts, and when these began.
    /// - Throws: `WireError` 1004 if there were too many.
    private func begin(
        _ limits: [(Key, Int)], now: Int64, of what: String = "wrong passwords"
    ) throws(WireError) -> [Key: Int64] {
        let (counted, wait) = windows.withLock { windows -> ([Key: Int64], Int64?) in
            var counted: [Key: Window] = [:]
            for (key, most) in limits {
                var window = windows[key] ?? Window(start: now)
                if window.isOver(at: now) { window = Window(start: now) }
                if window.count >= most { return ([:], window.start + Self.length - now) }
                window.count += 1
                counted[key] = window
            }
            makeRoom(in: &windows, now: now)
            windows.merge(counted) { $1 }
            return (counted.mapValues(\.start), nil)
        }
        guard let wait else { return counted }
        throw Self.tooMany(what, wait)
    }

    /// Forgets windows if there are too many: those that are over, and then the quarter with the fewest attempts, so that
    /// nobody shuts out others by filling the table.
    private func makeRoom(in windows: inout [Key: Window], now: Int64) {
        guard windows.count >= maxWindows else { return }
        windows = windows.filter { !$0.value.isOver(at: now) }
        guard windows.count >= maxWindows else { return }
        let order = windows.sorted { ($0.value.count, $0.value.start) < ($1.value.count, $1.value.start) }
        for (key, _) in order.prefix(max(1, windows.count / 4)) { windows[key] = nil }
    }

    /// Takes an attempt back that has been counted in these windows.
    private func takeBack(_ counted: [Key: Int64]) {
        windows.withLock { windows in
            for (key, start) in counted {
                guard let window = windows[key], window.start == start else { continue }
                windows[key] = window.count > 1 ? Window(start: start, count: window.count - 1) : nil
            }
        }
    }

    /// A hash of a text, as hexadecimal digits.
    static func hash(_ text: String) -> String {
        var digits: [UInt8] = []
        for byte in SHA256.hash(data: Array(text.utf8)).prefix(16) {
            HexDigits.append(UInt64(byte), digits: 2, to: &digits)
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// What an address counts as: of IPv6, where somebody has many, the first half.
    static func network(of address: String) -> String {
        if address.contains(".") { return String(address.split(separator: ":").last ?? "") }
        let halves = address.split(separator: "::", omittingEmptySubsequences: false).map { $0.split(separator: ":") }
        guard address.contains(":"), let head = halves.first else { return address }
        let tail = halves.count > 1 ? halves[1] : []
        let zeros = Array(repeating: Substring("0"), count: max(0, 8 - head.count - tail.count))
        return (head + zeros + tail).prefix(4).joined(separator: ":")
    }
}
