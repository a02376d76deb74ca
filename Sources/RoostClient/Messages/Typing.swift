public import RoostWire

extension ChannelHandle {
    /// Tells that the user has changed the text of a message that is being written: call it on every edit.
    ///
    /// The others are told that this user types at the first call and every 3 s from then on. They are told that typing
    /// has ended 5 s after the last call, at ``stopTyping()``, and by the message itself when it is sent. Without a
    /// connection nothing happens; nothing is stored, and a refusal is not told.
    public func keystroke() { client.engine.submit(.keystroke(id)) }

    /// Tells the others that this user has stopped typing; nothing happens if they do not think so.
    ///
    /// Call it when the field is emptied or leaves the screen.
    public func stopTyping() { client.engine.submit(.stopTyping(id)) }
}

/// Who types in a channel at this moment. A value without a clock: the caller says what time it is.
///
/// Each person's typing ends with `typing.ended`, with a message of theirs, or
/// ten seconds after it was last heard of.
public struct TypingUsers: Hashable, Sendable {
    /// How long a person counts as typing without news, in ms.
    public static let expiry: Int64 = 10_000

    private struct Typist: Hashable, Sendable {
        var name: String
        var until: Int64
    }

    private var typists: [UserID: Typist] = [:]
    private let viewer: UserID?

    /// Makes the set of nobody; the viewer's own typing never enters it.
    public init(viewer: UserID? = nil) { self.viewer = viewer }

    /// Somebody types, heard of at `now` (ms of any clock that only goes forward).
    public mutating func start(_ user: UserID, name: String, now: Int64) {
        guard user != viewer else { return }
        let (until, overflow) = now.addingReportingOverflow(Self.expiry)
        typists[user] = Typist(name: name, until: overflow ? .max : until)
    }

    /// Somebody stopped.
    public mutating func end(_ user: UserID) { typists[user] = nil }

    /// Takes over what an event of the channel says; answers whether anything changed.
    @discardableResult
    public mutating func apply(_ event: Event, now: Int64) -> Bool {
        let before = userIDs
        switch event.body {
        case .ephemeral(.typingStarted(let typing)): start(typing.userID, name: typing.name, now: now)
        case .ephemeral(.typingEnded(let typing)): end(typing.userID)
        case .channel(.messageSent): if let sender = event.senderID { end(sender) }
        default: break
        }
        return userIDs != before
    }

    /// Forgets those of whom nothing was heard for ten seconds; answers whether there were any.
    @discardableResult
    public mutating func expire(now: Int64) -> Bool {
        let count = typists.count
        typists = typists.filter { $0.value.until > now }
        return typists.count != count
    }

    /// When `expire` has something to do next; nil when nobody types.
    public var nextExpiry: Int64? { typists.values.map(\.until).min() }

    /// Who types, ordered by id.
    public var userIDs: [UserID] { typists.keys.sorted() }

    /// Their names, in the same order.
    public var names: [String] { userIDs.compactMap { typists[$0]?.name } }

    /// How many type.
    public var count: Int { typists.count }

    /// Whether nobody types.
    public var isEmpty: Bool { typists.isEmpty }
}
