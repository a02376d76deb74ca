import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct MessageQueriesTests {
    /// A time before all messages; the n-th message of a history is sent at `start + n`.
    private let start = TestClock().now

    /// 50 messages of Bob in the club, one per millisecond.
    private func history(_ backend: Backend) async throws -> Stage {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        for number in 1...50 {
            stage.roost.clock.advance(by: 1)
            try await stage.bob.send("\(number)", to: Cast.club)
        }
        return stage
    }

    private func seqs(_ session: TestSession, _ query: QueryMessages) async throws -> [Int64] {
        try await session.perform(query).events.compactMap(\.seq)
    }

    @Test(arguments: Backend.available)
    func `a number of messages after or before a moment, always ascending [L-70 LR-22]`(
        backend: Backend
    ) async throws {
        let stage = try await history(backend)
        let log = try await stage.ann.log(of: Cast.club)
        func page(_ count: Int) async throws -> QueryMessages.Answer {
            try await stage.ann.perform(
                QueryMessages(channel: Cast.club, time: start + 25, count: count))
        }
        #expect(try await page(10).events == Array(log[25..<35]))
        #expect(try await page(-10).events == Array(log[14..<24]))
        #expect(try await page(10).events.map(\.$sentAt) == (26...35).map { start + $0 })
        #expect(try await page(-100).events.compactMap(\.seq) == Array(1...24))
        let query = QueryMessages(channel: Cast.club, time: .init(milliseconds: start), direction: .after, limit: 10)
        #expect(try await stage.dee.refusal(query)?.entry == .channelNotFound)
        stage.roost.clock.advance(by: 1)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await stage.cid.refusal(query)?.entry == .notMember)
        #expect(
            try await seqs(
                stage.ann,
                QueryMessages(channel: Cast.club, time: .init(milliseconds: .max), direction: .after, limit: 1)
            )
            .isEmpty)
        #expect(
            try await seqs(
                stage.ann,
                QueryMessages(channel: Cast.club, time: .init(milliseconds: .max), direction: .before, limit: 1)) == [
                    51
                ])
        #expect(
            try await seqs(
                stage.ann,
                QueryMessages(channel: Cast.club, time: .init(milliseconds: .min), direction: .before, limit: 1)
            )
            .isEmpty)
        #expect(
            try await seqs(
                stage.ann,
                QueryMessages(channel: Cast.club, time: .init(milliseconds: .min), direction: .after, limit: 2)) == [
                    1, 2,
                ])
    }

    @Test(arguments: Backend.available)
    func `without a channel, all channels of the user together in the order of time [L-71]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        try await stage.dee.perform(CreateChannel(kind: .own))
        let deesOwn = ChannelID(single: Cast.dee.userID, Cast.dee.userID)
        var expected: [String] = []
        for number in 1...20 {
            stage.roost.clock.advance(by: 1)
            try await stage.bob.send("\(number)", to: number % 3 == 0 ? Cast.annAndBob : Cast.club)
            try await stage.dee.send("not for Ann", to: deesOwn)
            try await stage.dee.send("open", to: Cast.lobby)
            expected.append("\(number)")
        }
        let all = try await stage.ann.perform(
            QueryMessages(time: .init(milliseconds: start), direction: .after, limit: 100))
        #expect(all.events.map(\.text) == expected)
        #expect(Set(all.events.map(\.channel)) == [Cast.club, Cast.annAndBob])
        #expect(all.next == nil)
        #expect(
            try await stage.ann.perform(
                QueryMessages(time: .init(milliseconds: start + 11), direction: .before, limit: 4)
            ).events.map(
                \.text)
                == ["7", "8", "9", "10"])
        #expect(
            try await stage.dee.perform(QueryMessages(time: .init(milliseconds: start), direction: .after, limit: 100))
                .events.count == 20)
        let nobody = try await stage.roost.session(user("new"))
        #expect(
            try await nobody.perform(QueryMessages(time: .init(milliseconds: 0), direction: .after, limit: 100)).events
                .isEmpty)
        try await stage.ann.perform(LeaveChannel(channel: Cast.club, successor: Cast.bob.userID))
        let left = try await stage.ann.perform(
            QueryMessages(time: .init(milliseconds: start), direction: .after, limit: 100))
        #expect(left.events.map(\.text) == ["3", "6", "9", "12", "15", "18"])
    }

    @Test(arguments: Backend.available)
    func `the number asked for is 1 to 100 in either direction [L-72]`(backend: Backend) async throws {
        let stage = try await history(backend)
        for count in [Int.min, -101, 0, 101, Int.max] {
            for channel in [Cast.club, nil] {
                let query = QueryMessages(channel: channel, time: start, count: count)
                #expect(try await stage.ann.refusal(query)?.entry == .dataFormat, "\(count)")
            }
        }
        for count in [1, 30, 100] {
            #expect(
                try await seqs(stage.ann, QueryMessages(channel: Cast.club, time: start, count: count)).count
                    == min(count, 50))
            #expect(
                try await seqs(stage.ann, QueryMessages(time: .max, count: -count)).count
                    == min(count, 50))
        }
    }

    @Test(arguments: Backend.available)
    func `a page with fewer rows than asked for is the last, and paging neither misses nor repeats rows [L-73 C-L26]`(
        backend: Backend
    ) async throws {
        let stage = try await history(backend)
        for count in [1, 7, 10, 25, 49, 50, 51] {
            for channel in [Cast.club, nil] {
                var forth: [Int64] = []
                var time = start
                while true {
                    let page = try await stage.ann.perform(
                        QueryMessages(channel: channel, time: time, count: count)
                    ).events
                    forth += page.compactMap(\.seq)
                    time = page.last?.$sentAt ?? time
                    guard page.count == count else { break }
                }
                #expect(forth == Array(1...50))
                var back: [Int64] = []
                time += 1
                while true {
                    let page = try await stage.ann.perform(
                        QueryMessages(channel: channel, time: time, count: -count)
                    ).events
                    back = page.compactMap(\.seq) + back
                    time = page.first?.$sentAt ?? time
                    guard page.count == count else { break }
                }
                #expect(back == Array(1...50))
            }
        }
    }

    @Test(arguments: Backend.available)
    func `rows of one moment stay together, and paging by time or cursor neither misses nor repeats rows`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        var random = SeededNumbers(31)
        for number in 0..<150 {
            if random.int(0...3) == 0 { stage.roost.clock.advance(by: 1) }
            try await stage.bob.send("\(number)", to: random.pick([Cast.club, Cast.annAndBob]))
        }
        for channel in [Cast.club, nil] {
            let channels = channel.map { [$0] } ?? [Cast.annAndBob, Cast.club]
            var all: [Event] = []
            for id in channels { all += try await stage.ann.log(of: id) }
            all.sort {
                if $0.sentAt != $1.sentAt { return ($0.$sentAt ?? 0) < ($1.$sentAt ?? 0) }
                return $0.channel == $1.channel
                    ? ($0.seq ?? 0) < ($1.seq ?? 0) : ($0.channel ?? Cast.club) < ($1.channel ?? Cast.club)
            }
            for count in [1, 2, 7, 20, 100] {
                for (isForward, isByTime) in [(true, true), (true, false), (false, true), (false, false)] {
                    var query = QueryMessages(
                        channel: channel, time: isForward ? start - 1 : .max,
                        count: isForward ? count : -count)
                    var found: [Event] = []
                    while true {
                        let page = try await stage.ann.perform(query)
                        #expect(page.events.count >= count || page.next == nil)
                        found = isForward ? found + page.events : page.events + found
                        guard page.next != nil else { break }
                        let edge = try #require(isForward ? page.events.last : page.events.first)
                        if isByTime {
                            query.$time = edge.$sentAt ?? 0
                        } else {
                            query.cursor = page.next
                        }
                    }
                    #expect(found == all, "\(seed), \(count) \(isForward) \(isByTime)")
                }
            }
        }
    }

    @Test(arguments: Backend.available)
    func `if one moment has more rows than a page may have, the cursor reaches them`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makePair()
        for number in 1...620 { try await stage.bob.send("\(number)", to: Cast.annAndBob) }
        for isForward in [true, false] {
            var query = QueryMessages(
                channel: Cast.annAndBob, time: isForward ? 0 : .max, count: isForward ? 10 : -10)
            var sizes: [Int] = []
            var found: Set<Int64> = []
            repeat {
                let page = try await stage.ann.perform(query)
                sizes.append(page.events.count)
                found.formUnion(page.events.compactMap(\.seq))
                query.cursor = page.next
            } while query.cursor != nil
            #expect(sizes == [510, 110])
            #expect(found.count == 620)
        }
    }

    @Test(arguments: Backend.available)
    func `history holds every stored type and the shells of recalled messages, without what the reader deleted [L-74]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        var messages: [MessageID] = []
        for kind in try await SendMessage.everyKind(in: Cast.club, from: stage.ann) {
            messages.append(try await stage.ann.post(kind))
        }
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        try await stage.dee.perform(LeaveChannel(channel: Cast.club))
        try await stage.ann.perform(KickMembers(channel: Cast.club, members: [Cast.cid.userID]))
        try await stage.ann.perform(SetMemberRole(channel: Cast.club, userID: Cast.bob.userID, role: .moderator))
        try await stage.ann.perform(SetChannelProfile(channel: Cast.club, profile: ChannelProfile(title: "New")))
        try await stage.ann.recall(messages[0], in: Cast.club)
        try await stage.ann.recall(messages[1], in: Cast.club, isSilent: true)
        try await stage.ann.delete(messages[2], in: Cast.club)
        for (session, hidden) in [(stage.ann, [messages[1], messages[2]]), (stage.bob, [messages[1]])] {
            let events = try await session.perform(
                QueryMessages(channel: Cast.club, time: .init(milliseconds: 0), direction: .after, limit: 100)
            ).events
            #expect(events == (try await session.log(of: Cast.club)))
            let numbers = events.compactMap { $0.body.messageType?.number }
            let all = [
                1, 2, 3, 4, 5, 6, 7, 8, 221, 222, 223, 224, 2001, 2002, 2003, 3000, 3001, 3002, 1003, 1004, 1006,
                1008, 1010, 1104,
            ]
            #expect(Set(numbers) == Set(all).subtracting(session === stage.ann ? [2, 3] : [2]))
            for message in hidden { #expect(!events.contains { $0.messageID == message }) }
            #expect(events.first?.message?.isShell == true)
        }
    }

    @Test(arguments: Backend.available)
    func `a category of the app's own is a filter [L-101]`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        for number in 1...60 {
            stage.roost.clock.advance(by: number % 2 == 0 ? 1 : 0)
            try await stage.bob.perform(
                SendMessage(
                    channel: number % 4 == 0 ? Cast.annAndBob : Cast.club, text: "\(number)",
                    category: number % 3 == 0 ? "tasks" : number % 3 == 1 ? "Tasks" : nil))
        }
        func texts(_ channel: ChannelID?, _ category: String, _ count: Int) async throws -> [String] {
            var query = QueryMessages(
                channel: channel, time: count > 0 ? start - 1 : .max, count: count,
                category: category)
            var found: [String] = []
            repeat {
                let page = try await stage.ann.perform(query)
                #expect(page.events.allSatisfy { $0.message?.category == category })
                let texts = page.events.compactMap(\.text)
                found = count > 0 ? found + texts : texts + found
                query.cursor = page.next
            } while query.cursor != nil
            return found
        }
        let club = (1...60).filter { $0 % 3 == 0 && $0 % 4 != 0 }.map { "\($0)" }
        for count in [3, 100, -3, -100] {
            #expect(try await texts(Cast.club, "tasks", count) == club)
            #expect(Set(try await texts(nil, "tasks", count)) == Set((1...60).filter { $0 % 3 == 0 }.map { "\($0)" }))
            #expect(try await texts(nil, "none", count).isEmpty)
        }
        for category in ["", "a\u{7}", String(repeating: "x", count: 65)] {
            let query = QueryMessages(
                channel: Cast.club, time: .init(milliseconds: 0), direction: .after, category: category, limit: 1)
            #expect(try await stage.ann.refusal(query)?.entry == .dataFormat)
            let send = SendMessage(channel: Cast.club, text: "x", category: category)
            #expect(try await stage.ann.refusal(send)?.entry == .dataFormat)
        }
        // A recalled message no longer has a category.
        let first = try #require(
            try await stage.ann.perform(
                QueryMessages(
                    channel: Cast.club, time: .init(milliseconds: 0), direction: .after, category: "tasks", limit: 1)
            ).events.first?.messageID)
        try await stage.bob.recall(first, in: Cast.club)
        #expect(try await texts(Cast.club, "tasks", 100) == Array(club.dropFirst()))
    }

    @Test(arguments: Backend.available)
    func `forged cursors are refused or harmless`(backend: Backend) async throws {
        let stage = try await history(backend)
        var query = QueryMessages(channel: Cast.club, time: .init(milliseconds: start), direction: .after, limit: 10)
        for after in ["", "x", "1/2", "-1/1/club", "1/0/club", "//", "\(start)/1/club", "9/9/a:b:c", "1/1/\u{0}"] {
            query.cursor = after
            #expect(try await stage.ann.refusal(query)?.entry == .dataFormat, "\(after)")
        }
        for after in [
            "\(start + 5)/\(Int64.max)/club", "\(Int64.max)/1/club", "\(start + 5)/5/none", "\(start + 5)/5/ann:bob",
        ] {
            query.cursor = after
            let page = try await stage.ann.perform(query)
            #expect(page.events.allSatisfy { $0.channel == Cast.club })
        }
    }

    @Test(arguments: Backend.available)
    func `messages are read by their ids, and those that the user may not read are left out`(backend: Backend)
        async throws
    {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        let first = try await stage.bob.post("first", to: Cast.club)
        let second = try await stage.bob.post("second", to: Cast.club)
        let other = try await stage.bob.post("other", to: Cast.annAndBob)
        let forged = MessageID(sentAt: 0, seq: 1, salt: 0)
        func get(_ ids: [MessageID]) -> GetMessages { GetMessages(channel: Cast.club, messageIDs: ids) }
        let answer = try await stage.ann.perform(get([second, forged, other, first]))
        #expect(answer.events == (try await stage.ann.log(of: Cast.club)))
        #expect(try await stage.ann.refusal(get([forged, other]))?.entry == .messageNotFound)
        #expect(try await stage.ann.refusal(get([]))?.entry == .dataFormat)
        #expect(try await stage.ann.refusal(get([first, first]))?.entry == .dataFormat)
        #expect(try await stage.dee.refusal(get([first]))?.entry == .channelNotFound)
        try await stage.ann.perform(
            SetChannelProfile(channel: Cast.club, profile: ChannelProfile(history: .sinceJoin)))
        try await stage.ann.perform(InviteMembers(channel: Cast.club, members: [Cast.dee.userID]))
        #expect(try await stage.dee.refusal(get([first, second]))?.entry == .messageNotFound)
        #expect(
            try await stage.dee.perform(QueryMessages(time: .init(milliseconds: 0), direction: .after, limit: 100))
                .events.map(\.name) == [
                    "member.invited"
                ])
    }
}
