import RoostWire
import Testing

@testable import RoostClient

@Suite struct ValueTests {
    private let ann = Names.ann.userID
    private let ben = Names.ben.userID
    private let cat = Names.user("cat").userID

    private func member(_ user: UserID, read: Int64) -> Member {
        Member(userID: user, name: user.rawValue, role: .participant, readSeq: read, readAt: .init(milliseconds: 0))
    }

    private func moved(_ user: UserID, _ seq: Int64) -> ReadMarksMoved {
        ReadMarksMoved(marks: [ReadMark(userID: user, seq: seq, count: seq, readAt: .init(milliseconds: 0))], moved: 1)
    }

    @Test func `start adds a typist, end removes one, ten seconds remove each by itself [J-46 J-48]`() {
        var typing = TypingUsers(viewer: ann)
        typing.start(ann, name: "Ann", now: .init(milliseconds: 0))
        #expect(typing.isEmpty)
        typing.start(ben, name: "Ben", now: .init(milliseconds: 0))
        typing.start(cat, name: "Cat", now: .init(milliseconds: 4_000))
        #expect(typing.names == ["Ben", "Cat"])
        #expect(typing.nextExpiry?.milliseconds == 10_000)
        let changed1 = typing.expire(now: .init(milliseconds: 9_999))
        #expect(!changed1)
        let changed2 = typing.expire(now: .init(milliseconds: 10_000))
        #expect(changed2)
        #expect(typing.userIDs == [cat])
        typing.start(cat, name: "Cat", now: .init(milliseconds: 12_000))
        let changed3 = typing.expire(now: .init(milliseconds: 21_999))
        #expect(!changed3)
        typing.end(cat)
        #expect(typing.count == 0)
        #expect(typing.nextExpiry == nil)
    }

    @Test func `a message ends its sender's typing [J-49]`() {
        var typing = TypingUsers()
        let started = Event(
            body: .ephemeral(.typingStarted(TypingChanged(userID: ben, name: "Ben", at: .init(milliseconds: 0)))))
        let changed4 = typing.apply(started, now: .init(milliseconds: 0))
        #expect(changed4)
        let changed5 = typing.apply(started, now: .init(milliseconds: 1_000))
        #expect(!changed5)
        let message = Message(
            messageID: MessageID(sentAt: 0, seq: 1, salt: 0), content: MessageContent(text: "x"), senderName: "Ben",
            count: 1)
        let changed6 = typing.apply(
            Event(senderID: ben, body: .channel(.messageSent(message))), now: .init(milliseconds: 1_500))
        #expect(changed6)
        #expect(typing.isEmpty)
    }

    @Test func `a mark only moves forward [J-51]`() {
        var marks = ReadMarks()
        marks.apply(members: [member(ann, read: 5), member(ben, read: 3)])
        marks.apply(moved(ben, 7))
        marks.apply(moved(ben, 4))
        #expect(marks.readSeq(of: ben) == 7)
        marks.apply(moved(cat, 9))
        #expect(marks.readSeq(of: cat) == nil)
    }

    @Test func `applying members merges marks and drops former members [J-52]`() {
        var marks = ReadMarks()
        marks.apply(members: [member(ann, read: 5), member(ben, read: 8)])
        marks.apply(members: [member(ben, read: 6), member(cat, read: 1)])
        #expect(marks.readSeq(of: ben) == 8)
        #expect(marks.readSeq(of: ann) == nil)
        #expect(marks.readSeq(of: cat) == 1)
    }

    @Test func `a message has the number of others who have not read it [J-53]`() {
        var marks = ReadMarks()
        marks.apply(members: [member(ann, read: 0), member(ben, read: 3), member(cat, read: 5)])
        #expect(marks.unreadBy(seq: 3, viewer: ann) == 0)
        #expect(marks.unreadBy(seq: 4, viewer: ann) == 1)
        #expect(marks.unreadBy(seq: 6, viewer: ann) == 2)
        marks.apply(Event(seq: 9, body: .channel(.memberLeft(MemberLeft(userID: cat, name: "Cat", memberCount: 2)))))
        #expect(marks.unreadBy(seq: 6, viewer: ann) == 1)
        marks.apply(
            Event(seq: 10, body: .channel(.memberInvited(MembersInvited(members: [Names.user("dan")], memberCount: 3))))
        )
        #expect(marks.unreadBy(seq: 6, viewer: ann) == 1)
        #expect(marks.unreadBy(seq: 11, viewer: ann) == 2)
    }

    @Test func `the mark of a blocked user counts as 0 in the 1-on-1 until the channel is read again after the block`()
    {
        let pair = ChannelID(single: ann, ben)
        func channel(_ read: Int64, _ id: ChannelID, _ kind: ChannelKind) -> Channel {
            Channel(
                channel: id, kind: kind, memberCount: 2, members: [member(ann, read: 9), member(ben, read: read)],
                seq: 9, count: 9, lastActivityAt: .init(milliseconds: 0))
        }
        func own(_ isBlocked: Bool, _ user: User) -> Event {
            let body = BlockChanged(user: user)
            return Event(
                userSeq: 1, senderID: ann, body: isBlocked ? .user(.userBlocked(body)) : .user(.userUnblocked(body)))
        }
        var marks = ReadMarks()
        marks.apply(channel(7, pair, .single))
        marks.apply(own(true, Names.user("cat")))
        #expect(marks.readSeq(of: ben) == 7)
        marks.apply(own(true, Names.ben))
        #expect(marks.readSeq(of: ben) == 0)
        #expect(marks.readSeq(of: ann) == 9)
        // Events in transit before the block, and what the server shows from then on.
        marks.apply(moved(ben, 8))
        marks.apply(channel(0, pair, .single))
        marks.apply(moved(ann, 10))
        #expect(marks.readSeq(of: ben) == 0)
        #expect(marks.unreadBy(seq: 1, viewer: ann) == 1)
        #expect(marks.readSeq(of: ann) == 10)
        marks.apply(own(false, Names.ben))
        #expect(marks.readSeq(of: ben) == 0)
        marks.apply(channel(9, pair, .single))
        marks.apply(moved(ben, 10))
        #expect(marks.readSeq(of: ben) == 10)
        // In a group a block hides nothing, whoever else is in it.
        marks = ReadMarks()
        marks.apply(channel(7, Names.group, .group))
        marks.apply(own(true, Names.ben))
        #expect(marks.readSeq(of: ben) == 7)
    }

    @Test(arguments: [
        ("http://127.0.0.1:7878", "127.0.0.1", 7_878, false, "/v1/connect", "127.0.0.1:7878"),
        ("https://chat.example", "chat.example", 443, true, "/v1/connect", "chat.example"),
        ("ws://h/", "h", 80, false, "/v1/connect", "h"),
        ("WSS://h:8443/chat/", "h", 8_443, true, "/chat/v1/connect", "h:8443"),
        ("http://[::1]:80", "::1", 80, false, "/v1/connect", "[::1]"),
    ])
    func `an address is parsed`(
        text: String, host: String, port: Int, usesTLS: Bool, path: String, authority: String
    ) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.usesTLS == usesTLS)
        #expect(address.path == path)
        #expect(address.authority == authority)
    }

    @Test(arguments: [
        "", "127.0.0.1:7878", "ftp://h", "http://", "http://:80", "http://h:0", "http://h:65536", "http://h:x",
        "http://[::1", "http://h\r\nX: y", "http://u@h", "http://h/?a",
    ])
    func `a text that is not an address is refused`(text: String) { #expect(ServerAddress(text) == nil) }

    @Test func `delays have full jitter, a ceiling, and start again after a good connection`() {
        for seed in 0..<100 {
            var backoff = Backoff(random: RandomSource(seed: UInt64(seed)))
            #expect((0...2_000).contains(backoff.delay(wasLiveFor: 100)))
            for failure in 1..<12 {
                let ceiling = min(30_000, Int64(500) << Int64(min(failure, 7)))
                #expect((0...ceiling).contains(backoff.delay(wasLiveFor: nil)))
            }
            #expect((0...2_000).contains(backoff.delay(wasLiveFor: 30_000)))
        }
    }

    @Test func `an acknowledgement is read as Codable reads it`() throws {
        let all = [
            Acknowledgement(transID: Names.transID("t"), sentAt: .init(milliseconds: 1)),
            Acknowledgement(
                channel: Names.group, seq: 3, seqs: [3, 4], messageID: MessageID(sentAt: 9, seq: 3, salt: 1),
                transID: Names.transID("t"), sentAt: .init(milliseconds: 9)),
        ]
        for one in all {
            let read = try WireCodec.decodeAcknowledgement(WireCodec.encode(one))
            #expect(read == one)
        }
        #expect(throws: (any Error).self) { try WireCodec.decodeAcknowledgement(Array("{}".utf8)) }
    }
}

@Suite struct PageThenLiveTests {
    private let group = Names.group

    private func row(_ seq: Int64) -> ClientEvent {
        .event(Event(channel: group, seq: seq, body: .unknown("row")), isPast: false)
    }

    private func page(_ rows: ClosedRange<Int64>?, of head: Int64) -> ListMessages.Answer {
        let events = rows.map { $0.map { Event(channel: group, seq: $0, body: .unknown("row")) } } ?? []
        return ListMessages.Answer(
            events: events, hasBefore: false, hasAfter: (rows?.upperBound ?? head) < head, seq: head, from: 1,
            to: rows?.upperBound ?? head)
    }

    private func drain(_ order: inout PageThenLive) -> [Int64] {
        var rows: [Int64] = []
        while let event = order.next() {
            if case .event(let event, _) = event, let seq = event.seq { rows.append(seq) }
        }
        return rows
    }

    @Test func `pages come first, then what was live meanwhile, each once [J-20]`() {
        var order = PageThenLive(after: 2)
        #expect(order.wantsPageAfter == 2)
        order.append(page(3...4, of: 6))
        #expect(drain(&order) == [3, 4])
        #expect(order.wantsPageAfter == 4)
        order.append(page(5...6, of: 6))
        #expect(drain(&order) == [5, 6])
        #expect(order.wantsPageAfter == nil)
        for seq in 5...8 { order.append(row(Int64(seq))) }
        #expect(drain(&order) == [7, 8])
    }

    @Test func `a jump reads the log again before the row that showed it`() {
        var order = PageThenLive(after: 0)
        order.append(page(nil, of: 0))
        order.append(row(1))
        order.append(row(4))
        #expect(drain(&order) == [1])
        #expect(order.wantsPageAfter == 1)
        order.append(page(2...3, of: 4))
        #expect(drain(&order) == [2, 3])
        order.append(page(4...5, of: 5))
        #expect(drain(&order) == [4, 5])
        #expect(order.wantsPageAfter == nil)
    }

    @Test func `rows that a page leaves out are not waited for`() {
        var order = PageThenLive(after: 1)
        order.append(page(5...6, of: 6))
        #expect(drain(&order) == [5, 6])
        order.append(row(7))
        #expect(drain(&order) == [7])
    }

    @Test func `a reset that is too far reads the log, another one starts at its row`() {
        var order = PageThenLive(after: 0)
        order.append(page(1...2, of: 2))
        order.append(.reset(Reset(channel: group, seq: 9, reason: .tooFar)))
        _ = drain(&order)
        #expect(order.wantsPageAfter == 2)
        order.append(page(3...9, of: 9))
        #expect(drain(&order) == Array(3...9))
        order.append(.reset(Reset(channel: group, seq: 4, reason: .epoch)))
        order.append(row(5))
        #expect(drain(&order) == [5])
    }

    @Test func `without a start position only live rows are delivered`() {
        var order = PageThenLive(after: nil)
        #expect(order.wantsPageAfter == nil)
        order.append(row(7))
        #expect(drain(&order) == [7])
    }
}

@Suite struct MulticastTests {
    @Test func `each subscription gets everything from its beginning on, in order`() async {
        let multicast = Multicast<Int>(limit: 100, lagged: -1)
        let early = multicast.subscribe()
        multicast.yield([1, 2])
        let late = multicast.subscribe(startingWith: [0], where: { !$0.isMultiple(of: 2) })
        multicast.yield([3, 4, 5])
        #expect(await early.buffer.nextBatch() == [1, 2, 3, 4, 5])
        #expect(await late.buffer.nextBatch() == [0, 3, 5])
    }

    @Test func `a reader that waits is woken, and one that is cancelled ends`() async {
        let multicast = Multicast<Int>(limit: 100, lagged: -1)
        let subscription = multicast.subscribe()
        async let first = subscription.buffer.nextBatch()
        multicast.yield([7])
        #expect(await first == [7])
        let task = Task { await subscription.buffer.nextBatch() }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func `a reader that falls too far behind gets an error, and its sequence ends`() async {
        let multicast = Multicast<Int>(limit: 3, lagged: -1)
        let subscription = multicast.subscribe()
        for number in 1...10 { multicast.yield([number]) }
        #expect(await subscription.buffer.nextBatch() == [1, 2, 3, -1])
        #expect(await subscription.buffer.nextBatch() == nil)
    }

    @Test func `when the multicast is deallocated, its readers end`() async {
        var multicast: Multicast<Int>? = Multicast(limit: 3, lagged: nil)
        let subscription = multicast?.subscribe()
        multicast?.yield([1])
        multicast = nil
        #expect(await subscription?.buffer.nextBatch() == [1])
        #expect(await subscription?.buffer.nextBatch() == nil)
    }

    @Test func `a promise resumes all waiting tasks, and a cancelled one at once`() async throws {
        let promise = Promise<Int>()
        async let first = promise.value
        async let second = promise.value
        let task = Task { () -> RoostError.Code? in
            do {
                _ = try await promise.value
                return nil
            } catch {
                return (error as? RoostError)?.code
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        promise.complete(.success(3))
        promise.complete(.success(4))
        #expect(try await first == 3)
        #expect(try await second == 3)
    }
}
