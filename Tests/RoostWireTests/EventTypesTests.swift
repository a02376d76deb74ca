import RoostWire
import Testing
import WireExamples

/// The reference number of each example of an event: name, variant, number; – for none.
private let expectedNumbers = """
    message.sent 1
    message.sent-mention 1
    message.sent-reply 1
    message.sent-image 3
    message.sent-location 7
    message.sent-notice 222
    message.sent-forwarded 1
    message.sent-vote 103
    message.sent-call 2003
    message.sent-news 1202
    message.sent-recalled 1
    message.announced –
    message.recalled 1104
    vote.cast –
    vote.cast-secret –
    vote.closed –
    reaction.added –
    reaction.removed –
    pin.added –
    pin.removed –
    news.created 1201
    row.removed –
    channel.purged –
    member.invited 1004
    member.invited-ask 1004
    member.joined 1005
    member.left 1003
    member.left-successor 1003
    member.kicked 1006
    member.banned 1007
    member.roleChanged 1010
    member.profileChanged 1013
    channel.profileChanged 1008
    channel.joined –
    channel.joined-group –
    channel.joined-created 1001
    channel.invited –
    channel.left –
    channel.left-kicked –
    channel.dismissed 1002
    channel.hidden –
    channel.ended –
    channel.cleared 1103
    message.deleted 1102
    channel.preferenceChanged 1011
    channel.unreadMarked –
    user.blocked –
    user.unblocked –
    user.profileChanged 1012
    user.settingsChanged –
    schedule.created 205
    schedule.created-vote 205
    schedule.changed –
    schedule.cancelled –
    schedule.sent 202
    schedule.sent-vote 204
    message.relayed 3000
    typing.started –
    typing.ended –
    readMark.moved 1101
    channel.activeCountChanged 1106
    session.expiring –
    positions –
    goaway –
    """

@Suite struct EventTypesTests {
    @Test func `every event has its type of the registry`() throws {
        let lines = try Examples.notices().map { notice in
            let name = notice.event.name + (notice.variant.map { "-" + $0 } ?? "")
            return "\(name) \(notice.event.body.messageType.map { "\($0.number)" } ?? "–")"
        }
        #expect(lines.joined(separator: "\n") == expectedNumbers)
    }

    @Test func `the type of a row follows from what is in it`() throws {
        let bob = try #require(UserID(rawValue: "bob"))
        func number(_ profile: ChannelProfile) -> Int? {
            EventBody.channel(.channelProfileChanged(ChannelProfileChanged(profile: profile))).messageType?.number
        }
        #expect(number(ChannelProfile(title: "")) == 1008)
        #expect(number(ChannelProfile(avatar: "f")) == 1009)
        #expect(number(ChannelProfile(background: "f")) == 1015)
        #expect(number(ChannelProfile(canJoin: true)) == 1015)
        #expect(number(ChannelProfile(title: "a", avatar: "f")) == 1008)
        let role = MemberRole(userID: bob, name: "Bob", role: .none)
        let roles = EventBody.channel(.memberRoleChanged(RolesChanged(members: [role, role], memberCount: 2)))
        #expect(roles.messageType?.number == 1018)
        let all = EventBody.user(.channelCleared(ChannelsHidden(channels: [], isAll: true)))
        #expect(all.messageType?.number == 1105)
    }

    @Test func `an event is kept where its type is kept`() throws {
        for notice in try Examples.notices() {
            guard let type = notice.event.body.messageType, let what = notice.event.body.behaviour else { continue }
            let isRow = notice.event.seq != nil || notice.event.userSeq != nil
            #expect(isRow == what.isStored, "\(notice.event.name)")
            let isPrivate = notice.event.userSeq != nil
            // Each of those who get one of these has a row of it.
            let isForSeveral = ["channelCreated", "channelDismissed", "userProfileChanged"].contains(type.name)
            #expect(!isPrivate || type.audience == .ownDevices || isForSeveral, "\(notice.event.name)")
        }
    }

    @Test func `an announcement behaves as a text`() throws {
        let line = EventBody.channel(
            .messageAnnounced(
                Announcement(messageID: MessageID(sentAt: 1, seq: 1, salt: 1), text: "a", count: 1)))
        #expect(line.behaviour == MessageType.text.behaviour())
        #expect(EventBody.unknown("x").behaviour == nil)
    }

    @Test func `the bits of an update distinguish roles, preferences and members`() throws {
        let bob = try #require(UserID(rawValue: "bob"))
        let gone = MembersRemoved(members: [], memberCount: 1)
        #expect(ChannelUpdate(of: .channel(.memberKicked(gone))).rawValue == 4)
        #expect(
            ChannelUpdate(of: .channel(.memberLeft(MemberLeft(userID: bob, name: "Bob", memberCount: 1)))).rawValue == 4
        )
        let handed = MemberLeft(userID: bob, name: "Bob", memberCount: 1, successor: bob)
        #expect(ChannelUpdate(of: .channel(.memberLeft(handed))).rawValue == 5)
        #expect(
            ChannelUpdate(of: .channel(.memberRoleChanged(RolesChanged(members: [], memberCount: 1)))).rawValue == 1)
        let team = try #require(ChannelID(rawValue: "team"))
        let preference = PreferenceChanged(channel: team, preference: ChannelPreference())
        #expect(ChannelUpdate(of: .user(.channelPreferenceChanged(preference))).rawValue == 2)
        #expect(ChannelUpdate(of: .unknown("x")).isEmpty)
    }
}

@Suite struct CompatibilityTests {
    private func bytes(_ json: String) -> [UInt8] { Array(json.utf8) }

    @Test func `limits of an older server are completed by defaults`() throws {
        let limits = try WireCodec.decode(Limits.self, from: bytes(#"{"textLength":77,"members":3}"#))
        #expect(limits == Limits(textLength: 77, members: 3))
        let other = Limits(
            textLength: 1, textBytes: 2, frameBytes: 3, pageRows: 4, members: 5, mentions: 6, connectionsPerUser: 7,
            channelsPerUser: 8, channelsFromOthersPercent: 31, channelsPerInviter: 32, openChannelsPerConnection: 9,
            resumeRows: 10, idsPerCommand: 11,
            messagesPerCommand: 25, channelsPerCommand: 26, schedules: 27, scheduleMinMs: 28, scheduleMaxMs: 29,
            extras: 12,
            extrasBytes: 13, invitations: 14, bans: 15, blockedUsers: 16, recallWindowMs: 17, activeCountMembers: 18,
            sendsPerSecond: 19, sendBurst: 20, channelSendsPerSecond: 21, channelSendBurst: 22, commandsPerSecond: 23,
            commandBurst: 24, broadcasts: 30)
        #expect(try WireCodec.decode(Limits.self, from: WireCodec.encode(other)) == other)
    }

    @Test func `a new member is an id or an object, and one list may contain both`() throws {
        let (ann, bob) = (try #require(UserID(rawValue: "ann")), try #require(UserID(rawValue: "bob")))
        let json = #"{"channel":"c","members":["ann",{"userID":"bob","role":"moderator","nickname":"Bobby"}]}"#
        let invite = try WireCodec.decode(InviteMembers.self, from: bytes(json))
        #expect(invite.members == [NewMember(ann), NewMember(bob, role: .moderator, nickname: "Bobby")])
        #expect(String(decoding: try WireCodec.encodeSorted(invite.members[0]), as: UTF8.self) == #""ann""#)
        #expect(
            String(decoding: try WireCodec.encodeSorted(invite.members[1]), as: UTF8.self)
                == #"{"nickname":"Bobby","role":"moderator","userID":"bob"}"#)
        for broken in [#""a b""#, "1", "null", "{}", #"{"userID":"a b"}"#, #"{"userID":"a","role":"owner"}"#] {
            #expect(throws: (any Error).self) { try WireCodec.decode(NewMember.self, from: bytes(broken)) }
        }
    }

    @Test func `frames of the first version are read as they were`() throws {
        let message =
            #"{"messageID":"00000000000000000000000100000000","type":"text","text":"x","senderName":"A","count":1}"#
        let sent = try WireCodec.decode(Message.self, from: bytes(message))
        #expect(sent.recall == nil && sent.replyTo == nil && sent.extras == nil)
        let left = try WireCodec.decode(ChannelLeft.self, from: bytes(#"{"channel":"c"}"#))
        #expect(left.reason == nil)
        let invited = try WireCodec.decode(
            MembersInvited.self, from: bytes(#"{"members":[{"userID":"a","name":"A"}],"memberCount":2}"#))
        #expect(invited.invited == nil && invited.roles == nil)
        let unread = try WireCodec.decode(GetUnread.Answer.self, from: bytes(#"{"total":1,"channels":[]}"#))
        #expect(unread.muted == nil && unread.mentions == nil)
    }
}
