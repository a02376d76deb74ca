/// Deletes a user: the caller, or for operators somebody else (1107).
///
/// At once the user has the name that `roost serve --deleted-user-name` sets and no picture, the account, the devices
/// and all tokens are gone, and connections close with 4403. From then on, every login and request of the user is refused
/// with 7027, and so is an account with that id. For everybody else the user is there with the new name, so that what the
/// user has written has an author; `user.find` does not find the user, and nobody can log in with the id again. Whoever
/// shares a channel with the user gets `user.profileChanged`.
///
/// In the background the user then leaves all groups (`member.left`) and news; an admin who was the last is succeeded by
/// the member with the highest role who joined first. Nicknames, pictures, settings, blocks, schedules, the user's own
/// log and the messages that the user has sent to themselves are erased, and the name and picture in the logs of others
/// are replaced. The user's messages in other channels stay under the new name, or are recalled silently, as the server's
/// policy or `deletesMessages` says. What stays: the user id, reactions, votes, read marks, news, and what others have
/// written.
///
/// Fails with 7011 if there is no such user, with 1107 if a user who is no operator gives `deletesMessages`.
public struct DeleteUser: WriteCommand {
    /// What the server answers.
    public typealias Answer = Acknowledgement
    /// The name on the wire.
    public static let name = "user.delete"
    /// What a key needs to send it.
    public static let scope = KeyScope.`operator`
    /// The user; the caller if absent.
    public var userID: UserID?
    /// Whether the user's messages are deleted, too; the server's policy if absent. For operators.
    public var deletesMessages: Bool?

    /// Creates a value with these fields.
    public init(userID: UserID? = nil, deletesMessages: Bool? = nil) {
        self.userID = userID
        self.deletesMessages = deletesMessages
    }
}
