import Foundation
import RoostWire
import Testing

/// The vectors that every client of any language is tested against.
@Suite struct IdentifierVectorsTests {
    private struct Vectors: Decodable {
        struct Rule: Decodable {
            var valid: [String]
            var invalid: [String]
        }

        struct Single: Decodable {
            var users: [UserID]
            var channel: ChannelID
        }

        struct Message: Decodable {
            var id: MessageID
            var sentAt: Int64
            var seq: Int64
            var salt: UInt32
        }

        struct Messages: Decodable {
            var ascending: [Message]
            var invalid: [String]
        }

        var userIDs: Rule
        var channelIDs: Rule
        var transIDs: Rule
        var deviceIDs: Rule
        var scheduleIDs: Rule
        var broadcastIDs: Rule
        var singles: [Single]
        var userIDOrder: [UserID]
        var messageIDs: Messages
    }

    private let vectors: Vectors

    init() throws {
        let data = try Data(contentsOf: Repository.file("Protocol/ids.json"))
        vectors = try JSONDecoder().decode(Vectors.self, from: data)
    }

    private func check<T: Identifier>(_ type: T.Type, _ rule: Vectors.Rule) {
        #expect(!rule.valid.isEmpty && !rule.invalid.isEmpty)
        for text in rule.valid { #expect(T(rawValue: text)?.rawValue == text, "\(type) refuses \(text)") }
        for text in rule.invalid { #expect(T(rawValue: text) == nil, "\(type) takes \(text)") }
    }

    @Test func `ids obey the rules of the vectors`() {
        check(UserID.self, vectors.userIDs)
        check(ChannelID.self, vectors.channelIDs)
        check(TransID.self, vectors.transIDs)
        check(DeviceID.self, vectors.deviceIDs)
        check(ScheduleID.self, vectors.scheduleIDs)
        check(BroadcastID.self, vectors.broadcastIDs)
        for text in vectors.messageIDs.invalid { #expect(MessageID(rawValue: text) == nil, "\(text)") }
    }

    @Test func `the id of a 1-on-1 is its two users sorted by bytes, whoever asks [XC-3]`() throws {
        for single in vectors.singles {
            let first = try #require(single.users.first)
            let last = try #require(single.users.last)
            #expect(ChannelID(single: first, last) == single.channel)
            #expect(ChannelID(single: last, first) == single.channel)
            let pair = try #require(single.channel.pair)
            #expect([pair.0, pair.1] == [first, last].sorted())
        }
    }

    @Test func `user ids are ordered by their bytes`() {
        #expect(vectors.userIDOrder.reversed().sorted() == vectors.userIDOrder)
    }

    @Test func `message ids are made of time and seq and sort by both`() {
        let messages = vectors.messageIDs.ascending
        for message in messages {
            #expect(MessageID(sentAt: message.sentAt, seq: message.seq, salt: message.salt) == message.id)
            #expect(message.id.seq == message.seq)
        }
        #expect(messages.map(\.id).reversed().sorted() == messages.map(\.id))
    }
}

/// Where files of the repository are.
enum Repository {
    /// The file with this path from the root of the repository.
    static func file(_ path: String, from source: String = #filePath) -> URL {
        URL(fileURLWithPath: source).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(path)
    }
}
