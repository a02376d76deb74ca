public import RoostClient
public import RoostWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An item of a conversation: a message, a system line, a day, or a gap that can be loaded.
///
/// A message of the viewer is the same item from the moment it is written: its
/// ``id`` does not change when the server confirms it.
public struct TimelineItem: Hashable, Sendable, Identifiable {
    /// The identity of an item over time.
    public enum ID: Hashable, Sendable {
        /// A message of the viewer, by the transID of its send.
        case own(TransID)
        /// Any other row of the channel's log.
        case row(Int64)
        /// The beginning of a local day, as days since 1970.
        case day(Int64)
        /// Missing rows after this row.
        case gap(Int64)
    }

    /// What kind of item to draw.
    public enum Kind: Hashable, Sendable {
        /// A message of a user, with a ``TimelineItem/content``.
        case message
        /// An operator's announcement, which has no sender.
        case announcement
        /// A system line about members, roles or settings; ``TimelineItem/text`` is its sentence.
        case line(ServerLine)
        /// The shell of a recalled message.
        case recalled(Recall)
        /// The beginning of a day; ``TimelineItem/sentAt`` is the time of its first message.
        case day
        /// Missing rows between two items; showing it loads them.
        case gap(after: Int64, before: Int64)
    }

    /// The delivery state of a message of the viewer; messages of others are `sent`.
    public enum State: Hashable, Sendable {
        /// Not confirmed by the server yet.
        case sending
        /// On the server's disk.
        case sent
        /// Refused or timed out: retry it, edit it, or discard it.
        case failed(RoostError)
    }

    /// The order of an item: rows by `seq`, then unconfirmed messages by their order in the queue.
    struct Key: Hashable, Comparable {
        var seq: Int64
        var order: Int64

        static let unsent: Int64 = .max

        static func < (left: Key, right: Key) -> Bool { (left.seq, left.order) < (right.seq, right.order) }
    }

    /// The identity of the item over time.
    public let id: ID
    /// The kind of the item.
    public var kind: Kind
    /// Its row in the channel's log; nil if it is not a row, or not yet.
    public var seq: Int64?
    /// The message's id, made by the server.
    public var messageID: MessageID?
    /// The transID of the command that created it.
    public var transID: TransID?
    /// The sender; nil for announcements, days and gaps.
    public var senderID: UserID?
    /// The sender's name when it was sent; empty without a sender.
    public var senderName: String
    /// The sender's picture when it was sent.
    public var senderImageURL: String?
    /// When it was sent; if it is not confirmed, when it was written. To show, not to sort by.
    public var sentAt: Date
    /// The content of a message, an announcement or a shell; nil for any other item.
    public var content: MessageContent?
    /// The text of the content; for a system line, what happened; for a shell, who recalled the message.
    public var text: String
    /// The message that this one answers, as it was when this one was sent.
    public var replyTo: ReplySnapshot?
    /// The state of the vote: its phase, the tally, and the viewer's choice; nil until it is known.
    public var voteState: VoteState?
    /// Whether it was forwarded from another message.
    public var isForwarded: Bool
    /// The emoji of its reactions, in the order in which they were first used.
    public var reactions: [Reaction]
    /// Whether the viewer sent it, on any device.
    public var isOwn: Bool
    /// Whether it follows a message of the same sender within two minutes: draw it without name and time.
    public var isGrouped: Bool
    /// Its delivery state.
    public var state: State
    /// How many members have not read it, without the sender and the viewer; 0 if none or unknown: draw nothing.
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
        text = ""
        reactions = []
        isForwarded = false
        isOwn = false
        isGrouped = false
        state = .sent
        unreadBy = 0
    }

    /// Whether it is content of the conversation, and not a day or a gap.
    public var isContent: Bool {
        switch kind {
        case .day, .gap: false
        case .message, .announcement, .line, .recalled: true
        }
    }

    /// Whether users can react to it: it is a message or an announcement that is on the server.
    public var takesReactions: Bool { messageID != nil && (kind == .message || kind == .announcement) }

    /// Whether it is a vote that is not known to be closed.
    var isOpenVote: Bool { content?.vote != nil && voteState?.phase != .closed }

    /// Whether another user than the viewer wrote it: a message or an announcement.
    var isNews: Bool {
        switch kind {
        case .message: !isOwn
        case .announcement: true
        case .line, .recalled, .day, .gap: false
        }
    }
}

/// A splice of a list: at `index`, `inserted` new items replace `removed` old ones.
public struct TimelineSplice: Hashable, Sendable {
    /// The index, which is valid before and after.
    public var index: Int
    /// How many items are removed.
    public var removed: Int
    /// How many items are inserted.
    public var inserted: Int

    /// Creates a splice.
    public init(index: Int, removed: Int, inserted: Int) {
        self.index = index
        self.removed = removed
        self.inserted = inserted
    }
}

extension TimelineItem {
    /// The item of a row; nil if the row is not shown.
    ///
    /// A row of the viewer keeps the id that its send had in the queue; if `isOneOfSeveral` says that another
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
            content = MessageContent(.text, text: announcement.recall == nil ? announcement.text : "")
            text = announcement.recall.map { texts.recalled($0.name(for: viewer)) } ?? announcement.text
        default:
            guard let line = ServerLine(event, texts: texts) else { return nil }
            self = make(.line(line), .row(seq))
            text = line.text
        }
    }

    /// The item of a message in the send queue; `seq` is its row, if that is known.
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
        self.content = content
        text = content.text
    }
}

extension Recall {
    /// The name of the user who did it; nil if it was the viewer.
    fileprivate func name(for viewer: UserID?) -> String? {
        byUserID != nil && byUserID == viewer ? nil : byName
    }
}
