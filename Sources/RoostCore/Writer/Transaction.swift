import Logging
import RoostWire

/// Who wants what is being done, and under which key.
struct RunningCommand {
    var actor: Actor
    /// Nil for a command that takes no key.
    var transID: TransID?
    /// The hash of its content; nil for a command of the server's own, of which no row holds the key.
    var hash: Int64?
    /// How far it has come, where it is one over all channels.
    var progress = CommandProgress()
}

/// One transaction of the writer while it is decided: the batch, the connection, and the command of which it is the turn.
///
/// A feature is functions on this value. It lives as long as one run of the
/// transaction: what is to be remembered of it is in the batch.
struct Transaction {
    var batch: Batch
    let connection: any SQLConnection
    let configuration: CoreConfiguration
    let effects: Effects
    let epoch: String
    /// The limits of the configuration, as JSON.
    let limits: [UInt8]
    let logger: Logger
    /// Whether other processes may write to the database.
    let isShared: Bool
    /// Nil while nobody's command is carried out: in a login, and in work that is due by itself.
    var command: RunningCommand?

    init(_ batch: Batch, _ connection: any SQLConnection, of writer: Writer) {
        self.batch = batch
        self.connection = connection
        configuration = writer.configuration
        effects = writer.effects
        epoch = writer.epoch
        limits = writer.limits
        logger = writer.logger
        isShared = writer.database.isShared
    }

    /// Who the command comes from.
    /// - Throws: `WireError` 4 where nobody's command is carried out.
    var actor: Actor {
        get throws(WireError) {
            guard let command else { throw WireError(.internalFault) }
            return command.actor
        }
    }

    /// The user whose command it is.
    var me: UserID {
        get throws(WireError) {
            guard let command else { throw WireError(.internalFault) }
            return command.actor.user.userID
        }
    }

    /// The key of the command.
    var transID: TransID {
        get throws(WireError) {
            guard let transID = command?.transID else { throw WireError(.internalFault) }
            return transID
        }
    }

    /// Writes what has been decided so far.
    mutating func flush() throws { try batch.flush(to: connection) }
}

/// Rows of the logs.
extension Transaction {
    /// Appends a row to a channel's log and delivers it to everybody who follows the channel.
    ///
    /// `count` must be in the channel already when the event counts as unread.
    mutating func append(
        to channel: inout ChannelState, as traits: RowTraits = RowTraits(),
        body: (_ seq: Int64, _ sentAt: Int64) -> ChannelRowBody
    ) throws -> (seq: Int64, sentAt: Int64) {
        channel.seq += 1
        if !traits.isQuiet { channel.lastSentAt = max(channel.lastSentAt, batch.now) }
        let author = traits.names == .nobody ? nil : command?.actor.user.userID
        let transID = traits.names == .nobody ? nil : command?.transID
        let hash = traits.names == .nobody || !traits.holdsKey ? nil : command?.hash
        let event = Event(
            channel: channel.id, seq: channel.seq, senderID: traits.names == .sender ? author : nil, transID: transID,
            sentAt: channel.lastSentAt, body: .channel(body(channel.seq, channel.lastSentAt)))
        let frame = try WireCodec.encode(event)
        batch.channelRows.append([
            .text(channel.id.rawValue), .int(channel.seq), SQLValue(author?.rawValue),
            SQLValue(hash == nil ? nil : transID?.rawValue),
            SQLValue(hash), .int(channel.lastSentAt), .int(channel.count), SQLValue(traits.isBehind),
            .int(traits.flags.rawValue), SQLValue(traits.category), .blob(frame),
        ])
        batch.changedChannels.insert(channel.id)
        batch.deliveries.append(.event(frame, to: .channel(channel.id), seq: channel.seq))
        return (channel.seq, channel.lastSentAt)
    }

    /// Appends a row to a user's own log and delivers it to the user's devices.
    mutating func append(to user: UserID, body: UserRowBody) throws {
        guard var state = batch.users[user] else { return }
        state.seq += 1
        state.lastSentAt = max(state.lastSentAt, batch.now)
        let event = Event(
            userSeq: state.seq, senderID: command?.actor.user.userID, transID: command?.transID,
            sentAt: state.lastSentAt, body: .user(body))
        let frame = try WireCodec.encode(event)
        batch.userRows.append([.text(user.rawValue), .int(state.seq), .int(state.lastSentAt), .blob(frame)])
        batch.users[user] = state
        batch.changedUsers.insert(user)
        batch.deliveries.append(.event(frame, to: .user(user), seq: state.seq))
    }
}

/// What a row of a channel's log is, besides what it says.
struct RowTraits {
    /// Whom a row names, of a command that somebody has sent.
    enum Names {
        /// The author, to all readers.
        case sender
        /// The author, to nobody.
        case author
        /// Not even the command.
        case nobody
    }

    var names = Names.sender
    /// Whether it holds the key of the command; one of several rows of a command does not.
    var holdsKey = true
    /// Whether its author has something unread before it.
    var isBehind = false
    var flags: RowFlags = []
    var category: String?
    /// Whether it has the time of the row before it.
    var isQuiet = false
}

/// What a command with a key came to.
struct Outcome {
    var answer: [UInt8]
    /// Whether the answer has to be kept: no row of a channel's log carries the key, or that row does not tell all.
    var needsKeyRow: Bool

    init(acknowledgement: Acknowledgement, needsKeyRow: Bool) {
        answer = WireCodec.encode(acknowledgement)
        self.needsKeyRow = needsKeyRow
    }

    /// For an answer that says more than an acknowledgement.
    init(answer: some Encodable) throws {
        self.answer = try WireCodec.encode(answer)
        needsKeyRow = true
    }
}

extension Transaction {
    /// The acknowledgement of the one row of a channel's log that the command wrote; the row carries the key.
    func outcome(_ row: (seq: Int64, sentAt: Int64), in channel: ChannelID) throws -> Outcome {
        Outcome(
            acknowledgement: Acknowledgement(
                channel: channel, seq: row.seq, transID: try transID, sentAt: row.sentAt),
            needsKeyRow: false)
    }

    /// The acknowledgement of a command that wrote no row of a channel's log, or had nothing to do.
    func outcome(in channel: ChannelID?) throws -> Outcome {
        Outcome(
            acknowledgement: Acknowledgement(channel: channel, transID: try transID, sentAt: batch.now),
            needsKeyRow: true)
    }
}
