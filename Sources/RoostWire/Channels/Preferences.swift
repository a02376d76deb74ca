/// A user's own settings in a channel. Nobody else sees them, except name and picture.
public struct ChannelPreference: Codable, Hashable, Sendable {
    /// Whether the channel makes no push notifications; live delivery and unread counts do not change.
    public var isMuted: Bool
    /// The sound of its notifications: a path or a resource of the app; the default sound if absent.
    public var ringtone: String?
    /// The user's nickname in this channel, shown to all members; the user's name if absent.
    public var nickname: String?
    /// The user's picture in this channel, shown to all members; the user's picture if absent.
    public var imageURL: String?

    /// Creates settings; without arguments, the defaults.
    public init(
        isMuted: Bool = false, ringtone: String? = nil, nickname: String? = nil, imageURL: String? = nil
    ) {
        self.isMuted = isMuted
        self.ringtone = ringtone
        self.nickname = nickname
        self.imageURL = imageURL
    }
}

/// Changes the caller's own settings in a channel; absent values stay unchanged, an empty string removes one.
///
/// The answer, and `channel.preferenceChanged` on all devices of the caller, hold **all** current
/// values. If nickname or picture changed, the members get `member.profileChanged`, and later
/// messages carry the new name; old ones stay as they are. Fails with 1111 if nothing is given. If
/// all values are set already, nothing is written. An open channel has no members and no
/// preferences (1104).
public struct SetChannelPreference: WriteCommand, ChannelCommand {
    /// The name on the wire.
    public static let name = "channel.setPreference"
    /// A channel of which the caller is a member. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// Whether the channel makes no push notifications.
    public var isMuted: Bool?
    /// The sound of its notifications, at most 512 bytes.
    public var ringtone: String?
    /// The nickname in this channel: 1 to 200 UTF-16 units without control characters.
    public var nickname: String?
    /// The picture in this channel, at most 2,000 bytes; an uploaded one is `file:` and its id. Everyone who sees the
    /// channel may read that; it is deleted with the membership. 1107 if the caller may not read it, 7022 if it is not
    /// complete, 7023 if it is not a picture.
    public var imageURL: String?

    /// Creates a value with these fields.
    public init(
        channel: ChannelID, isMuted: Bool? = nil, ringtone: String? = nil, nickname: String? = nil,
        imageURL: String? = nil
    ) {
        self.channel = channel
        self.isMuted = isMuted
        self.ringtone = ringtone
        self.nickname = nickname
        self.imageURL = imageURL
    }

    /// The caller's settings in the channel.
    public struct Answer: Codable, Hashable, Sendable {
        /// The acknowledgement; it has a `seq` only if name or picture changed.
        public var acknowledgement: Acknowledgement
        /// All current values.
        public var preference: ChannelPreference

        /// Creates a value with these fields.
        public init(acknowledgement: Acknowledgement, preference: ChannelPreference) {
            self.acknowledgement = acknowledgement
            self.preference = preference
        }
    }
}

extension SetChannelPreference {
    /// Checks what is given.
    /// - Throws: `WireError` 1111 if nothing is given, 6 if a value is outside its bounds.
    public func check() throws(WireError) {
        guard isMuted != nil || ringtone != nil || nickname != nil || imageURL != nil else {
            throw WireError(.noPreferenceToSet)
        }
        if let ringtone { try TextRules.checkReference(ringtone, "ringtone") }
        if let nickname, !nickname.isEmpty { try TextRules.checkName(nickname, "nickname") }
        if let imageURL { try TextRules.checkReference(imageURL, "imageURL", most: 2_000) }
    }

    /// The settings after this change.
    public func merged(into old: ChannelPreference) -> ChannelPreference {
        func merge(_ new: String?, _ old: String?) -> String? { new.map { $0.isEmpty ? nil : $0 } ?? old }
        return ChannelPreference(
            isMuted: isMuted ?? old.isMuted, ringtone: merge(ringtone, old.ringtone),
            nickname: merge(nickname, old.nickname), imageURL: merge(imageURL, old.imageURL))
    }
}

/// The body of `channel.preferenceChanged`, in the user log: the user's own settings in a channel changed.
public struct PreferenceChanged: Codable, Hashable, Sendable {
    /// The channel to which the settings belong.
    public var channel: ChannelID
    /// All current values.
    public var preference: ChannelPreference

    /// Creates a value with these fields.
    public init(channel: ChannelID, preference: ChannelPreference) {
        self.channel = channel
        self.preference = preference
    }
}
