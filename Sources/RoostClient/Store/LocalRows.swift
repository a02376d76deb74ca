import Foundation
import GRDB
import RoostWire

/// Flags of a row.
struct LocalRowFlags: OptionSet {
    let rawValue: Int64
    /// It counts as unread while it is after the read mark.
    static let counts = LocalRowFlags(rawValue: 1)
    /// It counts, and mentions the user.
    static let mentions = LocalRowFlags(rawValue: 2)
    /// It may be the channel's last message.
    static let last = LocalRowFlags(rawValue: 4)
    /// It changes other rows, as a recall does.
    static let change = LocalRowFlags(rawValue: 8)
    /// It answers another message.
    static let answer = LocalRowFlags(rawValue: 16)
    /// It shows in a conversation.
    static let shown = LocalRowFlags(rawValue: 32)

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(_ event: Event, me: UserID?) {
        var flags: LocalRowFlags = EventName(rawValue: event.name)?.isShown == true ? .shown : []
        let behaviour = event.body.behaviour
        let isRecalled = event.isRecalled
        if behaviour?.countsAsUnread == true, !isRecalled, event.senderID == nil || event.senderID != me {
            flags.insert(.counts)
        }
        if behaviour?.isLastMessage == true { flags.insert(.last) }
        switch event.body {
        case .channel(.messageSent(let message)):
            if flags.contains(.counts), message.mentions?.contains(where: { $0.userID == me }) == true {
                flags.insert(.mentions)
            }
            if message.replyTo != nil { flags.insert(.answer) }
        case .channel(.messageRecalled), .channel(.reactionAdded), .channel(.reactionRemoved): flags.insert(.change)
        default: break
        }
        self = flags
    }
}

extension Event {
    var isRecalled: Bool { recall != nil }
}

// Rows of the channels' logs.
extension LocalTransaction {
    /// Stores a row; one that is only a number is not stored. Returns whether there is something to show.
    @discardableResult
    func insert(_ event: Event, _ record: ChannelRecord) throws -> Bool {
        guard let id = event.channel, let seq = event.seq, seq > record.floor else { return false }
        let event = event.afterPurge(upTo: record.purgedTo ?? 0)
        let isGone = try event.isOnlyNumber ? true : isDeleted(seq, in: id)
        if isGone {
            try delete(seq, in: id)
            return false
        }
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO rows (channel, seq, flags, event) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [
            id.rawValue, seq, LocalRowFlags(event, me: me).rawValue, Data(try WireCodec.encode(event)),
        ])
        if event.senderID == me, let transID = event.transID { try discard(transID, in: id) }
        return true
    }

    func delete(_ seq: Int64, in id: ChannelID) throws {
        try db.cachedStatement(sql: "DELETE FROM rows WHERE channel = ? AND seq = ?")
            .execute(arguments: [id.rawValue, seq])
    }

    func isDeleted(_ seq: Int64, in id: ChannelID) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM deletions WHERE channel = ? AND seq = ?"),
            arguments: [id.rawValue, seq]) != nil
    }

    /// Removes everything up to a row.
    func clear(_ id: ChannelID, to seq: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM rows WHERE channel = ? AND seq <= ?")
            .execute(arguments: [id.rawValue, seq])
        try db.cachedStatement(sql: "DELETE FROM deletions WHERE channel = ? AND seq <= ?")
            .execute(arguments: [id.rawValue, seq])
        try edit(id) { record in
            record.floor = max(record.floor, seq)
            if let last = record.snapshot?.lastMessage?.seq, last <= seq { record.snapshot?.lastMessage = nil }
        }
        change.rows[id, default: .init()].clearedTo = max(change.rows[id]?.clearedTo ?? 0, seq)
    }

    /// Removes single rows permanently: pages that were read before do not restore them.
    func delete(_ seqs: [Int64], in id: ChannelID) throws {
        for seq in seqs {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO deletions (channel, seq) VALUES (?, ?)")
                .execute(arguments: [id.rawValue, seq])
            try delete(seq, in: id)
        }
        change.rows[id, default: .init()].removed += seqs
    }

    /// Applies the changes that a row makes to earlier rows, as the server did.
    func changeOthers(by event: Event, in id: ChannelID) throws {
        switch event.body {
        case .channel(.messageRecalled(let recalled)): try recall(recalled, of: event, in: id)
        case .channel(.reactionAdded(let change)), .channel(.reactionRemoved(let change)):
            try react(to: change.seq, by: event, in: id)
        default: break
        }
    }

    private func recall(_ recalled: MessagesRecalled, of event: Event, in id: ChannelID) throws {
        let recall = Recall(
            isSilent: recalled.isSilent, at: event.sentAt ?? .init(milliseconds: 0), byUserID: event.senderID,
            byName: recalled.byName, byRole: recalled.byRole)
        for message in recalled.messages {
            if let row = try LocalStore.row(message.seq, in: id, db), !row.isRecalled || recall.isSilent {
                var changed = row
                changed.body = row.body.recalled(recall)
                try rewrite(changed, in: id)
            }
            for answer in try LocalStore.answers(in: id, after: message.seq, db) {
                guard answer.message?.replyTo?.messageID == message.messageID else { continue }
                var changed = answer
                changed.message = answer.message?.afterRecall(of: message.messageID)
                if changed != answer { try rewrite(changed, in: id) }
            }
        }
    }

    func rewrite(_ event: Event, in id: ChannelID) throws {
        guard let seq = event.seq else { return }
        if try insert(event, record(id)) {
            change.rows[id, default: .init()].rewritten.append(event)
        } else {
            change.rows[id, default: .init()].removed.append(seq)
        }
    }

    /// Stores a page of history that covers the log from `first` to `last` when `head` was its newest row.
    func insert(_ events: [Event], in id: ChannelID, first: Int64, last: Int64, head: Int64) throws {
        let record = try record(id)
        for event in events where event.channel == id {
            try insert(withReactions(event, asOf: head, in: id), record)
        }
        try edit(id) { $0.add(max(first, record.floor + 1), last) }
        // Changes since the page was read are stored here already, and not part of the page.
        for event in try LocalStore.rows(in: id, after: head, flags: .change, db) {
            try changeOthers(by: event, in: id)
        }
    }
}

// Reading rows.
extension LocalStore {
    static func row(_ seq: Int64, in id: ChannelID, _ db: Database) throws -> Event? {
        try events(db, "channel = ? AND seq = ?", [id.rawValue, seq]).first
    }

    /// Answers to other messages after a row.
    static func answers(in id: ChannelID, after seq: Int64, _ db: Database) throws -> [Event] {
        try events(db, "channel = ? AND seq > ? AND flags & \(LocalRowFlags.answer.rawValue)", [id.rawValue, seq])
    }

    static func rows(in id: ChannelID, after seq: Int64, flags: LocalRowFlags? = nil, _ db: Database) throws -> [Event]
    {
        guard let flags else { return try events(db, "channel = ? AND seq > ? ORDER BY seq", [id.rawValue, seq]) }
        return try events(
            db, "channel = ? AND seq > ? AND flags & \(flags.rawValue) ORDER BY seq", [id.rawValue, seq])
    }

    /// At most `limit` rows of a range that show, ascending: those nearest to its end, or to its beginning.
    static func shownRows(
        in id: ChannelID, from first: Int64, to last: Int64, limit: Int, newest: Bool, _ db: Database
    ) throws -> [Event] {
        let found = try events(
            db,
            """
            channel = ? AND seq BETWEEN ? AND ? AND flags & \(LocalRowFlags.shown.rawValue)
            ORDER BY seq \(newest ? "DESC" : "ASC") LIMIT ?
            """,
            [id.rawValue, first, last, limit])
        return newest ? found.reversed() : found
    }

    /// The row as it is in the log: a channel's last message has no reactions.
    static func newestMessage(in id: ChannelID, from first: Int64, _ db: Database) throws -> Event? {
        var newest = try events(
            db, "channel = ? AND seq >= ? AND flags & \(LocalRowFlags.last.rawValue) ORDER BY seq DESC LIMIT 1",
            [id.rawValue, first]
        ).first
        newest?.reactions = nil
        return newest
    }

    static func count(in id: ChannelID, after seq: Int64, _ flags: LocalRowFlags, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM rows WHERE channel = ? AND seq > ? AND flags & ?"),
            arguments: [id.rawValue, seq, flags.rawValue]) ?? 0
    }

    private static func events(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Event] {
        let cursor = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT event FROM rows WHERE \(condition)"), arguments: arguments)
        var events: [Event] = []
        while let row = try cursor.next() {
            let bytes: Data = row[0]
            events.append(try WireCodec.decodeEvent(Array(bytes)))
        }
        return events
    }
}
