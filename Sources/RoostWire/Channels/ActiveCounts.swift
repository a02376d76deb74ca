/// The body of `channel.activeCountChanged`: how many members of a group are connected. Ephemeral.
///
/// The connected members get it when the number changes, at most every five seconds per group, and
/// only in groups of at most `limits.activeCountMembers` members. A member counts once, regardless
/// of the number of devices.
public struct ActiveCountChanged: Codable, Hashable, Sendable {
    /// How many members are connected.
    public var active: Int
    /// How many members the channel has.
    public var memberCount: Int

    /// Creates a value with these fields.
    public init(active: Int, memberCount: Int) {
        self.active = active
        self.memberCount = memberCount
    }
}
