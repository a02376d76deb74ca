#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Blocks a user, for the caller.
///
/// From then on the blocked user cannot write to the caller in their 1-on-1, make one with the
/// caller, give it a picture, a background, or a nickname or a picture there, or bring the caller into a group
/// (7003). In the 1-on-1 the blocked user is not shown as
/// typing, and neither sees how far the other has read. What the two share in groups goes on:
/// messages are delivered and count, and the app shows them folded; they make no push. Otherwise
/// blocking works one way, and nobody is told. Fails with 7011 for an unknown user, with 6 for
/// oneself, and with 7018 for more than `limits.blockedUsers`. Blocking again changes nothing.
public struct BlockUser: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "user.block"
    /// The user to block.
    public var userID: UserID

    /// Creates a value with these fields.
    public init(userID: UserID) {
        self.userID = userID
    }
}

/// Unblocks a user. What was refused meanwhile is not delivered later. If the user is not blocked, nothing changes.
public struct UnblockUser: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "user.unblock"
    /// Whom the caller has blocked.
    public var userID: UserID

    /// Creates a value with these fields.
    public init(userID: UserID) {
        self.userID = userID
    }
}

/// Lists the users whom the caller has blocked, by user id.
public struct ListBlockedUsers: ListingCommand {
    /// The name on the wire.
    public static let name = "user.listBlocked"
    /// How many at most: 1 to 100, 100 if absent.
    public var limit: Int?
    /// The `next` of the previous page; absent for the first page.
    public var cursor: String?

    /// Creates a value with these fields.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    /// A page of blocked users.
    public struct Answer: ListingAnswer {
        /// The users, ordered by id.
        public var users: [BlockedUser]
        /// The `cursor` of the next page; absent on the last one.
        public var next: String?

        /// Creates a value with these fields.
        public init(users: [BlockedUser], next: String? = nil) {
            self.users = users
            self.next = next
        }

        /// What the page lists.
        public var elements: [BlockedUser] { users }
    }
}

/// A user whom the caller has blocked.
public struct BlockedUser: Codable, Hashable, Sendable {
    /// Who is blocked, with the current name.
    public var user: User
    /// When the user was blocked.
    @Timestamp public var at: Date

    /// Creates a value with these fields.
    public init(user: User, at: Date) {
        self.user = user
        self.at = at
    }
}

/// The body of `user.blocked` and `user.unblocked`, in the user log: the user blocked somebody, or took it back.
public struct BlockChanged: Codable, Hashable, Sendable {
    /// The user who was blocked or unblocked.
    public var user: User

    /// Creates a value with these fields.
    public init(user: User) {
        self.user = user
    }
}
