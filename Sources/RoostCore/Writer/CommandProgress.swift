import RoostWire

/// The progress of a command over all channels of its user.
///
/// Such a command runs in turns of some channels each, in the order of their ids, with other users' commands in
/// between. Each turn is a transaction that announces its own channels; the last one stores the key and the answer.
/// The progress is not persisted: if the command does not finish, completed turns stay done, and a repeated command
/// starts over with the channels that exist then.
struct CommandProgress: Sendable {
    /// The last processed channel.
    var last = ""
    /// Whether there are more channels after it.
    var needsAnotherTurn = false
    /// The number of read marks moved so far.
    var moved = 0

    /// The maximum number of channels per turn, and of their members, all of which are loaded; a single channel may
    /// exceed the latter.
    static let channelsPerTurn = 50
    static let membersPerTurn = 1_000
    /// The number of channels checked per turn to find unread ones.
    static let scannedPerTurn = 500
}

extension Transaction {
    /// Whether the command needs another turn.
    var needsAnotherTurn: Bool { command?.progress.needsAnotherTurn == true }

    /// Loads and returns the channels of the next turn: channels of which the caller is a member.
    ///
    /// It flushes the batch, so it must be called before the command decides anything.
    /// - Parameter areUnread: whether to return only channels that have unread messages or are marked as unread.
    mutating func nextChannels(areUnread: Bool = false) throws -> [ChannelID] {
        let me = try me
        try flush()
        var progress = command?.progress ?? CommandProgress()
        let looks = areUnread ? CommandProgress.scannedPerTurn : CommandProgress.channelsPerTurn
        let found = try connection.rows(
            """
            SELECT m.channel, m.flags, c.kind, c.member_count, c.seq, COALESCE(r.seq, 0) FROM (
                SELECT channel, flags FROM members WHERE user_id = \(me) AND left_seq IS NULL AND channel > \(progress.last)
                ORDER BY channel LIMIT \(looks + 1)) m
            JOIN channels c ON c.id = m.channel
            LEFT JOIN read_marks r ON r.channel = m.channel AND r.user_id = \(me) ORDER BY m.channel
            """
        ) { row in
            let isMarked = MemberFlags(rawValue: try row.int(1)).contains(.markedUnread)
            return (
                id: try row.id(0) as ChannelID, members: try row.kind(2).isNews ? 1 : Int(clamping: try row.int(3)),
                isUnread: try isMarked || row.int(4) > row.int(5)
            )
        }
        progress.needsAnotherTurn = found.count > looks
        var ids: [ChannelID] = []
        var members = 0
        for channel in found.prefix(looks) {
            if !areUnread || channel.isUnread {
                members += channel.members
                guard ids.count < CommandProgress.channelsPerTurn,
                    members <= CommandProgress.membersPerTurn || ids.isEmpty
                else {
                    progress.needsAnotherTurn = true
                    break
                }
                ids.append(channel.id)
            }
            progress.last = channel.id.rawValue
        }
        command?.progress = progress
        try ensureLoaded(Set(ids))
        return try ids.filter { try channel($0)?.members[me] != nil }
    }
}
