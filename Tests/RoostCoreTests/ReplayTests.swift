import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ReplayTests {
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

    @Test(arguments: Backend.available, replayScripts.indices)
    func `an old snapshot and the events make the new snapshot`(backend: Backend, script: Int) async throws {
        let (stage, operatorSession) = try await Stage.forReplay(TestCore(backend))
        var old = try await snapshots(stage)
        stage.roost.clock.advance(by: 10)
        try await replayScripts[script].play(stage, operatorSession)
        try await replay(&old, stage, Comment(rawValue: replayScripts[script].description))
    }

    @Test(arguments: Backend.available)
    func `random histories replay to what the server has`(backend: Backend) async throws {
        var random = SeededNumbers(21)
        for round in 0..<TestLength.rounds(8, long: 20) {
            let (stage, operatorSession) = try await Stage.forReplay(TestCore(backend))
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
        let (stage, operatorSession) = try await Stage.forReplay(TestCore(backend))
        await stage.forgetEvents()
        for script in replayScripts.prefix(3) { try await script.play(stage, operatorSession) }
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
        for script in replayScripts {
            let (stage, operatorSession) = try await Stage.forReplay(TestCore(backend))
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
