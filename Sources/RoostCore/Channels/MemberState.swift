import RoostWire

/// The writer's state of a member.
struct MemberState {
    var role: Role
    var flags: MemberFlags = []
    /// The name and picture in this channel, if the member has set them; a separate object because few members have.
    var appearance: MemberAppearance?
    var floorSeq: Int64 = 0
    /// The last row from before the join that the member may not read; 0 if the whole history is visible. What the
    /// member has cleared since does not change it.
    var pastSeq: Int64 = 0
    var hiddenSeq: Int64 = -1
    var markSeq: Int64 = 0
    var markCount: Int64 = 0
    var markAt: Int64 = 0
    var joinedSeq: Int64 = 0
    /// The number of messages above the mark that count in the channel but not as unread: own, recalled or deleted
    /// ones.
    var own: Int64 = 0
}

/// The flags of a member.
struct MemberFlags: OptionSet {
    let rawValue: Int64

    static let muted = MemberFlags(rawValue: 1)
    static let markedUnread = MemberFlags(rawValue: 2)
    /// In a 1-on-1: the member has blocked the other user.
    static let blocksOther = MemberFlags(rawValue: 4)
    /// Another user has made the user a member, or has created the 1-on-1, and the user has written nothing there since.
    /// It is never set for what an operator or an API key has done in a group.
    static let given = MemberFlags(rawValue: 8)

    /// ``given`` as an SQL condition.
    static func isGiven(_ flags: Query) -> Query { "(\(flags) & 8) > 0" }
}

/// The name and picture of a member in one channel.
final class MemberAppearance: Sendable {
    let nickname: String?
    let imageURL: String?

    /// Returns nil if there is neither.
    init?(nickname: String?, imageURL: String?) {
        guard nickname != nil || imageURL != nil else { return nil }
        self.nickname = nickname
        self.imageURL = imageURL
    }
}

extension MemberState {
    /// The member as shown in this channel.
    func shown(_ user: User) -> User {
        guard let appearance else { return user }
        return User(
            userID: user.userID, name: appearance.nickname ?? user.name, imageURL: appearance.imageURL ?? user.imageURL)
    }
}

/// A user who is not a member but has a row: a former member, or a banned or invited user.
struct NonMember {
    var role: Role = .none
    var leftSeq: Int64
    var joinedSeq: Int64 = Self.neverJoined
    var appearance: MemberAppearance?
    /// When the ban ends; nil if the user is not banned, or for good.
    var bannedUntil: Int64?

    /// The `joinedSeq` of a user who was banned or invited without ever having been a member.
    static let neverJoined: Int64 = -1

    var wasMember: Bool { joinedSeq >= 0 }
}

/// One (channel, user) pair.
struct MemberKey: Hashable {
    var channel: ChannelID
    var user: UserID
}

extension MemberState {
    /// The columns of a membership `m` and its read mark `r`, in the order that the initializer reads them.
    static let columns: Query = """
        m.channel, m.user_id, m.role, m.joined_seq, m.floor_seq, m.hidden_seq,
        COALESCE(r.seq, 0), COALESCE(r.count, 0), COALESCE(r.read_at, 0), m.flags, m.nickname, m.image_url, m.past_seq
        """
    static let columnCount = 13

    init(_ row: any SQLRow) throws {
        self.init(
            role: try row.role(2), flags: MemberFlags(rawValue: try row.int(9)),
            appearance: MemberAppearance(nickname: try row.optionalText(10), imageURL: try row.optionalText(11)),
            floorSeq: try row.int(4), pastSeq: try row.int(12), hiddenSeq: try row.int(5), markSeq: try row.int(6),
            markCount: try row.int(7), markAt: try row.int(8), joinedSeq: try row.int(3))
    }
}

extension Transaction {
    /// Returns the membership of a user.
    /// - Throws: `WireError` 1105 if the user was never a member, 1117 for a former member, 1107 if banned or
    ///   invited.
    func member(_ user: UserID, of channel: ChannelState) throws -> MemberState {
        if let member = channel.members[user] { return member }
        let standing = try standing(of: user, in: channel)
        throw WireError(RoleRules.refusal(of: .takePart, for: standing) ?? .channelNotFound)
    }

    /// Returns the standing of a user in a channel.
    func standing(of user: UserID, in channel: ChannelState) throws -> Standing {
        if let member = channel.members[user] { return Standing(role: member.role, wasMember: true) }
        let row = try nonMembers([user], of: channel.id)[user]
        return Standing(role: row?.role ?? .none, wasMember: row?.wasMember ?? false)
    }

    /// Returns those users who are not members but have a row: former members, banned and invited users. A user whose
    /// ban has ended is a former member, or none.
    func nonMembers(_ users: some Collection<UserID>, of channel: ChannelID) throws -> [UserID: NonMember] {
        var found: [UserID: NonMember] = [:]
        var keys: [[SQLValue]] = []
        for user in users {
            let key = MemberKey(channel: channel, user: user)
            if let row = batch.departed[key] {
                found[user] = row
            } else if !batch.absentMembers.contains(key) {
                keys.append([.text(user.rawValue)])
            }
        }
        guard !keys.isEmpty else { return found }
        let rows = try connection.rows(
            """
            WITH k (id) AS (\(keys: keys))
            SELECT m.user_id, m.role, m.left_seq, m.joined_seq, m.nickname, m.image_url, m.banned_until FROM members m
            WHERE m.channel = \(channel) AND m.user_id IN (SELECT id FROM k) AND m.left_seq IS NOT NULL
            """
        ) { row in
            let bannedUntil = try row.optionalInt(6)
            let hasEnded = bannedUntil.map { $0 <= batch.now } ?? false
            return (
                try row.id(0) as UserID,
                NonMember(
                    role: hasEnded ? .none : try row.role(1), leftSeq: try row.int(2), joinedSeq: try row.int(3),
                    appearance: MemberAppearance(nickname: try row.optionalText(4), imageURL: try row.optionalText(5)),
                    bannedUntil: hasEnded ? nil : bannedUntil)
            )
        }
        for (user, row) in rows where batch.channels[channel]?.members[user] == nil { found[user] = row }
        return found
    }
}
