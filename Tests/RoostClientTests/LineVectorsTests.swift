import Foundation
import RoostTesting
import RoostWire
import Testing

@testable import RoostClient

/// The vectors of `Protocol/vectors` about lines of a conversation, in every language.
@Suite struct LineVectorsTests {
    private struct Given: Encodable {
        var language: String
        var event: Event
    }

    private static let languages: [(String, ChatTexts)] = [
        ("en", .english), ("de", .german), ("zh-Hant", .traditionalChinese), ("ko", .korean), ("ar", .arabic),
    ]

    private func fixtures() throws -> [(String, Event)] {
        try FileManager.default.contentsOfDirectory(atPath: Vectors.fixtures.path())
            .filter { $0.hasPrefix("event.") }.sorted()
            .map { name in
                let data = try Data(contentsOf: Vectors.fixtures.appending(path: name, directoryHint: .notDirectory))
                return (name, try WireCodec.decode(Event.self, from: Array(data)))
            }
            .filter { ServerLine($0.1) != nil }
    }

    private func row(_ body: ChannelRowBody, by user: User? = Cast.ann) -> Event {
        Event(
            channel: Cast.club, seq: 1, senderID: user?.userID, sentAt: .init(milliseconds: 1), body: .channel(body))
    }

    private func joined(_ names: String...) -> Event {
        let users = names.enumerated().map { index, name in User(userID: Cast.all[index % 4].userID, name: name) }
        return row(.memberInvited(MembersInvited(members: users, memberCount: users.count + 1)))
    }

    private func changed(_ profile: ChannelProfile) -> Event {
        row(.channelProfileChanged(ChannelProfileChanged(profile: profile)))
    }

    @Test func `every word exists in every language`() {
        let all = [
            ClientText.english, ClientText.german, ClientText.traditionalChinese, ClientText.korean, ClientText.arabic,
        ]
        for words in all { #expect(Set(words.table.keys) == Set(ClientText.allCases), "\(words.code)") }
    }

    @Test func `a line in every language`() throws {
        let roles: [(String, Event)] = Role.allCases.map { role in
            let member = MemberRole(userID: Cast.bob.userID, name: "Bob", role: role)
            return ("the role \(role)", row(.memberRoleChanged(RolesChanged(members: [member], memberCount: 3))))
        }
        let counts: [(String, Event)] = [0, 1, 2, 3, 10, 11, 26, 99, 100, 101, 102, 103].map { count in
            let left = MemberLeft(userID: Cast.cid.userID, name: "Cid", memberCount: count)
            return ("\(count) members", row(.memberLeft(left)))
        }
        let votes: [(String, Event)] = [[], [1], [1, 0], [2, 1, 0], [1, 1, 1, 1]].map { counts in
            let closed = VoteClosed(
                messageID: MessageID(sentAt: 1, seq: 1, salt: 1), seq: 1, revision: 2,
                tally: VoteTally(counts: counts.isEmpty ? nil : counts, voters: counts.reduce(0, +)), byName: "Ann")
            return ("a vote with \(counts.count) counts", row(.voteClosed(closed)))
        }
        let settings: [(String, Event)] = [
            ("a title", changed(ChannelProfile(title: "Roof"))),
            ("no title", changed(ChannelProfile(title: ""))),
            ("a picture", changed(ChannelProfile(avatar: "a"))),
            ("a title and a picture", changed(ChannelProfile(title: "Roof", avatar: "a"))),
            ("no picture, no background", changed(ChannelProfile(avatar: "", background: ""))),
            (
                "what members may do",
                changed(
                    ChannelProfile(
                        canJoin: true, editors: .moderators, moderatorsMayRecall: false, noticesForwards: true,
                        pinners: .moderators))
            ),
            (
                "all of it the other way",
                changed(
                    ChannelProfile(
                        canJoin: false, editors: .participants, moderatorsMayRecall: true, noticesForwards: false,
                        pinners: .participants))
            ),
            ("all history", changed(ChannelProfile(history: .all))),
            ("history since joining", changed(ChannelProfile(history: .sinceJoin))),
            ("the last row", changed(ChannelProfile(history: .last, historyRows: 1))),
            ("the last rows", changed(ChannelProfile(history: .last, historyRows: 20))),
            ("bounds", changed(ChannelProfile(customAttributes: 3, minMembers: 1, maxMembers: 12))),
            ("nothing", changed(ChannelProfile())),
        ]
        let names: [(String, Event)] = [
            ("two names", joined("Ann", "Bob")), ("three names", joined("Ann", "Bob", "Cid")),
            ("four names", joined("Ann", "Bob", "Cid", "Dee")),
            ("names from right to left", joined("قط", "Bob", "שלום")),
            ("control characters in a name", joined("A\u{202E}nn\nLee\u{0}", "\u{2068}B\u{2069}\u{2069}", "\u{2067}C")),
            ("a direction that is not closed", joined("\u{2068}ا")),
            ("by the server", row(.memberKicked(MembersRemoved(members: [Cast.bob], memberCount: 2)), by: nil)),
        ]
        let all = try fixtures() + roles + counts + votes + settings + names
        let cases = Self.languages.flatMap { code, _ in
            all.map { name, event in ("\(code): \(name)" as String?, Given(language: code, event: event)) }
        }
        let isKept = try Vectors.isKept("lines", cases) { given in
            Self.languages.first { $0.0 == given.language }.flatMap { ServerLine(given.event, texts: $0.1)?.text }
        }
        #expect(isKept, "lines.json differs; run this test with ROOST_WRITE_VECTORS=1")
    }
}
