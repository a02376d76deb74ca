/// Tracks the bytes that a client has not read yet, and who caused them.
///
/// Events caused by others arrive regardless of how fast a client reads, so a client that leaves too many of them
/// unread is disconnected. Output caused by its own commands (their answers, and events that arrive while they run)
/// is no reason to disconnect it: its next commands wait instead.
struct Backpressure {
    struct Limits {
        /// The maximum number of buffered bytes of events caused by others.
        var eventBytes: Int
        /// The maximum number of buffered bytes of any kind.
        var allBytes: Int
        /// The number of buffered bytes caused by the client itself from which on its next commands wait.
        var ownBytes: Int
    }

    private let limits: Limits
    /// Whether the socket is not writable.
    private(set) var isCongested = false
    /// The bytes caused by the client itself since the socket was last writable.
    private var own = 0
    /// The total number of bytes written.
    private var written: Int64 = 0
    /// The number of bytes sent at the last check; nil if the socket was writable then.
    private var sentBefore: Int64?

    init(limits: Limits) { self.limits = limits }

    /// Whether the next commands have to wait.
    var isHeld: Bool { isCongested && own > limits.ownBytes }

    /// Counts written bytes.
    mutating func wrote(_ bytes: Int, isOwn: Bool) {
        written &+= Int64(bytes)
        if isOwn { own += bytes }
    }

    /// Notes whether the socket is congested.
    mutating func setCongested(_ congested: Bool) {
        isCongested = congested
        if !congested { own = 0 }
    }

    /// Notes that all written bytes were flushed to the socket.
    mutating func flushed() {
        if !isCongested { own = 0 }
    }

    /// Whether the client reads too slowly, given the number of buffered bytes.
    func isTooSlow(waiting: Int) -> Bool { waiting > limits.allBytes || waiting - own > limits.eventBytes }

    /// Starts to watch whether the client reads anything, given the number of buffered bytes.
    mutating func watch(waiting: Int) { sentBefore = isCongested ? written &- Int64(waiting) : nil }

    /// Whether a silent client may have read something since the last check. It cannot answer a ping that it has not
    /// read yet.
    mutating func isRead(waiting: Int) -> Bool {
        guard isCongested else { return false }
        let before = sentBefore
        watch(waiting: waiting)
        return before.map { written &- Int64(waiting) > $0 } ?? true
    }
}
