import RoostCore
import RoostTesting
import RoostWire
import Synchronization
import Testing

extension ChannelID {
    fileprivate static var offers: ChannelID { get throws { try RoostCoreTests.channel("offers") } }
    fileprivate static var house: ChannelID { get throws { try RoostCoreTests.channel("house") } }
}

extension TestSession {
    @discardableResult
    fileprivate func publish(
        _ text: String, in channel: ChannelID, until validUntil: Int64? = nil
    ) async throws -> MessageID {
        let answer = try await perform(
            PublishNews(channel: channel, text: text, validUntil: validUntil.map { .init(milliseconds: $0) }))
        return try #require(answer.messageID)
    }

    fileprivate func news() async throws -> [NewsChannel] { try await perform(ListNews(limit: 100)).channels }
}

/// News go one way, from operators to subscribers.
@Suite struct NewsTests {
    private func stage(_ backend: Backend) async throws -> (Stage, TestSession) {
        let stage = try await Stage(backend, isDevelopment: false)
        return (stage, try await stage.roost.session(user("op"), isOperator: true))
    }

    private func make(_ kind: ChannelKind, _ id: ChannelID, _ editor: TestSession) async throws {
        try await editor.perform(CreateChannel(kind: kind, channel: id, title: id.rawValue.uppercased()))
    }

    private func subscribe(_ sessions: TestSession..., to id: ChannelID) async throws {
        for session in sessions { try await session.perform(BecomeMember(channel: id)) }
    }

    @Test(arguments: Backend.available)
    func `subscribers get public news live and unread, and nobody else learns of the subscription [L-110]`(
        backend: Backend
    ) async throws {
        let (stage, editor) = try await stage(backend)
        let tablet = try await stage.roost.session(Cast.ann, device: "tablet")
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await editor.publish("before", in: offers)
        await stage.forgetEvents()

        try await subscribe(stage.ann, stage.bob, to: offers)
        await stage.settle()
        for session in [stage.ann, tablet, stage.bob] {
            let joined = session.events(named: .channelJoined)
            #expect(joined.count == 1 && joined.first?.userSeq != nil)
            guard case .user(.channelJoined(let body))? = joined.first?.body else {
                Issue.record("no body")
                return
            }
            #expect(body.kind == .publicNews && body.title == "OFFERS" && body.members.isEmpty && body.fromSeq == 2)
            #expect(session.rows(of: offers).isEmpty)
        }
        #expect(try await stage.ann.channel(offers).unread == 0)
        await stage.forgetEvents()
        _ = tablet.drainEvents()

        let file = try await editor.file()
        let piece = PublishNews(
            channel: offers, text: "two for one", file: file, extras: ["a": "b"], category: "food")
        let answer = try await editor.perform(piece)
        #expect(answer.seq == 3 && answer.messageID != nil)
        for session in [stage.ann, tablet, stage.bob] {
            let row = try #require(session.rows(of: offers).first)
            #expect(session.events == [row] && row.senderID == nil && row.seq == 3 && row.transID == answer.transID)
            let message = try #require(row.message)
            #expect(message.messageID == answer.messageID && message.type == "publicNews" && message.count == 2)
            #expect(message.senderName == "OFFERS" && message.text == "two for one" && message.category == "food")
            #expect(message.file == file && message.extras == ["a": "b"] && message.validUntil == nil)
            #expect(row.body.behaviour?.isPushed == true)
            #expect(try await session.unread(offers) == 1)
            #expect(try await session.log(of: offers).last == row)
        }
        #expect(stage.cid.events.isEmpty && stage.dee.events.isEmpty && editor.events(named: .messageSent).isEmpty)
        #expect(try await stage.cid.refusal(GetChannel(channel: offers))?.entry == .channelNotFound)

        // Reading is reported only to the user's devices.
        await stage.forgetEvents()
        _ = tablet.drainEvents()
        try await stage.ann.perform(SetReadMark(channel: offers))
        await stage.roost.settle()
        #expect(tablet.events(named: .readMarkMoved).count == 1)
        #expect(stage.bob.events.isEmpty)
        #expect(try await stage.ann.unread(offers) == 0)
        #expect(try await stage.bob.unread(offers) == 1)
        let shown = try await stage.ann.channel(offers)
        #expect(shown.members.isEmpty && shown.memberCount == 2 && shown.role == .participant)
        #expect(try await stage.ann.list().map(\.channel) == [offers])
    }

    @Test(arguments: Backend.available)
    func `only an operator makes, publishes, changes, withdraws and dismisses`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        #expect(try await stage.ann.refusal(CreateChannel(kind: .publicNews, channel: offers))?.entry == .noPrivilege)
        #expect(
            try await editor.refusal(CreateChannel(kind: .publicNews, members: [Cast.ann.userID]))?.entry == .dataFormat
        )
        try await make(.publicNews, offers, editor)
        #expect(
            try await editor.refusal(CreateChannel(kind: .corporateNews, channel: offers))?.entry == .channelIDExists)
        try await subscribe(stage.ann, stage.bob, to: offers)
        let id = try await editor.publish("one", in: offers)
        try await editor.publish("two", in: offers)

        let refused: [(any Command, ErrorCode)] = [
            (PublishNews(channel: offers, text: "x"), .noPrivilege),
            (SendMessage(channel: offers, text: "x"), .noPrivilege),
            (SendMany(messages: [MessageContent(text: "x")], channels: [offers]), .noPrivilege),
            (CreateVote(channel: offers, subject: "x", vote: .between(2)), .noPrivilege),
            (RecallMessages(channel: offers, messageIDs: [id]), .messageNotOwned),
            (DismissChannel(channel: offers), .noPrivilege),
            (SetChannelProfile(channel: offers, profile: ChannelProfile(title: "x")), .noPrivilege),
            (InviteMembers(channel: offers, members: [Cast.cid.userID]), .channelTypeMismatch),
            (KickMembers(channel: offers, members: [Cast.bob.userID]), .channelTypeMismatch),
            (BanMembers(channel: offers, members: [Cast.bob.userID]), .channelTypeMismatch),
            (SetMemberRole(channel: offers, userID: Cast.bob.userID, role: .admin), .channelTypeMismatch),
            (ListMembers(channel: offers), .channelTypeMismatch),
            (ListMemberReads(channel: offers), .channelTypeMismatch),
            (ListReaders(channel: offers, messageID: id), .channelTypeMismatch),
            (CountReads(channel: offers, messageIDs: [id]), .channelTypeMismatch),
            (StartTyping(channel: offers), .channelTypeMismatch), (EndTyping(channel: offers), .channelTypeMismatch),
            (JoinChannel(channel: offers), .channelTypeMismatch),
            (SetChannelPreference(channel: offers, nickname: "x"), .channelTypeMismatch),
        ]
        await stage.forgetEvents()
        for (command, code) in refused {
            #expect(try await stage.ann.refusal(command)?.code == code.code, "\(command)")
        }
        await stage.settle()
        #expect(stage.bob.events.isEmpty)
        #expect(try await editor.refusal(PublishNews(channel: Cast.club, text: "x"))?.entry == .channelNotFound)
        try await stage.makeClub()
        #expect(try await editor.refusal(PublishNews(channel: Cast.club, text: "x"))?.entry == .channelTypeMismatch)
        for (piece, code) in [
            (PublishNews(channel: offers), ErrorCode.invalidContent),
            (PublishNews(channel: offers, text: " "), ErrorCode.invalidContent),
            (PublishNews(channel: offers, text: "x", thumbnail: FileReference(fileID: "f")), ErrorCode.dataFormat),
            (
                PublishNews(channel: offers, text: "x", validUntil: .init(milliseconds: stage.roost.clock.now)),
                ErrorCode.dataFormat
            ),
            (PublishNews(channel: offers, text: "x", validUntil: .init(milliseconds: .min)), ErrorCode.dataFormat),
            (PublishNews(channel: offers, text: "x", category: ""), ErrorCode.dataFormat),
        ] { #expect(try await editor.refusal(piece)?.code == code.code, "\(piece)") }

        // An operator other than the one who published.
        let other = try await stage.roost.session(user("second"), isOperator: true)
        try await other.perform(RecallMessages(channel: offers, messageIDs: [id]))
        #expect(try await other.refusal(RecallMessages(channel: offers, messageIDs: [id]))?.entry == .messageNotFound)
        #expect(try await stage.ann.unread(offers) == 1)
        try await other.perform(SetChannelProfile(channel: offers, profile: ChannelProfile(title: "New", avatar: "a")))
        try await editor.publish("three", in: offers)
        let last = try #require(try await stage.ann.log(of: offers).last?.message)
        #expect(last.senderName == "New" && last.senderImageURL == "a")
    }

    @Test(arguments: Backend.available)
    func `subscriptions end and begin again, each with what is published meanwhile`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await subscribe(stage.ann, to: offers)
        try await subscribe(stage.ann, to: offers)
        try await editor.publish("one", in: offers)
        try await stage.ann.perform(LeaveChannel(channel: offers))
        #expect(try await stage.ann.refusal(LeaveChannel(channel: offers))?.entry == .notMember)
        #expect(try await stage.bob.refusal(LeaveChannel(channel: offers))?.entry == .channelNotFound)
        await stage.forgetEvents()
        try await editor.publish("two", in: offers)
        await stage.settle()
        #expect(stage.ann.events.isEmpty)
        #expect(try await stage.ann.refusal(ListMessages(channel: offers))?.entry == .notMember)
        #expect(try await stage.ann.news().map(\.isSubscribed) == [false])
        try await subscribe(stage.ann, to: offers)
        #expect(try await stage.ann.unread(offers) == 0)
        try await editor.publish("three", in: offers)
        #expect(try await stage.ann.unread(offers) == 1)
        // The channel has no row about any member.
        #expect(
            try await stage.ann.log(of: offers).map(\.name) == ["news.created"]
                + Array(repeating: "message.sent", count: 3))
        let known = try #require(try await stage.bob.news().first)
        #expect(
            known.subscriberCount == 1 && !known.isSubscribed && known.kind == .publicNews && known.title == "OFFERS")
        // A hidden channel comes back with the next piece and nothing else, though news are never a last message.
        let mistake = try await editor.publish("a mistake", in: offers)
        try await stage.ann.perform(HideChannel(channel: offers))
        try await editor.perform(RecallMessages(channel: offers, messageIDs: [mistake], isSilent: true))
        #expect(try await stage.ann.list().isEmpty)
        let four = try await editor.publish("four", in: offers)
        #expect(try await stage.ann.list().map(\.channel) == [offers])
        try await editor.perform(RecallMessages(channel: offers, messageIDs: [four], isSilent: true))
        #expect(try await stage.ann.list().map(\.channel) == [offers])
        #expect(try await stage.ann.list().first?.lastMessage == nil)
        try await stage.ann.perform(EndChannel(channel: offers))
        #expect(try await stage.ann.log(of: offers).isEmpty)
        #expect(try await stage.ann.unread(offers) == 0)
    }

    @Test(arguments: Backend.available)
    func `all users get corporate news, those who are known and those who come later`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let house = try ChannelID.house
        // More than one turn can subscribe.
        for number in 0..<70 {
            _ = await stage.roost.core.handle(
                .read(.getUnread(GetUnread())), id: "x", from: try await stage.roost.session(user("u\(number)")).actor)
        }
        await stage.forgetEvents()
        try await make(.corporateNews, house, editor)
        await stage.settle()
        for session in stage.all { #expect(session.events(named: .channelJoined).count == 1) }
        #expect(try await stage.ann.news().first?.subscriberCount == 75)
        try await editor.publish("welcome", in: house)
        let late = try await stage.roost.session(user("late"))
        #expect(try await late.unread(house) == 0)
        #expect(try await late.log(of: house).compactMap(\.text) == ["welcome"])
        let row = try await editor.publish("again", in: house)
        for session in stage.all + [late] {
            #expect(session.rows(of: house).last?.messageID == row)
            #expect(session.rows(of: house).last?.message?.type == "corporateNews")
        }
        #expect(try await late.unread(house) == 1)
        #expect(try await stage.ann.unread(house) == 2)
        #expect(try await stage.ann.refusal(LeaveChannel(channel: house))?.entry == .noPrivilege)
        // A user without a connection is subscribed, too.
        let silent = Actor(user: try user("silent"), deviceID: editor.actor.deviceID, isOperator: false)
        let joined = await stage.roost.core.handle(
            .write(.becomeMember(BecomeMember(channel: house))), id: "s", from: silent)
        guard case .accepted = joined else {
            Issue.record("refused")
            return
        }
        await stage.settle()
        #expect(try await stage.ann.news().first?.subscriberCount == 77)
        #expect(try await stage.ann.news().first?.isSubscribed == true)
    }

    @Test(arguments: Backend.available)
    func `an expired piece of news vanishes for everybody, read or not`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await subscribe(stage.ann, stage.bob, to: offers)
        let end = stage.roost.clock.now + 60_000
        let short = try await editor.publish("today only", in: offers, until: end)
        try await editor.publish("for ever", in: offers)
        let gone = try await editor.publish("a mistake", in: offers, until: end)
        try await editor.perform(RecallMessages(channel: offers, messageIDs: [gone]))
        try await stage.bob.perform(SetReadMark(channel: offers))
        #expect(try await stage.ann.unread(offers) == 2)
        stage.roost.clock.advance(by: 59_999)
        await stage.settle()
        #expect(try await stage.ann.unread(offers) == 2)
        await stage.forgetEvents()
        stage.roost.clock.advance(by: 1)
        await stage.settle()
        await stage.settle()
        for session in [stage.ann, stage.bob] {
            let row = try #require(session.rows(of: offers).last)
            #expect(session.rows(of: offers).count == 1)
            guard case .channel(.messageRecalled(let recalled)) = row.body else {
                Issue.record("\(row)")
                return
            }
            #expect(recalled.isSilent && recalled.messages.map(\.messageID) == [short] && row.senderID == nil)
            #expect(recalled.byName == "OFFERS")
            #expect(try await session.log(of: offers).compactMap(\.text) == ["for ever", ""])
            #expect(
                try await session.refusal(GetMessages(channel: offers, messageIDs: [short]))?.entry == .messageNotFound)
        }
        #expect(try await stage.ann.unread(offers) == 1)
        #expect(try await stage.bob.unread(offers) == 0)
        let why = try #require(try await stage.ann.perform(ExplainUnread(channel: offers)).channels.first)
        #expect(why.count - why.readCount - why.recalled == 1 && why.recalled == 2)
        stage.roost.clock.advance(by: 10_000_000)
        await stage.forgetEvents()
        await stage.settle()
        #expect(stage.ann.events.isEmpty)
    }

    @Test(arguments: Backend.available)
    func `news that ended while the server was away, or half dismissed, are dealt with at the start`(
        backend: Backend
    ) async throws {
        let (database, resource) = try backend.makeDatabase()
        let clock = TestClock()
        let roost = try TestCore(database: database, clock: clock)
        let (offers, house) = (try ChannelID.offers, try ChannelID.house)
        let editor = try await roost.session(user("op"), isOperator: true)
        let ann = try await roost.session(Cast.ann)
        // More than one turn can notify.
        var readers: [TestSession] = []
        for number in 0..<20 { readers.append(try await roost.session(user("u\(number)"))) }
        try await make(.publicNews, offers, editor)
        try await make(.corporateNews, house, editor)
        try await subscribe(ann, to: offers)
        await roost.settle()
        try await editor.publish("soon over", in: offers, until: clock.now + 1_000)
        // Only some have been notified, but it has disappeared for everybody at once.
        try await editor.perform(DismissChannel(channel: house))
        func told() -> Int { readers.count { !$0.events(named: .channelDismissed).isEmpty } }
        for _ in 0..<6 where told() == 0 { await roost.turn() }
        #expect(told() > 0 && told() < readers.count)
        #expect(try await ann.list().map(\.channel) == [offers])
        #expect(try await ann.refusal(GetChannel(channel: house))?.entry == .channelNotFound)
        #expect(try await ann.perform(GetUnread()).total == 1)
        await roost.core.stop()
        clock.advance(by: 5_000)
        let later = try TestCore(database: database, clock: clock)
        let again = try await later.session(Cast.ann)
        await later.settle()
        await later.settle()
        #expect(try await again.unread(offers) == 0)
        #expect(try await again.log(of: offers).compactMap(\.text).isEmpty)
        #expect(try await again.list().map(\.channel) == [offers])
        #expect(try await again.news().map(\.channel) == [offers])
        #expect(try await again.refusal(GetChannel(channel: house))?.entry == .channelNotFound)
        let page = try await again.perform(Resume(userSeq: 0))
        #expect(page.events.filter { $0.name == EventName.channelDismissed.rawValue }.count == 1)
        #expect(page.channels.map(\.channel) == [offers])
        for reader in readers {
            let own = try await later.session(reader.actor.user, device: "again").perform(Resume(userSeq: 0))
            #expect(own.events.count { $0.name == EventName.channelDismissed.rawValue } == 1)
            #expect(own.channels.isEmpty)
        }
        await later.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func
        `both kinds have the flags of their types: created, stored and live; news push and count [LT-1201 LT-1202 LT-1203 LT-1204]`(
            backend: Backend
        ) async throws
    {
        let (stage, editor) = try await stage(backend)
        for (kind, created, published) in [
            (ChannelKind.publicNews, 1201, 1202), (.corporateNews, 1203, 1204),
        ] {
            let id = try channel(kind.rawValue)
            try await make(kind, id, editor)
            await stage.settle()
            if kind == .publicNews { try await subscribe(stage.ann, to: id) }
            try await editor.publish("news", in: id)
            let log = try await stage.ann.log(of: id)
            #expect(log.compactMap(\.body.messageType?.number) == [created, published])
            #expect(log.map(\.seq) == [1, 2])
            for row in log {
                let type = try #require(row.body.messageType)
                let behaviour = try #require(row.body.behaviour)
                #expect(type.isEmitted && behaviour.isStored && behaviour.isRealtime && !behaviour.isLastMessage)
                #expect(behaviour.isPushed == (type.number == published))
                #expect(behaviour.countsAsUnread == (type.number == published))
            }
            #expect(try await stage.ann.unread(id) == 1)
            #expect(try await stage.ann.channel(id).lastMessage == nil)
            // Live: connected users get the rows as the log has them.
            #expect(stage.ann.rows(of: id) == Array(log.suffix(stage.ann.rows(of: id).count)))
            #expect(stage.ann.rows(of: id).last == log.last)
        }
    }

    @Test(arguments: Backend.available)
    func `the earlier state and the events give the present state`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await subscribe(stage.ann, to: offers)
        try await editor.publish("one", in: offers)
        let before = try await stage.ann.perform(Resume(userSeq: 0))
        let head = try #require(before.channels.first { $0.channel == offers }?.seq)
        await stage.forgetEvents()
        try await editor.publish("two", in: offers, until: stage.roost.clock.now + 1_000)
        try await editor.publish("three", in: offers)
        try await editor.perform(SetChannelProfile(channel: offers, profile: ChannelProfile(title: "New")))
        stage.roost.clock.advance(by: 1_000)
        await stage.settle()
        await stage.settle()
        let missed = try await stage.ann.perform(
            Resume(
                epoch: before.epoch, userSeq: before.userSeq, channels: [ChannelPosition(channel: offers, seq: head)]))
        #expect(missed.events.compactMap(\.seq) == stage.ann.rows(of: offers).compactMap(\.seq))
        #expect(missed.events.compactMap(\.seq) == (1...4).map { head + $0 })
        // The row that expired meanwhile is an empty shell; the others are as they were sent.
        let live = stage.ann.rows(of: offers)
        #expect(Array(missed.events.dropFirst()) == Array(live.dropFirst()))
        #expect(missed.events.first?.recall?.isSilent == true && missed.events.first?.text == "")
        #expect(try await stage.ann.unread(offers) == 2)
    }

    @Test(arguments: Backend.available)
    func `old news are purged by the policy of their kind, and are unread for nobody`(backend: Backend) async throws {
        let (database, resource) = try backend.makeDatabase()
        let roost = try TestCore(database: database, retention: [.publicNews: RetentionPolicy(keepLast: 2)])
        let stage = try await Stage(roost)
        let editor = try await roost.session(user("op"), isOperator: true)
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await subscribe(stage.ann, stage.bob, to: offers)
        for number in 1...4 { try await editor.publish("\(number)", in: offers) }
        try await editor.publish("5", in: offers, until: roost.clock.now + 60_000)
        try await stage.bob.perform(SetReadMark(channel: offers))
        roost.clock.advance(by: 1)
        await stage.settle()
        for session in [stage.ann, stage.bob] {
            #expect(try await session.log(of: offers).compactMap(\.text) == ["4", "5"])
            #expect(session.events(named: .channelPurged).count == 1)
        }
        #expect(try await stage.ann.unread(offers) == 2)
        #expect(try await stage.bob.unread(offers) == 0)
        #expect(try await stage.ann.perform(SetReadMark(channel: offers, seq: 0)).unread == 2)
        roost.clock.advance(by: 60_000)
        await stage.settle()
        await stage.settle()
        #expect(try await stage.ann.unread(offers) == 1)
        #expect(try await stage.ann.unread(offers) == (try await stage.ann.recount(offers)))
        await roost.core.stop()
        withExtendedLifetime(resource) {}
    }

    @Test(arguments: Backend.available)
    func `news are forwarded as somebody's message`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        try await stage.makeClub()
        try await make(.publicNews, offers, editor)
        try await subscribe(stage.ann, to: offers)
        let plain = try await editor.publish("two for one", in: offers)
        let file = try await editor.file()
        let picture = try #require(
            try await editor.perform(PublishNews(channel: offers, file: file, thumbnail: file)).messageID)
        try await stage.ann.perform(
            ForwardMessages(channel: offers, messageIDs: [plain, picture], channels: [Cast.club]))
        let copies = try await stage.bob.log(of: Cast.club).compactMap(\.message)
        #expect(copies.map(\.type) == ["text", "image"] && copies.allSatisfy { $0.isForwarded == true })
        #expect(copies.map(\.text) == ["two for one", ""] && copies.last?.file == file)
        let origin = GetOrigin(channel: Cast.club, messageID: copies[0].messageID)
        #expect(try await stage.ann.perform(origin).messageID == plain)
        #expect(try await stage.bob.refusal(origin)?.entry == .messageNotFound)
    }

    @Test(arguments: Backend.available)
    func `publishing and subscribing at once neither loses nor repeats anything`(backend: Backend) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for number in 0..<40 { try await editor.publish("\(number)", in: offers) } }
            for session in stage.all {
                group.addTask {
                    for _ in 0..<10 {
                        try await session.perform(BecomeMember(channel: offers))
                        try await session.perform(SetReadMark(channel: offers))
                        try await session.perform(LeaveChannel(channel: offers))
                    }
                    try await session.perform(BecomeMember(channel: offers))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stage.ann.news().first?.subscriberCount == 4)
        for session in stage.all {
            let texts = try await session.log(of: offers).compactMap(\.text)
            #expect(texts == (0..<40).map { "\($0)" })
            #expect(try await session.unread(offers) == (try await session.recount(offers)))
        }
    }

    @Test(arguments: Backend.available)
    func `published twice, it is there once; another piece under the same key is refused`(
        backend: Backend
    ) async throws {
        let (stage, editor) = try await stage(backend)
        let offers = try ChannelID.offers
        let made = CreateChannel(kind: .publicNews, channel: offers, title: "Offers")
        for _ in 0..<2 { #expect(try await editor.perform(made, id: "make").seq == 1) }
        try await subscribe(stage.ann, to: offers)
        let piece = PublishNews(
            channel: offers, text: "one", validUntil: .init(milliseconds: stage.roost.clock.now + 500))
        let first = try await editor.perform(piece, id: "one")
        #expect(try await editor.perform(piece, id: "one") == first)
        let other = PublishNews(channel: offers, text: "one")
        #expect(try await editor.refusal(other, id: "one")?.entry == .duplicateTransID)
        // Also after it has expired: the shell keeps the key.
        stage.roost.clock.advance(by: 600)
        await stage.settle()
        await stage.settle()
        #expect(try await editor.perform(piece, id: "one") == first)
        #expect(try await stage.ann.log(of: offers).compactMap(\.text).isEmpty)
        #expect(try await stage.ann.channel(offers).count == 1)
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `two servers on one database give corporate news to everybody once`() async throws {
        let url = try Postgres.makeSchema()
        let one = try TestCore(database: Postgres.open(url), isPaced: false)
        let two = try TestCore(database: Postgres.open(url), clock: one.clock, isPaced: false)
        let stage = try await Stage(one, and: two)
        let editor = try await one.session(user("op"), isOperator: true)
        let other = try await two.session(user("op2"), isOperator: true)
        let house = try ChannelID.house
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<80 {
                group.addTask { _ = try await (number % 2 == 0 ? one : two).session(user("u\(number)")) }
            }
            group.addTask { try await make(.corporateNews, house, editor) }
            try await group.waitForAll()
        }
        // Both look for work every second of their clock.
        for _ in 0..<20 {
            one.clock.advance(by: 1_000)
            await one.settle()
            await two.settle()
        }
        #expect(try await other.news().first?.subscriberCount == 86)
        try await other.publish("welcome", in: house)
        for core in [one, two] {
            let late = try await core.session(user("late-\(core === one)"))
            #expect(try await late.log(of: house).compactMap(\.text) == ["welcome"])
        }
        for session in stage.all {
            let again = try await (session === stage.ann || session === stage.cid ? two : one).session(
                session.actor.user, device: "again")
            #expect(try await again.unread(house) == 1)
            let own = try await again.perform(Resume(userSeq: 0)).events
            #expect(own.filter { $0.name == EventName.channelJoined.rawValue }.count == 1)
        }
        #expect(try await other.news().first?.subscriberCount == 88)
        for core in [one, two] { await core.core.stop() }
    }

    @Test(.enabled(if: Backend.available.contains(.postgres)))
    func `a user who becomes known at one server while another makes corporate news has them`() async throws {
        let url = try Postgres.makeSchema()
        let one = try TestCore(database: Postgres.open(url))
        let held = FaultyDatabase(try Postgres.open(url))
        let two = try TestCore(database: held, clock: one.clock)
        let editor = try await one.session(user("op"), isOperator: true)
        let house = try ChannelID.house
        await two.settle()
        held.shut()
        async let new = two.session(user("new"))
        await held.waitForCommit()
        let isMade = Mutex(false)
        async let made: Void = {
            try await make(.corporateNews, house, editor)
            await one.settle()
            isMade.withLock { $0 = true }
        }()
        // Creating it waits for the login of the new user, or completes without that user.
        let eye = try Postgres.open(url)
        var isWaiting = false
        while !isWaiting, !isMade.withLock({ $0 }) {
            isWaiting =
                try await eye.read { connection in
                    try connection.rows(
                        """
                        SELECT COUNT(*) FROM pg_stat_activity
                        WHERE wait_event_type = 'Lock' AND query LIKE '%name = ''epoch'' FOR UPDATE%'
                        """
                    ) { try $0.int(0) > 0 }
                }.first ?? false
        }
        held.open()
        try await made
        let session = try await new
        one.clock.advance(by: 1_000)
        await one.settle()
        await two.settle()
        #expect(try await session.unread(house) == 0)
        #expect(try await editor.news().first?.subscriberCount == 2)
        for core in [one, two] { await core.core.stop() }
        try eye.close()
    }

    @Test func `a failed commit leaves nothing of it, and the work is done afterwards`() async throws {
        let (inner, resource) = try Backend.memory.makeDatabase()
        let faults = FaultyDatabase(inner)
        let roost = try TestCore(database: faults)
        let editor = try await roost.session(user("op"), isOperator: true)
        let ann = try await roost.session(Cast.ann)
        let offers = try ChannelID.offers
        try await make(.publicNews, offers, editor)
        try await subscribe(ann, to: offers)
        await roost.settle()
        try await editor.publish("one", in: offers, until: roost.clock.now + 1_000)
        await roost.settle()
        _ = ann.drainEvents()
        faults.failCommits(.full)
        #expect(try await editor.refusal(PublishNews(channel: offers, text: "two"))?.entry == .storageFull)
        #expect(ann.drainEvents().isEmpty)
        faults.poison(EventName.messageRecalled.rawValue)
        roost.clock.advance(by: 1_000)
        await roost.settle()
        #expect(ann.events.isEmpty)
        faults.poison(nil)
        roost.clock.advance(by: 2_000)
        await roost.settle()
        #expect(ann.rows(of: offers).count == 1)
        #expect(try await ann.unread(offers) == 0)
        await roost.core.stop()
        withExtendedLifetime(resource) {}
    }
}
