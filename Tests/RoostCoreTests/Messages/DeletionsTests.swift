import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct DeletionsTests {
    private let annsOwn = ChannelID(single: Cast.ann.userID, Cast.ann.userID)

    private func stage(_ backend: Backend) async throws -> (stage: Stage, tablet: TestSession) {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        return (stage, try await stage.roost.session(Cast.ann, device: "tablet"))
    }

    /// The events of the user log that a session received.
    private func own(_ session: TestSession) -> [EventBody] {
        session.events.filter { $0.userSeq != nil }.map(\.body)
    }

    @Test(arguments: Backend.available)
    func `deleted messages are gone for the user who deletes them only, on all devices [L-83 LCB-19]`(
        backend: Backend
    ) async throws {
        let (stage, tablet) = try await stage(backend)
        var messages: [MessageID] = []
        for text in ["one", "two", "three"] { messages.append(try await stage.bob.post(text, to: Cast.club)) }
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        let before = try await stage.bob.channel(Cast.club)

        let answer = try await stage.ann.delete(messages[2], messages[0], in: Cast.club)

        #expect(answer.results.map(\.code) == [0, 0])
        let body = MessagesDeleted(
            channel: Cast.club,
            messages: [
                DeletedMessage(messageID: messages[0], seq: 1), DeletedMessage(messageID: messages[2], seq: 3),
            ], unread: 1)
        for device in [stage.ann, tablet] {
            #expect(own(device) == [.user(.messageDeleted(body))])
            #expect(device.events.map(\.senderID) == [Cast.ann.userID])
            #expect(device.events.map(\.transID) == [answer.acknowledgement.transID])
            #expect(try await device.log(of: Cast.club).map(\.text) == ["two"])
            #expect(try await device.unread(Cast.club) == 1)
            #expect(try await device.channel(Cast.club).lastMessage?.text == "two")
            let resumed = try await device.replay(Cast.club)
            #expect(resumed.map(\.name) == ["row.removed", "message.sent", "row.removed"])
            #expect(resumed.map(\.seq) == [1, 2, 3])
            for row in [resumed[0], resumed[2]] {
                #expect(row.senderID == nil && row.transID == nil && row.sentAt == nil)
                #expect(row.body == .channel(.rowRemoved(RowRemoved(count: row.seq))))
            }
            // The count of the channel is known wherever its unread count is.
            let marks = try await device.perform(
                Resume(userSeq: 0, channels: [ChannelPosition(channel: Cast.club, seq: 0)])
            ).marks
            #expect(marks.first { $0.channel == Cast.club }?.count == 3)
            let unread = try await device.perform(GetUnread()).channels
            #expect(unread.first { $0.channel == Cast.club }?.count == 3)
        }
        await stage.settle()
        for session in [stage.bob, stage.cid] {
            #expect(session.events.isEmpty)
            #expect(try await session.log(of: Cast.club).map(\.text) == ["one", "two", "three"])
        }
        #expect(try await stage.bob.channel(Cast.club) == before)
        for id in [messages[0], MessageID(sentAt: 0, seq: 2, salt: 0), MessageID(sentAt: 0, seq: 9, salt: 0)] {
            let again = try await stage.ann.refusal(DeleteMessages([id], in: Cast.club))
            #expect(again?.entry == .messageNotFound)
        }
    }

    @Test(arguments: Backend.available)
    func `a channel is cleared for its user only, and later messages are not affected [L-84 LCB-18]`(
        backend: Backend
    ) async throws {
        let (stage, tablet) = try await stage(backend)
        for text in ["one", "two"] { try await stage.bob.send(text, to: Cast.club) }
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        await stage.forgetEvents()
        _ = tablet.drainEvents()

        let answer = try await stage.ann.perform(DeleteMessages(allIn: Cast.club))

        #expect(answer.results.isEmpty)
        let body = ChannelsHidden(channels: [ChannelPosition(channel: Cast.club, seq: 3)], isAll: false)
        for device in [stage.ann, tablet] {
            #expect(own(device) == [.user(.channelCleared(body))])
            #expect(try await device.log(of: Cast.club).isEmpty)
            #expect(try await device.replay(Cast.club).isEmpty)
            #expect(try await device.unread(Cast.club) == 0)
            #expect(try await device.channel(Cast.club).lastMessage == nil)
            #expect(try await device.list().map(\.channel).contains(Cast.club))
        }
        #expect(stage.bob.events.filter { $0.userSeq != nil || $0.seq != nil }.isEmpty)
        #expect(try await stage.bob.log(of: Cast.club).map(\.seq) == [1, 2, 3])
        try await stage.bob.send("later", to: Cast.club)
        #expect(try await stage.ann.log(of: Cast.club).map(\.text) == ["later"])
        #expect(try await stage.ann.unread(Cast.club) == 1)
        #expect(try await stage.cid.refusal(DeleteMessages(allIn: Cast.club))?.entry == .notMember)
        #expect(try await stage.dee.refusal(DeleteMessages(allIn: Cast.club))?.entry == .channelNotFound)
        try await stage.ann.perform(
            InviteMembers(channel: Cast.club, members: [NewMember(Cast.dee.userID, role: .invited)]))
        #expect(try await stage.dee.refusal(DeleteMessages(allIn: Cast.club))?.entry == .noPrivilege)
    }

    @Test(arguments: Backend.available)
    func `everything is cleared for its user only, and the channels stay [L-85 LCB-17 C-L9]`(backend: Backend)
        async throws
    {
        let (stage, tablet) = try await stage(backend)
        try await stage.ann.perform(CreateChannel(kind: .own))
        for channel in [Cast.club, Cast.annAndBob, annsOwn] { try await stage.ann.send("x", to: channel) }
        try await stage.bob.send("unread", to: Cast.annAndBob)
        let list = try await stage.ann.list().map(\.channel)
        await stage.forgetEvents()
        _ = tablet.drainEvents()

        try await stage.ann.perform(DeleteMessages.everything)

        for device in [stage.ann, tablet] {
            guard case .user(.channelCleared(let body))? = own(device).first else {
                Issue.record("not told")
                return
            }
            #expect(body.isAll)
            // Not the event for deleting in one channel.
            #expect(own(device).first?.messageType?.number == 1105)
            #expect(Set(body.channels.map(\.channel)) == [Cast.club, Cast.annAndBob, annsOwn])
            #expect(own(device).count == 1)
            for channel in list { #expect(try await device.log(of: channel).isEmpty) }
            #expect(try await device.list().map(\.channel) == list)
            #expect(try await device.perform(GetUnread()).total == 0)
        }
        #expect(try await stage.bob.log(of: Cast.annAndBob).map(\.text) == ["x", "unread"])
        #expect(try await stage.cid.log(of: Cast.club).map(\.text) == ["x"])
        #expect(stage.cid.events.allSatisfy { $0.name == "readMark.moved" })
    }

    @Test(arguments: Backend.available)
    func `each of the three deletions names what was deleted [LR-15]`(backend: Backend) async throws {
        let (stage, tablet) = try await stage(backend)
        let message = try await stage.bob.post("one", to: Cast.club)
        _ = tablet.drainEvents()
        try await stage.ann.delete(message, in: Cast.club)
        try await stage.ann.perform(DeleteMessages(allIn: Cast.club))
        try await stage.ann.perform(DeleteMessages.everything)
        let positions = [
            ChannelPosition(channel: Cast.annAndBob, seq: 0), ChannelPosition(channel: Cast.club, seq: 1),
        ]
        #expect(
            own(tablet) == [
                .user(
                    .messageDeleted(
                        MessagesDeleted(
                            channel: Cast.club, messages: [DeletedMessage(messageID: message, seq: 1)], unread: 0))),
                .user(.channelCleared(ChannelsHidden(channels: [positions[1]], isAll: false))),
                .user(.channelCleared(ChannelsHidden(channels: positions, isAll: true))),
            ])
        let rows = tablet.events.filter { $0.userSeq != nil }
        #expect(rows.allSatisfy { $0.transID != nil && $0.$sentAt == stage.roost.clock.now })
    }

    @Test(arguments: Backend.available)
    func `deletions are stored and told live to the user's devices, and nothing else [LT-1102 LT-1103 LT-1105]`(
        backend: Backend
    ) async throws {
        let (stage, tablet) = try await stage(backend)
        let message = try await stage.bob.post("one", to: Cast.club)
        try await stage.bob.send("two", to: Cast.annAndBob)
        let welcome = try #require(tablet.welcome)
        let before = try await stage.cid.channel(Cast.club)
        let commands = [
            (DeleteMessages([message], in: Cast.club), 1102), (DeleteMessages(allIn: Cast.annAndBob), 1103),
            (.everything, 1105),
        ]
        var told: [Event] = []
        for (command, number) in commands {
            await stage.forgetEvents()
            _ = tablet.drainEvents()
            try await stage.ann.perform(command)
            let live = try #require(tablet.events.first)
            #expect(live.body.messageType?.number == number)
            #expect(live.body.behaviour?.isPushed == false)
            #expect(live.body.behaviour?.countsAsUnread == false)
            #expect(live.userSeq == welcome.userSeq + Int64(told.count) + 1)
            #expect(stage.ann.events.filter { $0.userSeq != nil } == [live])
            for other in [stage.bob, stage.cid] { #expect(other.events.allSatisfy { $0.name == "readMark.moved" }) }
            told.append(live)
        }
        #expect(try await stage.ann.perform(Resume(userSeq: welcome.userSeq)).events == told)
        let after = try await stage.cid.channel(Cast.club)
        #expect(after.lastMessage == before.lastMessage && after.unread == before.unread && after.seq == before.seq)
        #expect(try await stage.ann.perform(GetUnread()).total == 0)
        for channel in [Cast.club, Cast.annAndBob] {
            #expect(try await stage.ann.channel(channel).lastMessage == nil)
        }
    }

    @Test(arguments: Backend.available)
    func `if only some of the named messages exist, those are deleted`(backend: Backend) async throws {
        let (stage, _) = try await stage(backend)
        let here = try await stage.bob.post("here", to: Cast.club)
        let elsewhere = try await stage.bob.post("elsewhere", to: Cast.annAndBob)
        let silent = try await stage.bob.post("gone", to: Cast.club)
        try await stage.bob.recall(silent, in: Cast.club, isSilent: true)
        let forged = MessageID(sentAt: 0, seq: 3, salt: 0)
        let command = DeleteMessages([forged, here, elsewhere, silent], in: Cast.club)
        let answer = try await stage.ann.perform(command, id: "delete")
        #expect(answer.results.map(\.code) == [1118, 0, 1118, 1118])
        #expect(answer.results.map(\.messageID) == command.messageIDs)
        #expect(try await stage.ann.perform(command, id: "delete") == answer)
        #expect(try await stage.ann.refusal(command)?.entry == .messageNotFound)
        #expect(try await stage.ann.refusal(DeleteMessages(allIn: Cast.club), id: "delete")?.entry == .duplicateTransID)
        var odd = DeleteMessages(allIn: Cast.club)
        odd.messageIDs = [here]
        #expect(try await stage.ann.refusal(odd)?.entry == .dataFormat)
        odd = .everything
        odd.channel = Cast.club
        #expect(try await stage.ann.refusal(odd)?.entry == .dataFormat)
        for ids in [[], [here, here], (1...101).map { MessageID(sentAt: 0, seq: $0, salt: 0) }] {
            #expect(try await stage.ann.refusal(DeleteMessages(ids, in: Cast.club))?.entry == .dataFormat)
        }
        let open = try await stage.bob.post("open", to: Cast.lobby)
        #expect(try await stage.ann.refusal(DeleteMessages([open], in: Cast.lobby))?.entry == .channelTypeMismatch)
        #expect(try await stage.ann.refusal(DeleteMessages(allIn: Cast.lobby))?.entry == .channelTypeMismatch)
        try await stage.ann.perform(DeleteMessages.everything)
        #expect(try await stage.ann.log(of: Cast.lobby).map(\.text) == ["open"])
    }

    @Test(arguments: Backend.available)
    func `deleting for oneself and recalling for all are two things`(backend: Backend) async throws {
        let (stage, tablet) = try await stage(backend)
        let first = try await stage.bob.post("first", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.club)
        try await stage.ann.delete(first, in: Cast.club)
        // Deleted by Ann, and recalled afterwards: nothing comes back to her.
        try await stage.bob.recall(first, in: Cast.club)
        #expect(try await stage.ann.log(of: Cast.club).map(\.name) == ["message.sent", "message.recalled"])
        #expect(try await stage.cid.log(of: Cast.club).map(\.text) == ["", "second", nil])
        // Recalled, and then deleted by Ann: only she no longer sees the shell.
        try await stage.bob.recall(second, in: Cast.club)
        try await stage.ann.delete(second, in: Cast.club)
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.text).isEmpty)
        #expect(try await stage.cid.log(of: Cast.club).compactMap(\.text) == ["", ""])
        #expect(try await tablet.unread(Cast.club) == 0)
        #expect(try await stage.ann.perform(SetReadMark(channel: Cast.club, seq: 0)).unread == 0)
        // A user who was offline is informed of both: a recall goes to all, a deletion only to the user who deleted.
        let back = try await stage.roost.session(Cast.ann, device: "later")
        #expect(
            try await back.replay(Cast.club).map(\.name)
                == ["row.removed", "row.removed", "message.recalled", "message.recalled"])
        let told = try await back.perform(Resume(userSeq: 0)).events.filter { $0.name == "message.deleted" }
        #expect(told.count == 2)
        #expect(try await stage.cid.perform(Resume(userSeq: 0)).events.allSatisfy { $0.name != "message.deleted" })
    }

    @Test(arguments: Backend.available)
    func `deleting own or read messages changes no count`(backend: Backend) async throws {
        let (stage, _) = try await stage(backend)
        let read = try await stage.bob.post("read", to: Cast.club)
        try await stage.ann.perform(SetReadMark(channel: Cast.club))
        let unread = try await stage.bob.post("unread", to: Cast.club)
        let behind = try await stage.ann.post("own, with one unread", to: Cast.club)
        #expect(try await stage.ann.unread(Cast.club) == 1)
        for (message, left) in [(read, 1), (behind, 1), (unread, 0)] {
            try await stage.ann.delete(message, in: Cast.club)
            #expect(try await stage.ann.unread(Cast.club) == left)
            #expect(try await stage.ann.recount(Cast.club) == left)
            #expect(try await stage.ann.perform(SetReadMark(channel: Cast.club, seq: 0)).unread == left)
        }
        try await stage.bob.send("new", to: Cast.club)
        #expect(try await stage.ann.unread(Cast.club) == 1)
        #expect(try await stage.ann.perform(SetReadMark(channel: Cast.club, seq: 2)).unread == 1)
        #expect(try await stage.ann.perform(SetReadMark(channel: Cast.club)).unread == 0)
    }

    @Test(arguments: Backend.available)
    func `pages full of hidden rows can be continued in both directions`(backend: Backend) async throws {
        let (stage, _) = try await stage(backend)
        var messages: [MessageID] = []
        for number in 1...130 { messages.append(try await stage.bob.post("\(number)", to: Cast.club)) }
        // Visible to Ann are 1, 2, 3, 129 and 130.
        try await stage.ann.perform(DeleteMessages(Array(messages[3..<60]), in: Cast.club))
        let silent = [messages[60..<128]].flatMap { $0 }
        try await stage.bob.perform(RecallMessages(channel: Cast.club, messageIDs: silent, isSilent: true))
        let visible: [Int64] = [1, 2, 3, 129, 130]
        func page(_ list: ListMessages) async throws -> (rows: [Int64], before: Bool, after: Bool) {
            let page = try await stage.ann.perform(list)
            return (page.events.compactMap(\.seq), page.hasBefore, page.hasAfter)
        }
        #expect(try await stage.ann.log(of: Cast.club).compactMap(\.seq) == visible)
        for limit in 1...6 {
            var forth: [Int64] = []
            var needsAnotherTurn = true
            while needsAnotherTurn {
                let next = try await page(ListMessages(channel: Cast.club, after: forth.last ?? 0, limit: limit))
                #expect(next.before == !forth.isEmpty)
                #expect(next.rows.count == limit || !next.after)
                forth += next.rows
                needsAnotherTurn = next.after && !next.rows.isEmpty
            }
            #expect(forth == visible)
            var back: [Int64] = []
            needsAnotherTurn = true
            while needsAnotherTurn {
                let next = try await page(ListMessages(channel: Cast.club, before: back.first, limit: limit))
                #expect(next.rows.count == limit || !next.before)
                back = next.rows + back
                needsAnotherTurn = next.before && !next.rows.isEmpty
            }
            #expect(back == visible)
        }
        let around = try await page(ListMessages(channel: Cast.club, around: 60, limit: 4))
        #expect(around.rows == [2, 3, 129, 130])
        #expect(around.before && !around.after)
        let middle = try await page(ListMessages(channel: Cast.club, after: 3, limit: 1))
        #expect(middle.rows == [129])
        let gap = try await page(ListMessages(channel: Cast.club, before: 128, limit: 2))
        #expect(gap.rows == [2, 3])
        #expect(gap.before && gap.after)
        let resumed = try await stage.ann.replay(Cast.club)
        #expect(resumed.compactMap(\.seq) == Array(1...131))
        #expect(resumed[3..<60].allSatisfy { $0.name == "row.removed" })
        #expect(resumed[60..<128].allSatisfy { $0.message?.isShell == true && $0.recall?.isSilent == true })
    }

    @Test(arguments: Backend.available)
    func `what a user deleted with a channel stays deleted when the user comes back into the group`(
        backend: Backend
    ) async throws {
        let (stage, _) = try await stage(backend)
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(canJoin: true)))
        let first = try await stage.bob.post("first", to: Cast.club)
        try await stage.cid.perform(DeleteMessages(allIn: Cast.club))
        try await stage.bob.send("second", to: Cast.club)
        let asked = InviteMembers(channel: Cast.club, members: [NewMember(Cast.cid.userID, role: .invited)])
        for round in 0..<3 {
            if round == 1 {
                try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
            } else {
                try await stage.cid.perform(LeaveChannel(channel: Cast.club))
            }
            switch round {
            case 0: try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID]))
            case 1: try await stage.cid.perform(BecomeMember(channel: Cast.club))
            default:
                try await stage.ann.perform(asked)
                try await stage.cid.perform(AnswerInvitation(channel: Cast.club, isAccepted: true))
            }
            #expect(try await stage.cid.log(of: Cast.club).compactMap(\.text) == ["second"])
            #expect(
                try await stage.cid.refusal(GetMessages(channel: Cast.club, messageIDs: [first]))?.entry
                    == .messageNotFound)
            #expect(try await stage.cid.unread(Cast.club) == 0)
        }
        try await stage.cid.perform(DeleteMessages.everything)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.cid.userID, Cast.dee.userID]))
        #expect(try await stage.cid.log(of: Cast.club).compactMap(\.text) == [])
        // Nothing is missing for the other users.
        for session in [stage.ann, stage.bob, stage.dee] {
            #expect(try await session.log(of: Cast.club).compactMap(\.text) == ["first", "second"])
        }
        // What the channel hides from newcomers is hidden as well.
        try await stage.bob.send("third", to: Cast.club)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        try await stage.cid.perform(BecomeMember(channel: Cast.club))
        #expect(try await stage.cid.log(of: Cast.club).map(\.name) == [EventName.memberJoined.rawValue])
    }

    @Test(arguments: Backend.available)
    func `nothing that a user deleted comes back to that user, whatever command reads it`(backend: Backend) async throws
    {
        let (stage, tablet) = try await stage(backend)
        let send = SendMessage(
            channel: Cast.club, text: "secret @Ann", mentions: [Mention(userID: Cast.ann.userID)],
            category: "c")
        let message = try await stage.bob.post(send)
        try await stage.ann.delete(message, in: Cast.club)
        let answers: [any Encodable] = [
            try await tablet.channel(Cast.club), try await tablet.list(),
            try await tablet.perform(QueryChannels(withMembers: true)),
            try await tablet.perform(ListMessages(channel: Cast.club)),
            try await tablet.perform(
                QueryMessages(channel: Cast.club, time: .init(milliseconds: 0), direction: .after, limit: 100)),
            try await tablet.perform(
                QueryMessages(time: .init(milliseconds: .max), direction: .before, category: "c", limit: 100)),
            try await tablet.perform(Resume(userSeq: 0, channels: [ChannelPosition(channel: Cast.club, seq: 0)])),
        ]
        for answer in answers {
            #expect(!String(decoding: try WireCodec.encode(answer), as: UTF8.self).contains("secret"))
        }
        #expect(
            try await tablet.refusal(GetMessages(channel: Cast.club, messageIDs: [message]))?.entry == .messageNotFound)
        let around = ListMessages(channel: Cast.club, aroundMessage: message)
        #expect(try await tablet.refusal(around)?.entry == .messageNotFound)
        #expect(
            try await tablet.refusal(ListReaders(channel: Cast.club, messageID: message))?.entry == .messageNotFound)
        #expect(
            try await tablet.refusal(CountReads(channel: Cast.club, messageIDs: [message]))?.entry == .messageNotFound)
        #expect(
            try await tablet.refusal(SetReadMark(channel: Cast.club, messageID: message))?.entry == .messageNotFound)
        #expect(try await tablet.perform(GetUnread()).mentions == nil)
    }

    @Test(arguments: Backend.available)
    func `any member may delete messages for themselves, whatever the role and the settings [C-L25]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let strict = ChannelProfile(editors: .moderators, moderatorsMayRecall: false)
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: strict))
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        let message = try await stage.ann.post("one", to: Cast.club)
        try await stage.ann.send("two", to: Cast.club)
        for session in [stage.bob, stage.cid, stage.ann] {
            let others = [stage.ann, stage.bob, stage.cid].filter { $0.userID != session.userID }
            var before: [[Event]] = []
            for other in others { before.append(try await other.log(of: Cast.club)) }
            try await session.delete(message, in: Cast.club)
            #expect(try await session.log(of: Cast.club).compactMap(\.text) == ["two"])
            try await session.perform(DeleteMessages(allIn: Cast.club))
            #expect(try await session.log(of: Cast.club).isEmpty)
            for (other, before) in zip(others, before) { #expect(try await other.log(of: Cast.club) == before) }
        }
        #expect(try await stage.dee.refusal(DeleteMessages(allIn: Cast.club))?.entry == .channelNotFound)
    }
}
