import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Everything that has no specific event is reported as `.event`, with its type.
@Suite(.serialized, .timeLimit(.minutes(1))) struct GeneralEventsTests {
    /// The type numbers of the events that a client has received since `mark`, in order.
    private func types(_ person: RecordingClient, since mark: Int) -> [Int] {
        person.events.dropFirst(mark).compactMap { $0.row?.body.messageType?.number }
    }

    @Test func `notices, calls, custom messages, news and changes of members come as the general event [LCB-3]`()
        async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let dee = try await harness.guest(Cast.dee)
        _ = try await harness.guest(Cast.cid)
        let editor = try await harness.operatorRecordingClient()
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        try await bob.event(.channelJoined)
        let club = ann.channel(Cast.club)
        let mark = bob.mark

        let notices: [MessageNotice] = [.screenshotTaken, .messageCopied, .messagesForwarded, .messageSaved]
        for notice in notices { try await club.send(.notice(notice)) }
        for call in CallMessage.allCases { try await club.send(.call(call, CallNotice(callID: "c-1", kind: .voice))) }
        try await club.send(.custom(.stored, text: "own"))
        try await club.send(.custom(.live, text: "relayed"))
        try await club.send(.customQuiet(text: "quiet"))
        try await club.send(.customUncounted(text: "uncounted"))
        try await club.setProfile(ChannelProfile(background: "b", canJoin: true))
        try await club.setPreference(nickname: "Annie")
        try await dee.channel(Cast.club).becomeMember()
        let invited = [Cast.cid, try makeUser("op")].map { NewMember($0.userID, role: .invited) }
        try await club.invite(invited)
        try await club.kick(invited.map(\.userID))
        try await club.ban([Cast.dee.userID])
        try await club.send("the end")
        try await bob.message("the end", in: Cast.club)
        let expected = [
            221, 222, 223, 224, 2001, 2002, 2003, 3000, 3000, 3001, 3002, 1015, 1013, 1005, 1004, 1018, 1007, 1,
        ]
        // The number of connected members is sent in between, at its own times.
        #expect(types(bob, since: mark).filter { $0 != 1106 } == expected)

        let offers = try channelID("offers")
        try await editor.client.createNews(title: "Offers", channel: offers)
        try await bob.channel(offers).subscribe()
        try await editor.channel(offers).publish("two for one")
        let piece = try await bob.wait("a piece of news") { $0.row?.text == "two for one" }
        #expect(piece.row?.body.messageType?.number == 1202)
        let home = try channelID("harness")
        try await editor.client.createNews(title: "The harness", channel: home, isForEverybody: true)
        try await bob.wait("the news of the harness") { $0.row?.body.channelOfNews == home }
        try await editor.channel(home).publish("at nine")
        let notice = try await bob.wait("a piece of news of the harness") { $0.row?.text == "at nine" }
        #expect(notice.row?.body.messageType?.number == 1204)
    }
}

extension EventBody {
    /// The news channel to which the user was subscribed.
    fileprivate var channelOfNews: ChannelID? {
        if case .user(.channelJoined(let joined)) = self, joined.kind.isNews { joined.channel } else { nil }
    }
}
