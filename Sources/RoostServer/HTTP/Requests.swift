import Hummingbird
import RoostCore
import RoostWire
import Synchronization

/// Lets only so many commands of a user be in progress over HTTP at the same time; others are refused.
///
/// A command is in progress until its answer is written, so that nobody holds much of the server's memory with answers that
/// are never read. Uploads and downloads have limits of their own.
final class Requests: Sendable {
    /// A command in progress. It ends with the last reference to it.
    final class Slot: Sendable {
        private let requests: Requests
        private let key: Key

        fileprivate init(_ requests: Requests, _ key: Key) {
            self.requests = requests
            self.key = key
        }

        deinit { requests.end(key) }
    }

    /// Whose commands count together: those of a user, and apart from them those of each key of a backend.
    fileprivate enum Key: Hashable {
        case user(UserID)
        case key(String)
    }

    /// How many commands of a user are in progress at the same time.
    static let maxPerUser = 128
    /// The same for a key, with which a backend acts for many.
    static let maxPerKey = 1_024

    private let running = Mutex(RunningCounts<Key>())

    /// How many commands of a user are in progress.
    func count(of user: UserID) -> Int { running.withLock { $0[.user(user)] } }

    /// Counts a command.
    /// - Throws: `WireError` 1004 if the user or the key has too many in progress.
    func begin(_ actor: RoostCore.Actor) throws(WireError) -> Slot {
        let (key, most) =
            actor.keyName.map { (Key.key($0), Self.maxPerKey) } ?? (.user(actor.user.userID), Self.maxPerUser)
        let isFree = running.withLock { running in
            guard running[key] < most else { return false }
            running.add(key)
            return true
        }
        guard isFree else {
            throw WireError(
                .tooManyRequests, "Too many requests at the same time. Read the answers, then try again.",
                retryAfterMs: 1_000)
        }
        return Slot(self, key)
    }

    private func end(_ key: Key) { running.withLock { $0.remove(key) } }
}

extension Response {
    /// The same response, which keeps the command in progress until it is written.
    func keeping(_ slot: Requests.Slot?, _ share: ConnectionMemory.Share?) -> Response {
        guard let slot else { return self }
        let body = body
        let bytes = body.contentLength ?? 0
        return Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: body.contentLength) { writer in
                defer { withExtendedLifetime(slot) {} }
                share?.beginAnswer(bytes)
                defer { share?.endAnswer(bytes) }
                try await body.write(writer)
            })
    }
}
