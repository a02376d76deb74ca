/// What new members may read of the history before they joined. A name on the wire.
///
/// It is decided when a user joins. A later change of the setting does not affect present members.
public enum HistoryVisibility: String, Codable, CaseIterable, Sendable {
    /// Everything.
    case all
    /// Only the row of their joining and the rows after it.
    case sinceJoin
    /// Also the newest `historyRows` rows before it.
    case last
}

/// Who may change what a group shows: title, picture, background, custom bits. A name on the wire.
public enum ProfileEditors: String, Codable, CaseIterable, Sendable {
    /// Every member.
    case participants
    /// Moderators and admins.
    case moderators
}

/// Who may pin messages in a group. A name on the wire.
public enum Pinners: String, Codable, CaseIterable, Sendable {
    /// Every member.
    case participants
    /// Moderators and admins.
    case moderators
}

/// The settings of a channel, the same for everybody in it.
///
/// In ``Channel`` it has all settings that do not have their default values, in `channel.setProfile`
/// those to change, and in the answer and in `channel.profileChanged` only those that changed.
public struct ChannelProfile: Codable, Hashable, Sendable {
    /// The title, 1 to 200 UTF-16 units; empty to have none. In `Channel` it stands beside the profile, not in it.
    public var title: String?
    /// App-defined bits, 0 or more; the server does not interpret them. 0 if absent.
    public var customAttributes: Int64?
    /// The channel's picture, at most 512 bytes; empty to have none. `file:` and a file id is an uploaded picture, which
    /// is kept as long as the channel has it and can be read by everyone who can see the channel. Anything else is
    /// opaque to the server.
    public var avatar: String?
    /// The channel's background, in the same form as the picture; empty to have none.
    public var background: String?
    /// Whether known users may join on their own with `member.join`; false if absent.
    public var canJoin: Bool?
    /// Who may change title, picture, background and custom bits; `participants` if absent.
    public var editors: ProfileEditors?
    /// What new members may read of the history; `all` if absent.
    public var history: HistoryVisibility?
    /// How many rows new members may read, 1 to 10,000; required with `history` = `last`, and only allowed with it.
    public var historyRows: Int?
    /// The fewest members, 1 or more: nobody can leave or be removed below it; 1 if absent.
    public var minMembers: Int?
    /// The most members, at most `limits.members`, which is also the default.
    public var maxMembers: Int?
    /// Whether moderators and admins may recall messages of others; true if absent.
    public var moderatorsMayRecall: Bool?
    /// Whether the channel gets a notice when somebody forwards its messages; false if absent.
    public var noticesForwards: Bool?
    /// Who may pin messages; `participants` if absent.
    public var pinners: Pinners?

    /// Creates a value with these fields.
    public init(
        title: String? = nil, customAttributes: Int64? = nil, avatar: String? = nil, background: String? = nil,
        canJoin: Bool? = nil, editors: ProfileEditors? = nil, history: HistoryVisibility? = nil,
        historyRows: Int? = nil, minMembers: Int? = nil, maxMembers: Int? = nil, moderatorsMayRecall: Bool? = nil,
        noticesForwards: Bool? = nil, pinners: Pinners? = nil
    ) {
        self.title = title
        self.customAttributes = customAttributes
        self.avatar = avatar
        self.background = background
        self.canJoin = canJoin
        self.editors = editors
        self.history = history
        self.historyRows = historyRows
        self.minMembers = minMembers
        self.maxMembers = maxMembers
        self.moderatorsMayRecall = moderatorsMayRecall
        self.noticesForwards = noticesForwards
        self.pinners = pinners
    }
}

/// How the settings of a channel change. Pure rules, the same in the server and the SDK.
public enum ProfileRules {
    /// The most rows that `historyRows` may name.
    public static let maxHistoryRows = 10_000

    /// Checks the given settings of a new group or of a change.
    /// - Throws: `WireError` 1112 if a change has no settings, 6 if a value is outside its bounds.
    public static func check(_ changes: ChannelProfile, limits: Limits, isChange: Bool) throws(WireError) {
        if isChange, changes == ChannelProfile() { throw WireError(.noProfileToSet) }
        if let title = changes.title, !title.isEmpty || !isChange { try TextRules.checkName(title, "title") }
        if let bits = changes.customAttributes, bits < 0 {
            throw WireError(.dataFormat, field: "customAttributes", "\"customAttributes\" cannot be negative.")
        }
        for (name, reference) in [("avatar", changes.avatar), ("background", changes.background)] {
            if let reference { try TextRules.checkReference(reference, name) }
        }
        if (changes.history == .last) != (changes.historyRows != nil) {
            throw WireError(
                .dataFormat, field: "historyRows",
                "\"historyRows\" goes together with the \"history\" \"last\". Give both, or neither.")
        }
        if let rows = changes.historyRows, !(1...maxHistoryRows).contains(rows) {
            throw WireError(
                .dataFormat, field: "historyRows", "\"historyRows\" must be 1 to \(maxHistoryRows).")
        }
        let most = limits.members
        for (name, bound) in [("minMembers", changes.minMembers), ("maxMembers", changes.maxMembers)] {
            if let bound, !(1...max(1, most)).contains(bound) {
                throw WireError(.dataFormat, field: name, "\"\(name)\" must be 1 to \(most).")
            }
        }
        if let low = changes.minMembers, let high = changes.maxMembers, low > high {
            throw WireError(
                .dataFormat, field: "minMembers", "\"minMembers\" cannot be larger than \"maxMembers\".")
        }
    }

    /// Checks that the given settings exist in a kind of channel.
    ///
    /// A group has all settings. An open channel and a channel for news have title, picture,
    /// background and custom bits. A 1-on-1 and the self channel have background and custom bits.
    /// - Throws: `WireError` 1104.
    public static func check(_ changes: ChannelProfile, for kind: ChannelKind) throws(WireError) {
        var left = changes
        left.background = nil
        left.customAttributes = nil
        if kind == .open || kind.isNews {
            left.title = nil
            left.avatar = nil
        }
        guard kind == .group || left == ChannelProfile() else {
            throw WireError(.channelTypeMismatch, "A channel of this kind does not have all of these settings.")
        }
    }

    /// The privilege that a change needs: a change of rules needs more than a change of what is shown.
    public static func privilege(for changes: ChannelProfile) -> Privilege {
        var left = changes
        left.title = nil
        left.customAttributes = nil
        left.avatar = nil
        left.background = nil
        return left == ChannelProfile() ? .editProfile : .editRules
    }

    /// The settings after a change.
    public static func merge(_ changes: ChannelProfile, into old: ChannelProfile) -> ChannelProfile {
        var new = old
        if let title = changes.title { new.title = title.isEmpty ? nil : title }
        if let bits = changes.customAttributes { new.customAttributes = bits == 0 ? nil : bits }
        if let avatar = changes.avatar { new.avatar = avatar.isEmpty ? nil : avatar }
        if let background = changes.background { new.background = background.isEmpty ? nil : background }
        if let canJoin = changes.canJoin { new.canJoin = canJoin ? true : nil }
        if let editors = changes.editors { new.editors = editors == .participants ? nil : editors }
        if let history = changes.history {
            new.history = history == .all ? nil : history
            new.historyRows = changes.historyRows
        }
        if let bound = changes.minMembers { new.minMembers = bound <= 1 ? nil : bound }
        if let bound = changes.maxMembers { new.maxMembers = bound }
        if let may = changes.moderatorsMayRecall { new.moderatorsMayRecall = may ? nil : false }
        if let notices = changes.noticesForwards { new.noticesForwards = notices ? true : nil }
        if let pinners = changes.pinners { new.pinners = pinners == .participants ? nil : pinners }
        return new
    }

    /// The given settings that differ from the current ones: the content of the answer and of the event.
    public static func difference(_ changes: ChannelProfile, from old: ChannelProfile) -> ChannelProfile {
        var changed = changes
        if changes.title == old.title ?? "" { changed.title = nil }
        if changes.customAttributes == old.customAttributes ?? 0 { changed.customAttributes = nil }
        if changes.avatar == old.avatar ?? "" { changed.avatar = nil }
        if changes.background == old.background ?? "" { changed.background = nil }
        if changes.canJoin == old.canJoin ?? false { changed.canJoin = nil }
        if changes.editors == old.editors ?? .participants { changed.editors = nil }
        if changes.history == old.history ?? .all, changes.historyRows == old.historyRows {
            changed.history = nil
            changed.historyRows = nil
        }
        if changes.minMembers == old.minMembers ?? 1 { changed.minMembers = nil }
        if changes.maxMembers == old.maxMembers { changed.maxMembers = nil }
        if changes.moderatorsMayRecall == old.moderatorsMayRecall ?? true { changed.moderatorsMayRecall = nil }
        if changes.noticesForwards == old.noticesForwards ?? false { changed.noticesForwards = nil }
        if changes.pinners == old.pinners ?? .participants { changed.pinners = nil }
        return changed
    }

    /// The row up to which a new member may read nothing; `head` is the newest row before the row of the joining.
    public static func floor(for profile: ChannelProfile, head: Int64) -> Int64 {
        switch profile.history ?? .all {
        case .all: 0
        case .sinceJoin: head
        case .last: max(0, head - Int64(profile.historyRows ?? 0))
        }
    }
}

/// Changes settings of a channel; absent ones stay unchanged.
///
/// In a group, members change what it shows (title, picture, background, custom bits) unless
/// `editors` is `moderators`; only admins change all other settings (1107). In an open channel and
/// in news only operators change anything. In a 1-on-1 both users change background and custom
/// bits; anything else fails with 1104. Fails with 1112 if nothing is given, and with 1108 or 1115
/// if the present members do not fit the new bounds.
///
/// Every device of every member gets one `channel.profileChanged` for all keys together. Values
/// that are already set are skipped; if nothing is left, nothing is written and the answer names no
/// key.
public struct SetChannelProfile: WriteCommand, ChannelCommand {
    /// The name on the wire.
    public static let name = "channel.setProfile"
    /// The channel to change. To a stranger it does not exist (1105).
    public var channel: ChannelID
    /// What to change.
    public var profile: ChannelProfile

    /// Creates a value with these fields.
    public init(channel: ChannelID, profile: ChannelProfile) {
        self.channel = channel
        self.profile = profile
    }

    /// The settings that were changed.
    public struct Answer: Codable, Hashable, Sendable {
        /// The acknowledgement, with the row of the change.
        public var acknowledgement: Acknowledgement
        /// The settings that changed, and only those.
        public var profile: ChannelProfile

        /// Creates a value with these fields.
        public init(acknowledgement: Acknowledgement, profile: ChannelProfile) {
            self.acknowledgement = acknowledgement
            self.profile = profile
        }
    }
}

/// The body of `channel.profileChanged`: settings of the channel changed.
public struct ChannelProfileChanged: Codable, Hashable, Sendable {
    /// The settings that changed, and only those; an empty string for one that was removed.
    public var profile: ChannelProfile

    /// Creates a value with these fields.
    public init(profile: ChannelProfile) {
        self.profile = profile
    }
}
