import RoostCore
import RoostTesting
import RoostWire
import Testing

/// A script of commands whose events belong to one family, or a few.
private struct Script: Sendable, CustomStringConvertible {
    var description: String
    var play: @Sendable (Stage, TestSession) async throws -> Void

    init(_ name: String, _ play: @escaping @Sendable (_ stage: Stage, _ operator: TestSession) async throws -> Void) {
        description = name
        self.play = play
    }
}

private let scripts = [
    Script("messages") { stage, _ in
        try await stage.ann.send("one", to: Cast.club)
        try await stage.bob.send("two", to: Cast.club)
        try await stage.bob.send("three", to: Cast.annAndBob)
        try await stage.ann.perform(
            SendMessage(
                channel: Cast.club, text: "@Bob", mentions: [Mention(userID: Cast.bob.userID, start: 0, length: 4)]))
    },
    Script("several messages to several channels") { stage, _ in
        let messages = [MessageContent(text: "one"), MessageContent(text: "two")]
        let closed = ChannelID(single: Cast.cid.userID, Cast.dee.userID)
        try await stage.bob.perform(SendMany(messages: messages, channels: [Cast.club, closed, Cast.annAndBob]))
        try await stage.ann.perform(SendMany(messages: messages, channels: [Cast.annAndBob, Cast.club]))
    },
    Script("schedules") { stage, _ in
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
    Script("broadcasts") { stage, boss in
        let made = try await boss.broadcast(["one", "two"], from: Cast.dee, to: .everybody)
        let other = try await boss.broadcast(["three"], from: Cast.ann, to: .members(of: Cast.club))
        try await stage.roost.pass(made.broadcastID, at: boss)
        try await stage.roost.pass(other.broadcastID, at: boss)
    },
    Script("announcements") { _, operatorSession in
        try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "one"))
        try await operatorSession.perform(AnnounceMessage(channel: Cast.annAndBob, text: "two"))
    },
    Script("news") { stage, operatorSession in
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
    Script("invitations") { stage, _ in
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.dee.send("hello", to: Cast.club)
    },
    Script("an invitation into a 1-on-1") { stage, _ in
        let answer = try await stage.ann.perform(InviteMembers(channel: Cast.annAndBob, members: [Cast.dee.userID]))
        try await stage.dee.send("hello", to: #require(answer.channel))
    },
    Script("new channels") { stage, _ in
        try await stage.dee.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        try await stage.dee.perform(
            CreateChannel(kind: .group, channel: channel("new"), title: "New", members: stage.all.map(\.userID)))
        try await stage.dee.perform(CreateChannel(kind: .own))
        try await stage.ann.send("hello", to: ChannelID(single: Cast.ann.userID, Cast.dee.userID))
    },
    Script("leaving") { stage, _ in
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.send("without Bob", to: Cast.club)
        try await stage.ann.perform(LeaveChannel(channel: Cast.club, successor: Cast.cid.userID))
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
    },
    Script("leaving and coming back") { stage, _ in
        try await stage.bob.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.send("without Bob", to: Cast.club)
        try await stage.cid.perform(InviteMembers(channel: Cast.club, members: [Cast.bob.userID]))
        try await stage.ann.send("with Bob", to: Cast.club)
    },
    Script("hiding") { stage, _ in
        try await stage.ann.perform(HideChannel(channel: Cast.club))
        try await stage.ann.perform(HideChannel(channel: Cast.annAndBob))
        try await stage.bob.perform(HideChannel())
        try await stage.ann.send("back", to: Cast.annAndBob)
    },
    Script("ending") { stage, _ in
        try await stage.ann.perform(EndChannel(channel: Cast.annAndBob))
        try await stage.cid.perform(EndChannel(channel: Cast.club))
        try await stage.bob.send("again", to: Cast.annAndBob)
        try await stage.bob.perform(EndChannel(channel: Cast.annAndBob))
    },
    Script("ending all") { stage, _ in
        try await stage.bob.perform(EndChannel())
        try await stage.ann.send("again", to: Cast.annAndBob)
        try await stage.ann.send("again", to: Cast.club)
    },
    Script("read marks") { stage, _ in
        try await stage.cid.perform(SetReadMark(channel: Cast.club, seq: 1))
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        try await stage.cid.perform(SetReadMark(channel: Cast.club, seq: 2))
        try await stage.ann.perform(SetReadMark(channel: Cast.annAndBob))
        try await stage.cid.send("with one unread", to: Cast.club)
        try await stage.cid.perform(SetReadMark(channel: Cast.club))
        try await stage.cid.send("with none unread", to: Cast.club)
    },
    Script("typing") { stage, _ in
        try await stage.ann.perform(StartTyping(channel: Cast.club))
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        try await stage.bob.perform(StartTyping(channel: Cast.annAndBob))
        try await stage.cid.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(EndTyping(channel: Cast.club))
        try await stage.bob.send("done", to: Cast.club)
        try await stage.bob.perform(EndTyping(channel: Cast.annAndBob))
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
    },
    Script("ending all as the only admin") { stage, _ in
        try await stage.ann.perform(EndChannel())
        try await stage.bob.send("again", to: Cast.club)
    },
    Script("joining by oneself") { stage, _ in
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true)))
        try await stage.dee.perform(
            BecomeMember(channel: Cast.club, joinMethod: .userCode, byUserID: Cast.bob.userID))
        try await stage.dee.send("hello", to: Cast.club)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        try await stage.cid.perform(BecomeMember(channel: Cast.club))
    },
    Script("invitations that wait") { stage, _ in
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
    Script("a new group with roles, settings and somebody who is asked") { stage, _ in
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
    Script("removing") { stage, _ in
        try await stage.cid.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(
            KickMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.bob.userID], reason: 7))
        try await stage.ann.send("alone", to: Cast.club)
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.cid.userID, role: .moderator)]))
        try await stage.cid.send("back", to: Cast.club)
    },
    Script("banning") { stage, _ in
        let both = [Cast.cid.userID, Cast.dee.userID]
        try await stage.ann.perform(BanMembers(channel: Cast.club, members: both))
        try await stage.ann.send("without Cid", to: Cast.club)
        try await stage.ann.perform(UnbanMembers(channel: Cast.club, members: both))
        try await stage.bob.perform(InviteMembers(channel: Cast.club, members: both))
    },
    Script("roles") { stage, _ in
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.bob.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.cid.userID, role: .moderator))
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .admin))
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.ann.userID, role: .participant))
    },
    Script("settings of a channel") { stage, _ in
        func set(_ profile: ChannelProfile, by session: TestSession) async throws {
            try await session.perform(SetChannelProfile(channel: Cast.club, profile: profile))
        }
        try await set(ChannelProfile(title: "Club", customAttributes: 3, background: "b"), by: stage.bob)
        try await set(
            ChannelProfile(
                avatar: "a", canJoin: true, editors: .moderators, history: .last, historyRows: 2, minMembers: 2,
                maxMembers: 9, moderatorsMayRecall: false), by: stage.ann)
        try await set(ChannelProfile(title: "", canJoin: false, history: .all, minMembers: 1), by: stage.ann)
        try await stage.bob.perform(
            SetChannelProfile(channel: Cast.annAndBob, profile: ChannelProfile(background: "sea")))
    },
    Script("own settings in a channel") { stage, _ in
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
    Script("dismissing") { stage, _ in
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        try await stage.bob.perform(StartTyping(channel: Cast.club))
        try await stage.ann.perform(DismissChannel(channel: Cast.club))
    },
    Script("votes") { stage, _ in
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
    Script("reactions") { stage, _ in
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
    Script("forwards") { stage, _ in
        let id = try await stage.cid.post("pass it on", to: Cast.club)
        try await stage.ann.perform(
            ForwardMessages(channel: Cast.club, messageIDs: [id], channels: [Cast.club, Cast.annAndBob]))
    },
    Script("names") { stage, _ in
        try await stage.cid.perform(SetChannelPreference(channel: Cast.club, nickname: "Captain"))
        for session in [stage.ann, stage.cid] {
            try await session.perform(SetUserProfile(profile: UserProfile(name: "\(session.userID) X", imageURL: "p")))
            await stage.settle()
        }
        try await stage.ann.perform(SetUserProfile(profile: UserProfile(imageURL: "")))
    },
    Script("blocking") { stage, _ in
        try await stage.ann.perform(BlockUser(userID: Cast.cid.userID))
        try await stage.ann.perform(BlockUser(userID: Cast.bob.userID))
        try await stage.ann.perform(UnblockUser(userID: Cast.cid.userID))
        try await stage.cid.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
    },
    Script("settings") { stage, _ in
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

@Suite struct ReplayTests {
    private func stage(_ backend: Backend) async throws -> (Stage, TestSession) {
        let stage = try await Stage(backend)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        try await stage.makePair()
        try await stage.makeClub()
        for sender in [stage.ann, stage.bob, stage.ann] { try await sender.send("before", to: Cast.club) }
        try await stage.bob.send("before", to: Cast.annAndBob)
        try await stage.cid.perform(HideChannel(channel: Cast.club))
        return (stage, operatorSession)
    }

    /// Applies the events to the old snapshots and compares with new ones.
    private func replay(_ old: inout [Snapshot], _ stage: Stage, _ comment: Comment) async throws {
        await stage.settle()
        for (index, session) in stage.all.enumerated() {
            for event in session.drainEvents() { old[index].apply(event) }
            var fresh = try await Snapshot(of: session)
            fresh.reduce(to: old[index])
            #expect(old[index].list == fresh.list, comment)
            #expect(old[index].total == fresh.total, comment)
            #expect(old[index].own == fresh.own, comment)
            #expect(old[index].invitations == fresh.invitations, comment)
            #expect(old[index].blocked == fresh.blocked, comment)
            #expect(old[index].settings == fresh.settings, comment)
            #expect(old[index].schedules == fresh.schedules, comment)
            #expect(Set(old[index].rows.keys) == Set(fresh.rows.keys), comment)
            for (id, row) in fresh.rows where old[index].rows[id] != row {
                Issue.record("\(comment), \(id) of \(session.userID): \(row.differences(to: old[index].rows[id]))")
            }
        }
    }

    @Test(arguments: Backend.available)
    func `purged rows disappear from an old snapshot just as they are missing in a new one`(backend: Backend)
        async throws
    {
        let policies: [ChannelKind: RetentionPolicy] = [
            .group: RetentionPolicy(keepLast: 3), .single: RetentionPolicy(keepFor: 10),
        ]
        let stage = try await Stage(try TestCore(backend, retention: policies))
        try await stage.makePair()
        try await stage.makeClub()
        let first = try await stage.ann.post("first", to: Cast.club)
        let hello = try await stage.bob.post("hello", to: Cast.annAndBob)
        try await stage.cid.perform(HideChannel(channel: Cast.club))
        for text in ["before", "and"] { try await stage.bob.send(text, to: Cast.club) }
        var old = try await snapshots(stage)
        try await stage.cid.perform(SendMessage(channel: Cast.club, text: "answer", replyTo: first))
        try await stage.ann.perform(SendMessage(channel: Cast.annAndBob, text: "answer", replyTo: hello))
        for round in 0..<6 {
            stage.roost.clock.advance(by: 4)
            await stage.settle()
            try await replay(&old, stage, "round \(round)")
            let sender = round.isMultiple(of: 2) ? stage.bob : stage.cid
            try await sender.send("round \(round)", to: Cast.club)
            if round == 1 { try await stage.ann.send("again", to: Cast.annAndBob) }
            if round == 2 { try await stage.bob.perform(HideChannel(channel: Cast.annAndBob)) }
            if round == 3 { try await stage.bob.perform(EndChannel(channel: Cast.annAndBob)) }
        }
        #expect(try await stage.bob.channel(Cast.annAndBob).lastMessage == nil)
    }

    private func snapshots(_ stage: Stage) async throws -> [Snapshot] {
        await stage.forgetEvents()
        var snapshots: [Snapshot] = []
        for session in stage.all { snapshots.append(try await Snapshot(of: session)) }
        return snapshots
    }

    @Test(arguments: Backend.available, scripts.indices)
    func `an old snapshot and the events make the new snapshot`(backend: Backend, script: Int) async throws {
        let (stage, operatorSession) = try await stage(backend)
        var old = try await snapshots(stage)
        stage.roost.clock.advance(by: 10)
        try await scripts[script].play(stage, operatorSession)
        try await replay(&old, stage, Comment(rawValue: scripts[script].description))
    }

    @Test(arguments: Backend.available)
    func `random histories replay to what the server has`(backend: Backend) async throws {
        var random = SeededNumbers(21)
        for round in 0..<TestLength.rounds(8, long: 20) {
            let (stage, operatorSession) = try await stage(backend)
            var old = try await snapshots(stage)
            var channels = [Cast.annAndBob, Cast.club]
            for step in 0..<60 {
                stage.roost.clock.advance(by: Int64(random.int(0...10)))
                let actor = random.pick(stage.all)
                let id = random.pick(channels)
                let other = random.pick(stage.all).userID
                let role = random.pick(Role.allCases)
                do {
                    switch random.int(0...23) {
                    case 0...4: try await actor.send("\(step)", to: id)
                    case 5...6: try await actor.perform(SetReadMark(channel: id, seq: Int64(random.int(0...12))))
                    case 7: try await operatorSession.perform(AnnounceMessage(channel: id, text: "\(step)"))
                    case 8: try await actor.perform(InviteMembers(channel: id, members: [other]))
                    case 9:
                        let successor = random.int(0...1) == 0 ? nil : other
                        try await actor.perform(LeaveChannel(channel: id, successor: successor))
                    case 10: try await actor.perform(HideChannel(channel: random.int(0...3) == 0 ? nil : id))
                    case 11: try await actor.perform(EndChannel(channel: random.int(0...3) == 0 ? nil : id))
                    case 12:
                        let answer = try await actor.perform(
                            CreateChannel(kind: random.pick([.single, .group]), members: [other]))
                        channels.append(try #require(answer.channel))
                    case 13:
                        let members = [NewMember(other, role: role)]
                        try await actor.perform(InviteMembers(channel: id, members: members))
                    case 14...15:
                        let isAccepted = random.int(0...2) > 0
                        try await actor.perform(AnswerInvitation(channel: id, isAccepted: isAccepted))
                    case 16: try await actor.perform(BecomeMember(channel: id))
                    case 17: try await actor.perform(KickMembers(channel: id, members: [other]))
                    case 18: try await actor.perform(BanMembers(channel: id, members: [other]))
                    case 19: try await actor.perform(UnbanMembers(channel: id, members: [other]))
                    case 20:
                        let role = random.pick([.participant, .moderator, .admin] as [Role])
                        try await actor.perform(SetMemberRole(channel: id, userID: other, role: role))
                    case 21:
                        let profile = random.pick([
                            ChannelProfile(title: "\(step)"), ChannelProfile(canJoin: true),
                            ChannelProfile(history: random.pick(HistoryVisibility.allCases.filter { $0 != .last })),
                            ChannelProfile(history: .last, historyRows: 3), ChannelProfile(minMembers: 2),
                        ])
                        try await actor.perform(SetChannelProfile(channel: id, profile: profile))
                    case 22:
                        try await actor.perform(
                            SetChannelPreference(
                                channel: id, isMuted: random.int(0...1) == 0,
                                nickname: random.int(0...1) == 0 ? "" : "n\(step)"))
                        if random.int(0...5) == 0 { try await actor.perform(DismissChannel(channel: id)) }
                    default:
                        try await actor.perform(StartTyping(channel: id))
                        try await actor.perform(EndTyping(channel: id))
                    }
                } catch is WireError {
                    // Refused, as it should be if the actor is not a member: nothing must have happened.
                }
                if step % 20 == 19 { try await replay(&old, stage, "\(seed), round \(round), step \(step)") }
                if step == 39 { old = try await snapshots(stage) }
            }
        }
    }

    @Test(arguments: Backend.available)
    func `live events, history and resume are the same rows`(backend: Backend) async throws {
        let (stage, operatorSession) = try await stage(backend)
        await stage.forgetEvents()
        for script in scripts.prefix(3) { try await script.play(stage, operatorSession) }
        let live = stage.ann.rows(of: Cast.club)
        let first = try #require(live.first?.seq)
        let history = try await stage.ann.perform(ListMessages(channel: Cast.club, after: first - 1, limit: 100))
        #expect(history.events == live)
        let position = ChannelPosition(channel: Cast.club, seq: first - 1)
        #expect(try await stage.ann.perform(Resume(channels: [position])).events == live)
        let own = stage.dee.events.filter { $0.userSeq != nil }
        #expect(try await stage.dee.perform(Resume(userSeq: 0)).events == own)
    }

    @Test(arguments: Backend.available)
    func `what resume brings to a session that was away is what a session that stayed has received`(
        backend: Backend
    ) async throws {
        for script in scripts {
            let (stage, operatorSession) = try await stage(backend)
            await stage.forgetEvents()
            let start = try await stage.ann.perform(Resume())
            let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
            try await script.play(stage, operatorSession)
            await stage.settle()
            let stayed = tablet.events.filter { $0.seq != nil || $0.userSeq != nil }
            var missed: [Event] = []
            var resume = Resume(epoch: start.epoch, userSeq: start.userSeq, channels: start.channels)
            // Channels in the first answer are followed from where they were joined.
            for _ in 0..<2 {
                let page = try await stage.ann.perform(resume)
                missed += page.events
                resume.channels = []
                for case .user(.channelJoined(let joined)) in page.events.map(\.body) {
                    resume.channels.append(ChannelPosition(channel: joined.channel, seq: joined.fromSeq))
                }
                resume.userSeq = page.userSeq
            }
            let known = Set(missed)
            let left = Set(
                stayed.compactMap {
                    switch $0.body {
                    case .user(.channelLeft(let left)): left.channel
                    case .user(.channelDismissed(let dismissed)): dismissed.channel
                    default: nil
                    }
                })
            let floor = stayed.reduce(into: [ChannelID: Int64]()) { floors, event in
                guard case .user(.channelEnded(let ended)) = event.body else { return }
                for position in ended.channels { floors[position.channel] = position.seq }
            }
            for event in stayed {
                if let id = event.channel, left.contains(id) || (event.seq ?? 0) <= floor[id] ?? 0 { continue }
                #expect(known.contains(event), "\(script): \(event)")
            }
            #expect(known.count == missed.count)
            #expect(known.isSubset(of: Set(stayed)), "\(script)")
        }
    }
}
