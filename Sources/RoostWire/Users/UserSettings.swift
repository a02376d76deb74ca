/// Who may make a user a member of a group without asking first. A name on the wire.
public enum InvitesFrom: String, Codable, CaseIterable, Sendable {
    /// All users.
    case everybody
    /// The user's contacts: users with whom the user has a 1-on-1 that the user has created or written in.
    case contacts
    /// No user.
    case nobody
}

/// The settings of a user, the same on all devices. Only the user can read them.
public struct UserSettings: Codable, Hashable, Sendable {
    /// Who may make the user a member of a group without asking first; all others invite the user, who answers with
    /// `member.answer`. Operators and API keys are not bound by it.
    public var invitesFrom: InvitesFrom

    /// Creates settings; without arguments, those of a new user.
    public init(invitesFrom: InvitesFrom = .everybody) { self.invitesFrom = invitesFrom }
}

/// Changes the caller's own settings; absent ones stay unchanged.
///
/// The user's devices get `user.settingsChanged`; if everything is set already, nothing changes.
///
/// Of `invitesFrom`, others learn only that the user is invited and not yet a member, as if their `channel.create` or
/// `member.invite` had named the role `invited`. Memberships from before stay. 1-on-1s are not bound by it: a first message
/// reaches the user, who may block its sender. Fails with 6 if nothing is given.
public struct SetUserSettings: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "user.setSettings"
    /// Who may make the user a member of a group without asking first.
    public var invitesFrom: InvitesFrom?

    /// Creates a value with these fields.
    public init(invitesFrom: InvitesFrom? = nil) {
        self.invitesFrom = invitesFrom
    }
}

/// Reads the caller's own settings.
public struct GetUserSettings: ReadCommand {
    /// Creates a value with these fields.
    public init() {}

    /// What the server answers.
    public typealias Answer = UserSettings
    /// The name on the wire.
    public static let name = "user.getSettings"
}
