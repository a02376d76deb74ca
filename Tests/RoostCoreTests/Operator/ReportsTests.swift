import RoostCore
import RoostTesting
import RoostWire
import Testing

@Suite struct ReportsTests {
    private func chief(_ stage: Stage) async throws -> TestSession {
        try await stage.roost.session(user("chief"), isOperator: true)
    }

    @Test(arguments: Backend.available + Backend.encrypting)
    func `a report keeps the message and ten rows before it, also after the sender has recalled all of them`(
        backend: Backend
    ) async throws {
        let stage = try await Stage(backend)
        let chief = try await chief(stage)
        try await stage.makeClub()
        var sent: [MessageID] = []
        for number in 1...12 { sent.append(try await stage.bob.post("line \(number)", to: Cast.club)) }
        let bad = try await stage.bob.post("bad words", to: Cast.club)
        try await stage.cid.perform(AddReaction(channel: Cast.club, messageID: bad, emoji: "👎"))
        await stage.forgetEvents()
        let report = CreateReport(channel: Cast.club, messageID: bad, category: "abuse", text: "Not the first time")
        let answer = try await stage.cid.perform(report)
        #expect(answer.channel == Cast.club && answer.seq == nil)
        await stage.settle()
        // Nobody learns of it.
        for session in stage.all { #expect(session.events.isEmpty) }
        for id in sent + [bad] { try await stage.bob.recall(id, in: Cast.club, isSilent: true) }

        let reports = try await chief.perform(ListReports()).reports
        let found = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(found.byUser.userID == Cast.cid.userID && found.byUser.name == "Cid")
        #expect(found.user == Cast.bob && found.channel == Cast.club)
        #expect(found.category == "abuse" && found.text == "Not the first time")
        #expect(found.message?.text == "bad words" && found.message?.messageID == bad)
        #expect(found.before?.map(\.text) == (3...12).map { "line \($0)" })
        #expect(found.$at == stage.roost.clock.now)
        #expect(found.reportID.utf8.count == 28)
        #expect(found.closedAt == nil && found.closedBy == nil && found.note == nil)
    }

    @Test(arguments: Backend.available)
    func `a report keeps the messages before it, however many reactions lie between`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let chief = try await chief(stage)
        try await stage.makeClub()
        let first = try await stage.ann.post("first", to: Cast.club)
        for _ in 0..<120 {
            try await stage.cid.perform(AddReaction(channel: Cast.club, messageID: first, emoji: "👍"))
            try await stage.cid.perform(RemoveReaction(channel: Cast.club, messageID: first, emoji: "👍"))
        }
        let bad = try await stage.bob.post("bad", to: Cast.club)
        try await stage.cid.perform(CreateReport(channel: Cast.club, messageID: bad))
        #expect(try await chief.perform(ListReports()).reports.first?.before?.map(\.text) == ["first"])
    }

    @Test(arguments: Backend.available)
    func `a user reports the same message once, and the sender learns nothing`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let chief = try await chief(stage)
        try await stage.makePair()
        let bad = try await stage.bob.post("bad", to: Cast.annAndBob)
        await stage.forgetEvents()
        let report = CreateReport(channel: Cast.annAndBob, messageID: bad)
        let first = try await stage.ann.perform(report, id: "one")
        #expect(try await stage.ann.perform(report, id: "one") == first)
        try await stage.ann.perform(CreateReport(channel: Cast.annAndBob, messageID: bad, text: "Again"), id: "two")
        let reports = try await chief.perform(ListReports()).reports
        #expect(reports.count == 1 && reports.first?.text == nil)
        // The same transID with another content is a mistake, as everywhere.
        #expect(
            try await stage.ann.refusal(CreateReport(userID: Cast.bob.userID), id: "one")?.entry == .duplicateTransID)
        #expect(stage.bob.events.isEmpty)
        try await chief.perform(CloseReport(reportID: try #require(reports.first?.reportID)))
        try await stage.ann.perform(report)
        #expect(try await chief.perform(ListReports()).reports.isEmpty)
        // Another user's report of the same is another one.
        let lobby = try await stage.bob.post("bad", to: Cast.lobby)
        for session in [stage.ann, stage.cid] {
            try await session.perform(CreateReport(channel: Cast.lobby, messageID: lobby))
        }
        #expect(
            try await chief.perform(ListReports()).reports.map(\.byUser.userID)
                == [Cast.ann.userID, Cast.cid.userID])
    }

    @Test(arguments: Backend.available)
    func `only what one can read is reported`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let chief = try await chief(stage)
        try await stage.makeClub()
        func refusal(_ session: TestSession, _ report: CreateReport) async throws -> WireError? {
            try await session.refusal(report)
        }
        func of(_ id: MessageID) -> CreateReport { CreateReport(channel: Cast.club, messageID: id) }
        let message = try await stage.bob.post("hello", to: Cast.club)
        #expect(try await refusal(stage.dee, of(message))?.entry == .channelNotFound)
        #expect(try await refusal(stage.bob, of(message))?.field == "messageID")
        #expect(try await refusal(stage.cid, of(MessageID(sentAt: 0, seq: 1, salt: 0)))?.entry == .messageNotFound)
        let elsewhere = CreateReport(channel: Cast.lobby, messageID: message)
        try await stage.cid.send("x", to: Cast.lobby)
        #expect(try await refusal(stage.cid, elsewhere)?.entry == .messageNotFound)
        try await stage.cid.perform(DeleteMessages([message], in: Cast.club))
        #expect(try await refusal(stage.cid, of(message))?.entry == .messageNotFound)
        let recalled = try await stage.bob.post("gone", to: Cast.club)
        try await stage.bob.recall(recalled, in: Cast.club)
        #expect(try await refusal(stage.cid, of(recalled))?.entry == .messageNotFound)
        // The rows before it are those that the reporter can read: not the deleted one.
        let next = try await stage.bob.post("next", to: Cast.club)
        try await stage.cid.perform(of(next))
        let before = try await chief.perform(ListReports()).reports.first?.before
        #expect(before?.map(\.messageID) == [recalled] && before?.first?.message?.isShell == true)
        try await stage.cid.perform(LeaveChannel(channel: Cast.club))
        #expect(try await refusal(stage.cid, of(next))?.entry == .notMember)

        #expect(try await refusal(stage.ann, CreateReport(userID: Cast.ann.userID))?.field == "userID")
        #expect(try await refusal(stage.ann, CreateReport(userID: "nobody"))?.entry == .userNotFound)
        var both = of(next)
        both.userID = Cast.bob.userID
        #expect(try await refusal(stage.ann, both)?.entry == .dataFormat)
        both.channel = nil
        #expect(try await refusal(stage.ann, both)?.entry == .dataFormat)
        both.messageID = nil
        for text in ["", " \n", String(repeating: "x", count: 1_001), "a\0b"] {
            both.text = text
            #expect(try await refusal(stage.ann, both)?.entry == .invalidContent)
        }
        both.text = String(repeating: "é", count: 1_000)
        for category in ["", "a\nb", String(repeating: "x", count: 201)] {
            both.category = category
            #expect(try await refusal(stage.ann, both)?.field == "category")
        }
        both.category = "other"
        try await stage.ann.perform(both)
        let found = try await chief.perform(ListReports()).reports.last
        #expect(found?.user == Cast.bob && found?.message == nil && found?.before == nil && found?.channel == nil)
    }

    @Test(arguments: Backend.available)
    func `operators close reports once, page through them, and others are refused`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        let chief = try await chief(stage)
        for session in [stage.ann, stage.cid, stage.dee] {
            try await session.perform(CreateReport(userID: Cast.bob.userID))
            stage.roost.clock.advance(by: 1_000)
        }
        for session in stage.all {
            #expect(try await session.refusal(ListReports())?.entry == .noPrivilege)
            #expect(try await session.refusal(CloseReport(reportID: "x"))?.entry == .noPrivilege)
        }
        #expect(try await chief.refusal(CloseReport(reportID: "x"))?.entry == .reportNotFound)
        for limit in [0, 51] { #expect(try await chief.refusal(ListReports(limit: limit))?.field == "limit") }
        #expect(try await chief.refusal(ListReports(cursor: "x"))?.field == "cursor")
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await chief.perform(ListReports(limit: 2, cursor: cursor))
            ids += page.reports.map(\.reportID)
            cursor = page.next
        } while cursor != nil
        #expect(ids.count == 3 && ids == ids.sorted())

        let long = CloseReport(reportID: ids[1], note: String(repeating: "x", count: 1_001))
        #expect(try await chief.refusal(long)?.entry == .invalidContent)
        let close = CloseReport(reportID: ids[1], note: "Banned")
        let first = try await chief.perform(close, id: "close")
        #expect(try await chief.perform(close, id: "close") == first)
        #expect(try await chief.refusal(CloseReport(reportID: ids[0]), id: "close")?.entry == .duplicateTransID)
        let closedAt = stage.roost.clock.now
        stage.roost.clock.advance(by: 1_000)
        try await chief.perform(CloseReport(reportID: ids[1], note: "Too late"))
        #expect(try await chief.perform(ListReports()).reports.map(\.reportID) == [ids[0], ids[2]])
        let closed = try await chief.perform(ListReports(isClosed: true)).reports
        #expect(closed.map(\.reportID) == [ids[1]])
        #expect(closed.first?.note == "Banned" && closed.first?.closedBy == "chief")
        #expect(closed.first?.$closedAt == closedAt)
        // Closed reports are deleted 90 days later; open ones stay.
        stage.roost.clock.advance(by: RetentionRules.closedReports - 2_000)
        await stage.settle()
        #expect(try await chief.perform(ListReports(isClosed: true)).reports.count == 1)
        stage.roost.clock.advance(by: 2_000)
        await stage.settle()
        #expect(try await chief.perform(ListReports(isClosed: true)).reports.isEmpty)
        #expect(try await chief.perform(ListReports()).reports.count == 2)
    }

    @Test(arguments: Backend.available)
    func `a user makes twenty reports in a day`(backend: Backend) async throws {
        let stage = try await Stage(backend)
        for number in 0..<21 { _ = try await stage.roost.session(user("u\(number)")) }
        for number in 0..<20 {
            try await stage.ann.perform(CreateReport(userID: try user("u\(number)").userID))
        }
        let last = CreateReport(userID: "u20")
        #expect(try await stage.ann.refusal(last)?.entry == .limitReached)
        // What was reported before is accepted, and others are not affected.
        try await stage.ann.perform(CreateReport(userID: "u0"))
        try await stage.bob.perform(last)
        stage.roost.clock.advance(by: 86_400_001)
        try await stage.ann.perform(last)
    }

    @Test(arguments: Backend.available, [false, true])
    func `a deleted user is erased from reports`(backend: Backend, deletesMessages: Bool) async throws {
        let stage = try await Stage(backend)
        let chief = try await chief(stage)
        try await stage.bob.perform(SetUserProfile(profile: UserProfile(name: "Xanthippe")))
        try await stage.makeClub()
        _ = try await stage.bob.post("before", to: Cast.club)
        let bad = try await stage.bob.post("bad", to: Cast.club)
        let other = try await stage.ann.post("of Ann", to: Cast.club)
        try await stage.cid.perform(CreateReport(channel: Cast.club, messageID: bad))
        try await stage.cid.perform(CreateReport(channel: Cast.club, messageID: other))
        try await stage.bob.perform(CreateReport(userID: Cast.cid.userID, text: "He is mean"))
        try await chief.perform(DeleteUser(userID: Cast.bob.userID, deletesMessages: deletesMessages))
        await stage.settle()
        let reports = try await chief.perform(ListReports()).reports
        #expect(reports.count == 2)
        #expect(reports.allSatisfy { $0.byUser.userID == Cast.cid.userID })
        let text = String(decoding: try WireCodec.encode(ListReports.Answer(reports: reports)), as: UTF8.self)
        #expect(!text.contains("Xanthippe"))
        #expect(reports.first?.user?.name == "Deleted user")
        #expect(reports.first?.message?.text == (deletesMessages ? nil : "bad"))
        #expect(reports.first?.before?.compactMap(\.text) == (deletesMessages ? [] : ["before"]))
        #expect(reports.last?.message?.text == "of Ann")
        #expect(reports.last?.before?.compactMap(\.text) == (deletesMessages ? [] : ["before", "bad"]))
    }
}
