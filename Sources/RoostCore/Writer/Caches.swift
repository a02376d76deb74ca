import RoostWire

/// The writer's caches between two batches, reflecting the last commit.
///
/// Batches read the caches, and only a committed batch changes them. Confined to the writer's thread.
final class Caches {
    private(set) var channels: [ChannelID: ChannelState] = [:]
    private(set) var users: [UserID: UserState] = [:]
    private(set) var lastSend: [UserID: TransID] = [:]
    private(set) var features: FeatureCaches
    let sessions: LiveSessions
    /// The number of committed batches.
    private(set) var batches: UInt64 = 0
    /// The number of cached members and channels.
    private var weight = 0

    init(sessions: LiveSessions, features: FeatureCaches) {
        self.sessions = sessions
        self.features = features
    }

    /// Applies a committed batch.
    func apply(_ batch: Batch) {
        batches += 1
        sessions.apply(batch.sessions)
        for (id, var channel) in batch.channels {
            channel.usedIn = batches
            if channel.kind.isNews { channel.members = [:] }
            let old = channels.updateValue(channel, forKey: id)
            weight += channel.members.count - (old?.members.count ?? -1)
        }
        users.merge(batch.users) { _, new in new }
        for id in batch.deletedUsers { users[id] = nil }
        lastSend.merge(batch.lastSend) { _, new in new }
        batch.features.apply(to: &features)
    }

    /// Changes what features know outside of a batch.
    func updateFeatures(_ change: (inout FeatureCaches) -> Void) { change(&features) }

    /// Continues the journal under another name.
    /// - Returns: where it ended under the old one; nil if there is none.
    func renameJournal(_ new: String) -> JournalEnd? {
        guard let old = features.journalEnd else { return nil }
        features.journalEnd = JournalEnd(writer: new)
        features.connections.isDoubtful = true
        return old
    }

    /// Evicts the least recently used channels if there are more than `most` entries.
    func evict(downTo most: Int) {
        if weight > most {
            let oldest = channels.values.map(\.usedIn).sorted()
            let limit = oldest[oldest.count / 2]
            channels = channels.filter { $0.value.usedIn > limit }
            weight = channels.values.reduce(0) { $0 + $1.members.count + 1 }
        }
        if users.count > most { users.removeAll() }
        if lastSend.count > most { lastSend.removeAll() }
    }
}
