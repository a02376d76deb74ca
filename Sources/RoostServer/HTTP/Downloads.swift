import RoostWire
import Synchronization

/// Lets only a few downloads of a user, and of an address, be sent at the same time, and only so many that all connections
/// together have half of their memory left; others wait for their turn.
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

        deinit { downloads.end(claim) }
    }

    /// Who downloads.
    enum Reader: Hashable, Sendable {
        case user(UserID)
        /// Whoever has a link of this user: at each address somebody else.
        case link(UserID)
    }

    fileprivate enum Key: Hashable {
        case reader(Reader, String)
        case address(String)
    }

    /// What a download counts for.
    fileprivate struct Claim {
        var reader: Key
        var address: Key?
        /// What it holds of the memory of all connections.
        var bytes: Int
        var share: ConnectionMemory.Share?

        var keys: [Key] { [reader, address].compactMap(\.self) }
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
            guard running[claim.reader] < mostPerUser else { return false }
            return claim.address.map { running[$0] < mostPerAddress } ?? true
        }

        /// Counts a download if there is room for it.
        mutating func take(_ claim: Claim) -> Bool {
            guard hasRoom(for: claim), claim.share?.beginDownload(claim.bytes) ?? true else { return false }
            for key in claim.keys { running.add(key) }
            return true
        }

        /// Counts those that wait and have room now.
        mutating func takeWaiting() -> [Waiter] {
            var next: [Waiter] = []
            var others: [Waiter] = []
            for waiter in waiting {
                if take(waiter.claim) { next.append(waiter) } else { others.append(waiter) }
            }
            waiting = others
            return next
        }
    }

    /// How many downloads of a user, and of an address, are sent at the same time.
    static let mostPerUser = 8
    static let mostPerAddress = 32
    /// How many of a user may wait for their turn.
    static let mostWaiting = 100
    /// What a download holds if nobody reads it: what the socket takes before it is full, a piece that it takes at
    /// once, and one that waits.
    static let mostBytes = 192 * 1_024

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
            reader: .reader(reader, place), address: network.map { .address($0) }, bytes: min(bytes, Self.mostBytes),
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
                        state.waiting.count(where: { $0.claim.reader == claim.reader }) < Self.mostWaiting
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
