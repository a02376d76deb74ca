public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ChannelHandle {
    /// Reports that the user has edited the text of a new message: call it on every edit.
    ///
    /// Others are notified that this user is typing at the first call and every 3 s from then on. The typing
    /// ends 5 s after the last call, at ``stopTyping()``, and when the message is sent. Without a
    /// connection nothing happens; nothing is stored, and a refusal is ignored.
    public func keystroke() { client.engine.submit(.keystroke(id)) }

    /// Reports that this user has stopped typing; nothing happens if the user was not typing.
    ///
    /// Call it if the text is deleted or the field disappears.
    public func stopTyping() { client.engine.submit(.stopTyping(id)) }
}

/// The users who are typing in a channel. A value without a clock: the caller passes the time.
///
/// The typing of a user ends with `typing.ended`, with a message of that user, or
/// ten seconds after the last `typing.started`.
public struct TypingUsers: Hashable, Sendable {
    /// How long a user counts as typing without a new event, in ms.
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

    /// A user is typing, as of `now`.
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

    /// Removes users who have not typed for ten seconds, and returns whether there were any.
    @discardableResult
    public mutating func expire(now: Date) -> Bool {
        let count = entries.count
        let now = now.milliseconds
        entries = entries.filter { $0.value.until > now }
        return entries.count != count
    }

    /// When to call `expire` next; nil if nobody is typing.
    public var nextExpiry: Date? { entries.values.map(\.until).min().map { Date(milliseconds: $0) } }

    /// The users who are typing, ordered by id.
    public var userIDs: [UserID] { entries.keys.sorted() }

    /// Their names, in the same order.
    public var names: [String] { userIDs.compactMap { entries[$0]?.name } }

    /// How many users are typing.
    public var count: Int { entries.count }

    /// Whether nobody is typing.
    public var isEmpty: Bool { entries.isEmpty }
}
