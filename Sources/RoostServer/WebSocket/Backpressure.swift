/// What waits for a client to read it, and who caused it.
///
/// Events caused by others arrive however slowly a client reads, so a client that leaves too many of them unread is cut.
/// What its own commands cause (their answers, and the events that come while they run) is no reason to cut it: its
/// next commands wait instead.
struct Backpressure {
    struct Limits {
        /// The most bytes of events caused by others that may wait.
        var eventBytes: Int
        /// The most bytes of anything that may wait.
        var allBytes: Int
        /// How many bytes caused by the client itself may wait before its next commands do.
        var ownBytes: Int
    }

    private let limits: Limits
    /// Whether much is waiting, according to the socket.
    private(set) var isCongested = false
    /// Bytes that the client itself has caused since the socket was last free.
    private var own = 0
    /// All bytes that were ever written.
    private var written: Int64 = 0
    /// How many bytes had gone out at the last look; nil if the socket was free then.
    private var sentBefore: Int64?

    init(limits: Limits) { self.limits = limits }

    /// Whether the next commands have to wait.
    var isHeld: Bool { isCongested && own > limits.ownBytes }

    /// Counts bytes that were written.
    mutating func wrote(_ bytes: Int, isOwn: Bool) {
        written &+= Int64(bytes)
        if isOwn { own += bytes }
    }

    /// Notes whether the socket is congested.
    mutating func setCongested(_ congested: Bool) {
        isCongested = congested
        if !congested { own = 0 }
    }

    /// Notes that everything written was handed to the socket.
    mutating func flushed() {
        if !isCongested { own = 0 }
    }

    /// Whether the client reads too slowly, given how many bytes wait.
    func isTooSlow(waiting: Int) -> Bool { waiting > limits.allBytes || waiting - own > limits.eventBytes }

    /// Starts to watch whether the client reads anything, given how many bytes wait.
    mutating func watch(waiting: Int) { sentBefore = isCongested ? written &- Int64(waiting) : nil }

    /// Whether a silent client may have read something since the last look: it cannot answer a ping that it has not
    /// read yet.
    mutating func isRead(waiting: Int) -> Bool {
        guard isCongested else { return false }
        let before = sentBefore
        watch(waiting: waiting)
        return before.map { written &- Int64(waiting) > $0 } ?? true
    }
}
