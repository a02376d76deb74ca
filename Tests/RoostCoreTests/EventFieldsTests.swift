import RoostCore
import RoostTesting
import RoostWire
import Testing

/// The fields that rows of all kinds have in common.
@Suite struct EventFieldsTests {
    /// The club of Ann, Bob and Cid, with a clock that moves before each command.
    private struct Log {
        let stage: Stage
        var seq: Int64 = 0

        init(_ backend: Backend) async throws {
            stage = try await Stage(backend)
            try await stage.makeClub()
            await stage.forgetEvents()
        }

        /// Performs a command, and checks the common fields of its row in the channel's log, which all members receive.
        @discardableResult
        mutating func row<C: Command>(
            _ name: EventName, _ type: Int?, of command: C, by session: TestSession, senderID: UserID? = nil
        ) async throws -> Event {
            seq += 1
            stage.roost.clock.advance(by: 7)
            let key = "key-\(seq)"
            try await session.perform(command, id: key)
            let row = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(row.name == name.rawValue)
            #expect(row.channel == Cast.club, "\(name)")
            #expect(row.seq == seq, "\(name)")
            #expect(row.userSeq == nil, "\(name)")
            #expect(row.senderID == senderID, "\(name)")
            #expect(row.transID?.rawValue == key, "\(name)")
            #expect(row.$sentAt == stage.roost.clock.now, "\(name)")
            #expect(row.body.messageType?.number == type, "\(name)")
            #expect(stage.ann.rows(of: Cast.club).last == row, "\(name)")
            // A user who reads it later gets the same row.
            #expect(try await stage.bob.log(of: Cast.club).last == row, "\(name)")
            return row
        }

        @discardableResult
        mutating func row<C: Command>(
            _ name: EventName, _ type: Int?, by user: User, _ command: C
        ) async throws -> Event {
            let session = try #require(stage.all.first { $0.userID == user.userID })
            return try await row(name, type, of: command, by: session, senderID: user.userID)
        }

        /// Performs a command of Ann's, and checks the common fields of its row in her own log.
        func own<C: Command>(_ name: EventName, _ type: Int?, _ command: C) async throws {
            let before = try await stage.ann.perform(Resume(userSeq: 0)).userSeq
            stage.roost.clock.advance(by: 7)
            let key = "own-\(before)"
            try await stage.ann.perform(command, id: key)
            let row = try #require(stage.ann.events(named: name).last)
            #expect(row.channel == nil && row.seq == nil, "\(name)")
            #expect(row.userSeq == before + 1, "\(name)")
            #expect(row.senderID == Cast.ann.userID, "\(name)")
            #expect(row.transID?.rawValue == key, "\(name)")
            #expect(row.$sentAt == stage.roost.clock.now, "\(name)")
            #expect(row.body.messageType?.number == type, "\(name)")
            #expect(stage.bob.events(named: name).isEmpty, "\(name)")
            #expect(try await stage.ann.perform(Resume(userSeq: before)).events.contains(row), "\(name)")
        }
    }

    private func profile(_ profile: ChannelProfile) -> SetChannelProfile {
        SetChannelProfile(channel: Cast.club, profile: profile)
    }

    @Test(arguments: Backend.available)
    func `a row of any kind has its channel, position, type, sender, key and time, in either log [LR-1]`(
        backend: Backend
    ) async throws {
        var log = try await Log(backend)
        let (ann, bob, cid, dee) = (Cast.ann, Cast.bob, Cast.cid, Cast.dee)
        let club = Cast.club

        try await log.row(.channelProfileChanged, 1008, by: bob, profile(ChannelProfile(title: "Club")))
        try await log.row(.channelProfileChanged, 1009, by: bob, profile(ChannelProfile(avatar: "a")))
        try await log.row(.channelProfileChanged, 1015, by: ann, profile(ChannelProfile(canJoin: true)))
        try await log.row(.memberProfileChanged, 1013, by: cid, SetChannelPreference(channel: club, nickname: "Cidney"))
        try await log.row(.memberInvited, 1004, by: bob, InviteMembers(channel: club, members: [dee.userID]))
        try await log.row(
            .memberRoleChanged, 1010, by: ann, SetMemberRole(channel: club, userID: dee.userID, role: .moderator))
        try await log.row(.memberLeft, 1003, by: dee, LeaveChannel(channel: club))
        try await log.row(.memberJoined, 1005, by: dee, BecomeMember(channel: club))
        try await log.row(.memberKicked, 1006, by: ann, KickMembers(channel: club, members: [dee.userID]))
        try await log.row(.memberBanned, 1007, by: ann, BanMembers(channel: club, members: [dee.userID]))
        try await log.row(.memberRoleChanged, 1010, by: ann, UnbanMembers(channel: club, members: [dee.userID]))

        let text = try await log.row(.messageSent, 1, by: cid, SendMessage(channel: club, text: "x", category: "app"))
        #expect(text.message?.category == "app" && text.message?.senderName == "Cidney")
        #expect(text.messageID?.seq == text.seq)
        let id = try #require(text.messageID)
        try await log.row(.reactionAdded, nil, by: bob, AddReaction(channel: club, messageID: id, emoji: "👍"))
        try await log.row(.reactionRemoved, nil, by: bob, RemoveReaction(channel: club, messageID: id, emoji: "👍"))
        try await log.row(.pinAdded, nil, by: bob, AddPin(channel: club, messageID: id))
        try await log.row(.pinRemoved, nil, by: bob, RemovePin(channel: club, messageID: id))
        try await log.row(.messageRecalled, 1104, by: cid, RecallMessages(channel: club, messageIDs: [id]))
        let asked = try await log.row(
            .messageSent, 101, by: ann, CreateVote(channel: club, subject: "Lunch?", vote: .between(2)))
        let vote = try #require(asked.messageID)
        try await log.row(.voteCast, nil, by: bob, CastVote(channel: club, messageID: vote, options: [0]))
        try await log.row(.voteClosed, nil, by: ann, CloseVote(channel: club, messageID: vote))
        // An operator is not a member of the channel.
        let boss = try await log.stage.roost.session(user("op"), isOperator: true)
        try await log.row(.messageAnnounced, nil, of: AnnounceMessage(channel: club, text: "hear, hear"), by: boss)

        try await log.own(.channelPreferenceChanged, 1011, SetChannelPreference(channel: club, isMuted: true))
        try await log.own(.messageDeleted, 1102, DeleteMessages([vote], in: club))
        try await log.own(.channelCleared, 1103, DeleteMessages(allIn: club))
        try await log.own(.channelHidden, nil, HideChannel(channel: club))
        try await log.own(.userBlocked, nil, BlockUser(userID: cid.userID))
        try await log.own(.userProfileChanged, 1012, SetUserProfile(profile: UserProfile(name: "Ann Lee")))
        try await log.own(.userSettingsChanged, nil, SetUserSettings(invitesFrom: .contacts))
    }
}
