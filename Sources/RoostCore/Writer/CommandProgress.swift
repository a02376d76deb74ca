import RoostWire

/// How far a command over all channels of its user has come.
///
/// Such a command is done in turns of some channels each, in the order of their ids, and what others want is done
/// between two turns. Each turn is a transaction that tells of its channels; the last one has the key and the answer.
/// Nothing durable remembers the progress: when it does not come to its end, what is done stays done, and the command, given
/// again, begins anew with the channels that there are then.
struct CommandProgress: Sendable {
    /// The last channel that it has come to.
    var last = ""
    /// Whether there are more behind it.
    var needsAnotherTurn = false
    /// How many read marks it has moved.
    var moved = 0

    /// The most channels of a turn, and the most members of these, of whom all are loaded; of one channel any number.
    static let channelsPerTurn = 50
    static let membersPerTurn = 1_000
    /// How many channels a turn looks at to find those with something unread.
    static let scannedPerTurn = 500
}

extension Transaction {
    /// Whether the command needs another turn.
    var needsAnotherTurn: Bool { command?.progress.needsAnotherTurn == true }

    /// Takes the channels of the next turn, and puts them into the batch: channels of which the caller is a member.
    ///
    /// It flushes the batch, so it comes before the command decides anything.
    /// - Parameter areUnread: whether only those count in which something is unread, or that are marked so.
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
