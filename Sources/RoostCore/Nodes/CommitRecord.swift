import RoostWire

/// What a commit has moved, for the other servers of the database: a row of the table `commits`.
///
/// The rows themselves are in their logs. Heads and subscriptions have their places there, so they can be applied in any
/// order, and twice; the events that are in no log are delivered once.
struct CommitRecord: Codable, Hashable, Sendable {
    /// The new heads of channels.
    var channels: [ChannelPosition] = []
    /// The new heads of the logs of users.
    var users: [UserPosition] = []
    var subscriptions: [Subscription] = []
    /// Messages that are stored nowhere else.
    var relayed: [Relayed] = []
    /// Users with a new name or picture.
    var renamed: [UserID] = []
    /// Users some of whose tokens are refused from now on.
    var restricted: [UserID] = []
    /// Read marks that have moved.
    var marks: [MovedMarks] = []
    /// Guests who were logged out of a device, or of all.
    var loggedOut: [LoggedOut] = []

    struct UserPosition: Codable, Hashable, Sendable {
        var user: UserID
        var seq: Int64
    }

    /// A user who gets the rows of a channel from a place on, or does not get them any more.
    struct Subscription: Codable, Hashable, Sendable {
        var user: UserID
        var channel: ChannelID
        var isStart: Bool
        var place: SubscriptionPlace
    }

    /// An event that is in no log.
    struct Relayed: Codable, Hashable, Sendable {
        var channel: ChannelID
        /// The row of the channel before it.
        var after: Int64
        var event: String
    }

    /// A guest, whose sessions no token can end.
    struct LoggedOut: Codable, Hashable, Sendable {
        var user: UserID
        /// The device; nil for all of the user.
        var device: DeviceID?
        /// When, in ms since 1970: a session that began later is another one.
        var time: Int64
    }

    // The names are short, as there is a row for each commit.
    private enum CodingKeys: String, CodingKey {
        case channels = "c"
        case users = "u"
        case subscriptions = "s"
        case relayed = "r"
        case renamed = "n"
        case restricted = "x"
        case loggedOut = "l"
        case marks = "m"
    }

    var isEmpty: Bool { self == CommitRecord() }

    /// Whether there is anything in it that the writers of other servers have to know.
    var concernsWriters: Bool {
        !renamed.isEmpty || !restricted.isEmpty || !loggedOut.isEmpty || !marks.isEmpty
            || subscriptions.contains { !$0.isStart }
    }

    /// The subscriptions that begin or end.
    var subscriptionChanges: [Delivery] {
        subscriptions.map { subscription in
            let (user, channel, place) = (subscription.user, subscription.channel, subscription.place)
            return subscription.isStart ? .subscribe(user, channel, at: place) : .unsubscribe(user, channel, at: place)
        }
    }

    /// The logs that have moved.
    var moves: [Delivery] {
        users.map { .moved(.user($0.user), seq: $0.seq) }
            + channels.map { .moved(.channel($0.channel), seq: $0.seq) }
    }

    /// The events that are in no log.
    var events: [Delivery] {
        relayed.map { .event(Array($0.event.utf8), to: .channel($0.channel), after: $0.after) }
    }
}

extension CommitRecord {
    /// What a batch moves.
    init(_ batch: Batch) {
        var heads: [LogID: Int64] = [:]
        for delivery in batch.deliveries {
            switch delivery {
            case .row(_, let log, let seq): heads[log] = max(seq, heads[log] ?? 0)
            case .subscribe(let user, let channel, let place):
                subscriptions.append(Subscription(user: user, channel: channel, isStart: true, place: place))
            case .unsubscribe(let user, let channel, let place):
                subscriptions.append(Subscription(user: user, channel: channel, isStart: false, place: place))
            case .event, .moved, .filled, .reply, .attach, .participate, .withdraw, .end: break
            }
        }
        for (log, seq) in heads {
            switch log {
            case .channel(let id): channels.append(ChannelPosition(channel: id, seq: seq))
            case .user(let id): users.append(UserPosition(user: id, seq: seq))
            }
        }
        relayed = batch.features.elsewhere.relayed
        renamed = Array(batch.features.elsewhere.renamed)
        restricted = Array(batch.features.elsewhere.restricted)
        loggedOut = Array(batch.features.elsewhere.loggedOut)
        marks = batch.movedMarks
    }
}

/// What a batch changes at other servers beside the logs.
struct ChangesElsewhere {
    var relayed: [CommitRecord.Relayed] = []
    var renamed: Set<UserID> = []
    var restricted: Set<UserID> = []
    var loggedOut: Set<CommitRecord.LoggedOut> = []
}
