import RoostWire
import Testing

@Suite struct PinsTests {
    @Test func `a limit that an older server does not send has its default`() throws {
        #expect(try WireCodec.decode(Limits.self, from: Array("{}".utf8)).pins == 50)
        #expect(try WireCodec.decode(Limits.self, from: Array(#"{"pins":3}"#.utf8)).pins == 3)
    }

    @Test func `a pin travels with its time in milliseconds`() throws {
        let pin = Pin(
            messageID: MessageID(sentAt: 1, seq: 2, salt: 3), userID: try #require(UserID(rawValue: "ann")),
            name: "Ann", pinnedAt: .init(milliseconds: 1_767_225_600_123))
        let bytes = try WireCodec.encode(ListPins.Answer(head: 7, pins: [pin]))
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""pinnedAt":1767225600123"#))
        #expect(try WireCodec.decode(ListPins.Answer.self, from: bytes) == ListPins.Answer(head: 7, pins: [pin]))
    }

    @Test func `pinning is for members unless a channel leaves it to its moderators`() {
        let strict = ChannelProfile(pinners: .moderators)
        let everybody = Role.allCases.filter { RoleRules.allows(.pin, $0, profile: ChannelProfile()) }
        let few = Role.allCases.filter { RoleRules.allows(.pin, $0, profile: strict) }
        #expect(Set(everybody) == [.participant, .moderator, .admin])
        #expect(Set(few) == [.moderator, .admin])
    }
}
