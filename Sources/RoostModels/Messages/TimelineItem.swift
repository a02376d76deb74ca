public import RoostClient
public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One thing to draw in a conversation: a message, a line of the server, a day, or a gap that can be loaded.
///
/// An own message is the same item from the moment in which it is written: its
/// ``id`` does not change when the server confirms it.
public struct TimelineItem: Hashable, Sendable, Identifiable {
    /// What makes an item the same over time.
    public enum ID: Hashable, Sendable {
        /// An own message, by the key of its send.
        case own(TransID)
        /// Any other row of the channel's log.
        case row(Int64)
        /// The beginning of a local day, as days since 1970.
        case day(Int64)
        /// Rows that are missing behind this row.
        case gap(Int64)
    }

    /// What is to be drawn.
    public enum Kind: Hashable, Sendable {
        /// A message of a user, of the type ``TimelineItem/type``.
        case message
        /// An operator's line, which has no sender.
        case announcement
        /// A line of the server about members, roles or settings; ``TimelineItem/text`` says it in words.
        case line(ServerLine)
        /// What is left of a message that was recalled.
        case recalled(Recall)
        /// A new day begins; ``TimelineItem/sentAt`` is the time of its first message.
        case day
        /// Rows between these two are not here yet; showing it loads them.
        case gap(after: Int64, before: Int64)
    }

    /// How far an own message has come; what others wrote is `sent`.
    public enum State: Hashable, Sendable {
        /// Not confirmed by the server yet.
        case sending
        /// On the server's disk.
        case sent
        /// Refused or given up: retry it, edit it, or discard it.
        case failed(RoostError)
    }

    /// Where an item stands: rows by `seq`, then what is not confirmed by its order.
    struct Key: Hashable, Comparable {
        var seq: Int64
        var order: Int64

        static let unsent: Int64 = .max

        static func < (left: Key, right: Key) -> Bool { (left.seq, left.order) < (right.seq, right.order) }
    }

    /// What makes it the same item over time.
    public let id: ID
    /// What it is.
    public var kind: Kind
    /// Its row in the channel's log; nil for what is no row, or not yet.
    public var seq: Int64?
    /// The message's id, made by the server.
    public var messageID: MessageID?
    /// The key of the command that made it.
    public var transID: TransID?
    /// Who sent it; nil for announcements, days and gaps.
    public var senderID: UserID?
    /// The sender's name when it was sent; empty for what has no sender.
    public var senderName: String
    /// The sender's picture when it was sent.
    public var senderImageURL: String?
    /// When it was sent; for what is not confirmed, when it was written. For people, never for order.
    public var sentAt: Date
    /// The message's type, a name of the registry; empty for what is no message.
    public var type: String
    /// The text; for a line of the server, what happened; for what was recalled, who did it.
    public var text: String
    /// The users mentioned in the text.
    public var mentions: [Mention]
    /// The message that this one answers, as it was then.
    public var replyTo: ReplySnapshot?
    /// The file.
    public var file: FileReference?
    /// The small picture that stands for the file.
    public var thumbnail: FileReference?
    /// The place.
    public var location: Location?
    /// What it is about, where it is a notice of a call.
    public var call: CallNotice?
    /// What it asks, where it is a vote; ``text`` is the subject, and `closesAt` when it ends by itself.
    public var vote: Vote?
    /// How the vote stands: its phase, the tally per option, and what the viewer has chosen; nil while that is not known.
    public var voteState: VoteState?
    /// Whether it was forwarded from another message.
    public var isForwarded: Bool
    /// The emoji that people have put on it, the one that was used first before the others.
    public var reactions: [Reaction]
    /// Data of the app's own.
    public var extras: [String: String]
    /// Whether the viewer sent it, from whichever device.
    public var isOwn: Bool
    /// Whether it follows a message of the same sender within two minutes: draw it without name and time.
    public var isGrouped: Bool
    /// How far it has come.
    public var state: State
    /// How many other members have not read it; for own messages only, 0 for nobody or unknown: draw nothing.
    public var unreadBy: Int

    let key: Key
    var day: Int64

    init(id: ID, kind: Kind, key: Key, sentAt: Date, day: Int64) {
        self.id = id
        self.kind = kind
        self.key = key
        self.sentAt = sentAt
        self.day = day
        senderName = ""
        type = ""
        text = ""
        mentions = []
        reactions = []
        extras = [:]
        isForwarded = false
        isOwn = false
        isGrouped = false
        state = .sent
        unreadBy = 0
    }

    /// Whether it is something in the conversation, and not a mark of the list's own.
    public var isContent: Bool {
        switch kind {
        case .day, .gap: false
        case .message, .announcement, .line, .recalled: true
        }
    }

    /// Whether people can put an emoji on it: it is a message that the server has, or an operator's line.
    public var takesReactions: Bool { messageID != nil && (kind == .message || kind == .announcement) }

    /// Whether another user than the viewer wrote it: a message or an operator's line.
    var isNews: Bool {
        switch kind {
        case .message: !isOwn
        case .announcement: true
        case .line, .recalled, .day, .gap: false
        }
    }
}

/// One change of a list: at `index`, `removed` items made room for `inserted` new ones.
public struct TimelineSplice: Hashable, Sendable {
    /// Where, as an index that is valid before and after.
    public var index: Int
    /// How many items went.
    public var removed: Int
    /// How many came in their place.
    public var inserted: Int

    /// Makes a change.
    public init(index: Int, removed: Int, inserted: Int) {
        self.index = index
        self.removed = removed
        self.inserted = inserted
    }
}

extension TimelineItem {
    /// What a row of the log looks like, or nothing when it is not to be seen.
    ///
    /// A row of the viewer's own keeps the id that its send had in the queue; where `isOneOfSeveral` says that another
    /// row has the same transID, it has that of its row.
    init?(_ event: Event, viewer: UserID?, isOneOfSeveral: Bool = false, day: Int64, texts: ChatTexts) {
        guard let seq = event.seq else { return nil }
        let isOwn = event.senderID != nil && event.senderID == viewer
        func make(_ kind: Kind, _ id: ID) -> TimelineItem {
            var item = TimelineItem(
                id: id, kind: kind, key: Key(seq: seq, order: 2), sentAt: event.sentAt ?? .init(milliseconds: 0),
                day: day)
            item.seq = seq
            item.messageID = event.messageID
            item.transID = event.transID
            item.senderID = event.senderID
            item.isOwn = isOwn
            item.reactions = event.reactions?.kinds ?? []
            return item
        }
        switch event.body {
        case .channel(.messageSent(let message)):
            let id: ID = if isOwn, !isOneOfSeveral, let transID = event.transID { .own(transID) } else { .row(seq) }
            if let recall = message.recall {
                if recall.isSilent { return nil }
                self = make(.recalled(recall), id)
            } else {
                self = make(.message, id)
            }
            show(message.content)
            if let recall = message.recall { text = texts.recalled(recall.name(for: viewer)) }
            senderName = message.senderName
            senderImageURL = message.senderImageURL
            replyTo = message.replyTo
            isForwarded = message.isForwarded == true
        case .channel(.messageAnnounced(let announcement)):
            if let recall = announcement.recall {
                if recall.isSilent { return nil }
                self = make(.recalled(recall), .row(seq))
            } else {
                self = make(.announcement, .row(seq))
            }
            type = MessageType.text.name
            text = announcement.recall.map { texts.recalled($0.name(for: viewer)) } ?? announcement.text
        default:
            guard let line = ServerLine(event, texts: texts) else { return nil }
            self = make(.line(line), .row(seq))
            text = line.text
        }
    }

    /// What a message of the send queue looks like; `seq` is the row when it is known.
    init(_ queued: QueuedMessage, viewer: UserID?, replyTo: ReplySnapshot?, order: Int64, day: Int64) {
        let message = queued.message
        self.init(
            id: .own(queued.transID), kind: .message, key: Key(seq: Key.unsent, order: order),
            sentAt: queued.createdAt, day: day)
        transID = queued.transID
        senderID = viewer
        isOwn = true
        show(message.content)
        self.replyTo = replyTo
        switch queued.state {
        case .sending: state = .sending
        case .sent: state = .sent
        case .failed(let error): state = .failed(error)
        }
    }

    private mutating func show(_ content: MessageContent) {
        type = content.type
        text = content.text
        mentions = content.mentions ?? []
        let fields = content.payload.fields
        file = fields.file
        thumbnail = fields.thumbnail
        location = fields.location
        call = fields.call
        vote = content.payload.vote
        extras = content.extras ?? [:]
    }
}

extension Recall {
    /// Who did it; nil when it was the viewer.
    fileprivate func name(for viewer: UserID?) -> String? {
        byUserID != nil && byUserID == viewer ? nil : byName
    }
}
