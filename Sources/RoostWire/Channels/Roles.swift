/// What a member may do in a channel; a name on the wire.
public enum Role: String, Codable, CaseIterable, Sendable {
    /// No relation to the channel.
    case none
    /// Banned: cannot join and cannot be invited.
    case outcast
    /// Invited, and has not answered yet.
    case invited
    /// An ordinary member.
    case participant
    /// May remove members below moderator.
    case moderator
    /// May do everything.
    case admin

    /// The number in the reference table.
    public var number: Int {
        switch self {
        case .none: 0
        case .outcast: 1
        case .invited: 2
        case .participant: 4
        case .moderator: 8
        case .admin: 16
        }
    }

    /// The role with this reference number; nil for any other number.
    public init?(number: Int) {
        guard let role = Role.allCases.first(where: { $0.number == number }) else { return nil }
        self = role
    }
}

/// An action that a role allows or not: a row of the role matrix.
public enum Privilege: String, CaseIterable, Sendable {
    /// Send, read, mark as read, delete for oneself, set own preferences, leave.
    case takePart
    /// Change what the channel shows: title, picture, background, custom bits.
    case editProfile
    /// Change the rules of the channel: who joins, edits and recalls, how many members, what new members may read.
    case editRules
    /// Invite others.
    case invite
    /// Remove, ban and unban others.
    case remove
    /// Change roles.
    case setRole
    /// See who is invited and who is banned.
    case seeEverybody
    /// Recall messages of others.
    case recallOthers
    /// Pin messages and take them down.
    case pin
    /// Dismiss the channel.
    case dismiss
    /// Accept or decline an invitation.
    case answerInvitation
}

/// The relation of a user to a channel, which decides on commands about it.
public enum Standing: String, CaseIterable, Sendable {
    /// Never was a member, or the channel does not exist.
    case stranger
    /// Was a member, and left or was removed.
    case former
    /// Banned.
    case outcast
    /// Invited, and has not answered.
    case invited
    /// An ordinary member.
    case participant
    /// A moderator.
    case moderator
    /// An admin.
    case admin

    /// The standing of a user with this role; without a role, `wasMember` distinguishes a former member from a
    /// stranger.
    public init(role: Role, wasMember: Bool) {
        self =
            switch role {
            case .none: wasMember ? .former : .stranger
            case .outcast: .outcast
            case .invited: .invited
            case .participant: .participant
            case .moderator: .moderator
            case .admin: .admin
            }
    }

    /// The role that goes with it.
    public var role: Role {
        switch self {
        case .stranger, .former: .none
        case .outcast: .outcast
        case .invited: .invited
        case .participant: .participant
        case .moderator: .moderator
        case .admin: .admin
        }
    }
}

extension Role: Comparable {
    /// Orders roles by their rights, the weakest first.
    public static func < (left: Role, right: Role) -> Bool { left.number < right.number }

    /// Whether somebody with this role is a member: participant, moderator or admin.
    ///
    /// Only members count in `memberCount`, get the channel's events and may be mentioned.
    public var isMember: Bool { self >= .participant }
}

/// Who may do what in a group: the role matrix. Pure rules, the same in the server and the SDK.
///
/// In a 1-on-1 both are participants and nobody has more rights; commands about
/// members, roles or dismissal fail with 1104 there before this table applies.
public enum RoleRules {
    /// Whether a role allows an action; the channel's `profile` may add or remove rights.
    public static func allows(
        _ privilege: Privilege, _ role: Role, profile: ChannelProfile = ChannelProfile()
    ) -> Bool {
        switch privilege {
        case .takePart, .invite: role.isMember
        case .editProfile: role >= (profile.editors == .moderators ? .moderator : .participant)
        case .remove, .setRole, .seeEverybody: role >= .moderator
        case .pin: role >= (profile.pinners == .moderators ? .moderator : .participant)
        case .recallOthers: role >= .moderator && profile.moderatorsMayRecall != false
        case .editRules, .dismiss: role == .admin
        case .answerInvitation: role == .invited
        }
    }

    /// Why an action is refused; nil if the table allows it.
    ///
    /// A stranger is told that there is no such channel (1105), a former member
    /// that it is not a member (1117), everybody else that the right is missing
    /// (1107). Two exceptions: 1116 for a current or former member who answers an
    /// invitation that does not exist, and 1113 for a caller who may not recall the
    /// messages of others.
    public static func refusal(
        of privilege: Privilege, for standing: Standing, profile: ChannelProfile = ChannelProfile()
    ) -> ErrorCode? {
        if allows(privilege, standing.role, profile: profile) { return nil }
        switch standing {
        case .stranger: return .channelNotFound
        case .former: return privilege == .answerInvitation ? .notInvited : .notMember
        case .outcast, .invited: return .noPrivilege
        case .participant, .moderator, .admin:
            return privilege == .answerInvitation
                ? .notInvited : privilege == .recallOthers ? .messageNotOwned : .noPrivilege
        }
    }

    /// Why a user cannot join without an invitation; nil if it is possible.
    ///
    /// A channel that nobody may join does not exist for a stranger (1105); an
    /// outcast may never join (1107). Joining again as a member has no effect.
    public static func refusalOfJoining(for standing: Standing, profile: ChannelProfile) -> ErrorCode? {
        switch standing {
        case .outcast: .noPrivilege
        case .participant, .moderator, .admin: nil
        case .stranger: profile.canJoin == true ? nil : .channelNotFound
        case .former, .invited: profile.canJoin == true ? nil : .noPrivilege
        }
    }

    /// Whether a role may invite somebody with another role: at most its own.
    ///
    /// With `invited` the user is asked first; `none` and `outcast` are never allowed.
    public static func mayInvite(as given: Role, by role: Role) -> Bool {
        given >= .invited && allows(.invite, role) && given <= role
    }

    /// Whether a role may remove or ban a user: moderators those below moderator, admins everybody but themselves.
    public static func mayRemove(_ target: Role, isSelf: Bool, by role: Role) -> Bool {
        !isSelf && allows(.remove, role) && (role == .admin || target < .moderator)
    }

    /// Why a role cannot be changed; nil if it can.
    ///
    /// - 1107: the caller is neither moderator nor admin; a moderator changes an admin's
    ///   role or makes somebody an admin; the group would lose its last admin.
    /// - 1106: the target is not a member.
    /// - 1120: `none`, `outcast` and `invited` cannot be given (remove, ban and
    ///   invite do that), nor the role that the target has.
    public static func refusalOfRole(
        _ new: Role, for current: Role, by role: Role, admins: Int
    ) -> ErrorCode? {
        guard allows(.setRole, role) else { return .noPrivilege }
        guard current.isMember else { return .userMissing }
        guard new.isMember else { return .noRoleToSet }
        guard role == .admin || max(current, new) <= .moderator else { return .noPrivilege }
        if new == current { return .noRoleToSet }
        return current == .admin && admins <= 1 ? .noPrivilege : nil
    }

    /// Whether a member may leave: the last admin only with a successor, or if nobody else remains.
    public static func mayLeave(_ role: Role, admins: Int, members: Int, hasSuccessor: Bool) -> Bool {
        role != .admin || admins > 1 || members <= 1 || hasSuccessor
    }

    /// The roles that a role sees in the list of members: those of members, or also `invited` and `outcast`.
    public static func visibleRoles(by role: Role) -> Set<Role> {
        allows(.seeEverybody, role)
            ? [.outcast, .invited, .participant, .moderator, .admin] : [.participant, .moderator, .admin]
    }
}

/// Changes the role of a member of a group, or the caller's own.
///
/// Admins give `participant`, `moderator` or `admin` to anybody. There may be several admins, and
/// the last one stays an admin (1107). Moderators make participants moderators and moderators
/// participants. The chapter *Roles* has the whole table.
public struct SetMemberRole: WriteCommand, ChannelCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "member.setRole"
    /// The group.
    public var channel: ChannelID
    /// The member; 1106 if that user is not a member.
    public var userID: UserID
    /// The new role; 1120 if the member has it already, or if it cannot be given.
    public var role: Role

    /// Creates a value with these fields.
    public init(channel: ChannelID, userID: UserID, role: Role) {
        self.channel = channel
        self.userID = userID
        self.role = role
    }
}

/// The role that somebody has in a channel.
public struct MemberRole: Codable, Hashable, Sendable {
    /// Who has the role.
    public var userID: UserID
    /// The name to show.
    public var name: String
    /// The role; `none` for somebody who is not banned or not invited any more.
    public var role: Role

    /// Creates a value with these fields.
    public init(userID: UserID, name: String, role: Role) {
        self.userID = userID
        self.name = name
        self.role = role
    }
}

/// The body of `member.roleChanged`: the roles of members changed.
///
/// It also comes if a ban is lifted or an invitation is declined or withdrawn: then the
/// role is `none`.
public struct RolesChanged: Codable, Hashable, Sendable {
    /// The members whose role changed, with the new role.
    public var members: [MemberRole]
    /// How many members the channel has.
    public var memberCount: Int

    /// Creates a value with these fields.
    public init(members: [MemberRole], memberCount: Int) {
        self.members = members
        self.memberCount = memberCount
    }
}
