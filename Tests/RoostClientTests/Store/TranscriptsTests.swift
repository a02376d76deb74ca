import Foundation
import GRDB
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// What the server answers to one user's client that starts, at one moment.
private struct ServedState: Decodable {
    var resume: Resume.Answer
    var channels: [String: Channel]
    var logs: [String: ListMessages.Answer]
    var members: [String: ListMembers.Answer]
}

/// A file of `Protocol/transcripts`; `RoostCoreTests` writes them.
private struct Transcript: Decodable {
    struct Client: Decodable {
        var user: User
        var before: ServedState
        var events: [Event]
        var after: ServedState
    }

    var name: String
    var clients: [Client]

    static let folder = URL(filePath: #filePath, directoryHint: .notDirectory)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Protocol/transcripts", directoryHint: .isDirectory)

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []).sorted()

    init(named name: String) throws {
        let file = Self.folder.appending(path: name, directoryHint: .notDirectory)
        self = try WireCodec.decode(Self.self, from: Array(try Data(contentsOf: file)))
    }
}

/// A store that receives what the client passes on to it, without a connection.
private struct ReplayedStore {
    let store: LocalStore
    private var positions: [ChannelID: Int64] = [:]
    private var wanted: Set<ChannelID> = []

    /// Fills a store as a client does that starts.
    init(of user: UserID, with state: ServedState) throws {
        store = try LocalStore.inMemory()
        let owner = user
        try edit { transaction in
            try transaction.setOwner(owner)
            try transaction.apply(.epoch(state.resume.epoch))
            try transaction.apply(.move(.user, LogMove(from: state.resume.userSeq, to: state.resume.userSeq)))
        }
        for head in state.resume.channels {
            positions[head.channel] = head.seq
            try edit { try $0.apply(.move(.channel(head.channel), LogMove(from: head.seq, to: head.seq))) }
        }
        wanted = Set(state.resume.channels.map(\.channel))
        try readWanted(from: state)
        try readLogs(from: state)
    }

    private mutating func edit(_ body: (LocalTransaction) throws -> Void) throws {
        let more = try store.database.write { db in
            let transaction = try LocalTransaction(db)
            try body(transaction)
            _ = try transaction.finish()
            return transaction.wanted
        }
        wanted.formUnion(more)
    }

    mutating func take(_ event: Event) throws {
        try edit { transaction in
            try transaction.apply(.event(.event(event, isPast: false)))
            if let seq = event.userSeq {
                try transaction.apply(.move(.user, LogMove(from: seq - 1, to: seq)))
            }
        }
        if let id = event.channel, let seq = event.seq {
            let from = positions[id] ?? seq - 1
            #expect(seq == from + 1, "\(event)")
            positions[id] = seq
            try edit { try $0.apply(.move(.channel(id), LogMove(from: from, to: seq))) }
        }
        if case .user(.channelJoined(let joined)) = event.body, positions[joined.channel] == nil {
            let seq = joined.fromSeq
            positions[joined.channel] = seq
            try edit { try $0.apply(.move(.channel(joined.channel), LogMove(from: seq, to: seq))) }
        }
        switch event.body {
        case .user(.channelLeft(let left)): positions[left.channel] = nil
        case .user(.channelDismissed(let dismissed)): positions[dismissed.channel] = nil
        default: break
        }
    }

    /// Reads the channels that the store asks for.
    mutating func readWanted(from state: ServedState) throws {
        while let id = wanted.popFirst() {
            guard let channel = state.channels[id.rawValue] else { continue }
            try edit { transaction in
                try transaction.apply(.snapshot(channel, since: state.resume.userSeq))
                if let page = state.members[id.rawValue] { try transaction.storeMembers(page.members, of: id) }
            }
        }
    }

    private mutating func readLogs(from state: ServedState) throws {
        for (name, page) in state.logs {
            guard let id = ChannelID(rawValue: name), page.to >= page.from else { continue }
            try edit { try $0.insert(page.events, in: id, first: page.from, last: page.to, head: page.seq) }
        }
    }
}

extension LocalStore {
    /// What is to be compared, as JSON: the channels, without what only `channel.get` says; their members, without how
    /// they came; both without the marks, as a sender who has read everything moves the own mark and no event says so.
    fileprivate func contents() async throws -> [String] {
        var contents = ["total \(try await totalUnread())"]
        for var channel in try await channels(limit: 100) {
            channel.readSeq = nil
            channel.createdAt = nil
            channel.createdBy = nil
            channel.updatedAt = nil
            channel.joinedAt = nil
            channel.invitedBy = nil
            channel.members = []
            contents.append(String(decoding: try WireCodec.encodeSorted(channel), as: UTF8.self))
            for var member in try await members(of: channel.channel) {
                member.joinedAt = nil
                member.byUserID = nil
                member.joinMethod = nil
                member.readSeq = 0
                member.$readAt = 0
                contents.append(String(decoding: try WireCodec.encodeSorted(member), as: UTF8.self))
            }
        }
        return contents
    }

    /// The newest rows of the channels, without the row up to which their reactions are known.
    fileprivate func rows() async throws -> [ChannelID: [String]] {
        var rows: [ChannelID: [String]] = [:]
        for channel in try await channels(limit: 100) {
            rows[channel.channel] = try await page(of: channel.channel, before: nil, limit: 100).page.events.map {
                row in
                var row = row
                if case .channel(.messageSent(var message)) = row.body, let kinds = message.reactions?.kinds {
                    message.reactions = kinds.isEmpty ? nil : MessageReactions(head: 0, kinds: kinds)
                    row.body = .channel(.messageSent(message))
                }
                return String(decoding: try WireCodec.encodeSorted(row), as: UTF8.self)
            }
        }
        return rows
    }
}

/// The transcripts of the protocol: a store that has taken the events holds the same as one that is filled after them.
@Suite struct TranscriptsTests {
    @Test func `there are transcripts`() { #expect(Transcript.names.count >= 25) }

    @Test(arguments: Transcript.names)
    func `a store that took the events holds the same as one that is filled after them`(name: String) async throws {
        for client in try Transcript(named: name).clients {
            let user = client.user.userID
            var stays = try ReplayedStore(of: user, with: client.before)
            for event in client.events { try stays.take(event) }
            try stays.readWanted(from: client.after)
            let kept = try await stays.store.contents()
            let starts = try ReplayedStore(of: user, with: client.after)
            let fresh = try await starts.store.contents()
            for (kept, fresh) in zip(kept, fresh) { #expect(kept == fresh, "\(user)") }
            #expect(kept.count == fresh.count, "\(user)")
            // Of a channel that was joined meanwhile the store has the rows since then, until a screen asks for more.
            let (rows, all) = (try await stays.store.rows(), try await starts.store.rows())
            for (id, rows) in rows { #expect(rows == (all[id] ?? []).suffix(rows.count), "\(user), \(id)") }
        }
    }
}
