import RoostCore
import RoostTesting
import RoostWire
import Testing
import WireExamples

/// A command with a key, sent twice, and another one that misuses its key.
private struct Row: Sendable {
    var command: AnyCommand
    var other: AnyCommand
    /// Whether its key is stored; leaving an open channel is ephemeral.
    var isKept = true
}

private let table: [Row] = {
    let bob = Cast.bob.userID
    let dee = Cast.dee.userID
    return [
        Row(
            command: .write(.createChannel(CreateChannel(kind: .group, title: "A", members: [bob]))),
            other: .write(.createChannel(CreateChannel(kind: .group, title: "B", members: [bob])))),
        Row(
            command: .write(.createFile(CreateFile(name: "a", size: 1))),
            other: .write(.createFile(CreateFile(name: "a", size: 2)))),
        Row(
            command: .write(.createChannel(CreateChannel(kind: .single, members: [dee]))),
            other: .write(.createChannel(CreateChannel(kind: .single, members: [bob])))),
        Row(
            command: .write(.createChannel(CreateChannel(kind: .open, title: "A"))),
            other: .write(.createChannel(CreateChannel(kind: .open)))),
        Row(
            command: .write(.sendMessage(SendMessage(channel: Cast.club, text: "one"))),
            other: .write(.sendMessage(SendMessage(channel: Cast.club, text: "two")))),
        Row(
            command: .write(
                .sendMessage(
                    SendMessage(
                        channel: Cast.annAndBob, text: "@Bob", mentions: [Mention(userID: bob, start: 0, length: 4)]))),
            other: .write(
                .sendMessage(
                    SendMessage(
                        channel: Cast.annAndBob, text: "@Bob", mentions: [Mention(userID: bob, start: 0, length: 3)])))),
        Row(
            command: .write(.sendMessage(SendMessage(channel: Cast.lobby, text: "one"))),
            other: .write(.sendMessage(SendMessage(channel: Cast.club, text: "one")))),
        Row(
            command: .write(
                .sendMany(
                    SendMany(
                        messages: [MessageContent(text: "one"), MessageContent(text: "two")],
                        channels: [Cast.club, Cast.annAndBob, Cast.lobby]))),
            other: .write(.sendMany(SendMany(messages: [MessageContent(text: "one")], channels: [Cast.club])))),
        Row(
            command: .write(
                .createSchedule(
                    CreateSchedule(
                        messages: [MessageContent(text: "one")], channels: [Cast.club],
                        sendAt: .init(milliseconds: tomorrow)))),
            other: .write(
                .createSchedule(
                    CreateSchedule(
                        messages: [MessageContent(text: "one")], channels: [Cast.club],
                        sendAt: .init(milliseconds: tomorrow + 1))
                ))),
        // Nobody receives it: the messages that it sends do not have this command's key.
        Row(
            command: .write(
                .createBroadcast(
                    CreateBroadcast(
                        senderID: bob, messages: [MessageContent(text: "one")], segment: .users([hermit])))),
            other: .write(
                .createBroadcast(
                    CreateBroadcast(
                        senderID: bob, messages: [MessageContent(text: "two")], segment: .users([hermit]))))),
        Row(
            command: .write(
                .createSchedule(
                    CreateSchedule(
                        channels: [Cast.club], sendAt: .init(milliseconds: tomorrow), subject: "one", vote: .between(2))
                )),
            other: .write(
                .createSchedule(
                    CreateSchedule(
                        channels: [Cast.club], sendAt: .init(milliseconds: tomorrow), subject: "one", vote: .between(3))
                ))),
        Row(
            command: .write(.createVote(CreateVote(channel: Cast.club, subject: "one", vote: .between(2)))),
            other: .write(.createVote(CreateVote(channel: Cast.club, subject: "one", vote: .between(3))))),
        Row(
            command: .write(.announceMessage(AnnounceMessage(channel: Cast.club, text: "one"))),
            other: .write(.sendMessage(SendMessage(channel: Cast.club, text: "one")))),
        Row(
            command: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [dee]))),
            other: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [bob])))),
        Row(
            command: .write(.inviteMembers(InviteMembers(channel: Cast.annAndBob, members: [dee]))),
            other: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [dee])))),
        Row(
            command: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [bob]))),
            other: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [dee])))),
        Row(
            command: .write(.leaveChannel(LeaveChannel(channel: Cast.club))),
            other: .write(.leaveChannel(LeaveChannel(channel: Cast.lobby)))),
        Row(
            command: .write(.leaveChannel(LeaveChannel(channel: Cast.club, successor: bob))),
            other: .write(.leaveChannel(LeaveChannel(channel: Cast.club, successor: Cast.cid.userID)))),
        Row(
            command: .write(.leaveChannel(LeaveChannel(channel: Cast.lobby))),
            other: .write(.leaveChannel(LeaveChannel(channel: Cast.club))), isKept: false),
        Row(
            command: .write(.hideChannel(HideChannel(channel: Cast.club))),
            other: .write(.hideChannel(HideChannel(channel: Cast.annAndBob)))),
        Row(command: .write(.hideChannel(HideChannel())), other: .write(.hideChannel(HideChannel(channel: Cast.club)))),
        Row(
            command: .write(.endChannel(EndChannel(channel: Cast.annAndBob))),
            other: .write(.hideChannel(HideChannel(channel: Cast.annAndBob)))),
        Row(command: .write(.endChannel(EndChannel(channel: Cast.club))), other: .write(.endChannel(EndChannel()))),
        Row(
            command: .write(.endChannel(EndChannel())), other: .write(.endChannel(EndChannel(channel: Cast.annAndBob)))),
    ] + ofMembers + ofChannels
}()

private let ofMembers: [Row] = {
    let (bob, cid, dee) = (Cast.bob.userID, Cast.cid.userID, Cast.dee.userID)
    let asked = [NewMember(dee, role: .invited)]
    return [
        Row(
            command: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: asked))),
            other: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [dee])))),
        Row(
            command: .write(
                .inviteMembers(
                    InviteMembers(channel: Cast.club, members: [NewMember(dee, nickname: "D")], joinMethod: .userCode))),
            other: .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [NewMember(dee, nickname: "D")])))),
        Row(
            command: .write(.answerInvitation(AnswerInvitation(channel: hall, isAccepted: true))),
            other: .write(.answerInvitation(AnswerInvitation(channel: hall, isAccepted: false)))),
        Row(
            command: .write(.answerInvitation(AnswerInvitation(channel: hall, isAccepted: false))),
            other: .write(.answerInvitation(AnswerInvitation(channel: hall, isAccepted: true)))),
        Row(
            command: .write(.becomeMember(BecomeMember(channel: door, joinMethod: .userCode, byUserID: bob))),
            other: .write(.becomeMember(BecomeMember(channel: door)))),
        Row(
            command: .write(.becomeMember(BecomeMember(channel: Cast.club))),
            other: .write(.becomeMember(BecomeMember(channel: door)))),
        Row(
            command: .write(.kickMembers(KickMembers(channel: Cast.club, members: [cid], reason: 7))),
            other: .write(.kickMembers(KickMembers(channel: Cast.club, members: [cid])))),
        // Two rows of the log: one for the member, one for the invited user.
        Row(
            command: .write(.kickMembers(KickMembers(channel: cell, members: [bob, cid]))),
            other: .write(.kickMembers(KickMembers(channel: cell, members: [cid, bob])))),
        Row(
            command: .write(.banMembers(BanMembers(channel: Cast.club, members: [cid, dee]))),
            other: .write(.kickMembers(KickMembers(channel: Cast.club, members: [cid, dee])))),
        Row(
            command: .write(.banMembers(BanMembers(channel: cell, members: [dee]))),
            other: .write(.banMembers(BanMembers(channel: cell, members: [bob])))),
        Row(
            command: .write(.unbanMembers(UnbanMembers(channel: cell, members: [dee]))),
            other: .write(.unbanMembers(UnbanMembers(channel: cell, members: [bob])))),
        Row(
            command: .write(.setMemberRole(SetMemberRole(channel: Cast.club, userID: cid, role: .moderator))),
            other: .write(.setMemberRole(SetMemberRole(channel: Cast.club, userID: cid, role: .admin)))),
        Row(
            command: .write(
                .banMembers(
                    BanMembers(channel: Cast.club, members: [dee], bannedUntil: .init(milliseconds: 9_000_000_000_000)))
            ),
            other: .write(.banMembers(BanMembers(channel: Cast.club, members: [dee])))),
        Row(
            command: .write(.banMembers(BanMembers(channel: yard, members: [dee]))),
            other: .write(.banMembers(BanMembers(channel: yard, members: [bob])))),
        Row(
            command: .write(.createReport(CreateReport(userID: bob, text: "x"))),
            other: .write(.createReport(CreateReport(userID: bob, text: "y")))),
        Row(command: .write(.blockUser(BlockUser(userID: bob))), other: .write(.unblockUser(UnblockUser(userID: bob)))),
        Row(
            command: .write(.setUserProfile(SetUserProfile(profile: UserProfile(name: "x")))),
            other: .write(.setUserProfile(SetUserProfile(profile: UserProfile(imageURL: "x"))))),
        Row(
            command: .write(.setUserSettings(SetUserSettings(invitesFrom: .contacts))),
            other: .write(.setUserSettings(SetUserSettings(invitesFrom: .nobody)))),
        Row(
            command: .write(.setDeviceAddress(SetDeviceAddress(address: address("one"), removesOthers: true))),
            other: .write(.setDeviceAddress(SetDeviceAddress(address: address("two"))))),
        Row(
            command: .write(.setDeviceSettings(SetDeviceSettings(mutesAll: true))),
            other: .write(.setDeviceSettings(SetDeviceSettings(mutesAll: false)))),
        Row(
            command: .write(.removeDevice(RemoveDevice())),
            other: .write(.removeDevice(RemoveDevice(deviceID: "other")))),
        Row(
            command: .write(.endLogins(EndLogins(deviceID: "other"))),
            other: .write(.endLogins(EndLogins(deviceID: "another")))),
        Row(
            command: .write(.setUserAccess(SetUserAccess(userID: dee, canCall: false))),
            other: .write(.setUserAccess(SetUserAccess(userID: dee, canCall: true)))),
        Row(
            command: .write(.deleteUser(DeleteUser(userID: "fay"))),
            other: .write(.deleteUser(DeleteUser(userID: "fay", deletesMessages: true)))),
        Row(
            command: .write(
                .createKey(CreateKey(key: "a", hash: String(repeating: "0", count: 64), scopes: [.accounts]))),
            other: .write(.createKey(CreateKey(key: "b", hash: String(repeating: "0", count: 64), scopes: [.accounts])))
        ),
        Row(command: .write(.revokeKey(RevokeKey(key: "a"))), other: .write(.revokeKey(RevokeKey(key: "b")))),
        Row(command: .write(.blockUser(BlockUser(userID: cid))), other: .write(.blockUser(BlockUser(userID: bob)))),
        Row(command: .write(.unblockUser(UnblockUser(userID: cid))), other: .write(.blockUser(BlockUser(userID: cid)))),
        Row(
            command: .write(.unblockUser(UnblockUser(userID: bob))),
            other: .write(.unblockUser(UnblockUser(userID: dee)))),
    ]
}()

private let ofChannels: [Row] = {
    let title = ChannelProfile(title: "A")
    return [
        Row(
            command: .write(
                .createChannel(
                    CreateChannel(
                        kind: .group, channel: hallway, title: "A",
                        members: [
                            NewMember(Cast.bob.userID, role: .admin), NewMember(Cast.dee.userID, role: .invited),
                        ], profile: ChannelProfile(canJoin: true)))),
            other: .write(.createChannel(CreateChannel(kind: .group, channel: hallway)))),
        Row(
            command: .write(.setChannelProfile(SetChannelProfile(channel: Cast.club, profile: title))),
            other: .write(.setChannelProfile(SetChannelProfile(channel: cell, profile: title)))),
        Row(
            command: .write(
                .setChannelProfile(
                    SetChannelProfile(channel: Cast.club, profile: ChannelProfile(customAttributes: 0)))),
            other: .write(.setChannelProfile(SetChannelProfile(channel: Cast.club, profile: title)))),
        Row(
            command: .write(.setChannelPreference(SetChannelPreference(channel: Cast.club, isMuted: true))),
            other: .write(.setChannelPreference(SetChannelPreference(channel: Cast.club, isMuted: false)))),
        Row(
            command: .write(
                .setChannelPreference(
                    SetChannelPreference(channel: Cast.club, ringtone: "bell", nickname: "Annie"))),
            other: .write(.setChannelPreference(SetChannelPreference(channel: Cast.club, ringtone: "bell")))),
        Row(
            command: .write(.dismissChannel(DismissChannel(channel: Cast.club))),
            other: .write(.dismissChannel(DismissChannel(channel: cell)))),
        Row(
            command: .write(.deleteMessages(DeleteMessages(allIn: Cast.club))),
            other: .write(.deleteMessages(DeleteMessages(allIn: Cast.annAndBob)))),
        Row(
            command: .write(.deleteMessages(.everything)),
            other: .write(.deleteMessages(DeleteMessages(allIn: Cast.club)))),
        Row(
            command: .write(.unsetReadMark(UnsetReadMark(channel: Cast.club))),
            other: .write(.unsetReadMark(UnsetReadMark(channel: Cast.annAndBob)))),
    ]
}()

/// One day after the initial time of the clock.
private let tomorrow = TestClock().now + 86_400_000

/// A user that the server does not know.
private let hermit = UserID(rawValue: "hermit") ?? Cast.dee.userID

private func address(_ token: String) -> PushAddress { PushAddress(gateway: .webhook, token: token) }

private func room(_ name: String) -> ChannelID { ChannelID(rawValue: name) ?? Cast.club }

/// A group of Bob's to which Ann is invited.
private let hall = room("hall")
/// A group that nobody has created yet.
private let hallway = room("hallway")
/// A group of Bob's that anybody may join.
private let door = room("door")
/// A group of Ann's with Bob; Cid is invited and Dee is banned.
private let cell = room("cell")

/// An open channel in which nobody takes part.
private let yard = room("yard")

private func name(_ command: AnyCommand) -> String { command.name }

/// Everything durable that the members can read.
private func state(_ stage: Stage) async throws -> [String] {
    var lines: [String] = []
    for session in stage.all {
        let list = try await session.perform(ListChannels(limit: 100))
        let page = try await session.perform(Resume(userSeq: 0))
        let blocked = try await session.perform(ListBlockedUsers())
        let invitations = try await session.perform(QueryChannels(roles: [.invited]))
        let schedules = try await session.perform(ListSchedules()).schedules
        lines.append("\(try await session.perform(GetDevice())) \(try await session.perform(ListDevices()))")
        lines.append("\(session.userID) \(list) \(page) \(blocked) \(invitations.channels) \(schedules)")
        for id in page.channels.map(\.channel) { lines.append("\(try await session.log(of: id))") }
    }
    lines.append("\(try await stage.dee.perform(ListOpenChannels(limit: 100)))")
    return lines
}

@Suite struct TwiceTests {
    private func stage(_ database: any SQLDatabase) async throws -> Stage {
        let stage = try await Stage(try TestCore(database: database))
        try await stage.makePair()
        try await stage.makeClub()
        for session in stage.all { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let (ann, bob) = (stage.ann, stage.bob)
        try await ann.send("before", to: yard)
        try await ann.perform(SetMemberRole(channel: Cast.club, userID: bob.userID, role: .admin))
        try await bob.perform(
            CreateChannel(kind: .group, channel: hall, members: [NewMember(ann.userID, role: .invited)]))
        try await bob.perform(CreateChannel(kind: .group, channel: door, profile: ChannelProfile(canJoin: true)))
        let others = [NewMember(bob.userID), NewMember(Cast.cid.userID, role: .invited)]
        try await ann.perform(CreateChannel(kind: .group, channel: cell, members: others))
        try await ann.perform(BanMembers(channel: cell, members: [Cast.dee.userID]))
        try await ann.perform(BlockUser(userID: Cast.cid.userID))
        try await ann.perform(SetDeviceAddress(address: address("before")))
        try await stage.bob.send("before", to: Cast.club)
        try await stage.bob.send("before", to: Cast.annAndBob)
        let now = stage.roost.clock.now
        let access = Access(tokenID: "other", issuedAt: now, expiresAt: now + 3_600_000)
        stage.roost.disconnect(try await stage.roost.session(Cast.ann, device: "other", access: access))
        let fay = try await stage.roost.session(user("fay"))
        try await fay.perform(CreateChannel(kind: .group, channel: try channel("of-fay"), members: [bob.userID]))
        await stage.forgetEvents()
        return stage
    }

    private func handle(_ command: AnyCommand, id: String, from session: TestSession, _ roost: TestCore) async -> Reply
    {
        var actor = session.actor
        actor.isOperator = true
        return await roost.core.handle(command, id: id, from: actor)
    }

    /// The encoded answer.
    private func answer(
        _ command: AnyCommand, id: String, from session: TestSession, _ roost: TestCore
    ) async throws -> String {
        switch await handle(command, id: id, from: session, roost) {
        case .accepted(let json): String(decoding: json, as: UTF8.self)
        case .refused(let error): throw error
        }
    }

    private func code(_ reply: Reply) -> ErrorCode? {
        if case .refused(let error) = reply { error.entry } else { nil }
    }

    @Test func `every command with a key is in the table`() throws {
        let keyed = try Examples.exchanges().map(\.frame.command).filter { $0.effect == .writes }.map(name)
        // A command that names an id created by the server cannot be in a table; it has separate tests.
        let others: Set = [
            "message.recall", "message.forward", "vote.cast", "vote.close", "reaction.add", "reaction.remove",
            "pin.add", "pin.remove",
            "schedule.change", "schedule.cancel", "file.delete",
            "news.publish", "report.close",
            "broadcast.pause", "broadcast.resume", "broadcast.cancel",
            // These go over HTTP: see AccountsTests.
            "account.register", "account.set",
        ]
        #expect(Set(table.map { name($0.command) }) == Set(keyed).subtracting(others))
        for row in table { #expect(row.command.effect == .writes) }
    }

    @Test(arguments: Backend.essential)
    func `a command sent twice happens once and gets the first answer again, after a restart too`(
        backend: Backend
    ) async throws {
        for row in table {
            let (database, folder) = try backend.makeDatabase()
            let stage = try await stage(database)
            let first = try await answer(row.command, id: "twice", from: stage.ann, stage.roost)
            await stage.settle()
            let events = stage.all.map(\.events)
            let before = try await state(stage)
            stage.roost.clock.advance(by: 1_000)
            let second = try await answer(row.command, id: "twice", from: stage.ann, stage.roost)
            if row.isKept { #expect(second == first, "\(row.command)") }
            await stage.settle()
            #expect(stage.all.map(\.events) == events, "\(row.command)")
            #expect(try await state(stage) == before, "\(row.command)")
            if row.isKept {
                let other = await handle(row.other, id: "twice", from: stage.ann, stage.roost)
                #expect(code(other) == .duplicateTransID, "\(row.other)")
            }
            await stage.roost.core.stop()

            let later = try await Stage(try TestCore(database: database))
            for session in later.all { try await session.perform(JoinChannel(channel: Cast.lobby)) }
            let third = try await answer(row.command, id: "twice", from: later.ann, later.roost)
            if row.isKept {
                #expect(third == first, "\(row.command)")
                let abuse = await handle(row.other, id: "twice", from: later.ann, later.roost)
                #expect(code(abuse) == .duplicateTransID, "\(row.other)")
            }
            await later.settle()
            #expect(later.all.allSatisfy { $0.events.isEmpty }, "\(row.command)")
            // The key belongs to the user: another one may use the same.
            let send = SendMessage(channel: Cast.lobby, text: "mine")
            #expect(code(await handle(.write(.sendMessage(send)), id: "twice", from: later.bob, later.roost)) == nil)
            await later.roost.core.stop()
            withExtendedLifetime(folder) {}
        }
    }

    @Test(arguments: Backend.essential)
    func `the id of a command comes back in its answer and in every row that it makes [L-14]`(
        backend: Backend
    ) async throws {
        var rows = 0
        for row in table {
            let (database, folder) = try backend.makeDatabase()
            let stage = try await stage(database)
            let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
            let answer = try await answer(row.command, id: "mine", from: stage.ann, stage.roost)
            #expect(answer.contains(#""transID":"mine""#), "\(row.command)")
            await stage.settle()
            for device in stage.all + [tablet] {
                for event in device.events where event.seq != nil || event.userSeq != nil {
                    #expect(event.transID?.rawValue == "mine", "\(row.command): \(event.name)")
                    rows += 1
                }
            }
            await stage.roost.core.stop()
            withExtendedLifetime(folder) {}
        }
        #expect(rows > 100)
    }

    @Test(arguments: Backend.essential)
    func `a command sent by two devices at once happens once`(backend: Backend) async throws {
        for row in table where row.isKept {
            let (database, folder) = try backend.makeDatabase()
            let stage = try await stage(database)
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await self.answer(row.command, id: "twice", from: stage.ann, stage.roost) }
                }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(Set(answers).count == 1, "\(row.command)")
            await stage.settle()
            for session in stage.all {
                let keyed = session.events.filter { $0.transID?.rawValue == "twice" }
                let places = keyed.map { "\($0.channel?.rawValue ?? "") \($0.seq ?? 0) \($0.userSeq ?? 0)" }
                #expect(Set(places).count == places.count, "\(row.command)")
            }
            await stage.roost.core.stop()
            withExtendedLifetime(folder) {}
        }
    }

    @Test(arguments: Backend.essential)
    func `giving a field its default value does not make another command`(
        backend: Backend
    ) async throws {
        let (bob, cid, dee) = (Cast.bob.userID, Cast.cid.userID, Cast.dee.userID)
        func send(_ json: String) throws -> AnyCommand {
            .write(.sendMessage(try WireCodec.decode(SendMessage.self, from: Array(json.utf8))))
        }
        let pairs: [(AnyCommand, AnyCommand)] = [
            (
                try send(#"{"channel":"club","text":"one"}"#),
                try send(#"{"channel":"club","type":"text","text":"one","replyTo":null}"#)
            ),
            (
                try send(#"{"channel":"club","text":"one","category":"c"}"#),
                try send(#"{"channel":"club","type":"text","text":"one","category":"c"}"#)
            ),
            (
                .write(.kickMembers(KickMembers(channel: Cast.club, members: [bob]))),
                .write(.kickMembers(KickMembers(channel: Cast.club, members: [bob], reason: 0)))
            ),
            (
                .write(.banMembers(BanMembers(channel: Cast.club, members: [cid]))),
                .write(.banMembers(BanMembers(channel: Cast.club, members: [cid], reason: 0)))
            ),
            (
                .write(.inviteMembers(InviteMembers(channel: Cast.club, members: [NewMember(dee)]))),
                .write(
                    .inviteMembers(
                        InviteMembers(
                            channel: Cast.club, members: [NewMember(dee, role: .participant)], joinMethod: .normal)))
            ),
            (
                .write(.createChannel(CreateChannel(kind: .group, title: "A", members: [NewMember(bob)]))),
                .write(
                    .createChannel(
                        CreateChannel(
                            kind: .group, title: "A", members: [NewMember(bob, role: .participant)],
                            profile: ChannelProfile())))
            ),
        ]
        for (number, pair) in pairs.enumerated() {
            for (first, second) in [(pair.0, pair.1), (pair.1, pair.0)] {
                let (database, folder) = try backend.makeDatabase()
                let stage = try await stage(database)
                let answer = try await answer(first, id: "once", from: stage.ann, stage.roost)
                #expect(try await self.answer(second, id: "once", from: stage.ann, stage.roost) == answer, "\(number)")
                await stage.roost.core.stop()
                withExtendedLifetime(folder) {}
            }
        }
    }

    @Test(arguments: Backend.essential)
    func `a recall sent twice happens once and returns the result of each message again`(
        backend: Backend
    ) async throws {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await stage(database)
        let message = try #require(try await stage.ann.send("secret", to: Cast.club).messageID)
        let missing = MessageID(sentAt: 1, seq: 1, salt: 1)
        let recall = RecallMessages(channel: Cast.club, messageIDs: [message, missing])
        let first = try await stage.ann.perform(recall, id: "twice")
        #expect(first.results.map(\.code) == [0, 1118])
        await stage.settle()
        let events = stage.all.map(\.events)
        #expect(try await stage.ann.perform(recall, id: "twice") == first)
        await stage.settle()
        #expect(stage.all.map(\.events) == events)
        let other = RecallMessages(channel: Cast.club, messageIDs: [message])
        #expect(try await stage.ann.refusal(other, id: "twice")?.entry == .duplicateTransID)
        await stage.roost.core.stop()
        let later = try await Stage(try TestCore(database: database))
        #expect(try await later.ann.perform(recall, id: "twice") == first)
        await later.roost.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.essential)
    func `a change to a broadcast sent twice under one key happens once, after a restart too`(
        backend: Backend
    ) async throws {
        let (database, folder) = try backend.makeDatabase()
        let roost = try TestCore(database: database)
        let boss = try await roost.session(user("op"), isOperator: true)
        _ = try await roost.session(Cast.ann)
        func paused() async throws -> BroadcastID {
            // More than fits into one turn.
            let unknown = (0..<30).compactMap { UserID(rawValue: "stranger-\($0)") }
            let made = try await boss.broadcast(["x"], from: Cast.ann, to: .users(unknown))
            return try await boss.perform(PauseBroadcast(broadcastID: made.broadcastID)).broadcast.broadcastID
        }
        let ids = [try await paused(), try await paused()]
        func answers(_ session: TestSession) async throws -> [BroadcastAnswer] {
            [
                try await session.perform(ResumeBroadcast(broadcastID: ids[0]), id: "resume"),
                try await session.perform(PauseBroadcast(broadcastID: ids[0]), id: "pause"),
                try await session.perform(CancelBroadcast(broadcastID: ids[0]), id: "cancel"),
            ]
        }
        let first = try await answers(boss)
        #expect(first.map(\.broadcast.state) == [.running, .paused, .cancelled])
        roost.clock.advance(by: 1_000)
        #expect(try await answers(boss) == first)
        #expect(try await boss.refusal(CancelBroadcast(broadcastID: ids[1]), id: "resume")?.entry == .duplicateTransID)
        #expect(try await boss.refusal(ResumeBroadcast(broadcastID: ids[1]), id: "resume")?.entry == .duplicateTransID)
        let other = try await boss.broadcast(ids[1])
        await roost.core.stop()
        let later = try TestCore(database: database)
        let again = try await later.session(user("op"), isOperator: true)
        #expect(try await answers(again) == first)
        #expect(try await again.broadcast(ids[0]).state == .cancelled)
        #expect(try await again.broadcast(ids[1]) == other)
        await later.core.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Backend.essential)
    func `a refused command may be tried again under its key`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let invite = InviteMembers(channel: Cast.club, members: [Cast.dee.userID])
        #expect(try await stage.ann.refusal(invite, id: "again")?.entry == .channelNotFound)
        let send = SendMessage(channel: Cast.annAndBob, text: "x")
        #expect(try await stage.ann.refusal(send, id: "again")?.entry == .channelNotFound)
        try await stage.makeClub()
        let first = try await stage.ann.perform(invite, id: "again")
        #expect(try await stage.ann.perform(invite, id: "again") == first)
        try await stage.makePair()
        #expect(try await stage.ann.refusal(send, id: "again")?.entry == .duplicateTransID)
        #expect(try await stage.ann.channel(Cast.club).seq == 1)
    }

    @Test(arguments: Backend.essential)
    func `the commands without a key may be sent again and again`(backend: Backend) async throws {
        let (database, folder) = try backend.makeDatabase()
        let stage = try await stage(database)
        let commands: [AnyCommand] = [
            .move(.joinChannel(JoinChannel(channel: Cast.lobby))), .move(.setReadMark(SetReadMark(channel: Cast.club))),
            .move(.setAllReadMarks(SetAllReadMarks())), .move(.startTyping(StartTyping(channel: Cast.club))),
            .move(.endTyping(EndTyping(channel: Cast.club))),
        ]
        let moving = try Examples.exchanges().map(\.frame.command).filter { $0.effect == .moves }.map(name)
        #expect(Set(commands.map(name)) == Set(moving))
        for command in commands { _ = await handle(command, id: "same", from: stage.ann, stage.roost) }
        let before = try await state(stage)
        for command in commands + commands {
            #expect(code(await handle(command, id: "same", from: stage.ann, stage.roost)) == nil)
        }
        #expect(try await state(stage) == before)
        // None of them used up the key.
        let send = SendMessage(channel: Cast.lobby, text: "x")
        #expect(code(await handle(.write(.sendMessage(send)), id: "same", from: stage.ann, stage.roost)) == nil)
        await stage.roost.core.stop()
        withExtendedLifetime(folder) {}
    }
}
