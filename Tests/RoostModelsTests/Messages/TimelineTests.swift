import RoostClient
import RoostModels
import RoostTesting
import RoostWire
import Testing

/// Rows and queued messages created by a test.
enum Sample {
    static let start: Int64 = 1_767_225_600_000

    static func row(
        _ seq: Int64, _ text: String? = nil, by sender: User = Cast.bob, trans: String? = nil, at time: Int64? = nil,
        recall: Recall? = nil
    ) -> Event {
        let sentAt = time ?? start + seq * 1_000
        let message = Message(
            messageID: MessageID(sentAt: sentAt, seq: seq, salt: 1),
            content: MessageContent(text: recall == nil ? text ?? "m\(seq)" : ""), senderName: sender.name, count: seq,
            recall: recall)
        return Event(
            channel: Cast.annAndBob, seq: seq, senderID: sender.userID, transID: TransID(rawValue: trans ?? "t\(seq)"),
            sentAt: .init(milliseconds: sentAt), body: .channel(.messageSent(message)))
    }

    static func line(_ seq: Int64) -> Event {
        Event(
            channel: Cast.annAndBob, seq: seq, senderID: Cast.bob.userID,
            sentAt: .init(milliseconds: start + seq * 1_000),
            body: .channel(.memberJoined(MemberJoined(member: Cast.cid, memberCount: 3, isAnswer: false))))
    }

    static func queued(
        _ trans: String, _ text: String, order: Int64, at time: Int64 = start, _ state: QueuedMessage.State = .sending
    ) throws -> QueuedMessage {
        QueuedMessage(
            transID: try #require(TransID(rawValue: trans)),
            message: SendMessage(channel: Cast.annAndBob, text: text), createdAt: .init(milliseconds: time),
            order: order, state: state)
    }

    static func page(_ rows: [Event], before: Bool = false, after: Bool = false) -> HistoryPage {
        HistoryPage(
            events: rows, hasBefore: before, hasAfter: after, from: before ? rows.first?.seq ?? 1 : 1,
            to: rows.last?.seq ?? 0)
    }

    static func timeline() -> Timeline {
        Timeline(viewer: Cast.ann.userID, clock: ManualClock(now: start).clock)
    }
}

extension Timeline {
    var texts: [String] { items.filter(\.isContent).map(\.text) }
    var gaps: [TimelineItem.Kind] { items.map(\.kind).filter { if case .gap = $0 { true } else { false } } }
}

/// Merging: Z-4 to Z-9, Z-14 to Z-17, O-20 and related rules.
struct TimelineTests {
    @Test func `copies that one command of mine has made are items of their own, and votes show what they ask`() {
        var timeline = Sample.timeline()
        var rows = [Sample.row(1, "a", by: Cast.ann, trans: "same"), Sample.row(2, "b", by: Cast.ann, trans: "same")]
        for index in rows.indices {
            guard case .channel(.messageSent(var message)) = rows[index].body else { continue }
            message.isForwarded = true
            rows[index].body = .channel(.messageSent(message))
        }
        var asked = Sample.row(3, "which?", by: Cast.ann, trans: "ask")
        let vote = Vote(options: [.text("x"), .text("y")])
        if case .channel(.messageSent(var message)) = asked.body {
            message.content.payload = .vote(vote, type: "voteText")
            asked.body = .channel(.messageSent(message))
        }
        let end = VoteClosed(
            messageID: MessageID(sentAt: 1, seq: 3, salt: 1), seq: 3, revision: 1,
            tally: VoteTally(counts: [2, 1], voters: 3))
        let over = Event(
            channel: Cast.annAndBob, seq: 4, sentAt: .init(milliseconds: Sample.start), body: .channel(.voteClosed(end))
        )
        timeline.insertNewest(Sample.page(rows + [asked, over]))
        let items = timeline.items.filter(\.isContent)
        #expect(Set(items.map(\.id)).count == 4)
        #expect(items.map(\.isForwarded) == [true, true, false, false])
        #expect(items.map(\.content?.vote) == [nil, nil, vote, nil])
        #expect(items.last?.text == "A vote is over: option 1: 2 and option 2: 1 (3 voters)")
    }

    @Test func `the newest reading of reactions wins, whichever arrives first, and a recall removes them`() {
        func row(_ head: Int64?, _ kinds: [Reaction] = [], recall: Recall? = nil) -> Event {
            var event = Sample.row(1, recall: recall)
            event.reactions = head.map { MessageReactions(head: $0, kinds: kinds) }
            return event
        }
        let (one, two) = (
            Reaction(emoji: "👍", count: 1, isMine: false), Reaction(emoji: "👍", count: 2, isMine: true)
        )
        let readings = [row(nil), row(3, [one]), row(5, [two]), row(7)]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            var timeline = Sample.timeline()
            timeline.insertNewest(Sample.page([readings[order[0]], Sample.row(2)]))
            for index in order.dropFirst() { timeline.rewrite([readings[index]]) }
            #expect(timeline.items.first { $0.seq == 1 }?.reactions == [two], "\(order)")
            // A reading without reactions counts too, and changes one item.
            #expect(timeline.rewrite([readings[3]]).map(\.inserted) == [1])
            #expect(timeline.rewrite([readings[2]]) == [])
            #expect(timeline.items.allSatisfy { $0.reactions.isEmpty })
        }
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page([readings[2]]))
        timeline.rewrite([
            row(
                nil,
                recall: Recall(isSilent: false, at: .init(milliseconds: 1), byUserID: Cast.bob.userID, byName: "Bob"))
        ])
        #expect(timeline.items.allSatisfy { $0.reactions.isEmpty && !$0.takesReactions })
    }

    @Test func `merging nothing changes nothing [Z-4]`() {
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page([Sample.row(1), Sample.row(2)]))
        let before = timeline.items
        #expect(timeline.append([]) == [])
        #expect(timeline.insertNewest(Sample.page([], before: true)) == [])
        #expect(timeline.setQueue([]) == [])
        #expect(timeline.items == before)
    }

    @Test func `several own rows of one command are several items, whichever arrives first`() throws {
        let rows = (1...4).map { Sample.row($0, by: Cast.ann, trans: "many") }
        for order in [[1, 2, 3, 4], [3, 4, 1, 2], [4, 3, 2, 1]] {
            var timeline = Sample.timeline()
            timeline.setQueue([try Sample.queued("other", "x", order: 1)])
            for seq in order { timeline.insert(Sample.page([rows[seq - 1]]), before: Int64(seq) + 1) }
            let ids = timeline.items.map(\.id)
            #expect(Set(ids).count == ids.count)
            #expect(timeline.texts == ["m1", "m2", "m3", "m4", "x"])
            let before = timeline.items
            timeline.setViewer(Cast.bob.userID)
            timeline.setViewer(Cast.ann.userID)
            #expect(timeline.texts == ["m1", "m2", "m3", "m4", "x"])
            #expect(Set(timeline.items.map(\.id)).count == before.count)
        }
    }

    /// Ids of the server and of the client, equal, different or absent.
    @Test(
        "two messages are the same if their server ids or their local ids are equal, a missing id equals nothing [Z-5 C-Z1]",
        arguments: [
            // The send's transID, the row's, and whether they are the same message.
            ("a", "a", true), ("a", "b", false), ("a", nil, false),
        ] as [(String, String?, Bool)])
    func sameness(_ send: String, _ row: String?, _ isSame: Bool) throws {
        var timeline = Sample.timeline()
        timeline.setQueue([try Sample.queued(send, "x", order: 1)])
        var event = Sample.row(1, "x", by: Cast.ann)
        event.transID = row.flatMap(TransID.init(rawValue:))
        timeline.append([event])
        #expect(timeline.texts.count == (isSame ? 1 : 2))
        // The server's id: the same row again is the same message, with and without a local id.
        timeline.append([event])
        #expect(timeline.texts.count == (isSame ? 1 : 2))
        timeline.append([Sample.row(2, "x", by: Cast.bob, trans: send)])
        #expect(timeline.texts.count == (isSame ? 2 : 3))
    }

    @Test func `a send becomes its row in place, with the id that it had, and what is new is added [Z-6 C-Z2 XC-6]`()
        throws
    {
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page([Sample.row(98)], before: true))
        timeline.setQueue([try Sample.queued("local7", "hello", order: 1)])
        let pending = try #require(timeline.items.last)
        #expect(pending.state == .sending)
        #expect(pending.messageID == nil)
        timeline.append([Sample.row(99, "hello", by: Cast.ann, trans: "local7")])
        timeline.setQueue([])
        let sent = try #require(timeline.items.last)
        #expect(sent.id == pending.id)
        #expect(sent.state == .sent)
        #expect(sent.messageID?.seq == 99)
        #expect(timeline.texts == ["m98", "hello"])
        let newer = Sample.row(99, "hello, corrected", by: Cast.ann, trans: "local7")
        timeline.rewrite([newer])
        #expect(timeline.texts == ["m98", "hello, corrected"])
    }

    @Test func `the list ascends by seq, unsent messages come last in their order and move once [Z-7 C-Z8]`() throws {
        var timeline = Sample.timeline()
        timeline.setQueue([
            try Sample.queued("b", "second", order: 2), try Sample.queued("a", "first", order: 1),
        ])
        timeline.insertNewest(Sample.page([Sample.row(3), Sample.row(1), Sample.row(2)].reversed()))
        #expect(timeline.texts == ["m1", "m2", "m3", "first", "second"])
        timeline.append([Sample.row(4)])
        #expect(timeline.texts == ["m1", "m2", "m3", "m4", "first", "second"])
        // Accepted as row 6: it is placed before pending messages, and does not move when its row arrives.
        timeline.setQueue([
            try Sample.queued("a", "first", order: 1),
            try Sample.queued("b", "second", order: 2, .sent(seq: 6)),
        ])
        #expect(timeline.texts == ["m1", "m2", "m3", "m4", "second", "first"])
        timeline.append([Sample.row(5), Sample.row(6, "second", by: Cast.ann, trans: "b")])
        #expect(timeline.texts == ["m1", "m2", "m3", "m4", "m5", "second", "first"])
        // Equal times keep the order of the numbers.
        timeline.append([Sample.row(8, at: Sample.start), Sample.row(7, at: Sample.start)])
        #expect(timeline.items.compactMap(\.seq) == timeline.items.compactMap(\.seq).sorted())
    }

    @Test func `each published list is a value: an old snapshot does not change [Z-8]`() throws {
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page([Sample.row(1), Sample.row(2)]))
        let old = timeline.items
        let copy = old.map(\.text)
        timeline.append([Sample.row(3)])
        timeline.rewrite([Sample.row(1, "other")])
        timeline.remove([2])
        #expect(old.map(\.text) == copy)
        #expect(timeline.texts == ["other", "m3"])
    }

    @Test func `history and live rows that overlap are shown once [Z-9 C-J18]`() {
        var timeline = Sample.timeline()
        timeline.append([Sample.row(4), Sample.row(5)])
        timeline.insertNewest(Sample.page((2...5).map { Sample.row($0) }, before: true))
        timeline.append([Sample.row(5), Sample.row(6)])
        timeline.insert(Sample.page((1...3).map { Sample.row($0) }), before: 4)
        #expect(timeline.texts == (1...6).map { "m\($0)" })
        #expect(timeline.gaps.isEmpty)
        #expect(!timeline.hasPrevious)
    }

    @Test func `own sends change together, in one splice [Z-14]`() throws {
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page([Sample.row(1)]))
        timeline.setQueue([
            try Sample.queued("a", "a", order: 1), try Sample.queued("b", "b", order: 2),
            try Sample.queued("c", "c", order: 3),
        ])
        let splices = timeline.setQueue([
            try Sample.queued("a", "a", order: 1, .failed(RoostError(.timedOut, "x"))),
            try Sample.queued("b", "b", order: 2, .failed(RoostError(.timedOut, "x"))),
            try Sample.queued("c", "c", order: 3),
        ])
        #expect(splices == [TimelineSplice(index: 2, removed: 2, inserted: 2)])
    }

    @Test func `a failed message stays, and trying again keeps it the same item [Z-17]`() throws {
        var timeline = Sample.timeline()
        let error = RoostError(.timedOut, "Too late.")
        timeline.setQueue([try Sample.queued("a", "a", order: 1)])
        let id = try #require(timeline.items.last?.id)
        timeline.setQueue([try Sample.queued("a", "a", order: 1, .failed(error))])
        #expect(timeline.items.last?.id == id)
        #expect(timeline.items.last?.state == .failed(error))
        timeline.append([Sample.row(1)])
        #expect(timeline.items.last?.id == id)
        timeline.setQueue([try Sample.queued("a", "a", order: 2)])
        timeline.append([Sample.row(2, "a", by: Cast.ann, trans: "a")])
        timeline.setQueue([])
        #expect(timeline.items.last?.id == id)
        #expect(timeline.items.last?.state == .sent)
        #expect(timeline.texts == ["m1", "a"])
    }

    @Test func `a message keeps its ids, its number and its time [Z-19]`() throws {
        var timeline = Sample.timeline()
        let event = Sample.row(7, "x", by: Cast.ann, trans: "mine")
        timeline.append([event])
        let item = try #require(timeline.items.last)
        #expect(item.messageID == event.messageID)
        #expect(item.transID == event.transID)
        #expect(item.seq == 7)
        #expect(item.sentAt == event.sentAt)
        #expect(item.senderID == Cast.ann.userID)
        #expect(item.senderName == "Ann")
    }

    @Test func `messages of one sender within two minutes are grouped, lines and days and gaps part them`() {
        func grouped(_ rows: [Event]) -> [Bool] {
            var timeline = Sample.timeline()
            timeline.append(rows)
            return timeline.items.filter { $0.kind == .message }.map(\.isGrouped)
        }
        let start = Sample.start
        #expect(grouped([Sample.row(1, at: start), Sample.row(2, at: start + 119_999)]) == [false, true])
        #expect(grouped([Sample.row(1, at: start), Sample.row(2, at: start + 120_000)]) == [false, false])
        #expect(grouped([Sample.row(1, at: start), Sample.row(2, by: Cast.cid, at: start)]) == [false, false])
        #expect(grouped([Sample.row(1), Sample.line(2), Sample.row(3)]) == [false, false])
        let midnight = start + 86_400_000
        #expect(grouped([Sample.row(1, at: midnight - 1), Sample.row(2, at: midnight)]) == [false, false])
    }

    @Test func `days are separated where local days begin, and each is shown once`() throws {
        let clock = ModelClock(now: { .init(milliseconds: 0) }, sleep: { _ in }, secondsFromUTC: { _ in 3_600 })
        var timeline = Timeline(viewer: Cast.ann.userID, clock: clock)
        let hour = 3_600_000 as Int64
        timeline.append([
            Sample.row(1, at: Sample.start + 22 * hour), Sample.row(2, at: Sample.start + 23 * hour),
            Sample.row(3, at: Sample.start + 24 * hour),
        ])
        // A device with a slow clock does not start another section for yesterday.
        timeline.setQueue([try Sample.queued("a", "late", order: 1, at: Sample.start)])
        #expect(timeline.items.map { $0.kind == .day } == [true, false, true, false, false, false])
        #expect(Set(timeline.items.map(\.id)).count == timeline.items.count)
    }

    @Test func `parts of the log that do not touch are parted by a gap, which closes when it is filled`() {
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page((90...92).map { Sample.row($0) }, before: true))
        timeline.insert(around: Sample.page((40...42).map { Sample.row($0) }, before: true, after: true))
        #expect(timeline.gaps == [.gap(after: 42, before: 90)])
        timeline.insert(Sample.page((43...60).map { Sample.row($0) }, before: true, after: true), after: 42)
        #expect(timeline.gaps == [.gap(after: 60, before: 90)])
        timeline.insert(Sample.page((70...89).map { Sample.row($0) }, before: true, after: true), before: 90)
        #expect(timeline.gaps == [.gap(after: 60, before: 70)])
        // Nothing is shown there.
        timeline.insert(Sample.page([], before: true, after: false), after: 60)
        #expect(timeline.gaps.isEmpty)
        #expect(timeline.hasPrevious)
    }

    @Test func `after an interruption newer rows are shown after a gap, until the newest page closes it`() {
        var timeline = Sample.timeline()
        timeline.insertNewest(Sample.page((1...3).map { Sample.row($0) }))
        timeline.interrupt()
        timeline.append([Sample.row(10)])
        #expect(timeline.gaps == [.gap(after: 3, before: 10)])
        timeline.insertNewest(Sample.page((2...9).map { Sample.row($0) }, before: true))
        #expect(timeline.gaps.isEmpty)
        #expect(timeline.texts == (1...10).map { "m\($0)" })
    }

    @Test func `recalled rows become shells or vanish, and no older page brings them back`() {
        let recall = Recall(isSilent: false, at: .init(milliseconds: 0), byUserID: Cast.bob.userID, byName: "Bob")
        let silent = Recall(isSilent: true, at: .init(milliseconds: 0), byUserID: Cast.bob.userID, byName: "Bob")
        var timeline = Sample.timeline()
        let old = Sample.page((1...4).map { Sample.row($0) })
        timeline.insertNewest(old)
        timeline.rewrite([Sample.row(2, recall: recall)])
        timeline.append([Sample.row(5, recall: silent)])
        timeline.remove([3])
        timeline.insertNewest(old)
        #expect(timeline.texts == ["m1", "Bob recalled this message", "m4"])
        #expect(timeline.items.contains { $0.kind == .recalled(recall) })
        timeline.clear(to: 2)
        timeline.insertNewest(old)
        #expect(timeline.texts == ["m4"])
        #expect(!timeline.hasPrevious)
    }

    @Test func `each message shows how many have not read it, without its sender and the viewer [J-53 C-J14]`() throws {
        var timeline = Sample.timeline()
        let (bob, cid) = (Cast.bob.userID, Cast.cid.userID)
        timeline.setReadMarks([bob: 2, cid: 1])
        // The third one is Bob's, who has not marked it as read himself.
        timeline.append([Sample.row(1, by: Cast.ann), Sample.row(2, by: Cast.ann), Sample.row(3)])
        timeline.setQueue([try Sample.queued("x", "x", order: 1)])
        #expect(timeline.items.filter(\.isContent).map(\.unreadBy) == [0, 1, 1, 0])
        #expect(timeline.setReadMarks([bob: 2, cid: 2]) == [TimelineSplice(index: 2, removed: 1, inserted: 1)])
        #expect(timeline.items.filter(\.isContent).map(\.unreadBy) == [0, 0, 1, 0])
        #expect(timeline.setReadMarks([bob: 2, cid: 3]) == [TimelineSplice(index: 3, removed: 1, inserted: 1)])
        #expect(timeline.items.filter(\.isContent).map(\.unreadBy) == [0, 0, 0, 0])
        #expect(timeline.setReadMarks([bob: 3, cid: 3]) == [])
    }

    @Test func `the items and their splices are the same for every order and any duplicates of the same rows`() throws {
        var random = SeededNumbers(for: "timeline")
        for _ in 0..<200 {
            let count = Int64.random(in: 1...40, using: &random)
            let recall = Recall(isSilent: false, at: .init(milliseconds: 0), byUserID: Cast.bob.userID, byName: "Bob")
            let rows = (1...count).map { seq in
                Sample.row(seq, by: Cast.all[Int(seq % 3)], trans: "t\(seq)", at: Sample.start + seq * 7_000_000)
            }
            var steps: [(inout Timeline) -> [TimelineSplice]] = []
            for _ in 0..<6 {
                let first = Int64.random(in: 1...count, using: &random)
                let last = Int64.random(in: first...count, using: &random)
                let part = rows.filter { ($0.seq ?? 0) >= first && ($0.seq ?? 0) <= last }
                steps.append { $0.insert(around: Sample.page(part, before: first > 1, after: true)) }
            }
            let gone = Int64.random(in: 1...count, using: &random)
            let shell = Int64.random(in: 1...count, using: &random)
            steps.append { $0.remove([gone]) }
            steps.append {
                $0.insert(
                    around: Sample.page(
                        [
                            Sample.row(
                                shell, by: Cast.all[Int(shell % 3)], at: Sample.start + shell * 7_000_000,
                                recall: recall)
                        ], before: true, after: true))
            }
            let queue = [
                try Sample.queued("t\(count)", "m\(count)", order: 1), try Sample.queued("u", "unsent", order: 2),
            ]
            steps.append { $0.setQueue(queue) }
            var results: [[TimelineItem]] = []
            for _ in 0..<4 {
                var timeline = Sample.timeline()
                var shown: [TimelineItem] = []
                for step in (steps + steps).shuffled(using: &random) {
                    let before = timeline.items
                    let splices = step(&timeline)
                    shown = try apply(splices, to: before, giving: timeline.items)
                    #expect(shown == timeline.items, "ROOST_SEED=\(SeededNumbers.seed)")
                    #expect(splices.isEmpty == (before == timeline.items), "ROOST_SEED=\(SeededNumbers.seed)")
                }
                #expect(
                    Set(timeline.items.map(\.id)).count == timeline.items.count, "ROOST_SEED=\(SeededNumbers.seed)")
                results.append(timeline.items)
            }
            for result in results.dropFirst() {
                #expect(result == results.first, "ROOST_SEED=\(SeededNumbers.seed)")
            }
        }
    }

    /// Changes the old list into the new one as a screen would.
    private func apply(
        _ splices: [TimelineSplice], to old: [TimelineItem], giving new: [TimelineItem]
    ) throws -> [TimelineItem] {
        var list = old
        for splice in splices {
            try #require(splice.index + splice.removed <= list.count)
            list.replaceSubrange(
                splice.index..<splice.index + splice.removed, with: new[splice.index..<splice.index + splice.inserted])
        }
        return list
    }
}
