import RoostWire
import Testing

@testable import RoostClient

/// How a client handles the events of channels, members and messages, table by table.
@Suite struct MembershipEventsTests {
    let ann = Names.ann
    let ben = Names.ben.userID
    let group = Names.group

    private func rig() throws -> Rig {
        var rig = Rig(me: ann)
        rig.server.members = [group]
        try rig.connect()
        return rig
    }

    private func updates(_ rig: Rig) -> [ChannelID] {
        rig.events.compactMap { if case .channelUpdated(let id) = $0 { id } else { nil } }
    }

    private func losses(_ rig: Rig) -> [ChannelID] {
        rig.events.compactMap { if case .left(let id) = $0 { id } else { nil } }
    }

    private func names(_ rig: Rig) -> [String] {
        rig.events.compactMap { if case .event(let event, _) = $0 { event.name } else { nil } }
    }

    // MARK: Rows that the user may not see

    @Test(
        arguments: [
            // The hidden ones of rows 1 to 9, all of which a device has missed.
            [], [2, 3], [1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 8], [8],
        ] as [[Int64]])
    func `rows that the user may not see fill a gap as numbers [L-83 L-87]`(hidden: [Int64]) throws {
        var rig = try rig()
        for number in 1...8 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.outbox = []
        rig.server.hidden[group] = Set(hidden)
        rig.server.write("9", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == Array(1...9))
        let numbers = rig.events.compactMap { event in
            if case .event(let row, _) = event, row.name == "row.removed" { row.seq } else { nil }
        }
        #expect(numbers == hidden)
        #expect(rig.machine.gapped.isEmpty)
        #expect(rig.machine.logs[.channel(group)]?.seq == 9)
        #expect(!rig.events.contains { if case .reset = $0 { true } else { false } })
        rig.server.write("10", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == Array(1...10))
    }

    @Test func `a gap of only hidden rows is closed by their numbers`() throws {
        var rig = try rig()
        for number in 1...3 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.outbox = []
        rig.server.hide(1, 2, 3, in: group)
        rig.server.heartbeat()
        try rig.settle()
        #expect(rig.server.commands == ["hello", "resume", "resume"])
        #expect(names(rig) == ["row.removed", "row.removed", "row.removed"])
        #expect(rig.rows(of: group) == [1, 2, 3])
        #expect(rig.machine.gapped.isEmpty)
        rig.server.write("4", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2, 3, 4])
    }

    @Test func `a row that was held is not handed over if it has gone meanwhile`() throws {
        var rig = try rig()
        for number in 1...3 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.outbox.removeFirst(2)
        rig.carryToClient()
        rig.server.hide(2, 3, in: group)
        rig.server.write("4", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2, 3, 4])
        #expect(names(rig) == ["message.sent", "row.removed", "row.removed", "message.sent"])
        #expect(rig.machine.logs[.channel(group)]?.seq == 4)
    }

    @Test func `a gap in a channel that the user has lost meanwhile ends with the channel`() throws {
        var rig = try rig()
        for number in 1...3 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.outbox.removeFirst(2)
        rig.carryToClient()
        rig.server.kick(from: group, by: ben)
        rig.server.outbox = []
        rig.server.heartbeat()
        try rig.settle()
        #expect(rig.machine.logs.channels.isEmpty && rig.machine.gapped.isEmpty)
        #expect(losses(rig) == [group])
    }

    @Test func `resume gives hidden rows as numbers: they keep the order and count as nothing missed`() throws {
        var rig = try rig()
        rig.breakOff()
        for number in 1...5 { rig.server.write("\(number)", to: group, by: ben) }
        rig.server.hide(2, 3, in: group)
        try rig.comeBack()
        #expect(rig.rows(of: group) == [1, 2, 3, 4, 5])
        #expect(names(rig) == ["message.sent", "row.removed", "row.removed", "message.sent", "message.sent"])
        let backlog = rig.events.compactMap { if case .backlogDelivered(_, let count) = $0 { count } else { nil } }
        #expect(backlog == [3])
        #expect(updates(rig) == [group, group, group])
    }

    @Test func `a message that was recalled silently counts as nothing missed, its shell otherwise does`() {
        func kind(isSilent: Bool) -> BacklogKind? {
            let message = Message(
                messageID: MessageID(sentAt: 1, seq: 1, salt: 0), content: MessageContent(), senderName: "n", count: 1,
                recall: Recall(isSilent: isSilent, at: .init(milliseconds: 1), byUserID: ben, byName: "Ben"))
            return BacklogKind(Event(channel: group, seq: 1, body: .channel(.messageSent(message))))
        }
        #expect(kind(isSilent: true) == nil)
        #expect(kind(isSilent: false) == .messages)
    }

    // MARK: Losing channels

    @Test func `a removed member gets the row, is informed once, and no longer follows the channel [L-43 LCB-10]`()
        throws
    {
        for isUserLogFirst in [false, true] {
            var rig = try rig()
            rig.server.kick(from: group, by: ben)
            if isUserLogFirst { rig.server.outbox.swapAt(0, 1) }
            try rig.settle()
            #expect(Set(names(rig)) == ["member.kicked", "channel.left"])
            #expect(names(rig).count == 2)
            #expect(losses(rig) == [group])
            #expect(rig.machine.logs.channels.isEmpty)
            #expect(rig.machine.gapped.isEmpty && rig.machine.unknownChannels.isEmpty)
            #expect(rig.server.commands == ["hello", "resume"])
            #expect(rig.machine.logs.positions?.channels == [])
        }
    }

    @Test func `the row of the removal is enough to stop following`() throws {
        var rig = try rig()
        rig.server.kick(from: group, by: ben)
        rig.carryToClient(1)
        #expect(names(rig) == ["member.kicked"])
        #expect(losses(rig) == [group])
        #expect(rig.machine.logs.channels.isEmpty)
    }

    @Test func `a member who is removed while rows are missing is informed once, with a reset`() throws {
        var rig = try rig()
        rig.server.write("lost", to: group, by: ben)
        rig.server.outbox = []
        rig.server.kick(from: group, by: ben)
        try rig.settle()
        #expect(losses(rig) == [group])
        #expect(rig.machine.logs.channels.isEmpty)
        #expect(rig.userRows == [1])
    }

    @Test func `removed and invited again: the channel is followed from the new beginning`() throws {
        for isLive in [true, false] {
            var rig = try rig()
            if !isLive { rig.breakOff() }
            rig.server.write("1", to: group, by: ben)
            rig.server.kick(from: group, by: ben)
            rig.server.write("3", to: group, by: ben)
            rig.server.invite(to: group)
            rig.server.write("5", to: group, by: ben)
            if isLive { try rig.settle() } else { try rig.comeBack() }
            // Row 4 is the invitation.
            #expect(rig.rows(of: group) == (isLive ? [1, 2, 4, 5] : [4, 5]))
            #expect(losses(rig) == [group])
            #expect(rig.machine.logs[.channel(group)]?.seq == 5)
            rig.server.write("6", to: group, by: ben)
            try rig.settle()
            #expect(rig.rows(of: group).last == 6)
        }
    }

    @Test func `a removal while offline comes from the user's own log, and the channel is lost once [L-43]`() throws {
        var rig = try rig()
        rig.server.write("1", to: group, by: ben)
        try rig.settle()
        rig.breakOff()
        rig.server.kick(from: group, by: ben)
        try rig.comeBack()
        #expect(losses(rig) == [group])
        #expect(names(rig).last == "channel.left")
        #expect(rig.machine.logs.channels.isEmpty)
    }

    @Test func `an old removal that is read afterwards does not end the membership of today`() throws {
        let positions = SyncPositions(epoch: "e1", userSeq: 99, channels: [ChannelPosition(channel: group, seq: 0)])
        var rig = Rig(me: ann, positions: positions)
        rig.server.kick(from: group, by: ben)
        rig.server.members = [group]
        rig.server.write("2", to: group, by: ben)
        try rig.connect()
        rig.server.write("3", to: group, by: ben)
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2, 3])
        #expect(losses(rig) == [])
    }

    @Test func `the removal of another user only adds the row`() throws {
        var rig = try rig()
        let removed = MembersRemoved(members: [Names.ben], memberCount: 1)
        for body in [EventBody.channel(.memberKicked(removed)), .channel(.memberBanned(removed))] {
            rig.server.append(body, to: group, by: ann.userID)
        }
        rig.server.write("3", to: group, by: ann.userID)
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2, 3])
        #expect(losses(rig) == [])
    }

    @Test func `a dismissed channel is followed no longer [L-41 LCB-5]`() throws {
        var rig = try rig()
        rig.server.members = []
        rig.server.append(.user(.channelDismissed(ChannelDismissed(channel: group, byName: "Ben"))))
        try rig.settle()
        #expect(names(rig) == ["channel.dismissed"])
        #expect(updates(rig) == [group])
        #expect(losses(rig) == [group])
        #expect(rig.machine.logs.positions?.channels == [])
        rig.breakOff()
        try rig.comeBack()
        #expect(losses(rig) == [group])
    }

    @Test func `a row of an earlier membership that arrives too late is dropped`() throws {
        var rig = try rig()
        let late = rig.server.write("1", to: group, by: ben)
        rig.server.kick(from: group, by: ben)
        try rig.settle()
        rig.server.outbox = [.event(late)]
        try rig.settle()
        #expect(rig.rows(of: group) == [1, 2])
        #expect(rig.server.commands == ["hello", "resume"])
    }

    // MARK: The user's own log

    static let ownEvents: [(EventBody, Bool)] = {
        let group = Names.group
        let position = ChannelsHidden(channels: [ChannelPosition(channel: group, seq: 0)], isAll: false)
        let invited = ChannelInvited(channel: group, members: [], memberCount: 1, byName: "Ben")
        let preference = PreferenceChanged(channel: group, preference: ChannelPreference(isMuted: true))
        let schedule = Schedule(
            scheduleID: ScheduleID(createdAt: 1, userSeq: 1, salt: 1), messages: [MessageContent(text: "x")],
            channels: [group], sendAt: .init(milliseconds: 2))
        let sent = ScheduleSent(
            scheduleID: schedule.scheduleID, sendAt: .init(milliseconds: 2),
            results: [PairResult(channel: group, index: 0, code: 1105)])
        return [
            (.user(.channelInvited(invited)), false), (.user(.channelHidden(position)), true),
            (.user(.channelEnded(position)), true),
            (.user(.channelCleared(position)), true),
            (.user(.messageDeleted(MessagesDeleted(channel: group, messages: [], unread: 0))), true),
            (.user(.channelPreferenceChanged(preference)), true),
            (.user(.channelUnreadMarked(UnreadMarked(channel: group, isMarkedUnread: true))), true),
            (.user(.userBlocked(BlockChanged(user: Names.ben))), false),
            (.user(.userUnblocked(BlockChanged(user: Names.ben))), false),
            (.user(.userProfileChanged(newName)), false),
            (.user(.userSettingsChanged(UserSettings(invitesFrom: .nobody))), false),
            (.user(.scheduleCreated(schedule)), false), (.user(.scheduleChanged(schedule)), false),
            (.user(.scheduleCancelled(ScheduleCancelled(scheduleID: schedule.scheduleID))), false),
            (.user(.scheduleSent(sent)), false),
            (.unknown("some.thing"), false),
        ]
    }()

    @Test(arguments: ownEvents.indices)
    func
        `each event of the user's own log is handed over once, and touches the list where it shows [LCB-6 LCB-17 LCB-18 LCB-19]`(
            index: Int
        ) throws
    {
        let (body, touchesList) = Self.ownEvents[index]
        for isLive in [true, false] {
            var rig = try rig()
            if !isLive { rig.breakOff() }
            rig.server.append(body)
            if isLive { try rig.settle() } else { try rig.comeBack() }
            #expect(names(rig) == [body.name])
            #expect(rig.userRows == [1])
            #expect(updates(rig) == (touchesList ? [group] : []))
            #expect(losses(rig) == [])
            #expect(rig.machine.logs[.channel(group)]?.seq == 0)
        }
    }

    @Test func `an event of the user's own log reaches the sequence of the channel that it names, and no other`() {
        for (body, _) in Self.ownEvents {
            let event = ClientEvent.event(Event(userSeq: 1, body: body), isPast: false)
            #expect(event.concerns(group) == body.channels.contains(group))
            #expect(!event.concerns(Names.lobby))
        }
        let dismissed = EventBody.user(.channelDismissed(ChannelDismissed(channel: group, byName: "Ben")))
        #expect(ClientEvent.event(Event(userSeq: 1, body: dismissed), isPast: false).concerns(group))
    }

    private static let newName = UserProfileChanged(userID: Names.ben.userID, profile: UserProfile(name: "Benjamin"))

    @Test func `the own new name is the name of the client's user`() throws {
        for isLive in [true, false] {
            var rig = try rig()
            if !isLive { rig.breakOff() }
            rig.server.append(
                .user(.userProfileChanged(UserProfileChanged(userID: ann.userID, profile: UserProfile(name: "Annie")))))
            rig.server.append(.user(.userProfileChanged(Self.newName)))
            if isLive { try rig.settle() } else { try rig.comeBack() }
            #expect(rig.machine.user?.name == "Annie")
        }
    }

    @Test func `a block, its end and a new name touch the row of the 1-on-1 with that user, if there is one`() throws {
        let pair = ChannelID(single: ann.userID, ben)
        for isLive in [true, false] {
            for body in [
                EventBody.user(.userBlocked(BlockChanged(user: Names.ben))),
                .user(.userUnblocked(BlockChanged(user: Names.ben))), .user(.userProfileChanged(Self.newName)),
            ] {
                var rig = Rig(me: ann)
                rig.server.members = [group, pair]
                try rig.connect()
                if !isLive { rig.breakOff() }
                rig.server.append(body)
                if isLive { try rig.settle() } else { try rig.comeBack() }
                #expect(updates(rig) == [pair])
                let event = ClientEvent.event(Event(userSeq: 1, body: body), isPast: false)
                #expect(event.concerns(pair))
                #expect(!event.concerns(ChannelID(single: ann.userID, ann.userID)))
                #expect(!event.concerns(ChannelID(single: ann.userID, Names.user("cat").userID)))
            }
        }
    }

    @Test func `what was cleared is not missing [L-84 L-85]`() throws {
        for isAll in [false, true] {
            var rig = try rig()
            for number in 1...3 { rig.server.write("\(number)", to: group, by: ben) }
            rig.server.outbox = []
            let cleared = ChannelsHidden(channels: [ChannelPosition(channel: group, seq: 3)], isAll: isAll)
            rig.server.append(.user(.channelCleared(cleared)))
            rig.server.write("4", to: group, by: ben)
            try rig.settle()
            #expect(rig.rows(of: group) == [4])
            #expect(rig.server.commands == ["hello", "resume"])
        }
    }

    // MARK: The channel's log and ephemeral events

    static let channelRows: [EventBody] = {
        let cat = Names.user("cat")
        let recalled = RecalledMessage(
            messageID: MessageID(sentAt: 1, seq: 1, salt: 0), seq: 1, senderID: cat.userID, wasCounted: true)
        let role = MemberRole(userID: cat.userID, name: "Cat", role: .moderator)
        return [
            .channel(.messageRecalled(MessagesRecalled(messages: [recalled], isSilent: false, byName: "Cat"))),
            .channel(.memberJoined(MemberJoined(member: cat, memberCount: 3, isAnswer: true))),
            .channel(.memberInvited(MembersInvited(members: [], memberCount: 2, invited: [cat]))),
            .channel(.memberKicked(MembersRemoved(members: [cat], memberCount: 2))),
            .channel(.memberBanned(MembersRemoved(members: [cat], memberCount: 2))),
            .channel(
                .memberLeft(MemberLeft(userID: cat.userID, name: "Cat", memberCount: 2, successor: Names.ben.userID))),
            .channel(.memberRoleChanged(RolesChanged(members: [role], memberCount: 3))),
            .channel(
                .memberProfileChanged(MemberProfileChanged(member: cat, hasNickname: true, hasChannelImage: false))),
            .channel(.channelProfileChanged(ChannelProfileChanged(profile: ChannelProfile(title: "New")))),
        ]
    }()

    @Test(arguments: channelRows.indices)
    func
        `each row of a channel keeps its place, changes the list, and counts as a line of the server [LCB-7 LCB-12 LCB-20]`(
            index: Int
        ) throws
    {
        let body = Self.channelRows[index]
        var rig = try rig()
        rig.server.append(body, to: group, by: ben)
        try rig.settle()
        rig.breakOff()
        rig.server.append(body, to: group, by: ben)
        try rig.comeBack()
        #expect(names(rig) == [body.name, body.name])
        #expect(rig.rows(of: group) == [1, 2])
        #expect(updates(rig) == [group, group])
        #expect(losses(rig) == [])
        let kinds = rig.events.compactMap { if case .backlogDelivered(let kind, 1) = $0 { kind } else { nil } }
        #expect(kinds == [.system])
    }

    @Test
    func `what is ephemeral is handed over and moves nothing; a relayed message can name the user [L-60 L-109 LCB-3]`()
        throws
    {
        var rig = try rig()
        let message = Message(
            messageID: MessageID(sentAt: 1, seq: 1, salt: 0),
            content: MessageContent(
                type: "custom", text: "@Ann", mentions: [Mention(userID: ann.userID)], attributes: 2),
            senderName: "Ben", count: 0)
        let active = ActiveCountChanged(active: 2, memberCount: 3)
        rig.server.outbox = [
            .event(Event(channel: group, senderID: ben, body: .ephemeral(.messageRelayed(message)))),
            .event(Event(channel: group, body: .ephemeral(.channelActiveCountChanged(active)))),
        ]
        try rig.settle()
        #expect(names(rig) == ["message.relayed", "channel.activeCountChanged"])
        #expect(updates(rig) == [])
        #expect(rig.events.contains { if case .mentioned(group, _) = $0 { true } else { false } })
        #expect(rig.machine.logs[.channel(group)]?.seq == 0)
    }
}
