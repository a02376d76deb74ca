package import RoostWire

/// What an operator may have to prove later: who has done something, or was refused.
///
/// It names users, keys and things by their ids, and has nothing of what users write.
package struct AuditEntry: Hashable, Sendable {
    /// Whose right was used.
    package enum Sender: Hashable, Sendable {
        /// Nobody has logged in.
        case stranger
        case user
        case `operator`
        /// A key for backends, by its name.
        case key(String)
        /// The server itself, or somebody who has changed its files.
        case server
    }

    /// When, in ms since 1970.
    package var time: Int64
    /// The command, or what has happened otherwise.
    package var event: String
    package var sender: Sender
    /// The user who has sent the command, if known.
    package var user: UserID?
    /// The IP address of the client, if known.
    package var address: String?
    /// The web origin of the client, if it has named one.
    package var origin: String?
    /// The code of the error, or of the close frame; 0 for what was done.
    package var code: Int
    /// The ids of what was changed, or was to be changed.
    package var targets: [String]
    /// What has changed, such as `canChat=false`: names of fields and values from closed lists.
    package var changes: [String]
    /// Whether there may be so many of these that the first of a minute is enough.
    package var isTraffic = false

    package init(
        time: Int64, event: String, sender: Sender = .stranger, user: UserID? = nil, address: String? = nil,
        origin: String? = nil, code: Int = 0, targets: [String] = [], changes: [String] = []
    ) {
        self.time = time
        self.event = event
        self.sender = sender
        self.user = user
        self.address = address
        self.origin = origin
        self.code = code
        self.targets = targets
        self.changes = changes
    }

    /// Creates an entry about a command of somebody.
    package init(
        time: Int64, event: String, by actor: Actor, code: Int = 0, targets: [String] = [], changes: [String] = []
    ) {
        let sender: Sender =
            if actor.scopes != nil { .key(actor.keyName ?? "") } else { actor.isOperator ? .operator : .user }
        self.init(
            time: time, event: event, sender: sender, user: actor.user.userID, address: actor.address,
            origin: actor.origin, code: code, targets: targets, changes: changes)
    }

    /// Whether it is about something that was not done.
    package var isRefusal: Bool { code != 0 }

    /// The codes of refusals that are reported: wrong credentials, rights that are missing, and limits.
    private static let codes = Set(
        [
            ErrorCode.wrongCredentials, .wrongPassword, .noAccount, .notAuthenticated, .tokenExpired, .notCurrentUser,
            .noPrivilege, .blocked, .userBanned, .userDeleted, .tooManyRequests, .tooManyConnections, .limitReached,
            .tooManyChannels, .tooManyMembers, .accountLimitReached, .tooLarge, .storageFull,
        ].map(\.code))

    /// Whether a refusal is reported.
    package static func isReported(_ error: WireError) -> Bool { codes.contains(error.code) }

    /// Creates the entry about a command that was carried out; nil if nobody has to prove it.
    ///
    /// Of users these are changes of access and roles. Of operators and keys it is everything that changes data.
    init?(_ command: WritingCommand, by actor: Actor, time: Int64) {
        let me = actor.user.userID
        var targets: [String] = []
        var changes: [String] = []
        var isTraffic = false
        switch command {
        case .setUserAccess(let body):
            targets = [body.userID.rawValue]
            changes = [body.canChat.map { "canChat=\($0)" }, body.canCall.map { "canCall=\($0)" }].compactMap(\.self)
        case .deleteUser(let body): targets = [(body.userID ?? me).rawValue]
        case .endLogins(let body):
            targets = [(body.userID ?? me).rawValue] + [body.deviceID?.rawValue].compactMap(\.self)
        case .createKey(let body):
            targets = [body.key, (body.userID ?? me).rawValue]
            changes = KeyScope.allCases.filter(body.scopes.contains).map { "scope=\($0.rawValue)" }
        case .revokeKey(let body): targets = [body.key]
        case .banMembers(let body): targets = [body.channel.rawValue] + body.members.map(\.rawValue)
        case .unbanMembers(let body): targets = [body.channel.rawValue] + body.members.map(\.rawValue)
        case .kickMembers(let body): targets = [body.channel.rawValue] + body.members.map(\.rawValue)
        case .setMemberRole(let body):
            targets = [body.channel.rawValue, body.userID.rawValue]
            changes = ["role=\(body.role.rawValue)"]
        case .dismissChannel(let body): targets = [body.channel.rawValue]
        case .publishNews(let body): targets = [body.channel.rawValue]
        case .createBroadcast(let body): targets = [body.senderID.rawValue]
        case .pauseBroadcast(let body): targets = [body.broadcastID.rawValue]
        case .resumeBroadcast(let body): targets = [body.broadcastID.rawValue]
        case .cancelBroadcast(let body): targets = [body.broadcastID.rawValue]
        case .closeReport(let body): targets = [body.reportID]
        case .recallMessages(let body) where actor.isPrivileged:
            targets = [body.channel.rawValue] + body.messageIDs.map(\.rawValue)
        case .createChannel(let body) where actor.isPrivileged:
            targets = [body.channel?.rawValue].compactMap(\.self)
        case .announceMessage(let body) where actor.isPrivileged: targets = [body.channel.rawValue]
        case .inviteMembers(let body) where actor.isPrivileged:
            targets = [body.channel.rawValue] + body.members.map(\.userID.rawValue)
        default:
            guard actor.isPrivileged else { return nil }
            isTraffic = true
        }
        self.init(
            time: time, event: type(of: command.value).name, by: actor, targets: targets, changes: changes)
        self.isTraffic = isTraffic
    }
}

extension Actor {
    /// Whether all changes of the sender are reported.
    fileprivate var isPrivileged: Bool { isOperator || scopes != nil }
}

extension ReadingCommand {
    /// Whether an operator reads with it what was not written to the operator.
    var readsOfOthers: Bool { if case .listReports = self { true } else { false } }
}

extension Transaction {
    /// Reports a command that was carried out, once the batch is committed.
    mutating func report(_ command: WritingCommand) throws {
        guard let entry = AuditEntry(command, by: try actor, time: batch.now) else { return }
        batch.audit.append(entry)
    }

    /// Reports a command that was refused.
    mutating func report(_ error: WireError, of command: any Command, by actor: Actor) {
        guard AuditEntry.isReported(error) else { return }
        batch.audit.append(
            AuditEntry(time: batch.now, event: type(of: command).name, by: actor, code: error.code))
    }

    /// Reports the registration of accounts.
    mutating func reportAccounts(_ users: [UserID], event: String) throws {
        guard !users.isEmpty else { return }
        batch.audit.append(
            AuditEntry(
                time: batch.now, event: event, by: try actor, targets: users.map(\.rawValue)))
    }

    /// Reports a change of an account.
    mutating func report(_ set: SetAccount, of user: UserID) throws {
        let changes = [
            set.password.map { _ in "password" }, set.phone.map { _ in "phone" }, set.email.map { _ in "email" },
            set.corpID.map { _ in "corpID" },
        ]
        batch.audit.append(
            AuditEntry(
                time: batch.now, event: SetAccount.name, by: try actor, targets: [user.rawValue],
                changes: changes.compactMap(\.self)))
    }
}
