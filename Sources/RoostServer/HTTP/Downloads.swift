import RoostWire
import Synchronization

/// Lets only a few downloads of a user, and of an address, be sent at the same time, and only so many that all connections
/// together have half of their memory left; others wait for their turn.
///
/// An address is often that of an office. Whoever has no download at one that is full still gets one, up to another limit, and before
/// those who have some. A download that makes hardly any progress ends if somebody else waits because of it.
///
/// Nobody holds much of the server's memory with downloads that are never read: one that waits holds no bytes. An address of
/// this machine, which may be a proxy's, has no limit of its own.
final class Downloads: Sendable {
    /// A download that is being sent. It ends with the last reference to it.
    final class Slot: Sendable {
        private let downloads: Downloads
        private let claim: Claim

        fileprivate init(_ downloads: Downloads, _ claim: Claim) {
            self.downloads = downloads
            self.claim = claim
        }

        /// Whether somebody else would have a turn without this one.
        var isAwaited: Bool { downloads.isAwaited(claim) }

        deinit { downloads.end(claim) }
    }

    /// Who downloads.
    enum Reader: Hashable, Sendable {
        case user(UserID)
        /// Whoever has a link of this user: at each address somebody else.
        case link(UserID)

        var user: UserID {
            switch self {
            case .user(let user), .link(let user): user
            }
        }
    }

    /// Ends a download that is too slow while others wait.
    struct TooSlow: Error {}

    /// How fast a download is read.
    struct Pace {
        static let least = 4 * 1_024
        private static let window = Duration.seconds(30)

        private var start: ContinuousClock.Instant
        private var bytes = 0

        init(since start: ContinuousClock.Instant) { self.start = start }

        /// Notes that so many bytes more were taken.
        /// - Returns: whether a window of time has ended in which there were less than there should be.
        mutating func isSlow(after bytes: Int, now: ContinuousClock.Instant) -> Bool {
            self.bytes += bytes
            let time = start.duration(to: now)
            guard time >= Self.window else { return false }
            defer { (start, self.bytes) = (now, 0) }
            return Int64(self.bytes) < Int64(Self.least) * time.components.seconds
        }
    }

    fileprivate enum Key: Hashable {
        case reader(Reader, String)
        case address(String)
        /// A user at an address, with a token or a link.
        case guest(UserID, String)
    }

    /// What a download counts for.
    fileprivate struct Claim {
        var user: UserID
        var reader: Key
        var address: Key?
        var guest: Key?
        /// What it holds of the memory of all connections.
        var bytes: Int
        var share: ConnectionMemory.Share?

        var keys: [Key] { [reader, address, guest].compactMap(\.self) }
    }

    private struct Waiter {
        var id: UInt64
        var claim: Claim
        var turn: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = RunningCounts<Key>()
        var waiting: [Waiter] = []
        var lastID: UInt64 = 0

        func hasRoom(for claim: Claim) -> Bool {
            guard running[claim.reader] < maxPerUser else { return false }
            guard let address = claim.address else { return true }
            return running[address] < (isFirst(claim) ? maxWithFirst : maxPerAddress)
        }

        /// Whether its user has none at its address.
        func isFirst(_ claim: Claim) -> Bool { claim.guest.map { running[$0] == 0 } ?? true }

        /// Counts a download if there is room for it.
        mutating func take(_ claim: Claim) -> Bool {
            guard hasRoom(for: claim), claim.share?.beginDownload(claim.bytes) ?? true else { return false }
            for key in claim.keys { running.add(key) }
            return true
        }

        /// Counts those that wait and have room now, first those whose users have none at their addresses.
        mutating func takeWaiting() -> [Waiter] {
            var next: [Waiter] = []
            for onlyFirst in [true, false] {
                var others: [Waiter] = []
                for waiter in waiting {
                    if !onlyFirst || isFirst(waiter.claim), take(waiter.claim) {
                        next.append(waiter)
                    } else {
                        others.append(waiter)
                    }
                }
                waiting = others
            }
            return next
        }
    }

    /// How many downloads of a user, and of an address, are sent at the same time.
    static let maxPerUser = 8
    static let maxPerAddress = 32
    /// How many of an address, with those that are their users' only ones there.
    static let maxWithFirst = 128
    /// How many of a user may wait for their turn.
    static let maxWaiting = 100
    /// What a download holds if nobody reads it: what the socket takes before it is full, a piece that it takes at
    /// once, and one that waits.
    static let maxBytes = 192 * 1_024

    private let state = Mutex(State())
    private let patience: Duration

    /// - Parameter patience: how long a download waits for its turn before it is refused.
    init(patience: Duration = .seconds(20)) { self.patience = patience }

    /// How many wait for their turn.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits until a download of so many bytes may be sent, and counts it.
    /// - Throws: `WireError` 1004 if too many wait, or if it has waited too long.
    func begin(
        _ reader: Reader, from address: String?, bytes: Int = 0, on share: ConnectionMemory.Share? = nil
    ) async throws(WireError) -> Slot {
        let network = address.flatMap { Connections.isLocal($0) ? nil : LoginAttempts.network(of: $0) }
        let place = if case .link = reader { network ?? "" } else { "" }
        let claim = Claim(
            user: reader.user, reader: .reader(reader, place), address: network.map { .address($0) },
            guest: network.map { .guest(reader.user, $0) }, bytes: min(bytes, Self.maxBytes),
            share: share)
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let isMine = state.withLock { state -> Bool? in
                    if state.take(claim) { return true }
                    guard !Task.isCancelled,
                        state.waiting.count(where: { $0.claim.reader == claim.reader }) < Self.maxWaiting
                    else { return false }
                    state.waiting.append(Waiter(id: id, claim: claim, turn: turn))
                    return nil
                }
                if let isMine { return turn.resume(returning: isMine) }
                Task { [weak self, patience] in
                    try? await Task.sleep(for: patience)
                    self?.giveUp(id)
                }
            }
        } onCancel: {
            giveUp(id)
        }
        guard isMine else {
            throw WireError(
                .tooManyRequests, "Too many downloads at the same time. Try again when some have ended.",
                retryAfterMs: 2_000)
        }
        return Slot(self, claim)
    }

    private func isAwaited(_ claim: Claim) -> Bool {
        state.withLock { state in
            state.waiting.contains { waiter in
                // One that has room otherwise waits for memory.
                waiter.claim.user != claim.user
                    && (claim.address != nil && waiter.claim.address == claim.address
                        || state.hasRoom(for: waiter.claim))
            }
        }
    }

    private func giveUp(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.turn.resume(returning: false)
    }

    private func end(_ claim: Claim) {
        state.withLock { state in
            for key in claim.keys { state.running.remove(key) }
        }
        // This may call `useRoom`, so it must not be inside of the lock.
        claim.share?.endDownload(claim.bytes)
        useRoom()
    }

    /// Lets those go on that have room now.
    func useRoom() {
        for waiter in state.withLock({ $0.takeWaiting() }) { waiter.turn.resume(returning: true) }
    }
}
