import RoostWire

/// The writer's state of a channel, with its members.
struct ChannelState {
    var id: ChannelID
    var kind: ChannelKind
    var title: String?
    /// The settings without the title; nil if all have their default values.
    var profile: ProfileBox?
    var seq: Int64 = 0
    var count: Int64 = 0
    var lastSentAt: Int64 = 0
    var lastMessageSeq: Int64 = 0
    /// The newest news item: it unhides a channel, although it is not a last message.
    var newestPieceSeq: Int64 = 0
    var version: Int64 = 1
    var createdAt: Int64 = 0
    var createdBy: UserID?
    /// Rows up to this one are purged; the marks of all members are at or after it.
    var purgedSeq: Int64 = 0
    /// When the channel was dismissed; its id stays reserved.
    var dismissedAt: Int64?
    /// Empty for an open channel, because participation belongs to sessions. For news, only the users who act in the
    /// batch, and nobody outside of one.
    var members: [UserID: MemberState] = [:]
    /// The number of subscribers of a news channel, as `members` does not contain all of them.
    var subscribers = 0
    /// The number of the batch in which it was last used.
    var usedIn: UInt64 = 0

    init(
        id: ChannelID, kind: ChannelKind, title: String? = nil, lastSentAt: Int64 = 0, createdBy: UserID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.lastSentAt = lastSentAt
        createdAt = lastSentAt
        self.createdBy = createdBy
    }

    var memberCount: Int { kind.isNews ? subscribers : members.count }

    func unread(of member: MemberState) -> Int {
        ReadRules.unread(count: count, markCount: member.markCount, own: member.own)
    }

    /// The settings, with the title.
    var settings: ChannelProfile {
        var settings = profile?.profile ?? ChannelProfile()
        settings.title = title
        return settings
    }

    /// The row after which a user may read.
    func floor(of user: UserID) -> Int64 { max(members[user]?.floorSeq ?? 0, purgedSeq) }

    /// Whether the other user of a 1-on-1 has blocked this user.
    func isBlocked(_ user: UserID) -> Bool {
        kind == .single && members.contains { $0.key != user && $0.value.flags.contains(.blocksOther) }
    }

    /// Whether one user of a 1-on-1 has blocked the other.
    var hasBlock: Bool { kind == .single && members.values.contains { $0.flags.contains(.blocksOther) } }

    var admins: Int { members.values.reduce(0) { $0 + ($1.role == .admin ? 1 : 0) } }
}

/// The settings of a channel, shared by the copies of its state.
final class ProfileBox: Sendable {
    let profile: ChannelProfile

    /// Returns nil if all settings besides the title have their default values.
    init?(_ profile: ChannelProfile) {
        var rest = profile
        rest.title = nil
        guard rest != ChannelProfile() else { return nil }
        self.profile = rest
    }
}
