import RoostClient
import RoostTesting
import RoostWire
import Testing

// Steps 3 to 6 and 15: channels and members.
extension GroupStory {
    /// Step 3: a 1-on-1 exists once, and cannot be left, dismissed, kicked from, nor has it roles.
    func makesASingleChannel() async throws {
        let first = try await ann.client.startMessaging(with: Cast.bob.userID).channel
        #expect(try await ann.client.startMessaging(with: Cast.bob.userID).channel == first)
        #expect(first == Cast.annAndBob)
        try await ann.channel(first).send("single")
        for person in [ann, annToo, bob, bobToo] {
            try await person.message("single", in: first)
            let joined = told(person, .channelJoined).filter { $0.body.joined?.channel == first }
            #expect(joined.count == 1)
            #expect(joined.first?.body.messageType?.number == 1001)
        }
        let single = ann.channel(first)
        await refuses(.channelTypeMismatch) { try await single.leave() }
        await refuses(.channelTypeMismatch) { try await single.kick([Cast.bob.userID]) }
        await refuses(.channelTypeMismatch) { try await single.dismiss() }
        await refuses(.channelTypeMismatch) { try await single.setRole(.admin, of: Cast.bob.userID) }
    }

    /// Step 4: all devices of the members learn of the group; a taken id is 1102, a malformed one 1101.
    func makesAGroup() async throws {
        let members = [Cast.bob.userID, Cast.cid.userID]
        let made = try await ann.client.createGroup(title: "Club", channel: club, members: members)
        #expect(made.channel == club)
        #expect(made.memberCount == 3)
        #expect(made.members.map(\.role) == [.admin, .participant, .participant])
        for person in [ann, annToo, bob, bobToo, cid, cidToo] {
            let found = try await person.wait("the club") { $0.row?.body.joined?.channel == Cast.club }
            let joined = try #require(found.row?.body.joined)
            #expect(joined.memberCount == 3)
            #expect(joined.members.count == 3)
            #expect(joined.title == "Club")
            #expect(joined.reason == .created)
        }
        await refuses(.channelIDExists) { try await ann.client.createGroup(channel: club, members: members) }
        await refuses(.channelIDFormat) { try await ann.client.createGroup(channel: Cast.annAndBob, members: members) }
        await refuses(.userMissing) { try await ann.client.createGroup(members: ["nobody"]) }
    }

    /// Step 5: own devices get each preference with all values, the others only the nickname.
    func setsPreferences() async throws {
        let marks = everybody.map(\.mark)
        _ = try await ann.channel(club).mute()
        _ = try await ann.channel(club).setPreference(ringtone: "signal")
        let all = try await ann.channel(club).setPreference(nickname: "Annie")
        #expect(all == ChannelPreference(isMuted: true, ringtone: "signal", nickname: "Annie"))
        let members = [ann, annToo, bob, bobToo, cid, cidToo]
        try await settle(members, "preferences", by: ann)
        let expected = [
            ChannelPreference(isMuted: true), ChannelPreference(isMuted: true, ringtone: "signal"), all,
        ]
        for (person, mark) in zip(everybody, marks) {
            let changes = told(person, .channelPreferenceChanged, since: mark).compactMap { event in
                if case .user(.channelPreferenceChanged(let body)) = event.body { body.preference } else { nil }
            }
            let isAnn = person === ann || person === annToo
            #expect(changes == (isAnn ? expected : []))
            let lines = told(person, .memberProfileChanged, since: mark)
            #expect(lines.count == (members.contains { $0 === person } ? 1 : 0))
            #expect(lines.allSatisfy { $0.body.messageType?.number == 1013 && $0.body.memberName == "Annie" })
        }
        await refuses(.noPreferenceToSet) { try await ann.channel(club).setPreference() }
        // From here on, muting has no effect and there are no nicknames.
        _ = try await ann.channel(club).setPreference(isMuted: false, nickname: "")
    }

    /// Step 5: everybody gets the changed key of the profile, and only that.
    func setsTheProfile() async throws {
        let members = [ann, annToo, bob, bobToo, cid, cidToo]
        let marks = members.map(\.mark)
        let mine = ann.channel(club)
        #expect(try await mine.setTitle("New") == ChannelProfile(title: "New"))
        let path = try largePicture("avatar.jpg")
        let steps = ProgressLog()
        let file = try await mine.setAvatar(LocalFile(path: path)) { progress in
            steps.note(progress.completedBytes, of: progress.totalBytes)
        }
        #expect(steps.completed == steps.completed.sorted())
        #expect(steps.completed.count { $0 == steps.total } == 1)
        #expect(steps.completed.last == steps.total)
        let reference = FileRules.reference(to: file.fileID)
        #expect(try await bob.channel(club).get().profile?.avatar == reference)
        #expect(try await bob.client.files([file.fileID]).count == 1)
        try await mine.removeAvatar()
        #expect(try await bob.channel(club).get().profile?.avatar == nil)
        #expect(try await bob.client.files([file.fileID]).isEmpty)
        #expect(try await mine.setProfile(ChannelProfile(customAttributes: 3)) == ChannelProfile(customAttributes: 3))
        try await settle(members, "profile", by: ann)
        let expected = [
            ChannelProfile(title: "New"), ChannelProfile(avatar: reference), ChannelProfile(avatar: ""),
            ChannelProfile(customAttributes: 3),
        ]
        for (person, mark) in zip(members, marks) {
            let changes = told(person, .channelProfileChanged, since: mark).compactMap { event in
                if case .channel(.channelProfileChanged(let body)) = event.body { body.profile } else { nil }
            }
            #expect(changes == expected)
        }
        await refuses(.noProfileToSet) { try await mine.setProfile(ChannelProfile()) }
    }

    /// Step 6: who may remove, list, leave and hand over.
    func membersComeAndGo() async throws {
        await refuses(.noPrivilege) { try await bob.channel(club).kick([Cast.cid.userID]) }
        await refuses(.nobodyToKick) { try await ann.channel(club).kick([]) }
        try await ann.channel(club).invite([NewMember(Cast.dee.userID)], joinMethod: .userCode)
        try await listsMembersInPages()
        try await dee.channel(club).leave()
        guard case .channel(.memberLeft(let left)) = try await bob.event(.memberLeft, in: club).body else {
            throw ExpectationFailure.other
        }
        #expect(left.userID == Cast.dee.userID)
        #expect(left.memberCount == 3)
        await refuses(.notMember) { try await dee.channel(club).history() }

        try await ann.channel(club).setRole(.moderator, of: Cast.bob.userID)
        await refuses(.noRoleToSet) { try await ann.channel(club).setRole(.moderator, of: Cast.bob.userID) }
        await refuses(.noPrivilege) { try await ann.channel(club).leave() }
        try await ann.channel(club).setRole(.admin, of: Cast.bob.userID)
        let roles = try await cid.wait("both roles") { $0.row?.body.role == .admin }
        #expect(try #require(roles.row).body.updates == .role)
        try await ann.channel(club).leave()
        let gone = try await cid.wait("Ann left") { $0.row?.body.leaver == Cast.ann.userID }
        #expect(try #require(gone.row).body.updates == .members)
        try await annToo.wait("Ann left, on the other device") { event in
            if case .left(let channel) = event { channel == Cast.club } else { false }
        }
        try await bob.channel(club).invite([Cast.ann.userID])
        try await annToo.wait("Ann is back") { $0.row?.body.joined?.reason == .invited }
    }

    private func listsMembersInPages() async throws {
        let first = try await ann.channel(club).members(limit: 2)
        #expect(first.map(\.userID) == [Cast.ann.userID, Cast.bob.userID])
        #expect(first.next != nil)
        let rest = try await ann.channel(club).members(limit: 2, cursor: first.next)
        #expect(rest.map(\.userID) == [Cast.cid.userID, Cast.dee.userID])
        #expect(rest.last?.joinMethod == .userCode)
        #expect(rest.last?.byUserID == Cast.ann.userID)
        #expect(rest.next == nil)
    }

    /// Step 6: Dee is banned and stays out, Eve is asked and accepts.
    func bansAndInvites() async throws {
        await refuses(.nobodyToBan) { try await bob.channel(club).ban([]) }
        try await bob.channel(club).ban([Cast.dee.userID])
        try await ann.event(.memberBanned, in: club)
        try await bob.channel(club).setProfile(ChannelProfile(canJoin: true))
        await refuses(.noPrivilege) { try await dee.channel(club).becomeMember() }
        await refuses(.noPrivilege) { try await bob.channel(club).invite([Cast.dee.userID]) }

        try await bob.channel(club).invite([NewMember(Self.eveUser.userID, role: .invited)])
        try await eve.event(.channelInvited)
        #expect(try await eve.client.invitations().map(\.channel) == [club])
        try await eve.channel(club).answerInvitation(isAccepted: true)
        guard case .channel(.memberJoined(let joined)) = try await cid.event(.memberJoined, in: club).body else {
            throw ExpectationFailure.other
        }
        #expect(joined.member.userID == Self.eveUser.userID)
        #expect(joined.isAnswer)
        #expect(joined.memberCount == 4)
        await refuses(.notInvited) { try await eve.channel(club).answerInvitation(isAccepted: true) }
        try await settle([ann, annToo, bob, bobToo, cid, cidToo, eve], "members", by: bob)
    }

    /// Step 15: a dismissed group does not exist any more, and disconnecting is no error.
    func dismissesTheGroup() async throws {
        await refuses(.noPrivilege) { try await ann.channel(club).dismiss() }
        try await bob.channel(club).dismiss()
        for person in [ann, annToo, bob, bobToo, cid, cidToo, eve] {
            let event = try await person.event(.channelDismissed)
            #expect(event.body.messageType?.number == 1002)
        }
        for person in [ann, bob, cid, eve, dee] {
            let channel = person.channel(club)
            await refuses(.channelNotFound) { try await channel.send("x") }
            await refuses(.channelNotFound) { try await channel.get() }
            await refuses(.channelNotFound) { try await channel.history() }
            await refuses(.channelNotFound) { try await channel.members() }
            await refuses(.channelNotFound) { try await channel.markRead(upTo: 1) }
            await refuses(.channelNotFound) { try await channel.leave() }
        }
        await refuses(.channelIDExists) { try await bob.client.createGroup(channel: club, members: [Cast.ann.userID]) }
        for person in everybody {
            let mark = person.mark
            await person.client.disconnect()
            try await person.wait("disconnected without an error", since: mark) { event in
                if case .disconnected(nil) = event { true } else { false }
            }
            #expect(await person.client.state == .offline)
        }
    }
}

extension EventBody {
    fileprivate var memberName: String? {
        if case .channel(.memberProfileChanged(let body)) = self { body.member.name } else { nil }
    }
}
