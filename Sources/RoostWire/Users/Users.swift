/// A user as others see them.
public struct User: Codable, Hashable, Sendable {
    /// The user's id.
    public var userID: UserID
    /// The name to show: 1 to 200 UTF-16 units.
    public var name: String
    /// The address of a picture, at most 2,000 UTF-8 bytes; absent if there is none.
    public var imageURL: String?

    /// Creates a value with these fields.
    public init(userID: UserID, name: String, imageURL: String? = nil) {
        self.userID = userID
        self.name = name
        self.imageURL = imageURL
    }
}

extension User {
    /// The name of a user who has not given one: the user id.
    public static func usualName(of userID: UserID) -> String { userID.rawValue }

    /// This user as a login without a name leaves it: what was known of the user stays.
    package func keeping(_ known: User?) -> User {
        guard let known, name == Self.usualName(of: userID) else { return self }
        return User(userID: userID, name: known.name, imageURL: imageURL ?? known.imageURL)
    }
}

/// Reads the names and pictures of users; unknown ids are left out of the answer.
public struct GetUsers: ReadCommand {
    /// The name on the wire.
    public static let name = "user.get"
    /// 1 to 100 user ids.
    public var userIDs: [UserID]

    /// Creates a value with these fields.
    public init(userIDs: [UserID]) {
        self.userIDs = userIDs
    }

    /// The users that are known, ordered by id.
    public struct Answer: Codable, Hashable, Sendable {
        /// The users that are known, ordered by id.
        public var users: [User]

        /// Creates a value with these fields.
        public init(users: [User]) {
            self.users = users
        }
    }
}
