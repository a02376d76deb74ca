public import RoostWire

/// The four users and the channels that tests and examples use.
public enum Cast {
    /// Ann.
    public static let ann = user("ann", "Ann")
    /// Bob.
    public static let bob = user("bob", "Bob")
    /// Cid.
    public static let cid = user("cid", "Cid")
    /// Dee, who is not a member of the channels of the others.
    public static let dee = user("dee", "Dee")
    /// All four.
    public static let all = [ann, bob, cid, dee]
    /// An open channel.
    public static let lobby = channel("lobby")
    /// A group.
    public static let club = channel("club")
    /// The 1-on-1 of Ann and Bob.
    public static let annAndBob = ChannelID(single: ann.userID, bob.userID)

    private static func user(_ id: String, _ name: String) -> User {
        guard let userID = UserID(rawValue: id) else { preconditionFailure("The cast's ids obey the rule.") }
        return User(userID: userID, name: name)
    }

    private static func channel(_ id: String) -> ChannelID {
        guard let channel = ChannelID(rawValue: id) else { preconditionFailure("The cast's ids obey the rule.") }
        return channel
    }
}
