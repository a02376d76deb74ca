/// The name and the picture that a user has chosen.
///
/// In `user.setProfile` it has those to change, and in the answer and in `user.profileChanged` only those that changed.
public struct UserProfile: Codable, Hashable, Sendable {
    /// The name to show: 1 to 200 UTF-16 units.
    public var name: String?
    /// The user's picture, at most 2,000 UTF-8 bytes; empty to have none. `file:` and a file id is an uploaded picture,
    /// which is kept as long as the user has it and can be read by all users. Anything else is opaque to the server.
    public var imageURL: String?

    /// Creates a value with these fields.
    public init(name: String? = nil, imageURL: String? = nil) {
        self.name = name
        self.imageURL = imageURL
    }

    /// The values that differ from those of a user; an empty string for a picture that the user has and this removes.
    package func difference(from user: User) -> UserProfile {
        UserProfile(
            name: name == user.name ? nil : name, imageURL: imageURL == user.imageURL ?? "" ? nil : imageURL)
    }

    /// Checks the values.
    /// - Throws: `WireError` 1112 if there is none, 6 if one is not allowed.
    package func check() throws(WireError) {
        guard name != nil || imageURL != nil else {
            throw WireError(.noProfileToSet, "Give a \"name\" or an \"imageURL\".")
        }
        if let name { try TextRules.checkName(name, "profile.name") }
        if let imageURL { try TextRules.checkReference(imageURL, "profile.imageURL", most: 2_000) }
    }
}

extension User {
    /// Applies what changed.
    package mutating func apply(_ changed: UserProfile) {
        if let name = changed.name { self.name = name }
        if let image = changed.imageURL { imageURL = image.isEmpty ? nil : image }
    }
}

extension Member {
    /// Applies what changed in the user's profile, unless the member has another name or picture in this channel.
    package mutating func apply(_ changed: UserProfile) {
        if let name = changed.name, hasNickname != true { self.name = name }
        if let image = changed.imageURL, hasChannelImage != true { imageURL = image.isEmpty ? nil : image }
    }
}

/// Changes the caller's own name or picture; an absent one stays unchanged.
///
/// From then on the user's own choice counts, and the name or the picture of a token no longer does. The other devices of
/// the user get `user.profileChanged` at once; so does, a little later, every user who shares a 1-on-1 or a group with
/// the caller, once, however many channels they share. In a channel where the caller has a nickname or a picture of its
/// own, that one is still shown. Messages keep the name and picture of the time when they were sent.
///
/// Fails with 1112 if nothing is given, with 1107, 7022 or 7023 if an uploaded picture does not exist for the caller, is
/// not complete or is not a picture. Values that are already set are skipped.
public struct SetUserProfile: WriteCommand {
    /// The name on the wire.
    public static let name = "user.setProfile"
    /// What to change.
    public var profile: UserProfile

    /// Creates a value with these fields.
    public init(profile: UserProfile) {
        self.profile = profile
    }

    /// What was changed.
    public struct Answer: Codable, Hashable, Sendable {
        /// The acknowledgement.
        public var acknowledgement: Acknowledgement
        /// The values that changed, and only those.
        public var profile: UserProfile

        /// Creates a value with these fields.
        public init(acknowledgement: Acknowledgement, profile: UserProfile) {
            self.acknowledgement = acknowledgement
            self.profile = profile
        }
    }
}

/// The body of `user.profileChanged`, in the user log: the user, or somebody who shares a channel with the user, has
/// another name or picture.
public struct UserProfileChanged: Codable, Hashable, Sendable {
    /// The user with the new profile.
    public var userID: UserID
    /// The values that changed, and only those; an empty string for a picture that was removed.
    public var profile: UserProfile

    /// Creates a value with these fields.
    public init(userID: UserID, profile: UserProfile) {
        self.userID = userID
        self.profile = profile
    }
}
