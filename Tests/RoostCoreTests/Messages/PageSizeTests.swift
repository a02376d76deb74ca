import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct PageSizeTests {
    @Test(arguments: Backend.available)
    func `a page of long messages stays below 256 KiB and loses no row`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let ann = try await roost.session(Cast.ann)
        let text = String(repeating: "語", count: 8_000)
        for _ in 0..<30 { try await ann.send(text, to: Cast.lobby) }
        func page(_ list: ListMessages) async throws -> ListMessages.Answer {
            try await self.page(.read(.listMessages(list)), ann, roost, as: ListMessages.Answer.self)
        }

        for around in [nil, 1, 2, 15, 29, 30] as [Int64?] {
            let first = try await page(ListMessages(channel: Cast.lobby, around: around, limit: 100))
            #expect((9..<30).contains(first.events.count))
            var seqs = first.events.compactMap(\.seq)
            if let around { #expect(seqs.contains(around)) }
            var needsAnotherTurn = first.hasBefore
            while needsAnotherTurn {
                let older = try await page(ListMessages(channel: Cast.lobby, before: seqs.first, limit: 100))
                seqs = older.events.compactMap(\.seq) + seqs
                needsAnotherTurn = older.hasBefore
            }
            needsAnotherTurn = first.hasAfter
            while needsAnotherTurn {
                let newer = try await page(ListMessages(channel: Cast.lobby, after: seqs.last, limit: 100))
                seqs += newer.events.compactMap(\.seq)
                needsAnotherTurn = newer.hasAfter
            }
            #expect(seqs == Array(1...30))
        }
    }

    /// An answer whose rows must stay below 256 KiB together.
    private func page<Answer: Decodable>(
        _ command: AnyCommand, _ session: TestSession, _ roost: TestCore, as type: Answer.Type
    ) async throws -> Answer {
        let reply = await roost.core.handle(command, id: "page", from: session.actor)
        if case .accepted(let json) = reply { #expect(json.count < 257 * 1_024) }
        return try reply.decode(type)
    }

    @Test(arguments: Backend.available)
    func `a query by time stays below 256 KiB, is cut between two moments if possible, and loses no row`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        let text = String(repeating: "語", count: 8_000)
        // The rows of one of the times do not fit into a page, nor do those of a single channel.
        for size in [3, 1, 4, 2, 26, 3, 1, 2] {
            stage.roost.clock.advance(by: 1)
            for number in 0..<size {
                try await stage.bob.send(text, to: number % 2 == 0 ? Cast.club : Cast.annAndBob)
            }
        }
        for channel in [Cast.club, Cast.annAndBob, nil] {
            var all: [Event] = []
            for id in channel.map({ [$0] }) ?? [Cast.annAndBob, Cast.club] { all += try await stage.ann.log(of: id) }
            let places = all.enumerated().sorted { ($0.1.$sentAt ?? 0, $0.0) < ($1.1.$sentAt ?? 0, $1.0) }
            for count in [100, -100] {
                var query = QueryMessages(
                    channel: channel, time: count > 0 ? 0 : .max, count: count)
                var pages: [[Event]] = []
                repeat {
                    let page = try await self.page(
                        .read(.queryMessages(query)), stage.ann, stage.roost, as: QueryMessages.Answer.self)
                    pages.append(page.events)
                    query.cursor = page.next
                } while query.cursor != nil && pages.count < 50
                if count < 0 { pages.reverse() }
                #expect(pages.count > 2)
                #expect(pages.flatMap { $0 } == places.map(\.1))
                for (left, right) in zip(pages, pages.dropFirst()) where left.last?.sentAt == right.first?.sentAt {
                    let cut = count > 0 ? left : right
                    #expect(Set(cut.map(\.sentAt)).count == 1)
                }
            }
        }
    }

    @Test(arguments: Backend.available)
    func `if one moment has more rows than a page may have, they are reached over all channels, too`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        try await stage.makePair()
        for number in 1...620 {
            try await stage.bob.send("\(number)", to: number % 3 == 0 ? Cast.club : Cast.annAndBob)
        }
        var all: [Event] = []
        for id in [Cast.annAndBob, Cast.club] { all += try await stage.ann.log(of: id) }
        for count in [1, 10, 100, -1, -10, -100] {
            var query = QueryMessages(time: count > 0 ? 0 : .max, count: count)
            var pages: [[Event]] = []
            repeat {
                let page = try await stage.ann.perform(query)
                pages.append(page.events)
                query.cursor = page.next
            } while query.cursor != nil && pages.count < 50
            #expect(pages.map(\.count) == [abs(count) + 500, 120 - abs(count)])
            if count < 0 { pages.reverse() }
            #expect(pages.flatMap { $0 } == all)
        }
    }

    @Test(arguments: Backend.available)
    func `messages of more than 512 KiB together are refused with 7005, and fewer of them can be read`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        let text = String(repeating: "語", count: 8_000)
        var messages: [MessageID] = []
        for _ in 0..<25 { messages.append(try await stage.bob.post(text, to: Cast.club)) }
        let refusal = try await stage.ann.refusal(GetMessages(channel: Cast.club, messageIDs: messages))
        #expect(refusal?.entry == .tooLarge)
        #expect(refusal?.retryable == false)
        let fewer = try await stage.ann.perform(GetMessages(channel: Cast.club, messageIDs: Array(messages[..<20])))
        #expect(fewer.events.compactMap(\.messageID) == Array(messages[..<20]))
        // Messages that cannot be read do not count.
        try await stage.ann.delete(messages[0], in: Cast.club)
        try await stage.bob.perform(
            RecallMessages(channel: Cast.club, messageIDs: Array(messages[1..<6])))
        let rest = try await stage.ann.perform(GetMessages(channel: Cast.club, messageIDs: messages))
        #expect(rest.events.count == 24)
    }

    @Test(arguments: Backend.available)
    func `a page around any position holds the nearest rows that the user may see`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
        var messages: [MessageID] = []
        for number in 1...40 { messages.append(try await stage.bob.post("\(number)", to: Cast.club)) }
        // Runs of hidden rows, including the first and the last row.
        let gone = Array(messages[0..<3] + messages[9..<22])
        try await stage.ann.perform(DeleteMessages(gone, in: Cast.club))
        let silent = Array(messages[22..<30] + [messages[39]])
        try await stage.bob.perform(RecallMessages(channel: Cast.club, messageIDs: silent, isSilent: true))
        let hidden = Set((gone + silent).map(\.seq))
        // Row 41 is the recall.
        let visible = (Int64(1)...40).filter { !hidden.contains($0) }
        func page(_ list: ListMessages) async throws -> (seqs: [Int64], before: Bool, after: Bool) {
            let page = try await stage.ann.perform(list)
            #expect(page.seq == 41)
            return (page.events.compactMap(\.seq), page.hasBefore, page.hasAfter)
        }
        func check(_ found: (seqs: [Int64], before: Bool, after: Bool), _ wanted: [Int64], _ what: String) {
            #expect(found.seqs == wanted, "\(what)")
            guard let low = wanted.first, let high = wanted.last else { return }
            #expect(found.before == visible.contains { $0 < low }, "\(what)")
            #expect(found.after == visible.contains { $0 > high }, "\(what)")
        }
        for limit in [1, 2, 3, 7, 50] {
            for position in [0, 1, 2, 3, 4, 9, 10, 16, 22, 23, 29, 30, 31, 40, 41, 42, .max] as [Int64] {
                let (older, newer) = (visible.filter { $0 < position }, visible.filter { $0 >= position })
                check(
                    try await page(ListMessages(channel: Cast.club, before: position, limit: limit)),
                    older.suffix(limit), "before \(position) limit \(limit)")
                check(
                    try await page(ListMessages(channel: Cast.club, after: position, limit: limit)),
                    Array(newer.filter { $0 > position }.prefix(limit)), "after \(position) limit \(limit)")
                let left = Array(older.suffix(limit / 2))
                check(
                    try await page(ListMessages(channel: Cast.club, around: position, limit: limit)),
                    left + newer.prefix(limit - left.count), "around \(position) limit \(limit)")
            }
            for message in messages {
                let list = ListMessages(channel: Cast.club, aroundMessage: message, limit: limit)
                guard visible.contains(message.seq) else {
                    #expect(try await stage.ann.refusal(list)?.entry == .messageNotFound)
                    continue
                }
                let left = Array(visible.filter { $0 < message.seq }.suffix(limit / 2))
                let right = Array(visible.filter { $0 >= message.seq }.prefix(limit - left.count))
                check(try await page(list), left + right, "around message \(message.seq) limit \(limit)")
            }
        }
    }

    @Test(arguments: Backend.available)
    func `a user who only uses HTTP can make channels and is known to others`(backend: Backend) async throws {
        let roost = try TestCore(backend)
        let bob = try await roost.session(Cast.bob)
        let ann = Actor(user: Cast.ann, deviceID: bob.actor.deviceID, isOperator: false)
        let reply = await roost.core.handle(
            .write(.createChannel(CreateChannel(kind: .single, members: [Cast.bob.userID]))), id: "h-1", from: ann)
        #expect(try reply.decode(Acknowledgement.self).channel == Cast.annAndBob)
        #expect(try await bob.perform(GetUsers(userIDs: [Cast.ann.userID])).users == [Cast.ann])
    }

    @Test(arguments: Backend.available)
    func `pages are as large as a screen asks for, up to the bounds of the server [XC-11]`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        try await stage.makeClub()
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
            #expect(try await stage.ann.refusal(ListMessages(channel: Cast.club, limit: limit))?.entry == .dataFormat)
            #expect(try await stage.ann.refusal(ListChannels(limit: limit))?.entry == .dataFormat)
        }
        #expect(try await stage.ann.refusal(ListMembers(channel: Cast.club, limit: 501))?.entry == .dataFormat)
    }
}
