public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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

    private struct Entry: Hashable, Sendable {
        var name: String
        /// By the caller's clock, in ms.
        var until: Int64
    }

    private var entries: [UserID: Entry] = [:]
    private let viewer: UserID?

    /// Creates an empty set; the viewer is never in it.
    public init(viewer: UserID? = nil) { self.viewer = viewer }

    /// A user types, as of `now`.
    public mutating func start(_ user: UserID, name: String, now: Date) {
        guard user != viewer else { return }
        entries[user] = Entry(name: name, until: now.milliseconds + Self.expiry)
    }

    /// A user stopped typing.
    public mutating func end(_ user: UserID) { entries[user] = nil }

    /// Applies an event of the channel, and returns whether anything changed.
    @discardableResult
    public mutating func apply(_ event: Event, now: Date) -> Bool {
        let before = userIDs
        switch event.body {
        case .ephemeral(.typingStarted(let typing)): start(typing.userID, name: typing.name, now: now)
        case .ephemeral(.typingEnded(let typing)): end(typing.userID)
        case .channel(.messageSent): if let sender = event.senderID { end(sender) }
        default: break
        }
        return userIDs != before
    }

    /// Forgets users who have not typed for ten seconds, and returns whether there were any.
    @discardableResult
    public mutating func expire(now: Date) -> Bool {
        let count = entries.count
        let now = now.milliseconds
        entries = entries.filter { $0.value.until > now }
        return entries.count != count
    }

    /// When `expire` has something to do next; nil if nobody types.
    public var nextExpiry: Date? { entries.values.map(\.until).min().map { Date(milliseconds: $0) } }

    /// Who types, ordered by id.
    public var userIDs: [UserID] { entries.keys.sorted() }

    /// Their names, in the same order.
    public var names: [String] { userIDs.compactMap { entries[$0]?.name } }

    /// How many type.
    public var count: Int { entries.count }

    /// Whether nobody types.
    public var isEmpty: Bool { entries.isEmpty }
}
