import Logging
import RoostWire

/// The command that is running, with its sender and key.
struct RunningCommand {
    var actor: Actor
    /// The key; nil for a command that takes none.
    var transID: TransID?
    /// The hash of its content; nil for a command of the server itself, whose key no row holds.
    var hash: Int64?
    /// The progress of a command over all channels.
    var progress = CommandProgress()
}

/// A transaction of the writer in progress: the batch, the connection, and the running command.
///
/// Features are implemented as functions on this value. It lives only as long as one run of the transaction:
/// everything to be kept is in the batch.
struct Transaction {
    var batch: Batch
    let connection: any SQLConnection
    let configuration: CoreConfiguration
    let effects: Effects
    let epoch: String
    /// The limits of the configuration, encoded as JSON.
    let limits: [UInt8]
    let logger: Logger
    let journal: Journal
    let meters: Meters
    /// Whether other processes may also write to the database.
    let isShared: Bool
    /// What `isEncrypted` of the messages is that are stored now.
    let encryptedFlag: Bool?
    /// Whether a change could not be stored for lack of room: a login then works without any.
    var isDiskFull = false
    /// The running command; nil in a login and in scheduled tasks.
    var command: RunningCommand?

    init(_ batch: Batch, _ connection: any SQLConnection, of writer: Writer) {
        self.batch = batch
        self.connection = connection
        configuration = writer.configuration
        effects = writer.effects
        epoch = writer.epoch
        limits = writer.limits
        logger = writer.logger
        journal = writer.journal
        meters = writer.meters
        isShared = writer.database.isShared
        encryptedFlag = writer.database.encryptsContent ? true : nil
    }

    /// The sender of the command.
    /// - Throws: `WireError` 4 if no command is running.
    var actor: Actor {
        get throws(WireError) {
            guard let command else { throw WireError(.internalFault) }
            return command.actor
        }
    }

    /// The user who sent the command.
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

    /// Writes the changes so far.
    mutating func flush() throws { try batch.flush(to: connection) }
}

/// Appending rows to logs.
extension Transaction {
    /// Appends a row to a channel's log and delivers it to all subscribers of the channel.
    ///
    /// The channel's `count` must already include the event if it counts as unread.
    mutating func append(
        to channel: inout ChannelState, as traits: RowTraits = RowTraits(),
        body: (_ seq: Int64, _ sentAt: Int64) -> ChannelRowBody
    ) throws -> (seq: Int64, sentAt: Int64) {
        channel.seq += 1
        if !traits.isQuiet { channel.lastSentAt = max(channel.lastSentAt, batch.now) }
        let author = traits.names == .nobody ? nil : command?.actor.user.userID
        let transID = traits.names == .nobody ? nil : command?.transID
        let hash = traits.names == .nobody || !traits.holdsKey ? nil : command?.hash
        let body = body(channel.seq, channel.lastSentAt)
        var event = Event(
            channel: channel.id, seq: channel.seq, senderID: traits.names == .sender ? author : nil, transID: transID,
            body: .channel(body))
        event.$sentAt = channel.lastSentAt
        let frame = try WireCodec.encode(event)
        batch.channelRows.append([
            .text(channel.id.rawValue), .int(channel.seq), SQLValue(author?.rawValue),
            SQLValue(hash == nil ? nil : transID?.rawValue),
            SQLValue(hash), .int(channel.lastSentAt), .int(channel.count), SQLValue(traits.isBehind),
            .int(traits.flags.rawValue), SQLValue(traits.category), .content(frame),
        ])
        batch.changedChannels.insert(channel.id)
        noteRow(body, in: channel, traits)
        batch.deliveries.append(.row(frame, of: .channel(channel.id), seq: channel.seq))
        return (channel.seq, channel.lastSentAt)
    }

    /// Appends a row to a user's log and delivers it to the user's devices.
    ///
    /// By default, it names the author of the running command and its transID.
    mutating func append(
        to user: UserID, body: UserRowBody, by author: UserID? = nil, transID: TransID? = nil
    ) throws {
        guard var state = batch.users[user] else { return }
        state.seq += 1
        state.lastSentAt = max(state.lastSentAt, batch.now)
        var event = Event(
            userSeq: state.seq, senderID: author ?? command?.actor.user.userID, transID: transID ?? command?.transID,
            body: .user(body))
        event.$sentAt = state.lastSentAt
        let frame = try WireCodec.encode(event)
        batch.userRows.append([.text(user.rawValue), .int(state.seq), .int(state.lastSentAt), .content(frame)])
        batch.users[user] = state
        batch.changedUsers.insert(user)
        noteRow(body, of: user, frame)
        batch.deliveries.append(.row(frame, of: .user(user), seq: state.seq))
    }
}

/// Properties of a row in a channel's log besides its body.
struct RowTraits {
    /// Which users a row names.
    enum Names {
        /// The author, visible to all readers.
        case sender
        /// The author, visible to nobody.
        case author
        /// Neither the author nor the command.
        case nobody
    }

    var names = Names.sender
    /// Whether it holds the key of the command; if a command writes several rows, none of them does.
    var holdsKey = true
    /// Whether its author has unread messages before it.
    var isBehind = false
    var flags: RowFlags = []
    var category: String?
    /// Whether it keeps the time of the preceding row.
    var isQuiet = false
    /// Whether it makes notifications, if its type does.
    var isPushed = true
}

/// The result of a command with a key.
struct Outcome {
    var answer: [UInt8]
    /// Whether the answer must be stored separately: no log row holds the key, or that row does not contain the full
    /// answer.
    var needsKeyRow: Bool

    init(acknowledgement: Acknowledgement, needsKeyRow: Bool) {
        answer = WireCodec.encode(acknowledgement)
        self.needsKeyRow = needsKeyRow
    }

    /// Creates an outcome with an answer that is more than an acknowledgement.
    init(answer: some Encodable) throws {
        self.answer = try WireCodec.encode(answer)
        needsKeyRow = true
    }
}

extension Transaction {
    /// The outcome of a command that wrote a single row of a channel's log; the row holds the key.
    func outcome(_ row: (seq: Int64, sentAt: Int64), in channel: ChannelID) throws -> Outcome {
        Outcome(
            acknowledgement: Acknowledgement(
                channel: channel, seq: row.seq, transID: try transID, sentAt: .init(milliseconds: row.sentAt)),
            needsKeyRow: false)
    }

    /// The outcome of a command that wrote no row of a channel's log, or had nothing to do.
    func outcome(in channel: ChannelID?) throws -> Outcome {
        Outcome(
            acknowledgement: Acknowledgement(
                channel: channel, transID: try transID, sentAt: .init(milliseconds: batch.now)),
            needsKeyRow: true)
    }
}
