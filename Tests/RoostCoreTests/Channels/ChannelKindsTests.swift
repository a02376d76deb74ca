import RoostCore
import RoostTesting
import RoostWire
import Testing

/// How channels of each kind are made, and what each kind can do.
@Suite struct ChannelKindsTests {
    @Test(arguments: Backend.available)
    func `a channel must be there before anything is sent to it [L-20]`(backend: Backend) async throws {
        let stage = try await Stage(backend, isDevelopment: false)
        for id in [Cast.club, Cast.annAndBob, ChannelID(single: Cast.ann.userID, Cast.ann.userID)] {
            #expect(try await stage.ann.refusal(SendMessage(channel: id, text: "x"))?.entry == .channelNotFound)
        }
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
        try await stage.makeClub()
        #expect(try await stage.ann.send("x", to: Cast.club).seq == 1)
    }

    @Test(arguments: Backend.available)
    func `the 1-on-1 of a pair is made once, with equal rights, and both are told of it [L-21]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let first = try await stage.ann.perform(CreateChannel(kind: .single, members: [Cast.bob.userID]))
        let second = try await stage.bob.perform(CreateChannel(kind: .single, members: [Cast.ann.userID]))
        #expect(first.channel == Cast.annAndBob)
        #expect(second.channel == Cast.annAndBob)
        for session in [stage.ann, stage.bob, tablet] {
            #expect(session.events.count == 1)
            guard case .user(.channelJoined(let joined))? = session.events.first?.body else {
                Issue.record("not told")
                return
            }
            #expect(joined.kind == .single)
            #expect(joined.role == .participant)
            #expect(joined.members == [Cast.ann, Cast.bob])
        }
        #expect(stage.cid.events.isEmpty && stage.dee.events.isEmpty)
        let channel = try await stage.bob.channel(Cast.annAndBob)
        #expect(channel.kind == .single)
        #expect(channel.members.map(\.role) == [.participant, .participant])
        #expect(channel.createdBy == nil)
        let unknown = CreateChannel(kind: .single, members: [try user("nobody").userID])
        #expect(try await stage.ann.refusal(unknown)?.entry == .userMissing)
        // A 1-on-1 has neither nicknames nor roles.
        for member in [NewMember(Cast.cid.userID, role: .admin), NewMember(Cast.cid.userID, nickname: "C")] {
            #expect(try await stage.ann.refusal(CreateChannel(kind: .single, members: [member]))?.entry == .dataFormat)
        }
    }

    @Test(arguments: Backend.available)
    func `a 1-on-1 is not dismissed, left, invited to, kicked from or given roles [L-22]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.ann.perform(CreateChannel(kind: .own))
        let bob = Cast.bob.userID
        await stage.forgetEvents()
        for id in [Cast.annAndBob, ChannelID(single: Cast.ann.userID, Cast.ann.userID)] {
            let commands: [any Command] = [
                DismissChannel(channel: id), LeaveChannel(channel: id),
                LeaveChannel(channel: id, successor: bob), KickMembers(channel: id, members: [bob]),
                BanMembers(channel: id, members: [bob]), UnbanMembers(channel: id, members: [bob]),
                SetMemberRole(channel: id, userID: bob, role: .admin), BecomeMember(channel: id),
                AnswerInvitation(channel: id, isAccepted: true),
            ]
            for command in commands {
                #expect(try await stage.ann.refusal(command)?.entry == .channelTypeMismatch, "\(command)")
            }
            #expect(stage.all.allSatisfy { $0.events.isEmpty })
        }
        // Inviting makes a new group; the 1-on-1 stays as it is.
        let invited = try await stage.ann.perform(
            InviteMembers(channel: Cast.annAndBob, members: [Cast.cid.userID]))
        #expect(invited.channel != Cast.annAndBob)
        #expect(try await stage.bob.channel(Cast.annAndBob).memberCount == 2)
        // Hiding is still possible.
        try await stage.ann.perform(HideChannel(channel: Cast.annAndBob))
    }

    @Test(arguments: Backend.available)
    func `a group has its maker's id, subject and members with roles, and all are told [L-23 LCB-4 LR-2]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let create = CreateChannel(
            kind: .group, channel: Cast.club, title: "Club",
            members: [
                NewMember(Cast.bob.userID), NewMember(Cast.cid.userID, role: .moderator, nickname: "Cy"),
            ], profile: ChannelProfile(customAttributes: 1))
        let answer = try await stage.ann.perform(create)
        #expect(answer.channel == Cast.club)
        let cy = User(userID: Cast.cid.userID, name: "Cy")
        for (session, role) in [
            (stage.ann, Role.admin), (tablet, .admin), (stage.bob, .participant), (stage.cid, .moderator),
        ] {
            let row = try #require(session.events.first)
            #expect(session.events.count == 1)
            #expect(
                row.body
                    == .user(
                        .channelJoined(
                            ChannelJoined(
                                channel: Cast.club, kind: .group, title: "Club", role: role,
                                members: [Cast.ann, Cast.bob, cy], memberCount: 3, fromSeq: 0, count: 0,
                                isHidden: false, reason: .created, profile: ChannelProfile(customAttributes: 1)))))
            #expect(row.transID == answer.transID)
            #expect(row.body.messageType == .channelCreated)
            let channel = try await session.channel(Cast.club)
            #expect(channel.members.map(\.role) == [.admin, .participant, .moderator])
            #expect(channel.createdBy == Cast.ann.userID)
        }
        #expect(stage.dee.events.isEmpty)
        #expect(try await stage.dee.refusal(create)?.entry == .channelIDExists)
        func refusal(
            _ id: String, _ members: [NewMember] = [], _ profile: ChannelProfile? = nil
        ) async throws -> ErrorCode? {
            let create = CreateChannel(kind: .group, channel: try channel(id), members: members, profile: profile)
            return try await stage.ann.refusal(create)?.entry
        }
        let both = [NewMember(Cast.bob.userID), NewMember(Cast.cid.userID)]
        #expect(try await refusal("a:b") == .channelIDFormat)
        #expect(try await refusal("new", [NewMember(user("nobody").userID)]) == .userMissing)
        #expect(try await refusal("new", both, ChannelProfile(maxMembers: 2)) == .tooManyMembers)
        #expect(try await refusal("new", both, ChannelProfile(minMembers: 4)) == .tooFewMembers)
        let asked = both.map { NewMember($0.userID, role: .invited) }
        #expect(try await refusal("new", asked, ChannelProfile(minMembers: 2)) == .tooFewMembers)
        let many = try (0..<500).map { NewMember(try user("u\($0)").userID) }
        #expect(try await refusal("new", many) == .tooManyMembers)
        #expect(try await refusal("new", both, ChannelProfile(minMembers: 3, maxMembers: 3)) == nil)
        for (body, code) in [
            (#"{"kind":"group","channel":"a b"}"#, 1101), (#"{"kind":"meeting","channel":"new"}"#, 1103),
        ] {
            let error = #expect(throws: WireError.self) {
                try AnyCommand(name: "channel.create", body: Array(body.utf8))
            }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: Backend.available)
    func `kinds of channels have the numbers of the reference, and others are refused [EN-1]`(
        backend: Backend
    ) async throws {
        let numbers: [ChannelKind: Int] = [
            .single: 1, .open: 2, .group: 4, .own: 102, .corporateNews: 106, .publicNews: 107,
        ]
        #expect(Set(numbers.keys) == Set(ChannelKind.allCases))
        for (kind, number) in numbers {
            #expect(kind.number == number)
            #expect(ChannelKind(number: number) == kind)
        }
        for number in [0, 3, 5, 6, 7, 8, 9, 100, 101, 103, 104, 108, -1] { #expect(ChannelKind(number: number) == nil) }
        for kind in ["community", "Group", "own", ""] {
            for (name, body) in [
                ("channel.create", #"{"kind":"\#(kind)"}"#), ("channel.query", #"{"kinds":["group","\#(kind)"]}"#),
            ] {
                let error = #expect(throws: WireError.self) { try AnyCommand(name: name, body: Array(body.utf8)) }
                #expect(error?.entry == .channelTypeNotSupported, "\(body)")
            }
        }
        let stage = try await Stage(backend)
        try await stage.makePair()
        try await stage.makeClub()
        try await stage.ann.perform(CreateChannel(kind: .own))
        try await stage.ann.send("x", to: Cast.lobby)
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        let expected: [(ChannelID, ChannelKind)] = [
            (Cast.annAndBob, .single), (Cast.club, .group), (own, .own), (Cast.lobby, .open),
        ]
        for (id, kind) in expected { #expect(try await stage.ann.channel(id).kind == kind) }
    }

    @Test(arguments: Backend.available)
    func `a send names its channel and may name the kind; a wrong kind sends nothing [L-50 LO-6]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.ann.send("x", to: Cast.lobby)
        let rooms: [(ChannelID, ChannelKind)] = [
            (Cast.club, .group), (Cast.annAndBob, .single), (Cast.lobby, .open),
        ]
        for (id, kind) in rooms {
            let seq = try await stage.ann.channel(id).seq
            for wrong in ChannelKind.allCases where wrong != kind {
                let send = SendMessage(channel: id, text: "x", kind: wrong)
                #expect(try await stage.ann.refusal(send)?.entry == .channelTypeMismatch, "\(id) \(wrong)")
            }
            #expect(try await stage.ann.channel(id).seq == seq)
            let first = try await stage.ann.perform(SendMessage(channel: id, text: "one", kind: kind), id: "1-\(id)")
            let asked = try #require(first.messageID)
            try await stage.bob.perform(
                SendMessage(channel: id, text: "two", kind: kind, replyTo: asked), id: "2-\(id)")
            // The fields of every message: the command's id, the channel, and the message that is answered.
            let rows = try await stage.ann.log(of: id).suffix(2)
            #expect(rows.map(\.channel) == [id, id])
            #expect(rows.map { $0.transID?.rawValue } == ["1-\(id)", "2-\(id)"])
            #expect(rows.map { $0.message?.replyTo?.messageID } == [nil, asked])
        }
    }

    @Test(arguments: Backend.available)
    func `one conversation or all of them are hidden until something new comes [J-76]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.bob.send("x", to: Cast.annAndBob)
        try await stage.ann.perform(HideChannel(channel: Cast.annAndBob))
        #expect(try await stage.ann.list().map(\.channel) == [Cast.club])
        try await stage.ann.perform(HideChannel())
        #expect(try await stage.ann.list().isEmpty)
        #expect(stage.heard(.channelHidden) == [Cast.ann, Cast.ann])
        try await stage.bob.send("y", to: Cast.annAndBob)
        #expect(try await stage.ann.list().map(\.channel) == [Cast.annAndBob])
        // A change of the group is not a message, so the group stays hidden.
        try await stage.bob.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "Club")))
        #expect(try await stage.ann.list().map(\.channel) == [Cast.annAndBob])
        #expect(try await stage.bob.list().count == 2)
    }

    @Test(arguments: Backend.available)
    func `one conversation or all of them are marked as read [J-78]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.bob.perform(CreateChannel(kind: .group, channel: channel("new"), members: [Cast.ann.userID]))
        for id in [Cast.club, Cast.annAndBob, try channel("new")] { try await stage.bob.send("x", to: id) }
        try await stage.ann.perform(SetReadMark(channel: Cast.club))
        #expect(try await stage.ann.perform(GetUnread()).total == 2)
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 2)
        #expect(try await stage.ann.perform(GetUnread()).channels.isEmpty)
        for channel in try await stage.ann.list() { #expect(channel.unread == 0) }
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 0)
        #expect(try await stage.cid.perform(GetUnread()).total == 1)
    }

    @Test(arguments: Backend.available)
    func `members and open channels are listed in pages without duplicates, open channels also by keyword [J-80]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        for number in 10..<50 {
            let title = number % 15 == 0 ? "Swift \(number)" : "Other \(number)"
            try await stage.ann.perform(
                CreateChannel(kind: .open, channel: channel("room-\(number)"), title: title))
        }
        let swift = try await stage.bob.perform(ListOpenChannels(keyword: "swift"))
        #expect(swift.channels.map(\.title) == ["Swift 15", "Swift 30", "Swift 45"])
        #expect(swift.next == nil)
        var rooms: [ChannelID] = []
        var next: String?
        repeat {
            let page = try await stage.bob.perform(ListOpenChannels(cursor: next))
            rooms += page.channels.map(\.channel)
            next = page.next
        } while next != nil
        #expect(rooms.count == 40 && Set(rooms).count == 40)

        for number in 10..<17 { _ = try await stage.roost.session(user("m\(number)")) }
        let others = try (10..<17).map { try user("m\($0)").userID }
        try await stage.ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: others))
        var members: [UserID] = []
        repeat {
            let page = try await stage.ann.perform(ListMembers(channel: Cast.club, limit: 3, cursor: next))
            members += page.members.map(\.userID)
            next = page.next
        } while next != nil
        #expect(members == [Cast.ann.userID] + others)
    }

    @Test(arguments: Backend.available)
    func `an operator's line reaches every member of a channel [J-81]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        await stage.forgetEvents()
        let answer = try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "Closing at ten"))
        #expect(stage.heard(.messageAnnounced) == [Cast.ann, Cast.bob, Cast.cid])
        let row = try #require(stage.bob.events.first)
        #expect(row.text == "Closing at ten")
        #expect(row.senderID == nil)
        #expect(row.messageID == answer.messageID)
        let announce = AnnounceMessage(channel: Cast.club, text: "x")
        #expect(try await stage.ann.refusal(announce)?.entry == .noPrivilege)
    }

    @Test(arguments: Backend.available)
    func `a user's channel with themselves keeps notes and files, on the user's devices only [L-X2]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        #expect(try await stage.ann.perform(CreateChannel(kind: .own)).channel == own)
        #expect(try await tablet.perform(CreateChannel(kind: .own)).channel == own)
        let file = try await stage.ann.file("plan.pdf", "application/pdf", size: 3)
        try await stage.ann.send("note", to: own)
        try await tablet.perform(SendMessage(channel: own, type: "document", file: file))
        for device in [stage.ann, tablet] {
            #expect(device.rows(of: own).map(\.text) == ["note", ""])
            #expect(try await device.log(of: own).last?.message?.file == file)
            let row = try #require(try await device.list().first)
            #expect(row.channel == own && row.kind == .own && row.memberCount == 1)
            #expect(row.lastMessage?.message?.file == file)
            #expect(try await device.perform(GetUnread()).total == 0)
        }
        for session in [stage.bob, stage.cid] {
            #expect(session.events.isEmpty)
            #expect(try await session.refusal(ListMessages(channel: own))?.entry == .channelNotFound)
            #expect(try await session.refusal(SendMessage(channel: own, text: "x"))?.entry == .channelNotFound)
        }
    }
}

/// How many members of a group are connected.
@Suite struct ActiveCountsTests {
    private func counts(_ session: TestSession) -> [ActiveCountChanged] {
        session.drainEvents().compactMap {
            if case .ephemeral(.channelActiveCountChanged(let body)) = $0.body { body } else { nil }
        }
    }

    /// Advances to the next announcement.
    private func wait(_ stage: Stage) async {
        stage.roost.clock.advance(by: 5_000)
        await stage.settle()
    }

    @Test(arguments: Backend.available)
    func `that two of three members are connected is told live and not stored [L-109 LT-1106]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        stage.roost.disconnect(stage.cid)
        let before = try await stage.ann.channel(Cast.club)
        let page = try await stage.ann.perform(Resume(userSeq: 0))
        await stage.forgetEvents()
        await wait(stage)
        #expect(stage.heard(.channelActiveCountChanged) == [Cast.ann, Cast.bob])
        let event = try #require(stage.ann.events.first)
        #expect(event.channel == Cast.club)
        #expect(event.seq == nil && event.userSeq == nil)
        #expect(event.body.messageType?.number == 1106)
        #expect(event.body.behaviour == MessageType.numbered(1106)?.behaviour())
        #expect(event.body.behaviour?.isStored == false)
        for session in [stage.ann, stage.bob] {
            #expect(counts(session) == [ActiveCountChanged(active: 2, memberCount: 3)])
        }
        #expect(try await stage.ann.channel(Cast.club) == before)
        #expect(try await stage.ann.perform(Resume(userSeq: 0)) == page)
        #expect(try await stage.ann.log(of: Cast.club).isEmpty)
        // A second device belongs to the same member, and an unchanged number is not sent again.
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        await wait(stage)
        #expect(counts(tablet).isEmpty)
        let cid = try await stage.roost.session(Cast.cid)
        await wait(stage)
        for session in [tablet, cid, stage.bob] {
            #expect(counts(session) == [ActiveCountChanged(active: 3, memberCount: 3)])
        }
    }

    @Test func `if counting fails, the next announcement counts again`() async throws {
        let (inner, resource) = try Backend.memory.makeDatabase()
        let database = FaultyDatabase(inner)
        // No other work is due; otherwise its commit would be the one that fails.
        let stage = try await Stage(try TestCore(database: database, retentionInterval: 3_600_000))
        try await stage.makeClub()
        await wait(stage)
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 5_000)
        // The connection is lost, and then the database.
        database.failCommits(nil, .unavailable)
        stage.roost.disconnect(stage.cid)
        await stage.settle()
        #expect(counts(stage.ann).isEmpty)
        await wait(stage)
        #expect(counts(stage.ann) == [ActiveCountChanged(active: 2, memberCount: 3)])
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `large groups and 1-on-1s are not counted`(backend: Backend) async throws {
        var limits = Limits.withoutRates
        limits.activeCountMembers = 2
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        try await stage.makePair()
        await stage.forgetEvents()
        await wait(stage)
        #expect(stage.all.allSatisfy { $0.events.isEmpty })
    }
}
