import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A script of commands whose events belong to one family, or a few.
struct ReplayScript: Sendable, CustomStringConvertible {
    var description: String
    var play: @Sendable (Stage, TestSession) async throws -> Void

    init(_ name: String, _ play: @escaping @Sendable (_ stage: Stage, _ operator: TestSession) async throws -> Void) {
        description = name
        self.play = play
    }
}

/// One script for each family of events, played on the stage of `Stage.forReplay`.
let replayScripts = [
    ReplayScript("messages") { stage, _ in
        try await stage.ann.send("one", to: Cast.club)
        try await stage.bob.send("two", to: Cast.club)
        try await stage.bob.send("three", to: Cast.annAndBob)
        try await stage.ann.perform(
            SendMessage(
                channel: Cast.club, text: "@Bob", mentions: [Mention(userID: Cast.bob.userID, start: 0, length: 4)]))
    },
    ReplayScript("several messages to several channels") { stage, _ in
        let messages = [MessageContent(text: "one"), MessageContent(text: "two")]
        let closed = ChannelID(single: Cast.cid.userID, Cast.dee.userID)
        try await stage.bob.perform(SendMany(messages: messages, channels: [Cast.club, closed, Cast.annAndBob]))
        try await stage.ann.perform(SendMany(messages: messages, channels: [Cast.annAndBob, Cast.club]))
    },
    ReplayScript("schedules") { stage, _ in
        var made: [ScheduleID] = []
        for number in 1...4 {
            let at = stage.at(60_000 + Int64(number))
            made.append(try await stage.ann.schedule(["\(number)"], to: [Cast.club], at: at).scheduleID)
        }
        try await stage.bob.schedule(["of Bob"], to: [Cast.annAndBob, Cast.club], at: stage.at(60_002))
        try await stage.ann.perform(ChangeSchedule(scheduleID: made[0], channels: [Cast.annAndBob]))
        try await stage.ann.perform(ChangeSchedule(scheduleID: made[1], sendAt: .init(milliseconds: stage.at(120_000))))
        try await stage.ann.perform(CancelSchedule(scheduleID: made[2]))
        let before = stage.ann.events(named: .scheduleSent).count
        try await stage.pass(60_004, until: before + 2, at: stage.ann)
        let vote = CreateSchedule(
            channels: [Cast.club, Cast.annAndBob], sendAt: .init(milliseconds: stage.at(60_001)), subject: "Lunch?",
            vote: .between(2))
        let waiting = try await stage.ann.perform(vote).schedule
        try await stage.ann.perform(ChangeSchedule(scheduleID: waiting.scheduleID, subject: "Supper?"))
        try await stage.ann.perform(vote)
        let votes = stage.ann.events(named: .scheduleSent).count
        try await stage.pass(60_001, until: votes + 2, at: stage.ann)
        let ofBob = stage.bob.events(named: .scheduleSent).count
        if ofBob == 0 { try await stage.pass(0, until: 1, at: stage.bob) }
    },
    ReplayScript("broadcasts") { stage, boss in
        let made = try await boss.broadcast(["one", "two"], from: Cast.dee, to: .everybody)
        let other = try await boss.broadcast(["three"], from: Cast.ann, to: .members(of: Cast.club))
        try await stage.roost.pass(made.broadcastID, at: boss)
        try await stage.roost.pass(other.broadcastID, at: boss)
    },
    ReplayScript("announcements") { _, operatorSession in
        try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "one"))
        try await operatorSession.perform(AnnounceMessage(channel: Cast.annAndBob, text: "two"))
    },
    ReplayScript("news") { stage, operatorSession in
        let offers = try channel("offers")
        try await operatorSession.perform(CreateChannel(kind: .publicNews, channel: offers, title: "Offers"))
        for session in [stage.ann, stage.bob] { try await session.perform(BecomeMember(channel: offers)) }
        for text in ["one", "two"] { try await operatorSession.perform(PublishNews(channel: offers, text: text)) }
        try await stage.ann.perform(SetReadMark(channel: offers, seq: 2))
        try await stage.bob.perform(HideChannel(channel: offers))
        try await operatorSession.perform(
            SetChannelProfile(channel: offers, profile: ChannelProfile(title: "New")))
        try await operatorSession.perform(PublishNews(channel: offers, text: "three"))
        try await stage.dee.perform(BecomeMember(channel: offers))
        try await stage.dee.perform(LeaveChannel(channel: offers))
    },
    ReplayScript("invitations") { stage, _ in
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.dee.send("hello", to: Cast.club)
    },
    ReplayScript("an invitation into a 1-on-1") { stage, _ in
        let answer = try await stage.ann.perform(InviteMembers(channel: Cast.annAndBob, members: [Cast.dee.userID]))
        try await stage.dee.send("hello", to: #require(answer.channel))
    },
    ReplayScript("new channels") { stage, _ in
        try await stage.dee.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        try await stage.dee.perform(
            CreateChannel(kind: .group, channel: channel("new"), title: "New", members: stage.all.map(\.userID)))
        try await stage.dee.perform(CreateChannel(kind: .own))
        try await stage.ann.send("hello", to: ChannelID(single: Cast.ann.userID, Cast.dee.userID))
    },
    ReplayScript("leaving") { stage, _ in
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.send("without Bob", to: Cast.club)
        try await stage.ann.perform(LeaveChannel(channel: Cast.club, successor: Cast.cid.userID))
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
    },
    ReplayScript("leaving and coming back") { stage, _ in
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.send("without Bob", to: Cast.club)
        try await stage.cid.perform(InviteMembers(channel: Cast.club, members: [Cast.bob.userID]))
        try await stage.ann.send("with Bob", to: Cast.club)
    },
    ReplayScript("hiding") { stage, _ in
        try await stage.ann.perform(HideChannel(channel: Cast.club))
        try await stage.ann.perform(HideChannel(channel: Cast.annAndBob))
        try await stage.bob.perform(HideChannel())
        try await stage.ann.send("back", to: Cast.annAndBob)
    },
    ReplayScript("ending") { stage, _ in
        try await stage.ann.perform(EndChannel(channel: Cast.annAndBob))
        try await stage.cid.perform(EndChannel(channel: Cast.club))
        try await stage.bob.send("again", to: Cast.annAndBob)
        try await stage.bob.perform(EndChannel(channel: Cast.annAndBob))
    },
    ReplayScript("ending all") { stage, _ in
        try await stage.bob.perform(EndChannel())
        try await stage.ann.send("again", to: Cast.annAndBob)
        try await stage.ann.send("again", to: Cast.club)
    },
    ReplayScript("read marks") { stage, _ in
        try await stage.cid.perform(SetReadMark(channel: Cast.club, seq: 1))
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        try await stage.cid.perform(SetReadMark(channel: Cast.club, seq: 2))
        try await stage.ann.perform(SetReadMark(channel: Cast.annAndBob))
        try await stage.cid.send("with one unread", to: Cast.club)
        try await stage.cid.perform(SetReadMark(channel: Cast.club))
        try await stage.cid.send("with none unread", to: Cast.club)
    },
    ReplayScript("typing") { stage, _ in
        try await stage.ann.perform(StartTyping(channel: Cast.club))
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        try await stage.bob.perform(StartTyping(channel: Cast.annAndBob))
        try await stage.cid.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(EndTyping(channel: Cast.club))
        try await stage.bob.send("done", to: Cast.club)
        try await stage.bob.perform(EndTyping(channel: Cast.annAndBob))
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
    },
    ReplayScript("ending all as the only admin") { stage, _ in
        try await stage.ann.perform(EndChannel())
        try await stage.bob.send("again", to: Cast.club)
    },
    ReplayScript("joining by oneself") { stage, _ in
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true)))
        try await stage.dee.perform(
            BecomeMember(channel: Cast.club, joinMethod: .userCode, byUserID: Cast.bob.userID))
        try await stage.dee.send("hello", to: Cast.club)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        try await stage.cid.perform(BecomeMember(channel: Cast.club))
    },
    ReplayScript("invitations that wait") { stage, _ in
        let ask = InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)])
        try await stage.bob.perform(ask)
        try await stage.dee.perform(AnswerInvitation(channel: Cast.club, isAccepted: false))
        try await stage.bob.perform(ask)
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.bob.perform(ask)
        try await stage.ann.send("before", to: Cast.club)
        try await stage.dee.perform(AnswerInvitation(channel: Cast.club, isAccepted: true))
        try await stage.dee.send("hello", to: Cast.club)
    },
    ReplayScript("a new group with roles, settings and somebody who is asked") { stage, _ in
        try await stage.dee.perform(
            CreateChannel(
                kind: .group, channel: channel("new"), title: "New",
                members: [
                    NewMember(Cast.ann.userID, role: .moderator), NewMember(Cast.bob.userID, role: .admin),
                    NewMember(Cast.cid.userID, role: .invited),
                ], profile: ChannelProfile(customAttributes: 5, history: .sinceJoin)))
        try await stage.ann.send("hello", to: channel("new"))
        try await stage.cid.perform(AnswerInvitation(channel: channel("new"), isAccepted: true))
        try await stage.bob.send("welcome", to: channel("new"))
    },
    ReplayScript("removing") { stage, _ in
        try await stage.cid.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(
            KickMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.bob.userID], reason: 7))
        try await stage.ann.send("alone", to: Cast.club)
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.cid.userID, role: .moderator)]))
        try await stage.cid.send("back", to: Cast.club)
    },
    ReplayScript("banning") { stage, _ in
        let both = [Cast.cid.userID, Cast.dee.userID]
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: both))
        try await stage.ann.send("without Cid", to: Cast.club)
        try await stage.ann.perform(UnbanMembers(channel: Cast.club, members: both))
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: both))
    },
    ReplayScript("roles") { stage, _ in
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.bob.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.cid.userID, role: .moderator))
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .admin))
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.ann.userID, role: .participant))
    },
    ReplayScript("settings of a channel") { stage, _ in
        func set(_ profile: ChannelProfile, by session: TestSession) async throws {
            try await session.perform(SetChannelProfile(channel: Cast.club, profile: profile))
        }
        try await set(ChannelProfile(title: "Club", customAttributes: 3, background: "b"), by: stage.bob)
        try await set(
            ChannelProfile(
                avatar: "a", canJoin: true, editors: .moderators, history: .last, historyRows: 2, minMembers: 2,
                maxMembers: 9, moderatorsMayRecall: false, pinners: .moderators), by: stage.ann)
        try await set(ChannelProfile(title: "", canJoin: false, history: .all, minMembers: 1), by: stage.ann)
        try await stage.bob.perform(
            SetChannelProfile(channel: Cast.annAndBob, profile: ChannelProfile(background: "sea")))
    },
    ReplayScript("own settings in a channel") { stage, _ in
        try await stage.ann.perform(
            SetChannelPreference(channel: Cast.club, isMuted: true, ringtone: "bell", nickname: "Annie"))
        try await stage.bob.send("unheard", to: Cast.club)
        try await stage.bob.perform(
            SetChannelPreference(channel: Cast.club, nickname: "Bobby", imageURL: "https://example.org/b.png"))
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, nickname: ""))
        try await stage.ann.perform(SetChannelPreference(channel: Cast.annAndBob, isMuted: true))
        try await stage.ann.perform(SetChannelPreference(channel: Cast.annAndBob, isMuted: false))
        // A member's settings are deleted with the membership.
        try await stage.bob.perform(SetChannelPreference(channel: Cast.club, isMuted: true, ringtone: "bell"))
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.bob.userID]))
    },
    ReplayScript("dismissing") { stage, _ in
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
    },
    ReplayScript("votes") { stage, _ in
        let id = try await stage.ann.sendVote(.between(2, canChange: true, closesAt: stage.roost.clock.now + 5))
        try await stage.bob.cast(1, in: id)
        try await stage.cid.cast(0, in: id)
        try await stage.bob.cast(in: id)
        let secret = try await stage.cid.sendVote(.between(2, isSecret: true))
        try await stage.ann.cast(1, in: secret)
        try await stage.ann.perform(CloseVote(channel: Cast.club, messageID: secret))
        stage.roost.clock.advance(by: 5)
        await stage.settle()
    },
    ReplayScript("reactions") { stage, _ in
        let id = try await stage.ann.post("react", to: Cast.club)
        for (session, emoji) in [(stage.bob, "👍"), (stage.cid, "❤️"), (stage.ann, "👍"), (stage.ann, "❤")] {
            try await session.perform(AddReaction(channel: Cast.club, messageID: id, emoji: emoji))
        }
        for session in [stage.bob, stage.ann, stage.ann] {
            try await session.perform(RemoveReaction(channel: Cast.club, messageID: id, emoji: "👍"))
        }
        // An emoji that was removed is added again after the others.
        try await stage.bob.perform(AddReaction(channel: Cast.club, messageID: id, emoji: "👍"))
        let other = try await stage.bob.post("react", to: Cast.annAndBob)
        try await stage.ann.perform(AddReaction(channel: Cast.annAndBob, messageID: other, emoji: "👍"))
        try await stage.ann.perform(RemoveReaction(channel: Cast.annAndBob, messageID: other, emoji: "👍"))
    },
    ReplayScript("pinned messages") { stage, _ in
        let first = try await stage.ann.post("first", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.club)
        for id in [first, second, first] { try await stage.bob.pin(id) }
        try await stage.ann.unpin(first)
        try await stage.cid.pin(first)
        try await stage.cid.unpin(second)
        let pair = try await stage.ann.post("pin", to: Cast.annAndBob)
        try await stage.bob.pin(pair, in: Cast.annAndBob)
        // Bob can read the message no longer, so that its pin is Ann's alone.
        try await stage.bob.perform(EndChannel(channel: Cast.annAndBob))
        try await stage.ann.unpin(pair, in: Cast.annAndBob)
        try await stage.ann.pin(pair, in: Cast.annAndBob)
    },
    ReplayScript("forwards") { stage, _ in
        let id = try await stage.cid.post("pass it on", to: Cast.club)
        try await stage.ann.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [id], channels: [Cast.club, Cast.annAndBob]))
    },
    ReplayScript("names") { stage, _ in
        try await stage.cid.perform(SetChannelPreference(channel: Cast.club, nickname: "Captain"))
        for session in [stage.ann, stage.cid] {
            try await session.perform(SetUserProfile(profile: UserProfile(name: "\(session.userID) X", imageURL: "p")))
            await stage.settle()
        }
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(imageURL: "")))
    },
    ReplayScript("blocking") { stage, _ in
        try await stage.ann.perform(BlockUser(userID: Cast.cid.userID))
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        try await stage.ann.perform(UnblockUser(userID: Cast.cid.userID))
        try await stage.cid.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
    },
    ReplayScript("settings") { stage, _ in
        try await stage.ann.perform(SetUserSettings(invitesFrom: .nobody))
        try await stage.bob.perform(SetUserSettings(invitesFrom: .nobody))
        try await stage.bob.perform(SetUserSettings(invitesFrom: .contacts))
        // Each asks the other two, or makes them members.
        for session in stage.all {
            try await session.perform(
                CreateChannel(
                    kind: .group, channel: channel("of-\(session.userID)"), members: stage.all.map(\.userID)))
        }
        for session in [stage.ann, stage.bob] {
            try await session.perform(AnswerInvitation(channel: channel("of-dee"), isAccepted: true))
            try await session.perform(AnswerInvitation(channel: channel("of-cid"), isAccepted: false))
        }
    },
]

extension Stage {
    /// Ann's club with Bob and Cid, and her 1-on-1 with Bob, with a few messages; and an operator.
    static func forReplay(_ roost: TestCore) async throws -> (Stage, TestSession) {
        let stage = try await Stage(roost)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        try await stage.makePair()
        try await stage.makeClub()
        for sender in [stage.ann, stage.bob, stage.ann] { try await sender.send("before", to: Cast.club) }
        try await stage.bob.send("before", to: Cast.annAndBob)
        try await stage.cid.perform(HideChannel(channel: Cast.club))
        return (stage, operatorSession)
    }
}
