import RoostClient
import RoostTesting
import RoostWire
import Testing

/// Starting, ending, hiding and leaving conversations: J-14 and the callbacks about channels.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ChannelsTests {
    @Test func `the same pair always gets the same channel, and unknown users are refused [J-14]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let first = try await ann.client.startMessaging(with: Cast.bob.userID)
        let again = try await ann.client.startMessaging(with: Cast.bob.userID)
        let other = try await bob.client.startMessaging(with: Cast.ann.userID)
        #expect(first.channel == Cast.annAndBob)
        #expect(again.channel == first.channel)
        #expect(other.channel == first.channel)
        #expect(first.memberCount == 2)

        // The other user sees it in the list from the first message on.
        #expect(try await bob.client.channels().isEmpty)
        try await ann.channel(first.channel).send("hi")
        #expect(try await bob.client.channels().map(\.channel) == [first.channel])

        let nobody = try makeUser("nobody")
        let code = await refusal { () throws(RoostError) in
            try await ann.client.startMessaging(with: nobody.userID)
        }
        #expect(code == .server(.userMissing))
        let own = try await ann.client.startMessaging(with: Cast.ann.userID)
        #expect(own.channel == ChannelID(single: Cast.ann.userID, Cast.ann.userID))
    }

    @Test func `starting a 1-on-1 or a group answers with the channel and its members [JCB-8]`() async throws {
        let harness = try await ServerHarness()
        let ann = try await harness.guest(Cast.ann)
        for user in [Cast.bob, Cast.cid] { _ = try await harness.guest(user) }
        let pair = try await ann.client.startMessaging(with: Cast.bob.userID)
        #expect(pair.kind == .single)
        #expect(pair.members.map(\.name) == ["Ann", "Bob"])
        let group = try await ann.client.createGroup(title: "Club", members: [Cast.bob.userID, Cast.cid.userID])
        #expect(group.kind == .group)
        #expect(group.title == "Club")
        #expect(group.members.map(\.userID) == [Cast.ann.userID, Cast.bob.userID, Cast.cid.userID])
        #expect(group.role == .admin)
        #expect(try await ann.channel(group.channel).get().memberCount == 3)
    }

    @Test func `a user who leaves an open channel is notified and receives nothing more from it [JCB-3]`() async throws
    {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        for person in [ann, bob] { try await person.channel(Cast.lobby).join() }
        try await bob.channel(Cast.lobby).send("before")
        try await ann.message("before")
        try await ann.channel(Cast.lobby).leave()
        try await ann.wait("left") { if case .left(Cast.lobby) = $0 { true } else { false } }
        try await bob.channel(Cast.lobby).send("after")
        try await bob.start(with: Cast.ann).send("private")
        try await ann.message("private")
        #expect(ann.texts(in: Cast.lobby) == ["before"])
    }

    @Test func `lines about members reach the members and are in the log [JCB-5]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        let group = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        try await ann.channel(group.channel).invite([Cast.cid.userID])
        for person in [ann, bob, cid] {
            let row = try await person.event(.memberInvited, in: Cast.club)
            guard case .channel(.memberInvited(let invited)) = row.body else { throw ExpectationFailure.other }
            #expect(invited.members.map(\.userID) == [Cast.cid.userID])
            #expect(invited.memberCount == 3)
            #expect(row.senderID == Cast.ann.userID)
        }
        try await bob.channel(Cast.club).leave()
        for person in [ann, cid] {
            guard case .channel(.memberLeft(let left)) = try await person.event(.memberLeft, in: Cast.club).body else {
                throw ExpectationFailure.other
            }
            #expect(left.userID == Cast.bob.userID)
            #expect(left.memberCount == 2)
        }
        let log = try await ann.channel(Cast.club).history()
        #expect(log.events.map(\.name) == ["member.invited", "member.left"])
        #expect(
            await refusal { () throws(RoostError) in try await bob.channel(Cast.club).history() }
                == .server(.notMember))
    }

    @Test func `an operator's announcement has no sender and reaches all members [JCB-6]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await ann.start(with: Cast.bob)
        let boss = try await harness.operatorRecordingClient()
        let acknowledgement = try await boss.channel(Cast.annAndBob).announce("maintenance at nine")
        for person in [ann, bob] {
            let row = try await person.event(.messageAnnounced, in: Cast.annAndBob)
            #expect(row.text == "maintenance at nine")
            #expect(row.senderID == nil)
            #expect(row.messageID == acknowledgement.messageID)
            #expect(row.$sentAt == acknowledgement.sentAt.milliseconds)
        }
        #expect(try await bob.client.unread().total == 1)
        let code = await refusal { () throws(RoostError) in
            try await ann.channel(Cast.annAndBob).announce("I am no operator")
        }
        #expect(code == .server(.noPrivilege))
    }

    @Test func `a change of a conversation's members or last message reaches its members [JCB-9]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        try await bob.wait("club gained") { $0.updated == Cast.club }
        let marks = (ann.mark, bob.mark)
        try await ann.channel(Cast.club).invite([Cast.cid.userID])
        try await ann.wait("update", since: marks.0) { $0.updated == Cast.club }
        try await bob.wait("update", since: marks.1) { $0.updated == Cast.club }
        #expect(try await bob.channel(Cast.club).get().memberCount == 3)
        let later = (ann.mark, bob.mark)
        try await cid.channel(Cast.club).send("thanks")
        try await ann.wait("update", since: later.0) { $0.updated == Cast.club }
        try await bob.wait("update", since: later.1) { $0.updated == Cast.club }
        #expect(try await bob.channel(Cast.club).get().lastMessage?.text == "thanks")
    }

    @Test func `ending a conversation removes it only from the user's list [JCB-10]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let phone = try await harness.guest(Cast.ann, device: "phone")
        try await ann.start(with: Cast.bob).send("hi")
        try await bob.message("hi")
        try await ann.channel(Cast.annAndBob).end()
        for device in [ann, phone] {
            guard case .user(.channelEnded(let ended)) = try await device.event(.channelEnded).body else {
                throw ExpectationFailure.other
            }
            #expect(ended.channels.map(\.channel) == [Cast.annAndBob])
            #expect(!ended.isAll)
        }
        #expect(try await ann.client.channels().isEmpty)
        #expect(try await bob.client.channels().map(\.channel) == [Cast.annAndBob])
        #expect(try await ann.channel(Cast.annAndBob).history().events.isEmpty)
        #expect(try await bob.channel(Cast.annAndBob).history().events.compactMap(\.text) == ["hi"])

        try await bob.channel(Cast.annAndBob).send("still there?")
        try await ann.message("still there?")
        #expect(try await ann.client.channels().map(\.channel) == [Cast.annAndBob])
        #expect(try await ann.channel(Cast.annAndBob).history().events.compactMap(\.text) == ["still there?"])
    }

    @Test func `ending all conversations empties the user's list [JCB-11]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await ann.start(with: Cast.bob).send("hi")
        _ = try await bob.client.createGroup(channel: Cast.club, members: [Cast.ann.userID])
        // The last admin cannot leave this group, so it is hidden and cleared instead.
        let own = try channelID("anns")
        _ = try await ann.client.createGroup(channel: own, members: [Cast.bob.userID])
        #expect(try await ann.client.channels().count == 3)
        try await ann.client.endAll()
        guard case .user(.channelEnded(let ended)) = try await ann.event(.channelEnded).body else {
            throw ExpectationFailure.other
        }
        #expect(ended.isAll)
        #expect(Set(ended.channels.map(\.channel)) == [Cast.annAndBob, Cast.club, own])
        #expect(try await ann.client.channels().isEmpty)
        try await bob.event(.memberLeft, in: Cast.club)
        #expect(Set(try await bob.client.channels().map(\.channel)) == [Cast.annAndBob, Cast.club, own])
    }

    @Test func `a hidden conversation comes back to the top with the next message [JCB-12]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        let cid = try await harness.guest(Cast.cid)
        try await bob.start(with: Cast.ann).send("one")
        try await cid.start(with: Cast.ann).send("two")
        let annAndCid = ChannelID(single: Cast.ann.userID, Cast.cid.userID)
        try await ann.channel(Cast.annAndBob).hide()
        guard case .user(.channelHidden(let hidden)) = try await ann.event(.channelHidden).body else {
            throw ExpectationFailure.other
        }
        #expect(hidden.channels.map(\.channel) == [Cast.annAndBob])
        #expect(try await ann.client.channels().map(\.channel) == [annAndCid])
        try await bob.channel(Cast.annAndBob).send("three")
        try await ann.message("three")
        #expect(try await ann.client.channels().map(\.channel) == [Cast.annAndBob, annAndCid])
    }

    @Test func `hiding all conversations empties the list and keeps the memberships [JCB-13]`() async throws {
        let harness = try await ServerHarness()
        let (ann, bob) = (try await harness.guest(Cast.ann), try await harness.guest(Cast.bob))
        try await bob.start(with: Cast.ann).send("one")
        _ = try await ann.client.createGroup(channel: Cast.club, members: [Cast.bob.userID])
        try await ann.client.hideAll()
        guard case .user(.channelHidden(let hidden)) = try await ann.event(.channelHidden).body else {
            throw ExpectationFailure.other
        }
        #expect(hidden.isAll)
        #expect(try await ann.client.channels().isEmpty)
        #expect(try await ann.channel(Cast.annAndBob).history().events.compactMap(\.text) == ["one"])
        #expect(try await ann.channel(Cast.club).get().members.count == 2)
        try await bob.channel(Cast.club).send("two")
        try await ann.message("two")
        #expect(try await ann.client.channels().map(\.channel) == [Cast.club])
    }

    @Test func `any change in a channel reaches all devices of its members, whichever is open [JCB-17]`()
        async throws
    {
        let harness = try await ServerHarness()
        let devices = [try await harness.guest(Cast.ann), try await harness.guest(Cast.ann, device: "phone")]
        let bob = try await harness.guest(Cast.bob)
        let dee = try await harness.guest(Cast.dee)
        try await devices[0].channel(Cast.lobby).join()
        try await bob.start(with: Cast.ann).send("hi")
        for device in devices {
            try await device.message("hi")
            try await device.wait("update") { $0.updated == Cast.annAndBob }
        }
        #expect(try await devices[1].client.unread().total == 1)
        let marks = devices.map(\.mark)
        try await devices[1].channel(Cast.annAndBob).markRead()
        for (device, mark) in zip(devices, marks) {
            try await device.event(.readMarkMoved, in: Cast.annAndBob, since: mark)
            try await device.wait("update", since: mark) { $0.updated == Cast.annAndBob }
        }
        #expect(try await devices[0].client.unread().total == 0)

        try await bob.start(with: Cast.dee).send("last")
        try await dee.message("last")
        #expect(!dee.events.contains { $0.updated == Cast.annAndBob })
    }
}
