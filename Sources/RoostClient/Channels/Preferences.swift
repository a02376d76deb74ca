public import RoostWire

extension ChannelHandle {
    /// Changes this user's preferences in the channel; absent values stay unchanged, an empty string removes one.
    ///
    /// The answer, and `channel.preferenceChanged` on the user's devices, contain all
    /// current values. Nickname and picture are shown to the members, who get
    /// `member.profileChanged`; nobody else sees the rest. With the same `transID`
    /// it is executed once.
    ///
    /// - Parameters:
    ///   - isMuted: whether the channel makes no push notifications; live delivery and unread counts do not change.
    ///   - ringtone: the sound of its notifications, at most 512 bytes.
    ///   - nickname: 1 to 200 UTF-16 units without control characters.
    ///   - imageURL: a picture for this channel, at most 2,000 bytes.
    ///   - transID: the transID of the command; a new one by default.
    /// - Throws: `.server(.noPreferenceToSet)` if nothing is given; `.dataFormat` for a value out of its bounds;
    ///   `.channelTypeMismatch` for an open channel.
    @discardableResult
    public func setPreference(
        isMuted: Bool? = nil, ringtone: String? = nil, nickname: String? = nil, imageURL: String? = nil,
        transID: TransID? = nil
    ) async throws(RoostError) -> ChannelPreference {
        let command = SetChannelPreference(
            channel: id, isMuted: isMuted, ringtone: ringtone, nickname: nickname, imageURL: imageURL)
        return try await client.perform(command, under: transID).preference
    }

    /// Turns this user's push notifications of the channel off, or on again.
    /// - Throws: as ``setPreference(isMuted:ringtone:nickname:imageURL:transID:)``.
    @discardableResult
    public func mute(_ isMuted: Bool = true) async throws(RoostError) -> ChannelPreference {
        try await setPreference(isMuted: isMuted)
    }
}
