import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct RecallsTests {
    private func stage(_ backend: Backend, limits: Limits = .withoutRates) async throws -> Stage {
        let stage = try await Stage(backend, limits: limits)
        try await stage.makeClub()
        return stage
    }

    private func recalled(_ event: Event?) -> MessagesRecalled? {
        if case .channel(.messageRecalled(let recalled))? = event?.body { recalled } else { nil }
    }

    private func refusal(
        _ session: TestSession, _ messages: MessageID..., in channel: ChannelID = Cast.club
    ) async throws -> ErrorCode? {
        try await session.refusal(RecallMessages(channel: channel, messageIDs: messages))?.entry
    }

    @Test(arguments: Backend.available)
    func `the author recalls a message for everybody and all members are told [L-86 LCB-20 LR-16]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(
            backend, limits: Limits(recallWindowMs: 60_000, sendsPerSecond: 0, channelSendsPerSecond: 0))
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let own = try await stage.bob.post("own", to: Cast.club)
        let other = try await stage.cid.post("of Cid", to: Cast.club)
        #expect(try await refusal(stage.bob, other) == .messageNotOwned)
        #expect(try await refusal(stage.bob, MessageID(sentAt: 0, seq: 1, salt: 0)) == .messageNotFound)
        #expect(try await refusal(stage.dee, own) == .channelNotFound)
        await stage.forgetEvents()
        _ = tablet.drainEvents()

        let answer = try await stage.bob.recall(other, own, in: Cast.club)

        #expect(answer.results == [MessageResult(messageID: other, code: 1113), MessageResult(messageID: own)])
        #expect(answer.acknowledgement.seq == 3)
        for session in [stage.ann, stage.bob, tablet, stage.cid] {
            let row = try #require(session.rows(of: Cast.club).first)
            #expect(row.name == "message.recalled")
            #expect(row.seq == 3)
            #expect(row.senderID == Cast.bob.userID)
            #expect(row.transID == answer.acknowledgement.transID)
            let message = RecalledMessage(messageID: own, seq: 1, senderID: Cast.bob.userID, wasCounted: true)
            #expect(recalled(row) == MessagesRecalled(messages: [message], isSilent: false, byName: "Bob"))
            #expect(try await session.log(of: Cast.club).map(\.text) == ["", "of Cid", nil])
        }
        #expect(stage.dee.events.isEmpty)
        // The time window has ended.
        let late = try await stage.bob.post("late", to: Cast.club)
        stage.roost.clock.advance(by: 60_001)
        #expect(try await refusal(stage.bob, late) == .timeExpired)
        #expect(try await refusal(stage.bob, own) == .messageNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await refusal(stage.cid, other) == .notMember)
    }

    @Test(arguments: Backend.available)
    func `an operator recalls any message in a channel of any kind, and the recall says by which right`(
        backend: Backend
    ) async throws {
        let stage = try await stage(
            backend, limits: Limits(recallWindowMs: 1_000, sendsPerSecond: 0, channelSendsPerSecond: 0))
        let chief = try await stage.roost.session(User(userID: "chief", name: "Chief"), isOperator: true)
        try await stage.makePair()
        try await stage.ann.perform(CreateChannel(kind: .own))
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(moderatorsMayRecall: false)))
        for session in stage.all { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let own = ChannelID(single: Cast.ann.userID, Cast.ann.userID)
        for (channel, reader) in [
            (Cast.club, stage.bob), (Cast.annAndBob, stage.bob), (Cast.lobby, stage.cid), (own, stage.ann),
        ] {
            for isSilent in [false, true] {
                let before = channel == Cast.lobby ? nil : try await reader.unread(channel)
                let id = try await stage.ann.post("to remove", to: channel)
                stage.roost.clock.advance(by: 60_000)
                #expect(
                    try await refusal(stage.dee, id, in: channel)
                        == (channel == Cast.lobby ? .messageNotOwned : .channelNotFound))
                await stage.forgetEvents()
                let missing = MessageID(sentAt: 0, seq: 1, salt: 0)
                let answer = try await chief.recall(missing, id, in: channel, isSilent: isSilent)
                #expect(answer.results.map(\.code) == [1118, 0])
                let row = try #require(reader.rows(of: channel).first { $0.name == "message.recalled" })
                #expect(row.senderID == "chief")
                let body = try #require(recalled(row))
                #expect(body.byName == "Chief" && body.byRole == .operator && body.isSilent == isSilent)
                let kept = try #require(try await reader.replay(channel, after: id.seq - 1).first)
                #expect(kept.message?.isShell == true)
                let recall = try #require(kept.recall)
                #expect(recall.byUserID == "chief" && recall.byName == "Chief" && recall.byRole == .operator)
                #expect(try await refusal(chief, id, in: channel) == .messageNotFound)
                if channel != Cast.lobby { #expect(try await reader.unread(channel) == before) }
            }
        }
        #expect(try await refusal(chief, MessageID(sentAt: 0, seq: 1, salt: 0), in: "nowhere") == .channelNotFound)
        // Of an own message, the right is that of its sender.
        let announced = try await chief.post("mine", to: Cast.lobby)
        try await chief.recall(announced, in: Cast.lobby)
        #expect(recalled(stage.cid.rows(of: Cast.lobby).last)?.byRole == nil)
        // The channel list of the operator is as empty as before.
        #expect(try await chief.list().isEmpty)
    }

    @Test(arguments: Backend.available)
    func `the recall of a moderator says so, and one of several messages if some are others'`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let own = try await stage.ann.post("own", to: Cast.club)
        let other = try await stage.bob.post("of Bob", to: Cast.club)
        try await stage.ann.recall(own, other, in: Cast.club)
        #expect(recalled(stage.cid.rows(of: Cast.club).last)?.byRole == .moderator)
        #expect(try await stage.cid.row(other, in: Cast.club)?.recall?.byRole == .moderator)
    }

    @Test(arguments: Backend.available)
    func `after a silent recall no query returns the message, otherwise an empty shell tells who and when [L-87 LO-13]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        for isSilent in [false, true] {
            for kind in try await SendMessage.everyKind(in: Cast.club, from: stage.bob) {
                let before = try await stage.ann.channel(Cast.club)
                stage.roost.clock.advance(by: 1_000)
                let id = try await stage.bob.post(kind)
                stage.roost.clock.advance(by: 1_000)
                try await stage.bob.recall(id, in: Cast.club, isSilent: isSilent)
                let recall = Recall(
                    isSilent: isSilent, at: .init(milliseconds: stage.roost.clock.now), byUserID: Cast.bob.userID,
                    byName: "Bob")
                let resumed = try #require(try await stage.cid.replay(Cast.club, after: id.seq - 1).first)
                #expect(resumed.messageID == id)
                #expect(resumed.message?.isShell == true)
                #expect(resumed.message?.recall == recall)
                #expect(resumed.message?.attributes == kind.attributes)
                let listed = try await stage.cid.log(of: Cast.club).first { $0.seq == id.seq }
                let query = QueryMessages(channel: Cast.club, time: (resumed.$sentAt ?? 0) - 1, count: 1)
                let queried = try await stage.cid.perform(query).events.first { $0.seq == id.seq }
                let row = id.seq + 1
                let rows = try await stage.cid.log(of: Cast.club)
                let all = QueryMessages(channel: Cast.club, time: .init(milliseconds: 0), direction: .after, limit: 100)
                let isTold = (rows + (try await stage.cid.perform(all).events)).contains { $0.seq == row }
                #expect(isTold == !isSilent)
                #expect(try await stage.cid.replay(Cast.club, after: id.seq).first?.name == "message.recalled")
                if isSilent {
                    #expect(listed == nil && queried == nil)
                    let get = GetMessages(channel: Cast.club, messageIDs: [id])
                    #expect(try await stage.cid.refusal(get)?.entry == .messageNotFound)
                    let around = ListMessages(channel: Cast.club, aroundMessage: id)
                    #expect(try await stage.cid.refusal(around)?.entry == .messageNotFound)
                    #expect(try await stage.ann.channel(Cast.club).lastMessage == before.lastMessage, "\(kind)")
                } else {
                    #expect(listed == resumed && queried == resumed)
                    #expect(try await stage.cid.row(id, in: Cast.club) == resumed)
                }
                #expect(try await stage.ann.unread(Cast.club) == before.unread)
                #expect(try await stage.ann.recount(Cast.club) == before.unread)
            }
        }
        let text = String(decoding: try WireCodec.encode(try await stage.ann.replay(Cast.club)), as: UTF8.self)
        for word in ["look", "pack,3013", "caption", "files/", "Taipei", "width"] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test(arguments: Backend.available)
    func `a recall is stored and live, but not a last message, pushed or counted [LT-1104]`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let first = try await stage.bob.post("first", to: Cast.club)
        try await stage.bob.send("second", to: Cast.club)
        let before = try await stage.ann.channel(Cast.club)
        _ = stage.cid.drainEvents()
        let seq = try #require(try await stage.bob.recall(first, in: Cast.club).acknowledgement.seq)
        let live = try #require(stage.cid.rows(of: Cast.club).first)
        #expect(live.body.messageType?.number == 1104)
        #expect(live.body.behaviour?.isPushed == false)
        #expect(try await stage.ann.log(of: Cast.club).last == live)
        #expect(try await stage.ann.replay(Cast.club, after: seq - 1) == [live])
        let after = try await stage.ann.channel(Cast.club)
        #expect(after.lastMessage == before.lastMessage)
        #expect(after.count == before.count)
        #expect(before.unread == 2)
        #expect(after.unread == 1)
    }

    @Test(arguments: Backend.available)
    func `the last message is the shell, or after a silent recall the message before it`(backend: Backend) async throws
    {
        let stage = try await stage(backend)
        let first = try await stage.bob.post("first", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.club)
        let third = try await stage.bob.post("third", to: Cast.club)
        func last(_ session: TestSession) async throws -> MessageID? {
            let last = try await session.channel(Cast.club).lastMessage
            #expect(try await session.list().first?.lastMessage == last)
            return last?.messageID
        }
        try await stage.bob.recall(third, in: Cast.club)
        #expect(try await last(stage.ann) == third)
        #expect(try await stage.ann.channel(Cast.club).lastMessage?.message?.isShell == true)
        #expect(try await refusal(stage.bob, third) == .messageNotFound)
        let fourth = try await stage.bob.post("fourth", to: Cast.club)
        try await stage.bob.recall(fourth, in: Cast.club, isSilent: true)
        #expect(try await last(stage.ann) == third)
        try await stage.ann.delete(third, in: Cast.club)
        #expect(try await last(stage.ann) == second)
        #expect(try await last(stage.cid) == third)
        try await stage.bob.recall(second, first, in: Cast.club, isSilent: true)
        #expect(try await last(stage.ann) == nil)
        #expect(try await last(stage.cid) == third)
        for session in [stage.ann, stage.cid] { #expect(try await session.unread(Cast.club) == 0) }
        // Only the shell and the row of its recall can still be read.
        let rows = try await stage.cid.log(of: Cast.club)
        #expect(rows.map(\.name) == ["message.sent", "message.recalled"])
    }

    @Test(arguments: Backend.available)
    func `all answers to a recalled message lose its content, shells and hidden ones alike`(
        backend: Backend
    ) async throws {
        for isSilent in [false, true] {
            let stage = try await stage(backend)
            let parent = try await stage.ann.post("secret", to: Cast.club)
            var answers: [MessageID] = []
            for session in [stage.bob, stage.cid, stage.bob, stage.ann] {
                answers.append(
                    try await session.post(SendMessage(channel: Cast.club, text: "re", replyTo: parent)))
            }
            try await stage.cid.recall(answers[1], in: Cast.club)
            try await stage.bob.recall(answers[2], in: Cast.club, isSilent: true)
            try await stage.cid.delete(answers[0], in: Cast.club)
            try await stage.ann.recall(parent, in: Cast.club, isSilent: isSilent)
            for session in [stage.ann, stage.bob, stage.cid] {
                for row in try await session.log(of: Cast.club) + session.replay(Cast.club) {
                    let text = String(decoding: try WireCodec.encode(row), as: UTF8.self)
                    #expect(!text.contains("secret"))
                    guard let snapshot = row.message?.replyTo else { continue }
                    #expect(snapshot.isRecalled == true)
                    #expect(snapshot.messageID == parent)
                    #expect(snapshot.senderName == "Ann")
                }
                let last = try #require(try await session.channel(Cast.club).lastMessage)
                #expect(last.messageID == answers[3])
                #expect(last.message?.replyTo?.isRecalled == true)
            }
            #expect(try await stage.bob.row(answers[1], in: Cast.club)?.message?.replyTo == nil)
        }
    }

    @Test(arguments: Backend.available)
    func `hundreds of answers lose the content that was recalled, and nothing else`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let parent = try await stage.ann.post("secret", to: Cast.club)
        let other = try await stage.ann.post("other", to: Cast.club)
        for number in 1...600 {
            try await stage.bob.perform(
                SendMessage(
                    channel: Cast.club, text: "\(number)", replyTo: number == 300 ? other : parent))
        }
        let before = try await stage.cid.log(of: Cast.club)
        try await stage.ann.recall(parent, in: Cast.club)
        let after = try await stage.cid.log(of: Cast.club)
        #expect(after.count == 603)
        for (old, new) in zip(before, after).dropFirst() {
            var emptied = old
            if let message = old.message { emptied.body = .channel(.messageSent(message.afterRecall(of: parent))) }
            #expect(new == emptied)
            #expect(new.message?.replyTo?.isRecalled == (old.message?.replyTo?.messageID == parent ? true : nil))
            #expect(new.message?.replyTo?.text != "secret")
        }
        #expect(after.filter { $0.message?.replyTo?.isRecalled == true }.count == 599)
    }

    @Test(arguments: Backend.available)
    func `moderators and admins recall messages of others at any time, unless the group forbids it`(
        backend: Backend
    ) async throws {
        let stage = try await stage(
            backend, limits: Limits(recallWindowMs: 1_000, sendsPerSecond: 0, channelSendsPerSecond: 0))
        let messages = [
            try await stage.cid.post("one", to: Cast.club), try await stage.cid.post("two", to: Cast.club),
            try await stage.ann.post("three", to: Cast.club), try await stage.cid.post("four", to: Cast.club),
        ]
        stage.roost.clock.advance(by: 1_000_000)
        #expect(try await refusal(stage.bob, messages[0]) == .messageNotOwned)
        try await stage.ann.recall(messages[0], in: Cast.club)
        try await stage.ann.perform(
            SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.bob.recall(messages[1], in: Cast.club, isSilent: true)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(moderatorsMayRecall: false)))
        for session in [stage.ann, stage.bob] { #expect(try await refusal(session, messages[3]) == .messageNotOwned) }
        // Without that right, the window applies to their own messages, too.
        #expect(try await refusal(stage.ann, messages[2]) == .timeExpired)
        let new = try await stage.bob.post("five", to: Cast.club)
        stage.roost.clock.advance(by: 1_000)
        try await stage.bob.recall(new, in: Cast.club)
        #expect(try await stage.cid.row(messages[0], in: Cast.club)?.recall?.byUserID == Cast.ann.userID)
        #expect(try await stage.cid.log(of: Cast.club).compactMap(\.text) == ["", "three", "four", ""])
    }

    @Test(arguments: Backend.available)
    func `in a 1-on-1 users recall only their own messages, by default without a time limit`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        try await stage.makePair()
        let own = try await stage.ann.post("own", to: Cast.annAndBob)
        let other = try await stage.bob.post("other", to: Cast.annAndBob)
        stage.roost.clock.advance(by: 1_000 * 86_400_000)
        #expect(try await refusal(stage.ann, other, in: Cast.annAndBob) == .messageNotOwned)
        try await stage.ann.recall(own, in: Cast.annAndBob)
        #expect(try await stage.bob.unread(Cast.annAndBob) == 0)
        #expect(try await stage.ann.unread(Cast.annAndBob) == 1)
    }

    @Test(arguments: Backend.available)
    func `an announcement is recalled by members who may recall the messages of others`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        let line = try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "secret"))
        let id = try #require(line.messageID)
        #expect(try await refusal(stage.bob, id) == .messageNotOwned)
        for session in [stage.ann, stage.bob] { #expect(try await session.unread(Cast.club) == 1) }
        try await stage.ann.recall(id, in: Cast.club)
        let row = try #require(try await stage.bob.row(id, in: Cast.club))
        #expect(row.name == "message.announced")
        #expect(row.text == "")
        #expect(row.recall?.byName == "Ann")
        let told = try #require(recalled(stage.bob.rows(of: Cast.club).last))
        #expect(told.messages == [RecalledMessage(messageID: id, seq: 1, wasCounted: true)])
        for session in [stage.ann, stage.bob] { #expect(try await session.unread(Cast.club) == 0) }
    }

    @Test(arguments: Backend.available)
    func `unread drops on all devices at once, once per message, whoever deleted or wrote it`(
        backend: Backend
    ) async throws {
        let stage = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        var messages: [MessageID] = []
        for number in 1...4 { messages.append(try await stage.ann.post("\(number)", to: Cast.club)) }
        let behind = try await stage.bob.post("own, with four unread", to: Cast.club)
        let quiet = try await stage.ann.post(SendMessage(channel: Cast.club, type: "customUncounted"))
        func check(bob: Int, cid: Int) async throws {
            for (session, unread) in [(stage.bob, bob), (tablet, bob), (stage.cid, cid)] {
                #expect(try await session.unread(Cast.club) == unread)
                #expect(try await session.recount(Cast.club) == unread)
                #expect(try await session.perform(GetUnread()).total == unread)
                #expect(try await session.perform(SetReadMark(channel: Cast.club, seq: 0)).unread == unread)
                #expect(try await session.perform(Resume()).marks.map(\.unread) == (unread == 0 ? [] : [unread]))
            }
        }
        try await check(bob: 4, cid: 5)
        try await stage.ann.recall(messages[0], in: Cast.club)
        try await check(bob: 3, cid: 4)
        try await stage.bob.delete(messages[1], in: Cast.club)
        try await check(bob: 2, cid: 4)
        // Bob had deleted it before, so it does not count a second time.
        try await stage.ann.recall(messages[1], in: Cast.club, isSilent: true)
        try await check(bob: 2, cid: 3)
        try await stage.ann.recall(quiet, in: Cast.club)
        try await check(bob: 2, cid: 3)
        try await stage.bob.recall(behind, in: Cast.club)
        try await check(bob: 2, cid: 2)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: messages[2]))
        try await check(bob: 1, cid: 2)
        // Read already: nothing changes for Bob.
        try await stage.ann.recall(messages[2], in: Cast.club)
        try await check(bob: 1, cid: 1)
        try await stage.cid.delete(messages[2], in: Cast.club)
        try await check(bob: 1, cid: 1)
        let told = tablet.rows(of: Cast.club).compactMap { recalled($0)?.messages.first?.wasCounted }
        #expect(told == [true, true, false, true, true])
        try await stage.ann.recall(messages[3], in: Cast.club)
        try await check(bob: 0, cid: 0)
    }

    @Test(arguments: Backend.available)
    func `mentions in a recalled message do not count any more`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let mention = [Mention(userID: Cast.bob.userID)]
        let first = try await stage.ann.post(SendMessage(channel: Cast.club, text: "@Bob", mentions: mention))
        let second = try await stage.cid.post(SendMessage(channel: Cast.club, text: "@Bob", mentions: mention))
        #expect(try await stage.bob.channel(Cast.club).mentions == 2)
        try await stage.ann.recall(first, in: Cast.club)
        #expect(try await stage.bob.channel(Cast.club).mentions == 1)
        try await stage.bob.delete(second, in: Cast.club)
        #expect(try await stage.bob.channel(Cast.club).mentions == nil)
        #expect(try await stage.bob.perform(GetUnread()).mentions == nil)
    }

    @Test(arguments: Backend.available)
    func `a recall recalls what it can, and is refused if that is nothing`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let own = try await stage.bob.post("own", to: Cast.club)
        let other = try await stage.ann.post("other", to: Cast.club)
        let forged = MessageID(sentAt: 0, seq: 99, salt: 0)
        #expect(try await refusal(stage.bob, other, forged) == .messageNotOwned)
        #expect(try await refusal(stage.bob, forged, other) == .messageNotFound)
        #expect(try await refusal(stage.bob) == .dataFormat)
        #expect(try await refusal(stage.bob, own, own) == .dataFormat)
        let many = (1...101).map { MessageID(sentAt: 0, seq: $0, salt: 0) }
        #expect(try await stage.bob.refusal(RecallMessages(channel: Cast.club, messageIDs: many))?.entry == .dataFormat)
        let command = RecallMessages(channel: Cast.club, messageIDs: [forged, own, other])
        let answer = try await stage.bob.perform(command, id: "recall")
        #expect(answer.results.map(\.code) == [1118, 0, 1113])
        #expect(try await stage.bob.perform(command, id: "recall") == answer)
        #expect(try await refusal(stage.bob, own) == .messageNotFound)
        #expect(try await stage.ann.channel(Cast.club).seq == 3)
        let change = RecallMessages(channel: Cast.club, messageIDs: [own], isSilent: true)
        #expect(try await stage.bob.refusal(change, id: "recall")?.entry == .duplicateTransID)
    }

    @Test(arguments: Backend.available)
    func `a send that was recalled is not stored again by a retry`(backend: Backend) async throws {
        let stage = try await stage(backend)
        let answer = try await stage.bob.send("once", to: Cast.club, id: "once")
        try await stage.bob.recall(try #require(answer.messageID), in: Cast.club)
        #expect(try await stage.bob.send("once", to: Cast.club, id: "once") == answer)
        #expect(try await stage.ann.channel(Cast.club).seq == 2)
        #expect(try await stage.ann.unread(Cast.club) == 0)
    }

    @Test(arguments: Backend.available)
    func `a recall has one meaning of silent, and a result per message [C-L8]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        for isSilent in [false, true, nil] {
            let own = try await stage.bob.post("secret", to: Cast.club)
            let other = try await stage.cid.post("of Cid", to: Cast.club)
            let none = MessageID(sentAt: 1, seq: 1, salt: 9)
            let command = RecallMessages(channel: Cast.club, messageIDs: [none, own, other], isSilent: isSilent)
            let answer = try await stage.bob.perform(command)
            #expect(answer.results.map(\.messageID) == [none, own, other])
            #expect(answer.results.map(\.code) == [1118, 0, 1113])
            guard case .channel(.messageRecalled(let told))? = stage.cid.rows(of: Cast.club).last?.body else {
                Issue.record("nobody was told")
                return
            }
            #expect(told.isSilent == (isSilent == true))
            #expect(told.messages.map(\.messageID) == [own])
            let row = try await stage.cid.log(of: Cast.club).first { $0.seq == own.seq }
            #expect((row == nil) == (isSilent == true))
            #expect(row?.message?.text ?? "" == "")
            #expect(row?.message?.recall?.byUserID == (isSilent == true ? nil : Cast.bob.userID))
        }
    }
}
