import Logging
import RoostWire

/// What features know between two batches. Confined to the writer's thread.
///
/// A feature that needs a value of its own there declares its type in the folder of its noun, and adds it here.
struct FeatureCaches {
    var pushes: PushCache
    var logins: LoginCache
    var retention: RetentionScan
    var lease: NodeLease?
    /// Nil if no other server uses the database.
    var journalEnd: JournalEnd?
    var connections = ConnectionRows()
    /// Sessions that have ended while nothing could be written, in their order.
    var unnoted: [UnreachedSession] = []

    init(_ connection: any SQLConnection, now: Int64) throws {
        pushes = try PushCache(connection)
        logins = try LoginCache(connection)
        retention = RetentionScan()
    }
}

/// What features need in a batch: each an overlay over what it knows from before.
///
/// They are values: if a command is refused, they are restored with the batch.
struct FeatureOverlays {
    var pushes: PushOverlay
    var logins: LoginOverlay
    var retention: RetentionScan
    var lease: NodeLease?
    var journalEnd: JournalEnd?
    var connections: ConnectionRows
    var elsewhere = ChangesElsewhere()
    var ended = EndedSessions()
    var marks: [ChannelID: [UserID: ReadMark]] = [:]

    init(over caches: FeatureCaches) {
        pushes = PushOverlay(known: caches.pushes)
        logins = LoginOverlay(known: caches.logins)
        retention = caches.retention
        lease = caches.lease
        journalEnd = caches.journalEnd
        connections = caches.connections
    }

    /// Changes what is known, after the commit.
    func apply(to caches: inout FeatureCaches) {
        caches.pushes = pushes.known
        caches.logins = logins.known
        caches.retention = retention
        caches.lease = lease
        caches.journalEnd = journalEnd
        caches.connections = connections
        caches.unnoted.removeFirst(ended.notedCount)
    }
}

extension Transaction {
    /// Collects what follows from the newest row of a channel's log.
    mutating func noteRow(_ body: ChannelRowBody, in channel: ChannelState, _ traits: RowTraits) {
        if case .messageSent(let message) = body {
            use(message.content.fileIDs, by: .message(channel.id, seq: channel.seq))
        }
        if channel.kind != .open, traits.isPushed { notePush(of: body, channel.id, channel.seq) }
    }

    /// Collects what follows from the newest row of a user's log.
    mutating func noteRow(_ body: UserRowBody, of user: UserID, _ frame: [UInt8]) {
        notePush(of: body, to: user, frame)
    }

    /// Writes what features have collected in their overlays, at the end of a transaction.
    mutating func finishFeatures() throws {
        try withdrawRead()
        try addUnreached()
        try writePushes()
        try writeCommit()
    }
}

/// An effect of a commit, besides deliveries and answers.
enum AfterCommit: Hashable, Sendable {
    /// The storage has bytes of files to delete.
    case bytesRemoved
    /// There are push notifications to send.
    case pushesAdded
    /// Everything of a deleted user has been erased from the tables.
    case userErased(UserID)
    /// A scan has removed rows that are kept no longer.
    case rowsPurged(channels: Int, rows: Int)
    /// Others have written what did not reach the sessions of this server.
    case sessionsOutdated
    /// Another server has taken the database over, and why this one cannot go on.
    case displaced(String)
}

extension Writer {
    func perform(_ effect: AfterCommit) {
        switch effect {
        case .bytesRemoved, .pushesAdded, .sessionsOutdated, .displaced: notify(effect)
        case .userErased(let user): removeTraces(of: user)
        case .rowsPurged(let channels, let rows):
            logger.info("old rows removed", metadata: ["channels": "\(channels)", "rows": "\(rows)"])
        }
    }
}

extension TaskScheduler {
    static let connections = "connections"

    /// All work that falls due by the clock.
    init(dueTasks configuration: CoreConfiguration, now: Int64) {
        if configuration.onlyErases {
            self.init(
                [],
                background: [("profiles", { try $0.deliverProfiles() }), ("deletions", { try $0.eraseDeletedUser() })])
            addWoken(Self.connections) { try $0.cleanConnections() }
            return
        }
        self.init(
            [
                ("schedules", { try $0.sendDueSchedules() }), ("votes", { try $0.closeDueVotes() }),
                ("news", { try $0.expireNews() }), ("access", { try $0.endSessionsRestrictedElsewhere() }),
            ],
            background: [
                ("broadcasts", { try $0.sendBroadcasts() }), ("subscriptions", { try $0.continueBulkChange() }),
                ("profiles", { try $0.deliverProfiles() }), ("pushes", { try $0.expandPushes() }),
                ("deletions", { try $0.eraseDeletedUser() }),
            ])
        addWoken(Self.connections) { try $0.cleanConnections() }
        add("retention", at: now) { try $0.purge() }
        // Startup work goes first.
        if configuration.node != nil { addLease(at: now + NodeLease.interval) { try $0.renewLease() } }
        add("migrations", at: now) { try $0.migrateRows() }
        let firstLook = now + min(configuration.retentionInterval, 60_000)
        add("expiry", at: firstLook) { try $0.deleteExpired() }
        add("files", at: firstLook) { try $0.deleteExpiredFiles() }
    }
}

/// What is announced some time after the commit that causes it, several changes together.
struct Announcements {
    var marks = MarkAnnouncements()
    var activeCounts: ActiveCounts

    init(now: Int64, _ configuration: CoreConfiguration) {
        activeCounts = ActiveCounts(now: now, interval: configuration.activeCountInterval)
    }

    /// Adds the changes of a committed batch.
    mutating func add(_ batch: Batch) {
        marks.add(batch.movedMarks)
        for user in batch.sessions.presenceChanges.union(batch.usersGoneElsewhere) { activeCounts.note(user) }
    }
}

extension Writer {
    /// When the next announcement is due, in ms since 1970; nil if there is none.
    var nextAnnouncement: Int64? {
        [
            announcements.marks.nextDue, announcements.activeCounts.nextDue, caches.sessions.typingStates.nextDue,
        ].compactMap { $0 }.min()
    }

    func announceDue() {
        announceMarks(isLast: false)
        announceTyping()
        announceActiveCounts()
    }

    /// Does what must not be left undone when the writer ends.
    func finish() {
        if !isLeaseDoubtful { announceMarks(isLast: true) }
        endConnections()
        endLease()
    }
}
