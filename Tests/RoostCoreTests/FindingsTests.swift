import RoostCore
import RoostTesting
import RoostWire
import Testing

/// How the server decides where the reference documents are silent or contradict each other: C-J, C-L and XC.
@Suite struct FindingsTests {
    private func club(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        return stage
    }

    // MARK: Reading

    @Test(arguments: Backend.available)
    func `an open channel keeps no read state, whatever is asked for [C-J15]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for session in [stage.ann, stage.bob] { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        let message = try await stage.bob.post("x", to: Cast.lobby)
        #expect(try await stage.ann.refusal(SetReadMark(channel: Cast.lobby))?.code == 1104)
        #expect(try await stage.ann.refusal(UnsetReadMark(channel: Cast.lobby))?.code == 1104)
        #expect(try await stage.ann.refusal(ListMemberReads(channel: Cast.lobby))?.code == 1104)
        #expect(try await stage.ann.refusal(ListReaders(channel: Cast.lobby, messageID: message))?.code == 1104)
        #expect(try await stage.ann.refusal(CountReads(channel: Cast.lobby, messageIDs: [message]))?.code == 1104)
        #expect(try await stage.ann.perform(SetAllReadMarks()).moved == 0)
        await stage.settle()
        let channel = try await stage.ann.channel(Cast.lobby)
        #expect(channel.unread == nil && channel.readSeq == nil && channel.members.isEmpty)
        #expect(try await stage.ann.perform(GetUnread()).channels.isEmpty)
        #expect(try await stage.ann.perform(ListReadMarks()).channels.isEmpty)
        let resume = Resume(channels: [ChannelPosition(channel: Cast.lobby, seq: 0)])
        let resumed = try await stage.ann.perform(resume)
        #expect(resumed.marks.isEmpty)
        #expect(resumed.events.map(\.messageID) == [message])
        for session in [stage.ann, stage.bob] { #expect(session.events(named: .readMarkMoved).isEmpty) }
    }

    @Test(arguments: Backend.available)
    func `read in a group means read by any other member, and counts follow recalls and deletions [C-L31]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        var messages: [MessageID] = []
        for text in ["one", "two", "three", "four"] { messages.append(try await stage.ann.post(text, to: Cast.club)) }
        func counts() async throws -> [ReadCount] {
            try await stage.ann.perform(CountReads(channel: Cast.club, messageIDs: messages)).messages
        }
        #expect(try await counts().allSatisfy { $0.readBy == 0 && $0.unreadBy == 2 })
        #expect(try await stage.ann.unread(Cast.club) == 0, "the own ones")
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: messages[1].seq))
        #expect(try await counts().map(\.readBy) == [1, 1, 0, 0])
        #expect(try await counts().map(\.unreadBy) == [1, 1, 2, 2])

        try await stage.ann.recall(messages[2], in: Cast.club)
        #expect(try await stage.bob.unread(Cast.club) == 1)
        #expect(try await stage.cid.unread(Cast.club) == 3)
        try await stage.cid.delete(messages[3], messages[0], in: Cast.club)
        #expect(try await stage.bob.unread(Cast.club) == 1)
        #expect(try await stage.cid.unread(Cast.club) == 1)
        try await stage.bob.delete(messages[0], in: Cast.club)
        #expect(try await stage.bob.unread(Cast.club) == 1, "what was read before lowers nothing")
        for session in [stage.ann, stage.bob, stage.cid] {
            #expect(try await session.unread(Cast.club) == (try await session.recount(Cast.club)))
        }
    }

    @Test(arguments: Backend.available)
    func `unread of a message and unread of a channel come from the same marks [XC-12]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        var messages: [MessageID] = []
        for number in 1...6 {
            let session = number % 3 == 0 ? stage.bob : stage.ann
            messages.append(try await session.post("\(number)", to: Cast.club))
        }
        let senders = [0, 0, 1, 0, 0, 1]
        for seqs in [[6, 0, 2], [6, 4, 2], [6, 6, 5], [6, 6, 6]] as [[Int64]] {
            for (session, seq) in zip([stage.ann, stage.bob, stage.cid], seqs) where seq > 0 {
                try await session.perform(SetReadMark(channel: Cast.club, seq: seq))
            }
            let members = try await stage.ann.channel(Cast.club).members
            let marks = Dictionary(uniqueKeysWithValues: members.map { ($0.userID, $0.readSeq) })
            #expect(members.map(\.readSeq) == seqs)
            let counts = try await stage.cid.perform(CountReads(channel: Cast.club, messageIDs: messages)).messages
            for (count, sender) in zip(counts, senders.map { Cast.all[$0].userID }) {
                let unreadBy = ReadRules.unreadBy(seq: count.messageID.seq, marks: marks, viewer: sender)
                #expect(count.unreadBy == unreadBy)
            }
            for (number, session) in [stage.ann, stage.bob, stage.cid].enumerated() {
                let above = zip(messages, senders).count { $0.seq > seqs[number] && $1 != number }
                #expect(try await session.unread(Cast.club) == above)
            }
        }
    }

    // MARK: Messages

    @Test(arguments: Backend.available)
    func `every kind of message has the common fields, and tells when it was recalled [LR-1]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let named = SetChannelPreference(channel: Cast.club, nickname: "Annie", imageURL: "https://example.org/a")
        try await stage.ann.perform(named)
        for (number, send) in try await SendMessage.everyKind(in: Cast.club, from: stage.ann).enumerated() {
            stage.roost.clock.advance(by: 5)
            let answer = try await stage.ann.perform(send, id: "key-\(number)")
            let id = try #require(answer.messageID)
            let sentAt = stage.roost.clock.now
            let row = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(row.transID?.rawValue == "key-\(number)")
            #expect(answer.transID == row.transID)
            #expect(row.channel == Cast.club)
            #expect(try await stage.bob.channel(Cast.club).kind == .group)
            #expect(row.senderID == Cast.ann.userID)
            #expect(row.$sentAt == sentAt && answer.$sentAt == sentAt)
            let message = try #require(row.message)
            #expect(message.messageID == id)
            #expect(message.type == send.content.type)
            #expect(message.text == send.text)
            #expect(message.category == "app")
            #expect(message.extras == send.extras)
            #expect(message.senderName == "Annie")
            #expect(message.senderImageURL == "https://example.org/a")
            #expect(message.recall == nil)
            // Whether it was read follows from the marks: the row is the same for everybody.
            let counts = CountReads(channel: Cast.club, messageIDs: [id])
            #expect(try await stage.ann.perform(counts).messages.map(\.readBy) == [0])
            try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: id))
            #expect(try await stage.ann.perform(counts).messages.map(\.readBy) == [1])
            try await stage.ann.recall(id, in: Cast.club)
            let recall = Recall(
                isSilent: false, at: .init(milliseconds: sentAt), byUserID: Cast.ann.userID, byName: "Annie")
            #expect(try await stage.bob.row(id, in: Cast.club)?.recall == recall)
        }
    }

    @Test(arguments: Backend.available)
    func `a recall has one meaning of silent, and a result per message [C-L8]`(backend: Backend) async throws {
        let stage = try await club(backend)
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

    @Test(arguments: Backend.available)
    func `a tag is checked for its bounds only, and covers its sign [C-L14]`(backend: Backend) async throws {
        let stage = try await club(backend)
        func send(_ start: Int, _ length: Int) -> SendMessage {
            let mention = Mention(userID: Cast.bob.userID, start: start, length: length)
            return SendMessage(channel: Cast.club, text: "@Paul hi", mentions: [mention])
        }
        // The reference's sample leaves a letter out; the text in the range is up to the app.
        for (start, length) in [(0, 4), (0, 5), (1, 4), (0, 8), (7, 1)] {
            try await stage.ann.perform(send(start, length))
            let mentions = stage.bob.rows(of: Cast.club).last?.message?.mentions
            #expect(mentions == [Mention(userID: Cast.bob.userID, start: start, length: length)])
        }
        for (start, length) in [(0, 9), (8, 1), (-1, 5), (0, 0), (5, -1), (Int.max, 1), (1, Int.max)] {
            #expect(try await stage.ann.refusal(send(start, length))?.code == 6, "\(start) \(length)")
        }
    }

    @Test(arguments: Backend.available)
    func `an answer names its message once, and the server tells the rest of it [C-L16]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let parent = try await stage.ann.post("parent", to: Cast.club)
        let child = try await stage.bob.post(SendMessage(channel: Cast.club, text: "child", replyTo: parent))
        let grandchild = try await stage.cid.post(SendMessage(channel: Cast.club, text: "leaf", replyTo: child))
        var snapshots: [ReplySnapshot?] = []
        for id in [child, grandchild] {
            snapshots.append(try await stage.ann.row(id, in: Cast.club)?.message?.replyTo)
        }
        #expect(snapshots.map { $0?.messageID } == [parent, child])
        #expect(snapshots.map { $0?.text } == ["parent", "child"])
        #expect(snapshots.map { $0?.senderID } == [Cast.ann.userID, Cast.bob.userID])
        #expect(snapshots.map { $0?.type } == ["text", "text"])
        #expect(snapshots.map { $0?.sentAt.milliseconds } == [stage.roost.clock.now, stage.roost.clock.now])
        for wrong in [MessageID(sentAt: 1, seq: parent.seq, salt: 1), MessageID(sentAt: 1, seq: 99, salt: 1)] {
            let answer = SendMessage(channel: Cast.club, text: "x", replyTo: wrong)
            #expect(try await stage.bob.refusal(answer)?.code == 1118)
        }
    }

    @Test(arguments: Backend.available)
    func `any member may delete messages for themselves, whatever the role and the settings [C-L25]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
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
        #expect(try await stage.dee.refusal(DeleteMessages(allIn: Cast.club))?.code == 1105)
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
            #expect(try await session.refusal(ListMessages(channel: own))?.code == 1105)
            #expect(try await session.refusal(SendMessage(channel: own, text: "x"))?.code == 1105)
        }
    }

    // MARK: Channels

    @Test(arguments: Backend.available)
    func `a channel's picture is one type, its background and all other settings another [C-L20]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let changes: [(ChannelProfile, Int)] = [
            (ChannelProfile(avatar: "pictures/1"), 1009), (ChannelProfile(background: "pictures/2"), 1015),
            (ChannelProfile(customAttributes: 3), 1015), (ChannelProfile(canJoin: true), 1015),
            (ChannelProfile(maxMembers: 9), 1015), (ChannelProfile(avatar: ""), 1009),
            (ChannelProfile(background: ""), 1015),
        ]
        for (profile, number) in changes {
            try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: profile))
            let row = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(row.body == .channel(.channelProfileChanged(ChannelProfileChanged(profile: profile))))
            #expect(row.body.messageType?.number == number)
        }
        let rest = ChannelProfile(customAttributes: 3, canJoin: true, maxMembers: 9)
        #expect(try await stage.cid.channel(Cast.club).profile == rest)
    }

    // MARK: One coherent system

    @Test(arguments: Backend.available)
    func `order is a dense number per channel, whatever the clock says [XC-5]`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.makePair()
        var random = SeededNumbers(5)
        var sent: [ChannelID: [String]] = [:]
        for number in 0..<60 {
            stage.roost.clock.advance(by: Int64(random.int(-1_000_000...100_000)))
            let channel = random.pick([Cast.club, Cast.annAndBob])
            try await random.pick([stage.ann, stage.bob]).send("\(number)", to: channel)
            sent[channel, default: []].append("\(number)")
        }
        for (channel, texts) in sent {
            let seqs = (1...texts.count).map { Int64($0) }
            for session in [stage.ann, stage.bob] {
                #expect(session.rows(of: channel).compactMap(\.text) == texts, "\(seed)")
                #expect(session.rows(of: channel).compactMap(\.seq) == seqs, "\(seed)")
                let log = try await session.log(of: channel)
                #expect(log.compactMap(\.text) == texts, "\(seed)")
                #expect(log.compactMap(\.seq) == seqs, "\(seed)")
            }
        }
    }

    @Test(arguments: Backend.available)
    func `a message is the same by the key of its sender, on every device and in the log [XC-6]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let first = try await stage.ann.send("once", to: Cast.club, id: "local-1")
        let again = try await tablet.send("once", to: Cast.club, id: "local-1")
        #expect(first == again)
        #expect(first.transID.rawValue == "local-1")
        let other = try await stage.bob.send("another's key", to: Cast.club, id: "local-1")
        #expect(other.messageID != first.messageID)
        for session in [stage.ann, tablet, stage.bob, stage.cid] {
            for rows in [session.rows(of: Cast.club), try await session.log(of: Cast.club)] {
                #expect(rows.map(\.messageID) == [first.messageID, other.messageID])
                #expect(rows.map { $0.transID?.rawValue } == ["local-1", "local-1"])
                #expect(rows.map(\.senderID) == [Cast.ann.userID, Cast.bob.userID])
            }
        }
    }

    @Test(arguments: Backend.available)
    func `pages are as large as a screen asks for, up to the bounds of the server [XC-11]`(
        backend: Backend
    ) async throws {
        let stage = try await club(backend)
        for number in 0..<101 { try await stage.ann.send("\(number)", to: Cast.club) }
        for (limit, count) in [(20, 20), (30, 30), (50, 50), (nil, 50), (100, 100)] as [(Int?, Int)] {
            let page = try await stage.bob.perform(ListMessages(channel: Cast.club, limit: limit))
            #expect(page.events.count == count)
            #expect(page.hasBefore)
        }
        for index in 0..<40 {
            try await stage.ann.perform(
                CreateChannel(kind: .group, channel: channel("g\(index)"), members: [Cast.bob.userID]))
        }
        for (limit, count) in [(nil, 15), (30, 30), (100, 41)] as [(Int?, Int)] {
            #expect(try await stage.ann.perform(ListChannels(limit: limit)).channels.count == count)
        }
        #expect(try await stage.ann.perform(ListMembers(channel: Cast.club, limit: 500)).members.count == 3)
        for limit in [0, 101] {
            #expect(try await stage.ann.refusal(ListMessages(channel: Cast.club, limit: limit))?.code == 6)
            #expect(try await stage.ann.refusal(ListChannels(limit: limit))?.code == 6)
        }
        #expect(try await stage.ann.refusal(ListMembers(channel: Cast.club, limit: 501))?.code == 6)
    }

    @Test(arguments: Backend.available)
    func `typing works in a 1-on-1, a group and an open channel [XC-13]`(backend: Backend) async throws {
        let stage = try await club(backend)
        try await stage.makePair()
        for session in stage.all { try await session.perform(JoinChannel(channel: Cast.lobby)) }
        await stage.forgetEvents()
        let listeners: [(ChannelID, [TestSession])] = [
            (Cast.annAndBob, [stage.bob]), (Cast.club, [stage.bob, stage.cid]),
            (Cast.lobby, [stage.bob, stage.cid, stage.dee]),
        ]
        for (channel, listeners) in listeners {
            try await stage.ann.perform(StartTyping(channel: channel))
            try await stage.ann.perform(EndTyping(channel: channel))
            for session in stage.all {
                let told = session.drainEvents()
                let isListener = listeners.contains { $0.userID == session.userID }
                #expect(told.map(\.name) == (isListener ? ["typing.started", "typing.ended"] : []), "\(channel)")
                #expect(told.allSatisfy { $0.channel == channel && $0.seq == nil })
            }
        }
    }
}
