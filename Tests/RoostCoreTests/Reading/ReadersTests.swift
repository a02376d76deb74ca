import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ReadersTests {
    private let start = TestClock().now

    /// The club with five messages of Ann, one per millisecond.
    private func stage(_ backend: Backend) async throws -> (stage: Stage, messages: [MessageID]) {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        var messages: [MessageID] = []
        for number in 1...5 {
            stage.roost.clock.advance(by: 1)
            messages.append(try await stage.ann.post("\(number)", to: Cast.club))
        }
        await stage.forgetEvents()
        return (stage, messages)
    }

    private func moved(_ session: TestSession) -> [ReadMark] {
        session.events.flatMap { event -> [ReadMark] in
            if case .ephemeral(.readMarkMoved(let moved)) = event.body { moved.marks } else { [] }
        }
    }

    @Test(arguments: Backend.available)
    func `marking up to a message by its time or id reads everything before it [L-78 LCB-16]`(
        backend: Backend
    ) async throws {
        let (stage, messages) = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let answer = try await stage.bob.perform(SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 3)))
        #expect(answer.mark.seq == 3)
        #expect(answer.unread == 2)
        await stage.settle()
        for session in [stage.ann, stage.cid, stage.bob, tablet] {
            #expect(moved(session).map(\.userID) == [Cast.bob.userID])
            #expect(moved(session).map(\.seq) == [3])
        }
        #expect(moved(stage.dee).isEmpty)
        await stage.forgetEvents()
        // An earlier mark succeeds and changes nothing.
        for command in [
            SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 1)),
            SetReadMark(channel: Cast.club, messageID: messages[0]),
            SetReadMark(channel: Cast.club, seq: 1),
            SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 3)),
        ] {
            #expect(try await stage.bob.perform(command).mark == answer.mark)
        }
        await stage.settle()
        #expect(moved(stage.ann).isEmpty)
        #expect(try await stage.bob.unread(Cast.club) == 2)
        let next = try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: messages[3]))
        #expect(next.mark.seq == 4)
        #expect(next.unread == 1)
        #expect(try await tablet.unread(Cast.club) == 1)

        for id in [MessageID(sentAt: 0, seq: 4, salt: 0), MessageID(sentAt: 0, seq: 9, salt: 0)] {
            #expect(
                try await stage.bob.refusal(SetReadMark(channel: Cast.club, messageID: id))?.entry == .messageNotFound)
        }
        #expect(
            try await stage.bob.refusal(SetReadMark(channel: Cast.club, time: .init(milliseconds: start)))?.entry
                == .messageNotFound
        )
        var two = SetReadMark(channel: Cast.club, seq: 1)
        two.time = .init(milliseconds: start + 1)
        #expect(try await stage.bob.refusal(two)?.entry == .dataFormat)
        #expect(
            try await stage.dee.refusal(SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 1)))?.entry
                == .channelNotFound)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(
            try await stage.cid.refusal(SetReadMark(channel: Cast.club, time: .init(milliseconds: start + 1)))?.entry
                == .notMember)
        #expect(
            try await stage.bob.perform(SetReadMark(channel: Cast.club, time: .init(milliseconds: .max))).mark.seq == 6)
    }

    @Test(arguments: Backend.available)
    func `marking on entering and on each message received keeps nothing unread, and each is told once [L-79]`(
        backend: Backend
    ) async throws {
        let (stage, _) = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.bob, device: "tablet")
        let newest = try #require(try await stage.bob.channel(Cast.club).lastMessage?.sentAt)
        #expect(try await stage.bob.perform(SetReadMark(channel: Cast.club, time: newest)).unread == 0)
        for number in 6...9 {
            stage.roost.clock.advance(by: 1)
            try await (number % 2 == 0 ? stage.ann : stage.cid).send("\(number)", to: Cast.club)
            let received = try #require(stage.bob.rows(of: Cast.club).last)
            #expect(try await tablet.unread(Cast.club) == 1)
            let mark = SetReadMark(channel: Cast.club, time: try #require(received.sentAt))
            #expect(try await stage.bob.perform(mark).mark.seq == received.seq)
            #expect(try await tablet.unread(Cast.club) == 0)
            await stage.settle()
        }
        #expect(moved(stage.ann).filter { $0.userID == Cast.bob.userID }.map(\.seq) == [5, 6, 7, 8, 9])
    }

    @Test(arguments: Backend.available)
    func `a mark by time reads all messages of that moment`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        for number in 1...90 {
            stage.roost.clock.advance(by: number % 3 == 0 ? 1 : 0)
            try await stage.ann.send("\(number)", to: Cast.annAndBob)
        }
        let log = try await stage.bob.log(of: Cast.annAndBob)
        for moment in start...stage.roost.clock.now {
            let answer = try await stage.bob.perform(
                SetReadMark(channel: Cast.annAndBob, time: .init(milliseconds: moment)))
            #expect(answer.mark.seq == Int64(log.count { ($0.$sentAt ?? 0) <= moment }))
            #expect(answer.unread == log.count { ($0.$sentAt ?? 0) > moment })
        }
    }

    @Test(arguments: Backend.available)
    func `a mark has the reader, the position and the time [LR-14]`(backend: Backend) async throws {
        let (stage, messages) = try await stage(backend)
        stage.roost.clock.advance(by: 100)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: messages[1]))
        await stage.settle()
        let event = try #require(stage.ann.events(named: .readMarkMoved).first)
        #expect(event.channel == Cast.club)
        let mark = ReadMark(
            userID: Cast.bob.userID, seq: messages[1].seq, count: 2, readAt: .init(milliseconds: start + 105))
        #expect(event.body == .ephemeral(.readMarkMoved(ReadMarksMoved(marks: [mark], moved: 1))))
    }

    @Test(arguments: Backend.available)
    func `a read mark is live only: not stored, not last, not pushed, not counted [LT-1101]`(
        backend: Backend
    ) async throws {
        let (stage, _) = try await stage(backend)
        let before = try await stage.cid.channel(Cast.club)
        let own = try await stage.cid.perform(Resume(userSeq: 0))
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        await stage.settle()
        let event = try #require(stage.cid.events.first)
        #expect(event.body.messageType?.number == 1101)
        #expect(event.seq == nil && event.userSeq == nil)
        #expect(event.body.behaviour?.isPushed == false)
        let after = try await stage.cid.channel(Cast.club)
        #expect(after.seq == before.seq)
        #expect(after.lastMessage == before.lastMessage)
        #expect(after.lastActivityAt == before.lastActivityAt)
        #expect(after.unread == before.unread)
        #expect(try await stage.cid.log(of: Cast.club).count == 5)
        #expect(try await stage.cid.perform(Resume(userSeq: 0)).events == own.events)
    }

    @Test(arguments: Backend.available)
    func `a user who was away can ask how far the members have read [L-80 LR-21]`(backend: Backend) async throws {
        let (stage, messages) = try await stage(backend)
        stage.roost.disconnect(stage.ann)
        stage.roost.clock.advance(by: 50)
        try await stage.cid.perform(SetReadMark(channel: Cast.club, messageID: messages[2]))
        let back = try await stage.roost.session(Cast.ann)
        #expect(moved(back).isEmpty)
        let expected = [
            MemberRead(
                userID: Cast.ann.userID, seq: 5, sentAt: .init(milliseconds: start + 5),
                readAt: .init(milliseconds: start + 5)),
            MemberRead(userID: Cast.bob.userID, seq: 0, sentAt: .init(milliseconds: 0), readAt: .init(milliseconds: 0)),
            MemberRead(
                userID: Cast.cid.userID, seq: 3, sentAt: .init(milliseconds: start + 3),
                readAt: .init(milliseconds: start + 55)),
        ]
        #expect(try await back.perform(ListMemberReads(channel: Cast.club)).members == expected)
        var found: [MemberRead] = []
        var cursor: String?
        repeat {
            let page = try await back.perform(ListMemberReads(channel: Cast.club, limit: 1, cursor: cursor))
            found += page.members
            cursor = page.next
        } while cursor != nil
        #expect(found == expected)
        #expect(try await stage.dee.refusal(ListMemberReads(channel: Cast.club))?.entry == .channelNotFound)
        for limit in [0, 501] {
            #expect(try await back.refusal(ListMemberReads(channel: Cast.club, limit: limit))?.entry == .dataFormat)
        }
        // Connected users receive the event.
        try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: messages[0]))
        await stage.settle()
        #expect(moved(back).map(\.seq) == [1])
    }

    @Test(arguments: Backend.available)
    func `how many have read a message and how many not, without its sender [L-81 LR-23]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let dee = Cast.dee.userID
        try await stage.ann.perform(
            CreateChannel(kind: .group, channel: Cast.club, members: [Cast.bob.userID, Cast.cid.userID, dee]))
        let first = try await stage.ann.post("first", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.club)
        try await stage.cid.perform(SetReadMark(channel: Cast.club, seq: 1))
        try await stage.dee.perform(SetReadMark(channel: Cast.club))
        let operatorSession = try await stage.roost.session(user("op"), isOperator: true)
        let line = try #require(
            try await operatorSession.perform(AnnounceMessage(channel: Cast.club, text: "line")).messageID)
        let command = CountReads(channel: Cast.club, messageIDs: [line, second, first])
        for session in stage.all {
            #expect(
                try await session.perform(command).messages == [
                    ReadCount(messageID: first, readBy: 2, unreadBy: 1),
                    ReadCount(messageID: second, readBy: 1, unreadBy: 2),
                    ReadCount(messageID: line, readBy: 0, unreadBy: 4),
                ])
        }
        func refusal(_ session: TestSession, _ ids: [MessageID], _ channel: ChannelID = Cast.club) async throws
            -> ErrorCode?
        {
            try await session.refusal(CountReads(channel: channel, messageIDs: ids))?.entry
        }
        let forged = MessageID(sentAt: 0, seq: 1, salt: 0)
        #expect(try await refusal(stage.ann, [forged]) == .messageNotFound)
        let some = CountReads(channel: Cast.club, messageIDs: [forged, first])
        #expect(try await stage.ann.perform(some).messages.map(\.messageID) == [first])
        #expect(try await refusal(stage.ann, []) == .dataFormat)
        #expect(try await refusal(operatorSession, [first]) == .channelNotFound)
        let open = try await stage.ann.post("open", to: Cast.lobby)
        #expect(try await refusal(stage.ann, [open], Cast.lobby) == .channelTypeMismatch)
        // A former member no longer counts, on either side.
        try await stage.dee.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.ann.perform(some).messages == [ReadCount(messageID: first, readBy: 1, unreadBy: 1)])
    }

    @Test(arguments: Backend.available)
    func `message.get tells its caller whether a message was read [LR-1]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        func isRead(_ id: MessageID, _ session: TestSession, in channel: ChannelID = Cast.club) async throws -> Bool? {
            let events = try await session.perform(GetMessages(channel: channel, messageIDs: [id])).events
            return try #require(events.first?.message).isRead
        }
        let first = try await stage.ann.post("first", to: Cast.club)
        let second = try await stage.ann.post("second", to: Cast.club)
        for session in [stage.ann, stage.bob, stage.cid] { #expect(try await isRead(first, session) == nil) }
        try await stage.bob.perform(SetReadMark(channel: Cast.club, messageID: first))
        // An own message was read by somebody, another one by the caller.
        #expect(try await isRead(first, stage.ann) == true)
        #expect(try await isRead(first, stage.bob) == true)
        #expect(try await isRead(first, stage.cid) == nil)
        for session in [stage.ann, stage.bob, stage.cid] { #expect(try await isRead(second, session) == nil) }
        // Reading the own messages does not make them read.
        try await stage.ann.perform(SetReadMark(channel: Cast.club))
        #expect(try await isRead(second, stage.ann) == nil)
        // Neither the rows of the log nor pages, which many share, have it.
        #expect(try await stage.ann.log(of: Cast.club).allSatisfy { $0.message?.isRead == nil })
        #expect(stage.bob.rows(of: Cast.club).allSatisfy { $0.message?.isRead == nil })
        // Marks that are hidden by a block are hidden here, too.
        let hello = try await stage.ann.post("hi", to: Cast.annAndBob)
        try await stage.bob.perform(SetReadMark(channel: Cast.annAndBob))
        #expect(try await isRead(hello, stage.ann, in: Cast.annAndBob) == true)
        try await stage.bob.perform(BlockUser(userID: Cast.ann.userID))
        #expect(try await isRead(hello, stage.ann, in: Cast.annAndBob) == nil)
    }

    @Test(arguments: Backend.available)
    func `who has read a message, in pages that lose nobody when times are equal [L-82 LR-24 C-L33]`(
        backend: Backend
    ) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        var readers: [TestSession] = []
        for number in 0..<250 { readers.append(try await roost.session(user("u\(number)"))) }
        for part in [readers.prefix(100), readers[100..<200], readers.suffix(50)].enumerated() {
            let members = part.element.map(\.userID)
            if part.offset == 0 {
                try await ann.perform(CreateChannel(kind: .group, channel: Cast.club, members: members))
            } else {
                try await ann.perform(InviteMembers(channel: Cast.club, members: members))
            }
        }
        let message = try await ann.post("read me", to: Cast.club)
        var random = SeededNumbers(8)
        var expected: [Reader] = []
        for reader in readers.shuffled(using: &random) {
            if random.int(0...60) == 0 { roost.clock.advance(by: 1) }
            try await reader.perform(SetReadMark(channel: Cast.club))
            expected.append(Reader(userID: reader.userID, readAt: .init(milliseconds: roost.clock.now)))
        }
        expected.sort { ($0.readAt, $0.userID) < ($1.readAt, $1.userID) }
        for (limit, sizes) in [(100, [100, 100, 50]), (7, nil), (nil, [100, 100, 50])] as [(Int?, [Int]?)] {
            var command = ListReaders(channel: Cast.club, messageID: message, limit: limit)
            var found: [Reader] = []
            var pages: [Int] = []
            repeat {
                let page = try await ann.perform(command)
                found += page.readers
                pages.append(page.readers.count)
                command.cursor = page.next
            } while command.cursor != nil
            #expect(found == expected, "\(seed)")
            if let sizes { #expect(pages == sizes) }
        }
        for limit in [0, 101] {
            let command = ListReaders(channel: Cast.club, messageID: message, limit: limit)
            #expect(try await ann.refusal(command)?.entry == .dataFormat)
        }
        for after in ["", "x", "1", "/u1", "1/a b"] {
            let command = ListReaders(channel: Cast.club, messageID: message, cursor: after)
            #expect(try await ann.refusal(command)?.entry == .dataFormat, "\(after)")
        }
        let forged = MessageID(sentAt: 0, seq: message.seq, salt: 0)
        #expect(try await ann.refusal(ListReaders(channel: Cast.club, messageID: forged))?.entry == .messageNotFound)
        let open = try await ann.post("open", to: Cast.lobby)
        #expect(try await ann.refusal(ListReaders(channel: Cast.lobby, messageID: open))?.entry == .channelTypeMismatch)
    }

    @Test(arguments: Backend.available)
    func `the readers of a message do not name its sender, and come when they have read it`(
        backend: Backend
    ) async throws {
        let (stage, messages) = try await stage(backend)
        func readers(_ message: MessageID) async throws -> [UserID] {
            try await stage.cid.perform(ListReaders(channel: Cast.club, messageID: message)).readers.map(\.userID)
        }
        #expect(try await readers(messages[0]).isEmpty)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: 2))
        #expect(try await readers(messages[1]) == [Cast.bob.userID])
        #expect(try await readers(messages[2]).isEmpty)
        // Sending moves the sender's mark if nothing before the message is unread.
        try await stage.bob.perform(SetReadMark(channel: Cast.club))
        let answer = try await stage.bob.post("answer", to: Cast.club)
        #expect(try await readers(messages[4]) == [Cast.bob.userID])
        #expect(try await readers(answer).isEmpty)
    }

    @Test(arguments: Backend.available)
    func `the user's own read positions are queried for one channel or page by page [LR-19]`(
        backend: Backend
    ) async throws {
        let (stage, _) = try await stage(backend)
        try await stage.makePair()
        try await stage.bob.perform(CreateChannel(kind: .own))
        try await stage.bob.perform(JoinChannel(channel: Cast.lobby))
        stage.roost.clock.advance(by: 10)
        try await stage.bob.perform(SetReadMark(channel: Cast.club, seq: 4))
        let bobsOwn = ChannelID(single: Cast.bob.userID, Cast.bob.userID)
        let expected = [
            ChannelRead(
                channel: Cast.annAndBob, kind: .single, seq: 0, sentAt: .init(milliseconds: 0),
                readAt: .init(milliseconds: 0)),
            ChannelRead(
                channel: bobsOwn, kind: .own, seq: 0, sentAt: .init(milliseconds: 0), readAt: .init(milliseconds: 0)),
            ChannelRead(
                channel: Cast.club, kind: .group, seq: 4, sentAt: .init(milliseconds: start + 4),
                readAt: .init(milliseconds: start + 15)),
        ]
        #expect(try await stage.bob.perform(ListReadMarks()).channels == expected)
        var found: [ChannelRead] = []
        var cursor: String?
        repeat {
            let page = try await stage.bob.perform(ListReadMarks(limit: 1, cursor: cursor))
            #expect(page.channels.count == 1)
            found += page.channels
            cursor = page.next
        } while cursor != nil
        #expect(found == expected)
        let one = try await stage.bob.perform(ListReadMarks(channel: Cast.club))
        #expect(one == ListReadMarks.Answer(channels: [expected[2]]))
        #expect(try await stage.dee.refusal(ListReadMarks(channel: Cast.club))?.entry == .channelNotFound)
        #expect(try await stage.bob.refusal(ListReadMarks(channel: Cast.lobby))?.entry == .channelTypeMismatch)
        for limit in [0, 101] {
            #expect(try await stage.bob.refusal(ListReadMarks(limit: limit))?.entry == .dataFormat)
        }
    }

    @Test(arguments: Backend.available)
    func `everything is read at once, and the others are informed of each channel`(backend: Backend) async throws {
        let (stage, _) = try await stage(backend)
        try await stage.makePair()
        try await stage.ann.send("x", to: Cast.annAndBob)
        try await stage.bob.perform(UnsetReadMark(channel: Cast.club))
        await stage.forgetEvents()
        #expect(try await stage.bob.perform(SetAllReadMarks()).moved == 2)
        await stage.settle()
        #expect(Set(stage.ann.events(named: .readMarkMoved).compactMap(\.channel)) == [Cast.club, Cast.annAndBob])
        #expect(moved(stage.cid).map(\.seq) == [5])
        let unread = try await stage.bob.perform(GetUnread())
        #expect(unread == GetUnread.Answer(total: 0, channels: []))
        #expect(stage.bob.events(named: .channelUnreadMarked).count == 1)
        #expect(try await stage.bob.perform(SetAllReadMarks()).moved == 0)
    }

    @Test(arguments: Backend.available)
    func `read in a group means read by any other member, and counts follow recalls and deletions [C-L31]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
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
}
