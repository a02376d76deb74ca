import Foundation
import GRDB
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// The vectors of `Protocol/vectors` about what the next row of a log makes of a channel.
@Suite struct ChannelVectorsTests {
    private struct Given: Encodable {
        var viewer: UserID
        var channel: Channel
        /// The next row of a log, or `readMark.moved`.
        var row: Event?
        /// The viewer's read mark in the last page of `resume`, and the newest row that it includes.
        var mark: OwnMark?
        var head: Int64?
    }

    /// What a list shows of the channel.
    private struct Shown: Encodable {
        var isListed: Bool
        var title: String
        var memberCount: Int
        var members: [User]
        var count: Int64
        var unread: Int
        var mentions: Int
        var isMarkedUnread: Bool
        var readSeq: Int64
        var lastMessage: Int64?
        var role: Role?
        var preference: ChannelPreference?
    }

    private struct Result: Encodable {
        /// Whether the row does not say what the channel is now, so that it has to be read.
        var isToBeRead: Bool
        var shown: Shown?
    }

    private func events() throws -> [(String, Event)] {
        try FileManager.default.contentsOfDirectory(atPath: Vectors.fixtures.path())
            .filter { $0.hasPrefix("event.") }.sorted()
            .map { name in
                let data = try Data(contentsOf: Vectors.fixtures.appending(path: name, directoryHint: .notDirectory))
                return (name, try WireCodec.decode(Event.self, from: Array(data)))
            }
    }

    private func user(_ id: String, _ name: String) throws -> User {
        User(userID: try #require(UserID(rawValue: id)), name: name)
    }

    /// A channel of ten rows, with two unread messages, one of which mentions the viewer.
    private func channel(_ id: ChannelID, viewer: UserID, isHidden: Bool? = nil) throws -> Channel {
        let isSingle = id.rawValue == "ann:bob"
        let users = [try user("ann", "Ann"), try user("bob", "Bob")] + (isSingle ? [] : [try user("cat", "Cat")])
        let message = Message(
            messageID: MessageID(sentAt: 1, seq: 9, salt: 1), content: MessageContent(text: "Hi"), senderName: "Cat",
            count: 5)
        return Channel(
            channel: id, kind: isSingle ? .single : .group, title: isSingle ? nil : "Team", memberCount: users.count,
            members: users.map { Member($0, role: .participant, readSeq: 6) }, seq: 10, count: 5, unread: 2, readSeq: 6,
            role: .participant,
            lastMessage: Event(
                channel: id, seq: 9, senderID: users.last?.userID, sentAt: .init(milliseconds: 1),
                body: .channel(.messageSent(message))),
            lastActivityAt: .init(milliseconds: 1), mentions: 1, isHidden: isHidden)
    }

    private func result(_ given: Given) throws -> Result? {
        let store = try LocalStore.inMemory()
        let id = given.channel.channel
        return try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try transaction.setOwner(given.viewer)
            try transaction.apply(.move(.user, LogMove(from: 0, to: 0)))
            try transaction.apply(.snapshot(given.channel, since: 0))
            try transaction.apply(.move(.channel(id), LogMove(from: 10, to: 10)))
            if let row = given.row { try transaction.apply(.event(.event(row, isPast: false))) }
            if let mark = given.mark { try transaction.apply(.marks([mark], heads: [id: given.head ?? 0])) }
            let record = try transaction.record(id)
            guard let channel = record.snapshot else { return nil }
            guard !transaction.wanted.contains(id) else { return Result(isToBeRead: true) }
            return Result(
                isToBeRead: false,
                shown: Shown(
                    isListed: record.isListed, title: ChannelRules.title(of: channel, for: given.viewer),
                    memberCount: channel.memberCount,
                    members: channel.members.map { User(userID: $0.userID, name: $0.name) }, count: channel.count,
                    unread: channel.unread ?? 0, mentions: channel.mentions ?? 0,
                    isMarkedUnread: channel.isMarkedUnread ?? false, readSeq: record.mark,
                    lastMessage: channel.lastMessage?.seq, role: channel.role,
                    preference: channel.preference == ChannelPreference() ? nil : channel.preference))
        }
    }

    private func check(_ family: String, _ cases: [(String?, Given)]) throws {
        let isKept = try Vectors.isKept(family, cases, result)
        #expect(isKept, "\(family).json differs; run this test with ROOST_WRITE_VECTORS=1")
    }

    @Test func `a channel after the next row of its log`() throws {
        let cases = try events().compactMap { name, event -> (String?, Given)? in
            guard let id = event.channel, event.seq != nil, ["team", "ann:bob"].contains(id.rawValue) else {
                return nil
            }
            var row = event
            row.seq = 11
            // Five messages are counted before it.
            let counts = event.body.behaviour?.countsAsUnread == true
            row.message?.count = counts ? 6 : 5
            if case .channel(.messageAnnounced(var announcement)) = row.body {
                announcement.count = 6
                row.body = .channel(.messageAnnounced(announcement))
            }
            let viewer = try user("bob", "Bob").userID
            return (name, Given(viewer: viewer, channel: try channel(id, viewer: viewer), row: row))
        }
        #expect(cases.count > 25)
        let id = try #require(ChannelID(rawValue: "team"))
        let viewer = try user("ann", "Ann").userID
        // Row 9 is the last message and unread; row 3 is read.
        var recalls: [(String?, Given)] = []
        for seq: Int64 in [9, 3] {
            for isSilent in [false, true] {
                let recalled = RecalledMessage(
                    messageID: MessageID(sentAt: 1, seq: seq, salt: 1), seq: seq,
                    senderID: try user("cat", "Cat").userID, wasCounted: true)
                let row = Event(
                    channel: id, seq: 11, senderID: recalled.senderID, sentAt: .init(milliseconds: 2),
                    body: .channel(
                        .messageRecalled(MessagesRecalled(messages: [recalled], isSilent: isSilent, byName: "Cat"))))
                let name = "a recall of row \(seq)\(isSilent ? " without a trace" : ""), read up to row 6"
                recalls.append((name, Given(viewer: viewer, channel: try channel(id, viewer: viewer), row: row)))
            }
        }
        try check("channels", cases + recalls)
    }

    @Test func `a channel after a row of the user's log`() throws {
        let viewer = try user("ann", "Ann").userID
        let cases = try events().flatMap { name, event -> [(String?, Given)] in
            guard event.userSeq != nil else { return [] }
            return try ["team", "ann:bob"].flatMap { id in
                try [nil, true].map { isHidden in
                    let id = try #require(ChannelID(rawValue: id))
                    var row = event
                    row.userSeq = 1
                    return (
                        "\(name) \(id)\(isHidden == nil ? "" : " hidden")",
                        Given(viewer: viewer, channel: try channel(id, viewer: viewer, isHidden: isHidden), row: row)
                    )
                }
            }
        }
        #expect(cases.count > 60)
        try check("own-rows", cases)
    }

    @Test func `a channel after the viewer's read mark has moved`() throws {
        let viewer = try user("ann", "Ann").userID
        let id = try #require(ChannelID(rawValue: "team"))
        var cases: [(String?, Given)] = []
        for seq: Int64 in [3, 6, 8, 10, 12] {
            for isMarkedUnread in [false, true] {
                var channel = try channel(id, viewer: viewer)
                channel.isMarkedUnread = isMarkedUnread ? true : nil
                let mark = ReadMark(userID: viewer, seq: seq, count: 5, readAt: .init(milliseconds: 1))
                let moved = Event(
                    channel: id, body: .ephemeral(.readMarkMoved(ReadMarksMoved(marks: [mark], moved: 1))))
                let name = "to row \(seq) of 10, from 6\(isMarkedUnread ? ", marked as unread" : "")"
                cases.append((name, Given(viewer: viewer, channel: channel, row: moved)))
            }
        }
        try check("moved-marks", cases)
    }

    @Test func `a channel after the read mark that resume ends with`() throws {
        let viewer = try user("ann", "Ann").userID
        let id = try #require(ChannelID(rawValue: "team"))
        var cases: [(String?, Given)] = []
        for (seq, unread) in [(Int64(3), 4), (6, 2), (8, 1), (10, 0)] {
            for head: Int64 in [9, 10] where seq <= head {
                for isMarked in [false, true] {
                    let mark = OwnMark(
                        channel: id, seq: seq, unread: unread, mentions: isMarked && unread > 0 ? 1 : nil,
                        isMarkedUnread: isMarked ? true : nil)
                    let name = "at row \(seq), as of row \(head) of 10\(isMarked ? ", marked as unread" : "")"
                    let channel = try channel(id, viewer: viewer)
                    cases.append((name, Given(viewer: viewer, channel: channel, mark: mark, head: head)))
                }
            }
        }
        try check("resumed-marks", cases)
    }
}
