/// What a newcomer may read of what was there before. Travels by name.
///
/// It is decided when somebody joins and stays with that membership: a later change of the setting
/// does not touch present members.
public enum HistoryVisibility: String, Codable, CaseIterable, Sendable {
    /// Everything.
    case all
    /// Only the row that tells of the joining, and what comes after it.
    case sinceJoin
    /// Also the newest `historyRows` rows before it.
    case last
}

/// Who may change what a group shows: title, picture, background, custom bits. Travels by name.
public enum ProfileEditors: String, Codable, CaseIterable, Sendable {
    /// Every member.
    case participants
    /// Moderators and admins.
    case moderators
}

/// The settings of a channel, the same for everybody in it.
///
/// As a part of ``Channel`` it holds all settings that are not at their default;
/// in `channel.setProfile` those to change; in the answer and in
/// `channel.profileChanged` those that changed, and only those.
public struct ChannelProfile: Codable, Hashable, Sendable {
    /// The title, 1 to 200 UTF-16 units; empty to have none. In `Channel` it stands beside the profile, not in it.
    public var title: String?
    /// Bits of the app's own, 0 or more; the server does not look into them. 0 when absent.
    public var customAttributes: Int64?
    /// The channel's picture, at most 512 bytes; empty to have none. `file:` and a file id is an uploaded picture, which
    /// is kept as long as the channel has it and can be read by everyone who can see the channel. Anything else is
    /// opaque to the server.
    public var avatar: String?
    /// The channel's background, in the same form as the picture; empty to have none.
    public var background: String?
    /// Whether known users may join on their own with `member.join`; absent for no.
    public var canJoin: Bool?
    /// Who may change title, picture, background and custom bits; `participants` when absent.
    public var editors: ProfileEditors?
    /// What newcomers may read; `all` when absent.
    public var history: HistoryVisibility?
    /// How many rows `last` shows, 1 to 10,000; given together with it, and only with it.
    public var historyRows: Int?
    /// The fewest members that removing and leaving may leave, 1 or more; 1 when absent.
    public var minMembers: Int?
    /// The most members: at most `limits.members`, and that many if absent.
    public var maxMembers: Int?
    /// Whether moderators and admins may recall messages of others; absent for yes.
    public var moderatorsMayRecall: Bool?
    /// Whether the channel gets a notice when somebody forwards its messages; absent for no.
    public var noticesForwards: Bool?

    /// Makes a profile; without arguments, the defaults.
    public init(
        title: String? = nil, customAttributes: Int64? = nil, avatar: String? = nil, background: String? = nil,
        canJoin: Bool? = nil, editors: ProfileEditors? = nil, history: HistoryVisibility? = nil,
        historyRows: Int? = nil, minMembers: Int? = nil, maxMembers: Int? = nil, moderatorsMayRecall: Bool? = nil,
        noticesForwards: Bool? = nil
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
    }
}

/// How the settings of a channel change. Pure rules, the same in the server and the SDK.
public enum ProfileRules {
    /// The most rows that `historyRows` may name.
    public static let mostHistoryRows = 10_000

    /// Checks settings that are given, to make a group or to change one.
    /// - Throws: `WireError` 1112 when nothing is given to change, 6 when a value is outside its bounds.
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
        if let rows = changes.historyRows, !(1...mostHistoryRows).contains(rows) {
            throw WireError(
                .dataFormat, field: "historyRows", "\"historyRows\" must be 1 to \(mostHistoryRows).")
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

    /// Checks that a kind of channel has the settings that are given.
    ///
    /// A group has all of them, an open channel and one of news what they show, a
    /// 1-on-1 and the self channel only background and custom bits.
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

    /// The right that a change needs: rules need more than what is only shown.
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
        return new
    }

    /// Those of the given settings that differ from what is: what the answer and the event carry.
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
        return changed
    }

    /// The row up to which a newcomer sees nothing, `head` being the newest row before the one that tells of the joining.
    public static func floor(for profile: ChannelProfile, head: Int64) -> Int64 {
        switch profile.history ?? .all {
        case .all: 0
        case .sinceJoin: head
        case .last: max(0, head - Int64(profile.historyRows ?? 0))
        }
    }
}

/// Changes settings of a channel; what is left out stays.
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
public struct SetChannelProfile: Command {
    /// The name on the wire.
    public static let name = "channel.setProfile"
    /// As a case of the closed list.
    public var any: AnyCommand { .write(.setChannelProfile(self)) }
    /// The channel.
    public var changedChannels: [ChannelID] { [channel] }
    /// The channel.
    public var channel: ChannelID
    /// What to change.
    public var profile: ChannelProfile

    /// Makes the command.
    public init(channel: ChannelID, profile: ChannelProfile) {
        self.channel = channel
        self.profile = profile
    }

    /// What was changed.
    public struct Answer: Codable, Hashable, Sendable {
        /// The row that tells of it.
        public var acknowledgement: Acknowledgement
        /// The settings that changed, and only those.
        public var profile: ChannelProfile

        /// Makes the answer.
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

    /// Makes the body.
    public init(profile: ChannelProfile) { self.profile = profile }
}
