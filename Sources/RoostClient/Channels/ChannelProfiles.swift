public import RoostWire

extension ChannelHandle {
    /// Changes settings of the channel for everybody; absent values stay unchanged, an empty string removes one.
    ///
    /// Members change what the channel shows (title, picture, background, custom
    /// bits) unless `editors` is `moderators`; only admins change everything else. The
    /// answer, and `channel.profileChanged` on every device of every member, contain
    /// only what changed. With the same `transID` it is executed once.
    /// - Throws: `.server(.noProfileToSet)` if nothing is given; `.noPrivilege` without the right;
    ///   `.channelTypeMismatch` for settings that a channel of this kind does not have; `.dataFormat` for a value out
    ///   of its bounds; `.tooFewMembers` or `.tooManyMembers` for bounds that the present members break.
    @discardableResult
    public func setProfile(
        _ profile: ChannelProfile, transID: TransID? = nil
    ) async throws(RoostError) -> ChannelProfile {
        try await client.perform(SetChannelProfile(channel: id, profile: profile), under: transID).profile
    }

    /// Sets the title of the channel: 1 to 200 UTF-16 units; an empty string removes it.
    /// - Throws: as ``setProfile(_:transID:)``.
    @discardableResult
    public func setTitle(
        _ title: String, transID: TransID? = nil
    ) async throws(RoostError) -> ChannelProfile {
        try await setProfile(ChannelProfile(title: title), transID: transID)
    }

    /// Uploads a picture and gives it to the channel, in place of the one that it has.
    ///
    /// Members read its id from the `avatar` of the profile with `FileRules.fileID(in:)`, and download it with
    /// ``ChatClient/download(_:to:progress:)``. The picture before it is deleted, unless a message uses it.
    /// - Throws: as ``setProfile(_:transID:)`` and ``ChatClient/upload(_:as:progress:)``; 7023 if the file is not a picture.
    @discardableResult
    public func setAvatar(
        _ file: LocalFile, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(RoostError) -> FileReference {
        let picture = try await client.upload(file, progress: progress)
        try await setProfile(ChannelProfile(avatar: FileRules.reference(to: picture.fileID)))
        return picture
    }

    /// Removes the channel's picture; it can no longer be downloaded.
    /// - Throws: as ``setProfile(_:transID:)``.
    public func removeAvatar() async throws(RoostError) { try await setProfile(ChannelProfile(avatar: "")) }
}
