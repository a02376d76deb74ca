public import RoostWire

extension ChatClient {
    /// The names and pictures of 1 to 100 users, ordered by id; unknown ones are left out.
    public func users(_ ids: [UserID]) async throws(RoostError) -> [User] {
        try await perform(GetUsers(userIDs: ids)).users
    }

    /// Changes this user's own name or picture; an absent one stays unchanged, an empty `imageURL` removes the picture.
    ///
    /// The other devices of the user, and all users who share a 1-on-1 or a group with this user, get
    /// `user.profileChanged` with only what changed. From then on the name or the picture of a token no longer counts.
    /// With the same `transID` it is executed once.
    /// - Returns: what changed.
    /// - Throws: `.server(.noProfileToSet)` if nothing is given; `.dataFormat` for a value out of its bounds;
    ///   `.noPrivilege`, `.uploadIncomplete` or `.fileTypeRefused` for a picture that is not this user's, not complete or
    ///   not a picture.
    @discardableResult
    public func setProfile(_ profile: UserProfile, transID: TransID? = nil) async throws(RoostError) -> UserProfile {
        try await perform(SetUserProfile(profile: profile), under: transID).profile
    }

    /// Sets this user's own name: 1 to 200 UTF-16 units.
    /// - Throws: as ``setProfile(_:transID:)``.
    @discardableResult
    public func setName(_ name: String, transID: TransID? = nil) async throws(RoostError) -> UserProfile {
        try await setProfile(UserProfile(name: name), transID: transID)
    }

    /// Uploads a picture and makes it this user's own, in place of the one before.
    ///
    /// Others read its id from `imageURL` with `FileRules.fileID(in:)`, and download it with ``download(_:to:progress:)``.
    /// The picture before it is deleted, unless a message uses it.
    /// - Throws: as ``setProfile(_:transID:)`` and ``upload(_:as:progress:)``.
    @discardableResult
    public func setAvatar(
        _ file: LocalFile, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(RoostError) -> FileReference {
        let picture = try await upload(file, progress: progress)
        try await setProfile(UserProfile(imageURL: FileRules.reference(to: picture.fileID)))
        return picture
    }

    /// Removes this user's own picture; it can no longer be downloaded.
    /// - Throws: as ``setProfile(_:transID:)``.
    public func removeAvatar() async throws(RoostError) { try await setProfile(UserProfile(imageURL: "")) }
}
